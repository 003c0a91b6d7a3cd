"""All rooms of a server: made, found again, waited for, and looked after."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from time import time
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack, choices, find, load, packs
from groundling.core.player import Player
from groundling.core.values import Instance, Problem, Role
from groundling.files import advice
from groundling.players.seating import check_seats, take_seat
from groundling.web.far import Elsewhere, Far, FarSeat
from groundling.web.library import Book
from groundling.web.rooms import Room
from groundling.web.sockets import NearSeat, Seat
from groundling.web.store import PERSON, Booking, Chair, Store, hashed, new_secret
from groundling.web.types import look_at_types
from groundling.web.watch import Lookout

if TYPE_CHECKING:
    from groundling.web.post import Post

FORGET = 60.0
"""Seconds after which a room that nobody looks at is left to the store …"""
FORGET_OVER = 1.0
"""… and one whose game is over: whoever comes back to see the result finds it there."""
LOOK_FOR_ERASED = 5
"""Seconds after which what was erased is no longer shown by pages that are open."""
log = logging.getLogger("groundling.web")


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """A room as somebody asks for it."""

    game: str
    seats: dict[Role, str] = {}
    """Who sits where: "person", or a player; seats that are not named are taken by the game's own players."""
    instance: str = ""
    """The id of what is played; else one is drawn by lot …"""
    set: str = ""
    """… from this set."""
    settings: dict[str, Any] = {}
    consent: str = ""
    minutes: float | None = None


class House(Struct, frozen=True):
    """What a server offers."""

    partners: tuple[str, ...] = ()
    """Players that anybody may ask for, besides the games' own."""
    consent: str = ""
    instances: Mapping[str, Sequence[Instance]] = {}
    """By game; the built-in set where there are none."""
    workers: int = 1
    """How many processes share what an address may do."""
    books: tuple[Book, ...] = ()
    """What anybody may look at."""
    gallery: bool = False
    """Anybody may look at all instances, and draw new ones."""
    admin: str = ""
    """The token of whoever may see everything; without one nobody may."""
    options: Mapping[str, str] = {}
    """For games' own pages."""
    hosts: tuple[str, ...] = ()
    """The names that the server can be asked by; any, where there are none."""


class Hall:
    def __init__(self, store: Store, house: House, post: Post | None = None) -> None:
        """With a post there are other servers, and some rooms are theirs."""
        self.store, self.house = store, house
        self.far = Far(self, post) if post else None
        self.rooms: dict[str, Room] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._sets: dict[str, Sequence[Instance]] = dict(house.instances)
        self._games: dict[str, Pack] = {}

    async def open(self) -> None:
        look_at_types(self.games().values())
        await self.store.open()
        if self.far:
            await self.far.open()

    # Making rooms
    # -----------------------------------------------------------------------------------------------------

    def games(self) -> dict[str, Pack]:
        """Those that people can play. What is installed is looked up once: it takes milliseconds."""
        if not self._games:
            found = {name: find(name) for name in packs()}
            self._games = {name: pack for name, pack in found.items() if pack.live is not None}
        return self._games

    def game(self, name: str) -> Pack:
        known = self.games()
        if name not in known:
            raise Problem(f"there is no game {name!r} to play here: {choices(known)}")
        return known[name]

    def instances(self, pack: Pack) -> Sequence[Instance]:
        if pack.name not in self._sets:
            self._sets[pack.name] = load(pack.builtin)()
        return self._sets[pack.name]

    async def create(self, order: Order, invites: Mapping[Role, str] = {}) -> dict[Role, str]:
        """A new room; the secrets that let people in, by seat. Who has a secret already gives its hash."""
        pack = self.game(order.game)
        assert pack.live is not None
        game = pack.new(_settings(pack, order.settings))
        instance = await self._choose(pack, order)
        roles = game.seats(instance)
        if extra := set(order.seats) - set(roles):
            raise Problem(
                f"{pack.name} has no seat {', '.join(sorted(extra))} with these settings: {choices(roles)}"
            )
        seats = {role: order.seats.get(role, pack.live.partners[role]) for role in roles}
        for role, who in seats.items():
            self._check_partner(pack, role, who)
        if PERSON not in seats.values():
            raise Problem('nobody is invited to this room: give somebody the seat "person"')
        minutes = pack.live.minutes if order.minutes is None else order.minutes
        if not 1 <= minutes <= 24 * 60:
            raise Problem(f"minutes is {minutes:g}: a game may take 1 to {24 * 60}")
        booking = Booking(
            id=secrets.token_hex(6),
            at=time(),
            game=pack.name,
            instance=msgspec.Raw(msgspec.json.encode(instance)),
            settings=msgspec.Raw(msgspec.json.encode(game.settings)),
            seats=seats,
            seed=secrets.randbits(48),
            minutes=minutes,
            consent=order.consent or self.house.consent,
        )
        check_seats(seats, pack, game, [instance])
        try:  # what cannot be seated is told now
            await asyncio.to_thread(self._machine, booking, pack, instance)
        except OSError as trouble:
            raise Problem(advice(trouble)) from None
        links = {role: new_secret() for role in booking.people if role not in invites}
        hashes = {**{role: hashed(secret) for role, secret in links.items()}, **invites}
        await self.store.book(booking, [Chair(booking.id, role, invite) for role, invite in hashes.items()])
        return links

    async def drawn(self, pack: Pack) -> list[tuple[str, Instance]]:
        """What people drew here, by the names that they gave it, the latest first."""
        read = msgspec.json.Decoder(load(pack.game).Instance).decode
        return [(made.name, read(made.instance)) for made in await self.store.made(pack.name)]

    async def _choose(self, pack: Pack, order: Order) -> Instance:
        """One that was drawn here only where it is asked for."""
        there = list(self.instances(pack))
        if order.instance or order.set:
            there += [instance for _, instance in await self.drawn(pack)]
        if order.instance:
            there = [instance for instance in there if instance.id == order.instance]
        elif order.set:
            there = [instance for instance in there if instance.set == order.set]
        if not there:
            raise Problem(
                f"{pack.name} has no instance {order.instance!r}"
                if order.instance
                else f"no set {order.set!r} here"
            )
        return secrets.choice(there)

    def _check_partner(self, pack: Pack, role: Role, who: str) -> None:
        """A player may read files and spend money: the house says which it lets in."""
        assert pack.live is not None
        offered = (PERSON, pack.live.partners[role], *self.house.partners)
        if who not in offered:
            raise Problem(
                f"{who!r} is not offered as {role} here: {choices(offered)}; groundling serve --partner adds others"
            )

    def _machine(self, booking: Booking, pack: Pack, instance: Instance) -> dict[Role, Player]:
        """In another thread: a player may take seconds to read what it has learned."""
        game = pack.new(msgspec.json.decode(booking.settings, type=load(pack.game).Settings))
        return {
            role: take_seat(pack, game, role, who, [instance], no_runs)
            for role, who in booking.seats.items()
            if who != PERSON
        }

    # Finding them again
    # -----------------------------------------------------------------------------------------------

    async def seat(self, name: str, role: Role | None) -> Seat | None:
        """In a room, wherever it is; without a role, to look on."""
        try:
            room = await self.room(name)
        except Elsewhere as where:
            assert self.far is not None
            return FarSeat(self.far, where.server, name, role)
        if room is None:
            return None
        return Lookout(room) if role is None else NearSeat(room, role)

    async def room(self, name: str) -> Room | None:
        """From memory or from the store. Raises Elsewhere where another server runs it."""
        async with self._opening.setdefault(name, asyncio.Lock()):
            if name not in self.rooms:
                booking = await self.store.booking(name)
                if booking is None:
                    return None
                if self.far:
                    await self.far.claim(name)
                try:
                    self.rooms[name] = await self._open(booking)
                except BaseException:
                    await self._release(name)
                    raise
            return self.rooms[name]

    async def _open(self, booking: Booking) -> Room:
        pack = self.game(booking.game)
        records = await self.store.records(booking.id)
        instance = msgspec.json.decode(booking.instance, type=load(pack.game).Instance)
        machines = await asyncio.to_thread(self._machine, booking, pack, instance)
        return Room(booking, pack, self.store, records, time, machines.__getitem__)

    async def _release(self, name: str) -> None:
        if self.far:
            await self.far.post.release(name)

    async def keep(self) -> None:
        """Look after the rooms, for as long as the server runs. Raises where it cannot."""
        for second in count(1):
            await asyncio.sleep(1)
            self.store.check()
            if self.far:
                await self.far.look()
            if second % LOOK_FOR_ERASED == 0:
                with suppress(*self.store.troubles):  # a full disk, say: it is looked for again
                    await self._drop_erased()
            now = time()
            for name in list(self.rooms):
                try:
                    await self._look_after(name, now)
                except Exception:  # whatever one room runs into, the others are looked after
                    log.exception("room %s is given up and will be opened again from the store", name)
                    await self._drop(name)

    async def _look_after(self, name: str, now: float) -> None:
        if (room := self.rooms.get(name)) is None:
            return
        if room.trouble is not None:
            raise RuntimeError(f"room {name} cannot go on") from room.trouble
        await room.tick(now)
        if (
            not room.present
            and not room.watchers
            and now - room.touched > (FORGET_OVER if room.over else FORGET)
        ):
            await self._drop(name)

    async def _drop_erased(self) -> None:
        """Rooms of which the store has more than we wrote: somebody's part was erased, and must not be shown
        any more."""
        for name, records in (await self.store.sizes(list(self.rooms))).items():
            room = self.rooms.get(name)
            if room and records > room.saved and await room.is_outdated():
                await self._drop(name)

    async def _drop(self, name: str) -> None:
        async with self._opening.setdefault(name, asyncio.Lock()):
            if room := self.rooms.pop(name, None):
                await room.leave()
                await self._release(name)

    async def close(self) -> None:
        for name in list(self.rooms):
            await self._drop(name)
        if self.far:
            await self.far.close()
        await self.store.close()


def _settings(pack: Pack, wanted: Mapping[str, Any]) -> Any:
    assert pack.live is not None
    kind = load(pack.game).Settings
    known = kind.__struct_fields__
    if extra := set(wanted) - set(known):
        raise Problem(f"{pack.name} has no setting {', '.join(sorted(extra))}: {choices(known)}")
    try:
        return msgspec.convert({**pack.live.settings, **wanted}, kind)
    except msgspec.ValidationError as trouble:
        raise Problem(f"a setting of {pack.name} is wrong: {trouble}") from None


def no_runs(name: str) -> Mapping[str, Transcript]:
    raise Problem(f"the run {name} cannot be recited here: a server seats players that need no run")
