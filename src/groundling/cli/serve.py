"""`groundling serve` starts the server, exports its games or erases a seat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from groundling.core.values import Problem

DEFAULT_DB = "groundling.db"


def serve_command(
    games: Annotated[
        list[str] | None,
        Argument(metavar="[GAME]...", help="NAME, FILE.py or PACKAGE:PACK; default: all installed games."),
    ] = None,
    db: Annotated[str, Option(help="The file or database to store games in.", metavar="URL")] = DEFAULT_DB,
    host: Annotated[str, Option(help="The address to listen on; 0.0.0.0: all interfaces.")] = "127.0.0.1",
    port: Annotated[int, Option(help="The port to listen on; 0: any free port.")] = 8000,
    workers: Annotated[
        int, Option(help="Number of worker processes; more than 1 needs PostgreSQL.", metavar="N")
    ] = 1,
    proxy: Annotated[
        list[str] | None, Option(help="Trust the client address that this proxy sends.", metavar="ADDRESS")
    ] = None,
    limit_for: Annotated[
        list[str] | None,
        Option(
            help="Raise the limits of a range: the number of people behind each address.",
            metavar="NETWORK=PEOPLE",
        ),
    ] = None,
    partner: Annotated[
        list[str] | None, Option(help="Also offer this player as a partner.", metavar="PLAYER")
    ] = None,
    consent: Annotated[
        Path | None, Option(help="A consent text to accept before playing.", metavar="FILE")
    ] = None,
    run: Annotated[
        list[str] | None, Option(help="Publish this run: anybody can replay it.", metavar="DIR|FILE")
    ] = None,
    data: Annotated[
        list[str] | None, Option(help="Publish the recorded games in this data.", metavar="GAME=PATH")
    ] = None,
    instances: Annotated[
        list[str] | None,
        Option(
            help="Play these instances: a file, recorded data as GAME=PATH@SPLIT, a run, or a store.",
            metavar="GAME=PATH",
        ),
    ] = None,
    no_builtin: Annotated[
        bool, Option("--no-builtin", help="Leave out the built-in sets of games that have --instances.")
    ] = False,
    closed: Annotated[
        bool, Option("--closed", help="Only the administrator opens rooms, and invites people.")
    ] = False,
    study: Annotated[
        list[str] | None, Option(help="Run this study; its log is in --db.", metavar="DIR")
    ] = None,
    preview: Annotated[
        bool, Option("--preview", help="With --study: try the study; nothing is kept.")
    ] = False,
    no_typing: Annotated[
        bool, Option("--no-typing", help="Do not show people that their partner is writing.")
    ] = False,
    gallery: Annotated[
        bool, Option("--gallery", help="Show all instances with their targets; visitors can draw new ones.")
    ] = False,
    erase: Annotated[
        str | None, Option(help="Delete a participant's data, then exit.", metavar="CODE|ROOM/SEAT")
    ] = None,
    export: Annotated[
        Path | None, Option(help="Export the games as runs into this folder, then exit.")
    ] = None,
    admin: Annotated[
        bool, Option("--admin", help="Administration pages under /admin; prints the login link once.")
    ] = False,
    items: Annotated[
        str, Option(help="A file of items to edit in the administration pages.", metavar="FILE")
    ] = "",
) -> None:
    """Let people play in a browser."""
    from groundling.web.erasure import erase_seat
    from groundling.web.export import export_games
    from groundling.web.game_catalog import GameCatalog
    from groundling.web.login import find_login_token
    from groundling.web.server import read_limit_ranges, run_server, run_study_preview
    from groundling.web.server_settings import ServerSettings

    options = {"items": items} if items else {}
    if erase is not None and export:
        raise Problem("--erase and --export cannot be combined: use one after the other")
    if erase is not None:
        print(erase_seat(db, erase))
    elif export:
        for line in export_games(db, export, GameCatalog(games or ())):
            print(line)
    else:
        text = _read_consent(consent) if consent else ""
        if closed and not admin:
            raise Problem("with --closed nobody could open a room: add --admin")
        if options and not admin:
            raise Problem(f"--{next(iter(options))} is for the administration pages: add --admin")
        token, new = find_login_token() if admin else ("", False)
        settings = ServerSettings(
            games=tuple(games or ()),
            partners=tuple(partner or ()),
            consent=text,
            runs=tuple(run or ()),
            data=tuple(data or ()),
            instances=tuple(instances or ()),
            builtin=not no_builtin,
            closed=closed,
            typing=not no_typing,
            gallery=gallery,
            studies=tuple(study or ()),
            admin=token,
            options=options,
            limit_for=read_limit_ranges(limit_for or []),
        )
        if not preview:
            run_server(db, host, port, settings, workers, proxy or [], show_token=new)
        elif db != DEFAULT_DB or workers != 1:
            raise Problem("--preview keeps nothing: leave out --db and --workers")
        else:
            run_study_preview(host, port, settings, proxy or [], show_token=new)


def _read_consent(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise Problem(f"{file} is not UTF-8 text: give the consent text as a text file") from None
    if not text:
        raise Problem(f"{file} is empty: add the consent text, or leave out --consent")
    return text
