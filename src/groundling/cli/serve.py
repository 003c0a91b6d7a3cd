"""`groundling serve` starts the server, exports its games or erases a seat."""

from __future__ import annotations

from pathlib import Path

from groundling.core.values import Problem, missing_extra


def serve_command(
    games: list[str],
    db: str,
    host: str,
    port: int,
    partners: list[str],
    consent: Path | None,
    runs: list[str],
    data: list[str],
    instances: list[str],
    builtin: bool,
    closed: bool,
    gallery: bool,
    erase: str | None,
    export: Path | None,
    workers: int,
    proxies: list[str],
    limit_for: list[str],
    admin: bool,
    options: dict[str, str],
) -> None:
    try:
        from groundling.web.erasure import erase_seat
        from groundling.web.export import export_games
        from groundling.web.game_catalog import GameCatalog
        from groundling.web.login import find_login_token
        from groundling.web.server import read_limit_ranges, run_server
        from groundling.web.server_settings import ServerSettings
    except ImportError:
        raise missing_extra("web") from None
    if erase is not None and export:
        raise Problem("--erase and --export cannot be combined: use one after the other")
    if erase is not None:
        print(erase_seat(db, erase))
    elif export:
        for line in export_games(db, export, GameCatalog(games)):
            print(line)
    else:
        text = _read_consent(consent) if consent else ""
        if closed and not admin:
            raise Problem("with --closed nobody could open a room: add --admin")
        if options and not admin:
            raise Problem(f"--{next(iter(options))} is for the administration pages: add --admin")
        token, new = find_login_token() if admin else ("", False)
        settings = ServerSettings(
            games=tuple(games),
            partners=tuple(partners),
            consent=text,
            runs=tuple(runs),
            data=tuple(data),
            instances=tuple(instances),
            builtin=builtin,
            closed=closed,
            gallery=gallery,
            admin=token,
            options=options,
            limit_for=read_limit_ranges(limit_for),
        )
        run_server(db, host, port, settings, workers, proxies, show_token=new)


def _read_consent(file: Path) -> str:
    try:
        text = file.read_text(encoding="utf-8").strip()
    except UnicodeDecodeError:
        raise Problem(f"{file} is not UTF-8 text: give the consent text as a text file") from None
    if not text:
        raise Problem(f"{file} is empty: add the consent text, or leave out --consent")
    return text
