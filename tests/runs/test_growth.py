"""A run grows by a larger limit, more repeats or added instances, and plays only what is new."""

import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from tests.helpers import GOLD, Says, session

from groundling.cli import main
from groundling.core.events import Opened
from groundling.core.pack import find, load
from groundling.core.values import Problem
from groundling.games.reference.make import LineupRecipe, make
from groundling.runs.event_log import read_events
from groundling.runs.run import read_run_recordings
from groundling.runs.run_extent import extent_lines
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import score_run
from groundling.runs.session import control_sessions
from groundling.runs.verify import verify_run

OLD = Path(__file__).parent.parent / "data" / "run-0.1"
OLD_SEATS = {"giver": "gold", "follower": "rule"}
PLAY = ["play", "reference", "--seat", "giver=gold", "--seat", "follower=rule"]
reference = find("reference")


def play(folder: Path, **fields: Any) -> list[str]:
    """Play, check the run, and return the episodes that the follower was asked about."""
    follower = Says("second")
    at_table = session(folder, **fields)
    msgspec.structs.replace(at_table, players={**at_table.players, "follower": follower}).play_missing(1)
    assert verify_run(RunFolder(folder)).findings == []
    assert at_table.read_summary().is_complete
    return [ask.episode for ask in follower.asks]


def read_about(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "run.toml").read_text())


def test_a_larger_limit_plays_only_what_is_new(tmp_path: Path) -> None:
    first, second = play(tmp_path, limit=5), play(tmp_path, limit=20)
    assert (len(first), len(second)) == (5, 15)
    assert not set(first) & set(second)
    assert play(tmp_path, limit=20) == []
    assert len(play(tmp_path)) == 16
    assert sorted(read_run_recordings(tmp_path)) == sorted(one.id for one in load(reference.builtin)())


def test_more_repeats_play_only_the_new_ones(tmp_path: Path) -> None:
    first = play(tmp_path, limit=3)
    assert play(tmp_path, limit=3, repeat=3) == [f"{name}#{turn}" for turn in (2, 3) for name in first]


def test_limit_and_repeats_grow_together(tmp_path: Path) -> None:
    play(tmp_path, limit=2)
    assert len(play(tmp_path, limit=4, repeat=2)) == 6
    assert read_about(tmp_path)["episodes"] == 8


def test_added_instances_are_played_and_the_others_kept(tmp_path: Path) -> None:
    built = load(reference.builtin)()
    assert len(play(tmp_path, instances=built[:3])) == 3
    assert len(play(tmp_path, instances=built[2:6])) == 3
    assert play(tmp_path, instances=built[:6]) == []
    assert read_about(tmp_path)["episodes"] == 6


def read_strata(folder: Path) -> dict[str, int]:
    """The number of instances of each set from which those of the run were chosen."""
    return {name: sizes[""] for name, sizes in read_about(folder)["plan"]["strata"].items()}


@pytest.mark.parametrize("limits", [(2, 8), (None, 8), (2, None), (None, None)])
def test_the_whole_is_all_that_was_ever_offered_each_counted_once(
    tmp_path: Path, limits: tuple[int | None, int | None]
) -> None:
    """Two files: the built-in set has 18 of each set, 6 of edits-2 are in both, 20 of edits-2 are new."""
    built, other = load(reference.builtin)(), make(LineupRecipe(n=20, edits="2", seed=5))
    new = [msgspec.structs.replace(one, id=f"new-{one.id}") for one in other]
    play(tmp_path, limit=limits[0], instances=built)
    play(tmp_path, limit=limits[1], instances=[*built[:6], *new])
    play(tmp_path, instances=built[:4])
    play(tmp_path, limit=30, instances=built)
    assert read_strata(tmp_path) == {"edits-2": 38, "edits-4": 18}
    assert sum(read_strata(tmp_path).values()) == 56
    play(tmp_path, instances=new)
    play(tmp_path, instances=built)
    assert (read_about(tmp_path)["episodes"], read_about(tmp_path)["plan"]["selection"]) == (56, "all")


def test_the_mean_of_a_run_of_two_files_is_weighted_to_both(tmp_path: Path) -> None:
    """Of 18 and 38 instances two each are played; only those of the larger set succeed."""
    built, other = load(reference.builtin)(), make(LineupRecipe(n=20, edits="2", seed=5))
    new = [msgspec.structs.replace(one, id=f"new-{one.id}") for one in other]
    session(tmp_path, limit=4, instances=built).play_missing(1)
    session(tmp_path, limit=1, instances=new).play_missing(1)
    weights = score_run(RunFolder(tmp_path)).group_by("set").agg(pl.col("sampling_weight").sum())
    assert dict(weights.rows()) == {
        "edits-2": pytest.approx(5 * 38 / 56),
        "edits-4": pytest.approx(5 * 18 / 56),
    }


def test_a_folder_that_only_counts_what_was_offered_still_grows(tmp_path: Path) -> None:
    play(tmp_path, limit=4)
    (tmp_path / "offered.txt").unlink()
    assert len(play(tmp_path, limit=6)) == 2
    assert read_strata(tmp_path) == {"edits-2": 18, "edits-4": 18}


def test_a_smaller_limit_plays_nothing_and_forgets_nothing(tmp_path: Path) -> None:
    play(tmp_path, limit=6)
    before = (tmp_path / "run.toml").read_bytes()
    assert play(tmp_path, limit=2) == []
    assert (tmp_path / "run.toml").read_bytes() == before


def test_missing_episodes_that_were_not_asked_for_are_not_promised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["play", "reference", "--seat", "giver=gold", "--seat", "follower=rule", "-o", str(tmp_path)]
    assert main([*words, "--limit", "4"]) == 0
    capsys.readouterr()
    assert main([*words, "--limit", "2", "--repeat", "2"]) == 1
    printed = capsys.readouterr().out
    assert "missing 2" in printed
    assert "none of those that were asked for" in printed
    assert "run the same command again" not in printed
    assert main([*words, "--limit", "4", "--repeat", "2"]) == 0


def test_a_growth_is_logged_with_its_time_and_told(tmp_path: Path) -> None:
    play(tmp_path, limit=5)
    assert not any("fixed in advance" in line for line in extent_lines(read_about(tmp_path), {}))
    play(tmp_path, limit=20)
    about = read_about(tmp_path)
    (step,) = about["growth"]
    assert step["at"].tzinfo is not None
    assert (step["ended"], step["episodes"], step["instances"]) == (5, [5, 20], [5, 20])
    assert any("n was not fixed in advance" in line for line in extent_lines(about, {}))


def test_a_growth_before_any_result_is_no_peeking(tmp_path: Path) -> None:
    session(tmp_path, limit=2).folder.prepare_folder(session(tmp_path, limit=2).plan)
    play(tmp_path, limit=4)
    about = read_about(tmp_path)
    assert [step["ended"] for step in about["growth"]] == [0]
    assert not any("fixed in advance" in line for line in extent_lines(about, {}))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"seats": {**GOLD, "follower": "rule"}}, "seats.follower: gold there, rule here"),
        ({"seed": 1}, "seed: 0 there, 1 here"),
        ({"retries": 2}, "retries: 1 there, 2 here"),
        ({"strict": True}, "strict: False there, True here"),
    ],
)
def test_what_cannot_be_added_is_named(tmp_path: Path, fields: dict[str, Any], told: str) -> None:
    play(tmp_path, limit=2)
    before = (tmp_path / "run.toml").read_bytes()
    with pytest.raises(Problem, match=told):
        session(tmp_path, limit=4, **fields)
    assert (tmp_path / "run.toml").read_bytes() == before


def test_another_instance_with_a_known_id_is_refused(tmp_path: Path) -> None:
    one, other, *_ = load(reference.builtin)()
    play(tmp_path, instances=[one])
    with pytest.raises(Problem, match=f"another instance with the id '{one.id}'"):
        session(tmp_path, instances=[msgspec.structs.replace(other, id=one.id)])


def test_planned_instances_that_are_nowhere_are_asked_for(tmp_path: Path) -> None:
    built = load(reference.builtin)()
    begun = session(tmp_path, instances=built[:3])
    begun.folder.prepare_folder(begun.plan)
    with pytest.raises(Problem, match=r"neither given nor played yet \(edits-2-01…\): give these too"):
        session(tmp_path, instances=built[4:6])


def test_controls_grow_with_their_run(tmp_path: Path) -> None:
    for limit in (8, 12):
        at_table = session(tmp_path, OLD_SEATS, limit=limit)
        at_table.play_missing(1)
        for control in control_sessions(at_table):
            control.play_missing(1)
            assert control.read_summary().planned == limit
            assert verify_run(control.folder).findings == []


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A run of the first four instances, each twice, as `--limit 4 --repeat 2` made it before."""
    return Path(shutil.copytree(OLD, tmp_path / "old"))


def test_an_old_folder_resumes_with_its_own_selection(old: Path) -> None:
    lines = (old / "log.jsonl").read_text().splitlines(keepends=True)
    lost = [line for line in lines if '"edits-2-04#2"' not in line]
    (old / "log.jsonl").write_text("".join(lost))
    sums = (old / "log.sha256").read_text().splitlines(keepends=True)
    (old / "log.sha256").write_text("".join(line for line in sums if "edits-2-04#2" not in line))
    before = (old / "run.toml").read_bytes()
    session(old, OLD_SEATS, limit=4, repeat=2).play_missing(1)
    assert (old / "run.toml").read_bytes() == before
    assert sorted(read_run_recordings(old)) == [
        f"edits-2-0{n}{end}" for n in range(1, 5) for end in ("", "#2")
    ]
    assert verify_run(RunFolder(old)).findings == []


def test_an_old_folder_grows_as_it_was_begun(old: Path) -> None:
    for limit, names in ((6, "123456"), (6, "123456"), (8, "12345678")):
        session(old, OLD_SEATS, limit=limit, repeat=2).play_missing(1)
        assert {name.partition("#")[0] for name in read_run_recordings(old)} == {
            f"edits-2-0{n}" for n in names
        }
        assert verify_run(RunFolder(old)).findings == []


def test_an_old_folder_is_found_by_its_old_name(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    old.rename("runs/reference-e5538a2071")
    assert main([*PLAY, "--limit", "4", "--repeat", "2"]) == 0
    assert "into runs/reference-e5538a2071\nplanned 8 = played 8" in capsys.readouterr().out
    assert len(list(Path("runs").iterdir())) == 1


def test_the_default_folder_is_of_the_players_and_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*PLAY, "--limit", "2"]) == 0
    assert main([*PLAY, "--limit", "4", "--repeat", "2"]) == 0
    assert "the run grows from 2 to 8 episodes" in capsys.readouterr().out
    assert len(list(Path("runs").iterdir())) == 1
    main(["make", "reference", "-n", "4", "-o", "made.jsonl"])
    assert main([*PLAY, "made.jsonl"]) == 0
    assert len(list(Path("runs").iterdir())) == 2


def test_a_part_is_reported_with_what_is_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*PLAY, "--limit", "1", "-o", "run"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "a part of the whole: 1 of 36 instances are planned" in out
    assert "nothing is from edits-4" in out
    for command in (["score", "run"], ["score", "run", "--set", "edits-2"], ["compare", "run", "run"]):
        assert main(command) == 0
        assert "1 of 36 instances" in " ".join(capsys.readouterr().out.split())
    assert main(["score", "run", "--set", "edits-4"]) == 2
    assert main(["show", "run", "--set", "edits-2"]) == 0
    assert main(["report", "run", "--set", "edits-2"]) == 0
    assert "1 of 36 instances are planned" in Path("report.html").read_text()


@pytest.mark.parametrize("damage", ["dropped", "changed", "growth"])
def test_verify_checks_planned_instances_and_growth(tmp_path: Path, damage: str) -> None:
    play(tmp_path, limit=2)
    play(tmp_path, limit=4)
    digests, about = tmp_path / "instances.sha256", tmp_path / "run.toml"
    lines = digests.read_text().splitlines(keepends=True)
    if damage == "dropped":
        digests.write_text("".join(lines[:-1]))
    elif damage == "changed":
        digests.write_text("".join([*lines[:-1], f"{'0' * 64}{lines[-1][64:]}"]))
    else:
        about.write_text(about.read_text().replace("ended = 2", "ended = 3"))
    assert verify_run(RunFolder(tmp_path)).findings


GROW = """
import asyncio, sys
from pathlib import Path
import msgspec
from groundling.core.player import Reply
from tests.helpers import session

class Slow:
    name = "slow"
    async def act(self, ask):
        await asyncio.sleep(0.01)
        return Reply(text="second")

table = session(Path(sys.argv[1]), limit=int(sys.argv[2]), repeat=4)
msgspec.structs.replace(table, players={**table.players, "follower": Slow()}).play_missing(1)
"""


def test_a_kill_during_growth_is_resumed_by_the_same_command(tmp_path: Path) -> None:
    run = tmp_path / "run"

    def start(limit: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", GROW, str(run), str(limit)])

    assert start(2).wait() == 0
    for _ in range(2):
        killed = start(30)
        while killed.poll() is None and read_about(run)["episodes"] == 8:
            time.sleep(0.01)
        time.sleep(0.2)
        os.kill(killed.pid, signal.SIGKILL)
        assert killed.wait() == -signal.SIGKILL
        assert verify_run(RunFolder(run)).findings == []
    assert start(30).wait() == 0
    opened = Counter(
        event.episode
        for event in read_events(run / "log.jsonl", load(reference.game))
        if isinstance(event, Opened)
    )
    assert (len(opened), set(opened.values())) == (120, {1})
    assert [step["episodes"] for step in read_about(run)["growth"]] == [[8, 120]]
    assert verify_run(RunFolder(run)).findings == []


def test_a_growth_that_was_cut_off_before_run_toml_is_repeated(tmp_path: Path) -> None:
    """The digests of the instances are written first; run.toml says how many of them count."""
    play(tmp_path, limit=2)
    about = (tmp_path / "run.toml").read_bytes()
    session(tmp_path, limit=5).folder.grow_folder(session(tmp_path, limit=5).plan, 2)
    (tmp_path / "run.toml").write_bytes(about)
    assert verify_run(RunFolder(tmp_path)).findings == []
    assert len(play(tmp_path, limit=5)) == 3


def test_a_run_from_before_a_setting_existed_grows_with_its_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    codraw = ["play", "codraw", "--seat", "teller=gold", "--seat", "drawer=gold", "-o", "run"]
    assert main([*codraw, "--limit", "1"]) == 0
    about, log = Path("run/run.toml"), Path("run/log.jsonl")
    about.write_text(about.read_text().replace('ends = "teller"\n', ""))
    log.write_text(log.read_text().replace('"ends":"teller",', ""))
    Path("run/log.sha256").unlink()
    assert "ends" not in about.read_text() + log.read_text()
    assert main([*codraw, "--limit", "2"]) == 0
    capsys.readouterr()
    assert main(["verify", "run"]) == 0
    assert "played 2 " in capsys.readouterr().out
    assert main([*codraw, "--limit", "2", "--ends", "both"]) == 2
    assert "settings.ends: teller there, both here" in capsys.readouterr().err
