"""What pages are told about the games of a server: ways to play, seats, help and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from msgspec import Struct

from groundling.core.desk import Preset
from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem, Role
from groundling.players.player_specs import known_player_specs, read_player_spec
from groundling.web.game_picture import draw_game_picture
from groundling.web.room_manager import RoomManager
from groundling.web.screen import changed_live_settings, live_settings_key, seat_help
from groundling.web.stimuli import StimulusLibrary
from groundling.web.store import PERSON
from groundling.web.waiting_queue import QueueKey


class SeatOffer(Struct, frozen=True):
    partner: str
    """The player that takes the seat if no person does."""
    recorded: Sequence[str]
    """The recorded players that can take it in some instance of the operator's."""
    help: list[str]
    waiting: int
    """The people in the queue for this seat."""


class GameOffer(Struct, frozen=True):
    """A game with settings: a preset of it, or what a link asks for."""

    title: str
    about: str
    settings: dict[str, Any]
    """Those that differ from the usual ones."""
    people: list[Role]
    """The seats that people may take."""
    seats: dict[Role, SeatOffer]


class GameSamples:
    """A sample instance of each game, and its picture: one that is played here would reveal its target."""

    def __init__(self, stimuli: StimulusLibrary) -> None:
        self._stimuli = stimuli
        self._samples: dict[str, Instance] = {}
        self._thumbnails: dict[str, str] = {}

    def find_sample(self, pack: Pack) -> Instance:
        if pack.name not in self._samples:
            made = (load(pack.make)(load(pack.recipe)(n=4, seed=seed))[0] for seed in count(20))
            self._samples[pack.name] = next(one for one in made if not self._stimuli.is_secret(one))
        return self._samples[pack.name]

    def draw_thumbnail(self, pack: Pack) -> str:
        """Draw the sample in play. The first time takes a second or more, so call it in a thread."""
        if pack.name not in self._thumbnails:
            self._thumbnails[pack.name] = draw_game_picture(pack, self.find_sample(pack))
        return self._thumbnails[pack.name]


def list_game_partners(partners: Sequence[str], pack: Pack) -> list[str]:
    """Those of the server's partners that are for this game: models, code, and players that it knows."""
    known, specs = known_player_specs(pack), [(name, read_player_spec(name)) for name in partners]
    return [name for name, spec in specs if spec.is_model or spec.is_code or spec.name in known]


def make_game_offer(
    room_manager: RoomManager,
    pack: Pack,
    sample: Instance,
    waiting: Mapping[QueueKey, int],
    preset: Preset,
    instances: Sequence[Instance] = (),
) -> GameOffer:
    """Describe a game with the settings of a preset. Raises Problem where they are wrong, or none of the
    instances, by default the server's, can be played with them."""
    game = room_manager.make_game(pack, preset.settings)
    seats, key = room_manager.people_seats(pack, game, instances), live_settings_key(pack, game)
    players = dict(pack.live.partners)
    for seated in seats.values():
        players |= {role: who for role, who in seated.items() if who != PERSON}
    roles = {role for seated in seats.values() for role in seated}
    recorded = room_manager.stimuli.recorded_partners(pack)
    offers = {
        role: SeatOffer(
            players[role],
            recorded[role],
            seat_help(pack, game, sample, role),
            waiting.get(QueueKey(pack.name, role, key), 0),
        )
        for role in pack.roles
        if role in roles
    }
    people = [role for role in seats if not preset.seats or role in preset.seats]
    return GameOffer(preset.title, preset.about, changed_live_settings(pack, game), people, offers)


def list_game_presets(
    room_manager: RoomManager, pack: Pack, sample: Instance, waiting: Mapping[QueueKey, int]
) -> list[GameOffer]:
    """Describe the presets of a game that can be played here."""
    offers: list[GameOffer] = []
    for preset in pack.live.presets:
        with suppress(Problem):
            offers.append(make_game_offer(room_manager, pack, sample, waiting, preset))
    return offers


async def offer_asked_game(
    room_manager: RoomManager,
    samples: GameSamples,
    waiting: Mapping[QueueKey, int],
    name: str,
    query: Mapping[str, str],
    *,
    is_admin: bool = False,
) -> GameOffer:
    """Describe a game with the instance, the set and the settings of a query, or raise Problem for a wrong
    one. Only the administrator is told the names of secret stimuli."""
    pack, settings = room_manager.find_game(name), dict(query)
    instances = await room_manager.find_instances(
        pack, settings.pop("instance", ""), settings.pop("set", ""), is_admin=is_admin
    )
    preset = Preset(title="As chosen", about="", settings=settings)
    return make_game_offer(room_manager, pack, samples.find_sample(pack), waiting, preset, instances)
