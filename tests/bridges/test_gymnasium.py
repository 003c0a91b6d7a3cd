"""One seat of a game as an environment of Gymnasium."""

from __future__ import annotations

import asyncio
import warnings
from pathlib import Path

import pytest
from gymnasium import error
from gymnasium.utils.env_checker import check_env

from groundling.bridges.gymnasium import env
from groundling.core.values import Problem
from groundling.runs.run import open_run


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("reference", {"giver": "gold"}),
        ("reference", {"follower": "rule"}),
        ("image", {"giver": "rule"}),
        ("hexagons", {"instructor": "narrator"}),
        ("codraw", {"teller": "template"}),
        ("director", {}),
        ("examples/treasure.py", {"giver": "gold"}),
    ],
)
def test_gymnasium_s_own_checks_pass(game: str, seats: dict[str, str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env(game, seats=seats), skip_render_check=True)


def test_a_partner_s_words_are_in_the_observation_and_the_right_choice_is_rewarded(tmp_path: Path) -> None:
    played = env("reference", seats={"giver": "gold"}, log=tmp_path / "run")
    for seed in range(5):
        seen, info = played.reset(seed=seed)
        assert "Your partner's description: Row" in seen["text"]
        assert info["action_mask"].tolist() == [1, 1, 1]
        right = played.stepper.replay.opened.instance.answer - 1
        _, reward, terminated, truncated, told = played.step((right + (seed == 0)) % 3)
        assert (reward, terminated, truncated) == (float(seed > 0), True, False)
        assert told["score"] == reward
    played.close()
    seats = {tuple(one.opened.seats.values()) for one in open_run(tmp_path / "run").read_transcripts()}
    assert seats == {("gold", "agent")}


def test_it_works_where_an_event_loop_is_running() -> None:
    async def play() -> str:
        played = env("reference", seats={"giver": "gold"})
        return str(played.reset(seed=0)[0]["text"])

    assert "Row" in asyncio.run(play())


def test_a_partner_that_fails_ends_the_episode_without_a_score(tmp_path: Path) -> None:
    script = tmp_path / "words.txt"
    script.write_text("Instruction: row 1 has A in column 1\n", encoding="utf-8")
    played = env("image", seats={"giver": f"script:{script}"})
    played.reset(seed=0)
    _, reward, terminated, truncated, told = played.step(played.action_space.sample())
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert told["ending"].startswith("giver could not answer (script)")
    assert "score" not in told


def test_wrong_use_raises_errors_of_gymnasium() -> None:
    played = env("reference", seats={"giver": "gold"})
    with pytest.raises(error.ResetNeeded):
        played.step(0)
    played.reset(seed=0)
    with pytest.raises(error.InvalidAction):
        played.step("first")
    played.step(0)
    with pytest.raises(error.ResetNeeded):
        played.step(0)
    with pytest.raises(Problem, match="one free seat, not giver and follower"):
        env("reference")
    with pytest.raises(Problem, match="one free seat, not none"):
        env("reference", seats={"giver": "gold", "follower": "rule"})
