"""The Pack: all that belongs to one game, its only interface for other packages, and its lookup by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from random import Random
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from groundling.core.code_files import FILE_SPEC, CodeOrigin, load_code
from groundling.core.desk import Live
from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.player import Player, Reply
from groundling.core.values import Instance, Problem, Recipe, Role

T = TypeVar("T")
Lazy: TypeAlias = T | str
"""A value, or the "module:attribute" to load it from, so that listing games imports nothing heavy."""

GROUP = "groundling.games"


class Measure(Struct, frozen=True):
    """The description of one number that episodes are scored with."""

    name: str
    about: str
    low: float | None = None
    high: float | None = None
    category: bool = False
    """The numbers stand for categories: they are counted, not averaged."""
    by_weight: bool = True
    """Means weight episodes by `Scores.weight`; else each counts 1."""
    headline: bool = False
    """Printed with its interval wherever results are printed, also after `groundling play`."""


class Scores(Struct, frozen=True):
    """An episode's numbers by measure (None: undefined), and the same for each turn if a game scores
    turns."""

    episode: dict[str, float | None]
    turns: tuple[dict[str, float | None], ...] = ()
    weight: float = 1.0
    """The weight of the episode in means: the number of its turns if means are over turns."""
    facets: Mapping[str, str] = {}
    """Facets of the episode by which scores can be broken down, by name …"""
    turn_facets: tuple[Mapping[str, str], ...] = ()
    """… and of each turn."""
    baselines: Mapping[str, float] = {}
    """The expected scores of simple players on the same instance, by player name."""


class Drawing(Struct, frozen=True):
    """A rendered view: the board as text, the words said so far, and both as one SVG."""

    board: str
    svg: str
    words: str = ""
    reply: str = ""
    """The kind of reply that is expected, if a game has several: prompts have a section for each."""
    terms: Mapping[str, str] = {}
    """Values to fill into that section."""
    alone: bool = False
    """A reply depends on nothing else: language models are not shown earlier turns."""

    @property
    def text(self) -> str:
        """The board and the words."""
        return f"{self.board}\n\n{self.words}" if self.words else self.board


class Seat(Struct):
    """The input of a player factory: `--seat ROLE=NAME[:ARG][,key=value…]`."""

    pack: Pack
    game: AnyGame
    role: Role
    name: str
    arg: str = ""
    options: dict[str, str] = {}
    instances: Sequence[Instance] = ()
    """All instances that this run may play."""
    recordings: Callable[[str], Mapping[str, Transcript]] | None = None
    """Opens a run by the name that the user gave, and returns its transcripts by episode."""

    def option(self, name: str, default: str = "") -> str:
        """Pop an option. Options that are left over are reported to the user as unknown."""
        return self.options.pop(name, default)


Factory: TypeAlias = Callable[[Seat], Player]


class Pack(Struct, frozen=True, kw_only=True):
    name: str
    about: str
    board: str
    shape: str
    roles: tuple[Role, ...]
    speaker: Role
    """The seat whose words the controls remove or exchange."""
    measures: Lazy[tuple[Measure, ...]]
    """The measures of `score`. The first is the main one, in which `top`, `chance` and Result are given."""
    game: Lazy[type[AnyGame]]
    recipe: Lazy[type[Recipe]]
    make: Lazy[Callable[[Any], list[Any]]]
    builtin: Lazy[Callable[[], list[Any]]]
    score: Lazy[Callable[[Any, Transcript], Scores]]
    top: Lazy[Callable[[Any], float]]
    chance: Lazy[Callable[[Any], float]]
    """The expected main score of guessing."""
    cluster: Lazy[Callable[[Any], str]]
    """Instances of the same cluster are not independent; intervals resample clusters."""
    draw: Lazy[Callable[[Any], Drawing]]
    hide: Lazy[Callable[[Any, Role, Random], Any]]
    """Returns an instance that differs in all that the role must not know; None if nothing is hidden from
    it."""
    players: Mapping[str, Lazy[Factory]]
    prompts: str = ""
    """The package whose folder `prompts` holds the prompts for language models."""
    recorded: Lazy[Callable[[Seat], Callable[[Any], Sequence[Reply]]]] | None = None
    """Returns a seat's recorded replies in an instance, in order, for the player `replay`. That player takes
    a seat by default if all instances carry replies of it."""
    fits: Lazy[Callable[[Any, Mapping[Role, str], Sequence[Any]], None]] | None = None
    """Raises Problem if settings, player names and instances are incompatible."""
    judge: Lazy[Callable[[Any, Any], Drawing]] | None = None
    """Draws a state beside its target, for reports; no player sees it."""
    folder: Lazy[Callable[[Any, Sequence[Any]], Iterable[tuple[str, bytes]]]] | None = None
    """Returns further files by path, for recipes with a `name`, whose instances are written into a folder."""
    shown: tuple[str, ...] = ()
    """Facets by which reports plot the main measure; several at once as "one+other"."""
    offsets: tuple[str, str] | None = None
    """Two facets, the horizontal and vertical offset of a wrong choice, of which reports draw a map."""
    live: Live | None = None
    """How people play it in a browser; None if they cannot."""
    code: CodeOrigin | None = None
    """Where it was loaded from; None if it is installed."""

    def new(self, settings: Any = None) -> AnyGame:
        game = load(self.game)
        return game(game.Settings() if settings is None else settings)


def pack_in(package: str, *, game: str, recipe: str, players: Mapping[str, str], **fields: Any) -> Pack:
    """Make the pack of a game whose files have the usual names: `rules.py`, `make.py`, `score.py`, `draw.py`.
    Players are given as "module:factory" relative to the package."""
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
    """Return a lazy value, importing it if necessary."""
    if not isinstance(value, str):
        return value
    module, _, attribute = value.partition(":")
    try:
        found: T = getattr(import_module(module), attribute)
    except Exception as trouble:  # importing a third-party package can raise anything
        told = " ".join(f"{type(trouble).__name__}: {trouble}".split())
        raise Problem(f"{value} cannot be loaded ({told}): correct that package, or remove it") from trouble
    return found


def installed_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return a group's entry points by name without importing them."""
    return {point.name: point for point in sorted(entry_points(group=group), key=lambda p: p.name)}


def load_entry_point(known: Mapping[str, EntryPoint], name: str, kind: type[T], what: str) -> T:
    """Import the entry point of that name and check its type."""
    if name not in known:
        raise Problem(f"there is no {what}: {choices_hint(known)}" if known else f"no {what} is installed")
    found: object = load(known[name].value)
    if not isinstance(found, kind):
        told = f"a {kind.__name__} but a {type(found).__name__}"
        raise Problem(f"{known[name].value} is not {told}: correct that package's entry point")
    return found


def installed_packs() -> dict[str, EntryPoint]:
    return installed_entry_points(GROUP)


def find(name: str) -> Pack:
    """Return a game's pack by the name of an installed game, by "MODULE:PACK" or by "FILE.py[:PACK]"."""
    if ":" in name or FILE_SPEC.fullmatch(name):
        return load_pack(name)
    known = installed_packs()
    if name not in known:
        raise Problem(
            f"there is no game {name!r}: {choices_hint(known)}, or give a file as FILE.py or PACKAGE:PACK"
        )
    pack = load_pack(known[name].value)
    if pack.name != name:
        raise Problem(
            f"the entry point {name!r} leads to a pack called {pack.name!r}: give both the same name"
        )
    return pack


def load_pack(path: str) -> Pack:
    """Load a pack by "MODULE:PACK" or "FILE.py[:PACK]". One that is not installed has its origin."""
    if any(path == point.value for point in installed_packs().values()):
        pack: object = load(path)
        origin = None
    elif all(path.partition(":")) or FILE_SPEC.fullmatch(path):
        pack, origin = load_code(path, lambda value: isinstance(value, Pack), "a Pack")
    else:
        raise Problem(f"{path!r} is not PACKAGE:PACK: write it as in groundling.games.reference:pack")
    if not isinstance(pack, Pack):
        raise Problem(f"{path} is not a Pack but a {type(pack).__name__}: point to the Pack object")
    return replace(pack, code=origin) if origin else pack


def command_name(pack: Pack) -> str:
    """Return what a command takes to name this game."""
    return pack.code.code if pack.code else pack.name


def choices_hint(names: Iterable[str]) -> str:
    """Return the end of an error message that lists the valid names."""
    return "choose from " + ", ".join(sorted(names))
