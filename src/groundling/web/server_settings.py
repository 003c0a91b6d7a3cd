"""What a page asks for to create a room, and how the operator has set up the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from groundling.core.values import Role
from groundling.web.episode_library import EpisodeCollection
from groundling.web.stimuli import StimulusSet
from groundling.web.studies.served_study import ServedStudy


class RoomRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends to create a room."""

    game: str
    seats: dict[Role, str] = {}
    """Role to "person" or a player. The game's own players take the other seats."""
    instance: str = ""
    """The id of the instance, else one is chosen at random."""
    set: str = ""
    """The set to choose from."""
    settings: dict[str, Any] = {}
    consent: str = ""
    minutes: float | None = None


class ServerSettings(Struct, frozen=True):
    partners: tuple[str, ...] = ()
    """Players that anybody may choose, besides the games' own."""
    consent: str = ""
    instances: tuple[str, ...] = ()
    """What is played, as given with --instances."""
    sets: tuple[StimulusSet, ...] = ()
    """The same, opened by each worker."""
    builtin: bool = True
    """Whether the built-in set of a game that has others can be played too."""
    workers: int = 1
    """Processes that share the rate limits of an address."""
    limit_for: Mapping[str, int] = {}
    """Address ranges, and how many people are behind each of their addresses."""
    books: tuple[EpisodeCollection, ...] = ()
    """Runs and data that anybody may replay; each worker opens those of `runs` and `data` itself."""
    runs: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    closed: bool = False
    """Whether only the administrator may open rooms."""
    typing: bool = True
    """Whether pages show that the partner is writing."""
    gallery: bool = False
    """Whether anybody may see all instances and draw new ones."""
    admin: str = ""
    """The admin token; without one there are no admin pages."""
    options: Mapping[str, str] = {}
    """Options for the admin pages that games bring."""
    games: tuple[str, ...] = ()
    """Games that are played here, by name, file or module; none: all that are installed."""
    studies: tuple[str, ...] = ()
    """The folders of studies, as given with --study."""
    served_studies: tuple[ServedStudy, ...] = ()
    """The same, loaded by each worker."""
    preview: bool = False
    """Whether every page says that nothing is kept."""
    hosts: tuple[str, ...] = ()
    """Host names that the server answers to; none: all."""
