"""The offsets in pixels that people mean by "on the left", "touching the top" or "below it".

The numbers are round and were set by hand, after measuring the use of such words in the training part of
the published dialogs. An offset is a number of pixels, plus shares of half the length of the piece and of
its anchor, plus pixels for every stated inch. It counts from an edge inwards, from the anchor, or from the
left and the top."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from groundling.boards.scene import HORIZON
from groundling.games.codraw.players.grammar.position_cues import Cue, position_cue_group

# words [/ group of kinds], pixels, shares of half its own length and of half the anchor's, pixels an inch,
# precision
_ACROSS = """
side                      60  0.4   0    0   about
side / tree               65  0     0    0   about
far side / tree           55  0     0    0   near
far side                  40  0.4   0    0   near
pair side                 75  0.4   0    0   about
middle side              180  0     0    0   about
some side                 40  0.4   0    0   about
corner side               40  0.3   0    0   near
edge side                 30  0.4   0    0   near
near side                 20  1     0    0   close
touching side              0  1     0    0   exact
almost touching side       5  1     0    0   exact
not touching side         15  1     0    0   close
inches side               25  0.9   0   30   close
whole                     15  1     0    0   close
cut bit                    5  0.7   0    0   close
cut some                  20  0.3   0    0   near
cut half                  20  0     0    0   close
cut most                 -10  0     0    0   near
middle of it             250  0     0    0   about
middle of sky            250  0     0    0   about
aside                     40  0.7   0    0   about
above                      0  0     0    0   vague
below                      0  0     0    0   vague
on                         0  0     0    0   vague
in                         0  0     0    0   vague
over                       0  0     0    0   vague
front                      0  0     0    0   vague
behind                     0  0     0    0   vague
next                       0  0     0    0   vague
between                    0  0     0    0   vague
above part                20  0.5   0.3  0   about
below part                20  0.5   0.3  0   about
behind part               20  0.5   0.3  0   about
front part                20  0.5   0.3  0   about
next part                 20  0.5   0.3  0   about
over part                 20  0.5   0.3  0   about
beside                    40  0.8   0.4  0   about
beside part               20  1     0.2  0   about
beside inches             40  0.8   0.8 10   about
then beside inches        40  0.8   0.8 10   about
corner of                 20  0.8   0.2  0   about
after                     40  0.8   0.4  0   vague
"""
_DOWN = """
top                       32  0.3   0    0   near
top / large              170  0.1   0    0   vague
top / animal              40  1.2   0    0   about
bottom                    20  1.2   0    0   about
bottom / person           80  0.4   0    0   about
corner top                40  0     0    0   near
corner bottom             15  1     0    0   close
corner side               35  0.2   0    0   near
edge top                  45  0     0    0   close
edge bottom               15  0.9   0    0   close
near top                  15  1     0    0   close
near bottom               20  1.2   0    0   about
touching top               0  1     0    0   exact
touching bottom            0  1     0    0   exact
almost touching top        5  1     0    0   exact
almost touching bottom     5  1     0    0   exact
not touching top          15  1     0    0   close
not touching bottom       15  1     0    0   close
inches top                20  1     0   10   close
inches bottom             20  1     0   25   close
whole                     20  0.8   0    0   close
cut bit                    0  0.7   0    0   close
cut some                  20  0.3   0    0   near
cut half                  15  0.2   0    0   near
skytop                    45  0.1   0    0   near
grasstop                 310 -1     0    0   about
grassbottom               45  1.2   0    0   about
middle of sky             55  0.3   0    0   near
middle of grass          320 -1     0    0   about
in sky                    50  0.3   0    0   near
in sky / small           150  0     0    0   vague
in sky / large           265 -0.5   0    0   about
in sky / person          265 -0.3   0    0   about
in sky / animal          240  0     0    0   vague
in grass                 305 -0.6   0    0   about
in grass / small         300  0     0    0   vague
half way up              310 -0.8   0    0   about
half way up / person     270 -0.3   0    0   about
half way up / sky         40  0.4   0    0   near
half way up / small      265  0     0    0   vague
above                     25  0.8   0.8  0   about
above / sky              195  0     0    0   about
above inches              40  0.6   0.9  0   about
below                     60  0.8   0.5  0   vague
below / large            170  0     0.2  0   vague
below / person           165  0.2   0    0   about
below / small             25  0.5   0.9  0   about
below inches              60  0     0.7  0   about
beside                   -15 -0.9   1.1  0   about
beside / sky               0  0     0    0   vague
beside / small           -30  0     0.8  0   about
beside part              -60 -0.4   1.2  0   about
next                     -15 -0.9   1.1  0   about
next / sky                 0  0     0    0   vague
next / small             -15 -0.6   0.8  0   vague
after                    -15 -0.9   1.1  0   vague
level                      0 -1     1    0   close
front                    -10 -0.6   1.1  0   about
front / small            -25  0     0.9  0   about
behind                   -50 -0.8   1    0   about
behind / sky             -45  0     0    0   vague
behind / small           -10 -1     0.5  0   vague
over                     -20  0     0.9  0   about
on                       -40  0     0.7  0   vague
on / small                10 -1    -0.6  0   close
on / clothing             20 -1.6  -0.7  0   close
on / person             -110  0     1    0   about
in                        -5 -1     0    0   close
in / animal              -85  1     0.3  0   about
in / person              -40 -0.8   0.6  0   about
corner of                 15  0.5   0.5  0   about
between                  -20 -0.6   1    0   about
horizon                  260 -0.6   0    0   vague
horizon / small          210  0     0    0   about
horizon / person         250 -0.1   0    0   about
horizon / animal         255 -0.4   0    0   about
horizon / large          265 -0.4   0    0   close
horizon / sky             95  0     0    0   about
horizon above            195  0.1   0    0   about
horizon above / large    245 -0.2   0    0   close
horizon above / person   220  0.2   0   30   about
horizon below            300 -1     0    0   about
horizon below / person   300 -0.4   0    0   about
horizon below / large    270 -0.4   0    0   close
"""
_SPREADS = {"exact": 5.0, "part": 9.0, "close": 17.0, "near": 25.0, "about": 35.0, "vague": 60.0}
"""Standard deviations in pixels."""
TRUST = 0.8
"""The probability that such words are about this piece."""
_PARTS = {
    "top": 0.96,
    "hair": 0.95,
    "head": 0.88,
    "eyebrow": 0.77,
    "eye": 0.62,
    "ear": 0.6,
    "mouth": 0.48,
    "chin": 0.44,
    "neck": 0.4,
    "shoulder": 0.33,
    "hand": 0.3,
    "arm": 0.25,
    "armpit": 0.14,
    "elbow": 0.1,
    "body": 0.1,
    "chest": 0.05,
    "middle": 0.0,
    "center": 0.0,
    "leaves": 0.0,
    "stomach": -0.05,
    "waist": -0.07,
    "hip": -0.12,
    "shorts": -0.2,
    "leg": -0.55,
    "knee": -0.6,
    "foot": -0.9,
    "bottom": -0.9,
}
"""The height of a part above the middle, as a share of half the height."""
_ALIKE = {
    "tip": "top",
    "base": "bottom",
    "pants": "shorts",
    "belly": "stomach",
    "tummy": "stomach",
    "nose": "eye",
    "lips": "mouth",
    "feet": "foot",
    "toes": "foot",
    "shoes": "foot",
    "pigtails": "hair",
    "leaf": "leaves",
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


def _parse_rows(table: str) -> Iterator[tuple[str, CueOffset]]:
    for line in table.strip().splitlines():
        *words, pixels, own, other, inch, exactly = line.split()
        yield (
            " ".join(words),
            CueOffset(float(pixels), float(own), float(other), float(inch), _SPREADS[exactly]),
        )


_TABLES = {"x": dict(_parse_rows(_ACROSS)), "y": dict(_parse_rows(_DOWN))}


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
    part = _ALIKE.get(part, part)
    return _PARTS.get(part, _PARTS.get(part.removesuffix("s")))
