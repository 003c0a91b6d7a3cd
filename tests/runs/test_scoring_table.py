"""Tables that are scored in chunks, shard by shard, are those of one run in one piece."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace
from polars.testing import assert_frame_equal
from tests.helpers import session

from groundling.cli.main import main
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.report.plot_data import gather_plot_data
from groundling.report.report_data import gather_report_runs
from groundling.report.score_table import CHANCE, score_rows
from groundling.runs import scoring_table
from groundling.runs.run import open_run
from groundling.runs.scoring import score_run
from groundling.runs.session import control_sessions
from groundling.runs.shards import Shard

SEATS = {"giver": "gold", "follower": "random"}
PAID, FAILS = "edits-2-03#2", "edits-4-07"
"""The episode in which the follower reports what it used, and the one in which it cannot answer."""


class Meters:
    """Answers as another player, and reports what it used in one episode."""

    name = "meters"

    def __init__(self, player: Player, fails: bool) -> None:
        self.player, self.fails = player, fails

    async def act(self, ask: Ask) -> Reply:
        if self.fails and ask.episode == FAILS:
            raise Unable("timeout", "no answer in time")
        reply = await self.player.act(ask)
        if ask.episode != PAID:
            return reply
        return replace(reply, usage={"output_tokens": 5}, seconds=0.5, detail={"model": "small"})


def play(folder: Path, shards: int, *, fails: bool = False) -> None:
    """Play a run in one piece (0), or in shards, and its controls if no episode fails."""
    parts: list[Shard | None] = [Shard(number, shards) for number in range(1, shards + 1)]
    sessions = []
    for shard in parts or [None]:
        made = session(folder, SEATS, repeat=2, shard=shard)
        follower = Meters(made.players["follower"], fails)
        sessions.append(replace(made, players={**made.players, "follower": follower}))
        sessions[-1].play_missing(4)
    for made in sessions if not fails else ():
        for control in control_sessions(made):
            control.play_missing(4)


def edit_logs(folder: Path) -> None:
    """Remove an episode from its log, and make another contradict itself."""
    for log in sorted(folder.rglob("log.jsonl")):
        lines = log.read_text().splitlines(keepends=True)
        kept = [line for line in lines if '"episode":"edits-2-05"' not in line]
        changed = [
            re.sub(r'"score":[01]\.0', '"score":0.5', line) if '"episode":"edits-4-02"' in line else line
            for line in kept
        ]
        if changed != lines:
            log.write_text("".join(changed))


def printed_scores(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["score", "--all", str(folder)]) == 0
    # lines are wrapped according to the length of the name
    return " ".join(capsys.readouterr().out.replace(str(folder), "DIR").split())


def scores_file(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "scores.parquet").drop("run", "seconds").sort("episode")


@pytest.mark.parametrize("damaged", [False, True])
def test_shards_have_the_table_of_one_piece(
    damaged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for shards, chunk in ((0, 10_000), (1, 10_000), (2, 7), (10, 10_000), (10, 3)):
        monkeypatch.setattr(scoring_table, "CHUNK_ROWS", chunk)
        monkeypatch.setattr(scoring_table, "GROUP_ROWS", chunk)
        folder = tmp_path / f"{shards:02}"
        if not folder.exists():
            play(folder, shards, fails=damaged)
            if damaged:
                edit_logs(folder)
        parts = [folder] if damaged else [folder, folder / "silent", folder / "shuffled"]
        printed = printed_scores(folder, capsys)
        pack, runs = gather_report_runs([str(folder)])
        rows = score_rows(pack, runs[0].episodes)
        plots = [plot.numbers for plot in gather_plot_data(pack, runs, rows)]
        mains = [row.main for row in rows if row.control != CHANCE]
        found.append((printed, [scores_file(part) for part in parts], mains, plots))
    expected = found[0]
    told = ["errored 1", "missing 1", "damaged 1", "edits-4-02"] if damaged else ["played 72", "shuffled"]
    assert all(part in expected[0].replace("\xa0", " ") for part in told)
    assert "follower, small" in expected[0], "what one episode used is in the table"
    for printed, files, estimates, plots in found[1:]:
        assert printed == expected[0]
        for mine, theirs in zip(files, expected[1], strict=True):
            assert_frame_equal(mine, theirs, check_column_order=False)
        assert repr(estimates) == repr(expected[2]), "to the last digit"  # nan is not equal to itself
        assert plots == expected[3]


def test_columns_for_reports_are_not_in_the_file(tmp_path: Path) -> None:
    session(tmp_path, SEATS).play_missing(4)
    assert not [name for name in score_run(open_run(tmp_path)).columns if name.startswith("_")]
    _, (run,) = gather_report_runs([str(tmp_path)])
    assert {"_words", "_turns"} <= set(run.episodes.collect_schema())


KILLED = """
import os, signal, sys
from groundling.cli.main import main
os.fsync = lambda file: os.kill(os.getpid(), signal.{signal})
sys.exit(main(["score", sys.argv[1]]))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_scoring_that_is_interrupted_leaves_the_former_table(how: signal.Signals, tmp_path: Path) -> None:
    play(tmp_path, 2)
    assert main(["score", str(tmp_path)]) == 0
    former = (tmp_path / "scores.parquet").read_bytes()
    code = KILLED.format(signal=how.name)
    ended = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True)
    assert ended.returncode == (130 if how == signal.SIGINT else -how)
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "scores.parquet").read_bytes() == former
    assert main(["score", str(tmp_path)]) == 0
    assert not list(tmp_path.glob("*.part"))
