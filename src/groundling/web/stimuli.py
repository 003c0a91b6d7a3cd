"""Stimuli: the sets of instances that the rooms of a server play.

The sets that the operator names with `--instances` are secret: pages play them and show nothing else of them,
and refusals name their ids to the administrator only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from hashlib import sha256
from itertools import chain

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript, event_decoder
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, choices_hint, load
from groundling.core.player import Player, Turn
from groundling.core.values import Instance, Problem, Role
from groundling.players.player_specs import (
    check_seat_specs,
    make_player_from_spec,
    read_player_spec,
    with_recorded_specs,
)
from groundling.web.room_players import RecordedPlayer
from groundling.web.screen import make_live_game
from groundling.web.store import Booking

BUILT_IN, DRAWN = "built-in", "drawn"
"""Names of the sets that are played on request: the built-in one, and what people drew in the gallery."""
REPLAY = "replay"
LONGEST_NAME = 80
"""Characters of a wrong name that are compared with valid ones."""
NEAREST = 3
"""Valid names that a refusal offers."""


class StimulusSet(Struct, frozen=True, eq=False):
    game: str
    name: str
    instances: Sequence[Instance]
    recordings: Mapping[str, Transcript] = {}
    """Recorded games by instance. Instances may also carry recordings of their own."""
    secret: bool = True
    on_request: bool = False
    """Whether it is played only where a room names the set or the instance."""
    reserved: bool = False
    """Whether only a study plays it: no room can ask for it."""

    def restrict_to(self, label: str) -> StimulusSet:
        """The instances whose own set has this name."""
        there = [instance for instance in self.instances if instance.set == label]
        return msgspec.structs.replace(self, instances=there)


class StimulusChoice(Struct, frozen=True):
    """What a room asks for."""

    set: str = ""
    instance: str = ""
    is_admin: bool = False
    """Whether a refusal may name what is secret."""


class StimulusLibrary:
    def __init__(self, sets: Iterable[StimulusSet], *, with_builtin: bool = True) -> None:
        """Without `with_builtin`, games that have sets of their own leave out the built-in set."""
        self._own: dict[str, list[StimulusSet]] = {}
        self._secrets: set[bytes] = set()
        for one in sets:
            self._secrets.update(map(_content_of, one.instances))
            if not one.reserved:
                self._own.setdefault(one.game, []).append(one)
        self._with_builtin = with_builtin
        self._builtin: dict[str, StimulusSet] = {}
        self._counts: dict[str, dict[str, int]] = {}
        self._recorded: dict[str, dict[Role, list[str]]] = {}

    def is_secret(self, instance: Instance) -> bool:
        """Whether one of the operator's sets has this instance, by whatever name."""
        return bool(self._secrets) and _content_of(instance) in self._secrets

    def list_sets(self, pack: Pack) -> list[StimulusSet]:
        """The operator's sets, then the built-in one, which is played on request if there are others."""
        own = self._own.get(pack.name, [])
        return [*own, self.builtin_set(pack)] if self.offers_builtin(pack) else own

    def builtin_set(self, pack: Pack) -> StimulusSet:
        if pack.name not in self._builtin:
            self._builtin[pack.name] = StimulusSet(
                pack.name, BUILT_IN, load(pack.builtin)(), secret=False, on_request=pack.name in self._own
            )
        return self._builtin[pack.name]

    def offers_builtin(self, pack: Pack) -> bool:
        return self._with_builtin or pack.name not in self._own

    def count_sets(self, pack: Pack) -> dict[str, int]:
        """The number of instances by the name of the set, and by the instances' own sets."""
        if pack.name not in self._counts:
            sets = self.list_sets(pack)
            names = {one.name: len(one.instances) for one in sets}
            labels = Counter(instance.set for one in sets for instance in one.instances if instance.set)
            self._counts[pack.name] = {**names, **labels, **names}
        return self._counts[pack.name]

    # Recordings

    def find_recording(self, pack: Pack, instance: Instance) -> Transcript | None:
        """The game of this instance in a run that the operator named."""
        for one in self._own.get(pack.name, ()):
            found = one.recordings.get(instance.id)
            if found is not None and found.opened.instance == instance:
                return found
        return None

    def has_recording(self, pack: Pack, game: AnyGame, role: Role, who: str, instance: Instance) -> bool:
        """Whether this recorded player can take the seat."""
        options = read_player_spec(who).options
        if found := self.find_recording(pack, instance):
            return role in found.opened.seats and not options
        return has_recorded_replies(pack, game, role, who, instance)

    def recorded_partners(self, pack: Pack) -> Mapping[Role, Sequence[str]]:
        """The recorded players that can take each seat in some instance of the operator's sets."""
        if pack.name not in self._recorded:
            game = make_live_game(pack)
            there = [*chain.from_iterable(one.instances for one in self._own.get(pack.name, ()))]
            self._recorded[pack.name] = {
                role: [
                    who
                    for who in pack.data.replays
                    if any(self.has_recording(pack, game, role, who, instance) for instance in there)
                ]
                for role in pack.roles
            }
        return self._recorded[pack.name]


def _content_of(instance: Instance) -> bytes:
    """A hash of what is played, without names and origins."""
    nameless = msgspec.structs.replace(instance, id="", set="", group="", origin="", canary="")
    return sha256(msgspec.json.encode(nameless)).digest()


def has_recorded_replies(pack: Pack, game: AnyGame, role: Role, who: str, instance: Instance) -> bool:
    """Whether the instance itself has replies for this recorded player."""
    if pack.data.recorded is None or role not in game.seats(instance):
        return False
    options = dict(read_player_spec(who).options)
    seat = Seat(pack, game, role, REPLAY, options=options, instances=[instance])
    return bool(load(pack.data.recorded)(seat)(instance))


def is_recorded_partner(who: str) -> bool:
    """Whether a player is a recorded one that names no run."""
    spec = read_player_spec(who)
    return spec.name == REPLAY and not spec.arg


def make_recorded_player(
    booking: Booking, pack: Pack, game: AnyGame, role: Role, instance: Instance
) -> Player:
    """Make a player that replays the recording of the booking, else that of the instance."""
    who, recordings = booking.seats[role], dict[str, Transcript]()
    if events := msgspec.json.decode(booking.recording, type=list[msgspec.Raw]):
        read = event_decoder(load(pack.game)).decode
        recordings[instance.id] = Transcript(tuple(map(read, events)))
        who = f"{REPLAY}:{booking.id}"
    player = make_player_from_spec(pack, game, role, who, [instance], lambda name: recordings)
    find_moves = load(pack.live.yields) if pack.live.yields else None

    def is_yielded(turn: Turn) -> bool:
        moves = tuple(find_moves(turn.view)) if find_moves else ()
        return bool(moves) and turn.text == game.write(moves)

    return RecordedPlayer(player, instance.id, is_yielded)


def refuse_room_recordings(name: str) -> Mapping[str, Transcript]:
    raise Problem(f"the run {name} cannot be replayed here: a server only offers players that need no run")


def find_stimuli(pack: Pack, sets: Sequence[StimulusSet], choice: StimulusChoice) -> list[Instance]:
    """The instances to choose from: the one with that id, those of a set, or all that need no request."""
    if choice.set:
        sets = _find_sets(pack, sets, choice)
    if choice.instance:
        return [_find_instance(pack, sets, choice)]
    return [instance for one in sets if choice.set or not one.on_request for instance in one.instances]


def _find_sets(pack: Pack, sets: Sequence[StimulusSet], choice: StimulusChoice) -> list[StimulusSet]:
    """The set of that name, else all instances whose own set has that name."""
    found = [one for one in sets if one.name == choice.set]
    found = found or [part for one in sets if (part := one.restrict_to(choice.set)).instances]
    if not any(one.instances for one in found):
        known = {one.name for one in sets if one.instances}
        known |= {each.set for one in sets if choice.is_admin or not one.secret for each in one.instances}
        raise Problem(f"{pack.name} has no set {choice.set!r} here{nearest_names_hint(choice.set, known)}")
    return found


def _find_instance(pack: Pack, sets: Sequence[StimulusSet], choice: StimulusChoice) -> Instance:
    """The instance of that id. The operator's sets come before those that are played on request."""
    for on_request in (False, True):
        found = [
            (one.name, instance)
            for one in sets
            if one.on_request == on_request
            for instance in one.instances
            if instance.id == choice.instance
        ]
        if any(instance != found[0][1] for _, instance in found):
            names = choices_hint(name for name, _ in found)
            raise Problem(f"several sets of {pack.name} have an instance {choice.instance!r}: {names}")
        if found:
            return found[0][1]
    known = {each.id for one in sets if choice.is_admin or not one.secret for each in one.instances}
    raise Problem(
        f"{pack.name} has no instance {choice.instance!r} here{nearest_names_hint(choice.instance, known)}"
    )


def nearest_names_hint(wanted: str, known: Iterable[str]) -> str:
    """Return the end of an error message that offers the valid names nearest to a wrong one."""
    found = get_close_matches(wanted[:LONGEST_NAME], sorted(filter(None, known)), NEAREST, 0.0)
    return f": the nearest are {', '.join(found)}" if found else ": use the link that you were given"


def fill_seats(chosen: Mapping[Role, str], pack: Pack, game: AnyGame, instance: Instance) -> dict[Role, str]:
    """Give each seat that nobody was chosen for to the game's own player, or to the recorded one where the
    instance has to be played as recorded. Raises Problem where neither fits."""
    own = {role: chosen.get(role, pack.live.partners[role]) for role in game.seats(instance)}
    recorded = {**own, **with_recorded_specs(chosen, pack, game, [instance])}
    try:
        check_seat_specs(own, pack, game, [instance])
    except Problem:
        if recorded == own:
            raise
        check_seat_specs(recorded, pack, game, [instance])
        return recorded
    return own
