"""A reply that is not the player's own, such as a filtered one, is refused unread."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from groundling.core.consistency import find_contradiction
from groundling.core.events import Closed, Moved, Refused, Replied, Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Reply
from groundling.core.table import play
from groundling.players.replay_player import replay_seat_replies

pack = find("reference")


class Blocked:
    """Its first answer is blocked, although it could be read; the second is not."""

    name = "blocked"

    async def act(self, ask: Ask) -> Reply:
        return Reply(text="Answer: first", blocked=None if ask.past else "say it in other words")


@pytest.fixture
def transcript() -> Transcript:
    game, instance = pack.new(), load(pack.builtin)()[0]
    gold = load(pack.players["gold"])(Seat(pack, game, "giver", "gold", instances=[instance]))

    async def go() -> Transcript:
        players = {"giver": gold, "follower": Blocked()}
        return Transcript(
            tuple([event async for event in play(game, instance, players, seed=0, clock=lambda: 0.0)])
        )

    return asyncio.run(go())


def test_it_is_refused_and_the_player_is_asked_again(transcript: Transcript) -> None:
    assert [type(event) for event in transcript.events[3:]] == [Replied, Refused, Replied, Moved, Closed]
    assert find_contradiction(pack.new(), transcript) is None


def test_a_replay_refuses_it_too(transcript: Transcript) -> None:
    first, second = replay_seat_replies(transcript, "follower", silent=False)
    assert (first.blocked, second.blocked) == ("say it in other words", None)


def test_a_log_that_plays_it_contradicts_itself(transcript: Transcript) -> None:
    events = list(transcript.events)
    assert isinstance(events[3], Replied)
    events[3] = msgspec.structs.replace(events[3], tolerant=None)
    wrong = find_contradiction(pack.new(), Transcript(tuple(events)))
    assert wrong is not None
    assert wrong.message == "follower's reply was blocked, but not refused"
