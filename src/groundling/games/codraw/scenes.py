"""Park scenes as people make them, from a seed: nobody has told or drawn them before."""

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
"""First what stands anywhere, then what is put on it."""


def make_scene(rng: Random, pieces: int | None = None) -> Scene:
    """A new scene of 6 to 17 pieces, so many of them or as many as usual. No two pieces have an equal x or
    y."""
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
    """Nothing has vanished behind something else."""
    return max(covers(scene)) < 0.8


def choose(rng: Random, count: int) -> set[str]:
    """Who and what is in it: people, a sky, some places, and then whatever goes with these."""
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
    """The kinds of a category, unless there are enough of it."""
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
