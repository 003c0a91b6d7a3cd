"""`groundling codraw …`: the tables of trained players, and pictures of their games."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from groundling.core.values import missing_extra
from groundling.files import write_whole
from groundling.progress import progress_bar

app = typer.Typer(
    help="CoDraw's own: tables of trained players.", rich_markup_mode=None, no_args_is_help=True
)

Folders: TypeAlias = Annotated[
    list[Path],
    typer.Argument(metavar="DIR...", help="Folders with trained weights, however deep in them.", exists=True),
]
Dialogs: TypeAlias = Annotated[
    Path, typer.Option(help="The published dialogs: their folder or file.", exists=True)
]
Part: TypeAlias = Annotated[str, typer.Option(help="The part of the data to play.")]
Out: TypeAlias = Annotated[
    Path | None, typer.Option("-o", "--out", help="Also write it to this file.", dir_okay=False)
]
Kept: TypeAlias = Annotated[
    Path | None, typer.Option(help="Where what was played is kept; else in the user's cache.")
]
Limit: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Only the first so many scenes.")]
Processes: TypeAlias = Annotated[int, typer.Option(min=1, help="So many play at once, and share the cores.")]
Plays: TypeAlias = Annotated[bool, typer.Option(help="Play what is not kept; else print only what is.")]


@app.callback()
def codraw() -> None:
    """CoDraw's own: tables of trained players."""


@app.command("table")
def codraw_table(
    weights: Folders,
    data: Dialogs,
    split: Part = "val",
    out: Out = None,
    kept: Kept = None,
    limit: Limit = None,
    play: Plays = True,
    processes: Processes = 1,
) -> None:
    """The paper's Table 1 with these weights, what the similarities are made of, and what is left without
    words."""
    try:
        from groundling.games.codraw.neural.evaluation.reports import ReportOptions, result_report
    except ImportError:
        raise missing_extra("train") from None
    order = ReportOptions(
        folders=weights, data=data, part=split, kept=kept, limit=limit, plays=play, processes=processes
    )
    _print_lines(result_report(order), out)


@app.command("language")
def codraw_language(
    weights: Folders,
    data: Dialogs,
    split: Part = "val",
    out: Out = None,
    kept: Kept = None,
    limit: Limit = None,
    play: Plays = True,
    processes: Processes = 1,
    panel: Annotated[
        list[str] | None,
        typer.Option(metavar="LABEL", help="A Drawer of the panel, as the table calls it; else all are."),
    ] = None,
) -> None:
    """Whether the Tellers still speak as people do, and who understands them."""
    try:
        from groundling.games.codraw.neural.evaluation.reports import ReportOptions, language_report
    except ImportError:
        raise missing_extra("train") from None
    order = ReportOptions(
        folders=weights, data=data, part=split, kept=kept, limit=limit, plays=play, processes=processes
    )
    _print_lines(language_report(order, panel or ()), out)


@app.command("curve")
def codraw_curve(
    weights: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR...", help="Trainings by playing, and what they started from.", exists=True
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Also draw it, in this .svg or .png.", dir_okay=False)
    ] = None,
) -> None:
    """What Tellers gain by playing, over how far they go from the language that they imitated."""
    try:
        from groundling.games.codraw.neural.evaluation.training_curves import curve_table
    except ImportError:
        raise missing_extra("train") from None
    _print_lines(curve_table(weights, out), None)


@app.command("asking")
def codraw_asking(
    drawer: Annotated[str, typer.Option(help="The folder of the Drawer's weights; or grammar, with --peek.")],
    data: Dialogs,
    teller: Annotated[
        list[str] | None,
        typer.Option(help="template, or the folder of a Teller's weights; several times for several."),
    ] = None,
    split: Part = "val",
    limit: Limit = None,
    peek: Annotated[
        bool, typer.Option("--peek", help="What a peek gains, in place of what questions gain.")
    ] = False,
    out: Out = None,
) -> None:
    """What a Drawer gains by questions, topic by topic, or a Teller by a look at the canvas."""
    try:
        from groundling.games.codraw.neural.evaluation.paired_trials import run_trials
    except ImportError:
        raise missing_extra("train") from None
    with progress_bar() as bar:
        lines = list(
            run_trials(drawer, teller or ["template"], data, split, limit, peek=peek, told=bar.set_progress)
        )
    _print_lines(lines, out)


@app.command("games")
def codraw_games(
    teller: Annotated[Path, typer.Option(help="The folder of the Teller's weights.", exists=True)],
    drawer: Annotated[Path, typer.Option(help="The folder of the Drawer's weights.", exists=True)],
    data: Dialogs,
    out: Annotated[Path, typer.Option("-o", "--out", help="The folder for the pictures.", file_okay=False)],
    split: Part = "val",
    n: Annotated[int, typer.Option("-n", min=1, help="How many games, from poor ones to good ones.")] = 3,
    kept: Kept = None,
) -> None:
    """Pictures of games of two: the scene, then the canvas after each message, with the words below."""
    try:
        from groundling.games.codraw.neural.evaluation.reports import write_pictures
    except ImportError:
        raise missing_extra("train") from None
    for line in write_pictures(teller, drawer, data, split, n, out, kept):
        print(line)


def _print_lines(lines: Iterable[str], out: Path | None) -> None:
    text = []
    for line in lines:
        print(line, flush=True)
        text.append(line)
    if out:
        write_whole(out, ("\n".join(text) + "\n").encode())
