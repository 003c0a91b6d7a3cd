"""Class names have one meaning, imports say where something is, docstrings say something."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "groundling"


@cache
def source_trees() -> dict[Path, ast.Module]:
    return {path.relative_to(SOURCE): ast.parse(path.read_text()) for path in sorted(SOURCE.rglob("*.py"))}


def duplicate_classes(trees: dict[Path, ast.Module]) -> dict[str, list[str]]:
    """Public class names with two meanings; every game's rules may have an Instance, a View and so on."""
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and path.name != "rules.py":
                places[node.name].append(str(path))
    return {name: paths for name, paths in places.items() if len(paths) > 1}


def test_a_public_class_name_stands_for_one_thing() -> None:
    assert duplicate_classes(source_trees()) == {}


def test_a_class_name_that_stands_for_two_things_is_found() -> None:
    two = {
        Path(name): ast.parse("class Board: ...\nclass _Row: ...") for name in ("a.py", "b.py", "rules.py")
    }
    assert duplicate_classes(two) == {"Board": ["a.py", "b.py"]}


def test_imports_are_absolute_or_from_the_same_package() -> None:
    deep = [
        f"{path}:{node.lineno}"
        for path, tree in source_trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level > 1
    ]
    assert deep == []


def test_docstrings_are_sentences() -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    stubs = []
    for path, tree in source_trees().items():
        for node in ast.walk(tree):
            text = ast.get_docstring(node) if isinstance(node, documented) else None
            if text is not None and (len(text.split()) < 3 or re.match(r"(Of|An?|The) (\w+ )?\w+\.$", text)):
                stubs.append(f"{path}: {text!r}")
    assert stubs == []


def test_function_names_say_what_they_work_on() -> None:
    names = [
        node.name
        for tree in source_trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("__")
    ]
    one_word = [name for name in names if "_" not in name.strip("_")]
    assert len(one_word) / len(names) < 0.5
