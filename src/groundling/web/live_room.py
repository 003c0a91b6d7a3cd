"""A live room: one game, the people and players in it, and what their pages show."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Protocol

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
from groundling.web.game_outcome import describe_outcome
from groundling.web.observations import ObservationCounter, ObserveMessage
from groundling.web.room_players import TimedPlayer, YieldingPlayer
from groundling.web.screen import SeatScreen
from groundling.web.store import Booking, RoomNote, RoomRecord, Store, erased_roles, hash_store_secret

RETRIES = 3
"""Further attempts of a player after a refused reply."""
GRACE = 3.0
"""Seconds after which a person without an open page counts as away. Reloading takes less."""
IDLE = 15 * 60.0
"""Seconds without an event after which a game is ended."""


class Wire(Protocol):
    """The connection to a page."""

    def send(self, message: Mapping[str, Any] | msgspec.Raw) -> None: ...

    def close(self, message: Mapping[str, Any] | msgspec.Raw) -> None:
        """Send a last message, then close."""


class RoomWatcher(Protocol):
    """A page that sees all seats of a room."""

    wire: Wire

    def send_changes(self) -> None: ...


class LiveRoom:
    def __init__(
        self,
        booking: Booking,
        pack: Pack,
        store: Store,
        records: Sequence[RoomRecord],
        clock: Callable[[], float],
        machine: Callable[[Role], Player],
        codes: Mapping[Role, str] = {},
    ) -> None:
        kind = load(pack.game)
        self.booking, self.pack, self._store, self._clock = booking, pack, store, clock
        self.game: AnyGame = pack.new(msgspec.json.decode(booking.settings, type=kind.Settings))
        self.instance = msgspec.json.decode(booking.instance, type=kind.Instance)
        self.codes = codes
        """The code by which each person can ask for their data to be erased."""
        self.events: list[AnyEvent] = []
        self.sitting: EpisodeReplay | None = None
        self.agreed: set[Role] = set()
        """Seats whose person has come and, if there is a consent text, agreed to it."""
        self._consent_shown: set[Role] = set()
        self.present: dict[Role, Wire] = {}
        self.away: set[Role] = set(booking.person_roles)
        self.watchers: list[RoomWatcher] = []
        self.erased = bool(erased_roles(records))
        self.over = self.erased
        self.touched = clock()
        """When a page last connected, disconnected or sent moves."""
        self._observations = ObservationCounter(records)
        self._count = len(records)
        self._unsaved: list[RoomRecord] = []
        self._saving = asyncio.Lock()
        self._broken: BaseException | None = None
        """The error of a failed write, after which memory and store may differ."""
        self._playing_ids: dict[Role, list[int]] = {}
        """Numbers of moves that are being played, as given by their pages."""
        self._humans = {role: HumanPlayer(self._make_checker(role)) for role in booking.person_roles}
        self._machine = machine
        self._screens = {role: SeatScreen(pack) for role in booking.person_roles}
        self._yielding: dict[Role, YieldingPlayer] = {}
        self._task: asyncio.Task[None] | None = None
        self._chores: set[asyncio.Task[Any]] = set()
        self._outcome: dict[str, Any] | None = None
        for record in records:
            self._load_record(record)

    # Events
    # ------------------------------------------------------------------------------------------------

    def _load_record(self, record: RoomRecord) -> None:
        if record.kind == "note":
            note = msgspec.json.decode(record.body, type=RoomNote)
            if note.what == "agreed" or (note.what == "here" and not self.booking.consent):
                self.agreed.add(note.role)
        elif record.kind == "event" and not self.erased:
            self._apply_event(event_decoder(load(self.pack.game)).decode(record.body))

    def _apply_event(self, event: AnyEvent) -> None:
        if self.sitting is None:
            assert isinstance(event, Opened)
            self.sitting = EpisodeReplay(self.game, event)
        else:
            self.sitting.take_event(event)
        self._append_event(event)

    def _append_event(self, event: AnyEvent) -> None:
        self.events.append(event)
        self.over = self.over or isinstance(event, (Closed, Failed))

    def _queue_event(self, event: AnyEvent) -> None:
        """Queue an event to be saved."""
        self._unsaved.append(RoomRecord("event", getattr(event, "role", ""), encode_event_json(event)))

    @property
    def current_turn(self) -> Role | None:
        return None if self.sitting is None or self.over else self.game.turn(self.sitting.state)

    @property
    def seconds_left(self) -> float:
        if not self.events:
            return self.booking.minutes * 60
        return max(0.0, self.events[0].at + self.booking.minutes * 60 - self._clock())

    def make_transcript(self) -> Transcript:
        return Transcript(tuple(self.events))

    # The game
    # --------------------------------------------------------------------------------------------------------

    def start_game(self) -> None:
        """Start or resume the game once everybody has agreed."""
        if self._task is None and not self.over and self.agreed.issuperset(self.booking.person_roles):
            self._task = asyncio.create_task(self._play_game())

    async def _play_game(self) -> None:
        """Play to the end. All that has happened is saved, then shown, before the next player is asked."""
        players: dict[Role, Player] = {
            role: self._humans.get(role) or TimedPlayer(self._machine(role)) for role in self.booking.seats
        }
        if self.pack.live.yields is not None:
            hook = load(self.pack.live.yields)
            self._yielding = {role: YieldingPlayer(player, hook) for role, player in players.items()}
            players |= self._yielding
        if self.sitting is None:
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
            await self._save_records()
            self.update_pages()
        assert self.sitting is not None
        async for event in continue_episode(self.sitting, players, self._clock):
            self._append_event(event)
            self._queue_event(event)
            if self.over or self.sitting.awaited_role is not None:
                await self._save_records()
                self.update_pages()

    def _make_checker(self, role: Role) -> Callable[[tuple[Any, ...]], None]:
        def check_moves(moves: tuple[Any, ...]) -> None:
            assert self.sitting is not None
            self.sitting.state_after(role, moves)

        return check_moves

    def read_words(self, role: Role, moves: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the moves that the game reads in the words of a seat whose turn it is, or raise Illegal."""
        if self.current_turn != role:
            return moves
        assert self.sitting is not None
        state = self.sitting.state
        parts = (
            self.game.read(state, role, move.text).moves if isinstance(move, Say) else (move,)
            for move in moves
        )
        return tuple(chain.from_iterable(parts))

    async def _save_records(self) -> None:
        """Write all queued records. Call `update_pages` afterwards."""
        async with self._saving:
            await self._write_records()

    async def _write_records(self) -> None:
        if self._broken is not None:
            raise RuntimeError("what happened here could not be saved") from self._broken
        records, self._unsaved = self._unsaved, []
        if records:
            try:
                await self._store.append_records(self.booking.id, self._count, records)
            except BaseException as trouble:
                self._broken = trouble
                raise
            self._count += len(records)

    @property
    def saved_count(self) -> int:
        """The number of records that are known to be in the store."""
        return self._count

    async def is_outdated(self) -> bool:
        """Whether the store has other records than this room."""
        async with self._saving:  # wait for writes in progress
            sizes = await self._store.count_records([self.booking.id])
        return sizes.get(self.booking.id, 0) != self._count

    async def end_game(self, reason: str) -> None:
        """End the game with this reason, unless it is over already."""
        if self.over or self.sitting is None:
            return
        async with self._saving:  # wait for writes in progress
            if self.over:
                return
            if self._task is not None:
                self._task.cancel()
            closed = Closed(episode=self.booking.id, at=self._clock(), reason=reason)
            self._apply_event(closed)
            self._queue_event(closed)
            await self._write_records()
        self.update_pages()

    # People
    # --------------------------------------------------------------------------------------------------------

    async def attach_page(self, role: Role, wire: Wire) -> None:
        """Connect a page to a seat. It replaces any other page of that seat."""
        self.touched = self._clock()
        other, self.present[role] = self.present.get(role), wire
        if other is not None:
            other.close({"type": "elsewhere"})
        self._screens[role] = SeatScreen(self.pack)
        if self.booking.consent and role not in self.agreed:
            self._consent_shown.add(role)
            wire.send({"type": "consent", "text": self.booking.consent})
            return
        await self._seat_person(role, "here")

    async def record_consent(self, role: Role) -> None:
        """Record that a person agrees to the text that their page was sent."""
        if role in self._consent_shown:
            self._consent_shown.discard(role)
            await self._seat_person(role, "agreed", hash_store_secret(self.booking.consent))

    async def _seat_person(self, role: Role, what: str, consent: str = "") -> None:
        self.agreed.add(role)
        if role in self.away:
            self.away.discard(role)
            self._add_note(role, what, consent)
            await self._save_records()
        self.start_game()
        self.update_pages()

    async def record_observation(self, role: Role, seen: ObserveMessage) -> None:
        """Store what the page of a person who plays observed."""
        if role in self.agreed and not self.over:
            record = self._observations.make_record(role, seen, self._clock())
            if record is not None:
                self._unsaved.append(record)
                await self._save_records()
                self.update_pages()

    def detach_page(self, role: Role, wire: Wire) -> None:
        if self.present.get(role) is wire:
            del self.present[role]
            self.touched = self._clock()
            self.run_in_background(self._mark_away(role))

    async def _mark_away(self, role: Role) -> None:
        await asyncio.sleep(GRACE)
        if role not in self.present and role in self.agreed and role not in self.away:
            self.away.add(role)
            if not self.over:
                self._add_note(role, "away")
            await self._save_records()
            self.update_pages()

    def _add_note(self, role: Role, what: Any, consent: str = "") -> None:
        if not self.erased:
            note = RoomNote(self._clock(), role, what, consent)
            self._unsaved.append(RoomRecord("note", role, encode_event_json(note)))

    def handle_moves(
        self, role: Role, number: int, moves: tuple[Any, ...], detail: Mapping[str, Any]
    ) -> None:
        """Pass a person's moves to their player, and report to the page whether they were accepted."""
        self.touched = self._clock()

        def refuse_moves(why: str) -> None:
            if wire := self.present.get(role):
                wire.send({"type": "refused", "id": number, "why": why})

        def mark_taken() -> None:
            self._playing_ids.setdefault(role, []).append(number)

        if self.over:
            refuse_moves("the game is over")
        elif human := self._humans.get(role):
            letter = MoveSubmission(moves, refuse_moves, mark_taken, detail)
            if self.current_turn == role or self._playing_ids.get(role):
                human.submit_moves(letter)
            elif not self._act_first(role, human, letter):
                refuse_moves("it is not your turn" if self.sitting else "the game has not begun yet")
        # else the room was closed, and the page reconnects

    def _act_first(self, role: Role, human: HumanPlayer, letter: MoveSubmission) -> bool:
        """Let a person act although it is another seat's turn, if that seat can yield it. Moves that would
        still be illegal are refused. Returns False where the person has to wait."""
        turn = self.current_turn
        if turn is None or turn not in self._yielding:
            return False
        assert self.sitting is not None
        given = self._yielding[turn].moves_to_yield
        if not given:
            return False
        try:
            state = self.sitting.state_after(turn, given)
            for move in letter.moves:
                state = self.game.play(state, role, move)
        except Illegal as verdict:
            letter.refuse(str(verdict))
            return True
        return self._yielding[turn].yield_turn(partial(human.submit_moves, letter), letter.refuse)

    # What pages show
    # ----------------------------------------------------------------------------------------------

    def update_pages(self) -> None:
        """Refuse moves that came too late and bring all open pages up to date. Does nothing while records are
        unsaved: all that save them call it afterwards."""
        if self._unsaved or self._saving.locked():
            return
        for role, human in self._humans.items():
            if role != self.current_turn:
                human.refuse_all("the game is over" if self.over else "it is not your turn")
        for role, wire in list(self.present.items()):
            if self.booking.consent and role not in self.agreed:
                continue
            message = self._screens[role].next_update(*self.page_content(role))
            if taken := self._playing_ids.pop(role, None):
                message["taken"] = taken
            if len(message) > 1:
                wire.send(message)
        for watcher in self.watchers:
            watcher.send_changes()

    def page_content(self, role: Role) -> tuple[dict[str, Any], Any, bool]:
        """What the page of a seat shows now: status fields, its view, and whether it is its turn."""
        active = self.current_turn == role
        view = None if self.sitting is None or self.over else self.sitting.view(role)
        return self._status_fields(role, active), view, active

    def _status_fields(self, role: Role, active: bool) -> dict[str, Any]:
        """All fields of the page but the desk."""
        people = self.booking.person_roles
        alone = people == [role]
        status: dict[str, Any] = {
            "phase": "erased"
            if self.erased
            else "over"
            if self.over
            else "playing"
            if self.events
            else "waiting",
            "turn": active,
            "partner": "player" if alone else "away" if self.away.difference((role,)) else "here",
            "ends": self.events[0].at + self.booking.minutes * 60 if self.events else None,
        }
        if self.over and not self.erased:
            if self._outcome is None:
                self._outcome = describe_outcome(self.pack, self.game, self.make_transcript())
            status["outcome"] = self._outcome
        return status

    # Housekeeping
    # -----------------------------------------------------------------------------------------------------

    def run_in_background(self, chore: Awaitable[Any]) -> None:
        """Run a coroutine as a task that ends with the room."""
        task = asyncio.ensure_future(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def check_time_limits(self, now: float) -> None:
        """End the game where its time is up or nothing has happened for long."""
        if self.events and not self.over:
            if self.seconds_left <= 0:
                await self.end_game("time")
            elif self.present and now - max(self.touched, self.events[-1].at) > IDLE:
                await self.end_game("idle")

    @property
    def room_failure(self) -> BaseException | None:
        """The error that stopped the game or its writes."""
        if self._broken is not None:
            return self._broken
        if self._task is None or not self._task.done() or self._task.cancelled():
            return None
        return self._task.exception()

    async def close_room(self, message: Mapping[str, Any] | None = None) -> None:
        """Cancel all tasks and close all pages. The store keeps the records."""
        async with self._saving:
            for task in (self._task, *self._chores):
                if task is not None and task is not asyncio.current_task():
                    task.cancel()
        for wire in (*self.present.values(), *(watcher.wire for watcher in self.watchers)):
            wire.close(message or {"type": "restart"})
        # break reference cycles, so that the room is freed at once
        self._humans.clear()
        self._task = None
