"""The image game: one player sees a picture and instructs, the other draws it, instruction by instruction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Annotated, ClassVar, TypeAlias

import msgspec
from msgspec import Meta, Struct

from groundling.boards.letter_grid import Grid
from groundling.core.game import Game
from groundling.core.values import Illegal, Instance, Move, Reading, Result, Role, Say, Settings, View
from groundling.games.image.giver_replies import DONE, INSTRUCTION, Done, is_instruction, read_giver_reply
from groundling.games.image.grid_replies import find_grid_in_reply, parse_grid_reply
from groundling.scores.set_overlap import Overlap, overlap_from_sizes

__all__ = ["DONE", "FOLLOWER", "GIVER", "INSTRUCTION", "Done", "Draw", "ImageGame", "Picture", "hide"]

GIVER, FOLLOWER = "giver", "follower"


class ImageSettings(Settings, frozen=True):
    turns: Annotated[
        int, Meta(ge=0, description="maximum number of instructions; 0: the number of cells")
    ] = 0
    hide_canvas: Annotated[bool, Meta(description="the follower does not see what it has drawn so far")] = (
        False
    )


class Picture(Instance, frozen=True, kw_only=True):
    target: Grid
    tags: Mapping[Role, str] = {}
    """The tags that the prompts which it carries ask for, if they are others than ours."""
    par: int | None = None
    """The number of characters of instructions that the rule giver needs."""


class Draw(Move, frozen=True, gc=False):
    """The whole canvas as the follower leaves it."""

    grid: Grid


ImageMove: TypeAlias = Say | Draw | Done


class GiverView(View, frozen=True, gc=False):
    target: Grid
    said: tuple[str, ...]
    turns: int
    """The most instructions that can be given."""


class FollowerView(View, frozen=True, gc=False):
    size: int
    told: tuple[str, ...]
    canvas: Grid | None
    """The drawing so far, unless the settings hide it."""


ImageView: TypeAlias = GiverView | FollowerView


class State(Struct, frozen=True, gc=False):
    target: Grid
    canvas: Grid
    said: tuple[str, ...] = ()
    drawn: int = 0
    done: bool = False
    tags: Mapping[Role, str] = {}


class ImageGame(Game[Picture, State, ImageMove, ImageView]):
    name: ClassVar[str] = "image"
    Settings = ImageSettings
    Instance = Picture
    Move = ImageMove
    settings: ImageSettings

    def seats(self, instance: Picture) -> tuple[Role, ...]:
        return GIVER, FOLLOWER

    def start(self, instance: Picture) -> State:
        return State(instance.target, Grid.empty(instance.target.size), tags=instance.tags)

    def turn_limit(self, state: State) -> int:
        return self.settings.turns or state.target.size**2

    def turn(self, state: State) -> Role | None:
        if len(state.said) > state.drawn:
            return FOLLOWER
        return None if state.done or state.drawn >= self.turn_limit(state) else GIVER

    def view(self, state: State, role: Role) -> ImageView:
        if role == GIVER:
            return GiverView(state.target, state.said, self.turn_limit(state))
        return FollowerView(
            state.target.size, state.said, None if self.settings.hide_canvas else state.canvas
        )

    def read(self, state: State, role: Role, text: str, *, strict: bool = False) -> Reading[ImageMove]:
        if role == FOLLOWER:
            size = state.target.size
            return Reading(
                (Draw(parse_grid_reply(text, size) if strict else find_grid_in_reply(text, size)),)
            )
        return Reading(read_giver_reply(text, state.tags.get(GIVER, INSTRUCTION), strict=strict))

    def write(self, moves: Sequence[ImageMove]) -> str:
        return "\n".join(map(_write_move, moves))

    def play(self, state: State, role: Role, move: ImageMove) -> State:
        if type(move) is Done and role == GIVER and not state.done and self.turn(state):
            return msgspec.structs.replace(state, done=True)  # also right after an instruction
        if role != self.turn(state) or (role == FOLLOWER) != (type(move) is Draw):
            raise Illegal(
                "the giver says one instruction or that all is done, then the follower returns the grid"
            )
        if type(move) is Say:
            if not is_instruction(move.text):
                raise Illegal("an instruction is one paragraph of text")
            return msgspec.structs.replace(state, said=(*state.said, move.text))
        assert type(move) is Draw
        if move.grid.size != state.target.size:
            raise Illegal(f"the grid has {state.target.size} rows and columns, not {move.grid.size}")
        return msgspec.structs.replace(state, canvas=move.grid, drawn=state.drawn + 1)

    def result(self, state: State) -> Result | None:
        return None if self.turn(state) else Result(image_grid_overlap(state.target, state.canvas).f1)


def image_grid_overlap(target: Grid, canvas: Grid) -> Overlap:
    """The overlap of the filled cells, by place and letter."""
    return overlap_from_sizes(target.count_matching(canvas), target.filled_count, canvas.filled_count)


def _write_move(move: ImageMove) -> str:
    if type(move) is Draw:
        return move.grid.text()
    return f"{INSTRUCTION} {move.text if type(move) is Say else DONE}"


def hide(picture: Picture, role: Role, rng: Random) -> Picture | None:
    """Return another picture of the same size for the follower; nothing is hidden from the giver."""
    if role == GIVER:
        return None
    cells = list(picture.target.iter_cells())
    while True:
        other = Grid.from_cells(
            picture.target.size, rng.sample(cells, rng.randint(1, len(cells))), rng.choice("QZ")
        )
        if other != picture.target:
            return msgspec.structs.replace(picture, target=other)
