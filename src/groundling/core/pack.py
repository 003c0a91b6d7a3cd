"""A pack is all that belongs to one game. Every other room reaches a game through it, and finds it by
name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from groundling.core.desk import Live
from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.player import Player, Reply
from groundling.core.values import Instance, Problem, Recipe, Role

T = TypeVar("T")
Lazy: TypeAlias = T | str
"""A value, or "module:attribute" where it is found: listing games imports nothing heavy."""

GROUP = "groundling.games"


class Measure(Struct, frozen=True):
    """One number an episode is scored with."""

    name: str
    about: str
    low: float | None = None
    high: float | None = None
    category: bool = False
    """The numbers are names: count them, do not average them."""
    by_weight: bool = True
    """In means, episodes count as much as they weigh; else each counts 1."""
    headline: bool = False
    """What people quote: printed with its interval wherever results are printed, also after `groundling play`."""


class Scores(Struct, frozen=True):
    """An episode's numbers by measure (None: it has none), and the same for each turn where a game has turns
    to score."""

    episode: dict[str, float | None]
    turns: tuple[dict[str, float | None], ...] = ()
    weight: float = 1.0
    """What the episode counts in means over episodes: the number of its turns, where these are what a mean is about."""
    facets: Mapping[str, str] = {}
    """What scores can be broken down by: name and value, of the episode …"""
    turn_facets: tuple[Mapping[str, str], ...] = ()
    """… and of each turn."""
    baselines: Mapping[str, float] = {}
    """What simple players can be expected to get on the same instance, by their names: shown beneath the scores."""


class Drawing(Struct, frozen=True):
    """A view, for eyes: the board as text, what has been said, and both as one SVG."""

    board: str
    svg: str
    words: str = ""
    reply: str = ""
    """Which kind of reply is asked for, where a game has several: prompts have a section for each."""
    terms: Mapping[str, str] = {}
    """What that section has to name."""
    alone: bool = False
    """It says all that a reply may depend on: a language model is not told of earlier turns."""

    @property
    def text(self) -> str:
        """All of it."""
        return f"{self.board}\n\n{self.words}" if self.words else self.board


class Seat(Struct):
    """What a player is made for: `--seat ROLE=NAME[:ARG][,key=value…]`."""

    pack: Pack
    game: AnyGame
    role: Role
    name: str
    arg: str = ""
    options: dict[str, str] = {}
    instances: Sequence[Instance] = ()
    """All that this run may play."""
    recordings: Callable[[str], Mapping[str, Transcript]] | None = None
    """Opens a run, by the name the user gave, as its transcripts by episode."""

    def option(self, name: str, default: str = "") -> str:
        """Take an option. What nobody takes is reported to the user as unknown."""
        return self.options.pop(name, default)


Factory: TypeAlias = Callable[[Seat], Player]


class Pack(Struct, frozen=True, kw_only=True):
    name: str
    about: str
    board: str
    shape: str
    roles: tuple[Role, ...]
    speaker: Role
    """The seat whose words the controls take away or exchange."""
    measures: Lazy[tuple[Measure, ...]]
    """What `score` gives; the first is the main one, on which `top`, `chance` and a game's Result are."""
    game: Lazy[type[AnyGame]]
    recipe: Lazy[type[Recipe]]
    make: Lazy[Callable[[Any], list[Any]]]
    builtin: Lazy[Callable[[], list[Any]]]
    score: Lazy[Callable[[Any, Transcript], Scores]]
    top: Lazy[Callable[[Any], float]]
    chance: Lazy[Callable[[Any], float]]
    """The main score that guessing gives."""
    cluster: Lazy[Callable[[Any], str]]
    """Instances with the same answer are not independent; intervals resample these."""
    draw: Lazy[Callable[[Any], Drawing]]
    hide: Lazy[Callable[[Any, Role, Random], Any]]
    """An instance that differs in everything that role must not know; None where nothing is kept from it."""
    players: Mapping[str, Lazy[Factory]]
    prompts: str = ""
    """The package whose folder `prompts` tells language models what to do."""
    recorded: Lazy[Callable[[Seat], Callable[[Any], Sequence[Reply]]]] | None = None
    """Where instances carry what people did: that seat's replies in an instance, in order, for the player `replay`. A seat
    of which all instances carry some is taken by `replay` if nobody else is named."""
    fits: Lazy[Callable[[Any, Mapping[Role, str], Sequence[Any]], None]] | None = None
    """Raises Problem where a game with its settings, the names of the players and the instances do not go together."""
    judge: Lazy[Callable[[Any, Any], Drawing]] | None = None
    """What nobody at the table sees, for reports: how a game's state stands beside what it should be."""
    folder: Lazy[Callable[[Any, Sequence[Any]], Iterable[tuple[str, bytes]]]] | None = None
    """What lies beside the instances where a recipe has a `name`, and a folder is made of them: files by their paths in it."""
    shown: tuple[str, ...] = ()
    """The facets of scores that reports plot the main measure by; several at once as "one+other"."""
    offsets: tuple[str, str] | None = None
    """Two facets, how far across and how far down a choice was off, of which reports draw a map."""
    live: Live | None = None
    """How people play it in a browser; None: they cannot."""

    def new(self, settings: Any = None) -> AnyGame:
        game = load(self.game)
        return game(game.Settings() if settings is None else settings)


def pack_in(package: str, *, game: str, recipe: str, players: Mapping[str, str], **fields: Any) -> Pack:
    """The pack of a game whose files have the usual names: `rules.py`, `make.py`, `score.py`, `draw.py`.
    Players are given as "module:factory" within the package."""
    places = {"make": "make", "builtin": "make", "draw": "draw", "hide": "rules"}
    places |= dict.fromkeys(("score", "top", "chance", "cluster"), "score")
    found: dict[str, Any] = {name: f"{package}.{module}:{name}" for name, module in places.items()}
    return Pack(
        game=f"{package}.rules:{game}",
        recipe=f"{package}.make:{recipe}",
        measures=f"{package}.score:MEASURES",
        players={name: f"{package}.{place}" for name, place in players.items()},
        prompts=package,
        **found,
        **fields,
    )


def load(value: T | str) -> T:
    """A lazy value, fetched."""
    if not isinstance(value, str):
        return value
    module, _, attribute = value.partition(":")
    try:
        found: T = getattr(import_module(module), attribute)
    except Exception as trouble:  # somebody's package may fail in any way when it is imported
        told = " ".join(f"{type(trouble).__name__}: {trouble}".split())
        raise Problem(f"{value} cannot be loaded ({told}): mend that package, or remove it") from trouble
    return found


def installed(group: str) -> dict[str, EntryPoint]:
    """What packages offer under the name of a group, none of it imported yet."""
    return {point.name: point for point in sorted(entry_points(group=group), key=lambda p: p.name)}


def pick(known: Mapping[str, EntryPoint], name: str, kind: type[T], what: str) -> T:
    """The one of that name, imported."""
    if name not in known:
        raise Problem(f"there is no {what}: {choices(known)}" if known else f"no {what} is installed")
    found: object = load(known[name].value)
    if not isinstance(found, kind):
        told = f"a {kind.__name__} but a {type(found).__name__}"
        raise Problem(f"{known[name].value} is not {told}: mend that package's entry point")
    return found


def packs() -> dict[str, EntryPoint]:
    """The installed games by name, ours and other people's."""
    return installed(GROUP)


def find(name: str) -> Pack:
    """An installed game's pack."""
    known = packs()
    if name not in known:
        raise Problem(f"there is no game {name!r}: {choices(known)}")
    pack = fetch(known[name].value)
    if pack.name != name:
        raise Problem(
            f"the entry point {name!r} leads to a pack called {pack.name!r}: give both the same name"
        )
    return pack


def fetch(path: str) -> Pack:
    """A pack by "package:attribute", installed or not."""
    if not all(path.partition(":")):
        raise Problem(f"{path!r} is not PACKAGE:PACK: write it as in groundling.games.reference:pack")
    pack: object = load(path)
    if not isinstance(pack, Pack):
        raise Problem(f"{path} is not a Pack but a {type(pack).__name__}: point to the Pack object")
    return pack


def choices(names: Iterable[str]) -> str:
    """The end of an error message: what would have been possible."""
    return "choose from " + ", ".join(sorted(names))
