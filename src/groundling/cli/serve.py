"""`groundling serve`: people play in a browser."""

from __future__ import annotations

from pathlib import Path

from ..core.values import Problem, missing


def serve(db: str, host: str, port: int, partners: list[str], consent: Path | None, erase: str, export: Path | None) -> None:
    try:
        from ..web.export import erase_seat, export_games
        from ..web.hall import House
        from ..web.serve import serve as work
    except ImportError:
        raise missing("web") from None
    if erase and export:
        raise Problem("--erase and --export are two things to do: do one after the other")
    if erase:
        print(erase_seat(db, erase))
    elif export:
        for line in export_games(db, export):
            print(line)
    else:
        text = consent.read_text(encoding="utf-8").strip() if consent else ""
        work(db, host, port, House(partners=tuple(partners), consent=text))
