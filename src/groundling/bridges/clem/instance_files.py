"""Reads clembench's instance files into our instances."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from groundling.boards.letter_grid import Grid
from groundling.bridges.clem.clembench_prompts import read_image_prompts, read_reference_prompts
from groundling.bridges.clem.conversion import GAMES
from groundling.bridges.clem.replay import ClemImageInstance, ClemReferenceInstance
from groundling.core.source import Collection
from groundling.core.values import Instance, Problem
from groundling.games.image.players.giver_plan import giver_plan_length
from groundling.games.image.rules import Picture
from groundling.games.reference.rules import Lineup

VERSIONS = ("v0.9", "v1.0", "v1.6", "v2.0")
DEFAULT = "default"
"""The name of the part in files without a version, which clembench plays by default."""
_FILE_NAME = re.compile(
    r"instances(?:_(?P<version>v\d+(?:\.\d+)*)(?:_(?P<language>[a-z]{2,3}))?)?\.json(?:\.gz)?"
)


class ClemReferenceGrids(ClemReferenceInstance, frozen=True, kw_only=True):
    """The grids of an instance of its reference game, and what its scores depend on."""

    player_1_target_grid: str
    player_1_second_grid: str
    player_1_third_grid: str
    player_2_first_grid: str
    player_2_second_grid: str
    player_2_third_grid: str


class ClemExperiment(Struct, frozen=True):
    name: str
    game_instances: list[dict[str, Any]]


class ClemInstanceFile(Struct, frozen=True):
    experiments: list[ClemExperiment]


def list_instance_file_parts(path: Path) -> list[str]:
    """Return the versions and languages that are present: v0.9, v1.6-en… and `default`."""
    return sorted({_part_name(file) for file in _find_files(path)})


def read_instance_file_part(path: Path, part: str) -> list[Collection]:
    """Read one part as a collection for each game, in the order of the file. Ids are renumbered, since
    clembench's reveal the position of the target. Instances of two languages with the same id differ only in
    the prompts, tags and labels that they carry."""
    version = part.partition("-")[0]
    found: dict[str, Collection] = {}
    for file in (file for file in _find_files(path) if _part_name(file) == part):
        if version not in (*VERSIONS, DEFAULT):
            raise Problem(
                f"{file} was made by clembench {version}, which this reader does not know: it reads "
                f"{', '.join(VERSIONS)} and files without a version, choose one of those with --split"
            )
        one = _read_collection(file, part, version)
        if one.name in found:
            raise Problem(f"{path} has {one.name} twice, {file} is one of them: remove it, or give one file")
        found[one.name] = one
    return list(found.values())


def _find_files(path: Path) -> list[Path]:
    """Return the given file, or the instance files in the folder of one or several games, also compressed."""
    if path.is_file():
        return [path] if _FILE_NAME.fullmatch(path.name) else []
    games = [path, *(path / game for game in GAMES.values())]
    return [
        file
        for folder in (inner for game in games for inner in (game, game / "in"))
        if folder.is_dir()
        for file in sorted(folder.iterdir())
        if _FILE_NAME.fullmatch(file.name)
    ]


def _part_name(file: Path) -> str:
    name = _FILE_NAME.fullmatch(file.name)
    assert name
    return "-".join(filter(None, name.groups())) or DEFAULT


def _read_collection(file: Path, part: str, version: str) -> Collection:
    experiments = _decode_file(file).experiments
    targets: dict[Grid, str] = {}
    made: list[Instance] = []
    games = set()
    for experiment in experiments:
        count = len(experiment.game_instances)
        # Equal numbers in every language make runs in two languages comparable.
        numbers = Random(f"clembench {version} {experiment.name}").sample(range(1, count + 1), count)
        for place, (number, instance) in enumerate(zip(numbers, experiment.game_instances, strict=True), 1):
            about = {
                "id": f"{experiment.name}-{number:0{len(str(count))}d}",
                "set": experiment.name,
                "origin": f"clembench {version}",
            }
            try:
                one = (
                    _parse_lineup(instance, about)
                    if "player_1_target_grid" in instance
                    else _parse_picture(instance, about)
                )
            except ValueError as trouble:  # msgspec's too
                raise Problem(
                    f"{file}: instance {place} of {experiment.name} is not as clembench {version} writes "
                    f"them ({trouble}): give the file as published"
                ) from None
            target = one.grids[0] if isinstance(one, Lineup) else one.target
            group = targets.setdefault(target, f"target-{len(targets) + 1}")
            made.append(msgspec.structs.replace(one, group=group))
            games.add("reference" if isinstance(one, Lineup) else "image")
    if len(games) != 1:
        what = "holds no instances" if not games else "mixes two games"
        raise Problem(f"{file} {what}: give the file as published")
    game = games.pop()
    return Collection(game, f"{part}-{GAMES[game]}", made)


def _decode_file(file: Path) -> ClemInstanceFile:
    data = file.read_bytes()
    try:
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
        return msgspec.json.decode(data, type=ClemInstanceFile)
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError, EOFError, zlib.error) as trouble:
        raise Problem(
            f"{file} is not an instance file of clembench ({trouble}): give it as published"
        ) from None


def _parse_lineup(instance: dict[str, Any], about: dict[str, Any]) -> Lineup:
    read = msgspec.convert(instance, ClemReferenceGrids)
    grids = [
        Grid.parse(text)
        for text in (read.player_1_target_grid, read.player_1_second_grid, read.player_1_third_grid)
    ]
    shown = [
        Grid.parse(text)
        for text in (read.player_2_first_grid, read.player_2_second_grid, read.player_2_third_grid)
    ]
    if sorted(grid.cells for grid in grids) != sorted(grid.cells for grid in shown):
        raise ValueError("the two players see different grids")
    carried = msgspec.structs.asdict(read_reference_prompts(instance))
    order = tuple(map(grids.index, shown))
    lineup = Lineup(grids=tuple(grids), giver=(0, 1, 2), follower=order, **about, **carried)
    if str(lineup.answer) not in read.answer_labels:
        raise ValueError(
            f"the target is grid {lineup.answer}, and is called {' or '.join(read.answer_labels)}"
        )
    return lineup


def _parse_picture(instance: dict[str, Any], about: dict[str, Any]) -> Picture:
    read = msgspec.convert(instance, ClemImageInstance)
    target = Grid.parse(read.target_grid)
    if target.size != read.grid_dimension:
        raise ValueError(f"the grid has {target.size} rows, not {read.grid_dimension}")
    found = read_image_prompts(instance)
    par = giver_plan_length(target)
    return Picture(target=target, par=par, prompts=found.prompts, tags=found.tags, **about)
