"""What the table does with replies, good and bad, and with players who fail."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, ClassVar, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from groundling.core.events import (
    AnyEvent,
    Closed,
    Failed,
    Moved,
    Opened,
    Refused,
    Replied,
    Transcript,
    encode_event_json,
)
from groundling.core.game import Game
from groundling.core.player import Ask, Reply, Turn, Unable
from groundling.core.replay import replay_transcript
from groundling.core.table import play
from groundling.core.values import Illegal, Instance, Move, Reading, Result, Settings, View


class Start(Instance, frozen=True):
    pass


class Add(Move, frozen=True):
    number: int


class Pass(Move, frozen=True):
    pass


class Sum(View, frozen=True):
    total: int


class State(Struct, frozen=True):
    total: int = 0
    turn: str = "left"


SumsMove: TypeAlias = Add | Pass


class Sums(Game[Start, State, SumsMove, Sum]):
    """Two seats add up to ten; a seat goes on until it passes."""

    name: ClassVar[str] = "sums"
    Instance = Start
    Move = SumsMove

    def seats(self, instance: Start) -> tuple[str, ...]:
        return "left", "right"

    def start(self, instance: Start) -> State:
        return State()

    def turn(self, state: State) -> str | None:
        return state.turn if state.total < 10 else None

    def view(self, state: State, role: str) -> Sum:
        return Sum(state.total)

    def read(self, state: State, role: str, text: str, *, strict: bool = False) -> Reading[SumsMove]:
        dropped = tuple(word for word in text.split() if word not in [*"123456789", "pass"])
        moves = tuple(
            Pass() if word == "pass" else Add(int(word)) for word in text.split() if word not in dropped
        )
        if not moves or (strict and dropped):
            raise Illegal("numbers only" if strict else "say a number")
        return Reading(moves, dropped)

    def write(self, moves: Sequence[SumsMove]) -> str:
        return " ".join(str(move.number) if isinstance(move, Add) else "pass" for move in moves)

    def play(self, state: State, role: str, move: SumsMove) -> State:
        if isinstance(move, Pass):
            return State(state.total, "right" if role == "left" else "left")
        if state.total + move.number > 10:
            raise Illegal(f"only {10 - state.total} to go")
        return State(state.total + move.number, state.turn)

    def result(self, state: State) -> Result | None:
        return Result(1.0) if state.total == 10 else None


class Lines:
    """Says its lines in order. Which is next it finds in the past, as every player should."""

    def __init__(self, *lines: str | Reply | Exception) -> None:
        self.name, self.lines = "lines", lines
        self.asks: list[Ask] = []

    async def act(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        line = (
            self.lines[len(ask.past)]
            if len(ask.past) < len(self.lines)
            else Unable("script", "no more lines")
        )
        if isinstance(line, Exception):
            raise line
        return Reply(text=line) if isinstance(line, str) else line


game = Sums(Settings())
instance = Start(id="one")


def sit(players: Mapping[str, Lines], so_far: Sequence[AnyEvent] = (), **options: Any) -> list[AnyEvent]:
    async def collect() -> list[AnyEvent]:
        clock = map(float, count(len(so_far))).__next__
        return [e async for e in play(game, instance, players, seed=7, clock=clock, so_far=so_far, **options)]

    return asyncio.run(collect())


def left(*lines: str | Reply | Exception, **options: Any) -> list[AnyEvent]:
    """An episode that the left seat plays alone."""
    return sit({"left": Lines(*lines), "right": Lines()}, **options)


def kinds(events: Sequence[AnyEvent]) -> str:
    return " ".join(type(event).__name__.lower() for event in events)


def out_of_time(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    return [replace(event, at=0.0) for event in events]


def test_a_finished_game_closes_with_its_result() -> None:
    events = left("4", "6")
    assert kinds(events) == "opened replied moved replied moved closed"
    assert events[-1] == Closed(episode="one", at=events[-1].at, reason="finished", result=Result(1.0))


def test_an_episode_is_called_after_its_instance_unless_it_has_a_name() -> None:
    assert {event.episode for event in left("9", "1")} == {"one"}
    assert {event.episode for event in left("9", "1", episode="one#2")} == {"one#2"}


def test_events_are_stamped_by_the_clock_that_was_handed_in() -> None:
    times = [event.at for event in left("9", "1")]
    assert times == sorted(set(times))


def test_a_refused_reply_changes_nothing_but_the_complaint() -> None:
    player = Lines("9", "9", "1")
    events = sit({"left": player, "right": Lines()})
    assert kinds(events) == "opened replied moved replied refused replied moved closed"
    before, after = player.asks[1:]
    assert after.view == before.view
    assert (before.complaint, after.complaint) == (None, "only 1 to go")
    assert [event.complaint for event in events if isinstance(event, Refused)] == ["only 1 to go"]


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_seat_is_asked_again_as_often_as_there_are_retries(retries: int) -> None:
    events = left(*["what?"] * 9, retries=retries)
    assert kinds(events) == "opened" + " replied refused" * (retries + 1) + " closed"
    assert Transcript(tuple(events)).status == "aborted"
    assert isinstance(events[-1], Closed)
    assert events[-1].reason == "refused"


def test_a_good_reply_clears_the_refusals_before_it() -> None:
    assert kinds(left("what?", "4", "what?", "6")).endswith("replied moved closed")


def test_strict_allows_no_retry_and_no_stray_word() -> None:
    events = left("I say 4", "10", strict=True, retries=5)
    assert kinds(events) == "opened replied refused closed"
    assert isinstance(events[0], Opened)
    assert (events[0].strict, events[0].retries) == (True, 0)
    assert isinstance(events[2], Refused)
    assert events[2].complaint == "numbers only"


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("4", (None, None)),
        ("I say 4", ("numbers only", None)),
        ("well", ("numbers only", "say a number")),
        ("", None),
    ],
)
def test_both_readings_of_a_text_are_kept(
    text: str, outcomes: tuple[str | None, str | None] | None, strict: bool
) -> None:
    reply = left(text, strict=strict)[1]
    assert isinstance(reply, Replied)
    assert reply.text == text
    assert (reply.strict, reply.tolerant) == (outcomes or ("numbers only", "say a number"))
    assert reply.dropped == (("I", "say") if text == "I say 4" and not strict else ())


def test_no_text_at_all_is_refused_like_an_empty_one() -> None:
    assert kinds(left(Reply(), retries=0)) == "opened replied refused closed"


def test_half_a_character_can_be_logged() -> None:
    events = left("\ud800 9", "1")
    assert b"? 9" in encode_event_json(events[1])


def test_the_moves_of_a_reply_are_played_all_or_none() -> None:
    events = left("3 4 9", "3 4 3")
    assert kinds(events) == "opened replied refused replied moved closed"
    assert replay_transcript(game, Transcript(tuple(events[:3]))) == State()
    assert events[4] == Moved(episode="one", at=events[4].at, role="left", moves=(Add(3), Add(4), Add(3)))


def test_a_reply_that_goes_past_the_end_of_the_turn_is_refused() -> None:
    events = left("3 pass 4", retries=0)
    assert isinstance(events[2], Refused)
    assert events[2].complaint == "your turn ended with part 2 of this reply"


def test_a_reply_that_goes_past_the_end_of_the_game_is_refused() -> None:
    events = left("5 5 1", retries=0)
    assert isinstance(events[2], Refused)
    assert events[2].complaint == "your turn ended with part 2 of this reply"


def test_moves_ready_made_leave_what_their_text_leaves() -> None:
    written, ready = left("3 4", "3"), left(Reply(moves=(Add(3), Add(4))), Reply(moves=(Add(3),)))
    assert written == ready


def test_an_illegal_move_ready_made_is_refused() -> None:
    events = left(Reply(moves=(Add(11),)), retries=0)
    assert kinds(events) == "opened replied refused closed"


def test_what_a_player_reports_of_its_reply_is_kept() -> None:
    reply = left(Reply(text="9", seconds=1.5, usage={"tokens": 3}, detail={"why": ["so"]}), "1")[1]
    assert isinstance(reply, Replied)
    assert (reply.seconds, reply.usage, reply.detail) == (1.5, {"tokens": 3}, {"why": ["so"]})


def test_a_failing_player_stops_the_episode_which_can_be_resumed() -> None:
    events = left("4", Unable("timeout", "no answer in 60 s"))
    assert kinds(events) == "opened replied moved failed"
    assert events[-1] == Failed(
        episode="one", at=events[-1].at, role="left", boundary="timeout", message="no answer in 60 s"
    )
    assert Transcript(tuple(events)).status == "errored"
    rest = left("4", "6", so_far=events)
    assert kinds(rest) == "replied moved closed"
    assert Transcript((*events, *rest)).status == "played"


def test_what_is_not_a_failure_of_the_player_fails_loudly() -> None:
    with pytest.raises(ZeroDivisionError):
        left(ZeroDivisionError())


def test_a_player_is_handed_its_own_past_and_no_other() -> None:
    ours, theirs = Lines("nothing", "4 pass", "4"), Lines("2 pass", "1")
    events = sit({"left": ours, "right": theirs})
    assert kinds(events).endswith("closed")
    assert ours.asks[1].past == (Turn(Sum(0), "nothing", "say a number"),)
    assert ours.asks[2].past == (*ours.asks[1].past, Turn(Sum(0), "4 pass"))
    assert [ask.complaint for ask in ours.asks] == [None, "say a number", None]
    assert [(ask.role, ask.view, ask.past) for ask in theirs.asks] == [("right", Sum(4), ())]


def test_every_ask_has_its_own_seed_and_keeps_it_when_resumed() -> None:
    player = Lines("1", "2", "?", "3", "4")
    events = sit({"left": player, "right": Lines()})
    seeds = [ask.seed for ask in player.asks]
    assert len(set(seeds)) == len(seeds) == 5
    for cut in range(1, len(events) + 1):
        again = Lines("1", "2", "?", "3", "4")
        sit({"left": again, "right": Lines()}, so_far=events[:cut])
        asked = sum(isinstance(event, Replied) for event in events[:cut])
        assert [ask.seed for ask in again.asks] == seeds[asked:]


def test_nothing_happens_after_the_end() -> None:
    events = left("4", "6")
    assert left("4", "6", so_far=events) == []
    given_up = left(*["?"] * 2, retries=1)
    assert left("4", "6", so_far=given_up) == []


@pytest.mark.parametrize("seats", [(), ("left",), ("left", "right", "third"), ("left", "wrong")])
def test_players_for_the_wrong_seats_are_an_error(seats: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="sums seats left, right; got players for"):
        sit({role: Lines() for role in seats})


words = st.sampled_from([*"123456789", "pass", "well", "10"])
lines = st.lists(st.lists(words, max_size=4).map(" ".join), max_size=6)


@settings(deadline=None)
@given(lines, lines, st.integers(0, 3), st.booleans(), st.data())
def test_an_episode_cut_anywhere_continues_as_it_did(
    ours: list[str], theirs: list[str], retries: int, strict: bool, data: st.DataObject
) -> None:
    players = {"left": Lines(*ours), "right": Lines(*theirs)}
    events = sit(players, retries=retries, strict=strict)
    assert isinstance(events[-1], Closed | Failed)
    cut = data.draw(st.integers(1, len(events)))
    rest = sit(players, so_far=events[:cut])
    expected = events[cut:] or ([events[-1]] if isinstance(events[-1], Failed) else [])
    assert out_of_time(rest) == out_of_time(expected)


@settings(deadline=None)
@given(st.lists(words, min_size=1, max_size=6).map(" ".join))
def test_a_reply_leaves_the_state_of_all_its_moves_or_of_none(text: str) -> None:
    events = left(text, retries=0)
    state = replay_transcript(game, Transcript(tuple(events)))
    moved = [event for event in events if isinstance(event, Moved)]
    assert (state == State()) == (not moved)
    if moved:
        assert state.total == sum(move.number for move in moved[0].moves if isinstance(move, Add))
