"""`groundling data` and `groundling play --data`, with a source that hands out the image game's built-in
pictures."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from groundling.cli.main import main
from groundling.core.events import Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.source import GROUP, Collection, ItemLabel, Source
from groundling.core.table import play
from groundling.core.values import Instance, Recipe


def parts(path: Path) -> Sequence[str]:
    return ["first", "second"] if path.name == "good" else []


def read(path: Path, part: str) -> Sequence[Collection]:
    pack = find("image")
    found = load(pack.builtin)()[:4]
    mine = found[:2] if part == "first" else found[2:]
    return [Collection("image", part, mine, map(played, mine) if part == "first" else ())]


def played(instance: Instance) -> Transcript:
    pack = find("image")
    game = pack.new()
    players = {role: load(pack.players["gold"])(Seat(pack, game, role, "gold")) for role in pack.roles}

    async def all_events() -> Transcript:
        return Transcript(tuple([e async for e in play(game, instance, players, seed=0, clock=lambda: 0.0)]))

    return asyncio.run(all_events())


def split(path: Path, recipe: Recipe) -> dict[str, list[str]]:
    return {"train": [f"a{recipe.seed}"], "dev": ["b", "c"]}


def label(instances: Sequence[Instance]) -> list[ItemLabel]:
    return [
        ItemLabel(one.id, annotator, str(number % 2), one.id)
        for number, one in enumerate(instances)
        for annotator in ("people", "rules")
    ]


IMAGE = Source(
    name="image",
    about="pictures",
    parts=parts,
    read=read,
    stats=lambda path: ["one", "two"],
    labels=label,
    split=split,
)
BARE = Source(name="bare", about="pictures", parts=parts, read=read)


@pytest.fixture(autouse=True)
def good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    here = {
        name: EntryPoint(name, f"tests.cli.test_data:{name.upper()}", GROUP) for name in ("bare", "image")
    }
    for module in ("groundling.core.source", "groundling.cli.verbs"):
        monkeypatch.setattr(sys.modules[module], "installed_sources", lambda: here)
    (tmp_path / "good").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "good").touch()
    return tmp_path / "good"


def test_instances_and_recorded_games_are_written_part_by_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "import", "image", "good", "-o", "out"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["first", "first.jsonl", "second.jsonl"]
    assert main(["score", "out/first"]) == 0
    assert main(["verify", "out/first"]) == 0
    assert capsys.readouterr().out.count("planned 2 = played 2") == 2
    assert (
        main(
            [
                "play",
                "image",
                "out/first.jsonl",
                "--seat",
                "giver=replay:out/first",
                "--seat",
                "follower=gold",
            ]
        )
        == 0
    )
    assert "planned 2 = played 2" in capsys.readouterr().out
    assert main(["report", "out/first", "-o", "report.html"]) == 0


def test_importing_again_replaces_what_was_imported_and_nothing_that_was_played(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["data", "import", "image", "good", "-o", "out", "--split", "first"]) == 0
    before = Path("out/first/log.jsonl").read_bytes()
    assert main(["data", "import", "image", "good", "-o", "out", "--split", "first"]) == 0
    assert Path("out/first/log.jsonl").read_bytes() == before
    assert (
        main(
            [
                "play",
                "image",
                "--limit",
                "1",
                "--seat",
                "giver=gold",
                "--seat",
                "follower=gold",
                "-o",
                "mine/first",
            ]
        )
        == 0
    )
    assert main(["data", "import", "image", "good", "-o", "mine", "--split", "first"]) == 2
    assert "holds a run that was played here" in capsys.readouterr().err


def test_data_can_be_played_without_importing_it(capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["--seat", "giver=gold", "--seat", "follower=gold"]
    assert main(["play", "image", "--data", "good", "--split", "second", *seats]) == 0
    assert "planned 2 = played 2" in capsys.readouterr().out
    assert main(["play", "image", "--data", "good", "--dry-run", *seats]) == 0
    assert "of 4 episodes (0 done) of image from good, all parts" in capsys.readouterr().out


def test_stats_and_splits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "stats", "image", "good"]) == 0
    assert capsys.readouterr().out == "one\ntwo\n"
    assert main(["data", "split", "image", "good", "--seed", "3"]) == 0
    assert capsys.readouterr().out == "splits.json: train 1, dev 2\n"
    assert '"a3"' in Path("splits.json").read_text()


def test_a_sample_is_written_like_an_imported_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "sample", "image", "good", "--procedures", "3", "--by", "set", "-o", "out"]) == 0
    out = capsys.readouterr().out
    assert "out/sample-3.jsonl: 3 instances of image" in out
    assert "3 of 4 by set" in out
    assert main(["verify", "out/sample-3"]) == 0


def test_labels_are_written_as_a_table_that_agree_reads(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "labels", "image", "good"]) == 0
    assert capsys.readouterr().out.startswith("labels.csv: labels by people 4, rules 4;")
    assert main(["agree", "labels.csv"]) == 0
    assert capsys.readouterr().out.startswith("labels.csv: 4 items, 2 annotators, 4 clusters\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["data", "import"], "choose from bare, image"),
        (["data", "import", "nothing", "good"], "choose from bare, image"),
        (["data", "import", "image", "gone"], "gone does not exist"),
        (["data", "import", "image", "bad"], "holds no data that the image reader knows"),
        (["data", "import", "image", "empty/good"], "holds no data that the image reader knows"),
        (["data", "stats", "image", "empty/good"], "holds no data that the image reader knows"),
        (
            ["data", "import", "image", "good", "--split", "third"],
            "no part 'third': choose from first, second",
        ),
        (["data", "stats", "bare", "good"], "no published figures"),
        (["data", "stats", "image", "good", "-o", "plots"], "no plots"),
        (["data", "split", "bare", "good"], "cannot be split"),
        (["data", "labels", "bare", "good"], "bare data has no labels"),
        (["data", "sample", "bare", "good", "-n", "5"], "5 of 4 cannot be chosen"),
        (["data", "sample", "bare", "good", "-n", "2", "--by", "hue"], "have no field 'hue': choose from"),
        (["data", "sample", "bare", "gone", "-n", "2"], "gone does not exist"),
        (["play", "image", "--split", "first"], "add --data"),
        (["play", "image", "file.jsonl", "--data", "good"], "play one of them"),
        (["play", "reference", "--data", "good"], "no reader of 'reference' data"),
        (
            ["play", "image", "--seat", "giver=replay", "--seat", "follower=gold"],
            "has no recordings of its own",
        ),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
