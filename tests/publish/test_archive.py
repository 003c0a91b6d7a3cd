"""Archives of results: the same bytes for the same runs, and a check that finds every change."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from tests.publish.records import play_run
from tests.report.test_conversation import ListeningModel, seated

from groundling.cli.main import main
from groundling.publish.archive import MANIFEST, read_archive, write_archive_bytes

ROOT = Path(__file__).parents[2]


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    play_run(tmp_path / "one", "--controls")
    play_run(tmp_path / "two", "--seed", "3")
    assert main(["archive", "one", "two", "-o", "result.tar"]) == 0
    return tmp_path / "result.tar"


def test_an_archive_has_all_that_a_result_rests_on_and_is_verified(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["archive", "two", "one", "-o", "again.tar"]) == 0
    assert archive.read_bytes() == archive.with_name("again.tar").read_bytes()
    names = set(read_archive(archive))
    assert {"report-reference.html", "versions.json", "scores/one-silent.csv", "scores/two.csv"} <= names
    assert {"runs/one/run.toml", "runs/one/log.jsonl", "runs/one/shuffled/log.sha256"} <= names
    capsys.readouterr()
    assert main(["verify", "result.tar", "one"]) == 0
    told = capsys.readouterr().out
    assert "result.tar/runs/one/silent: planned 4" in told
    assert "the scores follow from the logs" in told


def test_a_changed_archive_is_refused_in_one_line(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = archive.read_bytes()
    for content, told in (
        (whole.replace(b"Answer: second", b"Answer: first.", 1), "was changed"),
        (whole[:30000], "is not a whole archive"),
        (b"hello", "is not a whole archive"),
        (whole.replace(MANIFEST.encode(), b"M" * len(MANIFEST)), "is not a whole archive"),
    ):
        archive.write_bytes(content)
        capsys.readouterr()
        assert main(["verify", "result.tar"]) == 2
        line = capsys.readouterr().err
        assert told in line
        assert line.count("\n") == 1


def test_scores_that_do_not_follow_from_the_log_are_found(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = read_archive(archive)
    files["scores/two.csv"] = files["scores/two.csv"].replace(b",1.0,", b",0.0,", 1)
    archive.write_bytes(write_archive_bytes(files))
    assert main(["verify", "result.tar"]) == 1
    assert "result.tar/scores/two.csv: the scores computed from the log" in capsys.readouterr().out
    files["runs/two/log.jsonl"] = files["runs/two/log.jsonl"].replace(b"Answer: ", b"answer? ", 1)
    archive.write_bytes(write_archive_bytes(files))
    assert main(["verify", "result.tar"]) == 1
    assert "result.tar/runs/two/log.jsonl" in capsys.readouterr().out


def test_members_that_would_leave_the_folder_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.tar"
    with tarfile.open(path, "w") as tar:
        tar.addfile(tarfile.TarInfo("../outside"), io.BytesIO())
    assert main(["verify", str(path)]) == 2
    assert "'../outside', which no archive has" in capsys.readouterr().err
    with tarfile.open(path, "w") as tar:
        tar.addfile(tarfile.TarInfo("empty"), io.BytesIO())
    assert main(["verify", str(path)]) == 2
    assert f"has no {MANIFEST}" in capsys.readouterr().err


def test_a_damaged_run_is_not_archived(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = play_run(tmp_path / "run")
    log = run / "log.jsonl"
    log.write_text(log.read_text().replace("Answer: ", "answer? ", 1))
    assert main(["archive", str(run), "-o", str(tmp_path / "no.tar")]) == 2
    assert "only undamaged runs are archived" in capsys.readouterr().err
    assert not (tmp_path / "no.tar").exists()


def test_what_a_language_model_was_sent_is_archived(tmp_path: Path) -> None:
    seated(tmp_path / "run", "reference", "follower", ListeningModel("Answer: first")).play_missing(1)
    assert main(["archive", str(tmp_path / "run"), "-o", str(tmp_path / "a.tar")]) == 0
    prompts = read_archive(tmp_path / "a.tar")["prompts/run.txt"].decode()
    assert "[request to follower: listening" in prompts
    assert "Answer: first" in prompts


def test_code_of_an_archive_is_kept_but_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    game = (ROOT / "examples" / "treasure.py").read_text()
    (tmp_path / "treasure.py").write_text(game)
    seats = ["--seat", "giver=gold", "--seat", "seeker=gold"]
    assert main(["play", "treasure.py", "--limit", "2", *seats, "-o", "r"]) == 0
    assert main(["archive", "r", "-o", "a.tar"]) == 0
    files = read_archive(tmp_path / "a.tar")
    assert files["code/r-game.py"].decode() == game
    files["code/r-game.py"] += b"\nopen('marker', 'w')\n"
    about = files["runs/r/run.toml"].decode()
    files["runs/r/run.toml"] = about.replace("../treasure.py", "../../code/r-game.py").encode()
    (tmp_path / "a.tar").write_bytes(write_archive_bytes(files))
    assert main(["verify", "a.tar"]) == 2
    assert "no code of an archive is run" in capsys.readouterr().err
    assert main(["verify", "a.tar", "--game", "treasure.py"]) == 0
    assert not (tmp_path / "marker").exists()
