"""Finds stored runs and verifies them. `verify_folder.py` has the checks of a log of ours."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from groundling.core.consistency import find_contradiction
from groundling.core.game import AnyGame
from groundling.core.values import Problem
from groundling.runs.engine import RunTally
from groundling.runs.run import open_run
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import count_scoring_statuses
from groundling.runs.sharded_run import ShardedRun
from groundling.runs.shards import whole_run_folder
from groundling.runs.stored_run import Run
from groundling.runs.verification import CheckedAbout, Finding, Verification
from groundling.runs.verify_folder import FolderCheck


def find_runs(path: Path, game: str = "") -> list[Run]:
    """Return the run at this path with its controls, or all runs in a folder, to be read with the game that
    they were played with or with `game`."""
    if not path.exists():
        raise Problem(f"{path} is not there: give a folder made by groundling play")
    if not path.is_dir():
        run = open_run(path, game)
        run.read_about()
        return [run]
    closed: list[OSError] = []
    walk = os.walk(path, onerror=closed.append)
    folders = [folder for folder, _, files in walk if {"run.toml", "log.jsonl"} & set(files)]
    folders += [trouble.filename for trouble in closed]  # may hold damaged runs
    if not folders:
        raise Problem(f"{path} holds no run: give a folder made by groundling play")
    paths = sorted(map(Path, folders))
    wholes = dict.fromkeys(whole for path in paths if (whole := whole_run_folder(path)) != path)
    return [*(RunFolder(path, game) for path in paths), *(ShardedRun(path, game) for path in wholes)]


def verify_run(run: Run) -> Verification:
    """Check a run without asking any player and without changing anything."""
    try:
        return _verify_readable_run(run)
    except PermissionError as trouble:
        told = "it cannot be read (no permission)"
        return Verification(run.path, [Finding(Path(trouble.filename or run.path), told)])


def _verify_readable_run(run: Run) -> Verification:
    found = Verification(run.path)
    place = run.about_path if isinstance(run, RunFolder) else run.path
    try:
        about = msgspec.convert(run.read_about(), CheckedAbout, strict=False)
        game, changed = run.make_game(), run.changed_code()
    except (Problem, msgspec.ValidationError) as trouble:
        told = str(trouble).removeprefix(f"{place} ")
        found.findings.append(Finding(place, told))
        return found
    if changed:
        found.notes.append(changed)
    if isinstance(run, RunFolder):
        FolderCheck(run, about, game, found).check_folder()
    elif isinstance(run, ShardedRun):
        _check_shards(run, about, found)
    else:
        _check_transcripts(run, about, game, found)
    return found


def _check_shards(run: ShardedRun, about: CheckedAbout, found: Verification) -> None:
    """Check that shards have nothing in common. Their own folders are checked like other runs."""
    tally, owners = RunTally(), dict[str, str]()
    for shard, folder in run.shards.items():
        if folder.log_path.exists():
            tally.read_log(folder.log_path)
        for name, _ in folder.read_instance_digests():
            if owners.setdefault(name, str(shard)) != str(shard):
                message = f"it is in the shards {owners[name]} and {shard}: remove one of them"
                found.findings.append(Finding(run.path, message, episode=name))
    found.counts = count_scoring_statuses(tally.status.values(), about.episodes)
    if absent := next(iter(run.shards)).count - len(run.shards):
        found.notes.append(f"{absent} of {len(run.shards) + absent} shards are missing")


def _check_transcripts(run: Run, about: CheckedAbout, game: AnyGame, found: Verification) -> None:
    """Check a run in another format than ours: it has no lines and no checksums."""
    statuses = []
    for transcript in run.read_transcripts():
        wrong = find_contradiction(game, transcript)
        statuses.append("damaged" if wrong else transcript.status)
        if wrong:
            message = f"event {wrong.number + 1}: {wrong.message}"
            found.findings.append(Finding(run.path, message, episode=transcript.episode))
    found.counts = count_scoring_statuses(statuses, about.episodes)
    found.notes.append("this format has no checksums: only the replays were checked")
