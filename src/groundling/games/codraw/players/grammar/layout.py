"""The layout of all pieces: a robust fit in which cues that contradict the others lose weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, pi, sqrt

from msgspec import Struct

from groundling.boards.clipart.poses import PERSON_POSES
from groundling.boards.scene import CATEGORY, HEIGHT, SCALES, WIDTH, Piece
from groundling.games.codraw.players.grammar import priors
from groundling.games.codraw.players.grammar.cue_offsets import TRUST, find_cue_offset
from groundling.games.codraw.players.grammar.facts import Fact
from groundling.games.codraw.players.grammar.position_cues import Cue, collect_position_cues
from groundling.games.codraw.scene_generation.priors import HEADS, KIND_PRIORS
from groundling.games.codraw.scene_generation.scene_builder import CanvasPoint, built_piece_extent

_PATIENCE = (9.0, 9.0, 9.0, 5.0, 5.0, 3.0, 3.0, 2.0, 2.0, 1.5, 1.0, 1.0, 1.0)
"""Tolerances of the passes: at first all cues count, later those that fit badly lose weight."""
_LENGTH = {"x": WIDTH, "y": HEIGHT}
_ANYWHERE = 450.0
"""The range in pixels of a piece whose cue is about something else."""
_WORN, _HELD, _STRING = 5.0, 25.0, 50.0
"""Standard deviations in pixels on a head, in a hand, and at the end of a string."""


class CuePull(Struct, gc=False):
    """A cue as a force that pulls a piece to a position or to a distance from another piece."""

    kind: str
    anchor: str
    aim: float
    spread: float
    trust: float
    weight: float = 0.0

    def position_error(self, at: Mapping[str, float]) -> float:
        return at[self.kind] - self.aim - (at[self.anchor] if self.anchor else 0.0)


def lay_out_pieces(
    pieces: Mapping[str, Piece], facts: Mapping[str, Sequence[Fact]]
) -> dict[str, tuple[float, float]]:
    """Return the middle of every piece. Only kind, size, flip and pose of the given pieces matter."""
    cues = collect_position_cues(facts)
    xs, ys = (_solve_axis(axis, pieces, cues) for axis in ("x", "y"))
    return {kind: (xs[kind], ys[kind]) for kind in pieces}


def _solve_axis(
    axis: str, pieces: Mapping[str, Piece], cues: Mapping[str, Sequence[Cue]]
) -> dict[str, float]:
    """Move every piece in turn to the balance of its pulls, in several passes."""
    pulls = [
        pull
        for kind in pieces
        for cue in cues[kind]
        if cue.axis == axis and (pull := _cue_to_pull(cue, pieces[kind], pieces))
    ]
    at_first = {
        kind: priors.prior_across() if axis == "x" else priors.prior_height(piece)
        for kind, piece in pieces.items()
    }
    at = {kind: value for kind, (value, _) in at_first.items()}
    mine = {kind: [pull for pull in pulls if pull.kind == kind] for kind in pieces}
    # Carried pieces follow their holders, never the other way round.
    carried = {kind for kind in pieces if any(cue.anchor and _is_carried(cue) for cue in cues[kind])}
    others = {
        kind: [pull for pull in pulls if pull.anchor == kind and pull.kind not in carried] for kind in pieces
    }
    kinds = list(pieces)
    for patience in _PATIENCE:
        for kind in (*kinds, *reversed(kinds)):
            value, spread = at_first[kind]
            weight = 1 / spread**2
            total = value * weight
            for pull in mine[kind]:
                total += pull.weight * (pull.aim + (at[pull.anchor] if pull.anchor else 0.0))
                weight += pull.weight
            for pull in others[kind]:
                total += pull.weight * (at[pull.kind] - pull.aim)
                weight += pull.weight
            at[kind] = total / weight
        for pull in pulls:
            pull.weight = _cue_belief(pull, pull.position_error(at), patience) / pull.spread**2
    return at


def _cue_belief(pull: CuePull, miss: float, patience: float) -> float:
    """Return the probability that the cue is about this piece, given its distance from the aim."""
    spread = pull.spread * patience
    right = pull.trust * exp(-((miss / spread) ** 2) / 2) / (spread * sqrt(2 * pi))
    return right / (right + (1 - pull.trust) / _ANYWHERE)


def _is_carried(cue: Cue) -> bool:
    return cue.name.startswith(("held", "worn"))


def _half_extent(piece: Piece, axis: str) -> float:
    return built_piece_extent(piece)[axis == "y"] / 2


def _cue_to_pull(cue: Cue, piece: Piece, pieces: Mapping[str, Piece]) -> CuePull | None:
    """Convert a cue to a pull; None if its anchor is missing or it tells nothing."""
    anchor = pieces.get(cue.anchor)
    if cue.anchor and anchor is None:
        return None
    if anchor is not None and _is_carried(cue):
        aim, spread, trust = _carried_target(cue, piece, anchor)
    elif found := find_cue_offset(cue, piece.kind):
        aim = found.resolve_offset(
            _half_extent(piece, cue.axis), _half_extent(anchor, cue.axis) if anchor else 0.0, cue.amount
        )
        spread, trust = found.spread, TRUST
        if anchor is not None:
            aim *= cue.sign or 1
        elif cue.sign > 0:
            aim = _LENGTH[cue.axis] - aim
    else:
        return None
    return CuePull(piece.kind, cue.anchor, aim, spread, trust, trust / spread**2)


def _carried_target(cue: Cue, piece: Piece, holder: Piece) -> tuple[float, float, float]:
    offset = KIND_PRIORS[piece.kind].offset if piece.kind in KIND_PRIORS else (0, 0)
    spread = (
        _WORN if CATEGORY[piece.kind] == "clothing" else _STRING if piece.kind in priors.ON_STRINGS else _HELD
    )
    worn = cue.name.startswith("worn")
    spot = _body_point(holder, worn, cue.name.split()[-1])
    trust = 0.99 if worn else 0.9
    if cue.axis == "y":
        return spot[1] * SCALES[holder.size] + offset[1] * SCALES[piece.size], spread, trust
    across, aside = (-spot[0] if holder.flip else spot[0]), (-offset[0] if piece.flip else offset[0])
    return across * SCALES[holder.size] + aside * SCALES[piece.size], spread, trust


def _body_point(holder: Piece, worn: bool, hand: str) -> CanvasPoint:
    """Return the head or a hand from the holder's middle, full size, not mirrored; "left" is the viewer's."""
    if holder.kind not in PERSON_POSES:
        return HEADS.get(holder.kind, (0, -20)) if worn else (0, 0)
    pose = PERSON_POSES[holder.kind][holder.pose or 0]
    points = [pose.head] if worn else [arm[-1] for arm in pose.arms]
    hands = [(x - pose.size[0] / 2, y - pose.size[1] / 2) for x, y in points]
    if hand not in ("left", "right"):
        return hands[0]
    first = min if (hand == "left") != holder.flip else max
    return first(hands, key=lambda point: point[0])
