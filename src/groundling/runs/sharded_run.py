"""A run that several processes play in parts: a folder of shards, read as one run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from groundling.core.events import Transcript
from groundling.core.values import Problem
from groundling.players import CONTROLS
from groundling.runs.plan import drop_recording_hashes
from groundling.runs.run_folder import RunFolder
from groundling.runs.shards import Shard, list_shard_folders
from groundling.runs.stored_run import Run

OWN = ("shard", "instances")
"""The fields of a plan in which shards of one run differ."""


def has_shards(path: Path) -> bool:
    return not (path / "run.toml").exists() and bool(list_shard_folders(path))


class ShardedRun(Run, frozen=True):
    @cached_property
    def shards(self) -> dict[Shard, RunFolder]:
        return {shard: RunFolder(path, self.game) for shard, path in list_shard_folders(self.path)}

    @property
    def scores_path(self) -> Path:
        return self.path / "scores.parquet"

    def read_about(self) -> Mapping[str, Any]:
        """Return what describes the whole run, after checking that all shards belong to it."""
        return self._about

    @cached_property
    def _about(self) -> Mapping[str, Any]:
        first, *others = ((shard, run.read_about()) for shard, run in self.shards.items())
        for other in others:
            check_same_plan(self.path, first, other)
        about = first[1]
        whole = about["plan"]["shard"]
        plan = {name: value for name, value in about["plan"].items() if name != "shard"}
        return {
            **about,
            "episodes": whole["episodes"],
            "plan": {**plan, "instances": whole["instances"]},
            "growth": [],
        }

    def read_transcripts(self) -> Iterator[Transcript]:
        for run in self.shards.values():
            yield from run.read_transcripts()

    def read_episodes(self, episodes: Sequence[str]) -> Iterator[Transcript]:
        found: dict[str, Transcript] = {}
        for run in self.shards.values():
            planned = {name for name, _ in run.read_instance_digests()}
            names = [name for name in episodes if name.partition("#")[0] in planned]
            found |= {one.episode: one for one in run.read_episodes(names)} if names else {}
        return (found[name] for name in episodes)

    def control_runs(self) -> Mapping[str, Run]:
        found: dict[str, Run] = {}
        for name in CONTROLS:
            path = self.path / name
            if has_shards(path):
                found[name] = ShardedRun(path, self.game)
        return found


def check_same_plan(
    where: Path, first: tuple[Shard, Mapping[str, Any]], other: tuple[Shard, Mapping[str, Any]]
) -> None:
    """Raise Problem if two shards do not belong to one run."""
    then, now = (
        {name: value for name, value in about["plan"].items() if name not in OWN}
        for _, about in (first, other)
    )
    for plan in (then, now):
        plan["players"] = drop_recording_hashes(plan.get("players", {}))
    differ = [name for name in dict.fromkeys([*then, *now]) if then.get(name) != now.get(name)]
    shards = [about["plan"].get("shard", {}) for _, about in (first, other)]
    if not differ and shards[0].get("instances") != shards[1].get("instances"):
        differ = ["instances"]
    if differ:
        raise Problem(
            f"{where} has shards of different runs: {first[0]} and {other[0]} differ in {', '.join(differ)}; "
            "play all with the same command, and remove those that do not belong"
        )
