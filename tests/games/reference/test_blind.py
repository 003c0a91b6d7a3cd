"""Players that ignore what is said show what a set gives away."""

from pathlib import Path

import pytest

from groundling.core.pack import find, load
from groundling.runs.session import new_plan, prepare_session


@pytest.mark.parametrize(("follower", "least", "most"), [("fullest", 1.0, 1.0), ("random", 0.0, 0.7)])
def test_the_fullest_grid_is_the_target_where_distractors_only_lose_cells(
    follower: str, least: float, most: float, tmp_path: Path
) -> None:
    pack = find("reference")
    seats = {"giver": "gold", "follower": follower}
    plan = new_plan(
        pack, load(pack.builtin)(), None, settings=pack.new().settings, source="built in", seats=seats
    )
    session = prepare_session(pack, plan, tmp_path)
    session.play_missing(4)
    score = session.read_summary().score
    assert score is not None
    assert least <= score <= most
