"""Annotation on a server: what pages show, what is refused, and what the export has."""

from __future__ import annotations

import asyncio
import csv
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.web.study_helpers import agree, come, open_host, read_log

from groundling.cli import main
from groundling.core.values import Problem
from groundling.studies.annotation_labels import ItemAnswer
from groundling.studies.study_events import TaskSubmitted
from groundling.web.studies.participant_actions import SubmitTask
from groundling.web.studies.study_host import StudyHost

TABLE = """id,who,text
by-ann,ann,Put the red tile on the left.
by-ben,ben,Paint the middle.
"""
STUDY = """
title = "Labels"
contact = "a@example.org"
consent = "consent.md"
[stimuli.items]
table = "items.csv"
columns = { cluster = "who" }
[[stages]]
name = "labels"
items = "items"
answers = 2
most = 9
[stages.task]
kind = "annotate"
in_a_row = 2
guidelines = "guidelines.md"
fields = [
  { name = "level", kind = "ordered", labels = ["0", "1"] },
  { name = "marks", kind = "spans", labels = ["object", "place"] },
  { name = "remark", kind = "text", optional = true },
]
[[stages]]
name = "settle"
items = "labels"
never = ["author"]
task = { kind = "annotate", adjudicate = true }
"""


def write_study(folder: Path, text: str = STUDY, table: str = TABLE) -> Path:
    folder.mkdir(exist_ok=True)
    files = {"study.toml": text, "items.csv": table, "consent.md": "Yes?", "guidelines.md": "Be *exact*."}
    for name, content in files.items():
        (folder / name).write_text(content)
    return folder


def answer(level: str = "0", **values: Any) -> ItemAnswer:
    said = {"level": level, "marks": [], **values}
    raw = {name: msgspec.Raw(json.dumps(value).encode()) for name, value in said.items()}
    return ItemAnswer(values=raw, seconds=2.5)


async def begin(host: StudyHost, person: str) -> str:
    await come(host, person)
    page = await agree(host, person)
    return str(page.fields.get("task", ""))


async def send(host: StudyHost, person: str, task: str, *labels: ItemAnswer) -> dict[str, Any]:
    return (await host.act(person, SubmitTask(task, labels=list(labels)))).fields


def test_two_annotate_a_third_settles_and_the_export_has_it_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, place = write_study(tmp_path / "labels"), tmp_path / "g.db"

    async def run() -> None:
        async with open_host(place, folder) as (host, _):
            task = await begin(host, "a")
            shown = await host.read_items("a", "")
            assert {item["text"] for item in shown["items"]} == {
                row.split(",")[2] for row in TABLE.split("\n")[1:3]
            }
            told = json.dumps(msgspec.to_builtins(shown))
            assert not any(secret in told for secret in ("by-ann", "by-ben", 'ann"', 'ben"'))
            assert shown["guidelines"] == [{"text": "Be *exact*.", "language": "en"}]
            first = shown["items"][0]["text"]
            one = answer("0", marks=[{"start": 0, "end": 3, "label": "object"}], remark="hm")
            await send(host, "a", task, one, answer("1"))
            task = await begin(host, "b")
            texts = [item["text"] for item in (await host.read_items("b", ""))["items"]]
            said = {first: answer("1"), **{text: answer("1") for text in texts if text != first}}
            await send(host, "b", task, *(said[text] for text in texts))
            task = await begin(host, "c")
            shown = await host.read_items("c", "")
            (item,) = shown["items"]
            assert item["text"] == first
            levels = sorted(
                (values["level"], len(values["marks"]), values.get("remark")) for values in item["said"]
            )
            assert levels == [("0", 1, "hm"), ("1", 0, None)]
            assert '"a"' not in json.dumps(item["said"])
            await send(host, "c", task, answer("0"))

    asyncio.run(run())
    assert main(["study", "export", str(folder), "--db", str(place), "-o", str(tmp_path / "out")]) == 0
    labels = tmp_path / "out" / "labels"
    raw = list(csv.DictReader((labels / "labels-level.csv").open()))
    assert len(raw) == 4
    assert {row["cluster"] for row in raw} == {"ann", "ben"}
    assert {row["seconds"] for row in raw} == {"2.5"}
    settled = {row["settled_by"]: row for row in csv.DictReader((labels / "labels-level.settled.csv").open())}
    assert (settled["adjudication"]["label"], settled["adjudication"]["adjudicator"]) == ("0", "c")
    assert (settled["all"]["label"], settled["all"]["majority"]) == ("1", "1")
    assert settled["all"]["estimate"] == "1"
    capsys.readouterr()
    assert main(["agree", str(labels / "labels-level.csv")]) == 0
    assert "2 items, 2 annotators" in " ".join(capsys.readouterr().out.split())
    assert main(["agree", str(labels / "labels-marks.csv")]) == 0
    log = [event for event in read_log(place, "labels") if isinstance(event, TaskSubmitted)]
    assert "hm" not in str(log)  # free text is not in the log


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ([answer()], "some items have no labels: label or skip all of them"),
        ([answer("7"), answer()], "item 1: “level”: '7' is not in the schema: choose from 0, 1"),
        ([answer(), answer(marks=[{"start": 0, "end": 99, "label": "object"}])],
         "item 2: “marks”: the span 0 to 99 is outside a text of "),
    ],
)  # fmt: skip
def test_what_cannot_be_stored_is_refused_in_one_line(tmp_path: Path, labels: Any, told: str) -> None:
    async def run() -> None:
        async with open_host(tmp_path / "g.db", write_study(tmp_path / "labels")) as (host, _):
            task = await begin(host, "a")
            with pytest.raises(Problem) as trouble:
                await send(host, "a", task, *labels)
            assert str(trouble.value).startswith(told)
            assert "\n" not in str(trouble.value)
            await send(host, "a", task, answer(), answer())  # the task is still theirs
            again = await send(host, "a", task, answer("1"), answer("1"))  # and counts once
            assert again["page"] == "end"
        submitted = [
            each for each in read_log(tmp_path / "g.db", "labels") if isinstance(each, TaskSubmitted)
        ]
        assert len(submitted) == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("text", "table", "told"),
    [
        (STUDY.replace('labels = ["0", "1"]', 'labels = ["0", "1", "2"]'), TABLE,
         "stages.labels has changed while the study runs: change it back, or begin a new study"),
        (STUDY, TABLE.replace("middle", "corner"),
         "items: its instances have changed while the study runs: restore the file, or begin a new study"),
    ],
)  # fmt: skip
def test_a_schema_or_table_that_changes_under_a_running_study_is_refused(
    tmp_path: Path, text: str, table: str, told: str
) -> None:
    folder, place = write_study(tmp_path / "labels"), tmp_path / "g.db"

    async def run() -> None:
        async with open_host(place, folder):
            pass
        write_study(folder, text, table)
        with pytest.raises(Problem) as trouble:
            async with open_host(place, folder):
                pass
        assert told in str(trouble.value)
        assert "\n" not in str(trouble.value)

    asyncio.run(run())
