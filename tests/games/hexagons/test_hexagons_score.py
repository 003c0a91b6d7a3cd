"""From transcripts to numbers: steps with a gold board one by one, else the last board."""

from __future__ import annotations

import asyncio
from itertools import count
from random import Random

import pytest

from groundling.boards.hexes import Board
from groundling.core.events import Closed, Transcript
from groundling.core.pack import Scores
from groundling.core.player import Ask, Reply
from groundling.core.table import play
from groundling.core.values import Say
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import HexagonsMove, InstructionsDone, Next, PaintTile
from groundling.games.hexagons.recorded import recorded_image
from groundling.games.hexagons.rules import HexagonsGame, HexagonsSettings
from groundling.games.hexagons.score import chance, cluster, score, top

from .small import PLAIN, RECORDED, image, recorded


class Plays:
    """Makes these moves, reply by reply."""

    def __init__(self, *replies: tuple[HexagonsMove, ...] | str) -> None:
        self.name, self.replies = "plays", replies

    async def act(self, ask: Ask) -> Reply:
        reply = self.replies[len(ask.past)]
        return Reply(text=reply) if isinstance(reply, str) else Reply(moves=reply)


def scored(
    game: HexagonsGame,
    instance: HexagonsImage,
    said: list[tuple[HexagonsMove, ...] | str],
    done: list[tuple[HexagonsMove, ...] | str],
) -> tuple[Scores, Transcript]:
    seats = dict(zip(("instructor", "executor"), (Plays(*said), Plays(*done)), strict=True))
    players = {role: seats[role] for role in game.seats(instance)}
    ticks = map(float, count())

    async def all_of_it() -> Transcript:
        return Transcript(
            tuple(
                [e async for e in play(game, instance, players, seed=0, clock=lambda: next(ticks), retries=0)]
            )
        )

    transcript = asyncio.run(all_of_it())
    return score(game, transcript), transcript


WORDS: list[tuple[HexagonsMove, ...] | str] = [
    *((Say(step.spoken_text),) for step in RECORDED.steps),
    (InstructionsDone(),),
]


def right(number: int) -> tuple[HexagonsMove, ...]:
    return (*(PaintTile(*change) for change in RECORDED.step_changes(number)), Next())


def test_each_recorded_step_is_scored_by_what_was_painted_in_it() -> None:
    half = (*right(0)[:2], PaintTile(9, 9, "blue"), Next())
    found, _ = scored(
        HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [half, (Next(),), right(2), right(3)]
    )
    assert [turn["f1"] for turn in found.turns] == pytest.approx([2 * 2 / (5 + 3), 1, 1, 1])
    assert [turn["exact"] for turn in found.turns] == [0, 1, 1, 1]
    assert found.episode["f1"] == pytest.approx((0.5 + 3) / 4)
    assert found.episode["exact"] == pytest.approx(3 / 4)
    assert found.turns[1]["board_f1"] == pytest.approx(0.5), "the board still has what went wrong before"
    assert found.turns[1]["action_f1"] == 1
    assert found.episode["steps"] == 4


def test_painting_a_tile_in_its_own_colour_counts_as_painted_but_not_as_changed() -> None:
    again = (*right(2)[:-1], PaintTile(1, 3, "red"), Next())
    found, _ = scored(
        HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [right(0), (Next(),), again, right(3)]
    )
    assert found.turns[2]["f1"] == pytest.approx(2 * 4 / (4 + 5))
    assert found.turns[2]["action_f1"] == 1


def test_an_episode_weighs_as_much_as_it_has_recorded_steps() -> None:
    found, _ = scored(HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [right(n) for n in range(4)])
    assert found.weight == 4
    live, _ = scored(HexagonsGame(HexagonsSettings()), PLAIN, [(InstructionsDone(),)], [])
    assert live.weight == 1


def test_where_the_episode_is_aborted_what_was_done_counts_and_the_rest_does_not() -> None:
    found, transcript = scored(HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [right(0), "I give up."])
    assert isinstance(transcript.events[-1], Closed)
    assert transcript.status == "aborted"
    assert found.episode["f1"] == pytest.approx(1 / 4), "the second step changes nothing, and was not reached"
    assert len(found.turns) == 4
    cut = score(HexagonsGame(HexagonsSettings()), Transcript(transcript.events[:-3]))
    assert len(cut.turns) == 1, "while it goes on, only what was carried out has a score"


def test_without_gold_steps_an_aborted_game_has_won_nothing() -> None:
    paints = (PaintTile(1, 3, "red"), Next())
    found, transcript = scored(HexagonsGame(HexagonsSettings()), PLAIN, [(Say("one"),), ""], [paints])
    assert transcript.status == "aborted"
    assert found.episode["f1"] == 0
    assert found.turns[0]["f1"] == pytest.approx(2 / 10)


def test_a_whole_procedure_is_scored_by_the_last_board() -> None:
    game = HexagonsGame(HexagonsSettings(whole=True))
    found, _ = scored(game, RECORDED, WORDS, [(*right(0)[:-1], Next())])
    assert found.episode["f1"] == pytest.approx(2 * 4 / (5 + 8))
    assert found.weight == 1


def test_describing_is_finished_or_not() -> None:
    game = HexagonsGame(HexagonsSettings(mode="describe"))
    found, _ = scored(game, PLAIN, [(Say("one"),), (Say("two"),), (InstructionsDone(),)], [])
    assert found.episode["f1"] == 1
    assert found.episode["steps"] == 2
    assert found.episode["exact"] is None


def test_scores_can_be_broken_down_by_what_is_known_of_images_and_steps() -> None:
    found, _ = scored(HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [right(n) for n in range(4)])
    assert found.facets == {"category": "bounded iteration", "round": "1"}
    assert [facets["level"] for facets in found.turn_facets] == ["1", "2", "2", "0"]
    assert [facets["length"] for facets in found.turn_facets] == ["1 to 10", "1 to 10", "11 to 20", "1 to 10"]


def test_chance_is_what_an_idle_executor_gets() -> None:
    assert chance(RECORDED) == 1 / 4
    assert chance(PLAIN) == 0
    assert chance(HexagonsImage(id="blank", target=Board.empty())) == 1
    found, _ = scored(HexagonsGame(HexagonsSettings()), RECORDED, WORDS, [(Next(),)] * 4)
    assert found.episode["f1"] == chance(RECORDED)
    assert top(RECORDED) == 1


def test_images_with_the_same_target_are_one_cluster() -> None:
    one, other = image(Random(1), "one"), image(Random(1), "other")
    assert cluster(one) == cluster(other) != cluster(image(Random(2), "one"))
    assert cluster(recorded(one)) == cluster(one)


def test_what_an_author_wrote_and_carried_out_is_gold_for_others() -> None:
    align = HexagonsGame(HexagonsSettings(mode="align"))
    paints = tuple(PaintTile(*tile, colour) for tile, colour in PLAIN.target.painted_tiles().items())
    _, transcript = scored(
        align,
        PLAIN,
        [(Say("first"), Say("second"), InstructionsDone()), (*paints[:4], Next()), (*paints[4:], Next())],
        [],
    )
    found = recorded_image(transcript)
    assert [step.text for step in found.steps] == ["first", "second"]
    assert found.steps[-1].board == found.target
    again, _ = scored(
        HexagonsGame(HexagonsSettings()),
        found,
        [(Say("first"),), (Say("second"),), (InstructionsDone(),)],
        [(*paints[:4], Next()), (Next(),)],
    )
    assert again.episode["f1"] == pytest.approx(1 / 2)
    with pytest.raises(ValueError, match="no gold in it"):
        recorded_image(Transcript(transcript.events[:-1]))
