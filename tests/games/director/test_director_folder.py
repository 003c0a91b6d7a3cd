"""`groundling make director`, from the command line."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from groundling.cli import main
from groundling.games.director.data import SampleRecord
from groundling.games.director.rules import Sample


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_named_set_is_a_folder_with_instances_samples_and_images(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["make", "director", "--name", "first", "-n", "4", "-o", "sets"]) == 0
    out, err = capsys.readouterr()
    assert "sets/first/instances.jsonl: 4 instances of director" in out
    assert err == ""
    folder = Path("sets/first")
    samples = msgspec.json.decode((folder / "samples.json").read_bytes(), type=list[SampleRecord])
    instances = msgspec.json.Decoder(Sample).decode_lines((folder / "instances.jsonl").read_bytes())
    assert [sample.question.natural_language for sample in samples] == [
        instance.words for instance in instances
    ]
    for sample in samples:
        assert sample.image_path
        assert (folder / sample.image_path).read_bytes().startswith(b"\x89PNG")
    assert main(["data", "import", "director", "sets", "-o", "back"]) == 0
    assert main(["play", "director", "back/first.jsonl", "--seat", "participant=perfect", "-o", "run"]) == 0
    assert "success 1.000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rules", "noted"), [("none=0.5,size_related=0.5", True), ("size_related=1", False), ("", False)]
)
def test_a_share_that_was_asked_for_and_cannot_be_had_is_told(
    rules: str, noted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--rules", rules] if rules else []
    assert main(["make", "director", "-n", "4", *asked, "-o", "set.jsonl"]) == 0
    assert ("goes to the other rules in proportion" in capsys.readouterr().err) == noted


def test_the_same_command_gives_the_same_bytes() -> None:
    for place in ("a", "b"):
        main(["make", "director", "--name", "x", "-n", "4", "--seed", "3", "--no-pictures", "-o", place])
    for name in ("instances.jsonl", "samples.json"):
        assert (Path("a/x") / name).read_bytes() == (Path("b/x") / name).read_bytes()
    assert not Path("a/x/images").exists()


def test_sweeps_are_given_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "make",
                "director",
                "-n",
                "4",
                "--sweep",
                "related=0.3,0.9",
                "--sweep",
                "fill=0.5,0.9",
                "-o",
                "s.jsonl",
            ]
        )
        == 0
    )
    sets = [sample.set for sample in msgspec.json.Decoder(Sample).decode_lines(Path("s.jsonl").read_bytes())]
    assert sorted(set(sets))[0] == "control related=0.3 fill=0.5"
    assert len(set(sets)) == 8


def test_a_fresh_set_with_a_name_keeps_its_secret_in_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["make", "director", "-n", "4", "--fresh", "--name", "x", "--no-pictures", "-o", "d"]) == 0
    assert Path("d/x/instances.jsonl.secret").exists()
    assert main(["make", "director", "--reveal", "d/x/instances.jsonl"]) == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["-n", "-1"], "n is -1: make at least 1"),
        (["--fill", "1.5"], "--fill 1.5: expected float <= 1.0"),
        (["--panels", "-0.1"], "--panels -0.1: expected float >= 0.0"),
        (["--physics", "nan"], "--physics nan: expected float"),
        (["--rules", "none=1.5"], "'1.5' is no share"),
        (["--columns", "1"], "--columns 1: expected int >= 2"),
        (["--items", "nowhere.json"], "nowhere.json: No such file"),
        (["--items", "broken.json"], "has the colour 'plaid', which is not among the properties"),
        (["--name", "x"], "add -o DIR"),
        (["--name", "../x", "-o", "d"], "give one plain name"),
        (["--name", "..", "-o", "d"], "give one plain name"),
        (["--like-reference", "--distractor", "tie"], "--like-reference takes ties as they come"),
        (["--name", "x", "-o", "broken.json"], "broken.json"),
        (["-o", "nowhere/set.jsonl"], "nowhere/set.jsonl"),
    ],
)
def test_bad_input_is_reported_in_one_line(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    known = [{"name": "thing", "role": "category", "one": "thing", "many": "things", "generic": True}]
    known += [{"name": "coin", "role": "category", "one": "coin", "many": "coins"}]
    coin = {
        "name": "c",
        "drawing": "book",
        "size": 1,
        "category": ["coin"],
        "colour": ["plaid"],
        "material": [],
        "quality": [],
    }
    Path("broken.json").write_bytes(msgspec.json.encode({"properties": known, "items": [coin]}))
    assert main(["make", "director", *arguments]) == 2
    err = capsys.readouterr().err
    assert why in err
    assert len(err.splitlines()) - err.count("note:") == 1


def test_where_one_may_not_write_is_reported(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, **options: bool) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert main(["make", "director", "-n", "4", "--name", "x", "-o", "locked"]) == 2
    assert "choose a path where you have permission to read and write" in capsys.readouterr().err


def test_a_disk_that_fills_half_way_keeps_what_was_finished(tmp_path: Path) -> None:
    """A limit on the size of a file is as near to a full disk as a test may go: the long list does not fit,
    the rest does."""
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "from groundling.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "make", "director", "-n", "60", "--name", "x", "-o", "d"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    assert done.returncode == 2
    assert "what was finished is kept" in done.stderr
    assert [path.name for path in (tmp_path / "d" / "x").iterdir()] == ["instances.jsonl"]
    assert len((tmp_path / "d" / "x" / "instances.jsonl").read_bytes().splitlines()) == 60
