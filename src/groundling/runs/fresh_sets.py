"""Runs of one published set and of fresh sets of the same recipe, for a player and for rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.game import AnyGame
from groundling.core.pack import Pack, command_name
from groundling.core.player import player_info
from groundling.core.values import Instance, Problem, Recipe, Role
from groundling.files import write_whole_file
from groundling.players.player_specs import check_seat_specs, make_player_from_spec, read_player_spec
from groundling.runs.instances import (
    encode_instances,
    instances_seed_path,
    make_fresh_instances,
    make_instances,
    read_instances,
)
from groundling.runs.session import RunSession, new_session_plan, prepare_session

PUBLISHED = "published"
BLIND = ("gold", "random")
RULES = "rules"
"""The folder of the runs of rules."""


class InstanceSet(Struct, frozen=True):
    name: str
    """PUBLISHED, or the name of a fresh set."""
    instances: list[Instance]
    source: str


def prepare_fresh_sets(
    pack: Pack, recipe: Recipe, count: int, folder: Path, published: InstanceSet
) -> list[InstanceSet]:
    """Return the fresh sets of a folder. Missing ones are made from new private seeds, which are kept beside
    them, so that an interrupted comparison resumes with the same sets."""
    files = [folder / f"fresh-{number}.jsonl" for number in range(1, count + 1)]
    return [
        InstanceSet(
            file.stem,
            keep_fresh_set(pack, recipe, file, lambda made: _check_same_sets(pack, published, made)),
            str(file),
        )
        for file in files
    ]


def keep_fresh_set(
    pack: Pack,
    recipe: Recipe,
    file: Path,
    check: Callable[[Sequence[Instance]], None] = lambda instances: None,
) -> list[Instance]:
    """Return the fresh set of a file. If it is missing, it is made from a new private seed, which is kept
    beside it, after a check of the instances."""
    if file.exists():
        instances = read_instances(pack, file)
        kept = msgspec.json.decode(instances_seed_path(file).read_bytes(), type=type(recipe))
        if msgspec.structs.replace(kept, seed=recipe.seed) != recipe:
            raise Problem(f"{file} was made with another recipe: choose another folder with -o")
        return instances
    instances, private = make_fresh_instances(pack, recipe)
    check(instances)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole_file(instances_seed_path(file), msgspec.json.encode(private), mode=0o600)
    write_whole_file(file, encode_instances(instances))
    return instances


def _check_same_sets(pack: Pack, published: InstanceSet, fresh: Sequence[Instance]) -> None:
    there = {instance.set for instance in fresh}
    if absent := sorted({instance.set for instance in published.instances} - there):
        raise Problem(
            f"{published.source} has the set {absent[0]!r}, but this recipe makes "
            f"{', '.join(sorted(there)) or 'none'}: give the recipe of the published set with --recipe "
            f"(groundling make {command_name(pack)} --help)"
        )


def check_published_recipe(pack: Pack, recipe: Recipe, published: InstanceSet) -> bool:
    """Return whether a published file is known to be made with the recipe: it says with which seed, so that
    it can be made again. Raise Problem if it comes out differently."""
    origins = {instance.origin for instance in published.instances}
    made = re.fullmatch(r"seed (\d+)", origins.pop()) if len(origins) == 1 else None
    if made is None:
        return False
    sizes = {recipe.n, len(published.instances)}  # fresh sets may have another size
    again = [make_instances(pack, msgspec.structs.replace(recipe, seed=int(made[1]), n=n)) for n in sizes]
    if published.instances not in again:
        raise Problem(
            f"{published.source} was not made with this recipe: "
            f"give its fields with --recipe (groundling make {command_name(pack)} --help)"
        )
    return True


def prepare_set_sessions(
    pack: Pack, parts: Sequence[InstanceSet], folder: Path, seats: Mapping[Role, str], **fields: Any
) -> dict[str, RunSession]:
    """Return a session for each set, in a folder of its name."""
    sessions = {}
    for one in parts:
        plan = new_session_plan(pack, one.instances, source=one.source, seats=dict(seats), **fields)
        sessions[one.name] = prepare_session(pack, plan, folder / one.name)
    return sessions


def choose_rule_tables(
    pack: Pack, game: AnyGame, seats: Mapping[Role, str], instances: Sequence[Instance]
) -> list[dict[Role, str]]:
    """Return the seats of rules to compare with: the game's own players that learn from nothing, one after
    another in each seat that is not taken by such a player already, beside the game's usual partner. `gold`
    and `random` take a seat only as that partner: no item is harder than another to them."""
    needed = {role for instance in instances for role in game.seats(instance)}
    known = {role: _rule_players(pack, game, role, instances) for role in pack.roles if role in needed}
    tested = [role for role in known if seats.get(role) not in known[role]] or list(known)
    partners = pack.live.partners
    base = {role: partners[role] if role in tested else seats[role] for role in known}
    tables = [base, *({**base, role: name} for role in tested for name in known[role] if name not in BLIND)]
    found = []
    for table in tables:
        if table not in found and any(table[role] != seats.get(role) for role in known):
            found.append(table)
    playable = [table for table in found if _fits(pack, game, table, instances)]
    if not playable:
        raise Problem(f"{pack.name} has no rules to compare with: give some with --rules ROLE=PLAYER")
    return playable


def _rule_players(pack: Pack, game: AnyGame, role: Role, instances: Sequence[Instance]) -> list[str]:
    found = []
    for name in pack.players:
        try:
            player = make_player_from_spec(pack, game, role, name, instances, lambda path: {})
        except Problem:  # it plays another seat, or needs weights or data
            continue
        if not player_info(player).learned_from:
            found.append(name)
    return found


def _fits(pack: Pack, game: AnyGame, table: Mapping[Role, str], instances: Sequence[Instance]) -> bool:
    try:
        check_seat_specs(table, pack, game, instances)
    except Problem:
        return False
    return True


def table_label(table: Mapping[Role, str]) -> str:
    return "-".join(read_player_spec(spec).name for spec in table.values())
