"""The command `groundling`. Errors are printed in one line with exit status 2; an incomplete run exits 1."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperGroup

from groundling import __version__
from groundling.cli.verbs import add_broken_command, new_verb
from groundling.core.pack import find, installed_entry_points, installed_packs, load, load_pack
from groundling.core.values import Problem
from groundling.files import file_error_advice

COMMANDS = "groundling.commands"
RUN_VERBS = "groundling.cli.run_verbs"


class CommandGroup(TyperGroup):
    """Our commands, and the Typer apps of the entry-point group `groundling.commands`. Each is imported and
    built when it is wanted: to build all of them takes longer than most commands."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*OWN, *installed_entry_points(COMMANDS)]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # which Typer would turn into an exit without a word
            raise typer.Abort from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        brought = {} if cmd_name in OWN else installed_entry_points(COMMANDS)
        places = OWN | {name: point.value for name, point in brought.items()}
        if cmd_name not in places:
            # Typer suggests the nearest of these
            self.commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
            return None
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        try:
            found = load(places[cmd_name])
        except Problem as trouble:
            add_broken_command(one, cmd_name, trouble)
            return typer.main.get_command(one)
        if not isinstance(found, typer.Typer):
            one.command(cmd_name, context_settings=FREE_OPTIONS if cmd_name == "show" else None)(found)
            return typer.main.get_command(one)
        one.add_typer(found, name=cmd_name)
        return typer.main.get_group(one).get_command(ctx, cmd_name)


FREE_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""The seats of a game are options of `show`, and the game is known only from the run."""

app = typer.Typer(
    name="groundling",
    cls=CommandGroup,
    help="Games in which one player sees what the other cannot, and only words close the gap.",
    epilog="groundling --version prints the version.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
data = typer.Typer(help="Import, check, split and publish data.", rich_markup_mode=None, no_args_is_help=True)
DATA_VERBS = {
    "import": "Convert published data to instances and recorded games.",
    "stats": "Compare figures recomputed from the data with the published ones.",
    "split": "Make new splits.",
    "sample": "Choose a stratified sample of instances and recorded games.",
    "labels": "Write the labels of the data, by people and by rules, as a long table.",
    "items": "Write parts of the data, such as steps, as items to annotate.",
}
for verb, about in DATA_VERBS.items():
    data.add_typer(new_verb(verb, about, f"groundling.cli.data:{verb}_command", "source"), name=verb)


@data.command("steps")
def write_steps(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Runs of any game.")],
    unit: Annotated[
        str, typer.Option(help="What an item is: a step, an episode or an image.", metavar="NAME")
    ] = "step",
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("items.jsonl"),
) -> None:
    """Write what was said and done in runs as a table of items to annotate in a study."""
    from groundling.cli.data import write_run_items

    write_run_items(runs, unit, out)


@data.command("export")
def export_data(
    runs: Annotated[list[str], Argument(metavar="RUN...", help="Runs of one game.")],
    out: Annotated[Path, Option("-o", "--out", help="The file to write; its extension sets the format.")],
) -> None:
    """Write runs as other files: FILE.eval for inspect view, FILE.jsonl in the published format."""
    from groundling.cli.data import export_data_runs

    export_data_runs(runs, out)


@data.command("publish")
def publish_data(
    runs: Annotated[
        list[str],
        Argument(metavar="RUN...", help="Runs, exports of studies, or files of instances with --game."),
    ],
    out: Annotated[Path | None, Option("-o", "--out", help="The folder to write.")] = None,
    about: Annotated[
        Path, Option(help="The record of what the data set is; a template is written where it is missing.")
    ] = Path("dataset.toml"),
    review: Annotated[
        Path | None, Option(help="Write the texts of people into this file, to be read first.")
    ] = None,
    reviewed: Annotated[Path | None, Option(help="The file with the texts that were read.")] = None,
    game: Annotated[
        str, Option(metavar="GAME", help="The game of the runs: NAME, FILE.py or PACKAGE:PACK.")
    ] = "",
) -> None:
    """Write runs, studies or instances as a data set to give to others.

    Parquet by split, a card for Hugging Face, Croissant, Psych-DS, CITATION.cff and .zenodo.json are made
    from one record."""
    from groundling.cli.publish import publish_runs

    publish_runs(runs, out, about, review, reviewed, game)


@app.callback(invoke_without_command=True)
def print_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def list_games() -> None:
    """List the games, their seats and players."""
    from groundling.players import SHARED
    from groundling.report.text_table import print_text

    for name, point in installed_packs().items():
        try:
            pack = load_pack(point.value)
        except Problem as trouble:  # a broken package must not hide the other games
            print_text(f"{name}: cannot be loaded, {trouble}", "  ")
            continue
        print_text(f"{name}: {pack.about}", "  ")
        print_text(f"  board    {pack.board} ({pack.shape})", " " * 11)
        print_text(f"  seats    {', '.join(pack.roles)}", " " * 11)
        print_text(f"  players  {', '.join(sorted(pack.players))}", " " * 11)
    print_text(f"players in any game: {', '.join(sorted(SHARED))}, and language models", "  ")


def check_pack(
    game: Annotated[
        str, Argument(metavar="GAME", help="The name of an installed game, FILE.py or PACKAGE:PACK.")
    ],
) -> None:
    """Check a game against the laws that hold for all games.

    The parts of the game that are derived are listed too."""
    from groundling.core.check import LAWS, check_game
    from groundling.core.derived import list_derived
    from groundling.report.text_table import print_text

    pack = find(game)
    found = check_game(pack)
    broken = {breach.law for breach in found}
    for name, law in LAWS.items():
        verdict = "BROKEN  " if name in broken else "left out" if law.trusts & broken else "ok      "
        print_text(f"{verdict} {name}: {law.about}", " " * 9)
    for name, advice in list_derived(pack).items():
        print_text(f"derived  {name}: {advice}", " " * 9)
    for breach in found:
        print(f"{breach.law}: {breach.message}", file=sys.stderr)
    raise typer.Exit(1 if found else 0)


OWN: dict[str, Any] = {
    "make": new_verb("make", "Make new instances of a game.", "groundling.cli.make:make_command"),
    "play": new_verb("play", "Play a game's instances and write a log.", "groundling.cli.play:play_command"),
    "score": f"{RUN_VERBS}:score_command",
    "verify": f"{RUN_VERBS}:verify_command",
    "show": f"{RUN_VERBS}:show_command",
    "note": f"{RUN_VERBS}:note_command",
    "report": f"{RUN_VERBS}:report_command",
    "compare": f"{RUN_VERBS}:compare_command",
    "agree": f"{RUN_VERBS}:agree_command",
    "cross": new_verb(
        "cross", "Play every speaker with every listener.", "groundling.cli.cross:cross_command"
    ),
    "fresh": new_verb(
        "fresh", "Compare a published set with fresh sets.", "groundling.cli.fresh:fresh_command"
    ),
    "merge": f"{RUN_VERBS}:merge_command",
    "tournament": "groundling.cli.tournament:tournament_command",
    "rank": f"{RUN_VERBS}:rank_command",
    "blame": f"{RUN_VERBS}:blame_command",
    "leaderboard": f"{RUN_VERBS}:leaderboard_command",
    "archive": f"{RUN_VERBS}:archive_command",
    "serve": "groundling.cli.serve:serve_command",
    "study": "groundling.cli.study:study_app",
    "data": data,
    "train": new_verb(
        "train", "Train a player on recorded games.", "groundling.cli.train:train_command", "trainer"
    ),
    "check": check_pack,
    "games": list_games,
}
"""Our commands in the order of work, in which --help lists them."""


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments == ["--version"]:  # as a Typer option it would slow down every command
        print(f"groundling {__version__}")
        return 0
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot encode ▢ prints a question mark
    try:
        command = typer.main.get_command(app)
        status = command.main(args=arguments, prog_name="groundling", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except Problem as trouble:
        return _print_problem(str(trouble))
    except typer.TyperException as trouble:
        message = trouble.format_message() if hasattr(trouble, "format_message") else str(trouble)
        if message.startswith("Usage: "):  # the help of a group without a subcommand
            print(message, file=sys.stderr)
            return 2
        context = getattr(trouble, "ctx", None)
        path = context.command_path if context else "groundling"
        return _print_problem(f"{' '.join(message.split())} (see {path} --help)")
    except (KeyboardInterrupt, typer.Abort):
        print("stopped", file=sys.stderr)
        return 130
    except (BrokenPipeError, SystemExit):  # a reader such as head has closed the pipe; Typer then exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except UnicodeEncodeError:
        if not any("\udc80" <= character <= "\udcff" for character in "".join(arguments)):
            raise
        return _print_problem("the arguments are not UTF-8: use a UTF-8 locale, as in LC_ALL=C.UTF-8")
    except OSError as trouble:
        return _print_problem(file_error_advice(trouble))


def _print_problem(message: str) -> int:
    print(f"groundling: {message}", file=sys.stderr)
    return 2
