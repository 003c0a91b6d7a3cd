import sys
from pathlib import Path

import msgspec
import polars as pl
import pytest
from tests.helpers import Fails, Says, session

from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder
from groundling.runs.scoring import encode_run_scores, score_run
from groundling.runs.scoring_table import write_scoring_table


def scored(folder: Path, **players: object) -> pl.DataFrame:
    at_table = session(folder, limit=1, strict=bool(players.pop("strict", False)))
    msgspec.structs.replace(at_table, players={**at_table.players, **players}).play_missing(1)
    return score_run(RunFolder(folder))


def test_a_row_holds_all_that_the_tables_need(tmp_path: Path) -> None:
    (row,) = scored(tmp_path).to_dicts()
    assert row["players"] == "gold → gold"
    assert (row["set"], row["episode"], row["status"]) == ("edits-2", "edits-2-01", "played")
    assert (row["success"], row["strict"], row["tolerant"], row["chance"], row["top"]) == (1, 1, 1, 1 / 3, 1)
    assert row["characters"] > row["tokens"] > 10


def test_a_slip_of_form_counts_in_the_strict_column_only(tmp_path: Path) -> None:
    (row,) = scored(tmp_path, follower=Says("the second")).to_dicts()
    assert (row["success"], row["strict"], row["tolerant"]) == (1, 0, 1)


def test_refusals_are_counted_by_seat(tmp_path: Path) -> None:
    (row,) = scored(tmp_path, giver=Says("", "row 1"), follower=Says("hm", "hmm")).to_dicts()
    assert (row["refused_giver"], row["refused_follower"], row["status"], row["success"]) == (
        1,
        2,
        "aborted",
        0,
    )
    assert (row["seconds"], row["usage_output"]) == (2.0, 12)


def test_a_strict_run_does_not_know_the_tolerant_score(tmp_path: Path) -> None:
    (row,) = scored(tmp_path, strict=True, follower=Says("the second")).to_dicts()
    assert (row["success"], row["strict"], row["tolerant"]) == (0, 0, None)


def test_an_errored_episode_has_a_row_and_no_score(tmp_path: Path) -> None:
    (row,) = scored(tmp_path, follower=Fails(1, "second")).to_dicts()
    assert (row["status"], row["success"], row["strict"], row["failed_at"]) == (
        "errored",
        None,
        None,
        "timeout",
    )


def test_the_parquet_file_holds_the_rows(tmp_path: Path) -> None:
    table = scored(tmp_path)
    write_scoring_table(RunFolder(tmp_path), encode_run_scores(RunFolder(tmp_path)))
    assert pl.read_parquet(tmp_path / "scores.parquet").equals(table)
    assert not list(tmp_path.glob("*.part"))


def test_columns_that_only_some_episodes_have_are_empty_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundling.runs.scoring_table.CHUNK_ROWS", 1)
    one, other = session(tmp_path, limit=1), session(tmp_path, limit=2)
    one.play_missing(1)
    (tmp_path / "run.toml").unlink()
    other.folder.log_path.rename(tmp_path / "kept")
    other.folder.prepare_folder(other.plan)
    other.folder.log_path.write_bytes((tmp_path / "kept").read_bytes())
    msgspec.structs.replace(other, players={**other.players, "follower": Says("second")}).play_missing(1)
    assert score_run(RunFolder(tmp_path))["usage_output"].to_list() == [None, 3]


def test_a_run_that_has_not_begun_has_no_rows(tmp_path: Path) -> None:
    session(tmp_path).folder.prepare_folder(session(tmp_path).plan)
    assert score_run(RunFolder(tmp_path)).is_empty()


def test_without_the_extra_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(Problem, match=r"pip install \"groundling\[score\]\""):
        score_run(RunFolder(tmp_path))
