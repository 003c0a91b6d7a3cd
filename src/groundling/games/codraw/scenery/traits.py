"""Statistics of scenes, to compare generated ones with those that people made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from statistics import mean, pstdev

from groundling.boards.scene import CATEGORIES, HEIGHT, KINDS, PEOPLE, WIDTH, Piece, Scene
from groundling.games.codraw.scenery.stage import FIGURES, at, box, covers, shared
from groundling.games.codraw.scenes import make_scene
from groundling.games.codraw.tables import Row, table

MADE = 2_000
NEAR = 32
"""The distance in pixels at full size within which a thing counts as on a head or in a hand."""


def made(count: int = MADE, seed: int = 0) -> list[Scene]:
    rng = Random(seed)
    return [make_scene(rng) for _ in range(count)]


def comparison(real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[str]:
    """Yield the lines of all tables."""
    yield f"Scenes: {len(real):,} that people made, {len(ours):,} of our generator"
    yield from table(("", "people's", "ours"), _rows(real, ours))
    yield ""
    yield (
        "Categories: pieces a scene, mean and spread of x and y, share of large/medium/small, "
        "mirrored, cut off at an edge"
    )
    head = ("category", "whose", "pieces", "x", "y", "sizes", "mirrored", "cut off")
    yield from table(head, (row for name in CATEGORIES for row in _category(name, real, ours)))
    yield ""
    yield "Kinds: in how many of a hundred scenes"
    yield from table(("kind", "people's", "ours") * 2, _kinds(real, ours))


def _rows(real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[Row]:
    facts: dict[str, Callable[[Sequence[Scene]], str]] = {
        "pieces a scene": lambda found: f"{mean(map(len, found)):.2f}",
        "  6 / 7 / 8 / 9 and more": lambda found: " / ".join(_percent(n, found) for n in _sizes(found)),
        "Mike and Jenny both": lambda found: _percent(len(list(_couples(found))), found),
        "  of one size": lambda found: _share(a.size == b.size for a, b in _couples(found)),
        "  left one faces right": lambda found: _share(not a.flip for a, _ in _couples(found)),
        "  right one faces left": lambda found: _share(b.flip for _, b in _couples(found)),
        "hats and glasses on a head": lambda found: _share(
            _near(p, s, _head) for s, p in _all(found, "clothing")
        ),
        "food in a hand": lambda found: _share(_near(p, s, _hands) for s, p in _all(found, "food")),
        "boxes of two pieces that meet, a scene": lambda found: f"{mean(map(meetings, found)):.2f}",
        "pieces half hidden behind another": lambda found: f"{100 * mean(map(hidden, found)):.1f} %",
        "scenes with two equal coordinates": lambda found: _share(map(ties, found)),
    }
    return ((name, fact(real), fact(ours)) for name, fact in facts.items())


def _sizes(found: Sequence[Scene]) -> list[int]:
    counts = [min(len(scene), 9) for scene in found]
    return [counts.count(n) for n in (6, 7, 8, 9)]


def _category(name: str, real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[Row]:
    for whose, found in (("people's", real), ("ours", ours)):
        pieces = [piece for _, piece in _all(found, name)]
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
            _share(p.flip for p in pieces),
            _share(map(cut_off, pieces)),
        )


def _kinds(real: Sequence[Scene], ours: Sequence[Scene]) -> Iterator[Row]:
    """Lay out the kinds in two columns."""
    rows = [
        (kind, *(f"{100 * mean(kind in s.by_kind for s in found):.1f}" for found in (real, ours)))
        for kind in KINDS
    ]
    half = len(rows) // 2
    return ((*one, *other) for one, other in zip(rows[:half], rows[half:], strict=True))


def _all(found: Iterable[Scene], category: str) -> Iterator[tuple[Scene, Piece]]:
    return ((scene, piece) for scene in found for piece in scene.pieces if piece.category == category)


def _couples(found: Iterable[Scene]) -> Iterator[tuple[Piece, Piece]]:
    """Yield Mike and Jenny of each scene with both, from left to right."""
    for scene in found:
        pair = [piece for kind in PEOPLE if (piece := scene.get(kind))]
        if len(pair) == 2:
            left, right = sorted(pair, key=lambda piece: piece.x)
            yield left, right


def _head(person: Piece) -> list[tuple[float, float]]:
    """Return the middle of the face and the place of a hat."""
    pose = FIGURES[person.kind][person.pose or 0]
    x, y = pose.head[0] - pose.size[0] / 2, pose.head[1] - pose.size[1] / 2
    return [at(person, (x, y + lift)) for lift in (5, -30)]


def _hands(person: Piece) -> list[tuple[float, float]]:
    pose = FIGURES[person.kind][person.pose or 0]
    return [at(person, (x - pose.size[0] / 2, y - pose.size[1] / 2)) for *_, (x, y) in pose.arms]


def _near(piece: Piece, scene: Scene, where: Callable[[Piece], list[tuple[float, float]]]) -> bool:
    people = [person for kind in PEOPLE if (person := scene.get(kind))]
    return any(abs(piece.x - x) + abs(piece.y - y) < NEAR for person in people for x, y in where(person))


def cut_off(piece: Piece) -> bool:
    left, top, right, bottom = box(piece)
    return left < 0 or top < 0 or right > WIDTH or bottom > HEIGHT


def meetings(scene: Scene) -> int:
    return sum(shared(one, other) > 0 for one, other in combinations(map(box, scene.pieces), 2))


def hidden(scene: Scene) -> float:
    """Return the share of pieces of which another one in front covers half the box."""
    return mean(share > 0.5 for share in covers(scene)) if scene.pieces else 0.0


def ties(scene: Scene) -> bool:
    return len({p.x for p in scene.pieces}) < len(scene) or len({p.y for p in scene.pieces}) < len(scene)


def _share(of: Iterable[bool]) -> str:
    found = list(of)
    return f"{100 * mean(found):.0f} %" if found else "-"


def _percent(count: int, found: Sequence[Scene]) -> str:
    return f"{100 * count / max(1, len(found)):.0f} %"
