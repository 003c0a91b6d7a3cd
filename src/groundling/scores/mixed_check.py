"""A linear mixed model of the same scores, by statsmodels, as a check of the abilities (extra `mixed`)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from msgspec import Struct

from groundling.core.values import missing_extra
from groundling.scores.abilities import AbilityFit, PairScores, SeatFit
from groundling.scores.intervals import Floats


class MixedCheck(Struct, frozen=True):
    """How far the expected scores of a seat's players, relative to their mean, differ between the models."""

    farthest: float
    """The largest difference of two estimates."""
    errors: tuple[float, float]
    """The mean standard error here, by resampling, and in the mixed model."""


def check_mixed_model(played: PairScores, fit: AbilityFit) -> tuple[MixedCheck, MixedCheck]:
    """Fit giver and follower as fixed effects, with random effects of the cluster and, within it, of the
    giver's words."""
    try:
        from pandas import DataFrame
        from statsmodels.regression.mixed_linear_model import MixedLM
    except ImportError:
        raise missing_extra("mixed") from None
    counted = np.ones(len(played.scores), bool) if played.self_play is None else ~played.self_play
    givers, followers = np.asarray(played.givers)[counted], np.asarray(played.followers)[counted]
    design = np.hstack(
        [
            np.ones((len(givers), 1)),
            _code_players(givers, fit.giver.names),
            _code_players(followers, fit.follower.names),
        ]
    )
    names = [f"x{at}" for at in range(design.shape[1])]
    table = DataFrame(design, columns=names).assign(
        score=np.asarray(played.scores, np.float64)[counted],
        giver=givers,
        cluster=np.asarray(played.clusters)[counted],
    )
    model = MixedLM.from_formula(
        f"score ~ 0 + {' + '.join(names)}",
        table,
        groups="cluster",
        re_formula="1",
        vc_formula={"words": "0 + C(giver)"},
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a variance of 0 is at the edge of what it can be
        found = model.fit(reml=True)
    return (_compare_seat(fit.giver, found, 1), _compare_seat(fit.follower, found, len(fit.giver.names)))


def _code_players(labels: Any, names: list[str]) -> Floats:
    """Return columns of effects that add up to 0, for all players but the last."""
    last = (labels == names[-1]).astype(np.float64)
    return np.column_stack([(labels == name) - last for name in names[:-1]] or [np.empty((len(labels), 0))])


def _compare_seat(fit: SeatFit, found: Any, start: int) -> MixedCheck:
    count = len(fit.names) - 1
    at = slice(start, start + count)
    known = np.asarray(found.fe_params)[at]
    spread = np.asarray(found.cov_params())[at, at]
    other = np.append(known, -known.sum())
    widen = np.vstack([np.eye(count), -np.ones((1, count))])
    errors = np.sqrt(np.diag(widen @ spread @ widen.T))
    own = np.array([player.score for player in fit.players])
    resampled = fit.scores - fit.scores.mean(1, keepdims=True)
    ours = float(resampled.std(axis=0, ddof=1).mean())
    return MixedCheck(float(np.abs(own - own.mean() - other).max()), (ours, float(errors.mean())))
