from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from tests.runs.test_shards import timeless_events

from groundling.cli.main import main

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra ray is not installed"),
]
PLAY = ["play", "reference", "--seat", "giver=gold", "--seat", "follower=random", "--limit", "12"]


def test_actors_play_the_episodes_of_one_process(tmp_path: Path) -> None:
    import ray

    assert main([*PLAY, "-o", str(tmp_path / "one")]) == 0
    try:
        assert main([*PLAY, "-o", str(tmp_path / "ray"), "--workers", "ray?workers=2"]) == 0
    finally:
        ray.shutdown()
    assert timeless_events(tmp_path / "ray") == timeless_events(tmp_path / "one")


def test_a_cluster_that_is_not_there_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*PLAY, "-o", str(tmp_path / "run"), "--workers", "ray://127.0.0.1:9"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("groundling: no Ray cluster could be reached at ray://127.0.0.1:9")
    assert told.count("\n") == 1
