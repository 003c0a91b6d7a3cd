"""The generator of park scenes that resemble those that people make."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from groundling.boards.scene import CATEGORIES, CATEGORY, INDEX, KINDS, PEOPLE, Scene
from groundling.games.codraw.scene_generation import priors
from groundling.games.codraw.scene_generation.placement import place_piece
from groundling.games.codraw.scene_generation.scene_builder import SceneBuilder, hidden_shares_in_scene

FEWEST, MOST = min(priors.PIECE_COUNTS), max(priors.PIECE_COUNTS)
TRIES = 50
_ORDER = ("sky", "large", "boy", "girl", "animal", "food", "toy", "clothing")
"""The order of placement: supports before what is put on them."""


def generate_scene(rng: Random, pieces: int | None = None) -> Scene:
    """Make a scene of 6 to 17 pieces, by default as many as people use. No two share an x or a y."""
    count = _sample_count(rng, priors.PIECE_COUNTS) if pieces is None else pieces
    if count not in range(FEWEST, MOST + 1):
        raise ValueError(f"a scene has {FEWEST} to {MOST} pieces, not {count}")
    kinds = sorted(
        generate_scene_kinds(rng, count), key=lambda kind: (_ORDER.index(CATEGORY[kind]), INDEX[kind])
    )
    tries = (_place_kinds(rng, kinds) for _ in range(TRIES))
    first = next(tries)
    return first if _is_visible(first) else next((scene for scene in tries if _is_visible(scene)), first)


def _place_kinds(rng: Random, kinds: Iterable[str]) -> Scene:
    stage = SceneBuilder(rng)
    size = rng.choices(range(3), priors.PEOPLE_SIZES)[0]
    for kind in kinds:
        place_piece(stage, kind, size)
    return stage.build_scene()


def _is_visible(scene: Scene) -> bool:
    """Tell whether no piece is almost hidden behind another."""
    return max(hidden_shares_in_scene(scene)) < 0.8


def generate_scene_kinds(rng: Random, count: int) -> set[str]:
    """Choose people, things in the sky, large things, and then what goes with these."""
    people = rng.choices((PEOPLE, PEOPLE[:1], PEOPLE[1:], ()), (84, 8, 7, 1))[0]
    kinds = set(people)
    for category, usual in (("sky", priors.SKY_COUNTS), ("large", priors.LARGE_COUNTS)):
        for _ in range(_sample_count(rng, usual)):
            kinds.add(_choose_next(rng, kinds, CATEGORIES[category]))
    while len(kinds) < count:
        small = [
            kind
            for category in ("animal", "clothing", "food", "toy")
            for kind in _open_kinds(category, kinds)
        ]
        more = (
            [kind for category in ("sky", "large") for kind in _open_kinds(category, kinds)]
            if len(kinds) >= 8 or not small
            else []
        )
        kinds.add(_choose_next(rng, kinds, [*small, *more]))
    return kinds


def _open_kinds(category: str, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of a category, or none if the scene already has enough of them."""
    there = sum(CATEGORY[kind] == category for kind in kinds)
    return CATEGORIES[category] if there < priors.CATEGORY_LIMITS[category] else ()


def _choose_next(rng: Random, kinds: set[str], among: Iterable[str]) -> str:
    left = [kind for kind in KINDS if kind in among and kind not in kinds]
    return rng.choices(left, [_kind_weight(kind, kinds) for kind in left])[0]


def _kind_weight(kind: str, kinds: set[str]) -> float:
    chance = priors.KIND_PRIORS[kind].share
    for other in sorted(kinds):
        chance *= priors.COMPANIONS.get(other, {}).get(kind, 1.0)
    return chance


def _sample_count(rng: Random, often: dict[int, int]) -> int:
    return rng.choices(list(often), list(often.values()))[0]
