"""Documents, helps, messages and docstrings avoid phrases that read like a literal translation."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BANNED = (
    r"(?:a|any) thing that",
    r"a word on",
    r"(?:begins?|begun|draws?|drawn|makes?|made|reads?|starts?|started|trained) anew",
    r"as it stands",
    r"asks? the network",
    r"by lot",
    r"draw(?:s|n|ing)? lots",
    r"go(?:es)? on (?:with|from|as)",
    r"goes on(?=[.,;:)]|$)",
    r"gone on",
    r"went on (?:with|from)",
    r"in the manner of",
    r"(?:is|are) of (?:a|an|another|one|the|those|these)",
    r"mend(?:s|ed|ing)?(?!=)",
    r"nobody takes",
    r"nothing of the truth",
    r"(?:of|in) the house",
    r"of whom",
    r"parted (?:at|by|with)",
    r"so many",
    r"surviv(?:es?|ed|ing) being",
    r"that is all there is",
    r"(?:tells?|told) of",
    r"tells the rest",
    r"what suits",
    r"whoever",
)
PHRASES = re.compile(
    "|".join(rf"(?<![\w-]){phrase}(?![\w-])" for phrase in BANNED).replace(" ", r"\s+"), re.IGNORECASE
)
CODE = re.compile(r"^( *)```.*?^\1```|`[^`]*`", re.MULTILINE | re.DOTALL)


def prose_of(name: str, text: str) -> Iterator[tuple[int, str]]:
    """The line and the text of each piece of prose; in Python, of strings, docstrings and comments."""
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield node.lineno, node.value
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    else:
        yield 1, text


def blank_out(code: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", code[0])


def banned_phrases(name: str, text: str) -> list[str]:
    """Every banned phrase outside of code, as FILE:LINE: PHRASE."""
    return [
        f"{name}:{line + prose[: found.start()].count(chr(10))}: {' '.join(found[0].split())}"
        for line, piece in prose_of(name, text)
        for prose in [piece if name.endswith(".js") else CODE.sub(blank_out, piece)]
        for found in PHRASES.finditer(prose)
    ]


@pytest.mark.parametrize("files", ["*.md", "src/*.py", "examples/*.py", "src/*.js", "src/*.html", "Makefile"])
def test_no_banned_phrase_occurs(files: str) -> None:
    names = subprocess.run(["git", "ls-files", files], cwd=ROOT, capture_output=True, text=True, check=True)
    assert names.stdout
    found = [
        line for name in names.stdout.split() for line in banned_phrases(name, (ROOT / name).read_text())
    ]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.md", "First.\n\nOnly so\nmany of them.", ["a.md:3: so many"]),
        ("a.md", "`mend=anew`\n\n```\nwhoever\n```\n\nWhoever runs it.", ["a.md:7: Whoever"]),
        ("a.md", "It is amended, recommended, and goes on the shelf.", []),
        ("a.py", 'mended = 1\nx = f"{mended} is mended"  # by lot', ["a.py:2: mended", "a.py:2: by lot"]),
        ("a.py", '"""Plain.\n\nIt is gone on with."""', ["a.py:3: gone on"]),
        ("a.py", 'x = ("parted "\n     "by commas")\nmode = "anew"', ["a.py:1: parted by"]),
        ("a.js", "// plain\nsay(`cells, parted by blanks`);", ["a.js:2: parted by"]),
        ("a.html", "<p>Somebody\ntells the rest.</p>", ["a.html:2: tells the rest"]),
    ],
)
def test_a_banned_phrase_is_found_in_prose_only(name: str, text: str, found: list[str]) -> None:
    assert banned_phrases(name, text) == found
