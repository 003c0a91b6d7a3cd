"""The offsets in pixels that people mean by "on the left", "touching the top" or "below it".

The numbers are round and were set by hand, after measuring the use of such words in the training part of
the published dialogs. An offset is a number of pixels, plus shares of half the length of the piece and of
its anchor, plus pixels for every stated inch. It counts from an edge inwards, from the anchor, or from the
left and the top. The tables are in `vocabulary/`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from groundling.boards.english.text_tables import read_table_entries, read_table_lines
from groundling.boards.scene import HORIZON
from groundling.games.codraw.players.grammar.position_cues import Cue, position_cue_group

_SPREADS = {"exact": 5.0, "part": 9.0, "close": 17.0, "near": 25.0, "about": 35.0, "vague": 60.0}
"""Standard deviations in pixels."""
TRUST = 0.8
"""The probability that such words are about this piece."""
_PART_HEIGHTS = {
    word: float(height)
    for part, (line,) in read_table_entries(__package__, "vocabulary/part_heights.txt")
    for height, *others in [line.split()]
    for word in (part, *others)
}
_STANDING = ("top", "bottom", "half way up", "above", "below")


class CueOffset(Struct, frozen=True, gc=False):
    pixels: float
    own: float
    other: float
    inch: float
    spread: float

    def resolve_offset(self, own: float, other: float, inches: float) -> float:
        return self.pixels + self.own * own + self.other * other + self.inch * inches


def _read_offsets(name: str) -> Iterator[tuple[str, CueOffset]]:
    for line in read_table_lines(__package__, f"vocabulary/{name}.txt"):
        *words, pixels, own, other, inch, exactly = line.split()
        offset = CueOffset(float(pixels), float(own), float(other), float(inch), _SPREADS[exactly])
        yield " ".join(words), offset


_TABLES = {"x": dict(_read_offsets("offsets_across")), "y": dict(_read_offsets("offsets_down"))}


def find_cue_offset(cue: Cue, kind: str) -> CueOffset | None:
    """Return the offset of a cue for a kind; None if such words tell nothing about it."""
    first, *rest = cue.name.split()
    if first == "horizon" and len(rest) > 1 and (share := _horizon_share(rest[-1])) is not None:
        return CueOffset(HORIZON + {"above": -8, "below": 8, "at": 3}[rest[0]], share, 0, 0, _SPREADS["part"])
    name = f"horizon {rest[0]}".removesuffix(" at") if first == "horizon" else cue.name
    of = position_cue_group(kind)
    if (
        of == "tree"
        and cue.axis == "y"
        and (name in _STANDING or first in ("horizon", "in", "middle", "skytop", "grasstop"))
    ):
        return None  # all trees stand behind the horizon
    table = _TABLES[cue.axis]
    return table.get(f"{name} / {of}") or table.get(name)


def _horizon_share(part: str) -> float | None:
    """Return the height at which the horizon crosses a piece."""
    return _PART_HEIGHTS.get(part, _PART_HEIGHTS.get(part.removesuffix("s")))
