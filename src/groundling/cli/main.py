"""The command `groundling`. Errors are printed in one line with exit status 2; an incomplete run exits 1."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer import Argument

from groundling import __version__
from groundling.cli.verbs import CommandGroup, find_missing_extra, new_group, new_verb
from groundling.core.pack import find, installed_entry_points, installed_packs, load_pack
from groundling.core.values import Problem
from groundling.files import file_error_advice

COMMANDS = "groundling.commands"
CLI = "groundling.cli"


class RootGroup(CommandGroup):
    """Our commands, and the Typer apps of the entry-point group `groundling.commands`."""

    free_options = ("show",)  # the seats of a game are options, and the game is known only from the run

    def find_place(self, name: str) -> Any:
        if name in OWN:
            return OWN[name]
        brought = installed_entry_points(COMMANDS)
        return brought[name].value if name in brought else None

    def list_commands(self, ctx: Any) -> list[str]:
        return [*OWN, *installed_entry_points(COMMANDS)]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # which Typer would turn into an exit without a word
            raise typer.Abort from None


app = typer.Typer(
    name="groundling",
    cls=RootGroup,
    help="Games in which one player sees what the other cannot, and only words close the gap.",
    epilog="groundling --version prints the version.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


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


DATA_VERBS = {
    "import": "Convert published data to instances and recorded games.",
    "stats": "Compare figures recomputed from the data with the published ones.",
    "split": "Make new splits.",
    "sample": "Choose a stratified sample of instances and recorded games.",
    "labels": "Write the labels of the data, by people and by rules, as a long table.",
    "items": "Write parts of the data, such as steps, as items to annotate.",
}
DATA = {
    verb: new_verb(verb, about, f"{CLI}.data:{verb}_command", "source") for verb, about in DATA_VERBS.items()
} | {
    "steps": f"{CLI}.data:steps_command",
    "export": f"{CLI}.data:export_command",
    "publish": f"{CLI}.publish:publish_command",
}
DECISIONS = (
    *("erase", "pause", "resume", "places", "message"),
    *("qualify", "refuse", "choose", "exclude", "release"),
)
STUDY = {
    "new": f"{CLI}.study_templates:new_command",
    "check": f"{CLI}.study_commands:check_command",
    "schema": f"{CLI}.study_commands:schema_command",
    "simulate": f"{CLI}.study_commands:simulate_command",
    "status": f"{CLI}.study_commands:status_command",
    "recruit": f"{CLI}.study_recruit:recruit_command",
    "table": f"{CLI}.study_table:table_command",
    "pay": f"{CLI}.study_pay:pay_command",
    "export": f"{CLI}.study_export:export_command",
    **{name: f"{CLI}.study_people:{name}_command" for name in DECISIONS},
}
OWN: dict[str, Any] = {
    "make": new_verb("make", "Make new instances of a game.", f"{CLI}.make:make_command"),
    "play": new_verb("play", "Play a game's instances and write a log.", f"{CLI}.play:play_command"),
    "score": f"{CLI}.score:score_command",
    "verify": f"{CLI}.verify:verify_command",
    "show": f"{CLI}.show:show_command",
    "note": f"{CLI}.note:note_command",
    "report": f"{CLI}.report:report_command",
    "compare": f"{CLI}.compare:compare_command",
    "agree": f"{CLI}.agree:agree_command",
    "cross": new_verb("cross", "Play every speaker with every listener.", f"{CLI}.cross:cross_command"),
    "fresh": new_verb("fresh", "Compare a published set with fresh sets.", f"{CLI}.fresh:fresh_command"),
    "merge": f"{CLI}.merge:merge_command",
    "tournament": f"{CLI}.tournament:tournament_command",
    "rank": f"{CLI}.rank:rank_command",
    "blame": f"{CLI}.blame:blame_command",
    "leaderboard": f"{CLI}.leaderboard:leaderboard_command",
    "archive": f"{CLI}.publish:archive_command",
    "serve": f"{CLI}.serve:serve_command",
    "study": new_group("Plan, pilot and export studies with people.", STUDY),
    "data": new_group("Import, check, split and publish data.", DATA),
    "train": new_verb("train", "Train a player on recorded games.", f"{CLI}.train:train_command", "trainer"),
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
    except ModuleNotFoundError as missing:
        if (lack := find_missing_extra(missing)) is None:
            raise
        return _print_problem(str(lack))
    except OSError as trouble:
        return _print_problem(file_error_advice(trouble))


def _print_problem(message: str) -> int:
    print(f"groundling: {message}", file=sys.stderr)
    return 2
