"""The generator of park scenes that resemble those that people make."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from groundling.boards.scene import CATEGORIES, CATEGORY, INDEX, KINDS, PEOPLE, Scene
from groundling.games.codraw.scenery import lore
from groundling.games.codraw.scenery.placing import place
from groundling.games.codraw.scenery.stage import Stage, covers

FEWEST, MOST = min(lore.COUNTS), max(lore.COUNTS)
TRIES = 50
_ORDER = ("sky", "large", "boy", "girl", "animal", "food", "toy", "clothing")
"""The order of placement: supports before what is put on them."""


def make_scene(rng: Random, pieces: int | None = None) -> Scene:
    """Make a scene of 6 to 17 pieces, by default as many as people use. No two pieces have the same x or
    the same y."""
    count = _lot(rng, lore.COUNTS) if pieces is None else pieces
    if count not in range(FEWEST, MOST + 1):
        raise ValueError(f"a scene has {FEWEST} to {MOST} pieces, not {count}")
    kinds = sorted(choose(rng, count), key=lambda kind: (_ORDER.index(CATEGORY[kind]), INDEX[kind]))
    tries = (_placed(rng, kinds) for _ in range(TRIES))
    first = next(tries)
    return first if _seen(first) else next((scene for scene in tries if _seen(scene)), first)


def _placed(rng: Random, kinds: Iterable[str]) -> Scene:
    stage = Stage(rng)
    size = rng.choices(range(3), lore.PEOPLE_SIZES)[0]
    for kind in kinds:
        place(stage, kind, size)
    return stage.scene()


def _seen(scene: Scene) -> bool:
    """Tell whether no piece is almost hidden behind another."""
    return max(covers(scene)) < 0.8


def choose(rng: Random, count: int) -> set[str]:
    """Choose people, things in the sky, large things, and then what goes with these."""
    people = rng.choices((PEOPLE, PEOPLE[:1], PEOPLE[1:], ()), (84, 8, 7, 1))[0]
    kinds = set(people)
    for category, usual in (("sky", lore.SKIES), ("large", lore.PLACES)):
        for _ in range(_lot(rng, usual)):
            kinds.add(_next(rng, kinds, CATEGORIES[category]))
    while len(kinds) < count:
        small = [
            kind for category in ("animal", "clothing", "food", "toy") for kind in _open(category, kinds)
        ]
        more = (
            [kind for category in ("sky", "large") for kind in _open(category, kinds)]
            if len(kinds) >= 8 or not small
            else []
        )
        kinds.add(_next(rng, kinds, [*small, *more]))
    return kinds


def _open(category: str, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of a category, or none if the scene already has enough of them."""
    there = sum(CATEGORY[kind] == category for kind in kinds)
    return CATEGORIES[category] if there < lore.LIMITS[category] else ()


def _next(rng: Random, kinds: set[str], among: Iterable[str]) -> str:
    left = [kind for kind in KINDS if kind in among and kind not in kinds]
    return rng.choices(left, [_likely(kind, kinds) for kind in left])[0]


def _likely(kind: str, kinds: set[str]) -> float:
    chance = lore.USUAL[kind].share
    for other in sorted(kinds):
        chance *= lore.FRIENDS.get(other, {}).get(kind, 1.0)
    return chance


def _lot(rng: Random, often: dict[int, int]) -> int:
    return rng.choices(list(often), list(often.values()))[0]
