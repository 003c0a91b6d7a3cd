"""Games as environments of PettingZoo: its own tests, and ours for what those do not see."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium import error, spaces
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from groundling.bridges.pettingzoo import env, raw_env
from groundling.core.pack import find, load
from groundling.core.replay import replay_transcript
from groundling.core.values import Problem
from groundling.runs.run import open_run
from groundling.runs.scoring import score_run
from groundling.runs.verify import verify_run

TREASURE = "examples/treasure.py"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("reference", {}),
    ("image", {}),
    ("hexagons", {}),
    ("codraw", {}),
    ("director", {"mode": "two-player"}),
    ("director", {"mode": "classic"}),
    (TREASURE, {}),
]


def few(game: str) -> list[Any]:
    found = load(find(game).builtin)()
    return list(found[:6])


@pytest.mark.parametrize(("game", "settings"), GAMES)
@pytest.mark.parametrize("reward", ["score", "change"])
def test_pettingzoo_s_own_tests_pass(game: str, settings: dict[str, Any], reward: str) -> None:
    def make() -> OrderEnforcingWrapper:
        return env(game, instances=few(game), reward=reward, render_mode="ansi", **settings)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it expects arrays only, and agents called player_0
        api_test(make(), num_cycles=5)
        seed_test(make, num_cycles=5)


def play_sampled(played: OrderEnforcingWrapper, seed: int, legal: dict[str, str] | None = None) -> float:
    """Play an episode with sampled actions, or with these texts. Return the rewards of the first agent."""
    played.reset(seed=seed)
    first, total = played.agents[0], 0.0
    for number, agent in enumerate(played.agents):
        played.action_space(agent).seed(seed + number)
    for agent in played.agent_iter():
        _, reward, terminated, truncated, info = played.last()
        total += reward if agent == first else 0.0
        if terminated or truncated:
            played.step(None)
        elif legal and isinstance(played.action_space(agent), spaces.Text):
            played.step(legal[agent])
        else:
            played.step(played.action_space(agent).sample(info.get("action_mask")))
    return total


def observed(game: str, settings: dict[str, Any], instance: Any, role: str) -> Any:
    played = raw_env(game, instances=[instance], **settings)
    played.reset(seed=1)
    return played.observe(role), played.infos[role]


@pytest.mark.parametrize(("game", "settings"), GAMES)
def test_an_observation_says_nothing_of_what_is_hidden(game: str, settings: dict[str, Any]) -> None:
    pack = find(game)
    hidden = 0
    for instance in few(game):
        for role in raw_env(game, instances=[instance], **settings).possible_agents:
            other = load(pack.hide)(instance, role, Random(3))
            if other is not None:
                hidden += 1
                seen, told = observed(game, settings, instance, role)
                again, told_again = observed(game, settings, other, role)
                np.testing.assert_equal(seen, again)
                np.testing.assert_equal(told, told_again)
    assert hidden


@pytest.mark.parametrize("game", ["reference", "image", "codraw"])
def test_what_a_caller_does_to_an_observation_changes_no_other(game: str) -> None:
    played = env(game, instances=few(game)[:1])
    played.reset(seed=2)
    agent = played.agents[0]
    seen, again = played.observe(agent), played.observe(agent)
    for board in (board for name, board in seen.items() if name != "text"):
        board += 1
    played.reset(seed=2)
    np.testing.assert_equal(played.observe(agent), again)
    assert any((seen[name] != again[name]).any() for name in seen if name != "text")


def test_boards_are_arrays_and_choices_are_numbers() -> None:
    played = env("reference", instances=few("reference"))
    played.reset(seed=2)
    assert isinstance(played.action_space("giver"), spaces.Text)
    assert played.action_space("follower") == spaces.Discrete(3)
    seen = played.observe("giver")
    view = played.unwrapped.stepper.replay.view("giver")
    assert seen["target"].tolist() == [view.target - 1]
    assert (seen["grids"] > 0).sum(axis=(1, 2)).tolist() == [grid.filled_count for grid in view.grids]


def test_the_numbers_of_an_action_are_the_canvas() -> None:
    played = env("image", instances=few("image"), seats={"giver": "gold"})
    played.reset(seed=0)
    assert isinstance(played.action_space("follower"), spaces.MultiDiscrete)
    drawn = played.action_space("follower").sample()
    played.step(drawn)
    assert played.observe("follower")["grid"].flatten().tolist() == drawn.tolist()


def test_painted_tiles_are_numbers_too() -> None:
    played = env("hexagons", instances=few("hexagons"), seats={"instructor": "narrator"})
    played.reset(seed=0)
    drawn = np.zeros(180, np.int64)
    drawn[[0, 19]] = 5
    played.step(drawn)
    board = played.observe("executor")["board"]
    assert np.argwhere(board == 4).tolist() == [[0, 0], [1, 1]]
    assert (board > 0).sum() == 2


@pytest.mark.parametrize("size", [3, 7])
def test_smaller_boards_fill_a_corner_of_the_array(size: int) -> None:
    from groundling.boards.letter_grid import Grid

    small, large = few("image")[:2]
    other = replace(small, target=Grid.from_cells(size, [(1, 1)], "A"))
    played = env("image", instances=[other, large])
    played.reset(options={"instance": other.id})
    seen = played.observe("giver")["grid"]
    assert seen.shape == (max(5, size),) * 2
    assert (seen >= 0).sum() == size**2


def test_an_illegal_action_is_told_costs_its_reward_and_can_be_retried() -> None:
    played = env("reference", instances=few("reference"), illegal_reward=-0.25, acting="text")
    played.reset(seed=0)
    played.step("Expression: the first")
    played.step("no label at all")
    assert played.agent_selection == "follower"
    assert "first" in played.infos["follower"]["illegal"]
    assert "illegal" not in played.infos["giver"]
    assert played.rewards == {"giver": 0.0, "follower": -0.25}
    played.step("nor here")
    assert played.infos["giver"]["ending"] == "refused"
    assert played.terminations == {"giver": True, "follower": True}
    assert played.rewards == {"giver": 0.0, "follower": -0.25}


def test_a_number_without_a_choice_is_illegal() -> None:
    from groundling.runs.instances import make_instances

    pack = find("reference")
    recipe: Any = load(pack.recipe)
    more = make_instances(pack, recipe(n=2, seed=5, distractors=4))
    played = env("reference", instances=[*few("reference"), *more])
    assert played.action_space("follower") == spaces.Discrete(5)
    played.reset(options={"instance": few("reference")[0].id})
    played.step("Expression: this one")
    assert played.infos["follower"]["action_mask"].tolist() == [1, 1, 1, 0, 0]
    played.step(4)
    assert "illegal" in played.infos["follower"]


@pytest.mark.parametrize(("game", "partner"), [("image", "giver"), ("codraw", "teller"), (TREASURE, "giver")])
def test_changes_by_turn_add_up_to_the_score(game: str, partner: str) -> None:
    played = env(game, instances=few(game), reward="change", seats={partner: "gold"})
    for seed in range(4):
        total = play_sampled(played, seed, {"drawer": '{"say": "ok"}'})
        stepper: Any = played.unwrapped.stepper
        assert total == pytest.approx(stepper.value)


@pytest.mark.parametrize("game", ["reference", "image", TREASURE])
def test_what_was_learned_in_is_a_run(game: str, tmp_path: Path) -> None:
    played = env(game, instances=few(game), log=tmp_path / "run", name="learner")
    speaker = played.possible_agents[0]
    for seed in range(8):
        play_sampled(played, seed, {speaker: "all cells are empty" if seed else "\n\n"})
    stepper: Any = played.unwrapped.stepper
    last = stepper.replay
    played.close()
    run = open_run(tmp_path / "run")
    transcripts = list(run.read_transcripts())
    assert replay_transcript(run.make_game(), transcripts[-1]) == last.state
    table = score_run(run)
    assert table.height == 8
    assert set(table["status"]) == {"played", "aborted"}
    assert "learner" in table["players"][0]
    assert verify_run(run).findings == []
    with pytest.raises(Problem, match="already holds a run"):
        env(game, instances=few(game), log=tmp_path / "run")


def test_a_log_that_was_not_closed_can_be_scored(tmp_path: Path) -> None:
    from groundling.runs.scoring import count_scoring_statuses

    played = env("reference", instances=few("reference"), log=tmp_path / "run")
    play_sampled(played, 0, {"giver": "this"})
    played.reset()
    run = open_run(tmp_path / "run")
    assert run.read_about()["episodes"] == 0
    assert count_scoring_statuses(["played", "missing"], 0)["missing"] == 1
    played.close()
    assert [transcript.status for transcript in run.read_transcripts()] == ["played", "missing"]
    assert run.read_about()["episodes"] == 2


def test_the_same_seed_gives_the_same_episodes() -> None:
    one, other = (env("reference", seats={"giver": "gold"}) for _ in range(2))
    seen = []
    for played in (one, other):
        played.reset(seed=11)
        seen.append([played.observe("follower")["text"]])
        played.reset()
        seen[-1].append(played.observe("follower")["text"])
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


@pytest.mark.parametrize("mode", ["ansi", "svg", "png"])
def test_the_view_of_the_agent_is_rendered(mode: str) -> None:
    played = env("hexagons", instances=few("hexagons"), render_mode=mode)
    played.reset(seed=0)
    found = played.render()
    expected = {"ansi": "Target", "svg": "<svg", "png": b"\x89PNG"}[mode]
    assert found[: len(expected)] == expected


def test_wrong_use_raises_errors_of_the_frameworks() -> None:
    played = env("reference", instances=few("reference"))
    with pytest.raises(AttributeError, match="before reset"):
        _ = played.agent_selection
    played.reset(seed=0)
    with pytest.raises(error.InvalidAction, match="acts in text: 1 is not in"):
        played.step(1)  # the follower's action, out of turn
    played.step("this one")
    for wrong in ("first", 3, -1, 1.0, None):
        with pytest.raises(error.InvalidAction, match="acts in Discrete"):
            played.step(wrong)
    played.step(0)
    with pytest.raises(ValueError, match="the only valid action is None"):
        played.step(0)
    played.step(None)
    played.step(None)
    assert played.agents == []
    with pytest.raises(error.ResetNeeded, match="the episode is over"):
        played.unwrapped.step(0)
    with pytest.raises(error.UnsupportedMode, match="choose from human"):
        env("reference", render_mode="film")
    with pytest.raises(error.UnsupportedMode, match="give env"):
        played.unwrapped.render()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"sise": 3}, "no setting sise"),
        ({"reward": "points"}, "reward is 'points'"),
        ({"seats": {"judge": "gold"}}, "no seat 'judge'"),
        ({"instances": [1]}, "instances of reference"),
        ({"instances": []}, "instances of reference"),
    ],
)
def test_wrong_options_are_told_in_one_line(options: dict[str, Any], told: str) -> None:
    with pytest.raises(Problem, match=told):
        env("reference", **options)


def test_an_unknown_instance_is_told() -> None:
    played = env("reference")
    with pytest.raises(Problem, match="no instance 'x'"):
        played.reset(options={"instance": "x"})


def test_a_missing_extra_is_an_import_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "groundling.bridges.pettingzoo")
    with pytest.raises(ImportError, match=r"pip install \"groundling\[pettingzoo\]\""):
        import groundling.bridges.pettingzoo  # noqa: F401
