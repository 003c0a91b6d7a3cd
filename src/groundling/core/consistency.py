"""Checks that a transcript follows from its own replies: order, moves, readings and result."""

from __future__ import annotations

from math import isclose
from typing import Any

import msgspec
from msgspec import Struct

from groundling import __version__
from groundling.core.events import AnyEvent, Closed, Failed, Moved, Opened, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.replay import EpisodeReplay
from groundling.core.table import Referee
from groundling.core.values import Illegal, Problem, Result

ENDINGS = ("finished", "refused")
"""The reasons that follow from the rules. Others, such as a time limit, come from outside the game."""


class Contradiction(Struct, frozen=True):
    """The first event of an episode that cannot follow from those before it."""

    number: int
    """Its place in the transcript, from 0."""
    message: str


class _Mismatch(Exception):  # noqa: N818 - it is a verdict on a log
    pass


def find_contradiction(game: AnyGame, transcript: Transcript) -> Contradiction | None:
    """Replay an episode and return its first contradiction. Only texts of this version are read again."""
    checker = None
    try:
        checker = _EpisodeChecker(game, transcript)
        for event in transcript.events[1:]:
            checker.check_event(event)
        checker.check_reading()
    except (_Mismatch, Problem) as trouble:
        return Contradiction(checker.number if checker else 0, str(trouble))
    except Exception as trouble:  # a changed instance can make the rules of a game raise anything
        told = f"the rules fail here ({type(trouble).__name__}: {trouble})"
        return Contradiction(checker.number if checker else 0, told)
    return None


class _EpisodeChecker:
    def __init__(self, game: AnyGame, transcript: Transcript) -> None:
        self.game, self.opened = game, transcript.opened
        _check_opened(game, self.opened)
        self.replay = EpisodeReplay(game, self.opened)
        self._rereads = self.opened.version == __version__
        self._has_replies = any(type(event) is Replied for event in transcript.events)
        self._moves: tuple[Any, ...] | None = None
        """What the pending reply is read as today; None if it was not read again or cannot be read."""
        self.number = 0
        """The place of the event that is being checked."""

    def check_event(self, event: AnyEvent) -> None:
        replay = self.replay
        reply = replay.pending
        if reply is not None:
            self.check_reading(event)
        self.number += 1
        if event.episode != self.opened.episode:
            raise _Mismatch(f"this event belongs to episode {event.episode}")
        if replay.over:
            raise _Mismatch(f"{_describe(event)} comes after the episode was closed")
        if type(event) is Closed and event.reason not in ENDINGS and event.result is None:
            pass  # it was ended from outside the game
        elif reply is not None:
            self._check_verdict(reply, event)
        else:
            self._check_next(event)
        replay.take_event(event)

    def check_reading(self, verdict: AnyEvent | None = None) -> None:
        """Check that the pending reply is read today as it was. Most replies are written as the game itself
        writes the moves that followed: strict reading gives just these, so they need not be read again."""
        reply, self._moves = self.replay.pending, None
        if reply is None or not (self._rereads or reply.blocked):
            return
        if reply.blocked:
            if reply.strict is None or reply.tolerant is None:
                raise _Mismatch(f"{reply.role}'s reply was blocked, but not refused")
        elif type(verdict) is Moved and reply.strict is None and self._is_own_writing(reply, verdict):
            self._moves = verdict.moves
        else:
            self._read_again(reply)

    def _is_own_writing(self, reply: Replied, verdict: Moved[Any]) -> bool:
        try:
            self.replay.state_after(reply.role, verdict.moves)  # `write` need only know what can be played
            return self.game.write(verdict.moves) == reply.text
        except Illegal:
            return False

    def _check_next(self, event: AnyEvent) -> None:
        """Check an event that follows while no reply is pending."""
        replay = self.replay
        turn = replay.awaited_role
        if turn is None:
            expected = Referee(replay, clock=_no_time).next_event()
            assert isinstance(expected, Closed)
            if not isinstance(event, Closed):
                why = "the game is over" if expected.result else "the limit of refusals is reached"
                raise _Mismatch(f"{_describe(event)} where {why}")
            if event.reason != expected.reason or not _are_equal(event.result, expected.result):
                raise _Mismatch(f"{_describe(event)}, but the moves give {_describe(expected)}")
            return
        if type(event) is Replied or type(event) is Failed:
            if event.role != turn:
                raise _Mismatch(f"{_describe(event)} where it is {turn}'s turn")
        elif isinstance(event, Closed):
            raise _Mismatch(f"{_describe(event)} where it is {turn}'s turn")
        elif self._has_replies or not isinstance(event, Moved):  # recorded games may have moves alone
            raise _Mismatch(f"{_describe(event)} without a reply before it")

    def _check_verdict(self, reply: Replied, event: AnyEvent) -> None:
        """Check that the pending reply was played or refused as it was read."""
        if type(event) is not Moved and type(event) is not Refused:
            raise _Mismatch(f"{_describe(event)} where {reply.role}'s reply was neither played nor refused")
        if event.role != reply.role:
            raise _Mismatch(f"{_describe(event)} after a reply of {reply.role}")
        complaint = reply.strict if self.opened.strict else reply.tolerant
        if type(event) is Refused:
            if complaint is None and self._is_playable():
                raise _Mismatch(f"{event.role}'s reply was refused, but it can be read and played")
            if complaint is not None and event.complaint != complaint:
                raise _Mismatch(f"{event.role}'s reply was refused with another complaint than its reading")
        elif complaint is not None:
            raise _Mismatch(f"{event.role}'s reply was played, but it could not be read")
        elif self._moves is not None and self._moves != event.moves:
            raise _Mismatch(f"the moves of {event.role} are not those of the reply before them")

    def _is_playable(self) -> bool:
        if self._moves is None:
            return False
        try:
            self.replay.state_after(self.replay.pending.role, self._moves)  # type: ignore[union-attr]
        except Illegal:
            return False
        return True

    def _read_again(self, reply: Replied) -> None:
        """Check that both readings still say whether the text can be read. Where strict reading succeeds,
        tolerant reading agrees, so that most texts are read once."""
        strict = self._try_reading(reply, strict=True)
        tolerant = strict or self._try_reading(reply, strict=False)
        self._moves = strict if self.opened.strict else tolerant
        for name, logged, moves in (
            ("strictly", reply.strict, strict),
            ("tolerantly", reply.tolerant, tolerant),
        ):
            if (logged is None) != (moves is not None) and not self._is_illegal_move_list(reply):
                now = "it cannot be read" if moves is None else "it can be read"
                raise _Mismatch(f"the reading of {reply.role}'s reply was changed: {name} {now}")

    def _try_reading(self, reply: Replied, *, strict: bool) -> tuple[Any, ...] | None:
        try:
            return self.game.read(self.replay.state, reply.role, reply.text, strict=strict).moves
        except Illegal:
            return None

    def _is_illegal_move_list(self, reply: Replied) -> bool:
        """Whether a player gave moves that cannot be played: these are logged as JSON, not as a text."""
        try:
            moves = msgspec.json.decode(reply.text, type=tuple[self.game.Move, ...])  # type: ignore[name-defined]
            self.replay.state_after(reply.role, moves)
        except msgspec.MsgspecError:
            return False
        except Illegal as verdict:
            return reply.strict == reply.tolerant == str(verdict)
        return False


def _no_time() -> float:
    return 0.0


def _check_opened(game: AnyGame, opened: Opened[Any, Any]) -> None:
    if opened.game != game.name:
        raise _Mismatch(f"this is an episode of {opened.game}, in a run of {game.name}")
    if opened.settings != game.settings:
        raise _Mismatch("it was opened with other settings than the run")
    seats = game.seats(opened.instance)
    if set(opened.seats) != set(seats):
        raise _Mismatch(f"its seats are {', '.join(opened.seats)}, but {game.name} has {', '.join(seats)}")


def _are_equal(one: Result | None, other: Result | None) -> bool:
    """Compare results. Another machine may have computed the logged one, so the last digits can differ."""
    if one is None or other is None:
        return one is other
    return isclose(one.score, other.score, rel_tol=1e-9, abs_tol=1e-9)


def _describe(event: AnyEvent) -> str:
    match event:
        case Opened():
            return "the episode is opened again"
        case Replied():
            return f"a reply of {event.role}"
        case Moved():
            return f"a move of {event.role}"
        case Refused():
            return f"a refusal of {event.role}"
        case Failed():
            return f"a failure of {event.role}"
        case Closed():
            end = "without a result" if event.result is None else f"with score {event.result.score:g}"
            return f'"{event.reason}" {end}'
