"""Shards: the disjoint parts of one run that different processes play, each into a run folder of its own at
`DIR/shards/I-of-N`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from groundling.core.pack import Pack, load
from groundling.core.values import Instance, Problem

SHARDS = "shards"
CONTROLS_WAIT = (
    "the controls need the words of all shards: when every shard is played, give each its command again"
)


class Shard(Struct, frozen=True):
    number: int
    """From 1."""
    count: int

    @property
    def folder_name(self) -> str:
        return f"{self.number}-of-{self.count}"

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"


def read_shard(text: str) -> Shard | None:
    """Read `2/8`; an empty text is no shard."""
    if not text:
        return None
    found = re.fullmatch(r"([1-9]\d{0,5})/([1-9]\d{0,5})", text)
    if not found or int(found[1]) > int(found[2]):
        raise Problem(f"--shard {text} is not I/N: give a number from 1 to N, as in --shard 2/8")
    return Shard(int(found[1]), int(found[2]))


def shard_folder(whole: Path, shard: Shard | None) -> Path:
    """Return the folder of a shard of the run at `whole`; of the run itself if there is no shard."""
    return whole / SHARDS / shard.folder_name if shard else whole


def whole_run_folder(path: Path) -> Path:
    """Return the folder of the run to which the shard at this path belongs; the path itself if it is none."""
    return path.parent.parent if path.parent.name == SHARDS else path


def list_shard_folders(whole: Path) -> list[tuple[Shard, Path]]:
    """Return the shards in the folder of a run in order. All have to be of the same number."""
    found = []
    for path in (whole / SHARDS).glob("*/run.toml"):
        if name := re.fullmatch(r"(\d+)-of-(\d+)", path.parent.name):
            found.append((Shard(int(name[1]), int(name[2])), path.parent))
    counts = sorted({shard.count for shard, _ in found})
    if len(counts) > 1:
        raise Problem(
            f"{whole} has shards of {' and of '.join(map(str, counts))}: "
            "give every process the same N, and remove the other shards"
        )
    return sorted(found, key=lambda one: one[0].number)


def check_shard_folder(whole: Path, shard: Shard | None) -> None:
    """Raise Problem if the folder holds the same run in another form: in one piece, or in another number of
    shards."""
    there = list_shard_folders(whole)
    if shard is None and there:
        raise Problem(
            f"{whole} holds a run in shards: add --shard, or join them with groundling merge {whole} -o NEW"
        )
    if shard is not None and (whole / "run.toml").exists():
        raise Problem(
            f"{whole} holds a run that is not in shards: leave out --shard, or choose another folder"
        )
    if shard is not None and there and there[0][0].count != shard.count:
        raise Problem(
            f"{whole} has shards of {there[0][0].count}: give --shard I/{there[0][0].count}, "
            "or choose another folder with -o"
        )


def choose_shard_instances(pack: Pack, instances: Sequence[Instance], shard: Shard) -> list[Instance]:
    """Return the instances that belong to a shard. Those of one cluster or group are in one shard. Clusters
    are dealt in the order in which they come, so a longer list adds to each shard."""
    cluster = load(pack.cluster)
    parents: dict[str, str] = {}

    def find_root(key: str) -> str:
        while parents.setdefault(key, key) != key:
            key = parents[key]
        return key

    names = []
    for instance in instances:
        name = f"cluster {cluster(instance)}"
        names.append(name)
        if instance.group:
            one, other = find_root(name), find_root(f"group {instance.group}")
            parents[max(one, other)] = min(one, other)
    roots = [find_root(name) for name in names]
    order = {root: place for place, root in enumerate(dict.fromkeys(roots))}
    mine = shard.number - 1
    return [one for one, root in zip(instances, roots, strict=True) if order[root] % shard.count == mine]
