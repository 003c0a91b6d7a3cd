"""Tables in text files: a key, a colon and its text; what is indented below belongs to the same key. Lines
that begin with `# ` are comments."""

from __future__ import annotations

from importlib.resources import files


def read_table_lines(package: str, name: str) -> list[str]:
    """Return the lines of a table without comments and blank lines."""
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]


def read_table_entries(package: str, name: str) -> list[tuple[str, list[str]]]:
    """Return the keys of a table in order, each with the lines of its text."""
    found: list[tuple[str, list[str]]] = []
    for line in read_table_lines(package, name):
        if line.startswith(" "):
            found[-1][1].append(line.strip())
        else:
            key, _, text = line.partition(":")
            found.append((key, [text.strip()] if text.strip() else []))
    return found
