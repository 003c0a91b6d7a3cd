"""Treasure: a whole game in one file.

Both players look at a map with a few landmarks. The giver sees where the treasure is buried and says so in one
message; the seeker reads the message and digs in one cell. Only words can tell the seeker where to dig."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from groundling.core.game import Game
from groundling.core.pack import Drawing, Pack
from groundling.core.reading import is_paragraph, read_paragraph
from groundling.core.values import CANARY, Illegal, Instance, Move, Reading, Recipe, Result, Role, Say, View

GIVER, SEEKER = "giver", "seeker"
COLUMNS, ROWS = "ABCDE", "12345"
CELLS = tuple(column + row for row in ROWS for column in COLUMNS)
"""The cells of every map, row by row from the top left: A1, B1 … E5."""
LANDMARKS = ("bridge", "cave", "hut", "rock", "tree", "well")


# What a game is made of: instances, moves, states and what each seat sees of them.


class Island(Instance, frozen=True, kw_only=True):
    """One map to play."""

    landmarks: Mapping[str, str]
    """The names of the landmarks by cell."""
    treasure: str
    """The cell in which the treasure is buried, which has no landmark."""


class Dig(Move, frozen=True, gc=False):
    cell: str


class IslandView(View, frozen=True, gc=False):
    landmarks: Mapping[str, str]
    treasure: str | None
    """None for the seeker, who must not know it."""
    message: str | None
    dug: str | None


class State(Struct, frozen=True, gc=False):
    island: Island
    message: str | None = None
    dug: str | None = None


TreasureMove: TypeAlias = Say | Dig


# The rules: pure functions of the state.


class TreasureGame(Game[Island, State, TreasureMove, IslandView]):
    name = "treasure"
    Instance = Island
    Move = TreasureMove

    def seats(self, instance: Island) -> tuple[Role, ...]:
        return GIVER, SEEKER

    def start(self, instance: Island) -> State:
        return State(instance)

    def turn(self, state: State) -> Role | None:
        if state.message is None:
            return GIVER
        return SEEKER if state.dug is None else None

    def view(self, state: State, role: Role) -> IslandView:
        treasure = state.island.treasure if role == GIVER else None
        return IslandView(state.island.landmarks, treasure, state.message, state.dug)

    def read(self, state: State, role: Role, text: str, *, strict: bool = False) -> Reading[TreasureMove]:
        """Strict reading accepts what `write` writes; tolerant reading also other forms, but never guesses."""
        if role == GIVER:
            return Reading((Say(read_paragraph(text, "Message:", strict=strict)),))
        pattern = r"\s*Dig: ([A-E][1-5])\s*" if strict else r".*?\b([A-E][1-5])\b(?!.*\b(?!\1)[A-E][1-5]\b).*"
        found = re.fullmatch(pattern, text, re.DOTALL)
        if not found:
            raise Illegal('name one cell, such as "Dig: A1"')
        return Reading((Dig(found[1]),))

    def write(self, moves: Sequence[TreasureMove]) -> str:
        return "\n".join(
            f"Message: {move.text}" if isinstance(move, Say) else f"Dig: {move.cell}" for move in moves
        )

    def play(self, state: State, role: Role, move: TreasureMove) -> State:
        if role == self.turn(state) == GIVER and isinstance(move, Say) and is_paragraph(move.text):
            return replace(state, message=move.text)
        if role == self.turn(state) == SEEKER and isinstance(move, Dig) and move.cell in CELLS:
            return replace(state, dug=move.cell)
        raise Illegal("the giver says one paragraph, then the seeker digs in one cell")

    def result(self, state: State) -> Result | None:
        return None if state.dug is None else Result(float(state.dug == state.island.treasure))


# What the product needs beside the rules: instances, their secrets, a picture in text, the possible choices.


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
    """Draw the map. Only the seeker's has the names of columns and rows: the giver has to use landmarks."""
    marks = {cell: name[0].upper() for cell, name in view.landmarks.items()} | {view.treasure or "": "X"}
    seeker = view.treasure is None
    rows = [(f"{row} " if seeker else "") + " ".join(marks.get(c + row, ".") for c in COLUMNS) for row in ROWS]
    key = ", ".join(f"{name[0].upper()} = {name}" for name in view.landmarks.values())
    board = "\n".join([f"  {' '.join(COLUMNS)}", *rows, "", key] if seeker else [*rows, "", f"{key}, X = treasure"])
    said = f"The giver says: {view.message}" if view.message else ""
    return Drawing(board, words=said + (f"\nThe seeker digs in {view.dug}." if view.dug else ""))


def choices(view: IslandView) -> Sequence[TreasureMove]:
    """List the moves that this seat chooses from; none for the giver, who speaks freely."""
    return () if view.treasure else [Dig(cell) for cell in CELLS]


pack = Pack(
    name="treasure",
    about="find a treasure on a map that shows its place only to your partner",
    roles=(GIVER, SEEKER),
    help={
        GIVER: "You see where the treasure is buried. Say in one message where it is from the landmarks.",
        SEEKER: "You read the giver's message. Dig in the cell that it describes. You can dig once.",
    },
    game=TreasureGame,
    make=make,
    hide=hide,
    draw=draw,
    choices=choices,
)
