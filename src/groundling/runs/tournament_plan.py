"""The file that names the players of a tournament, and `tournament.toml`, the plan of its folder."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from groundling import __version__
from groundling.core.field_mistakes import find_field_mistakes
from groundling.core.setting_fields import WrongField, convert_fields
from groundling.core.values import Problem
from groundling.files import encode_toml, write_whole_file
from groundling.players.player_specs import read_player_spec
from groundling.runs.tournament_folder import PEOPLE, TOURNAMENT_FILE, VERSUS

TournamentSeat: TypeAlias = Literal["giver", "follower"]
"""The seat of the game's speaker, and the other one, whatever the game calls them."""


class TournamentPlayer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player of a tournament."""

    player: Annotated[str, Meta(description="The player, as after `--seat ROLE=`.", min_length=1)]
    name: Annotated[
        str,
        Meta(description="Its name in tables and folders; default: from `player`.", pattern=r"^[\w.+-]*$"),
    ] = ""
    options: Annotated[
        dict[str, str | int | float | bool], Meta(description="Its options, as `,key=value` after `player`.")
    ] = {}
    seats: Annotated[
        tuple[TournamentSeat, ...], Meta(description="The seats that it takes; default: all that it can.")
    ] = ()
    games: Annotated[
        tuple[str, ...], Meta(description="The games that it plays; default: all that it can.")
    ] = ()

    @property
    def spec(self) -> str:
        """The player with its options, as after `--seat ROLE=`."""
        options = {
            key: str(value).lower() if isinstance(value, bool) else value
            for key, value in self.options.items()
        }
        return ",".join([self.player, *(f"{key}={value}" for key, value in options.items())])

    @property
    def label(self) -> str:
        """The name, which is part of the name of a folder."""
        if self.name:
            return self.name
        spec = read_player_spec(self.player)
        place = f"{spec.name}-{Path(spec.arg).name}" if spec.arg else spec.name
        return re.sub(r"[^\w.+]+", "-", place).strip("-.")


class TournamentGame(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is played of a game: fresh instances, unless there is a file or data."""

    n: Annotated[int, Meta(description="The number of fresh instances; 0: as the command says.", ge=0)] = 0
    recipe: Annotated[
        dict[str, Any], Meta(description="Fields of the recipe of fresh instances, as options of `make`.")
    ] = {}
    instances: Annotated[
        str, Meta(description="A file of instances, or `built-in`, instead of fresh ones.")
    ] = ""
    data: Annotated[str, Meta(description="Published data instead of fresh instances, as PATH@SPLIT.")] = ""
    sets: Annotated[tuple[str, ...], Meta(description="Only these sets.")] = ()
    settings: Annotated[dict[str, Any], Meta(description="Settings of the game, as options of `play`.")] = {}

    def convert_settings(self, name: str, kind: type[Struct]) -> Any:
        return _convert_table(f"games.{name}.settings", self.settings, kind)

    def convert_recipe(self, name: str, kind: type[Struct]) -> Any:
        return _convert_table(f"games.{name}.recipe", self.recipe, kind)


class TournamentFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The players of a tournament, and what is played."""

    players: Annotated[tuple[TournamentPlayer, ...], Meta(min_length=1)]
    games: Annotated[
        dict[str, TournamentGame], Meta(description="What is played of a game; default: fresh instances.")
    ] = {}


class PlannedPair(Struct, frozen=True, omit_defaults=True):
    giver: str
    follower: str
    shared: int = 0
    """The number of games that both learned from."""
    known: int = 0
    """The number of played instances that one of them learned from."""


class PlannedGame(Struct, frozen=True, kw_only=True):
    source: str
    instances: str
    """Their SHA-256."""
    count: int
    settings: dict[str, Any]
    pairs: tuple[PlannedPair, ...]


class TournamentPlan(Struct, frozen=True, kw_only=True):
    """What `tournament.toml` holds."""

    players: dict[str, TournamentPlayer]
    games: dict[str, PlannedGame]
    seed: int = 0
    repeat: int = 1
    retries: int = 1
    partners: int | None = None
    """How many followers each giver plays with; None: all."""
    controls: bool = True

    def plan_hash(self) -> str:
        return sha256(msgspec.json.encode(self, order="sorted")).hexdigest()


def tournament_schema() -> dict[str, Any]:
    """The JSON schema of the file that names the players."""
    return msgspec.json.schema(TournamentFile)


def read_tournament_file(path: Path) -> TournamentFile:
    """Read the players of a tournament. Raises Problem with one line for each mistake."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
        raise Problem(f"{path} is not TOML ({trouble}): correct that line") from None
    if mistakes := [f"{path}: {where}: {told}" for where, told in find_field_mistakes(raw, TournamentFile)]:
        raise Problem("\n".join(mistakes))
    found = msgspec.convert(raw, TournamentFile)
    check_player_names(found.players)
    return found


def check_player_names(players: Iterable[TournamentPlayer]) -> None:
    """Raise Problem if a player is there twice, or has a name that cannot be part of a folder's."""
    named = [player.label for player in players]
    for name, count in Counter(named).items():
        if count > 1:
            raise Problem(f"there are two players called {name}: give one of them another name, or remove it")
        if VERSUS in name or not name or name.startswith((".", "-")) or name.endswith("-") or name == PEOPLE:
            raise Problem(f"a player cannot be called {name!r}: give it another name of letters and digits")
    specs = Counter(player.spec for player in players)
    if twice := [spec for spec, count in specs.items() if count > 1]:
        raise Problem(f"the player {twice[0]} is there twice: remove one of them")


def _convert_table(where: str, values: Mapping[str, Any], kind: type[Struct]) -> Any:
    if extra := [key for key in values if key not in kind.__struct_fields__]:
        known = ", ".join(kind.__struct_fields__) or "it has none"
        raise Problem(f"{where} has no {extra[0]}: choose from {known}")
    try:
        return convert_fields(values, kind)
    except WrongField as wrong:
        raise Problem(f"{where}.{wrong.field} is {values.get(wrong.field)!r}: {wrong.told}") from None


def read_tournament_plan(folder: Path) -> TournamentPlan | None:
    """Return the plan of a folder; None where it has none."""
    path = folder / TOURNAMENT_FILE
    if not path.exists():
        return None
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8"))["plan"], TournamentPlan)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, msgspec.ValidationError) as trouble:
        raise Problem(f"{path} cannot be read ({trouble}): restore it from a copy") from None


def write_tournament_plan(folder: Path, plan: TournamentPlan) -> None:
    """Write the plan with its hash, unless the folder has it already."""
    if read_tournament_plan(folder) == plan:
        return
    folder.mkdir(parents=True, exist_ok=True)
    about = {
        "groundling": __version__,
        "written": datetime.now(UTC).replace(microsecond=0),
        "sha256": plan.plan_hash(),
        "plan": msgspec.to_builtins(plan),
    }
    write_whole_file(folder / TOURNAMENT_FILE, encode_toml(about))


def merge_tournament_plans(before: TournamentPlan | None, now: TournamentPlan) -> TournamentPlan:
    """Return the plan of a folder with what is added now: players, games and repeats."""
    if before is None:
        return now
    for name, player in now.players.items():
        if name in before.players and before.players[name].spec != player.spec:
            there = before.players[name].spec
            raise Problem(
                f"the player {name} was {there} when the tournament was begun and is {player.spec} now: "
                "give it another name, or choose another folder with -o"
            )
    fixed = ("seed", "retries")
    for field in fixed:
        then, here = getattr(before, field), getattr(now, field)
        if then != here:
            raise Problem(
                f"the tournament was begun with {field} {then}, not {here}: "
                f"give --{field} {then}, or choose another folder with -o"
            )
    games = {
        name: _merge_games(before.games.get(name), now.games.get(name))
        for name in dict.fromkeys([*before.games, *now.games])
    }
    return msgspec.structs.replace(
        now,
        players={**before.players, **now.players},
        games=games,
        repeat=max(before.repeat, now.repeat),
        controls=before.controls or now.controls,
    )


def _merge_games(before: PlannedGame | None, now: PlannedGame | None) -> PlannedGame:
    if before is None or now is None:
        found = before or now
        assert found is not None
        return found
    played = {(pair.giver, pair.follower) for pair in now.pairs}
    kept = [pair for pair in before.pairs if (pair.giver, pair.follower) not in played]
    pairs = sorted([*kept, *now.pairs], key=lambda pair: (pair.giver, pair.follower))
    return msgspec.structs.replace(now, pairs=tuple(pairs))
