import asyncio
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.director.small import book, sample_of, shelf_of
from tests.helpers import Says

from groundling.core.check import check_game
from groundling.core.events import Transcript
from groundling.core.pack import find
from groundling.core.replay import replay_transcript
from groundling.core.table import play
from groundling.core.values import Illegal, Say
from groundling.games.director.rules import (
    DirectorGame,
    DirectorSettings,
    DirectorView,
    ParticipantView,
    Pick,
    Sample,
    hide,
)

# The leftmost book is hidden, the next one is meant.
shelf = shelf_of("[b] g B", " m  . .")
sample = sample_of(shelf, book(), "the leftmost book from your point of view", "the leftmost book")
classic, inventory = DirectorGame(DirectorSettings()), DirectorGame(DirectorSettings("inventory"))
two = DirectorGame(DirectorSettings("two-player"))


def played(
    game: DirectorGame, *, director: list[str] | None = None, participant: list[str], **options: Any
) -> Transcript:
    async def go() -> Transcript:
        players = {"participant": Says(*participant)} | ({"director": Says(*director)} if director else {})
        ticks = count()
        events = play(game, sample, players, seed=0, clock=lambda: float(next(ticks)), **options)
        return Transcript(tuple([event async for event in events]))

    return asyncio.run(go())


def score(transcript: Transcript) -> float | None:
    return transcript.result.score if transcript.result else None


@pytest.mark.parametrize(
    "settings",
    [DirectorSettings("classic"), DirectorSettings("inventory"), DirectorSettings("two-player", 2)],
)
def test_every_mode_keeps_the_laws(settings: DirectorSettings) -> None:
    assert check_game(find("director"), settings=settings, instances=8, texts=30) == []


def test_in_the_classic_task_only_the_participant_sits_down() -> None:
    assert classic.seats(sample) == inventory.seats(sample) == ("participant",)
    assert two.seats(sample) == ("director", "participant")
    view = classic.view(classic.start(sample), "participant")
    assert isinstance(view, ParticipantView)
    assert view.said[0].text == "Please pick the leftmost book from your point of view."
    assert view.shelf == shelf, "the participant sees into every cell"


def test_what_the_director_cannot_see_is_not_what_it_means() -> None:
    assert score(played(classic, participant=["B1"])) == 1
    assert score(played(classic, participant=["A1"])) == 0
    assert score(played(classic, participant=["I think it is b1"])) == 1
    assert score(played(classic, participant=["I think it is b1"], strict=True)) is None


def test_with_nobody_behind_the_shelf_every_cell_counts() -> None:
    view = inventory.view(inventory.start(sample), "participant")
    assert isinstance(view, ParticipantView)
    assert view.alone
    assert view.said[0].text == "Which cell holds the leftmost book?"
    assert score(played(inventory, participant=["A1"])) == 1
    assert score(played(inventory, participant=["B1"])) == 0


def test_a_reply_that_is_not_clear_may_be_corrected() -> None:
    transcript = played(classic, participant=["A1 or B1", "B1"])
    assert score(transcript) == 1
    assert played(classic, participant=["A1 or B1"]).status == "aborted"
    assert played(classic, participant=["D9", "E1"]).status == "aborted"


def test_a_real_director_sees_the_target_and_not_what_is_hidden() -> None:
    view = two.view(two.start(sample), "director")
    assert isinstance(view, DirectorView)
    assert view.target == "B1"
    assert "A1" not in view.shelf.items
    assert view.shelf.hidden == {"A1"}
    assert view.said == ()


def test_the_participant_may_ask_back_once() -> None:
    transcript = played(
        two, director=["Say: the book", "the green one"], participant=["Say: which one?", "B1"]
    )
    assert score(transcript) == 1
    state = replay_transcript(two, transcript)
    assert [(line.role, line.text) for line in state.said] == [
        ("director", "the book"),
        ("participant", "which one?"),
        ("director", "the green one"),
    ]
    refused = played(two, director=["the book"], participant=["which one?", "and now?", "B1"])
    assert score(refused) == 1, "the second question is refused, then it picks"
    assert any(
        getattr(event, "complaint", "") == "there is nothing more to ask: answer with one cell"
        for event in refused.events
    )


def test_without_questions_the_participant_must_pick() -> None:
    game = DirectorGame(DirectorSettings("two-player", questions=0))
    assert played(game, director=["Say: the book"], participant=["Say: which?"]).status == "aborted"


def test_a_question_and_a_cell_in_one_are_refused() -> None:
    state = two.play(two.start(sample), "director", Say("the book"))
    with pytest.raises(Illegal, match="not both"):
        two.read(state, "participant", "Is it C1?")
    assert two.read(state, "participant", "Is it the green one?").moves == (Say("Is it the green one?"),)
    assert two.read(state, "participant", "Say: is it C1?", strict=True).moves == (Say("is it C1?"),)
    with pytest.raises(Illegal):
        two.read(state, "participant", "Is it the green one?", strict=True)
    assert classic.read(classic.start(sample), "participant", "C1?").moves == (Pick("C1"),)


def test_nobody_moves_out_of_turn() -> None:
    with pytest.raises(Illegal, match="then the participant"):
        two.play(two.start(sample), "participant", Pick("B1"))
    with pytest.raises(Illegal, match="then the participant"):
        two.play(two.start(sample), "director", Pick("B1"))
    with pytest.raises(Illegal, match="nothing more to ask"):
        classic.play(classic.start(sample), "participant", Say("what?"))


def test_a_sample_must_make_sense() -> None:
    with pytest.raises(ValueError, match="something that the director sees"):
        msgspec.structs.replace(sample, target="A1")
    with pytest.raises(ValueError, match="rivals are hidden"):
        msgspec.structs.replace(sample, rivals=("B1",))


def test_what_is_hidden_from_a_seat_can_be_changed_without_its_noticing() -> None:
    rng = Random(1)
    for role in ("director", "participant"):
        other = hide(sample, role, rng)
        assert other is not None
        assert other != sample
        assert two.view(two.start(other), role) == two.view(two.start(sample), role)
    alone = sample_of(shelf_of("b ."), book(None), "the book")
    assert hide(alone, "participant", rng) is None, "there is nothing else that could be meant"
    assert hide(alone, "director", rng) is None, "nothing is hidden"


def test_a_sample_survives_its_file() -> None:
    assert msgspec.json.decode(msgspec.json.encode(sample), type=Sample) == sample
