"""The runs of a tournament are found by their folders."""

from pathlib import Path

import pytest
from tests.helpers import session

from groundling.core.values import Problem
from groundling.runs.session import control_sessions
from groundling.runs.tournament_folder import TournamentPair, pair_folder, read_pairs


def test_pairs_are_read_with_their_controls_and_self_play_is_marked(tmp_path: Path) -> None:
    runs = {
        follower: session(pair_folder(tmp_path, "reference", "gold", follower), limit=2)
        for follower in ("random", "gold")
    }
    for one in runs.values():
        one.play_missing(2)
    for control in control_sessions(runs["random"]):
        control.play_missing(2)
    paths = {name: one.folder.path for name, one in runs.items()}
    assert read_pairs(tmp_path) == [
        TournamentPair("reference", "gold", "gold", paths["gold"], True),
        TournamentPair("reference", "gold", "random", paths["random"], False),
        TournamentPair("reference", "gold", "random", paths["random"] / "silent", False, "silent"),
        TournamentPair("reference", "gold", "random", paths["random"] / "shuffled", False, "shuffled"),
    ]


def test_a_folder_without_pairs_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="no runs of a tournament"):
        read_pairs(tmp_path)
