"""`groundling report` writes runs as one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.cli.run_commands import open_read_run
from groundling.core.values import Problem, missing_extra
from groundling.files import write_output


def write_report(
    names: list[str], out: Path, episodes: str, seed: int, game: str = "", sets: Sequence[str] = ()
) -> None:
    try:
        from groundling.report.html import render_html_report
    except ImportError:
        raise missing_extra("score") from None
    for name in names:
        open_read_run(name, game)
    text = render_html_report(names, _parse_episode_count(episodes), seed, game, sets).encode()
    write_output(out, text)
    print(f"{out}: {_format_size(len(text))}")


def _parse_episode_count(episodes: str) -> int | None:
    if episodes == "all":
        return None
    if not episodes.isdecimal():
        raise Problem(f"--episodes {episodes}: give a number, or all")
    return int(episodes)


def _format_size(length: int) -> str:
    return f"{length / 1e6:.1f} MB" if length >= 1e6 else f"{length / 1e3:.0f} kB"
