"""What pages are told about the games of a server: ways to play, seats, help and settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from groundling.core.desk import Preset
from groundling.core.pack import Pack, load
from groundling.core.setting_fields import read_live_settings, write_setting_query
from groundling.core.values import Instance, Role
from groundling.web.screen import opening_screen_picture, seat_help
from groundling.web.waiting_queue import queue_name


class SeatOffer(Struct, frozen=True):
    partner: str
    """The player that takes the seat if no person does."""
    help: list[str]
    waiting: int
    """The people in the queue for this seat."""


class GameOffer(Struct, frozen=True):
    """A game with settings: a preset of it, or what a link asks for."""

    title: str
    about: str
    settings: str
    """The settings that differ from the usual ones, as in a link."""
    people: list[Role]
    """The seats that people may take."""
    seats: dict[Role, SeatOffer]


class GameSamples:
    """A sample instance of each game, and its picture: one that is played here would reveal its target."""

    def __init__(self) -> None:
        self._samples: dict[str, Instance] = {}
        self._thumbnails: dict[str, str] = {}

    def find_sample(self, pack: Pack) -> Instance:
        if pack.name not in self._samples:
            self._samples[pack.name] = load(pack.make)(load(pack.recipe)(n=4, seed=20))[0]
        return self._samples[pack.name]

    def draw_thumbnail(self, pack: Pack) -> str:
        """Draw the opening of the sample as its first seat sees it."""
        if pack.name not in self._thumbnails:
            self._thumbnails[pack.name] = opening_screen_picture(pack, self.find_sample(pack))
        return self._thumbnails[pack.name]


def make_game_offer(
    pack: Pack,
    sample: Instance,
    waiting: Mapping[tuple[str, Role], int],
    chosen: Mapping[str, Any],
    preset: Preset,
) -> GameOffer:
    """Describe a game with these settings. Raises Problem where they are wrong."""
    settings = read_live_settings(pack, chosen)
    game, query = pack.new(settings), write_setting_query(pack, settings)
    roles = game.seats(sample)
    seats = {
        role: SeatOffer(
            pack.live.partners[role],
            seat_help(pack, game, sample, role),
            waiting.get((queue_name(pack.name, query), role), 0),
        )
        for role in roles
    }
    people = [role for role in roles if not preset.seats or role in preset.seats]
    return GameOffer(preset.title, preset.about, query, people, seats)
