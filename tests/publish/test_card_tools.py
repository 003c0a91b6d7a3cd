"""Cards in the hands of others: cffconvert and the schema of the register of Inspect Evals, in the
environment that `make test-all` makes for them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from docs.register_entries import TASKS, main, register_entries, task_lines
from tests.publish.records import play_run, write_record

from groundling.cli.main import main as groundling

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "build/cards/bin"
COMMIT = "0123456789" * 4
LOAD = """
import json, sys, yaml
from pathlib import Path
from inspect_evals.metadata import ExternalEvalMetadata
from register_tooling.task_resolver import resolve_task

files = sorted(Path(sys.argv[1]).glob("*/eval.yaml"))
entries = [ExternalEvalMetadata(**yaml.safe_load(file.read_text()), id=file.parent.name) for file in files]
text = Path(sys.argv[2]).read_text()
found = {name: resolve_task(text, line_anchor=line).name for name, line in json.loads(sys.argv[3]).items()}
print(json.dumps([{entry.id: [task.name for task in entry.tasks] for entry in entries}, found]))
"""
needs_tools = pytest.mark.skipif(
    not (TOOLS.parent / "ready").exists(), reason="no tools in build/cards: make test-all installs them"
)


def validate_citation(path: Path) -> str:
    command = [str(TOOLS / "cffconvert"), "--validate", "-i", str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@needs_tools
@pytest.mark.parametrize("licence", ["ODC-By-1.0", "https://example.org/terms"])
def test_citations_are_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, licence: str) -> None:
    monkeypatch.chdir(tmp_path)
    play_run(tmp_path / "run")
    write_record(tmp_path / "dataset.toml", licence=f'"{licence}"', doi='"10.5281/zenodo.1003150"')
    assert groundling(["data", "publish", "run", "-o", "out"]) == 0
    for path in (ROOT / "CITATION.cff", tmp_path / "out/CITATION.cff"):
        assert "are valid" in validate_citation(path)


@needs_tools
def test_the_register_takes_an_entry_for_every_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = "https://github.com/owner/groundling"
    monkeypatch.setattr(sys, "argv", ["register", repository, COMMIT, "-o", str(tmp_path)])
    main()
    printed = capsys.readouterr().out
    lines = {name: line for name, line in task_lines().items() if f"{TASKS}#L{line}\n" in printed}
    command = [str(TOOLS / "python"), "-c", LOAD, str(tmp_path), str(ROOT / TASKS), json.dumps(lines)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    entries, found = json.loads(told)
    assert entries == {f"groundling_{name}": [name] for name in lines}
    assert found == {name: name for name in lines}


@pytest.mark.parametrize(
    ("given", "told"),
    [(("x", COMMIT), "is no repository"), (("https://github.com/a/b", "main"), "is no commit")],
)
def test_an_entry_points_to_a_public_commit(
    monkeypatch: pytest.MonkeyPatch, given: tuple[str, str], told: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["register", *given])
    with pytest.raises(SystemExit, match=told):
        main()


def test_every_entry_has_one_task_and_one_line_about_it() -> None:
    for _, entry in register_entries("https://github.com/owner/groundling", COMMIT):
        assert len(entry["tasks"]) == 1
        assert "\n" not in entry["description"]
