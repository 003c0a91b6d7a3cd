"""Runs of every game become tables of items, which a study can read."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.test_docs import OURS

from groundling.cli import main
from groundling.core.pack import find
from groundling.report.run_items import UNITS
from groundling.studies.annotation_schema import TableColumns
from groundling.studies.item_table import read_item_table

GAMES = [pytest.param(game, marks=pytest.mark.slow) if game == "hexagons" else game for game in OURS]
HEXAGONS = ("--mode", "live", "--seat", "instructor=narrator", "--seat", "executor=parser")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_steps_episodes_and_images(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    partners = find(game).live.partners.items()
    seats = [word for role, who in partners for word in ("--seat", f"{role}={who}")]
    run = str(tmp_path / "run")
    modes = ["--mode", "two-player"] if game == "director" else []
    options = HEXAGONS if game == "hexagons" else [*modes, *seats]
    assert main(["play", game, *options, "--limit", "2", "-o", run]) == 0
    found = {}
    for unit in UNITS:
        table = tmp_path / f"{unit}.jsonl"
        assert main(["data", "steps", run, "--unit", unit, "-o", str(table)]) == 0
        found[unit] = read_item_table(table, TableColumns())
    assert len(found["episode"]) == len(found["image"]) == 2
    assert all(item.pictures for items in found.values() for item in items.values())
    ids = [*found["episode"]]
    for instance in ids:
        steps = [item for item in found["step"].values() if item.id.rpartition("-")[0] == instance]
        assert [item.id for item in steps] == [f"{instance}-{n}" for n in range(1, len(steps) + 1)]
        said = [item.text for item in steps]
        assert [item.before for item in steps] == [tuple(said[:n]) for n in range(len(steps))]
        assert all(item.text in found["episode"][instance].text for item in steps)
    capsys.readouterr()
    assert main(["data", "steps", run, "--unit", "x"]) == 2
    assert capsys.readouterr().err == "groundling: --unit x: choose from episode, image, step\n"
