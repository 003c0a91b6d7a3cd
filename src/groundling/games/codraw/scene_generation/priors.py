"""Priors of park scenes: how often each kind occurs and in which size, what occurs together, and how things
are worn and held.

The numbers were set by hand after looking at scenes that people made. Offsets are pixels at full size for
pieces that are not mirrored."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from groundling.boards.scene import CATEGORIES

# kind, occurrences in 100 scenes, weights of sizes (large/medium/small; -: the size of the people),
# probability of being held or worn, and the offset from the hand or the middle of the head to the middle of
# the piece
_TABLE = """
helicopter          6  32/20/48      -  -
hot_air_balloon     9  35/18/47      -  -
cloud              31  70/18/12      -  -
sun                41  53/25/22      -  -
lightning_cloud     7  68/21/11      -  -
rain_cloud         10  66/24/10      -  -
rocket              4  58/16/26      -  -
airplane           10  21/19/60      -  -
spring_bee        5.5  -             -  -
slide              10  40/34/26      -  -
sandbox            11  -             -  -
grill               7  86/10/4       -  -
swing               9  29/33/38      -  -
tent                7  -             -  -
picnic_table       15  -             -  -
pine_tree          13  8/22/70       -  -
oak_tree           25  28/23/49      -  -
apple_tree         16  27/27/46      -  -
bear             13.5  -             -  -
cat                20  -             -  -
dog                23  -             -  -
duck              9.5  -             -  -
owl                 9  -             -  -
snake              10  -             -  -
star_cap           13  -          0.95  4,-23
crown             3.5  -          0.95  -2,-26
chef_hat            3  -          0.95  0,-45
pirate_hat          6  -          0.95  0,-31
winter_hat          4  -          0.95  0,-27
propeller_cap       8  -          0.95  0,-29
wizard_hat          5  -          0.95  0,-41
viking_helmet       6  -          0.95  0,-33
glasses             8  -          0.95  -2,5
sunglasses          8  -          0.95  -1,5
pie                 6  -          0.55  0,0
pizza               6  -           0.5  0,0
hot_dog             8  -           0.8  0,0
ketchup             3  -           0.6  0,-8
mustard           2.5  -           0.6  0,-8
burger            7.5  -           0.7  0,0
drink               7  -           0.8  0,-6
baseball            7  -          0.45  0,0
pail              3.5  -           0.3  0,29
beach_ball          8  -          0.15  0,0
basketball          4  -          0.25  0,0
soccer_ball        13  -          0.08  0,0
tennis_ball         4  -           0.4  0,0
football            8  -           0.3  0,0
frisbee             6  -          0.35  0,0
bat                 4  -           0.8  15,-45
balloons            7  54/25/21   0.55  0,-104
glove               3  -          0.75  4,-6
shovel              2  -           0.5  12,22
racket            2.5  -           0.9  29,-42
kite                5  38/41/21    0.5  150,-125
campfire            8  -             -  -
"""


class KindPrior(Struct, frozen=True):
    share: float
    sizes: tuple[int, ...] | None
    held: float
    offset: tuple[int, int]


def _parse_rows() -> Iterator[tuple[str, KindPrior]]:
    for line in _TABLE.strip().splitlines():
        kind, share, sizes, held, offset = line.split()
        x, y = (0, 0) if offset == "-" else map(int, offset.split(","))
        by_size = None if sizes == "-" else tuple(map(int, sizes.split("/")))
        yield (
            kind.replace("_", " "),
            KindPrior(float(share), by_size, 0.0 if held == "-" else float(held), (x, y)),
        )


KIND_PRIORS = dict(_parse_rows())

PIECE_COUNTS = {6: 590, 7: 250, 8: 97, 9: 35, 10: 13, 11: 6, 12: 4, 13: 2, 14: 1, 15: 1, 16: 1, 17: 1}
"""Weights of the number of pieces in a scene."""

SKY_COUNTS = {0: 16, 1: 54, 2: 28, 3: 3}
LARGE_COUNTS = {0: 19, 1: 46, 2: 29, 3: 6}
"""Weights of the number of things in the sky, and of large things on the grass. Larger scenes may have
more."""

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
"""The y of the feet on the grass by size: lowest, highest, most frequent. Distant things are small and
near the horizon."""

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
