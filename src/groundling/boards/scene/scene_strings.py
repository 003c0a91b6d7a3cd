"""Scene strings of the published data: `N,` and N times `png,local,object,type,x,y,size,flip`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groundling.boards.scene.kinds import CATEGORIES, EXPRESSIONS, INDEX, PEOPLE, POSES

AWAY = -10000
"""The coordinate of a piece that is not on the canvas."""
FIELDS = 8
_PREFIXES = ("s", "p", "hb0", "hb1", "a", "c", "e", "t")
_SUBTYPES = len(POSES) * len(EXPRESSIONS)


class PublishedPicture(NamedTuple):
    """One published picture: a kind, and for people one of 35 figures."""

    png: str
    number: str
    """Its number within its type."""
    type: str
    kind: int
    figure: int
    """5 × pose + expression; 0 for kinds that have neither."""


class PlacedPiece(NamedTuple):
    """A piece as numbers; `kind` is the index in KINDS."""

    kind: int
    x: int
    y: int
    size: int
    flip: int
    figure: int


def _list_pictures() -> Iterator[PublishedPicture]:
    for type_, (prefix, kinds) in enumerate(zip(_PREFIXES, CATEGORIES.values(), strict=True)):
        first = INDEX[kinds[0]]
        if kinds[0] in PEOPLE:
            yield from (
                PublishedPicture(f"{prefix}_{n}s.png", str(n), str(type_), first, n) for n in range(_SUBTYPES)
            )
        else:
            yield from (
                PublishedPicture(f"{prefix}_{n}s.png", str(n), str(type_), first + n, 0)
                for n in range(len(kinds))
            )


LIBRARY = tuple(_list_pictures())
BY_PNG = {art.png: art for art in LIBRARY}
BY_LOOK = {(art.kind, art.figure): art for art in LIBRARY}
_DIGITS = {text: int(text) for text in "012"}


def parse_scene_string(text: str) -> list[PlacedPiece]:
    """Read the pieces on the canvas, sorted by kind; an empty string is an empty canvas."""
    if not text:
        return []
    fields = _split_fields(text)
    found = []
    groups = (
        fields[1::8],
        fields[3::8],
        fields[4::8],
        fields[5::8],
        fields[6::8],
        fields[7::8],
        fields[8::8],
    )
    for png, number, type_, x, y, size, flip in zip(*groups, strict=True):
        art = _find_picture(png, number, type_)
        if x == "-10000" or y == "-10000":
            continue
        left, down = _parse_coordinate(x, png), _parse_coordinate(y, png)
        if left == AWAY or down == AWAY:
            continue
        if size not in _DIGITS or flip not in ("0", "1"):
            raise ValueError(f"{png} has size {size!r} and flip {flip!r}: sizes are 0 to 2, flips 0 or 1")
        found.append(PlacedPiece(art.kind, left, down, _DIGITS[size], _DIGITS[flip], art.figure))
    found.sort()
    return found


def parse_palette_string(text: str) -> list[PublishedPicture]:
    """Read all pictures that a string names, on the canvas or not, in its order."""
    fields = _split_fields(text)
    return [_find_picture(*group) for group in zip(fields[1::8], fields[3::8], fields[4::8], strict=True)]


def write_scene_string(pieces: Sequence[PlacedPiece], beside: Iterable[PublishedPicture] = ()) -> str:
    """Write a scene string; `beside` adds pictures beside the canvas, as the data does."""
    groups = [(BY_LOOK[p.kind, p.figure], p.x, p.y, p.size, p.flip) for p in pieces]
    others = [(art, AWAY, AWAY, 0, 0) for art in beside]
    groups += others
    parts = [
        f"{art.png},{local},{art.number},{art.type},{x},{y},{size},{flip}"
        for local, (art, x, y, size, flip) in enumerate(groups)
    ]
    return f"{len(parts)}," + ",".join(parts) + ("," if others else "")


def _split_fields(text: str) -> list[str]:
    """Split a string into its count and fields; ValueError if the number of fields is wrong."""
    fields = text.strip().split(",")
    if not fields[-1]:
        fields.pop()
    if not fields or not fields[0].isdecimal():
        raise ValueError(f"a scene string starts with the number of its pieces: {text[:40]!r}")
    want = 1 + FIELDS * int(fields[0])
    if len(fields) != want:
        cut = "it was cut short" if len(fields) < want else "there is too much of it"
        raise ValueError(
            f"a scene string of {fields[0]} pieces has {want} fields, this one has {len(fields)}: {cut}"
        )
    return fields


def _find_picture(png: str, number: str, type_: str) -> PublishedPicture:
    art = BY_PNG.get(png)
    if art is None:
        raise ValueError(f"there is no picture {png!r}: names are such as s_3s.png, hb0_12s.png")
    if art.number != number or art.type != type_:
        raise ValueError(
            f"{png} is number {art.number} of type {art.type}, not number {number} of type {type_}"
        )
    return art


def _parse_coordinate(text: str, png: str) -> int:
    """Round half to even, as the published scores do."""
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{png} has a coordinate that is no number: {text!r}") from None
    if not AWAY <= value < -AWAY:
        raise ValueError(f"{png} lies out of reach, at {text}: coordinates are between {AWAY} and {-AWAY}")
    return round(value)
