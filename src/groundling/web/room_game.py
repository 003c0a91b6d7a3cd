"""The game of a room: its events, the players who make them, and their records."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import msgspec

from groundling.core.events import (
    AnyEvent,
    Closed,
    Failed,
    Opened,
    Transcript,
    encode_event_json,
    event_decoder,
)
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load
from groundling.core.player import Player
from groundling.core.replay import EpisodeReplay
from groundling.core.table import continue_episode, open_episode
from groundling.core.values import Illegal, Role, Say
from groundling.players.human import HumanPlayer, MoveSubmission
from groundling.web.room_attendance import RoomAttendance, read_room_notes
from groundling.web.room_ending import find_seat_endings
from groundling.web.room_players import FarewellPlayer, PacedPlayer, TimedPlayer, YieldingPlayer
from groundling.web.room_records import RoomRecorder
from groundling.web.store import Booking, RoomNote, RoomRecord, Store, erased_roles

RETRIES = 3
"""Further attempts of a player after a refused reply."""


class RoomGame(ABC):
    def __init__(
        self,
        booking: Booking,
        pack: Pack,
        store: Store,
        records: Sequence[RoomRecord],
        clock: Callable[[], float],
        machine: Callable[[Role], Player],
    ) -> None:
        """`machine` makes the player of a seat without a person."""
        kind = load(pack.game)
        self.booking, self.pack, self._clock, self._machine = booking, pack, clock, machine
        self.game: AnyGame = pack.new(msgspec.json.decode(booking.settings, type=kind.Settings))
        self.instance = msgspec.json.decode(booking.instance, type=kind.Instance)
        self.events: list[AnyEvent] = []
        self.replay: EpisodeReplay | None = None
        self.attendance = RoomAttendance(booking, read_room_notes(records))
        self.away: set[Role] = set(self.attendance.person_roles)
        """People without an open page, or who have not agreed yet."""
        self.erased = bool(erased_roles(records))
        self.over = self.erased or bool(self.attendance.closed)
        self.recorder = RoomRecorder(store, booking.id, len(records))
        self._humans = {role: HumanPlayer(self._make_checker(role)) for role in self.attendance.person_roles}
        self._yielding: dict[Role, YieldingPlayer] = {}
        self._task: asyncio.Task[None] | None = None
        read_event = event_decoder(kind).decode
        for record in records:
            if record.kind == "event" and not self.erased:
                self._apply_event(read_event(record.body))

    @abstractmethod
    def update_pages(self) -> None:
        """Show what is new. Called whenever records were saved."""

    # Records

    def _apply_event(self, event: AnyEvent) -> None:
        if self.replay is None:
            assert isinstance(event, Opened)
            self.replay = EpisodeReplay(self.game, event)
        else:
            self.replay.take_event(event)
        self._append_event(event)

    def _append_event(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.over = self.over or isinstance(event, (Closed, Failed))

    def _queue_event(self, event: AnyEvent) -> None:
        self.recorder.queue_record(RoomRecord("event", getattr(event, "role", ""), encode_event_json(event)))

    def _add_note(self, role: Role, what: Any, why: str = "", consent: str = "") -> None:
        if not self.erased:
            note = RoomNote(self._clock(), role, what, why, consent)
            self.attendance.take_note(note)
            self.recorder.queue_record(RoomRecord("note", role, encode_event_json(note)))

    @property
    def current_turn(self) -> Role | None:
        return None if self.replay is None or self.over else self.game.turn(self.replay.state)

    @property
    def seconds_left(self) -> float:
        if not self.events:
            return self.booking.minutes * 60
        return max(0.0, self.events[0].at + self.booking.minutes * 60 - self._clock())

    def make_transcript(self) -> Transcript:
        return Transcript(tuple(self.events))

    # Playing

    def start_game(self) -> None:
        """Start the game once everybody has agreed and is here, or resume it."""
        agreed = self.attendance.agreed.issuperset(self.attendance.person_roles)
        ready = agreed and (self.replay is not None or not self.away)
        if ready and self._task is None and not self.over:
            self._task = asyncio.create_task(self._play_game())

    async def _play_game(self) -> None:
        """Play to the end. All that has happened is saved, then shown, before the next player is asked."""
        players: dict[Role, Player] = {
            role: self._humans.get(role) or self._seat_program(role) for role in self.attendance.seats
        }
        if self.pack.live.yields is not None:
            hook = load(self.pack.live.yields)
            self._yielding = {role: YieldingPlayer(player, hook) for role, player in players.items()}
            players |= self._yielding
        if self.replay is None:
            opened = open_episode(
                self.game,
                self.instance,
                players,
                seed=self.booking.seed,
                at=self._clock(),
                episode=self.booking.id,
                retries=RETRIES,
            )
            self._apply_event(opened)
            self._queue_event(opened)
            await self.recorder.save_records()
            self.update_pages()
        assert self.replay is not None
        async for event in continue_episode(self.replay, players, self._clock):
            self._append_event(event)
            self._queue_event(event)
            if self.over or self.replay.awaited_role is not None:
                await self.recorder.save_records()
                self.update_pages()

    def _seat_program(self, role: Role) -> Player:
        player: Player = TimedPlayer(self._machine(role))
        conduct, farewell = self.booking.conduct, self.pack.live.farewell

        def read(text: str) -> Sequence[Any]:
            assert self.replay is not None
            return self.game.read(self.replay.state, role, text).moves

        if conduct.farewell and farewell is not None:
            player = FarewellPlayer(player, conduct.farewell, load(farewell), read, self.game.write)
        if conduct.pace is not None:
            player = PacedPlayer(player, conduct.pace, partial(self.relay_typing, role))
        return player

    @abstractmethod
    async def relay_typing(self, role: Role) -> None:
        """Tell the others that a seat is typing. It is not recorded."""

    def _make_checker(self, role: Role) -> Callable[[tuple[Any, ...]], None]:
        def check_moves(moves: tuple[Any, ...]) -> None:
            assert self.replay is not None
            self.replay.state_after(role, moves)

        return check_moves

    def read_words(self, role: Role, moves: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the moves that the game reads in the words of a seat whose turn it is, or raise Illegal."""
        if self.current_turn != role:
            return moves
        assert self.replay is not None
        state = self.replay.state
        parts = (
            self.game.read(state, role, move.text).moves if isinstance(move, Say) else (move,)
            for move in moves
        )
        return tuple(chain.from_iterable(parts))

    async def end_game(self, reason: str, by: Role = "") -> None:
        """End a game that is not over, or close its room; `by` is the person who ends it."""
        async with self.recorder.lock:  # wait for writes in progress
            if self.over:
                return
            if self._task is not None:
                self._task.cancel()
            if self.replay is None:
                self._add_note(by, "closed", reason)
                self.over = True
            else:
                seats, turn = self.attendance.seats, self.current_turn
                endings = find_seat_endings(seats, reason, by, self.away, turn)
                closed = Closed(episode=self.booking.id, at=self._clock(), reason=reason, endings=endings)
                self._apply_event(closed)
                self._queue_event(closed)
            await self.recorder.write_records()
        self.update_pages()

    def _act_first(self, role: Role, human: HumanPlayer, letter: MoveSubmission) -> bool:
        """Let a person act although it is another seat's turn, if that seat can yield it. Moves that would
        still be illegal are refused. Returns False where the person has to wait."""
        turn = self.current_turn
        if turn is None or turn not in self._yielding:
            return False
        assert self.replay is not None
        given = self._yielding[turn].moves_to_yield
        if not given:
            return False
        try:
            state = self.replay.state_after(turn, given)
            for move in letter.moves:
                state = self.game.play(state, role, move)
        except Illegal as verdict:
            letter.refuse(str(verdict))
            return True
        return self._yielding[turn].yield_turn(partial(human.submit_moves, letter), letter.refuse)
