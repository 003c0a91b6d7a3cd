"""Writes the entries for the register of Inspect Evals: `make register REPOSITORY=URL COMMIT=SHA`.

An entry is a file eval.yaml for each task. The register's bot makes it from two addresses, which are printed:
the paper's, and that of the task in a public commit. The files written here are for comparison, or for a pull
request. They follow docs/register.toml and src/groundling/bridges/inspect/eval.yaml."""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
TASKS = "src/groundling/bridges/inspect/tasks.py"
FACTS = ROOT / "docs/register.toml"
EVAL = ROOT / "src/groundling/bridges/inspect/eval.yaml"


def task_lines() -> dict[str, int]:
    """The line of each task's decorator."""
    tree = ast.parse((ROOT / TASKS).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {node.name: node.decorator_list[0].lineno for node in functions if node.decorator_list}


def register_entries(repository: str, commit: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the id and the content of each entry."""
    owner = repository.rstrip("/").split("/")[-2]
    facts = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    for task in yaml.safe_load(EVAL.read_text(encoding="utf-8"))["tasks"]:
        yield (
            f"groundling_{task['name']}",
            {
                **facts[task["name"]],
                "contributors": [owner],
                "tasks": [{**task, "task_path": TASKS}],
                "source": {"repository_url": repository, "repository_commit": commit, "maintainers": [owner]},
            },
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "repository", help="the address of the public repository, https://github.com/OWNER/NAME"
    )
    parser.add_argument("commit", help="the SHA of a commit that is public there")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "build/register")
    given = parser.parse_args()
    if not re.fullmatch(r"https://github\.com/[^/]+/[^/]+/?", given.repository):
        sys.exit(f"{given.repository!r} is no repository: give its address as https://github.com/OWNER/NAME")
    if not re.fullmatch(r"[0-9a-f]{40}", given.commit):
        sys.exit(f"{given.commit!r} is no commit: give the 40 digits that git rev-parse HEAD prints")
    repository, lines = given.repository.rstrip("/"), task_lines()
    for name, entry in register_entries(repository, given.commit):
        path = given.out / name / "eval.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        content = yaml.safe_dump(entry, sort_keys=False, allow_unicode=True, width=1000)
        path.write_text(content, encoding="utf-8")
        paper = entry.get("arxiv", "NONE: it cannot be submitted without one")
        source = f"{repository}/blob/{given.commit}/{TASKS}#L{lines[entry['tasks'][0]['name']]}"
        print(f"{path}\n  paper:  {paper}\n  source: {source}")


if __name__ == "__main__":
    main()
