"""The context of a statement: the place of `here`, the motion of the lattice, and the values of names."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.hexes import COLOURS, Symmetry, Tile, make_shift, step_on_lattice
from groundling.games.hexagons.program.shapes import (
    LEAVE,
    Amount,
    Colour,
    PathStep,
    ProgramError,
    TileReference,
)
from groundling.games.hexagons.program.statements import DefineStatement


class Frame(Struct, frozen=True):
    """Places are computed without the motion, which then maps them to the board."""

    motion: Symmetry = Symmetry()
    here: Tile = (1, 1)
    names: Mapping[str, int | str] = {}
    recoloured: Mapping[str, str] = {}
    defined: Mapping[str, DefineStatement] = {}
    depth: int = 0

    def resolve_number(self, amount: Amount) -> int:
        if isinstance(amount, int):
            return amount
        value = self.names.get(amount.name)
        if not isinstance(value, int):
            raise ProgramError(f"{amount.name!r} is not the name of a number here")
        return amount.times * value + amount.plus

    def resolve_colour(self, name: Colour) -> str:
        """Return the colour that a name stands for, or `-`."""
        value = self.resolve_name(name)
        return self.recoloured.get(value, value)

    def resolve_name(self, name: Colour) -> str:
        """Return the colour of a name before colours are exchanged."""
        value = self.names.get(name, name)
        if value not in COLOURS and value != LEAVE:
            raise ProgramError(f"there is no colour {name!r}: choose from {', '.join(COLOURS)}")
        return str(value)

    def resolve_seen_colour(self, name: Colour) -> str:
        """Return the colour that a condition looks for, which may also be `painted`."""
        return name if name == "painted" else self.resolve_colour(name)

    def resolve_place(self, place: TileReference) -> Tile:
        """Return a tile before the motion."""
        tile = self.here if place.tile is None else place.tile
        return self.walk_path(tile, place.path)

    def walk_path(self, tile: Tile, path: tuple[PathStep, ...], times: int = 1) -> Tile:
        for go in path:
            tile = move_frame_tile(tile, go.heading, self.resolve_number(go.steps) * times)
        return tile

    def shifted_to(self, to: Tile) -> Frame:
        """Return the frame shifted by the way from `here` to the tile."""
        return self.with_motion(make_shift(self.here, to))

    def with_motion(self, motion: Symmetry) -> Frame:
        return replace(self, motion=motion.followed_by(self.motion))

    def with_exchange(self, exchange: Mapping[str, str]) -> Frame:
        """Return the frame in which this exchange of colours precedes those in effect."""
        inner = {old: self.recoloured.get(new, new) for old, new in exchange.items()}
        return replace(self, recoloured={**self.recoloured, **inner})

    def with_names(self, names: Mapping[str, int | str]) -> Frame:
        return replace(self, names={**self.names, **names}) if names else self


def move_frame_tile(tile: Tile, heading: str, count: int) -> Tile:
    """Return the tile some steps away; right and left keep the row."""
    if heading in ("right", "left"):
        row, column = tile
        return row, column + (count if heading == "right" else -count)
    return step_on_lattice(tile, heading, count)
