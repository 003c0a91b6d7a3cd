"""How files are written."""

import errno
import os
import tomllib
from pathlib import Path
from threading import Thread

import pytest

from groundling.core.values import Problem
from groundling.files import encode_toml, write_output, write_whole_file


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole_file(path, b"first")
    write_whole_file(path, b"second")
    assert path.read_bytes() == b"second"
    assert list(tmp_path.iterdir()) == [path]


def test_a_mode_that_is_given_is_kept_whatever_the_umask(tmp_path: Path) -> None:
    path, usual = tmp_path / "a", tmp_path / "usual"
    before = os.umask(0o027)
    try:
        write_whole_file(path, b"text", 0o666)
        write_whole_file(usual, b"text")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o666
    assert usual.stat().st_mode & 0o777 == 0o640


def test_a_link_still_points_to_the_file(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    write_whole_file(link, b"text")
    assert link.is_symlink()
    assert target.read_bytes() == b"text"


def test_a_pipe_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_whole_file(path, b"text")
    reader.join()
    assert read == [b"text"]
    assert path.is_fifo()


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="this system has no /dev/full")
def test_a_full_device_is_told_and_left_as_it_is() -> None:
    with pytest.raises(OSError, match="No space") as trouble:
        write_whole_file(Path("/dev/full"), b"text")
    assert (trouble.value.errno, trouble.value.filename) == (errno.ENOSPC, "/dev/full")
    assert Path("/dev/full").is_char_device()


def test_a_table_is_written_without_what_is_not_stated() -> None:
    table: dict[str, object] = {"a": None, "b": {"c": None, "d": 0, "e": ""}, "f": [{"g": None, "h": []}]}
    assert tomllib.loads(encode_toml(table).decode()) == {"b": {"d": 0, "e": ""}, "f": [{"h": []}]}
    assert tomllib.loads(encode_toml(table, (None, "", [], {})).decode()) == {"b": {"d": 0}, "f": [{}]}


@pytest.mark.parametrize("name", ["run.toml", "log.jsonl", "notes.jsonl"])
def test_an_output_never_replaces_a_file_of_a_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "run.toml").write_text("")
    (tmp_path / name).write_text("kept")
    with pytest.raises(Problem, match=f"{name} belongs to a run or study and is not overwritten"):
        write_output(tmp_path / name, b"a report")
    assert (tmp_path / name).read_text() == "kept"


def test_an_output_never_replaces_a_database(tmp_path: Path) -> None:
    path = tmp_path / "groundling.db"
    path.write_bytes(b"SQLite format 3\0")
    with pytest.raises(Problem, match="not overwritten"):
        write_output(path, b"a table")


def test_an_output_replaces_an_earlier_one_beside_the_log(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text("")
    for text in (b"first", b"second"):
        write_output(tmp_path / "report.html", text)
    assert (tmp_path / "report.html").read_bytes() == b"second"
