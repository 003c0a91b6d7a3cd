"""The command `groundling`. Whatever goes wrong is told in one line; the exit status is 2 then, and 1 where a run is not
complete."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from .. import __version__
from ..core.pack import choices, fetch, find, packs
from ..core.values import Problem

app = typer.Typer(
    name="groundling",
    help="Games in which one player sees what the other cannot, and only words close the gap.",
    epilog="groundling --version prints the version.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class ByGame(TyperGroup):
    """A verb whose options depend on the game: a subcommand for each, made when it is asked for."""

    build: Callable[[Any], Any]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(packs())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        try:
            pack = find(cmd_name)
            one.command(cmd_name, help=f"{self.help} {pack.name.capitalize()}: {pack.about}.")(type(self).build(pack))
        except Problem as trouble:
            if cmd_name not in packs():
                raise
            _later(one, cmd_name, trouble)
        return typer.main.get_command(one)


def _later(one: typer.Typer, name: str, trouble: Problem) -> None:
    """A game that cannot be loaded is listed with the others, and complains when it is asked for."""

    def complain() -> None:
        raise trouble

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    one.command(name, help=f"Cannot be used: {trouble}", context_settings=anything)(complain)


def _make(pack: Any) -> Callable[..., Any]:
    from .make import command

    return command(pack)


def _play(pack: Any) -> Callable[..., Any]:
    from .play import command

    return command(pack)


def _verb(name: str, about: str, builder: Callable[[Any], Any]) -> None:
    def which(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            raise Problem(f"{name} which game? groundling {name} GAME: {choices(packs())}")

    group = type(f"By{name}", (ByGame,), {"build": staticmethod(builder)})
    verb = typer.Typer(cls=group, help=about, rich_markup_mode=None, subcommand_metavar="GAME [ARGS]...")
    verb.callback(invoke_without_command=True)(which)
    app.add_typer(verb, name=name)


_verb("make", "Make new instances of a game.", _make)
_verb("play", "Play a game's instances and log what happens.", _play)


@app.callback(invoke_without_command=True)
def top(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games() -> None:
    """List the games, their seats and players."""
    from ..players import SHARED

    for name, point in packs().items():
        try:
            pack = fetch(point.value)
        except Problem as trouble:  # somebody else's broken package must not hide the other games
            print(f"{name}: cannot be loaded, {trouble}")
            continue
        print(f"{name}: {pack.about}")
        print(f"  board    {pack.board} ({pack.shape})")
        print(f"  seats    {', '.join(pack.roles)}")
        print(f"  players  {', '.join(sorted(pack.players))}; in any game: {', '.join(sorted(SHARED))}")


@app.command()
def score(runs: Annotated[list[str], typer.Argument(help="Folders made by groundling play.", metavar="DIR...")]) -> None:
    """Score runs again from their transcripts: writes scores.parquet into each, prints the table."""
    from .look import score as command

    command(runs)


@app.command()
def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A run, or one of its sets as DIR@SET.")],
    b: Annotated[str, typer.Argument(metavar="B", help="What it is compared with.")],
) -> None:
    """Compare two runs, or two sets, on the instances they share: B minus A, in pairs."""
    from .look import compare as command

    command(a, b)


@app.command()
def report(
    runs: Annotated[list[str], typer.Argument(help="Folders made by groundling play, all of one game.", metavar="DIR...")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("report.html"),
    episodes: Annotated[str, typer.Option(help="How many can be replayed in it, or all.", metavar="N|all")] = "200",
    seed: Annotated[int, typer.Option(help="For those that are chosen by lot.")] = 0,
) -> None:
    """Write runs as one HTML file: scores, plots, and episodes to replay turn by turn."""
    from .report import report as command

    command(runs, out, episodes, seed)


@app.command()
def show(
    run: Annotated[str, typer.Argument(metavar="DIR", help="A folder made by groundling play.")],
    episode: Annotated[str, typer.Argument(help="Which one; without it, all are listed.")] = "",
    svg: Annotated[str, typer.Option(help="Also write what each seat saw, as SVG files into this folder.")] = "",
) -> None:
    """Print an episode: what each seat saw, what was said, what came of it."""
    from .look import show as command

    command(run, episode, svg)


@app.command()
def check(
    pack: Annotated[str, typer.Argument(metavar="PACKAGE:PACK", help="A pack, or the name of an installed game.")],
) -> None:
    """Hold a game against the laws that every game must keep."""
    from ..core.check import LAWS, check_game

    found = check_game(fetch(pack) if ":" in pack else find(pack))
    broken = {breach.law for breach in found}
    for name, law in LAWS.items():
        verdict = "BROKEN  " if name in broken else "left out" if law.trusts & broken else "ok      "
        print(f"{verdict} {name}: {law.about}")
    for breach in found:
        print(f"{breach.law}: {breach.message}", file=sys.stderr)
    raise typer.Exit(1 if found else 0)


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments == ["--version"]:  # an option of typer's would make every command wait for pydantic
        print(f"groundling {__version__}")
        return 0
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no sign for ▢ gets a question mark, not a traceback
    try:
        status = typer.main.get_command(app).main(args=arguments, prog_name="groundling", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except Problem as trouble:
        return _complain(str(trouble))
    except typer.TyperException as trouble:
        message = trouble.format_message() if hasattr(trouble, "format_message") else str(trouble)
        return _complain(f"{' '.join(message.split())} (groundling --help tells more)")
    except (KeyboardInterrupt, typer.Abort):
        print("stopped", file=sys.stderr)
        return 130
    except (BrokenPipeError, SystemExit):  # the reader of our output, such as head, has gone; typer exits by itself then
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as trouble:
        return _complain(_advice(trouble))


def _advice(trouble: OSError) -> str:
    what = f"{trouble.filename}: {trouble.strerror}" if trouble.filename else str(trouble)
    if trouble.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return f"{what}; free some space and run the same command again, what was finished is kept"
    if trouble.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{what}; choose a place where you may read and write"
    if trouble.errno == errno.ENOENT:
        return f"{what}; check the path"
    return f"{what}; check the path, or choose another with -o"


def _complain(message: str) -> int:
    print(f"groundling: {message}", file=sys.stderr)
    return 2
