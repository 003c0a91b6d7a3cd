"""Who can be crossed, and by what name a player is known."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from groundling.core.pack import find, load
from groundling.core.values import Problem
from groundling.runs.cross_play import cross_play_roles, cross_players
from groundling.runs.session import new_session_plan


def test_only_players_of_two_seats_can_be_crossed() -> None:
    assert cross_play_roles(find("reference")) == ("giver", "follower")
    with pytest.raises(Problem, match="only players of two seats can be crossed"):
        cross_play_roles(replace(find("reference"), roles=("giver",)))
    with pytest.raises(Problem, match="only players of two seats can be crossed"):
        cross_play_roles(replace(find("reference"), roles=("giver", "follower", "judge")))


def test_every_pair_has_its_own_folder_and_a_player_is_made_once(tmp_path: Path) -> None:
    pack = find("reference")
    plan = new_session_plan(
        pack, load(pack.builtin)(), 3, settings=pack.new().settings, source="built in", seats={}
    )
    pairs = cross_players(pack, plan, {"giver": ["gold", "random"], "follower": ["rule", "random"]}, tmp_path)
    assert [(pair.speaker, pair.listener) for pair in pairs] == [
        *(("gold", "rule"), ("gold", "random"), ("random", "rule"), ("random", "random"))
    ]
    assert len({pair.session.folder.path for pair in pairs}) == 4
    assert pairs[0].session.players["giver"] is pairs[1].session.players["giver"]
    assert pairs[0].session.players["follower"] is pairs[2].session.players["follower"]
    assert {(pair.shared, pair.known) for pair in pairs} == {(0, 0)}, "nobody has learned from anything"
