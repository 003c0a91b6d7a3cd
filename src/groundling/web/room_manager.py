"""The room manager: creates, opens, maintains and closes the rooms of a server."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from time import time
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec

from groundling.core.events import Transcript, encode_event_json
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, choices_hint, load, resolve_settings
from groundling.core.player import Player
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Instance, Problem, Role
from groundling.files import file_error_advice
from groundling.players.player_specs import language_model_seats, make_player_from_spec
from groundling.web.cluster.remote_seats import RemoteSeat, RemoteSeatLink, RoomElsewhere
from groundling.web.erasure import make_seat_code
from groundling.web.game_catalog import GameCatalog
from groundling.web.live_room import LiveRoom
from groundling.web.made_instances import find_made_instance, follow_up_request
from groundling.web.page_seats import PageSeat
from groundling.web.rematch import RematchRooms
from groundling.web.server_settings import RoomRequest, ServerSettings
from groundling.web.stimuli import (
    DRAWN,
    StimulusChoice,
    StimulusLibrary,
    StimulusSet,
    fill_seats,
    find_stimuli,
    is_recorded_partner,
    make_recorded_player,
    refuse_room_recordings,
)
from groundling.web.store import (
    PERSON,
    Booking,
    Chair,
    PartnerConduct,
    Store,
    erased_roles,
    hash_store_secret,
    new_store_secret,
)
from groundling.web.struct_types import prepare_struct_types
from groundling.web.watchers import open_local_seat

if TYPE_CHECKING:
    from groundling.web.cluster.bus import MessageBus

FORGET = 60.0
"""Seconds after which a room without open pages is dropped from memory."""
FORGET_OVER = 1.0
"""The same for a room whose game is over; its result is read from the store."""
LOOK_FOR_ERASED = 5
"""Seconds between two checks for erased rooms, which open pages must no longer show."""
log = logging.getLogger("groundling.web")


class RoomManager:
    def __init__(self, store: Store, settings: ServerSettings, bus: MessageBus | None = None) -> None:
        """With a bus, other servers share the store and run some of the rooms."""
        self.store, self.settings, self.catalog = store, settings, GameCatalog(settings.games)
        self.cluster = RemoteSeatLink(self.open_room, bus) if bus else None
        self.rooms: dict[str, LiveRoom] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.stimuli = StimulusLibrary(settings.sets, with_builtin=settings.builtin)
        self.on_room_over: Callable[[str], Awaitable[None]] | None = None
        """Called with the name of a room once its end is in the store."""
        self._reported: set[str] = set()
        self._rematches = RematchRooms(self.create_room, settings)

    async def open(self) -> None:
        prepare_struct_types(self.live_games().values())
        await self.store.open()
        if self.cluster:
            await self.cluster.open()

    # Making rooms

    def live_games(self) -> dict[str, Pack]:
        """Games that people can play."""
        return self.catalog.served

    def find_game(self, name: str) -> Pack:
        known = self.live_games()
        if name not in known:
            raise Problem(f"there is no game {name!r} to play here: {choices_hint(known)}")
        return known[name]

    def make_game(
        self,
        pack: Pack,
        settings: Mapping[str, Any],
        seats: Mapping[Role, str] = {},
        recording: Transcript | None = None,
    ) -> AnyGame:
        """The game with these settings, as it is played with these players. Other settings are those of the
        recording, if there is one, else the default for people."""
        usual = {} if recording is None else msgspec.to_builtins(recording.opened.settings)
        chosen = read_live_settings(pack, {**usual, **settings})
        return pack.new(resolve_settings(pack, chosen, language_model_seats(seats)))

    def people_seats(
        self, pack: Pack, game: AnyGame, instances: Sequence[Instance] = ()
    ) -> dict[Role, dict[Role, str]]:
        """The seats that people can take with these settings, and the players in the others. Raises Problem
        where none of the instances, by default the server's, can be played with them."""
        instance = self._find_playable(game, instances or self.game_instances(pack))
        found: dict[Role, dict[Role, str]] = {}
        for role in game.seats(instance):
            with suppress(Problem):  # such as a person where a recorded procedure is executed
                found[role] = fill_seats({role: PERSON}, pack, game, instance)
        return found

    async def create_room(
        self,
        order: RoomRequest,
        invites: Mapping[Role, str] = {},
        *,
        is_admin: bool = False,
        other_than: str = "",
    ) -> dict[Role, str]:
        """Create a room and return the invitation secrets by seat, but for seats whose hashes are given. Only
        the administrator is told the ids of secret stimuli. `other_than` is an instance to play only if there
        is no other."""
        pack = self.find_game(order.game)
        there = await self.find_instances(pack, order.instance, order.set, is_admin=is_admin)
        there = [instance for instance in there if instance.id != other_than] or there
        instance = self._choose_instance(pack, order, there)
        is_replayed = any(map(is_recorded_partner, order.seats.values()))
        recording = self.stimuli.find_recording(pack, instance) if is_replayed else None
        try:
            return await self.book_room(pack, instance, order, recording, invites)
        except Problem as trouble:
            raise trouble if is_admin else self._hide_secret_id(trouble, instance) from None

    async def book_room(
        self,
        pack: Pack,
        instance: Instance,
        order: RoomRequest,
        recording: Transcript | None = None,
        invites: Mapping[Role, str] = {},
        name: str = "",
        conduct: PartnerConduct = PartnerConduct(),  # noqa: B008 - frozen
    ) -> dict[Role, str]:
        """Book a room and return the invitation secrets. A study gives it a name: it decides itself who takes
        the seats, and has asked for consent."""
        game = self.make_game(pack, order.settings, order.seats, recording)
        roles = game.seats(instance)
        if extra := set(order.seats) - set(roles):
            raise Problem(
                f"{pack.name} has no seat {', '.join(sorted(extra))} with these settings: "
                f"{choices_hint(roles)}"
            )
        for role, who in order.seats.items() if not name else ():
            self._check_partner(pack, role, who)
        seats = fill_seats(order.seats, pack, game, instance)
        if PERSON not in seats.values():
            raise Problem('nobody is invited to this room: give somebody the seat "person"')
        minutes = pack.live.minutes if order.minutes is None else order.minutes
        if not 1 <= minutes <= 24 * 60:
            raise Problem(f"minutes is {minutes:g}: a game may take 1 to {24 * 60}")
        if order.consent and self.settings.consent:
            raise Problem("this server has its own consent text: leave out consent")
        booking = Booking(
            id=name or secrets.token_hex(6),
            at=time(),
            game=pack.name,
            instance=msgspec.Raw(msgspec.json.encode(instance)),
            settings=msgspec.Raw(msgspec.json.encode(game.settings)),
            seats=seats,
            seed=secrets.randbits(48),
            minutes=minutes,
            consent="" if name else order.consent or self.settings.consent,
            recording=msgspec.Raw(encode_event_json(recording.events if recording else ())),
            fixed_seats=bool(name),
            conduct=conduct,
        )
        try:  # report now what cannot be seated
            await asyncio.to_thread(self._make_players, booking, pack, instance)
        except OSError as trouble:
            raise Problem(file_error_advice(trouble)) from None
        links = {role: new_store_secret() for role in booking.person_roles if role not in invites}
        hashes = {**{role: hash_store_secret(secret) for role, secret in links.items()}, **invites}
        await self.store.save_booking(
            booking, [Chair(booking.id, role, invite) for role, invite in hashes.items()]
        )
        return links

    async def create_follow_up(self, room: str) -> dict[Role, str] | None:
        """Create a room in which others carry out what this room's game has made; None: no such room."""
        if (booking := await self.store.find_booking(room)) is None:
            return None
        order = follow_up_request(self.find_game(booking.game), booking, self.settings.consent)
        return await self.create_room(order, is_admin=True)

    async def list_drawings(self, pack: Pack) -> list[tuple[str, Instance]]:
        """Instances that people drew here, with the names that they gave them, latest first."""
        read = msgspec.json.Decoder(load(pack.game).Instance).decode
        return [(made.name, read(made.instance)) for made in await self.store.list_drawings(pack.name)]

    def game_instances(self, pack: Pack) -> list[Instance]:
        """The instances that are played unless a room asks for others."""
        return find_stimuli(pack, self.stimuli.list_sets(pack), StimulusChoice())

    async def find_instances(
        self, pack: Pack, name: str = "", in_set: str = "", *, is_admin: bool = False
    ) -> list[Instance]:
        """The instances to choose from: the server's, those of a set, or the one with this id. Drawn ones are
        found by id or set, and one that a game made by the name of its room."""
        if not name and not in_set:
            return self.game_instances(pack)
        if name and (made := await find_made_instance(self.store, pack, name)):
            return [made]
        drawn = [instance for _, instance in await self.list_drawings(pack)]
        sets = [*self.stimuli.list_sets(pack), StimulusSet(pack.name, DRAWN, drawn, on_request=True)]
        return find_stimuli(pack, sets, StimulusChoice(in_set, name, is_admin))

    def _choose_instance(self, pack: Pack, order: RoomRequest, there: Sequence[Instance]) -> Instance:
        """Choose a random instance that can be played, with the recordings of the recorded players."""
        game = self.make_game(pack, order.settings, order.seats)
        there = secrets.SystemRandom().sample(there, len(there))
        recorded = [(role, who) for role, who in order.seats.items() if is_recorded_partner(who)]
        if not recorded:
            return self._find_playable(game, there)
        for instance in there:
            if all(self.stimuli.has_recording(pack, game, *seat, instance) for seat in recorded):
                return instance
        raise Problem("no instance here has such a recording: choose another set, or another player")

    def _find_playable(self, game: AnyGame, instances: Sequence[Instance]) -> Instance:
        """The first instance that can be played with these settings; else the Problem of the first."""
        why: Problem | None = None
        for instance in instances:
            try:
                game.start(instance)
            except Problem as trouble:
                why = why or self._hide_secret_id(trouble, instance)
            else:
                return instance
        raise why or Problem(f"{game.name} has no instances here: name some with --instances")

    def _hide_secret_id(self, trouble: Problem, instance: Instance) -> Problem:
        if not self.stimuli.is_secret(instance):
            return trouble
        return Problem(re.sub(rf"(?<!\w){re.escape(instance.id)}(?!\w)", "the instance", str(trouble)))

    def _check_partner(self, pack: Pack, role: Role, who: str) -> None:
        """Refuse players that the server does not offer, as a player may read files and spend money."""
        offered = (PERSON, pack.live.partners[role], *self.settings.partners)
        if who not in offered and not is_recorded_partner(who):
            raise Problem(
                f"{who!r} is not offered as {role} here: {choices_hint(offered)}; "
                "groundling serve --partner adds others"
            )

    def _make_players(
        self, booking: Booking, pack: Pack, instance: Instance, seats: Mapping[Role, str] | None = None
    ) -> dict[Role, Player]:
        """Make the players that are not people. Runs in a thread, as loading weights may take seconds."""
        game = pack.new(msgspec.json.decode(booking.settings, type=load(pack.game).Settings))
        players: dict[Role, Player] = {}
        live = PERSON in booking.seats.values()
        for role, who in (seats or booking.seats).items():
            if is_recorded_partner(who):
                players[role] = make_recorded_player(booking, pack, game, role, instance)
            elif who != PERSON:
                players[role] = make_player_from_spec(
                    pack, game, role, who, [instance], refuse_room_recordings, live=live
                )
        return players

    # Opening rooms

    async def open_seat(self, name: str, role: Role | None) -> PageSeat | None:
        """A seat in a room of any server; without a role, a seat that only watches."""
        try:
            room = await self.open_room(name)
        except RoomElsewhere as where:
            assert self.cluster is not None
            return RemoteSeat(self.cluster, where.server, name, role)
        return open_local_seat(room, role) if room else None

    async def open_room(self, name: str) -> LiveRoom | None:
        """A room from memory or from the store. Raises RoomElsewhere where another server runs it."""
        async with self._opening.setdefault(name, asyncio.Lock()):
            if name not in self.rooms:
                booking = await self.store.find_booking(name)
                if booking is None:
                    return None
                if self.cluster:
                    await self.cluster.claim_room(name)
                try:
                    self.rooms[name] = await self._load_room(booking)
                except BaseException:
                    await self._release_room(name)
                    raise
            return self.rooms[name]

    async def _load_room(self, booking: Booking) -> LiveRoom:
        pack = self.find_game(booking.game)
        records = await self.store.read_records(booking.id)
        instance = msgspec.json.decode(booking.instance, type=load(pack.game).Instance)
        plays = not erased_roles(records)
        machines = await asyncio.to_thread(self._make_players, booking, pack, instance) if plays else {}
        chairs = await self.store.list_chairs(booking.id)
        codes = {chair.role: make_seat_code(chair.invite) for chair in chairs}

        def find_player(role: Role) -> Player:
            """The booked player, or the game's own one, who replaces a person."""
            if role not in machines:
                machines.update(self._make_players(booking, pack, instance, {role: pack.live.partners[role]}))
            return machines[role]

        room = LiveRoom(booking, pack, self.store, records, time, find_player, codes)
        room.shows_typing = self.settings.typing
        room.rematch = self._rematches.offer_rematch(booking, room.attendance, instance.id)
        return room

    async def _release_room(self, name: str) -> None:
        if self.cluster:
            await self.cluster.bus.release_room(name)

    async def run_maintenance(self) -> None:
        """Maintain the rooms every second until cancelled. Raises where the database is lost."""
        for second in count(1):
            await asyncio.sleep(1)
            self.store.check_connection()
            if self.cluster:
                await self.cluster.drop_dead_servers()
            if second % LOOK_FOR_ERASED == 0:
                with suppress(*self.store.troubles):  # such as a full disk: retried next time
                    await self._drop_erased()
            now = time()
            for name in list(self.rooms):
                try:
                    await self._maintain_room(name, now)
                except Exception:  # an error in one room must not affect the others
                    log.exception("room %s is given up and will be opened again from the store", name)
                    await self._drop_room(name)

    async def _maintain_room(self, name: str, now: float) -> None:
        if (room := self.rooms.get(name)) is None:
            return
        if room.room_failure is not None:
            raise RuntimeError(f"room {name} has failed") from room.room_failure
        await room.check_time_limits(now)
        if room.over and self.on_room_over and name not in self._reported and not room.recorder.has_unsaved:
            await self.on_room_over(name)
            self._reported.add(name)
        kept_for = FORGET_OVER if room.over else FORGET
        if not room.present and not room.watchers and now - room.touched > kept_for:
            await self._drop_room(name)

    async def _drop_erased(self) -> None:
        """Drop rooms of which the store has more records than we wrote: a seat was erased."""
        for name, records in (await self.store.count_records(list(self.rooms))).items():
            room = self.rooms.get(name)
            if room and records > room.recorder.saved_count and await room.recorder.is_outdated():
                await self._drop_room(name)

    async def _drop_room(self, name: str) -> None:
        async with self._opening.setdefault(name, asyncio.Lock()):
            if room := self.rooms.pop(name, None):
                self._reported.discard(name)
                await room.close_room()
                await self._release_room(name)

    async def close(self) -> None:
        for name in list(self.rooms):
            await self._drop_room(name)
        if self.cluster:
            await self.cluster.close()
        await self.store.close()
