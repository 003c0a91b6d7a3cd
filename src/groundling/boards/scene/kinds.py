"""The 58 kinds of clip art in the order of the published data, and their sizes, poses and expressions."""

from __future__ import annotations

WIDTH, HEIGHT = 500, 400
"""The canvas. x runs to the right and y downwards; a piece is placed by its centre, which may lie outside."""

HORIZON = 190
"""Above is sky, below is grass."""

CATEGORIES: dict[str, tuple[str, ...]] = {
    category: tuple(kinds.split(", "))
    for category, kinds in {
        "sky": "helicopter, hot air balloon, cloud, sun, lightning cloud, rain cloud, rocket, airplane",
        "large": "spring bee, slide, sandbox, grill, swing, tent, picnic table, pine tree, oak tree, "
        "apple tree",
        "boy": "Mike",
        "girl": "Jenny",
        "animal": "bear, cat, dog, duck, owl, snake",
        "clothing": "star cap, crown, chef hat, pirate hat, winter hat, propeller cap, wizard hat, "
        "viking helmet, glasses, sunglasses",
        "food": "pie, pizza, hot dog, ketchup, mustard, burger, drink",
        "toy": "baseball, pail, beach ball, basketball, soccer ball, tennis ball, football, frisbee, bat, "
        "balloons, glove, shovel, racket, kite, campfire",
    }.items()
}

KINDS: tuple[str, ...] = tuple(kind for kinds in CATEGORIES.values() for kind in kinds)
INDEX: dict[str, int] = {kind: number for number, kind in enumerate(KINDS)}
CATEGORY: dict[str, str] = {kind: category for category, kinds in CATEGORIES.items() for kind in kinds}

PEOPLE = ("Mike", "Jenny")
"""The only kinds that have a pose and an expression."""

FRONTS: dict[str, str] = {
    **dict.fromkeys(("helicopter", "airplane", "spring bee", "slide", "tent", "Mike", "Jenny"), "right"),
    **dict.fromkeys((*CATEGORIES["animal"], "star cap", "glasses", "sunglasses"), "right"),
    **dict.fromkeys(("rocket", "oak tree"), "left"),
}
"""Where the front of an unflipped piece is, if it has one. For the oak it is the hole in its trunk."""

SIZES = ("large", "medium", "small")
SCALES = (1.0, 0.7, 0.49)
POSES = (
    *("arms to the side", "arms up", "kicking", "running"),
    *("sitting cross-legged", "sitting with legs out", "waving"),
)
EXPRESSIONS = ("angry", "wide smile", "smile", "sad", "surprised")
