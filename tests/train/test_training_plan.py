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
