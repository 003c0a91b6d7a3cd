"""Pieces of clip art, scenes of pieces, and the palette that pieces are taken from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from groundling.boards.scene.kinds import CATEGORY, EXPRESSIONS, INDEX, KINDS, PEOPLE, POSES, SIZES
from groundling.boards.scene.scene_strings import (
    AWAY,
    BY_LOOK,
    PlacedPiece,
    PublishedPicture,
    parse_palette_string,
    parse_scene_string,
    write_scene_string,
)


class Piece(Struct, frozen=True, omit_defaults=True, gc=False):
    """One piece of clip art on the canvas, placed by its centre."""

    kind: str
    x: int
    y: int
    size: int
    """0 large, 1 medium, 2 small, as in the data."""
    flip: bool = False
    """Mirrored left to right."""
    pose: int | None = None
    expression: int | None = None

    def __post_init__(self) -> None:
        if self.kind not in INDEX:
            raise ValueError(f"there is no clip art called {self.kind!r}: see KINDS")
        if self.size not in (0, 1, 2):
            raise ValueError(f"{self.kind} cannot have size {self.size}: {_list_choices(SIZES)}")
        if not AWAY < self.x < -AWAY or not AWAY < self.y < -AWAY:
            raise ValueError(f"{self.kind} lies out of reach, at {self.x}, {self.y}")
        if self.kind in PEOPLE:
            if self.pose not in range(len(POSES)):
                raise ValueError(f"{self.kind} needs a pose, not {self.pose}: {_list_choices(POSES)}")
            if self.expression not in range(len(EXPRESSIONS)):
                raise ValueError(
                    f"{self.kind} needs an expression, not {self.expression}: {_list_choices(EXPRESSIONS)}"
                )
        elif self.pose is not None or self.expression is not None:
            raise ValueError(f"only {' and '.join(PEOPLE)} have a pose and an expression, not {self.kind}")

    @property
    def index(self) -> int:
        """The number of its kind in the data."""
        return INDEX[self.kind]

    @property
    def category(self) -> str:
        return CATEGORY[self.kind]

    @property
    def placed_piece(self) -> PlacedPiece:
        return PlacedPiece(self.index, self.x, self.y, self.size, int(self.flip), self.figure)

    @property
    def figure(self) -> int:
        """The number of its pose and expression in the data; 0 for kinds that have neither."""
        return 0 if self.pose is None or self.expression is None else 5 * self.pose + self.expression

    @classmethod
    def from_placed(cls, numbers: PlacedPiece) -> Piece:
        kind, person = KINDS[numbers.kind], KINDS[numbers.kind] in PEOPLE
        pose, expression = divmod(numbers.figure, 5) if person else (None, None)
        return cls(kind, numbers.x, numbers.y, numbers.size, bool(numbers.flip), pose, expression)


class Scene(Struct, frozen=True, dict=True):
    """The pieces on a canvas, at most one of each kind, in the order of KINDS."""

    pieces: tuple[Piece, ...] = ()

    def __post_init__(self) -> None:
        for one, other in pairwise(self.pieces):
            if one.kind == other.kind:
                raise ValueError(f"{one.kind} is in the scene twice: there is one piece of a kind at most")
            if one.index > other.index:
                raise ValueError(f"{one.kind} comes after {other.kind}: Scene.of puts pieces in order")

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Scene:
        return cls(tuple(sorted(pieces, key=lambda piece: piece.index)))

    @classmethod
    def parse(cls, text: str) -> Scene:
        """Read a string of the published data. Pieces in the palette are left out; decimals are rounded half
        to even; an empty string is an empty canvas."""
        return cls(tuple(map(Piece.from_placed, parse_scene_string(text))))

    def text(self) -> str:
        """Write the scene as a string of the published data."""
        return write_scene_string([piece.placed_piece for piece in self.pieces])

    def __len__(self) -> int:
        return len(self.pieces)

    @cached_property
    def by_kind(self) -> dict[str, Piece]:
        return {piece.kind: piece for piece in self.pieces}

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(piece.kind for piece in self.pieces)

    def get(self, kind: str) -> Piece | None:
        return self.by_kind.get(kind)

    def put(self, piece: Piece) -> Scene:
        """Return the scene with this piece in place of one of its kind."""
        return Scene.of([*(p for p in self.pieces if p.kind != piece.kind), piece])

    def without(self, kind: str) -> Scene:
        return Scene(tuple(piece for piece in self.pieces if piece.kind != kind))


class PersonFigure(Struct, frozen=True, gc=False):
    """A person in one of the 35 ways they can be drawn."""

    kind: str
    pose: int
    expression: int


class Palette(Struct, frozen=True):
    """The kinds that a Drawer may use, and the figures of people where they are fixed. In display order."""

    kinds: tuple[str, ...]
    figures: tuple[PersonFigure, ...] = ()
    """If a person has no figures here, all 35 are allowed."""

    @classmethod
    def parse(cls, text: str) -> Palette:
        """Read all pieces that a canvas string names, on the canvas or not."""
        arts = parse_palette_string(text)
        figures = [
            PersonFigure(KINDS[art.kind], *divmod(art.figure, 5)) for art in arts if KINDS[art.kind] in PEOPLE
        ]
        return cls(tuple(dict.fromkeys(KINDS[art.kind] for art in arts)), tuple(figures))

    def can_take(self, piece: Piece) -> bool:
        if piece.kind not in self.kinds:
            return False
        mine = [figure for figure in self.figures if figure.kind == piece.kind]
        return not mine or PersonFigure(piece.kind, piece.pose or 0, piece.expression or 0) in mine

    def text(self, scene: Scene = Scene()) -> str:  # noqa: B008 - frozen
        """Write a canvas string as in the published data: the scene, then the rest of the palette. A person
        without fixed figures is left out unless on the canvas: a string cannot say "any"."""
        pieces = [piece.placed_piece for piece in scene.pieces]
        used = {(piece.kind, piece.figure) for piece in pieces}
        return write_scene_string(
            pieces, [art for art in self._palette_pictures() if (art.kind, art.figure) not in used]
        )

    def _palette_pictures(self) -> list[PublishedPicture]:
        figures = {kind: [f for f in self.figures if f.kind == kind] for kind in PEOPLE}
        found = []
        for kind in self.kinds:
            number = INDEX[kind]
            if kind in PEOPLE:
                found += [BY_LOOK[number, 5 * f.pose + f.expression] for f in figures[kind]]
            else:
                found.append(BY_LOOK[number, 0])
        return found


def _list_choices(names: Iterable[str]) -> str:
    return "choose from " + ", ".join(f"{number} {name}" for number, name in enumerate(names))
