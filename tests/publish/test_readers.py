"""Published folders in the hands of others: `datasets` and `mlcroissant`, in the environment that
`make test-all` makes for them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.publish.records import as_people, play_run, write_record

from groundling.cli.main import main

PYTHON = Path(__file__).parents[2] / "build" / "publish" / "bin" / "python"
LOAD = """
import json, sys
from datasets import load_dataset
import mlcroissant

folder = sys.argv[1]
found = {}
for name in ("episodes", "turns", "instances"):
    loaded = load_dataset(folder, name)
    found[name] = {split: len(rows) for split, rows in loaded.items()}
described = mlcroissant.Dataset(f"{folder}/croissant.json")
issues = described.metadata.ctx.issues
records = {each.id: sum(1 for _ in described.records(each.id)) for each in described.metadata.record_sets}
print(json.dumps({
    "default": load_dataset(folder)["dev"].column_names,
    "rows": found,
    "errors": sorted(issues.errors),
    "warnings": sorted(issues.warnings),
    "version": str(described.metadata.ctx.conforms_to),
    "records": records,
    "biases": described.metadata.data_biases,
    "people": described.metadata.annotator_demographics,
}))
"""


@pytest.mark.slow
def test_datasets_loads_a_folder_and_mlcroissant_validates_it_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not PYTHON.exists():
        pytest.skip("datasets is not installed in build/publish: make test-all does that")
    monkeypatch.chdir(tmp_path)
    play_run(tmp_path / "run", "--controls")
    as_people(tmp_path / "run", tmp_path / "people")
    write_record(tmp_path / "dataset.toml")
    assert main(["data", "publish", "people", "--review", "texts.csv"]) == 0
    assert main(["data", "publish", "run", "people", "-o", "out", "--reviewed", "texts.csv"]) == 0
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "cache")}
    told = subprocess.run(
        [PYTHON, "-c", LOAD, "out"], env=offline, check=True, capture_output=True, text=True
    ).stdout
    found = json.loads(told.splitlines()[-1])
    assert found["rows"]["episodes"] == {"dev": 8, "test": 8}
    assert found["rows"]["turns"] == {"dev": 16, "test": 16}
    assert found["rows"]["instances"] == {"dev": 2, "test": 2}
    assert "events" in found["default"]
    assert (found["errors"], found["warnings"]) == ([], [])
    assert found["version"].endswith("V_1_1")
    flat = {f"{name}_{split}": rows for name, each in found["rows"].items() for split, rows in each.items()}
    assert found["records"] == flat
    assert found["biases"] == ["Stated limits."]
    assert found["people"] == ["Stated who."]
