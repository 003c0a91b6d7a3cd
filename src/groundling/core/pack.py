"""The Pack: all that belongs to one game, its only interface for other packages, and its lookup by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from groundling.core.code_files import FILE_SPEC, CodeOrigin, load_code
from groundling.core.desk import Live
from groundling.core.drawing import Drawing
from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.panel import PanelHints
from groundling.core.player import Player, Reply
from groundling.core.prompt_hints import FormerDefaults, PromptHints, Wordings
from groundling.core.result_tables import TextTable
from groundling.core.values import Instance, Problem, Recipe, Role

T = TypeVar("T")
I = TypeVar("I", bound=Instance)  # noqa: E741 - as in the signature of Game
Lazy: TypeAlias = T | str
"""A value, or the "module:attribute" to load it from, so that listing games imports nothing heavy."""

GROUP = "groundling.games"
DERIVED = "groundling.core.derived"
"""The module that stands in for what a pack leaves out."""


class Measure(Struct, frozen=True):
    """The description of one number that episodes are scored with."""

    name: str
    about: str
    low: float | None = None
    high: float | None = None
    category: bool = False
    """Its numbers are categories: they are counted, not averaged."""
    by_weight: bool = True
    """Means weight episodes by `Scores.weight`; else each counts 1."""
    headline: bool = False
    """Printed with its interval wherever results are printed, also after `groundling play`."""


class Scores(Struct, frozen=True):
    """An episode's numbers by measure (None: undefined), and each turn's if a game scores turns."""

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


class GameAgreement(Struct, frozen=True):
    """How far several games on one item agree."""

    games: tuple[float | None, ...]
    """Of each game with the others, from 0 to 1; None where nothing can be compared with it."""
    tags: Mapping[str, int] = {}
    """Counts by kind of agreement, such as the steps that all carried out alike."""


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
    live: bool = False
    """Whether a person takes part."""

    def option(self, name: str, default: str = "") -> str:
        """Pop an option. Options that are left over are reported to the user as unknown."""
        return self.options.pop(name, default)


def find_episode_instance(instances: Mapping[str, I], episode: str) -> I | None:
    """Return the instance of an episode among these by id. A room, whose id differs, has one."""
    name = episode.partition("#")[0]
    return instances.get(name) or (next(iter(instances.values())) if len(instances) == 1 else None)


Factory: TypeAlias = Callable[[Seat], Player]


class ScoredRun(Struct, frozen=True):
    """A run with the scores of its episodes."""

    name: str
    game: AnyGame
    episodes: Sequence[tuple[Transcript, Scores]]
    """Those that were played or aborted."""


PaperTables: TypeAlias = Callable[[Sequence[ScoredRun]], Sequence[TextTable]]
"""Makes the tables of a publication with runs as further rows, or raises Problem if these do not fit."""


class ReportHints(Struct, frozen=True, kw_only=True):
    """What reports show of a game beside its measures."""

    judge: Lazy[Callable[[Any, Any], Drawing]] | None = None
    """Draws a state beside its target; no player sees it."""
    made: Lazy[Callable[[Any], str]] | None = None
    """Draws what has been made in a state, alone, as an SVG document; by default the listener's view."""
    target: Lazy[Callable[[Any], str]] | None = None
    """Draws the target of an instance, alone, as an SVG document; by default the speaker's view."""
    shown: tuple[str, ...] = ()
    """Facets by which reports plot the main measure; several at once as "one+other"."""
    tables: Mapping[str, Lazy[PaperTables]] = {}
    """The tables of the game's paper with runs as further rows, by the name for `groundling score --as`."""
    covariates: tuple[str, ...] = ()
    """Facets with numbers for which comparisons over another facet are adjusted."""
    author: str = ""
    """The facet that names who wrote the words; such comparisons are repeated without each author."""
    offsets: tuple[str, str] | None = None
    """Two facets, the horizontal and vertical offset of a wrong choice, of which reports draw a map."""


class DataHooks(Struct, frozen=True, kw_only=True):
    """How a game's instances carry recorded play, restrict the players, and are written into folders."""

    recorded: Lazy[Callable[[Seat], Callable[[Any], Sequence[Reply]]]] | None = None
    """Returns a seat's recorded replies in an instance, in order, for the player `replay`. That player takes
    a seat by default if all instances carry replies of it."""
    replays: tuple[str, ...] = ("replay",)
    """The recorded players that pages offer, with their options."""
    prior: (
        Lazy[Callable[[Sequence[Transcript], Sequence[Transcript]], Sequence[Mapping[str, float]]]] | None
    ) = None
    """Returns what the outcomes of games on other instances score on the instance of each game, by measure:
    what one reaches without being told anything about it."""
    made: Lazy[Callable[[Transcript], Any]] | None = None
    """Returns the instance that a finished game has made, such as a procedure, or raises ValueError."""
    fits: Lazy[Callable[[Any, Mapping[Role, str], Sequence[Any]], None]] | None = None
    """Raises Problem if settings, player names and instances are incompatible."""
    folder: Lazy[Callable[[Any, Sequence[Any]], Iterable[tuple[str, bytes]]]] | None = None
    """Returns further files by path, for recipes with a `name`, whose instances are written into a folder."""


class ArrayHooks(Struct, frozen=True, kw_only=True):
    """Views and moves as numbers, for policies that learn. Without these, a seat sees text, and it writes
    text or chooses by number where the pack has `choices`."""

    boards: Lazy[Callable[[Any], Mapping[str, Sequence[Any]]]] | None = None
    """Returns the boards in a view by name, each as nested sequences of integers."""
    sizes: Lazy[Callable[[Any], Sequence[int]]] | None = None
    """Returns the number of values of each integer of an action in a view; none where the seat speaks."""
    moves: Lazy[Callable[[Any, Sequence[int]], tuple[Any, ...]]] | None = None
    """Returns the moves that the integers of an action stand for in a view."""


class DerivedHook(Struct, frozen=True, eq=False):
    """A hook that a pack leaves out: its function in `groundling.core.derived`, called with the pack."""

    pack: Pack
    name: str

    def __call__(self, *given: Any) -> Any:
        return load(f"{DERIVED}:{self.name}")(self.pack, *given)


_LEFT_OUT: Any = None  # a field that is derived from the others


class Pack(Struct, frozen=True, kw_only=True):
    """All that belongs to one game. Only the first six fields are required."""

    name: str
    about: str
    """What a player does, in one sentence without a full stop."""
    roles: tuple[Role, ...]
    game: Lazy[type[AnyGame]]
    make: Lazy[Callable[[Any], list[Any]]]
    draw: Lazy[Callable[[Any], Drawing]]

    help: Mapping[Role, str] = {}
    """What a newcomer in that seat must know, in a few sentences."""
    choices: Lazy[Callable[[Any], Sequence[Any]]] | None = None
    """Returns all moves that a seat can choose from in a view; none where it speaks freely. The players
    `gold` and `random`, `chance`, and the buttons in the browser are derived from it."""
    hide: Lazy[Callable[[Any, Role, Random], Any]] = f"{DERIVED}:hide"
    """Returns an instance that differs in all that the role must not know; None if it may know all."""
    recipe: Lazy[type[Recipe]] = Recipe
    builtin: Lazy[Callable[[], list[Any]]] = _LEFT_OUT
    measures: Lazy[tuple[Measure, ...]] = f"{DERIVED}:MEASURES"
    """The measures of `score`. The first is the main one, in which `top`, `chance` and Result are given."""
    score: Lazy[Callable[[Any, Transcript], Scores]] = _LEFT_OUT
    top: Lazy[Callable[[Any], float]] = f"{DERIVED}:top"
    chance: Lazy[Callable[[Any], float]] = _LEFT_OUT
    """The expected main score of guessing."""
    cluster: Lazy[Callable[[Any], str]] = f"{DERIVED}:cluster"
    """Instances of the same cluster are not independent; intervals resample clusters."""
    outcome: Lazy[Callable[[Any, Any], tuple[str, str]]] = f"{DERIVED}:outcome"
    """Returns what is meant in a state of the game and what has come of it so far, both as text."""
    agreement: Lazy[Callable[[Sequence[Transcript]], GameAgreement | None]] = _LEFT_OUT
    """Compares the games that people played on one item: first the game that made the item, if a game did,
    then the others. By default, the lines of their outcomes."""
    category: Lazy[Callable[[Any], str]] = f"{DERIVED}:category"
    """The kind of an instance within its set; samples are spread over sets and categories."""
    speaker: Role = ""
    """The seat whose words the controls remove or exchange; the first one by default."""
    board: str = "text"
    shape: str = "choose"
    players: Mapping[str, Lazy[Factory]] = {}
    prompts: str = ""
    """The package whose folder `prompts` holds the prompts for language models, or "package:folder"."""
    former_prompts: tuple[str, ...] = ()
    """The same for texts of earlier versions, the latest first, with which begun runs are resumed."""
    studies: str = ""
    """The package whose folder `studies` holds templates of studies with people, by name."""
    prompt_hints: Lazy[Callable[[Any], PromptHints]] | None = None
    """Returns what the prompt of a view depends on."""
    wordings: Wordings = Wordings()
    resolve: Lazy[Callable[[Any, frozenset[Role]], Any]] | None = None
    """Replaces values such as `auto` in chosen settings, given the seats of language models."""
    former: FormerDefaults | None = None
    live: Live = _LEFT_OUT
    """How people play it in a browser."""
    report: ReportHints = ReportHints()
    data: DataHooks = DataHooks()
    arrays: ArrayHooks = ArrayHooks()
    panel: PanelHints = PanelHints()
    """Who hears words again when `groundling blame` asks who failed."""
    code: CodeOrigin | None = None
    """Where it was loaded from; None if it is installed."""

    # Packs may also name the hints and hooks of `report` and `data` directly: they are moved there.
    judge: Any = None
    shown: Any = None
    offsets: Any = None
    recorded: Any = None
    fits: Any = None
    folder: Any = None

    def __post_init__(self) -> None:
        for name, flat in (
            ("report", ("judge", "shown", "offsets")),
            ("data", ("recorded", "fits", "folder")),
        ):
            given = {key: value for key in flat if (value := getattr(self, key)) is not None}
            force_setattr(self, name, replace(getattr(self, name), **given))
            for key in given:
                force_setattr(self, key, None)
        for name in ("builtin", "score", "chance", "agreement"):
            if isinstance(getattr(self, name), DerivedHook | None):
                force_setattr(self, name, DerivedHook(self, name))
        if self.choices is not None:
            derived = {name: f"{DERIVED}:Derived{name.title()}Player" for name in ("gold", "random")}
            force_setattr(self, "players", {**derived, **self.players})
        if self.live is None or isinstance(self.live.desk, DerivedHook):
            force_setattr(self, "live", self._derive_live())
        force_setattr(self, "speaker", self.speaker or self.roles[0])

    def _derive_live(self) -> Live:
        about = f"{self.about[:1].upper()}{self.about[1:]}."
        told = {role: (about, self.help[role]) if role in self.help else (about,) for role in self.roles}
        partner = "gold" if "gold" in self.players else next(iter(self.players), "gold")
        desk, partners = DerivedHook(self, "desk"), dict.fromkeys(self.roles, partner)
        return Live(title=self.name.capitalize(), desk=desk, help=told, partners=partners, reads=True)

    def new(self, settings: Any = None) -> AnyGame:
        game = load(self.game)
        return game(game.Settings() if settings is None else settings)


def command_name(pack: Pack) -> str:
    """Return what a command takes to name this game."""
    return pack.code.code if pack.code else pack.name


def resolve_settings(pack: Pack, settings: Any, models: Iterable[Role]) -> Any:
    """Return the settings of a run in which language models take these seats."""
    return load(pack.resolve)(settings, frozenset(models)) if pack.resolve else settings


def pack_in(package: str, *, game: str, recipe: str, players: Mapping[str, str], **fields: Any) -> Pack:
    """Make the pack of a game whose files have the usual names: `rules.py`, `make.py`, `score.py`, `draw.py`.
    Players are given as "module:factory" relative to the package."""
    places = {"make": "make", "builtin": "make", "draw": "draw", "hide": "rules"}
    places |= dict.fromkeys(("score", "top", "chance", "cluster", "outcome"), "score")
    found: dict[str, Any] = {name: f"{package}.{module}:{name}" for name, module in places.items()}
    return Pack(
        game=f"{package}.rules:{game}",
        recipe=f"{package}.make:{recipe}",
        measures=f"{package}.score:MEASURES",
        players={name: f"{package}.{place}" for name, place in players.items()},
        prompts=package,
        studies=package,
        former_prompts=(f"{package}:former_prompts",),
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
    except Problem:  # it says by itself what to do, such as which extra to install
        raise
    except Exception as trouble:  # importing a third-party package can raise anything
        told = " ".join(f"{type(trouble).__name__}: {trouble}".split())
        raise Problem(f"{value} cannot be loaded ({told}): correct that package, or remove it") from trouble
    return found


def installed_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return a group's entry points by name without importing them."""
    return dict(_select_entry_points(group, tuple(sys.path)))


@cache
def _select_entry_points(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(_read_entry_points(path)(group=group))}


@cache
def _read_entry_points(path: tuple[str, ...]) -> Callable[..., EntryPoints]:
    """Read a file of every package that is installed: once, since imports do not change either."""
    return entry_points().select


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
        file = f"{name}.py" if Path(f"{name}.py").is_file() else "FILE.py"
        others = f"{choices_hint(known)}, or give a file as {file} or PACKAGE:PACK"
        raise Problem(f"there is no game {name!r}: {others}")
    pack = load_pack(known[name].value)
    if pack.name != name:
        leads = f"the entry point {name!r} leads to a pack called {pack.name!r}"
        raise Problem(f"{leads}: give both the same name")
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


def choices_hint(names: Iterable[str]) -> str:
    """Return the end of an error message that lists the valid names."""
    return "choose from " + ", ".join(sorted(names))
