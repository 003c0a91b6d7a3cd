"""A tournament: players in all seats that they can take, over several games, each pair in its own run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.game import AnyGame
from groundling.core.pack import Pack, choices_hint, find, installed_packs, load
from groundling.core.player import Player
from groundling.core.values import Problem, Role
from groundling.files import file_error_advice
from groundling.players.player_specs import check_seat_specs, read_player_spec, with_prompt_specs
from groundling.runs.cross_play import (
    PlayerPair,
    SeatedPlayer,
    cross_play_roles,
    make_player_pair,
    make_table_player,
)
from groundling.runs.fresh_sets import keep_fresh_set
from groundling.runs.instances import InstanceSelection, choose_instances, hash_instances
from groundling.runs.pair_design import Pair, choose_pairs
from groundling.runs.plan import RunPlan
from groundling.runs.run_folder import RunFolder
from groundling.runs.session import (
    RunSession,
    choose_begun_version,
    make_session,
    new_session_plan,
    plan_versions,
)
from groundling.runs.shards import SHARDS, whole_run_folder
from groundling.runs.tournament_folder import PEOPLE, VERSUS, pair_folder
from groundling.runs.tournament_plan import (
    PlannedGame,
    PlannedPair,
    TournamentFile,
    TournamentGame,
    TournamentPlan,
    TournamentPlayer,
    merge_tournament_plans,
    read_tournament_plan,
)

SEATS = ("giver", "follower")
BUILT_IN = "built-in"


class TournamentRules(Struct, frozen=True, kw_only=True):
    """What the command says beside the file of players."""

    folder: Path
    fields: dict[str, Any]
    """Fields of the plan of every run, such as `repeat`."""
    n: int | None = None
    """The number of fresh instances of a game, where the file does not say it."""
    partners: int | None = None
    controls: bool = True
    prompts: str = ""


class GameTable(Struct, frozen=True):
    """A game of a tournament with all pairs that can play it."""

    pack: Pack
    game: AnyGame
    plan: RunPlan
    chosen: InstanceSelection
    seated: dict[Role, dict[str, SeatedPlayer]]
    allowed: list[Pair]


class Tournament(Struct, frozen=True):
    plan: TournamentPlan
    pairs: dict[str, list[PlayerPair]]
    """The pairs that play now, by game."""

    def all_pairs(self) -> list[PlayerPair]:
        return [pair for pairs in self.pairs.values() for pair in pairs]


class SeatTroubles:
    """Why players cannot take seats: who can take none, or not the one that was asked for, is reported."""

    def __init__(self) -> None:
        self._taken: set[tuple[str, str, str]] = set()
        self._refused: dict[tuple[str, str, str], str] = {}

    def note_seat(self, player: str, seat: str, game: str, trouble: str = "") -> None:
        if trouble:
            self._refused[player, seat, game] = trouble
        else:
            self._taken.add((player, seat, game))

    def check_player(self, player: TournamentPlayer, games: Mapping[str, Pack]) -> None:
        """Raise Problem for a player that has no seat in these games, or not those that it names."""
        played = [game for game in player.games if game in games]
        if (player.games and not played) or _plays_elsewhere(player, games):
            return
        for seat, game in product(player.seats or ("",), played or ("",)):
            mine = (player.label, seat, game)
            if not any(_matches(mine, taken) for taken in self._taken):
                told = next((why for key, why in self._refused.items() if _matches(mine, key)), "")
                where = " ".join(filter(None, (f"as {seat}" * bool(seat), f"in {game}" * bool(game))))
                raise Problem(
                    f"{player.label} can take no seat{' ' * bool(where)}{where}: {told or 'remove it'}"
                )


def _plays_elsewhere(player: TournamentPlayer, games: Mapping[str, Pack]) -> bool:
    """Return whether a player is one of other games, and of none of these."""
    name, others = read_player_spec(player.player).name, installed_packs().keys() - games.keys()
    if any(name in pack.players for pack in games.values()):
        return False
    for other in others:
        with suppress(Problem):  # a broken package of another game is no concern here
            if name in find(other).players:
                return True
    return False


def _matches(wanted: tuple[str, str, str], found: tuple[str, str, str]) -> bool:
    return all(one in ("", other) for one, other in zip(wanted, found, strict=True))


def prepare_tables(
    packs: Sequence[Pack], file: TournamentFile, rules: TournamentRules
) -> dict[str, GameTable]:
    """Seat the players at every game. Instances that are fresh are made and kept in the folder."""
    played = [pack.name for pack in packs]
    if unknown := sorted(file.games.keys() - {*played, *installed_packs()}):
        raise Problem(f"games.{unknown[0]}: there is no such game: {choices_hint(played)}")
    troubles, tables = SeatTroubles(), {}
    for pack in packs:
        entry = file.games.get(pack.name, TournamentGame())
        players = list(file.players)
        if entry.data:
            players.append(TournamentPlayer(player="replay", name=PEOPLE, seats=("giver",)))
        tables[pack.name] = _prepare_table(pack, entry, players, rules, troubles)
    for player in file.players:
        troubles.check_player(player, {pack.name: pack for pack in packs})
    for name, table in tables.items():
        for role, seat in zip(table.seated, SEATS, strict=True):
            if not table.seated[role]:
                raise Problem(f"nobody can sit as {role} in {name}: add a player with the seat {seat}")
        if not table.allowed:
            raise Problem(f"no two of the players can play {name} with each other: add others")
    return tables


def _prepare_table(
    pack: Pack,
    entry: TournamentGame,
    players: Sequence[TournamentPlayer],
    rules: TournamentRules,
    troubles: SeatTroubles,
) -> GameTable:
    settings = entry.convert_settings(pack.name, load(pack.game).Settings)
    chosen = _choose_table_instances(pack, entry, rules)
    plan = new_session_plan(
        pack,
        chosen.instances,
        settings=settings,
        source=chosen.source,
        data=chosen.data,
        seats={},
        **{**rules.fields, **({"sets": entry.sets} if entry.sets else {})},
    )
    return _seat_version(pack, plan, chosen, _with_prompts(players, rules.prompts), rules.folder, troubles)


def _with_prompts(players: Sequence[TournamentPlayer], prompts: str) -> dict[str, TournamentPlayer]:
    """Return the players by name, language models with the chosen prompts."""
    by_name = {player.label: player for player in players}
    specs = with_prompt_specs({name: player.spec for name, player in by_name.items()}, prompts)
    return {
        name: msgspec.structs.replace(player, player=specs[name], options={}, name=name)
        for name, player in by_name.items()
    }


def _choose_table_instances(pack: Pack, entry: TournamentGame, rules: TournamentRules) -> InstanceSelection:
    if entry.instances and entry.data:
        raise Problem(f"games.{pack.name} has both instances and data: remove one of them")
    if entry.data:
        path, at, part = entry.data.rpartition("@")
        return choose_instances(pack, None, Path(path if at else part), part if at else "", None)
    if entry.instances:
        file = None if entry.instances == BUILT_IN else Path(entry.instances)
        return choose_instances(pack, file, None, "", None)
    recipe = entry.convert_recipe(pack.name, load(pack.recipe))
    if n := entry.n or rules.n:
        recipe = msgspec.structs.replace(recipe, n=n)
    file = rules.folder / pack.name / "instances.jsonl"
    return InstanceSelection(keep_fresh_set(pack, recipe, file), str(file))


def _seat_version(
    pack: Pack,
    plan: RunPlan,
    chosen: InstanceSelection,
    players: Mapping[str, TournamentPlayer],
    folder: Path,
    troubles: SeatTroubles,
) -> GameTable:
    """Seat the players with the settings and prompts with which the runs in the folder were begun. Settings
    do not depend on who plays, since other players may be added later."""
    places = (f"*{VERSUS}*/run.toml", f"*{VERSUS}*/{SHARDS}/*/run.toml")
    begun = {whole_run_folder(path.parent).name for one in places for path in (folder / pack.name).glob(one)}

    def begun_pair(table: GameTable) -> Pair | None:
        return next((pair for pair in table.allowed if VERSUS.join(pair) in begun), None)

    def seat_players(version: Pack, planned: RunPlan) -> GameTable:
        game = version.new(planned.settings)
        givers, followers = (_seat_players(version, game, kind, players, planned, troubles) for kind in SEATS)
        speaker, listener = cross_play_roles(pack)
        allowed = [
            (one, other)
            for one, other in product(givers, followers)
            if _can_play(version, game, planned, {speaker: givers[one].spec, listener: followers[other].spec})
        ]
        table = GameTable(version, game, planned, chosen, {speaker: givers, listener: followers}, allowed)
        if pair := begun_pair(table):
            open_pair(table, folder, pair)  # raises Problem if it was begun with another version
        return table

    prompted = any(read_player_spec(player.spec).is_language_model for player in players.values())
    versions = plan_versions(pack, plan, (), prompted=prompted)
    return choose_begun_version(
        versions if begun else versions[:1], seat_players, lambda table: begun_pair(table) is not None
    )


def _seat_players(
    pack: Pack,
    game: AnyGame,
    seat: str,
    players: Mapping[str, TournamentPlayer],
    plan: RunPlan,
    troubles: SeatTroubles,
) -> dict[str, SeatedPlayer]:
    """Return the players that can take a seat and may do so."""
    role = cross_play_roles(pack)[SEATS.index(seat)]
    if not any(role in game.seats(instance) for instance in plan.instances):
        raise Problem(
            f"with these settings {pack.name} has no seat {role}: change them in games.{pack.name}.settings"
        )
    found = {}
    for name, player in players.items():
        if (player.games and pack.name not in player.games) or (player.seats and seat not in player.seats):
            continue
        try:
            found[name] = SeatedPlayer(player.spec, make_table_player(pack, game, role, player.spec, plan))
        except Problem as trouble:
            troubles.note_seat(name, seat, pack.name, str(trouble))
        except OSError as trouble:
            troubles.note_seat(name, seat, pack.name, file_error_advice(trouble))
        else:
            troubles.note_seat(name, seat, pack.name)
    return found


def _can_play(pack: Pack, game: AnyGame, plan: RunPlan, seats: Mapping[Role, str]) -> bool:
    try:
        check_seat_specs(seats, pack, game, plan.instances)
    except Problem:
        return False
    return True


def open_pair(table: GameTable, folder: Path, names: Pair) -> PlayerPair:
    def open_session(chosen: RunPlan, players: dict[Role, Player], named: Sequence[str]) -> RunSession:
        place = pair_folder(folder, table.pack.name, *named)
        return make_session(table.pack, table.game, chosen, players, place)

    return make_player_pair(table.plan, table.seated, names, open_session)


def prepare_tournament(
    tables: Mapping[str, GameTable], file: TournamentFile, rules: TournamentRules
) -> Tournament:
    """Choose the pairs and open their runs. Pairs of an earlier command stay in the plan."""
    before = read_tournament_plan(rules.folder)
    pairs = {}
    for name, table in tables.items():
        known = before.games[name].pairs if before and name in before.games else ()
        kept = [(pair.giver, pair.follower) for pair in known]
        pairs[name] = [
            open_pair(table, rules.folder, names)
            for names in choose_pairs(table.allowed, rules.partners, kept)
        ]
    now = TournamentPlan(
        players={player.label: player for player in file.players},
        games={name: _plan_game(table, pairs[name]) for name, table in tables.items()},
        partners=rules.partners,
        controls=rules.controls,
        **{field: rules.fields[field] for field in ("seed", "repeat", "retries")},
    )
    return Tournament(merge_tournament_plans(before, now), pairs)


def _plan_game(table: GameTable, pairs: Iterable[PlayerPair]) -> PlannedGame:
    found = [PlannedPair(one.speaker, one.listener, one.shared, one.known) for one in pairs]
    return PlannedGame(
        source=table.plan.source,
        instances=hash_instances(table.plan.instances),
        count=len(table.plan.instances),
        settings=msgspec.to_builtins(table.plan.settings),
        pairs=tuple(sorted(found, key=lambda pair: (pair.giver, pair.follower))),
    )


def record_people(table: GameTable, folder: Path) -> int:
    """Write the recorded games of the instances that are played as the run of people with people, and return
    their number."""
    wanted = {instance.id for instance in table.plan.instances}
    games = [game for game in table.chosen.recorded if game.opened.instance.id in wanted]
    run = RunFolder(pair_folder(folder, table.pack.name, PEOPLE, PEOPLE))
    return run.write_transcripts(table.pack, games, table.plan.source)
