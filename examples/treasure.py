"""Treasure: a whole game in one file.

Both players look at a map with a few landmarks. The giver sees where the treasure is buried and describes the
place in one message; the seeker reads the message and digs in one cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from groundling.core.drawing import Drawing
from groundling.core.game import Game
from groundling.core.pack import Pack
from groundling.core.reading import is_paragraph, read_paragraph
from groundling.core.text_svg import replace_unprintable
from groundling.core.values import CANARY, Illegal, Instance, Move, Reading, Recipe, Result, Role, Say, View

GIVER, SEEKER = "giver", "seeker"
COLUMNS, ROWS = "ABCDE", "12345"
CELLS = tuple(column + row for row in ROWS for column in COLUMNS)
LANDMARKS = ("bridge", "cave", "hut", "rock", "tree", "well")


class Island(Instance, frozen=True, kw_only=True):
    """One map to play."""

    landmarks: Mapping[str, str]  # names by cell
    treasure: str  # a cell without a landmark


class Dig(Move, frozen=True, gc=False):
    cell: str


TreasureMove: TypeAlias = Say | Dig


class IslandView(View, frozen=True, gc=False):
    landmarks: Mapping[str, str]
    treasure: str | None  # the seeker must not know it
    message: str | None
    dug: str | None


class TreasureState(Struct, frozen=True, gc=False):
    island: Island
    message: str | None = None
    dug: str | None = None


class TreasureGame(Game[Island, TreasureState, TreasureMove, IslandView]):
    name = "treasure"
    Instance = Island
    Move = TreasureMove

    def seats(self, instance: Island) -> tuple[Role, ...]:
        return GIVER, SEEKER

    def start(self, instance: Island) -> TreasureState:
        return TreasureState(instance)

    def turn(self, state: TreasureState) -> Role | None:
        if state.message is None:
            return GIVER
        return SEEKER if state.dug is None else None

    def view(self, state: TreasureState, role: Role) -> IslandView:
        treasure = state.island.treasure if role == GIVER else None
        return IslandView(state.island.landmarks, treasure, state.message, state.dug)

    def read(
        self, state: TreasureState, role: Role, text: str, *, strict: bool = False
    ) -> Reading[TreasureMove]:
        """Strictly, read only what `write` writes; else any message, and any text that names one cell."""
        if role == GIVER:
            return Reading((Say(read_paragraph(text, "Message:", strict=strict)),))
        cells = set(re.findall(r"\b[A-E][1-5]\b", text))
        if len(cells) != 1 or (strict and text.strip() != f"Dig: {min(cells)}"):
            raise Illegal('name one cell, such as "Dig: A1"')
        return Reading((Dig(cells.pop()),))

    def write(self, moves: Sequence[TreasureMove]) -> str:
        return "\n".join(
            f"Message: {move.text}" if isinstance(move, Say) else f"Dig: {move.cell}" for move in moves
        )

    def play(self, state: TreasureState, role: Role, move: TreasureMove) -> TreasureState:
        if role == self.turn(state) == GIVER and isinstance(move, Say) and is_paragraph(move.text):
            return replace(state, message=move.text)
        if role == self.turn(state) == SEEKER and isinstance(move, Dig) and move.cell in CELLS:
            return replace(state, dug=move.cell)
        raise Illegal("the giver says one paragraph, then the seeker digs in one cell")

    def result(self, state: TreasureState) -> Result | None:
        return None if state.dug is None else Result(float(state.dug == state.island.treasure))


def make(recipe: Recipe) -> list[Island]:
    rng = Random(recipe.seed)
    islands = []
    for number in range(recipe.n):
        treasure, *cells = rng.sample(CELLS, 5)
        landmarks = dict(zip(sorted(cells), rng.sample(LANDMARKS, 4), strict=True))
        name = f"island-{recipe.seed}-{number}"
        islands.append(Island(id=name, landmarks=landmarks, treasure=treasure, canary=CANARY))
    return islands


def hide(island: Island, role: Role, rng: Random) -> Island | None:
    """Return an island that looks the same to that seat; None for the giver, from whom nothing is hidden."""
    others = [cell for cell in CELLS if cell != island.treasure and cell not in island.landmarks]
    return replace(island, treasure=rng.choice(others)) if role == SEEKER else None


def draw(view: IslandView) -> Drawing:
    """Draw the map. Only the seeker sees the names of columns and rows: the giver must use landmarks."""
    names = dict(view.landmarks) | ({view.treasure: "X"} if view.treasure else {})
    rows = [" ".join(names.get(column + row, ".")[0].upper() for column in COLUMNS) for row in ROWS]
    if not view.treasure:
        rows = [f"  {' '.join(COLUMNS)}", *(f"{row} {cells}" for row, cells in zip(ROWS, rows, strict=True))]
    key = ", ".join(f"{name[0].upper()}: {name}" for name in view.landmarks.values())
    said = f"The giver says: {replace_unprintable(view.message)}" if view.message else ""
    said += f"\nThe seeker digs in {view.dug}." if view.dug else ""
    return Drawing("\n".join([*rows, "", key]), words=said)


def choices(view: IslandView) -> Sequence[TreasureMove]:
    """List the moves that this seat chooses from; none for the giver, who speaks freely."""
    return () if view.treasure else [Dig(cell) for cell in CELLS]


pack = Pack(
    name="treasure",
    about="find a treasure on a map that shows its place only to your partner",
    roles=(GIVER, SEEKER),
    help={
        GIVER: "The treasure is at X. Describe the place in one message, by the landmarks around it.",
        SEEKER: "You read the giver's message. Dig in the cell that it describes. You can dig once.",
    },
    game=TreasureGame,
    make=make,
    hide=hide,
    draw=draw,
    choices=choices,
)
