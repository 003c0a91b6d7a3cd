"""Where everything goes: all cues together, each trusted as far as its like proved right, doubted where it stands alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from .....boards.clipart import footprint
from .....boards.clipart.poses import JENNY, MIKE
from .....boards.scene import CATEGORY, HEIGHT, SCALES, WIDTH, Piece
from .cues import Cue, all_cues, group
from . import usual
from ...scenery.lore import USUAL
from .meaning import meaning
from .reader import Fact

_PATIENCE = (9.0, 9.0, 9.0, 5.0, 5.0, 3.0, 3.0, 2.0, 2.0, 1.5, 1.0, 1.0, 1.0)
"""At first all cues are believed; then those that fit badly are doubted more and more."""
_FIGURES = {"Mike": MIKE, "Jenny": JENNY}
_LENGTH = {"x": WIDTH, "y": HEIGHT}


def place(pieces: Mapping[str, Piece], facts: Mapping[str, Sequence[Fact]]) -> dict[str, tuple[float, float]]:
    """The middle of every piece. Of the pieces given, only kind, size, flip and pose count."""
    found = all_cues(facts)
    xs = _solve("x", pieces, found)
    ys = _solve("y", pieces, found)
    return {kind: (xs[kind], ys[kind]) for kind in pieces}


def _half(piece: Piece, axis: str) -> float:
    size = footprint(piece.kind, piece.pose or 0)
    return size[axis == "y"] * SCALES[piece.size] / 2


def _solve(axis: str, pieces: Mapping[str, Piece], found: Mapping[str, Sequence[Cue]]) -> dict[str, float]:
    """Every cue pulls at one piece, or at two against each other."""
    pulls: list[tuple[str, str, float, float, float]] = []
    for kind, piece in pieces.items():
        for cue in found[kind]:
            if cue.axis == axis and (not cue.anchor or cue.anchor in pieces):
                pull = _pull(cue, piece, pieces.get(cue.anchor))
                if pull is not None:
                    pulls.append((kind, cue.anchor, *pull))
    carried = {kind for kind, said in found.items() if any(cue.name.split()[0] in ("held", "worn") and cue.anchor for cue in said)}
    usual = {kind: _usual(axis, piece) for kind, piece in pieces.items()}
    at = {kind: value for kind, (value, _) in usual.items()}
    weights = [trust / spread**2 for *_, spread, trust in pulls]
    order = [*pieces, *reversed(pieces)]
    for patience in _PATIENCE:
        for kind in order:
            value, spread = usual[kind]
            total, weight = value / spread**2, 1 / spread**2
            for (mine, anchor, aim, spread_, trust_), trust in zip(pulls, weights, strict=True):
                stiff = mine in carried
                if mine == kind:
                    total += trust * (aim + (at[anchor] if anchor else 0.0))
                    weight += trust
                elif anchor == kind and not stiff:
                    total += trust * (at[mine] - aim)
                    weight += trust
            at[kind] = total / weight
        for number, (mine, anchor, aim, spread, trust) in enumerate(pulls):
            miss = (at[mine] - aim - (at[anchor] if anchor else 0.0)) / (spread * patience)
            right = trust * exp(-miss * miss / 2) / (spread * patience * 2.5066)
            weights[number] = right / (right + (1 - trust) / 450) / spread**2
    return at


def _usual(axis: str, piece: Piece) -> tuple[float, float]:
    return usual.across() if axis == "x" else usual.height(piece)


def _pull(cue: Cue, piece: Piece, anchor: Piece | None) -> tuple[float, float, float] | None:
    """Where to, and give or take what; from the anchor, if there is one."""
    if anchor is not None and cue.name.split()[0] in ("held", "worn"):
        return _carried(cue, piece, anchor)
    found = meaning(cue, piece.kind)
    if found is None:
        return None
    value = found.place(_half(piece, cue.axis), _half(anchor, cue.axis) if anchor else 0.0, cue.amount)
    if anchor is not None:
        return value * (cue.sign or 1), found.spread, found.trust
    return (_LENGTH[cue.axis] - value if cue.sign > 0 else value), found.spread, found.trust


def _carried(cue: Cue, piece: Piece, holder: Piece) -> tuple[float, float, float]:
    dx, dy = USUAL[piece.kind].offset if piece.kind in USUAL else (0, 0)
    spread = 5 if CATEGORY[piece.kind] == "clothing" else 50 if piece.kind in ("kite", "balloons") else 25
    hx, hy = spot(holder, piece.kind, cue.name.split()[-1])
    scale, own = SCALES[holder.size], SCALES[piece.size]
    across, down = hx * scale, hy * scale + dy * own
    across = (-across if holder.flip else across) + (-dx if piece.flip else dx) * own
    return (across if cue.axis == "x" else down), spread, 1.0 if cue.name.startswith("worn") else 0.9


_HEADS = {"bear": (10, -78), "dog": (34, -24), "cat": (12, -18), "owl": (0, -10), "duck": (14, -20)}
_PAWS = {"bear": ((-70, -40), (60, -40))}


def spot(holder: Piece, kind: str, hand: str) -> tuple[float, float]:
    """Where a head or a hand is, from the holder's middle, at full size and not mirrored. "Left" is the looker's left."""
    worn = CATEGORY[kind] == "clothing"
    if holder.kind not in _FIGURES:
        if worn:
            return _HEADS.get(holder.kind, (0, -20))
        return _chosen([*_PAWS.get(holder.kind, ((0, 0),))], hand, holder.flip)
    pose = _FIGURES[holder.kind][holder.pose or 0]
    middle = pose.size[0] / 2, pose.size[1] / 2
    if worn:
        return pose.head[0] - middle[0], pose.head[1] - middle[1]
    return _chosen([(arm[-1][0] - middle[0], arm[-1][1] - middle[1]) for arm in pose.arms], hand, holder.flip)


def _chosen(hands: Sequence[tuple[float, float]], hand: str, flipped: bool) -> tuple[float, float]:
    if len(hands) == 1:
        return hands[0]
    if hand in ("left", "right"):
        first = min if (hand == "left") != flipped else max
        return first(hands, key=lambda point: point[0])
    return hands[0]
