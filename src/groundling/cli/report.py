"""`groundling report` writes runs as one HTML file."""

from __future__ import annotations

from pathlib import Path

from groundling.core.values import Problem, missing
from groundling.runs.files import write_whole


def report(names: list[str], out: Path, episodes: str, seed: int) -> None:
    try:
        from groundling.report.html import report as page
    except ImportError:
        raise missing("score") from None
    text = page(names, _count(episodes), seed).encode()
    write_whole(out, text)
    print(f"{out}: {_size(len(text))}")


def _count(episodes: str) -> int | None:
    if episodes == "all":
        return None
    if not episodes.isdecimal():
        raise Problem(f"--episodes {episodes}: give a number, or all")
    return int(episodes)


def _size(length: int) -> str:
    return f"{length / 1e6:.1f} MB" if length >= 1e6 else f"{length / 1e3:.0f} kB"
