"""The rows that papers/hexagons/grid.py trains."""

from __future__ import annotations

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from papers.hexagons import grid

from groundling.games.hexagons.neural.situations import TRAINED


@pytest.mark.parametrize("model", grid.RECIPES)
def test_every_context_two_more_seeds_and_two_draws_of_every_share_are_trained(model: str) -> None:
    jobs = list(grid.list_rows(model))
    assert len({job.name for job in jobs}) == len(jobs)
    by_image = [job for job in jobs if job.split == "image"]
    whole = [(job.context, job.seed) for job in by_image if job.share == 1]
    assert {(context, 0) for context in TRAINED} < set(whole)
    assert {(grid.MAIN, seed) for seed in range(3)} < set(whole)
    parts = {(job.share, job.seed) for job in by_image if job.context == "full-history"}
    assert parts == {(share, draw) for share in (1.0, *grid.SHARES) for draw in (0, 1)}


@pytest.mark.parametrize("model", grid.RECIPES)
def test_smaller_shares_are_learned_from_for_about_as_many_steps(model: str) -> None:
    recipe = next(iter(grid.RECIPES[model].values()))
    small, large = (
        grid.options_of(grid.GridJob(name="row", model=model, share=share), recipe) for share in (0.25, 1.0)
    )
    assert small.epochs * small.share == large.epochs
