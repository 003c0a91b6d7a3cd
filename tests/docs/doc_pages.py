"""The pages of the documents, their code blocks, and the commands in these."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    str(page.relative_to(ROOT))
    for pattern in (
        "*.md",
        "docs/*.md",
        "examples/*.md",
        "papers/*/*.md",
        "src/groundling/games/*/*.md",
        "weights/*.md",
    )
    for page in ROOT.glob(pattern)
)


class Block(NamedTuple):
    page: str
    line: int
    language: str
    code: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def is_shell(self) -> bool:
        return self.language in ("", "sh", "bash")

    @property
    def commands(self) -> list[str]:
        """One for each line of the shell, without comment lines; a backslash continues a line."""
        lines = (line.strip() for line in self.code.replace("\\\n", " ").splitlines())
        return [line for line in lines if line and not line.startswith("#")]


def read_blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [Block(page, text.count("\n", 0, each.start()) + 1, each[1], each[2]) for each in found]


BLOCKS = {page: read_blocks(page) for page in PAGES}
