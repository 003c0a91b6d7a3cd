"""Runs, instances and studies published as a folder: what is in it, what is refused, and reading it back."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import shlex
from pathlib import Path

import polars as pl
import pytest
import yaml
from tests.publish.records import as_people, play_run, read_folder, write_record
from tests.web.study_helpers import write_study
from tests.web.test_study_export import play_as_a_pair

import groundling
from groundling.cli.main import main
from groundling.publish.tables import COLUMNS
from groundling.runs.run_folder import RunFolder
from groundling.web.erasure import erase_seat


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line in which a command is refused."""
    capsys.readouterr()
    assert main(["data", "publish", *arguments]) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    return line


def publish(*arguments: str) -> None:
    assert main(["data", "publish", *arguments]) == 0


def all_text(folder: Path) -> str:
    """Everything that the folder holds; of the tables, the cells."""
    plain = [content.decode(errors="replace") for content in read_folder(folder).values()]
    cells = [pl.read_parquet(file).write_csv() for file in folder.rglob("*.parquet")]
    return "".join((*plain, *cells))


def table(folder: str, name: str, split: str) -> pl.DataFrame:
    return pl.read_parquet(Path(folder) / "parquet" / name / f"{split}.parquet")


def test_facts_that_are_missing_are_asked_for_by_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play_run(here / "run")
    assert "template" in refused(capsys, "run", "-o", "out")
    told = refused(capsys, "run", "-o", "out")
    assert "dataset.toml does not state title, published, description, licence" in told
    assert "datasheet.motivation" in told
    assert "people" not in told, "nobody took part"
    write_record(here / "dataset.toml")
    publish("run", "-o", "out")


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("licence", '"mine"', "licence 'mine' is not known"),
        ("version", '"1"', "is not MAJOR.MINOR.PATCH"),
        ("url", '"example"', "is no address"),
        ("titel", '"x"', "unknown field `titel`"),
        ("title", "3", "Expected `str`"),
        ("title", '"', "cannot be read"),
    ],
)
def test_a_record_with_a_mistake_is_refused_in_one_line(
    here: Path, capsys: pytest.CaptureFixture[str], field: str, value: str, told: str
) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml", **{field: value})
    assert told in refused(capsys, "run", "-o", "out")
    assert not (here / "out").exists()


def test_a_folder_has_every_card_and_the_same_bytes_for_the_same_runs(here: Path) -> None:
    play_run(here / "a", "--controls")
    play_run(here / "b", "--seed", "5")
    write_record(here / "dataset.toml")
    publish("a", "b", "-o", "out")
    publish("b", "a", "-o", "again")
    found = read_folder(here / "out")
    assert found == read_folder(here / "again")
    card = yaml.safe_load(found["README.md"].decode().split("---\n")[1])
    assert card["license"] == "cc-by-4.0"
    assert [each["config_name"] for each in card["configs"]] == ["episodes", "turns", "instances"]
    for config in card["configs"]:
        for file in config["data_files"]:
            assert file["path"] in found
    cited = yaml.safe_load(found["CITATION.cff"])
    assert (cited["title"], cited["type"]) == ('Small: "grids"', "dataset")
    assert cited["authors"][0]["family-names"] == "Doe"
    assert json.loads(found[".zenodo.json"])["creators"][0]["name"] == "Doe, Ada"
    assert "conformsTo" in json.loads(found["croissant.json"])
    episodes = pl.concat([table("out", "episodes", split) for split in ("dev", "test")])
    assert episodes["control"].value_counts(sort=True)["count"].to_list() == [8, 4, 4]
    assert set(table("out", "episodes", "dev")["set"]) == {"edits-2"}
    assert set(episodes["canary"]) == {"canary-0123"}
    assert str(here) not in all_text(here / "out")


def test_the_psych_ds_description_names_every_column_of_its_files(here: Path) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml")
    publish("run", "-o", "out")
    described = json.loads((here / "out/dataset_description.json").read_bytes())
    assert described["@type"] == "Dataset"
    required = {"name", "description", "variableMeasured"}
    assert required | {"author", "citation", "license", "url", "keywords"} <= described.keys(), "recommended"
    assert (here / "out" / described["citation"]).is_file()
    known = {each["name"] for each in described["variableMeasured"]}
    files = sorted((here / "out/data").iterdir())
    assert len(files) == 6
    for file in files:
        assert re.fullmatch(r"([a-z]+-[A-Za-z0-9]+_)+data\.csv", file.name)
        with file.open(newline="") as rows:
            header, *cells = csv.reader(rows)
        assert set(header) <= known
        assert all(len(row) == len(header) for row in cells)


@pytest.mark.parametrize(
    ("licence", "told"),
    [
        ("CC-BY-4.0", {"license": "CC-BY-4.0"}),
        (
            "https://example.org/terms",
            {"license": "other-closed", "notes": "Licence: https://example.org/terms"},
        ),
    ],
)
def test_zenodo_is_told_a_licence_that_allows_no_more_than_what_is_stated(
    here: Path, licence: str, told: dict[str, str]
) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml", licence=f'"{licence}"', keywords='["grids", "grids"]')
    publish("run", "-o", "out")
    fields = json.loads((here / "out/.zenodo.json").read_bytes())
    assert {key: value for key, value in fields.items() if key in ("license", "notes")} == told
    assert fields["keywords"] == ["grids"]


def test_a_published_folder_is_played_again_and_its_games_score_the_same(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_run(here / "run", "--controls")
    write_record(here / "dataset.toml")
    publish("run", "-o", "out")
    play = ["play", "reference", "--data", "out", "--seat", "giver=gold", "--seat", "follower=rule"]
    assert main([*play, "-o", "again"]) == 0
    assert main([*play, "--split", "dev", "-o", "dev"]) == 0
    assert main(["data", "import", "published", "out", "--split", "dev", "-o", "back"]) == 0
    assert main(["verify", "back", "again"]) == 0
    for name in ("run", "again", "back/dev-run", "run/silent", "back/dev-run-silent"):
        assert main(["score", name]) == 0
    kept = ["episode", "success", "status"]
    whole = pl.read_parquet("run/scores.parquet").select(kept)
    again = pl.read_parquet("again/scores.parquet").select(kept)
    assert whole.sort("episode").equals(again.sort("episode"))
    for before, after in (("run", "back/dev-run"), ("run/silent", "back/dev-run-silent")):
        old = pl.read_parquet(f"{before}/scores.parquet").filter(pl.col("set") == "edits-2").select(kept)
        assert old.sort("episode").equals(
            pl.read_parquet(f"{after}/scores.parquet").select(kept).sort("episode")
        )
    assert "'Small: \"grids\" 1.2.0'" in refused(capsys, "again", "-o", "more")


def test_a_run_of_published_data_names_it_also_when_played_from_python(here: Path) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml")
    publish("run", "-o", "out")
    seats = {"giver": "gold", "follower": "rule"}
    run = groundling.play("reference", data="out", seat=seats, out=here / "again")
    assert RunFolder(run).read_about()["plan"]["data"] == 'Small: "grids" 1.2.0', "for its terms"


def test_a_table_that_was_changed_is_not_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml")
    publish("run", "-o", "out")
    file = here / "out/parquet/instances/dev.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    seats = ["--seat", "giver=gold", "--seat", "follower=rule"]
    assert main(["play", "reference", "--data", "out", *seats, "-o", "no"]) == 2
    assert "dev.parquet is not what SHA256SUMS says" in capsys.readouterr().err
    assert main(["play", "image", "--data", "out", "--seat", "giver=gold", "-o", "no"]) == 2


def test_generated_instances_are_published_without_games(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_record(here / "dataset.toml")
    assert main(["make", "reference", "-n", "6", "-o", "set.jsonl"]) == 0
    assert "name it with --game" in refused(capsys, "set.jsonl", "-o", "out")
    publish("set.jsonl", "--game", "reference", "-o", "out")
    assert set(table("out", "instances", "dev")["source"]) == {"generated"}
    assert not (here / "out/parquet/episodes").exists()
    publish("set.jsonl", "--game", "reference", "-o", "out2", "--about", "out/dataset.toml")


def test_two_generated_files_are_two_splits(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = write_record(here / "dataset.toml").read_text()
    for seed, name in enumerate(("train", "test")):
        assert main(["make", "reference", "-n", "4", "--seed", str(seed), "-o", f"{name}.jsonl"]) == 0
    files = ("train.jsonl", "test.jsonl", "--game", "reference", "-o", "out")
    assert "have different instances called" in refused(capsys, *files)
    splits = record.replace('dev = ["edits-2"]', 'train = ["train.jsonl"]').replace('["*"]', '["test.jsonl"]')
    (here / "dataset.toml").write_text(splits)
    publish(*files)
    assert table("out", "instances", "train").height == table("out", "instances", "test").height == 4
    play = ["play", "reference", "--data", "out", "--seat", "giver=gold", "--seat", "follower=rule"]
    assert main([*play, "-o", "run"]) == 2
    assert "choose one with --split" in capsys.readouterr().err
    assert main([*play, "--split", "test", "-o", "run"]) == 0


def test_material_whose_terms_are_unknown_or_forbid_it_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_record(here / "dataset.toml")
    assert main(["make", "reference", "-n", "4", "-o", "set.jsonl"]) == 0
    rows = [json.loads(line) for line in (here / "set.jsonl").read_text().splitlines()]

    def write_origin(origin: str) -> None:
        lines = (json.dumps({**row, "origin": origin, "canary": ""}) + "\n" for row in rows)
        (here / "own.jsonl").write_text("".join(lines))

    own = ("own.jsonl", "--game", "reference", "-o", "out")
    write_origin("")
    assert "the terms of 'own.jsonl' are not known" in refused(capsys, *own)
    write_origin("data director")
    assert "director may not be given on" in refused(capsys, *own)
    write_origin("data codraw")
    assert "choose a licence with NC" in refused(capsys, *own)
    write_record(here / "dataset.toml", licence='"CC-BY-NC-4.0"')
    publish(*own)
    assert "codraw: CC-BY-NC-4.0" in (here / "out/README.md").read_text()
    write_origin("")
    source = '[[sources]]\nname = "own.jsonl"\n'
    write_record(here / "dataset.toml", source)
    assert "does not state licence and shared" in refused(capsys, *own[:-1], "out2")
    write_record(here / "dataset.toml", f'{source}licence = "CC0-1.0"\nshared = true\n')
    publish(*own[:-1], "out2")


def test_a_script_must_be_declared_as_a_source(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "words.txt").write_text("Answer: first\n")
    play_run(here / "run", follower="script:words.txt")
    write_record(here / "dataset.toml")
    assert "the terms of 'script:words.txt' are not known" in refused(capsys, "run", "-o", "out")


def test_what_is_there_is_kept_and_what_a_killed_process_left_is_removed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml")
    (here / "out").mkdir()
    (here / "out/mine.txt").write_text("mine")
    assert "out is there already" in refused(capsys, "run", "-o", "out")
    (here / "out/mine.txt").unlink()
    (here / ".out.part").mkdir()
    (here / ".out.part/half.parquet").write_text("half")
    publish("run", "-o", "out")
    assert not (here / ".out.part").exists()
    assert not (here / "out/half.parquet").exists()


def test_a_damaged_run_a_missing_one_and_an_unsplit_set_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_run(here / "run")
    write_record(here / "dataset.toml")
    record = (here / "dataset.toml").read_text()
    assert "nothing is not there" in refused(capsys, "nothing", "-o", "out")
    (here / "dataset.toml").write_text(record.replace('test = ["*"]', ""))
    assert "the set 'edits-4' is in no split" in refused(capsys, "run", "-o", "out")
    (here / "dataset.toml").write_text(record.replace('dev = ["edits-2"]', 'dev = ["edits-9"]'))
    assert "the split 'dev' has no instances" in refused(capsys, "run", "-o", "out")
    log = here / "run/log.jsonl"
    log.write_text(log.read_text().replace("Answer: ", "answer? ", 1))
    assert "only undamaged runs are published" in refused(capsys, "run", "-o", "out")


def test_texts_of_people_are_published_only_as_they_were_reviewed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    as_people(play_run(here / "run"), here / "people")
    write_record(here / "dataset.toml")
    assert "nobody has read the" in refused(capsys, "people", "-o", "out")
    assert main(["data", "publish", "people", "--review", "texts.csv"]) == 0
    with (here / "texts.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    secret = next(row["text"] for row in rows if row["text"].startswith("Row "))
    with (here / "texts.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "published": "" if row["text"] == secret else row["text"]} for row in rows)
    publish("people", "-o", "out", "--reviewed", "texts.csv")
    turns = pl.concat([table("out", "turns", split) for split in ("dev", "test")])
    assert turns.filter(pl.col("text").str.contains("removed")).height == 1
    assert secret not in all_text(here / "out")
    assert secret not in "".join(turns["moves"])
    for split in ("dev", "test"):
        events = [
            json.loads(line)
            for cell in table("out", "episodes", split)["events"]
            for line in cell.split("\n")
        ]
        assert all(event["at"] % 86400 < 60 for event in events), "games begin at midnight"
    record = (here / "dataset.toml").read_text()
    (here / "dataset.toml").write_text(record.replace('pay = "Stated pay."\n', ""))
    assert "does not state people.pay" in refused(capsys, "people", "-o", "x", "--reviewed", "texts.csv")


def test_games_with_erased_people_are_not_published(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = as_people(play_run(here / "run"), here / "people", ("gone-1", "gone-2"))
    write_record(here / "dataset.toml")
    assert main(["data", "publish", "people", "--review", "texts.csv"]) == 0
    publish("people", "-o", "out", "--reviewed", "texts.csv")
    assert "2 games are not part of it" in (here / "out/README.md").read_text()
    about = run / "run.toml"
    about.write_text(about.read_text().replace("gone-1", "edits-2-01"))
    assert "edits-2-01, of which somebody was erased" in refused(
        capsys, "people", "-o", "more", "--reviewed", "texts.csv"
    )


def write_study_export(folder: Path, erased: bool = False) -> Path:
    (folder / "labels").mkdir(parents=True)
    (folder / "codebook.md").write_text("# Codebook\n")
    (folder / "participants.csv").write_text(f"person,erased\np1,False\np2,{erased}\n")
    said = [(f"i{item}", who, f"{item % 2}") for item in range(6) for who in ("p1", "p2")]
    rows = "".join(f"{item},{who},{label},{item},,1.5,t1\n" for item, who, label in said)
    (folder / "labels/main-level.csv").write_text(
        f"item,annotator,label,cluster,skipped,seconds,task\n{rows}"
    )
    settled = "item,label,settled_by,adjudicator,majority,estimate,probability,cluster\n"
    (folder / "labels/main-level.settled.csv").write_text(f"{settled}i0,0,all,,0,0,0.99,i0\n")
    return folder


def test_labels_are_kept_by_annotator_beside_the_settled_ones(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study_export(here / "study")
    write_record(here / "dataset.toml")
    publish("study", "-o", "out")
    labels = table("out", "labels", "all")
    assert labels.columns == list(COLUMNS["labels"])
    assert sorted(set(labels["annotator"])) == ["p1", "p2"]
    assert labels.height == 12
    assert table("out", "settled", "all")["probability"].to_list() == [0.99]
    assert "alpha (nominal) 1.000" in (here / "out/README.md").read_text()
    write_study_export(here / "stale", erased=True)
    assert "labels of somebody who was erased" in refused(capsys, "stale", "-o", "no")


def test_a_study_is_published_from_its_export_and_an_erased_pair_is_not(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = write_study(here / "pairs"), str(here / "games.db")
    codes = asyncio.run(play_as_a_pair(place, folder))
    assert main(["study", "export", str(folder), "--db", place, "-o", "export"]) == 0
    record = write_record(here / "dataset.toml").read_text()
    (here / "dataset.toml").write_text(record.replace('dev = ["edits-2"]', ""))
    assert main(["data", "publish", "export", "--review", "texts.csv"]) == 0
    publish("export", "-o", "out", "--reviewed", "texts.csv")
    (row,) = table("out", "episodes", "test").to_dicts()
    assert json.loads(row["players"]) == {"giver": "person", "follower": "person"}
    erase_seat(place, codes[0])
    assert main(["study", "export", str(folder), "--db", place, "-o", "export"]) == 0
    assert "no game was played to its end" in refused(
        capsys, "export", "-o", "more", "--reviewed", "texts.csv"
    )


def test_the_commands_of_the_guide_run_in_order(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "publish.md").read_text()
    blocks = re.findall(r"^```(?:toml)?\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    first, record, second, *others = blocks
    archive = next(block for block in others if block.startswith("groundling archive"))
    *made, template = (shlex.split(line)[1:] for line in first.splitlines())
    assert [main(words) for words in made] == [0, 0]
    assert main(template) == 2
    assert (here / "dataset.toml").read_text().startswith("# What the data set is")
    (here / "dataset.toml").write_text(record)
    for line in (second + archive).splitlines():
        assert main(shlex.split(line)[1:]) == 0, line
    assert "the scores follow from the logs" in capsys.readouterr().out


def test_what_people_write_beside_their_move_is_reviewed_too(here: Path) -> None:
    (here / "words.txt").write_text("My name is Bob, so Answer: first\n")
    as_people(play_run(here / "run", follower="script:words.txt"), here / "people")
    write_record(here / "dataset.toml")
    assert main(["data", "publish", "people", "--review", "texts.csv"]) == 0
    texts = (here / "texts.csv").read_text()
    assert "My name is Bob" in texts
    (here / "texts.csv").write_text(texts.replace(',"My name is Bob, so Answer: first"\n', ",\n"))
    publish("people", "-o", "out", "--reviewed", "texts.csv")
    assert "Bob" not in all_text(here / "out")
    assert "Answer: first" in all_text(here / "out")
