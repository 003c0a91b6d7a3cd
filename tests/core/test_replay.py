"""Folding events gives back what the table had."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.broken import (
    GUESSER,
    TELLER,
    Acting,
    Chance,
    Guess,
    GuesserView,
    Secret,
    State,
    TellerView,
    good,
)

from groundling.core.events import Moved, Refused, Replied, Transcript
from groundling.core.player import Ask, Player, Reply, Turn
from groundling.core.replay import EpisodeReplay, replay_events, replay_transcript
from groundling.core.table import play
from groundling.core.values import Illegal, Say

game = good.new()
secret = Secret(id="one", number=5)


def episode(players: dict[str, Player], seed: int = 0) -> Transcript:
    async def collect() -> tuple[Any, ...]:
        clock = map(float, count()).__next__
        return tuple([e async for e in play(game, secret, players, seed=seed, clock=clock)])

    return Transcript(asyncio.run(collect()))


def mumbling(ask: Ask) -> Reply:
    """Is refused once on every turn."""
    if ask.complaint is None:
        return Reply(text="")
    return Reply(moves=(Say("hm"),) if ask.role == TELLER else (Guess(1),))


def refused_often() -> Transcript:
    return episode({TELLER: Acting(mumbling), GUESSER: Acting(mumbling)})


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_a_replayed_episode_gives_its_result(seed: int) -> None:
    transcript = episode({TELLER: Chance(), GUESSER: Chance()}, seed)
    assert game.result(replay_transcript(game, transcript)) == transcript.result


def test_a_replay_follows_the_moves_and_nothing_else() -> None:
    transcript = refused_often()
    assert replay_transcript(game, transcript) == State(secret, ("hm", 1, "hm", 1))
    moves = tuple(event for event in transcript.events if not isinstance(event, Replied | Refused))
    assert replay_transcript(game, Transcript(moves)) == replay_transcript(game, transcript)


def test_each_event_comes_with_the_state_after_it() -> None:
    transcript = refused_often()
    heard = [len(replay.state.heard) for _, replay in replay_events(game, transcript)]
    assert heard == sorted(heard)
    for event, replay in replay_events(game, transcript):
        assert replay.over == (event is transcript.events[-1])
        assert (replay.pending is event) == isinstance(event, Replied)
        assert replay.complaint == (event.complaint if isinstance(event, Refused) else replay.complaint)


def test_the_past_of_a_seat_holds_its_views_replies_and_complaints() -> None:
    *_, (_, replay) = replay_events(game, refused_often())
    first, second, *_ = replay.past[GUESSER]
    assert first.view == second.view == GuesserView(9, ("hm",))
    assert (first.text, second.text) == ("", "Guess: 1")
    assert first.complaint
    assert second.complaint is None
    assert len(replay.past[TELLER]) == len(replay.past[GUESSER]) == 4


def test_moves_without_a_reply_are_remembered_as_they_would_be_written() -> None:
    replay = EpisodeReplay(game, refused_often().opened)
    replay.take_event(Moved(episode="one", at=0, role=TELLER, moves=(Say("five"),)))
    assert replay.past == {TELLER: (Turn(TellerView(5, 9, ()), "Say: five"),)}


def test_refusals_are_counted_in_a_row() -> None:
    counts = [replay.refusals for _, replay in replay_events(game, refused_often())]
    assert max(counts) == 1
    assert counts[-1] == 0


def test_moves_that_the_game_refuses_leave_the_state_alone() -> None:
    replay = EpisodeReplay(game, refused_often().opened)
    before = replay.state
    for role, moves in ((GUESSER, (Guess(1),)), (TELLER, (Guess(1),)), (TELLER, (Say("a"), Say("b")))):
        with pytest.raises(Illegal):
            replay.state_after(role, moves)
    assert replay.state is before


def test_a_move_out_of_turn_is_told_so() -> None:
    replay = EpisodeReplay(game, refused_often().opened)
    with pytest.raises(Illegal, match="it is not your turn"):
        replay.state_after(GUESSER, (Guess(1),))
