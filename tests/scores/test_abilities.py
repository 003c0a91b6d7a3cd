"""Abilities of givers and followers: what is estimated, and how often intervals hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.scores.simulated_tournaments import (
    CHANCE,
    INSTANCES,
    LEVEL,
    WORDS,
    SimulatedTournament,
    simulate_tournament,
)

from groundling.core.values import Problem
from groundling.scores.abilities import AbilityFit, PairScores, check_connected_pairs, fit_abilities
from groundling.scores.ability_agreement import agree_abilities
from groundling.scores.mixed_check import check_mixed_model


def scored(pairs: dict[tuple[str, str], list[float]], chance: float | None = None) -> PairScores:
    """Scores of each pair on the same instances."""
    rows = [
        (giver, follower, f"i{at}", score)
        for (giver, follower), scores in pairs.items()
        for at, score in enumerate(scores)
    ]
    givers, followers, clusters, values = (list(column) for column in zip(*rows, strict=True))
    chances = None if chance is None else [chance] * len(rows)
    own = np.array([giver == follower for giver, follower, *_ in rows])
    return PairScores(givers, followers, clusters, values, chances, self_play=own, low=0.0, high=1.0)


def test_graded_effects_are_those_of_the_additive_model() -> None:
    level, givers, followers = 0.5, {"a": 0.1, "b": -0.1}, {"x": 0.2, "y": 0.0, "z": -0.2}
    played = scored(
        {
            (giver, follower): [level + one + other + noise for noise in (-0.05, 0.0, 0.05)]
            for giver, one in givers.items()
            for follower, other in followers.items()
        }
    )
    fit = fit_abilities(played)
    assert {one.name: round(one.ability, 6) for one in fit.giver.players} == givers
    assert {one.name: round(one.ability, 6) for one in fit.follower.players} == followers
    assert [round(one.score, 6) for one in fit.giver.players] == [0.6, 0.4]


def test_a_missing_pair_does_not_change_graded_effects() -> None:
    pairs = {
        (giver, follower): [one + other, one + other + 0.1]
        for giver, one in {"a": 0.3, "b": 0.1}.items()
        for follower, other in {"x": 0.2, "y": 0.0}.items()
    }
    whole = fit_abilities(scored(pairs))
    del pairs["b", "y"]
    part = fit_abilities(scored(pairs))
    for one, other in zip(whole.giver.players, part.giver.players, strict=True):
        assert math.isclose(one.ability, other.ability, abs_tol=1e-6)


def test_self_play_is_no_part_of_abilities() -> None:
    pairs = {(one, other): [0.2, 0.4, 0.6] for one in "abc" for other in "abc"}
    for name in "abc":
        pairs[name, name] = [1.0, 1.0, 1.0]
    fit = fit_abilities(scored(pairs))
    assert {round(one.score, 6) for one in fit.giver.players} == {0.4}


def test_a_player_at_the_chance_level_scores_chance() -> None:
    wins, guesses = [1.0] * 29 + [0.0], [1.0, 0.0, 0.0] * 10
    pairs = {("good", "x"): wins, ("good", "y"): wins, ("deaf", "x"): guesses, ("deaf", "y"): guesses}
    good, deaf = sorted(fit_abilities(scored(pairs, 1 / 3)).giver.players, key=lambda one: -one.score)
    assert good.name == "good"
    assert abs(deaf.score - 1 / 3) < 0.06  # the penalty is worth an observation
    assert deaf.high < good.low


def test_a_player_that_wins_all_has_a_finite_ability_and_no_upper_bound() -> None:
    pairs = {
        ("a", "x"): [1.0] * 30,
        ("a", "y"): [1.0] * 30,
        ("b", "x"): [1.0, 0.0] * 15,
        ("b", "y"): [0.0, 1.0] * 15,
    }
    first = next(one for one in fit_abilities(scored(pairs, 0.0)).giver.players if one.name == "a")
    assert math.isfinite(first.ability)
    assert (first.high, first.score_high) == (math.inf, 1.0)
    assert math.isclose(first.score_low, 0.025 ** (1 / 30))


def test_pairs_without_shared_partners_are_refused() -> None:
    with pytest.raises(Problem, match=r"not connected \(a → b; b → a; self-play does not count\)"):
        check_connected_pairs([("a", "b"), ("b", "a")])
    with pytest.raises(Problem, match="nothing to rank"):
        check_connected_pairs([("a", "b")])
    check_connected_pairs([("a", "x"), ("b", "y"), ("c", "z"), ("a", "y"), ("b", "z")])


def held(found: AbilityFit, true: SimulatedTournament, what: str) -> list[bool]:
    result = []
    for seat, abilities, scores in zip(
        (found.giver, found.follower), true.abilities, true.scores, strict=True
    ):
        for one, ability, score in zip(seat.players, abilities, scores, strict=True):
            low, high, truth = {
                "ability": (one.low, one.high, ability),
                "score": (one.score_low, one.score_high, score),
            }[what]
            result.append(low <= truth <= high)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("choice", [True, False])
def test_intervals_hold_true_abilities_about_as_often_as_stated(choice: bool) -> None:
    """8 givers, 8 followers, 60 instances."""
    rng, inside = np.random.default_rng(1), {"ability": list[bool](), "score": list[bool]()}
    for number in range(80):
        true = simulate_tournament(rng, choice=choice)
        found = fit_abilities(true.played, seed=number)
        for what, hits in inside.items():
            hits += held(found, true, what)
    shares = {what: float(np.mean(hits)) for what, hits in inside.items()}
    print("choice" if choice else "graded", shares)
    assert 0.93 <= shares["ability"] <= 0.97
    assert 0.91 <= shares["score"] <= 0.985  # scores of one tournament share its level


@pytest.mark.slow
def test_intervals_with_new_partners_hold_the_score_over_all_possible_partners() -> None:
    """Followers, and how each giver suits each of them, are random too."""
    rng, givers, inside = np.random.default_rng(8), np.linspace(-1, 1, 8), list[bool]()
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    spread = math.sqrt(INSTANCES**2 + WORDS**2 + 0.7**2 + 0.5**2) * points
    link = CHANCE + (1 - CHANCE) / (1 + np.exp(-(LEVEL + givers[:, None] + spread)))
    true = link @ (weights / weights.sum())
    for number in range(60):
        partners, special = rng.normal(0, 0.7, 8), rng.normal(0, 0.5, (8, 8))
        played = simulate_tournament(rng, choice=True, followers=partners, special=special).played
        players = fit_abilities(played, seed=number).giver.players
        inside += [
            one.partners_low <= score <= one.partners_high for one, score in zip(players, true, strict=True)
        ]
    print(f"with new partners: {np.mean(inside):.3f}")
    assert np.mean(inside) >= 0.9


def test_the_interval_with_new_partners_is_wider_where_partners_differ() -> None:
    rng = np.random.default_rng(4)
    special = rng.normal(0, 1.5, (8, 8))
    players = fit_abilities(simulate_tournament(rng, choice=True, special=special).played).giver.players
    wider = [one.partners_high - one.partners_low > one.score_high - one.score_low for one in players]
    assert all(wider)


def test_the_same_seed_gives_the_same_intervals() -> None:
    played = simulate_tournament(np.random.default_rng(2), choice=True, instances=10).played
    one, other = (fit_abilities(played, seed=3, resamples=99).giver.players for _ in range(2))
    assert one == other


def test_a_linear_mixed_model_finds_the_same_differences() -> None:
    pytest.importorskip("statsmodels")
    played = simulate_tournament(
        np.random.default_rng(5),
        choice=False,
        givers=np.linspace(-1, 1, 4),
        followers=np.linspace(-1, 1, 4),
        instances=20,
    ).played
    for check in check_mixed_model(played, fit_abilities(played)):
        ours, other = check.errors
        assert check.farthest < 0.02
        assert 0.7 < ours / other < 1.4


def test_abilities_of_two_games_agree_better_without_their_noise() -> None:
    rng, ability = np.random.default_rng(6), np.linspace(-0.4, 0.4, 12)
    one, other = (
        fit_abilities(
            simulate_tournament(rng, choice=True, givers=ability, followers=np.zeros(12), instances=20).played
        ).giver
        for _ in range(2)
    )
    found = agree_abilities(one, other)
    assert found is not None
    assert found.correlation < found.disattenuated <= 1
    assert all(0 < share < 1 for share in found.reliabilities)
    assert found.low < found.disattenuated


def test_games_that_share_few_players_are_not_compared() -> None:
    played = simulate_tournament(
        np.random.default_rng(7), choice=False, givers=np.zeros(3), instances=6
    ).played
    fit = fit_abilities(played, resamples=99)
    assert agree_abilities(fit.giver, fit.giver) is None


def test_expected_scores_stay_on_the_scale_although_the_model_is_additive() -> None:
    clusters = [str(number) for number in range(20)]
    means = {("good", "good"): 1.0, ("good", "bad"): 0.1, ("bad", "good"): 0.1, ("worse", "bad"): 0.0}
    rows = [(*pair, cluster, mean) for pair, mean in means.items() for cluster in clusters]
    givers, followers, names, scores = (list(column) for column in zip(*rows, strict=True))
    fit = fit_abilities(PairScores(givers, followers, names, scores, low=0.0, high=1.0), resamples=200)
    for player in [*fit.giver.players, *fit.follower.players]:
        assert 0 <= player.score_low <= player.score_high <= 1
        assert 0 <= player.score <= 1
