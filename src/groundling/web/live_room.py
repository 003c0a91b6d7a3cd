"""A live room: the people in it, and what their pages show."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from groundling.core.pack import Pack
from groundling.core.player import Player
from groundling.core.values import Problem, Role
from groundling.players.human import MoveSubmission
from groundling.web.game_outcome import describe_outcome
from groundling.web.observations import ObservationCounter, ObserveMessage
from groundling.web.rematch import RematchVotes
from groundling.web.room_attendance import describe_unbegun
from groundling.web.room_ending import describe_seat_end
from groundling.web.room_game import RoomGame
from groundling.web.screen import SeatScreen
from groundling.web.store import Booking, RoomRecord, Store, hash_store_secret

GRACE = 3.0
"""Seconds after which a person without an open page counts as away. Reloading takes less."""
TYPING_PAUSE = 1.0
"""Seconds between two messages that a person is typing."""
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


class LiveRoom(RoomGame):
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
        super().__init__(booking, pack, store, records, clock, machine)
        self.codes = codes
        """The code by which each person can ask for their data to be erased."""
        self.shows_typing = True
        self.rematch: RematchVotes | None = None
        """None where people cannot open rooms."""
        self._typed: dict[Role, float] = {}
        """When the partners of each person were last told that they type."""
        self._observations = ObservationCounter(records)
        self._consent_shown: set[Role] = set()
        self.present: dict[Role, Wire] = {}
        self.watchers: list[RoomWatcher] = []
        self.touched = clock()
        """When a page last connected, disconnected or sent moves."""
        self._playing_ids: dict[Role, list[int]] = {}
        """Numbers of moves that are being played, as given by their pages."""
        self._screens = {role: SeatScreen(pack) for role in self.attendance.person_roles}
        self._chores: set[asyncio.Task[Any]] = set()
        self._outcome: dict[str, Any] | None = None
        self._offering = False
        """Whether people who wait for the game to begin were offered other ways to play."""

    # People

    async def attach_page(self, role: Role, wire: Wire) -> None:
        """Connect a page to a seat. It replaces any other page of that seat."""
        self.touched = self._clock()
        attendance = self.attendance
        if role not in attendance.person_roles:
            return wire.close({"type": "replaced"})
        other, self.present[role] = self.present.get(role), wire
        if other is not None:
            other.close({"type": "elsewhere"})
        self._screens[role] = SeatScreen(self.pack)
        if self.over:
            self.away.discard(role)
            self.update_pages()
            return self._send_rematch_links()
        if role not in attendance.came:
            self._add_note(role, "came")
        if self.booking.consent and role not in attendance.agreed:
            self._consent_shown.add(role)
            wire.send({"type": "consent", "text": self.booking.consent})
        elif role in self.away:
            self.away.discard(role)
            self._add_note(role, "here")
        return await self._save_and_show()

    async def record_consent(self, role: Role) -> None:
        """Record that a person agrees to the text that their page was sent."""
        if role in self._consent_shown and role in self.attendance.person_roles:
            self._consent_shown.discard(role)
            self.away.discard(role)
            self._add_note(role, "agreed", consent=hash_store_secret(self.booking.consent))
        await self._save_and_show()

    async def record_refusal(self, role: Role) -> None:
        """The person does not agree to the room's consent text. They may change their mind."""
        if role in self.attendance.person_roles and role not in self.attendance.agreed:
            self._add_note(role, "declined")
            await self._save_and_show()

    async def record_observation(self, role: Role, seen: ObserveMessage) -> None:
        """Store what the page of a person who plays observed."""
        if role in self.attendance.agreed and not self.over:
            record = self._observations.make_record(role, seen, self._clock())
            if record is not None:
                self.recorder.queue_record(record)
                await self.recorder.save_records()
                self.update_pages()

    async def relay_typing(self, role: Role) -> None:
        """Tell the others that this person is typing. It is not recorded."""
        now = self._clock()
        if self._phase != "playing" or not self.shows_typing or now - self._typed.get(role, 0) < TYPING_PAUSE:
            return
        self._typed[role] = now
        for other, wire in self.present.items():
            if other != role:
                wire.send({"type": "typing"})

    async def ask_rematch(self, role: Role) -> None:
        """The person wants to play again with the same people."""
        if self._phase != "over" or self.rematch is None or role not in self.attendance.person_roles:
            return
        try:
            await self.rematch.add_vote(role)
        except Problem as trouble:
            self._refuse(role, None, str(trouble))
        self.update_pages()
        self._send_rematch_links()

    def _send_rematch_links(self) -> None:
        """Send each person the link to their seat in the next room."""
        for role, secret in self.rematch.links.items() if self.rematch else ():
            if wire := self.present.get(role):
                wire.send({"type": "rematch", "link": f"/join#{secret}"})

    async def leave_game(self, role: Role) -> None:
        """The person ends the game. Before it has begun, they only leave the room."""
        if self.replay is not None:
            await self.end_game("away" if self.away.difference((role,)) else "left", role)
        elif role in self.attendance.agreed and not self.over:
            self.away.add(role)
            self._add_note(role, "left")
            await self._save_and_show()

    async def keep_waiting(self, role: Role) -> None:
        """The person waits on for the game to begin: the time limit starts again."""
        if self.replay is None and not self.over and role in self.attendance.agreed:
            self._add_note(role, "waits")
            await self._save_and_show()

    async def replace_absent(self, role: Role) -> None:
        """Seat built-in players instead of the people that this person waits for."""
        if self.replay is not None or self.over or role not in self.attendance.agreed:
            return
        if self.booking.fixed_seats:
            return
        absent = [other for other in self.away if other != role]
        try:
            for other in absent:
                await asyncio.to_thread(self._machine, other)
        except Problem as trouble:
            self._refuse(role, None, str(trouble))
            return
        for other in absent:
            if other in self.away and self.replay is None:  # they have not come meanwhile
                self.away.discard(other)
                self._add_note(other, "replaced", self.pack.live.partners[other])
                self._humans.pop(other, None)
                if wire := self.present.pop(other, None):
                    wire.close({"type": "replaced"})
        await self._save_and_show()

    async def _save_and_show(self) -> None:
        """Save what has happened, start the game if everybody is ready, and update the pages."""
        await self.recorder.save_records()
        self.start_game()
        self.update_pages()

    def detach_page(self, role: Role, wire: Wire) -> None:
        if self.present.get(role) is wire:
            del self.present[role]
            self.touched = self._clock()
            self.run_in_background(self._mark_away(role))

    async def _mark_away(self, role: Role) -> None:
        await asyncio.sleep(GRACE)
        if role in self.present or role not in self.attendance.person_roles:
            return
        if role in self.attendance.agreed and role not in self.away:
            self.away.add(role)
            if not self.over:
                self._add_note(role, "away")
            await self.recorder.save_records()
        self.update_pages()

    def handle_moves(
        self, role: Role, number: int, moves: tuple[Any, ...], detail: Mapping[str, Any]
    ) -> None:
        """Pass a person's moves to their player, and report to the page whether they were accepted."""
        self.touched, refuse_moves = self._clock(), partial(self._refuse, role, number)

        def mark_taken() -> None:
            self._playing_ids.setdefault(role, []).append(number)

        if self.over:
            refuse_moves("the game is over")
        elif human := self._humans.get(role):
            letter = MoveSubmission(moves, refuse_moves, mark_taken, detail)
            if self.current_turn == role or self._playing_ids.get(role):
                human.submit_moves(letter)
            elif not self._act_first(role, human, letter):
                refuse_moves("it is not your turn" if self.replay else "the game has not begun yet")
        # else the room was closed, and the page reconnects

    def _refuse(self, role: Role, number: int | None, why: str) -> None:
        if wire := self.present.get(role):
            wire.send({"type": "refused", "id": number, "why": why})

    # What pages show

    def update_pages(self) -> None:
        """Refuse moves that came too late and bring all open pages up to date. Does nothing while records are
        unsaved: all that save them call it afterwards."""
        if self.recorder.has_unsaved:
            return
        for role, human in self._humans.items():
            if role != self.current_turn:
                human.refuse_all("the game is over" if self.over else "it is not your turn")
        for role, wire in list(self.present.items()):
            if self.booking.consent and role not in self.attendance.agreed and not self.over:
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
        view = None if self.replay is None or self.over else self.replay.view(role)
        return self._status_fields(role, active), view, active

    def _status_fields(self, role: Role, active: bool) -> dict[str, Any]:
        """All fields of the page but the desk."""
        alone, blind = self.attendance.person_roles == [role], self.booking.conduct.blind
        begun, away = bool(self.events), "away" if self.away.difference((role,)) else "here"
        status: dict[str, Any] = {
            "phase": self._phase,
            "turn": active,
            "partner": "player" if alone and not blind else away,
            "ends": self.events[0].at + self.booking.minutes * 60 if begun else self.attendance.closing_time,
            "waiting": None if begun or self.erased else self._waiting_fields(role),
        }
        if self._phase == "over":
            if self._outcome is None:
                self._outcome = describe_outcome(self.pack, self.game, self.make_transcript(), blind=blind)
            status["outcome"] = self._outcome
            status["ended"] = describe_seat_end(self.make_transcript(), role, blind=blind)
            asked = self.rematch if role in self.attendance.person_roles else None
            status["rematch"] = asked.page_fields(role) if asked else None
        return status

    @property
    def _phase(self) -> str:
        if self.erased:
            return "erased"
        if self.events:
            return "over" if self.over else "playing"
        return "closed" if self.over else "waiting"

    def _waiting_fields(self, role: Role) -> dict[str, Any]:
        """What the person in a seat is told before the game begins: about the others, and what to do."""
        others = [other for other in self.attendance.person_roles if other != role]
        states = [self.attendance.expected_person(other, other in self.present) for other in others]
        offer = self.over or self.attendance.is_time_to_offer(states, self._clock())
        offer = offer and not self.booking.fixed_seats
        why = describe_unbegun(self.attendance.closed, states) if self.over else ""
        return {"others": states, "offer": offer, "why": why}

    # Housekeeping

    def run_in_background(self, chore: Awaitable[Any]) -> None:
        """Run a coroutine as a task that ends with the room."""
        task = asyncio.ensure_future(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def check_time_limits(self, now: float) -> None:
        """End the game where its time is up or nothing has happened for long. Before it has begun, offer
        other ways to play after a while, and close the room when its time is up."""
        if self.over:
            return
        if self.events:
            if self.seconds_left <= 0:
                await self.end_game("time")
            elif self.present and now - max(self.touched, self.events[-1].at) > IDLE:
                await self.end_game("idle")
        elif why := self.attendance.closing_reason(now):
            await self.end_game(why)
        elif self._offering != self.attendance.is_time_to_offer((), now):
            self._offering = not self._offering
            self.update_pages()

    @property
    def room_failure(self) -> BaseException | None:
        """The error that stopped the game or its writes."""
        if self.recorder.failure is not None:
            return self.recorder.failure
        if self._task is None or not self._task.done() or self._task.cancelled():
            return None
        return self._task.exception()

    async def close_room(self) -> None:
        """Cancel all tasks and close all pages. The store keeps the records."""
        async with self.recorder.lock:
            for task in (self._task, *self._chores):
                if task is not None and task is not asyncio.current_task():
                    task.cancel()
        for wire in (*self.present.values(), *(watcher.wire for watcher in self.watchers)):
            wire.close({"type": "restart"})
        # break reference cycles, so that the room is freed at once
        self._humans.clear()
        self._task = self.rematch = None
