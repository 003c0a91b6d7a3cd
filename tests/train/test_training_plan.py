"""The learning rate over the steps of a training."""

from __future__ import annotations

from groundling.train.training_plan import TrainingPlan


def test_a_second_part_rises_to_half_the_peak_and_falls() -> None:
    plan = TrainingPlan(steps=150, restart=100, warmup=10)
    shares = [plan.rate_share_at(step) for step in range(150)]
    assert max(shares) == shares[9] == shares[10] == 1
    assert shares[99] < 0.01
    assert max(shares[100:]) == shares[109] == 0.5
    assert shares[149] < 0.01


def test_without_a_second_part_it_falls_to_the_end() -> None:
    shares = [TrainingPlan(steps=100).rate_share_at(step) for step in range(100)]
    assert shares == sorted(shares, reverse=True)


def test_where_time_counts_the_rate_falls_with_it_after_the_warm_up() -> None:
    plan = TrainingPlan(seconds=60, warmup=10, steps=1)
    assert [plan.rate_share_after(step, 30) for step in (0, 4)] == [0.1, 0.5]
    shares = [plan.rate_share_after(100, seconds) for seconds in (0, 15, 30, 45, 60, 99)]
    assert shares == sorted(shares, reverse=True)
    assert (shares[0], shares[2], shares[-1]) == (1, 0.5, 0)
    assert [plan.share_done(10**6, seconds) for seconds in (0, 30, 60, 99)] == [0, 0.5, 1, 1]
    assert plan.rate_share_after(100, 60) == 0
    assert TrainingPlan(seconds=60, falling=False).rate_share_after(100, 45) == 1
