"""Judges of a consolidation on a server: a planted error is corrected, with the boards after it."""

from __future__ import annotations

import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tomli_w
from tests.games.hexagons.small import FLOWER, LINE, RECORDED
from tests.games.hexagons.test_study_results import LATER, SHORT, write_planted_data
from tests.web.study_helpers import open_host
from tests.web.test_annotation_tasks import begin, send

from groundling.cli import main
from groundling.games.hexagons.data import read_data_images
from groundling.studies.annotation_labels import ItemAnswer

WRONG = RECORDED.steps[0].spoken_text
"""The text of the step in which the author missed a tile."""


def write_judging(folder: Path, data: Path) -> Path:
    """The template without practice, with the steps of this data."""
    assert main(["study", "new", "hexagons-consolidation", str(folder)]) == 0
    file = folder / "study.toml"
    study = tomllib.loads(file.read_text())
    del study["groups"], study["stimuli"]["known"]
    study["stages"] = [
        {key: value for key, value in stage.items() if key != "group"} for stage in study["stages"][1:]
    ]
    file.write_text(tomli_w.dumps(study))
    items = ["data", "items", "hexagons", str(data), "--for", "consolidation"]
    assert main([*items, "-o", str(folder / "items.jsonl")]) == 0
    return folder


def answer(**values: Any) -> ItemAnswer:
    return ItemAnswer(
        values={name: msgspec.Raw(json.dumps(value).encode()) for name, value in values.items()}
    )


def judge(item: dict[str, Any]) -> ItemAnswer:
    """Find the error by what the page shows: the line has no fifth tile."""
    before, judged = (picture["svg"] for picture in item["pictures"])
    if item["text"] != WRONG or judged.count(">R<") != SHORT.painted_count:
        return answer(error="no")
    assert before.count(">R<") == 0
    paint = {"move": "paint", "row": 5, "column": 3, "colour": "red"}
    return answer(error="yes", type="under-execution", board=[paint])


def test_judges_correct_a_planted_error_and_the_boards_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, place = write_planted_data(tmp_path / "data"), tmp_path / "g.db"
    folder = write_judging(tmp_path / "judging", data)

    async def run() -> None:
        async with open_host(place, folder) as (host, _):
            for person in ("a", "b"):
                task = await begin(host, person)
                shown = (await host.read_items(person, ""))["items"]
                assert len(shown) == 7
                told = json.dumps(msgspec.to_builtins(shown))
                assert not any(secret in told for secret in ("audit", "003", "instructor", "author"))
                page = await send(host, person, task, *map(judge, shown))
                assert "error" not in page

    asyncio.run(run())
    capsys.readouterr()
    assert main(["study", "table", str(folder), "--db", str(place)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split()[:2] == ["under-execution", "less"] and "1 (25.0 %)" in line for line in lines)
    assert any(line.startswith("corrected boards that are equal") and "1.000" in line for line in lines)
    out = tmp_path / "mended"
    export = ["study", "export", str(folder), "--db", str(place), "--format", "published"]
    assert main([*export, "--data", str(data), "-o", str(out)]) == 0
    assert "1 boards corrected, 3 that follow, 3 to be reviewed" in capsys.readouterr().out
    assert [step.board for step in read_data_images(out, "dev")[0].steps] == [LINE, LINE, FLOWER, LATER]
    review = ["data", "items", "hexagons", str(out), "--for", "review", "-o", str(tmp_path / "review.jsonl")]
    assert main(review) == 0
    assert len((tmp_path / "review.jsonl").read_text().splitlines()) == 3
    (folder / "items.jsonl").write_bytes((tmp_path / "review.jsonl").read_bytes())
    assert main(["study", "table", str(folder), "--db", str(place)]) == 2
    told = "stimuli.steps has changed since the study began: restore its items\n"
    assert capsys.readouterr().err.endswith(told)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ([], "--data is for --format published: add that, or leave out --data"),
        (["--format", "published"], "give the data that was annotated, and another folder to write into"),
    ],
)
def test_annotated_data_is_not_written_over_its_source(
    more: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_planted_data(tmp_path / "data")
    before = (data / "dev.jsonl").read_bytes()
    folder = write_judging(tmp_path / "judging", data)
    capsys.readouterr()
    assert main(["study", "export", str(folder), *more, "--data", str(data), "-o", str(data)]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert (data / "dev.jsonl").read_bytes() == before
