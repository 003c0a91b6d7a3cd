"""Priors of park scenes: how often each kind occurs and in which size, what occurs together, and how things
are worn and held.

The numbers were set by hand after looking at scenes that people made. Offsets are pixels at full size for
pieces that are not mirrored."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from groundling.boards.english.text_tables import read_table_lines
from groundling.boards.scene import CATEGORIES


class KindPrior(Struct, frozen=True):
    share: float
    sizes: tuple[int, ...] | None
    held: float
    offset: tuple[int, int]


def _read_kind_priors() -> Iterator[tuple[str, KindPrior]]:
    for line in read_table_lines(__package__, "kind_priors.txt"):
        kind, share, sizes, held, offset = line.split()
        x, y = (0, 0) if offset == "-" else map(int, offset.split(","))
        by_size = None if sizes == "-" else tuple(map(int, sizes.split("/")))
        yield (
            kind.replace("_", " "),
            KindPrior(float(share), by_size, 0.0 if held == "-" else float(held), (x, y)),
        )


KIND_PRIORS = dict(_read_kind_priors())

PIECE_COUNTS = {6: 590, 7: 250, 8: 97, 9: 35, 10: 13, 11: 6, 12: 4, 13: 2, 14: 1, 15: 1, 16: 1, 17: 1}
"""Weights of the number of pieces in a scene."""

SKY_COUNTS = {0: 16, 1: 54, 2: 28, 3: 3}
LARGE_COUNTS = {0: 19, 1: 46, 2: 29, 3: 6}
"""Weights of the number of things in the sky, and of large ones on the grass; large scenes may have more."""

CATEGORY_LIMITS = {"sky": 3, "large": 4, "animal": 2, "clothing": 3, "food": 2, "toy": 4}
"""The most of each category in a scene, so that a palette of 20 kinds holds all of them."""

COMPANIONS: dict[str, dict[str, float]] = {
    "picnic table": dict.fromkeys(CATEGORIES["food"], 3.0),
    "grill": {"chef hat": 8, "hot dog": 3, "burger": 3, "ketchup": 4, "mustard": 4, "drink": 2},
    "sandbox": {"pail": 8, "shovel": 8, "beach ball": 1.5},
    "tent": {"campfire": 5, "bear": 3, "owl": 2},
    "campfire": {"hot dog": 2.5, "tent": 4},
    "hot dog": {"ketchup": 4, "mustard": 4},
    "burger": {"drink": 3, "ketchup": 2.5},
    "pizza": {"drink": 3},
    "pail": {"shovel": 5},
    "bat": {"baseball": 10, "glove": 6, "star cap": 2},
    "glove": {"baseball": 10, "bat": 5},
    "baseball": {"bat": 6, "glove": 6},
    "racket": {"tennis ball": 14},
    "tennis ball": {"racket": 6, "dog": 2},
    "frisbee": {"dog": 3},
    "pirate hat": {"viking helmet": 2},
    "oak tree": {"owl": 2},
    "pine tree": {"owl": 2, "bear": 1.5},
    "apple tree": {"owl": 1.5},
    "bear": {"campfire": 1.5},
    "duck": {"cat": 1.5},
    "sun": {"sunglasses": 2},
}
"""Factors by which a kind makes others more likely."""

PEOPLE_SIZES = (80, 17, 3)

FEET_HEIGHTS = ((300, 392, 352), (272, 345, 305), (256, 312, 276))
"""The y of the feet on the grass by size: lowest, highest, most frequent. Far things are small and high."""

LOOKS_AHEAD = ("star cap", "glasses", "sunglasses")
"""Clothing that usually points in the direction of its wearer."""

HEADS: dict[str, tuple[float, float]] = {"bear": (10, -78), "dog": (34, -24), "cat": (12, -18)}
"""The heads of animals that may wear clothing."""

SEATS: dict[str, tuple[float, tuple[int, ...], tuple[tuple[int, int], ...]]] = {
    "slide": (0.5, (5,), ((-22, -118), (28, -28), (95, 52))),
    "swing": (0.55, (5,), ((-15, 2), (60, -14))),
    "sandbox": (0.6, (4, 5), ((-70, -72), (62, -78))),
    "spring bee": (0.3, (4, 5, 1), ((-18, -86),)),
    "picnic table": (0.15, (4, 5), ((-52, -90), (40, -92))),
}
"""Seats: how often they are used, in which poses, and the middle of the person on each."""

BALLS = ("baseball", "beach ball", "basketball", "soccer ball", "tennis ball", "football", "frisbee")

SCARY = ("bear", "snake", "lightning cloud")

MOODS = {"calm": (10, 31, 33, 9, 17), "scared": (15, 8, 8, 19, 50), "wet": (24, 8, 12, 36, 20)}
"""Weights of angry, wide smile, smile, sad, surprised."""

POSES = (16, 16, 8, 14, 11, 12, 15)
"""Weights of the poses of people who do not sit on something."""
