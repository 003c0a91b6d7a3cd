"""No modules import each other, directly or through others.

An import counts wherever it stands: at the top of a file, in a function, under `TYPE_CHECKING`. `from package
import module` and `import package.module` count as imports of that module, not of the package above it.
`from package import name` counts as an import of the package's `__init__`, whose own imports are its
re-exports. Names in strings (`"module:attribute"`) do not count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


def read_modules(source: Path) -> dict[str, str]:
    """The text of every module by its name; a package's name ends in `.__init__`."""
    return {
        ".".join(path.relative_to(source).with_suffix("").parts): path.read_text(encoding="utf-8")
        for path in sorted(source.rglob("*.py"))
    }


def import_graph(texts: Mapping[str, str]) -> dict[str, set[str]]:
    modules = {name.removesuffix(".__init__") for name in texts}
    return {
        name.removesuffix(".__init__"): set(_imports(ast.parse(text), name.rpartition(".")[0], modules))
        & modules - {name.removesuffix(".__init__")}
        for name, text in texts.items()
    }


def _imports(tree: ast.Module, package: str, modules: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(part for part in (base, node.module) if part)
            for alias in node.names:
                yield f"{source}.{alias.name}" if f"{source}.{alias.name}" in modules else source


def find_circles(graph: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """The groups of modules of which each reaches every other."""
    reached = {name: _reachable(graph, name) for name in graph}
    return {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += graph[name]
    return seen


def test_modules_do_not_import_each_other() -> None:
    assert find_circles(import_graph(read_modules(SOURCE))) == set()


def test_every_kind_of_import_counts() -> None:
    """Six modules import each other in a ring, each in another way; emptying any of them breaks the ring."""
    ring = {
        "p.__init__": "",
        "p.a": "import p.b",
        "p.b": "def f():\n    from p import c",
        "p.c": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.q import name",
        "p.q.__init__": "from p.q.d import name",
        "p.q.d": "from ..e import name",
        "p.e": "from .a import name\nfrom p import f",
        "p.f": "",
    }
    whole = frozenset({"p.a", "p.b", "p.c", "p.q", "p.q.d", "p.e"})
    assert find_circles(import_graph(ring)) == {whole}
    for name in set(ring) - {"p.__init__", "p.f"}:
        assert find_circles(import_graph({**ring, name: ""})) == set()
