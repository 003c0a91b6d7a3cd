"""All rooms of a server: made, found again, waited for, and looked after."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence
from time import time
from typing import Any

import msgspec
from msgspec import Struct

from ..core.events import Transcript
from ..core.pack import Pack, choices, find, load, packs
from ..core.player import Player
from ..core.values import Instance, Problem, Role
from ..players.seating import check_seats, take_seat
from .rooms import Room
from .store import PERSON, Booking, Chair, Store, hashed, new_secret

FORGET = 60.0
"""Seconds after which a room that nobody looks at is left to the store."""
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


class Hall:
    def __init__(self, store: Store, house: House) -> None:
        self.store, self.house = store, house
        self.rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        self._sets: dict[str, Sequence[Instance]] = dict(house.instances)

    # Making rooms -----------------------------------------------------------------------------------------------------

    def games(self) -> dict[str, Pack]:
        """Those that people can play."""
        found = {name: find(name) for name in packs()}
        return {name: pack for name, pack in found.items() if pack.live is not None}

    def game(self, name: str) -> Pack:
        known = self.games()
        if name not in known:
            raise Problem(f"there is no game {name!r} to play here: {choices(known)}")
        return known[name]

    def instances(self, pack: Pack) -> Sequence[Instance]:
        if pack.name not in self._sets:
            self._sets[pack.name] = load(pack.builtin)()
        return self._sets[pack.name]

    async def create(self, order: Order) -> dict[Role, str]:
        """A new room; the secrets that let people in, by seat."""
        pack = self.game(order.game)
        assert pack.live is not None
        game = pack.new(_settings(pack, order.settings))
        instance = self._choose(pack, order)
        roles = game.seats(instance)
        if extra := set(order.seats) - set(roles):
            raise Problem(f"{pack.name} has no seat {', '.join(sorted(extra))} with these settings: {choices(roles)}")
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
        await asyncio.to_thread(self._machine, booking, pack, instance)  # what cannot be seated is told now
        links = {role: new_secret() for role in booking.people}
        await self.store.book(booking, [Chair(booking.id, role, hashed(secret)) for role, secret in links.items()])
        return links

    def _choose(self, pack: Pack, order: Order) -> Instance:
        there = self.instances(pack)
        if order.instance:
            there = [instance for instance in there if instance.id == order.instance]
        elif order.set:
            there = [instance for instance in there if instance.set == order.set]
        if not there:
            raise Problem(f"{pack.name} has no instance {order.instance!r}" if order.instance else f"no set {order.set!r} here")
        return secrets.choice(there)

    def _check_partner(self, pack: Pack, role: Role, who: str) -> None:
        """A player may read files and spend money: the house says which it lets in."""
        assert pack.live is not None
        offered = (PERSON, pack.live.partners[role], *self.house.partners)
        if who not in offered:
            raise Problem(f"{who!r} is not offered as {role} here: {choices(offered)}; groundling serve --partner adds others")

    def _machine(self, booking: Booking, pack: Pack, instance: Instance) -> dict[Role, Player]:
        """In another thread: a player may take seconds to read what it has learned."""
        game = pack.new(msgspec.json.decode(booking.settings, type=load(pack.game).Settings))
        return {
            role: take_seat(pack, game, role, who, [instance], _no_runs) for role, who in booking.seats.items() if who != PERSON
        }

    # Finding them again -----------------------------------------------------------------------------------------------

    async def room(self, name: str) -> Room | None:
        """From memory or from the store."""
        async with self._opening.setdefault(name, asyncio.Lock()):
            if name not in self.rooms:
                booking = await self.store.booking(name)
                if booking is None:
                    return None
                pack = self.game(booking.game)
                records = await self.store.records(name)
                instance = msgspec.json.decode(booking.instance, type=load(pack.game).Instance)
                machines = await asyncio.to_thread(self._machine, booking, pack, instance)
                self.rooms[name] = Room(booking, pack, self.store, records, time, machines.__getitem__)
            return self.rooms[name]

    async def keep(self) -> None:
        """Look after the rooms, for as long as the server runs."""
        while True:
            await asyncio.sleep(1)
            now = time()
            for name, room in list(self.rooms.items()):
                try:
                    await self._look_after(name, room, now)
                except Exception:  # whatever one room runs into, the others are looked after
                    log.exception("room %s is given up and will be opened again from the store", name)
                    await self._drop(name)

    async def _look_after(self, name: str, room: Room, now: float) -> None:
        if room.trouble is not None:
            raise RuntimeError(f"room {name} cannot go on") from room.trouble
        await room.tick(now)
        if not room.present and now - room.touched > FORGET:
            await self._drop(name)

    async def _drop(self, name: str) -> None:
        async with self._opening.setdefault(name, asyncio.Lock()):
            if room := self.rooms.pop(name, None):
                await room.leave()
        self._opening.pop(name, None)

    async def close(self) -> None:
        for name in list(self.rooms):
            await self._drop(name)
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


def _no_runs(name: str) -> Mapping[str, Transcript]:
    raise Problem(f"the run {name} cannot be recited here: a server seats players that need no run")
