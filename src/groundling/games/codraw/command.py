"""`groundling codraw …`: commands that are now scripts in papers/codraw of the repository."""

from __future__ import annotations

from collections.abc import Callable

import typer

from groundling.core.values import Problem

app = typer.Typer(
    help="Withdrawn: the paper's tables are made by papers/codraw in the repository.",
    hidden=True,
    rich_markup_mode=None,
    no_args_is_help=True,
)
SCRIPTS = {
    "table": "make codraw-table, or python -m papers.codraw tables",
    "language": "make codraw-table, or python -m papers.codraw language",
    "games": "python -m papers.codraw games",
    "asking": "groundling cross codraw, then python -m papers.codraw asking",
    "curve": "python -m papers.codraw curve",
}
"""What replaces each command."""


@app.callback()
def codraw() -> None:
    """Withdrawn: the paper's tables are made by papers/codraw in the repository."""


def _refuse_command(name: str, script: str) -> Callable[[], None]:
    def refuse() -> None:
        raise Problem(f"groundling codraw {name} is withdrawn: in the repository, use {script}")

    return refuse


for _name, _script in SCRIPTS.items():
    app.command(
        _name,
        help=f"Withdrawn: use {_script}.",
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(_refuse_command(_name, _script))
