"""Joins the shards of a run, or of all runs of a tournament, to an ordinary folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from msgspec import Struct

from groundling.core.events import encode_event_json
from groundling.core.values import Problem, Role
from groundling.files import encode_toml, write_whole_file
from groundling.players import CONTROLS
from groundling.runs.engine import RunTally
from groundling.runs.event_log import log_crc, whole_log_lines
from groundling.runs.kept_rows import KeptRows, find_kept_rows, write_kept_rows
from groundling.runs.run_folder import RunFolder
from groundling.runs.seat_usage import SeatUsage
from groundling.runs.sharded_run import ShardedRun, check_same_plan, has_shards
from groundling.runs.shards import Shard, read_shard
from groundling.runs.step_notes import NOTES_FILE
from groundling.runs.tournament_folder import TOURNAMENT_FILE, VERSUS


class PlayedTwice(Struct, frozen=True):
    """A shard that two processes played: one copy counts, both were paid for."""

    shard: Shard
    kept: Path
    left_out: Path
    used: Mapping[Path, Mapping[Role, SeatUsage]]
    """What each of the two copies has used."""


class MergedRun(Struct, frozen=True):
    path: Path
    shards: int
    episodes: int
    twice: list[PlayedTwice]


def merge_shards(sources: Sequence[Path], out: Path) -> list[MergedRun]:
    """Write the run in `sources` to `out`, and its controls that are there, or all runs of a tournament.
    Sources are folders of shards, or single shards, also from different machines. Nothing is left behind if a
    shard is missing."""
    if out.exists():
        raise Problem(f"{out} is there already: choose another folder with -o")
    part = out.with_name(f"{out.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        merged = []
        for place, runs in _find_runs(sources).items():
            for name in ("", *CONTROLS):
                found = [path / name for path in runs if not name or has_shards(path / name)]
                merged += [_merge_run(found, part / place / name, out / place / name)] if found else []
        _copy_tournament_files(sources, part)
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return merged


def _find_runs(sources: Sequence[Path]) -> dict[str, list[Path]]:
    """Return the folders of each run by its place in a tournament; of one run, all sources."""
    if not any((path / TOURNAMENT_FILE).exists() for path in sources):
        return {"": list(sources)}
    found: dict[str, list[Path]] = {}
    for source in sources:
        for path in sorted(source.glob(f"*/*{VERSUS}*")):
            if has_shards(path):
                found.setdefault(str(path.relative_to(source)), []).append(path)
    if not found:
        raise Problem(
            f"{sources[0]} is a tournament in one piece: give folders that were played with --shard"
        )
    return found


def _copy_tournament_files(sources: Sequence[Path], part: Path) -> None:
    """Copy what is no shard: the plan, the instances, and recorded games of people."""
    for source in sources:
        for path in (*source.glob(TOURNAMENT_FILE), *source.glob("*/instances.jsonl*")):
            shutil.copy(path, part / path.relative_to(source))
        for run in source.glob(f"*/*{VERSUS}*/run.toml"):
            shutil.copytree(run.parent, part / run.parent.relative_to(source), dirs_exist_ok=True)


def _merge_run(sources: Sequence[Path], part: Path, out: Path) -> MergedRun:
    copies: dict[Shard, list[RunFolder]] = {}
    for shard, run in _find_shards(sources):
        copies.setdefault(shard, []).append(run)
    first = next((shard, runs[0].read_about()) for shard, runs in copies.items())
    for shard, runs in copies.items():
        for run in runs:
            check_same_plan(run.path, first, (shard, run.read_about()))
    count = first[0].count
    if absent := [number for number in range(1, count + 1) if Shard(number, count) not in copies]:
        raise Problem(
            f"{sources[0]}: shard {absent[0]}/{count}{' and others are' if absent[1:] else ' is'} missing: "
            "play it, or score the folder of shards as it is"
        )
    twice: list[PlayedTwice] = []
    chosen = [
        _choose_copy(shard, copies[shard], twice) for shard in sorted(copies, key=lambda one: one.number)
    ]
    _write_run(chosen, first[1], part)
    noted = [*sources, *(run.path for runs in copies.values() for run in runs)]
    if notes := _gather_notes(path / NOTES_FILE for path in noted):
        write_whole_file(part / NOTES_FILE, notes)
    return MergedRun(out, count, first[1]["plan"]["shard"]["episodes"], twice)


def _gather_notes(paths: Iterable[Path]) -> bytes:
    """Return the lines of these files, those of copies once."""
    lines = (line for path in paths if path.is_file() for line in path.read_bytes().splitlines())
    return b"".join(line + b"\n" for line in dict.fromkeys(lines))


def _find_shards(sources: Sequence[Path]) -> Iterator[tuple[Shard, RunFolder]]:
    for path in sources:
        if has_shards(path):
            yield from ShardedRun(path).shards.items()
            continue
        run = RunFolder(path)
        number = run.read_about()["plan"].get("shard", {}).get("number", "")
        if not (shard := read_shard(number)):
            raise Problem(f"{path} is a run in one piece: give folders that were played with --shard")
        yield shard, run


def _choose_copy(shard: Shard, copies: Sequence[RunFolder], twice: list[PlayedTwice]) -> RunFolder:
    """Return the first complete copy of a shard."""
    tallies: list[tuple[RunFolder, RunTally]] = []
    for run in copies:
        tallies.append((run, tally := RunTally()))
        if run.log_path.exists():
            tally.read_log(run.log_path)
    missing = [int(run.read_about()["episodes"]) - len(tally.score) for run, tally in tallies]
    if 0 not in missing:
        raise Problem(
            f"{copies[0].path} lacks {missing[0]:,} episodes: run its command again, "
            "or score the folder of shards as it is"
        )
    kept, whole = tallies[missing.index(0)]
    twice += [
        PlayedTwice(shard, kept.path, run.path, {kept.path: whole.seats, run.path: tally.seats})
        for run, tally in tallies
        # a copy of the same log was paid for once: logs of two processes differ in their times
        if run.log_path.exists() and log_crc(run.log_path) != log_crc(kept.log_path)
    ]
    return kept


def _write_run(shards: Sequence[RunFolder], about: Mapping[str, object], part: Path) -> None:
    """Write the files of a run: its log has the lines of one shard after the other."""
    part.mkdir(parents=True)
    merged, digest, crc = RunFolder(part), sha256(), 0
    with merged.log_path.open("wb") as log:
        for run in shards:
            found = {
                one.opened.instance.id: encode_event_json(one.opened.instance)
                for one in run.read_transcripts()
            }
            for name, _ in run.read_instance_digests():
                digest.update(found[name] + b"\n")
            for _, line in whole_log_lines(run.log_path):
                log.write(line)
                crc = crc32(line, crc)
    for name in ("checksums_path", "instances_path"):
        write_whole_file(getattr(merged, name), b"".join(getattr(run, name).read_bytes() for run in shards))
    if shards[0].offered_path.exists():
        shutil.copyfile(shards[0].offered_path, merged.offered_path)
    plan = dict(shards[0].read_about()["plan"])
    whole = plan.pop("shard")
    fields = {**about, "episodes": whole["episodes"], "plan": {**plan, "instances": digest.hexdigest()}}
    write_whole_file(merged.about_path, encode_toml(fields))
    _merge_kept_rows(shards, merged, crc)


def _merge_kept_rows(shards: Sequence[RunFolder], merged: RunFolder, crc: int) -> None:
    pack, game = merged.find_pack(), merged.make_game()
    found = (find_kept_rows(run, pack, game) for run in shards)
    kept = [one for one in found if one is not None and not one.unclosed]
    if len(kept) == len(shards):
        write_kept_rows(merged, KeptRows(crc, kept[0].code, [row for one in kept for row in one.rows], []))
