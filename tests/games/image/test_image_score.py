import asyncio
from typing import Any

import pytest
from tests.helpers import Says

from groundling.boards.letter_grid import Grid
from groundling.core.events import Transcript
from groundling.core.table import play
from groundling.games.image.rules import ImageGame, ImageSettings, Picture
from groundling.games.image.score import score

game = ImageGame(ImageSettings())
picture = Picture(id="p", target=Grid("XX./.../..X"), par=30)
EMPTY = "▢ ▢ ▢\n▢ ▢ ▢\n▢ ▢ ▢"


def played(said: list[str], drawn: list[str], **options: Any) -> Transcript:
    async def go() -> Transcript:
        players = {"giver": Says(*said), "follower": Says(*drawn)}
        return Transcript(
            tuple([e async for e in play(game, picture, players, seed=0, clock=lambda: 0.0, **options)])
        )

    return asyncio.run(go())


SAID = ["put X in the top left", "X next to it", "DONE"]
DRAWN = ["X ▢ ▢\n▢ ▢ ▢\n▢ ▢ ▢", "X X ▢\n▢ Y ▢\n▢ ▢ ▢"]


def test_every_turn_is_scored_by_the_canvas_at_that_turn() -> None:
    turns = score(game, played(SAID, DRAWN)).turns
    assert [turn["precision"] for turn in turns] == [1, pytest.approx(2 / 3)]
    assert [turn["recall"] for turn in turns] == [pytest.approx(1 / 3), pytest.approx(2 / 3)]
    assert [turn["f1"] for turn in turns] == [pytest.approx(0.5), pytest.approx(2 / 3)]
    assert [turn["changed"] for turn in turns] == [1, 2]
    assert [turn["characters"] for turn in turns] == [21, 12]


def test_the_episode_is_scored_by_the_last_canvas_and_by_means_over_turns() -> None:
    episode = score(game, played(SAID, DRAWN)).episode
    assert episode["f1"] == pytest.approx(2 / 3)
    assert (episode["turns"], episode["changed"], episode["rising"]) == (2, 1.5, 1)
    assert (episode["characters"], episode["tokens"]) == (16.5, 5)
    assert episode["efficiency"] is None, "what was not drawn right was not said well"


def test_efficiency_is_par_over_what_was_said() -> None:
    episode = score(game, played(["twenty characters it", "DONE"], ["X X ▢\n▢ ▢ ▢\n▢ ▢ X"])).episode
    assert episode["efficiency"] == pytest.approx(30 / 20)


def test_a_wrong_letter_is_neither_right_nor_recalled() -> None:
    episode = score(game, played(["x", "DONE"], ["Y Y ▢\n▢ ▢ ▢\n▢ ▢ Y"])).episode
    assert (episode["precision"], episode["recall"], episode["f1"]) == (0, 0, 0)


def test_erasing_everything_loses_what_was_there() -> None:
    scores = score(game, played(["x", "y", "DONE"], [DRAWN[0], EMPTY]))
    assert (scores.episode["f1"], scores.episode["rising"]) == (0, 0.5)


def test_done_at_once_has_no_turns_and_recalls_nothing() -> None:
    scores = score(game, played(["DONE"], [EMPTY]))
    assert (scores.episode["recall"], scores.episode["turns"], scores.episode["changed"]) == (0, 0, None)
    assert scores.turns == ()


def test_an_aborted_game_counts_nothing_but_keeps_its_turns() -> None:
    scores = score(game, played(SAID, [DRAWN[0], "no", "no"]))
    assert (scores.episode["f1"], scores.episode["turns"], len(scores.turns)) == (0, 2, 1)
