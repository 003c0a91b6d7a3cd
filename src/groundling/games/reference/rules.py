"""The reference game: one player describes the target among look-alikes, the other picks it, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from random import Random
from typing import ClassVar, TypeAlias

import msgspec
from msgspec import Struct

from groundling.boards.letter_grid import Grid
from groundling.core.game import Game
from groundling.core.reading import is_paragraph, read_paragraph
from groundling.core.values import Illegal, Instance, Move, Reading, Result, Role, Say, View
from groundling.games.reference.labels import LABELS, find_label, parse_only_label

GIVER, FOLLOWER = "giver", "follower"
EXPRESSION, ANSWER = "Expression:", "Answer:"


class Lineup(Instance, frozen=True, kw_only=True):
    """A target and its distractors, and the order in which each seat sees them."""

    grids: tuple[Grid, ...]
    """The grids, the target first."""
    giver: tuple[int, ...]
    follower: tuple[int, ...]
    """For each place, the index of the grid there; likewise `giver`."""
    tags: Mapping[Role, str] = {}
    """The tags that the prompts which it carries ask for, if they are others than ours …"""
    labels: tuple[str, ...] = ()
    """… and the names of the places."""

    def __post_init__(self) -> None:
        count = len(self.grids)
        if not 3 <= count <= len(LABELS):
            raise ValueError(f"a lineup has 3 to {len(LABELS)} grids, not {count}")
        grids = {grid.cells for grid in self.grids}
        if len(grids) < count:
            raise ValueError("the grids of a lineup differ from each other")
        if len(set(map(len, grids))) > 1:
            raise ValueError("the grids of a lineup have one size")
        places = list(range(count))
        if sorted(self.giver) != places or sorted(self.follower) != places:
            raise ValueError(f"an order names each of {places} once")

    @property
    def answer(self) -> int:
        """The target's place for the follower, counted from 1."""
        return self.follower.index(0) + 1


class Pick(Move, frozen=True, gc=False):
    """The follower's choice, counted from 1."""

    place: int


ReferenceMove: TypeAlias = Say | Pick


class GiverView(View, frozen=True, gc=False):
    grids: tuple[Grid, ...]
    target: int
    """The place of the target, counted from 1."""
    said: str | None


class FollowerView(View, frozen=True, gc=False):
    grids: tuple[Grid, ...]
    expression: str | None
    picked: int | None


ReferenceView: TypeAlias = GiverView | FollowerView


class State(Struct, frozen=True, gc=False):
    lineup: Lineup
    expression: str | None = None
    picked: int | None = None


class ReferenceGame(Game[Lineup, State, ReferenceMove, ReferenceView]):
    name: ClassVar[str] = "reference"
    Instance = Lineup
    Move = ReferenceMove

    def seats(self, instance: Lineup) -> tuple[Role, ...]:
        return GIVER, FOLLOWER

    def start(self, instance: Lineup) -> State:
        return State(instance)

    def turn(self, state: State) -> Role | None:
        if state.expression is None:
            return GIVER
        return FOLLOWER if state.picked is None else None

    def view(self, state: State, role: Role) -> ReferenceView:
        lineup = state.lineup
        if role == GIVER:
            grids = tuple([lineup.grids[i] for i in lineup.giver])
            return GiverView(grids, lineup.giver.index(0) + 1, state.expression)
        return FollowerView(tuple([lineup.grids[i] for i in lineup.follower]), state.expression, state.picked)

    def read(self, state: State, role: Role, text: str, *, strict: bool = False) -> Reading[ReferenceMove]:
        if role == GIVER:
            tag = state.lineup.tags.get(GIVER, EXPRESSION)
            return Reading((Say(read_paragraph(text, EXPRESSION, tag, strict=strict)),))
        count, labels = len(state.lineup.grids), state.lineup.labels
        if strict:
            tag = state.lineup.tags.get(FOLLOWER, ANSWER)
            return Reading((Pick(parse_only_label(text, ANSWER, count, tag, labels)),))
        return Reading((Pick(find_label(text, count, labels)),))

    def write(self, moves: Sequence[ReferenceMove]) -> str:
        return "\n".join(
            f"{EXPRESSION} {move.text}" if isinstance(move, Say) else f"{ANSWER} {LABELS[move.place - 1]}"
            for move in moves
        )

    def play(self, state: State, role: Role, move: ReferenceMove) -> State:
        if role == GIVER and isinstance(move, Say) and state.expression is None:
            if not is_paragraph(move.text):
                raise Illegal("an expression is one paragraph of text")
            return msgspec.structs.replace(state, expression=move.text)
        if (
            role == FOLLOWER
            and isinstance(move, Pick)
            and state.expression is not None
            and state.picked is None
        ):
            if not 1 <= move.place <= len(state.lineup.grids):
                raise Illegal(f"there is no grid {move.place}: pick from 1 to {len(state.lineup.grids)}")
            return msgspec.structs.replace(state, picked=move.place)
        raise Illegal("the giver says one expression, then the follower picks one grid")

    def result(self, state: State) -> Result | None:
        return None if state.picked is None else Result(float(state.picked == state.lineup.answer))


def hide(lineup: Lineup, role: Role, rng: Random) -> Lineup:
    """Return a lineup that looks the same to that seat, with another order or another target."""
    count = len(lineup.grids)
    if role == GIVER:
        others = [order for order in permutations(range(count)) if order != lineup.follower]
        return msgspec.structs.replace(lineup, follower=rng.choice(others))
    order = [rng.randrange(1, count)]
    order += [i for i in range(count) if i != order[0]]
    grids = tuple(lineup.grids[i] for i in order)
    giver = tuple(rng.sample(range(count), count))
    return msgspec.structs.replace(
        lineup, grids=grids, giver=giver, follower=tuple(order.index(i) for i in lineup.follower)
    )
