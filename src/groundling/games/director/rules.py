"""The director task: a shelf stands between two people. The director behind it cannot see into all cells; the
participant must find out what the director asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from groundling.boards.shelf import Item, Shelf
from groundling.boards.things import Look
from groundling.core.game import Game
from groundling.core.reading import is_paragraph, read_paragraph
from groundling.core.values import (
    Illegal,
    Instance,
    Move,
    Problem,
    Reading,
    Result,
    Role,
    Say,
    Settings,
    View,
)
from groundling.games.director.cell_replies import cells_in_reply, find_cell_in_reply, parse_cell_reply
from groundling.games.director.request import Request, answers

DIRECTOR, PARTICIPANT = "director", "participant"
TAG = "Say:"

Mode: TypeAlias = Literal["classic", "inventory", "two-player"]
Kind: TypeAlias = Literal["control", "test"]
SelectionRule: TypeAlias = Literal[
    "none", "size_related", "spatial_same_perspective", "spatial_different_perspective"
]


class DirectorSettings(Settings, frozen=True):
    mode: Annotated[
        Mode,
        Meta(
            description="a fixed request; the same with nobody behind the shelf; a second player as director"
        ),
    ] = "classic"
    questions: Annotated[
        int, Meta(ge=0, le=20, description="two-player: number of questions that the participant may ask")
    ] = 1


class Sample(Instance, frozen=True, kw_only=True):
    """A shelf, a request, and its target."""

    shelf: Shelf
    request: Request
    words: str
    """The request in English."""
    plain: str
    """The request for somebody alone with the shelf: left and right are as seen from the front."""
    target: str
    kind: Kind
    """In a test the hidden cells change the answer, in a control they do not."""
    rule: SelectionRule
    physics: bool = False
    """Whether the request names what things do rather than how they look: stackable, sharp, hot…"""
    rivals: tuple[str, ...] = ()
    """The hidden cells that change the answer, mostly one; in the twin they hold unrelated items."""
    looks: Mapping[str, Look] = {}
    """The looks of items that are not in our file, by name: drawings, or the user's own pictures."""
    terms: Mapping[str, tuple[str, ...]] = {}
    """The words for properties that are not in our file, by property; under "" those for any thing."""

    def __post_init__(self) -> None:
        if self.target not in self.shelf.items or self.target in self.shelf.hidden:
            raise ValueError(
                "the target is something that the director sees: there is nothing to be seen in "
                f"{self.target!r}"
            )
        if not self.shelf.hidden.issuperset(self.rivals):
            raise ValueError(f"rivals are hidden from the director: {', '.join(self.rivals)} are not all")


class Pick(Move, frozen=True, gc=False):
    """The participant's choice."""

    cell: str


DirectorMove: TypeAlias = Say | Pick


class Utterance(Struct, frozen=True, gc=False):
    """Something that was said."""

    role: Role
    text: str


class DirectorView(View, frozen=True, gc=False):
    shelf: Shelf
    """The shelf without the items in hidden cells."""
    target: str
    said: tuple[Utterance, ...]
    looks: Mapping[str, Look]


class ParticipantView(View, frozen=True, gc=False):
    shelf: Shelf
    said: tuple[Utterance, ...]
    alone: bool
    """Whether nobody stands behind the shelf."""
    questions: int
    """The number of questions left."""
    picked: str | None
    looks: Mapping[str, Look]
    terms: Mapping[str, tuple[str, ...]]


AnyView: TypeAlias = DirectorView | ParticipantView


class State(Struct, frozen=True, gc=False):
    sample: Sample
    said: tuple[Utterance, ...] = ()
    picked: str | None = None


class DirectorGame(Game[Sample, State, DirectorMove, AnyView]):
    name: ClassVar[str] = "director"
    Settings = DirectorSettings
    Instance = Sample
    Move = DirectorMove
    settings: DirectorSettings

    def seats(self, instance: Sample) -> tuple[Role, ...]:
        return (DIRECTOR, PARTICIPANT) if self.settings.mode == "two-player" else (PARTICIPANT,)

    def start(self, instance: Sample) -> State:
        match self.settings.mode:
            case "classic":
                return State(instance, (Utterance(DIRECTOR, f"Please pick {instance.words}."),))
            case "inventory":
                return State(instance, (Utterance("", f"Which cell holds {instance.plain}?"),))
            case "two-player":
                return State(instance)

    def turn(self, state: State) -> Role | None:
        if state.picked is not None:
            return None
        return PARTICIPANT if state.said and state.said[-1].role != PARTICIPANT else DIRECTOR

    def questions_left(self, state: State) -> int:
        if self.settings.mode != "two-player":
            return 0
        return self.settings.questions - sum(line.role == PARTICIPANT for line in state.said)

    def view(self, state: State, role: Role) -> AnyView:
        sample = state.sample
        shelf = sample.shelf.as_seen("director" if role == DIRECTOR else "participant")
        looks = {
            item.name: sample.looks[item.name] for item in shelf.items.values() if item.name in sample.looks
        }
        if role == DIRECTOR:
            return DirectorView(shelf, sample.target, state.said, looks)
        alone = self.settings.mode == "inventory"
        return ParticipantView(
            shelf, state.said, alone, self.questions_left(state), state.picked, looks, sample.terms
        )

    def read(self, state: State, role: Role, text: str, *, strict: bool = False) -> Reading[DirectorMove]:
        if role == DIRECTOR:
            return Reading((Say(read_paragraph(text, TAG, strict=strict)),))
        if self.settings.mode == "two-player":
            if text.lstrip()[: len(TAG)].lower() == TAG.lower():
                return Reading((Say(read_paragraph(text, TAG, strict=strict)),))
            asks = "?" in text
            if asks and not strict:
                if cells_in_reply(text):
                    raise Illegal(f'name one cell, or ask with the tag "{TAG}", not both')
                return Reading((Say(read_paragraph(text, TAG, strict=False)),))
        return Reading(
            (Pick((parse_cell_reply if strict else find_cell_in_reply)(text, state.sample.shelf)),)
        )

    def write(self, moves: Sequence[DirectorMove]) -> str:
        return "\n".join(f"{TAG} {move.text}" if isinstance(move, Say) else move.cell for move in moves)

    def play(self, state: State, role: Role, move: DirectorMove) -> State:
        if role != self.turn(state) or (role == DIRECTOR and not isinstance(move, Say)):
            raise Illegal("the director says what it wants, then the participant picks a cell or asks back")
        if isinstance(move, Say):
            if not is_paragraph(move.text):
                raise Illegal("say one paragraph of text")
            if role == PARTICIPANT and not self.questions_left(state):
                raise Illegal("there is nothing more to ask: answer with one cell")
            return msgspec.structs.replace(state, said=(*state.said, Utterance(role, move.text)))
        if move.cell not in state.sample.shelf:
            raise Illegal(f"there is no cell {move.cell}: they go from A1 to {state.sample.shelf.cells[-1]}")
        return msgspec.structs.replace(state, picked=move.cell)

    def result(self, state: State) -> Result | None:
        return None if state.picked is None else Result(float(state.picked in self.right_cells(state.sample)))

    def right_cells(self, sample: Sample) -> frozenset[str]:
        """The cells that count as right. With nobody behind the shelf no cell is hidden, and any of several
        tied cells is right."""
        if self.settings.mode == "inventory":
            return answers(sample.shelf, sample.request, "participant")
        return frozenset((sample.target,))


def check_director_rules_fit(
    game: DirectorGame, players: Mapping[Role, str], samples: Sequence[Sample]
) -> None:
    """Refuse a director player in the modes with a fixed request."""
    if DIRECTOR in players and game.settings.mode != "two-player":
        raise Problem(
            f"with mode {game.settings.mode} the request is given, and nobody plays the director: "
            "add --mode two-player, or leave that seat out"
        )


def hide(sample: Sample, role: Role, rng: Random) -> Sample | None:
    """Return a sample that looks the same to that seat, with other hidden items or another target."""
    shelf = sample.shelf
    if role == DIRECTOR:
        return _with_other_hidden(sample, rng)
    others = [cell for cell in shelf.seen("director") if cell != sample.target]
    kind: Kind = "test" if sample.kind == "control" else "control"
    return msgspec.structs.replace(sample, target=rng.choice(others), kind=kind) if others else None


def _with_other_hidden(sample: Sample, rng: Random) -> Sample | None:
    shelf = sample.shelf
    if not shelf.hidden:
        return None
    things: list[Item | None] = [None, *shelf.items.values()]
    cell = rng.choice(sorted(shelf.hidden))
    other = rng.choice([thing for thing in things if thing != shelf.items.get(cell)])
    for hidden in shelf.hidden:
        shelf = shelf.put(hidden, other if hidden == cell else rng.choice(things))
    return msgspec.structs.replace(sample, shelf=shelf)
