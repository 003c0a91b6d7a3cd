"""Statistics of scenes, to compare generated ones with those that people made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from statistics import mean, pstdev

from groundling.boards.clipart.poses import PERSON_POSES
from groundling.boards.scene import CATEGORIES, HEIGHT, KINDS, PEOPLE, WIDTH, Piece, Scene
from groundling.games.codraw.scene_generation.generator import generate_scene
from groundling.games.codraw.scene_generation.scene_builder import (
    built_bounding_box,
    hidden_shares_in_scene,
    offset_point,
    overlap_area,
)
from groundling.games.codraw.text_table import TextRow, format_text_table

MADE = 2_000
NEAR = 32
"""The distance in pixels at full size within which a thing counts as on a head or in a hand."""


def make_statistics_scenes(count: int = MADE, seed: int = 0) -> list[Scene]:
    rng = Random(seed)
    return [generate_scene(rng) for _ in range(count)]


def compare_scene_statistics(real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[str]:
    """Yield the lines of all tables."""
    yield f"Scenes: {len(real):,} that people made, {len(ours):,} of our generator"
    yield from format_text_table(("", "people's", "ours"), _fact_rows(real, ours))
    yield ""
    yield (
        "Categories: pieces a scene, mean and spread of x and y, share of large/medium/small, "
        "mirrored, cut off at an edge"
    )
    head = ("category", "whose", "pieces", "x", "y", "sizes", "mirrored", "cut off")
    yield from format_text_table(
        head, (row for name in CATEGORIES for row in _category_rows(name, real, ours))
    )
    yield ""
    yield "Kinds: in how many of a hundred scenes"
    yield from format_text_table(("kind", "people's", "ours") * 2, _kind_rows(real, ours))


def _fact_rows(real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[TextRow]:
    facts: dict[str, Callable[[Sequence[Scene]], str]] = {
        "pieces a scene": lambda found: f"{mean(map(len, found)):.2f}",
        "  6 / 7 / 8 / 9 and more": lambda found: " / ".join(
            _format_percent(n, found) for n in _piece_count_bins(found)
        ),
        "Mike and Jenny both": lambda found: _format_percent(len(list(_find_couples(found))), found),
        "  of one size": lambda found: _format_share(a.size == b.size for a, b in _find_couples(found)),
        "  left one faces right": lambda found: _format_share(not a.flip for a, _ in _find_couples(found)),
        "  right one faces left": lambda found: _format_share(b.flip for _, b in _find_couples(found)),
        "hats and glasses on a head": lambda found: _format_share(
            _is_near(p, s, _head_points) for s, p in _category_pieces(found, "clothing")
        ),
        "food in a hand": lambda found: _format_share(
            _is_near(p, s, _hand_points) for s, p in _category_pieces(found, "food")
        ),
        "boxes of two pieces that meet, a scene": lambda found: f"{mean(map(overlap_statistic, found)):.2f}",
        "pieces half hidden behind another": lambda found: (
            f"{100 * mean(map(hidden_share_statistic, found)):.1f} %"
        ),
        "scenes with two equal coordinates": lambda found: _format_share(map(tie_statistic, found)),
    }
    return ((name, fact(real), fact(ours)) for name, fact in facts.items())


def _piece_count_bins(found: Sequence[Scene]) -> list[int]:
    counts = [min(len(scene), 9) for scene in found]
    return [counts.count(n) for n in (6, 7, 8, 9)]


def _category_rows(name: str, real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[TextRow]:
    for whose, found in (("people's", real), ("ours", ours)):
        pieces = [piece for _, piece in _category_pieces(found, name)]
        xs, ys = [p.x for p in pieces], [p.y for p in pieces]
        sizes = "/".join(
            f"{100 * sum(p.size == size for p in pieces) / max(1, len(pieces)):.0f}" for size in range(3)
        )
        yield (
            name if whose == "people's" else "",
            whose,
            f"{len(pieces) / max(1, len(found)):.2f}",
            f"{mean(xs):.0f} ± {pstdev(xs):.0f}" if xs else "-",
            f"{mean(ys):.0f} ± {pstdev(ys):.0f}" if ys else "-",
            sizes,
            _format_share(p.flip for p in pieces),
            _format_share(map(cut_off_statistic, pieces)),
        )


def _kind_rows(real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[TextRow]:
    """Lay out the kinds in two columns."""
    rows = [
        (kind, *(f"{100 * mean(kind in s.by_kind for s in found):.1f}" for found in (real, ours)))
        for kind in KINDS
    ]
    half = len(rows) // 2
    return ((*one, *other) for one, other in zip(rows[:half], rows[half:], strict=True))


def _category_pieces(found: Iterable[Scene], category: str) -> Iterator[tuple[Scene, Piece]]:
    return ((scene, piece) for scene in found for piece in scene.pieces if piece.category == category)


def _find_couples(found: Iterable[Scene]) -> Iterator[tuple[Piece, Piece]]:
    """Yield Mike and Jenny of each scene with both, from left to right."""
    for scene in found:
        pair = [piece for kind in PEOPLE if (piece := scene.get(kind))]
        if len(pair) == 2:
            left, right = sorted(pair, key=lambda piece: piece.x)
            yield left, right


def _head_points(person: Piece) -> list[tuple[float, float]]:
    """Return the middle of the face and the place of a hat."""
    pose = PERSON_POSES[person.kind][person.pose or 0]
    x, y = pose.head[0] - pose.size[0] / 2, pose.head[1] - pose.size[1] / 2
    return [offset_point(person, (x, y + lift)) for lift in (5, -30)]


def _hand_points(person: Piece) -> list[tuple[float, float]]:
    pose = PERSON_POSES[person.kind][person.pose or 0]
    return [offset_point(person, (x - pose.size[0] / 2, y - pose.size[1] / 2)) for *_, (x, y) in pose.arms]


def _is_near(piece: Piece, scene: Scene, where: Callable[[Piece], list[tuple[float, float]]]) -> bool:
    people = [person for kind in PEOPLE if (person := scene.get(kind))]
    return any(abs(piece.x - x) + abs(piece.y - y) < NEAR for person in people for x, y in where(person))


def cut_off_statistic(piece: Piece) -> bool:
    left, top, right, bottom = built_bounding_box(piece)
    return left < 0 or top < 0 or right > WIDTH or bottom > HEIGHT


def overlap_statistic(scene: Scene) -> int:
    return sum(
        overlap_area(one, other) > 0 for one, other in combinations(map(built_bounding_box, scene.pieces), 2)
    )


def hidden_share_statistic(scene: Scene) -> float:
    """Return the share of pieces of which another one in front covers half the box."""
    return mean(share > 0.5 for share in hidden_shares_in_scene(scene)) if scene.pieces else 0.0


def tie_statistic(scene: Scene) -> bool:
    return len({p.x for p in scene.pieces}) < len(scene) or len({p.y for p in scene.pieces}) < len(scene)


def _format_share(of: Iterable[bool]) -> str:
    found = list(of)
    return f"{100 * mean(found):.0f} %" if found else "-"


def _format_percent(count: int, found: Sequence[Scene]) -> str:
    return f"{100 * count / max(1, len(found)):.0f} %"
