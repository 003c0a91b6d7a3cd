from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.helpers import session

from groundling.cli.main import main
from groundling.cli.play_options import PlayOptions
from groundling.core.events import Transcript
from groundling.core.pack import find, load
from groundling.core.values import Problem
from groundling.runs.merge_shards import merge_shards
from groundling.runs.run import open_run
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.session import control_sessions
from groundling.runs.shards import Shard, choose_shard_instances, read_shard
from groundling.runs.step_notes import StepNote, add_note, read_notes
from groundling.runs.verify import find_runs, verify_run

SEATS = {"giver": "gold", "follower": "random"}


def play_shards(folder: Path, count: int, numbers: range | None = None, **fields: Any) -> None:
    for number in numbers or range(1, count + 1):
        session(folder, SEATS, shard=Shard(number, count), **fields).play_missing(4)


def timeless_events(path: Path) -> dict[str, list[object]]:
    """The events of a run by episode, without times."""
    return {one.episode: drop_times(one) for one in open_run(path).read_transcripts()}


def drop_times(transcript: Transcript) -> list[object]:
    dropped = {"at": 0.0, "seconds": None}
    return [
        replace(event, **{name: value for name, value in dropped.items() if hasattr(event, name)})
        for event in transcript.events
    ]


@given(
    groups=st.lists(st.sampled_from(["", "a", "b", "c", "d"]), min_size=1, max_size=36), n=st.integers(1, 9)
)
def test_shards_are_disjoint_and_complete_and_split_no_group(groups: list[str], n: int) -> None:
    pack = find("reference")
    instances = [replace(one, group=group) for one, group in zip(load(pack.builtin)(), groups, strict=False)]
    parts = [choose_shard_instances(pack, instances, Shard(number, n)) for number in range(1, n + 1)]
    assert sorted(one.id for part in parts for one in part) == sorted(one.id for one in instances)
    owners = [{one.group for one in part if one.group} for part in parts]
    assert sum(map(len, owners)) == len(set().union(*owners))


@given(length=st.integers(1, 36), n=st.integers(1, 9))
def test_a_longer_list_only_adds_to_each_shard(length: int, n: int) -> None:
    pack = find("reference")
    instances = load(pack.builtin)()
    for number in range(1, n + 1):
        part = choose_shard_instances(pack, instances[:length], Shard(number, n))
        assert choose_shard_instances(pack, instances, Shard(number, n))[: len(part)] == part


def test_shards_play_the_episodes_of_one_process_with_controls(tmp_path: Path) -> None:
    one = session(tmp_path / "one", SEATS, repeat=2)
    one.play_missing(4)
    play_shards(tmp_path / "many", 3, repeat=2)
    for control in control_sessions(one):
        control.play_missing(4)
    for number in (1, 2, 3):
        for control in control_sessions(session(tmp_path / "many", SEATS, repeat=2, shard=Shard(number, 3))):
            control.play_missing(4)
    merge_shards([tmp_path / "many"], tmp_path / "joined")
    for part in ("", "silent", "shuffled"):
        expected = timeless_events(tmp_path / "one" / part)
        assert len(expected) == 72
        assert timeless_events(tmp_path / "many" / part) == expected
        assert timeless_events(tmp_path / "joined" / part) == expected
    assert not any(verify_run(run).findings for run in find_runs(tmp_path))
    means = [score_run(open_run(tmp_path / name))["success"].mean() for name in ("one", "many", "joined")]
    assert means[0] == means[1] == means[2]


def test_controls_of_a_shard_wait_for_the_other_shards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    seats = ["--seat", "giver=gold", "--seat", "follower=random", "--limit", "6", "--controls"]
    for shard, told in (("1/2", True), ("2/2", False), ("1/2", False)):
        assert main(["play", "reference", *seats, "-o", str(run), "--shard", shard]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert ("when every shard is played, give each its command again" in out) == told
    assert len(timeless_events(run / "shuffled")) == 6


def test_a_merged_run_is_complete_keeps_its_notes_and_can_grow(tmp_path: Path) -> None:
    play_shards(tmp_path / "many", 2, limit=10)
    for place in ("", "shards/1-of-2"):
        add_note(open_run(str(tmp_path / "many" / place)), StepNote("edits-2-01", 1, f"seen in {place}"))
    shutil.copytree(tmp_path / "many", tmp_path / "copy")
    merge_shards([tmp_path / "many", tmp_path / "copy"], tmp_path / "joined")
    notes = read_notes(open_run(str(tmp_path / "joined")))
    assert [note.text for note in notes] == ["seen in ", "seen in shards/1-of-2"]
    assert session(tmp_path / "joined", SEATS, limit=10).read_summary().is_complete
    grown = session(tmp_path / "joined", SEATS, limit=16)
    grown.play_missing(4)
    assert grown.read_summary().played == 16


def test_an_interrupted_shard_is_played_again_and_nothing_twice(tmp_path: Path) -> None:
    play_shards(tmp_path, 2)
    log = RunFolder(tmp_path / "shards" / "2-of-2").log_path
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    play_shards(tmp_path, 2, range(2, 3))
    assert len(timeless_events(tmp_path)) == 36
    assert session(tmp_path, SEATS, shard=Shard(2, 2)).read_summary().is_complete


def test_shards_that_are_missing_count_as_missing_episodes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_shards(tmp_path / "run", 3, range(1, 3))
    assert main(["score", str(tmp_path / "run")]) == 0
    assert "missing 12" in capsys.readouterr().out
    with pytest.raises(Problem, match="shard 3/3 is missing"):
        merge_shards([tmp_path / "run"], tmp_path / "joined")
    assert not (tmp_path / "joined").exists()


def test_a_shard_that_was_played_twice_counts_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_shards(tmp_path / "run", 2)
    play_shards(tmp_path / "again", 2, range(2, 3))
    copy = tmp_path / "again" / "shards" / "2-of-2"
    assert main(["merge", str(tmp_path / "run"), str(copy), "-o", str(tmp_path / "joined")]) == 0
    assert "shard 2/2 was played twice" in " ".join(capsys.readouterr().out.split())
    assert len(timeless_events(tmp_path / "joined")) == 36


def test_a_copy_of_a_shard_was_not_played_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play_shards(tmp_path / "run", 2)
    shutil.copytree(tmp_path / "run", tmp_path / "copy")
    assert main(["merge", str(tmp_path / "run"), str(tmp_path / "copy"), "-o", str(tmp_path / "joined")]) == 0
    assert "twice" not in capsys.readouterr().out
    assert len(timeless_events(tmp_path / "joined")) == 36


def test_both_costs_of_a_shard_that_was_played_twice_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_shards(tmp_path / "run", 2, limit=4)
    log = RunFolder(tmp_path / "run" / "shards" / "2-of-2").log_path
    shard, copy = log.parent, tmp_path / "copy"
    used = log.read_bytes().replace(
        b'"role":"follower","text"', b'"role":"follower","usage":{"total_tokens":7},"text"'
    )
    log.write_bytes(used)
    shutil.copytree(shard, copy)
    (copy / "log.jsonl").write_bytes(used.replace(b'"total_tokens":7', b'"total_tokens":9'))
    assert main(["merge", str(tmp_path / "run"), str(copy), "-o", str(tmp_path / "joined")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"{shard}: 2 calls, 14 tokens" in told
    assert f"{copy}: 2 calls, 18 tokens" in told


def test_shards_of_machines_whose_clocks_differ_are_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_shards(tmp_path / "run", 2, range(1, 2))
    monkeypatch.setattr("time.time", map(float, count(10**9, -60)).__next__)  # years behind, and going back
    play_shards(tmp_path / "run", 2, range(2, 3))
    monkeypatch.undo()
    merge_shards([tmp_path / "run"], tmp_path / "joined")
    session(tmp_path / "one", SEATS).play_missing(4)
    assert timeless_events(tmp_path / "joined") == timeless_events(tmp_path / "one")
    assert not any(verify_run(run).findings for run in find_runs(tmp_path))


def test_the_limits_of_a_shard_are_its_part_of_all() -> None:
    budget = PlayOptions(max_tokens_total=1_000, max_cost=2.0, shard="3/4").make_budget([])
    assert (budget.tokens, budget.money) == (250, 0.5)


def test_an_instance_in_two_shards_is_found(tmp_path: Path) -> None:
    play_shards(tmp_path, 2)
    one, other = (tmp_path / "shards" / name for name in ("1-of-2", "2-of-2"))
    shutil.rmtree(other)
    shutil.copytree(one, other)
    messages = [finding.message for run in find_runs(tmp_path) for finding in verify_run(run).findings]
    assert "it is in the shards 1/2 and 2/2: remove one of them" in messages


def test_shards_of_different_runs_are_refused(tmp_path: Path) -> None:
    play_shards(tmp_path, 2, range(1, 2))
    other = session(tmp_path / "other", SEATS, seed=1, shard=Shard(2, 2))
    other.play_missing(4)
    shutil.copytree(other.folder.path, tmp_path / "shards" / "2-of-2")
    with pytest.raises(Problem, match="1/2 and 2/2 differ in seed"):
        open_run(tmp_path).read_about()


def test_a_folder_holds_a_run_in_one_form(tmp_path: Path) -> None:
    play_shards(tmp_path / "shards3", 3, range(1, 2))
    with pytest.raises(Problem, match="holds a run in shards"):
        session(tmp_path / "shards3", SEATS)
    with pytest.raises(Problem, match="has shards of 3: give --shard I/3"):
        session(tmp_path / "shards3", SEATS, shard=Shard(1, 2))
    session(tmp_path / "whole", SEATS).play_missing(4)
    with pytest.raises(Problem, match="is not in shards"):
        session(tmp_path / "whole", SEATS, shard=Shard(1, 2))


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2"])
def test_a_wrong_shard_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(Problem, match="is not I/N"):
        read_shard(text)


def test_more_shards_than_clusters_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="use fewer shards"):
        session(tmp_path, SEATS, limit=3, shard=Shard(4, 4))
