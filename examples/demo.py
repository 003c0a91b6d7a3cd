"""Plays a part of every game's built-in set with rule players and both controls, prints one table and writes
a report for each game: `make demo`."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from groundling.core.events import Moved
from groundling.core.pack import Pack, find, load
from groundling.files import write_whole_file
from groundling.progress import progress_bar
from groundling.report.html import render_html_report
from groundling.report.score_table import CHANCE, format_score_interval, format_score_number, score_rows
from groundling.report.text_table import Column, TableRow, TextTable, print_table, print_text
from groundling.runs.run import read_run_recordings
from groundling.runs.scoring import score_run
from groundling.runs.scoring_table import join_scoring_tables
from groundling.runs.session import RunSession, control_sessions, new_session_plan, prepare_session

OUT = Path("build/demo")
INSTANCES = 60
"""Of larger sets only about this many instances are played, in equal shares of each part."""
SEATS = {
    "reference": {"giver": "gold", "follower": "rule"},
    "image": {"giver": "rule", "follower": "rule"},
    "hexagons": {"instructor": "narrator", "executor": "parser"},
    "codraw": {"teller": "template", "drawer": "grammar"},
    "director": {"director": "template", "participant": "rule"},
}
SETTINGS: dict[str, dict[str, Any]] = {"director": {"mode": "two-player"}}
NEXT = """What next (groundling is .venv/bin/groundling):
  groundling score build/demo/hexagons --all   all measures, set by set
  groundling show build/demo/codraw            its episodes
  groundling serve                             play in a browser
  groundling --help                            all commands
README.md: play a language model, write a player, add a game."""


def play_game(pack: Pack) -> list[RunSession]:
    """Play with and without the speaker's words; return the sessions, that with the words first."""
    instances = load(pack.builtin)()
    chosen = instances[:: max(1, round(len(instances) / INSTANCES))]
    settings = load(pack.game).Settings(**SETTINGS.get(pack.name, {}))
    plan = new_session_plan(pack, chosen, None, settings=settings, source="built in", seats=SEATS[pack.name])
    session = prepare_session(pack, plan, OUT / pack.name)
    _play_session(session)
    controls = control_sessions(session)
    for control in controls:
        _play_session(control)
    return [session, *controls]


def _play_session(session: RunSession) -> None:
    with progress_bar() as bar:
        session.play_missing(
            jobs=session.default_jobs,
            on_start=lambda done: bar.set_progress(session.plan.game, done, len(session.plan)),
            on_synced=lambda episodes: bar.advance_by(len(episodes)),
        )


def print_heading(pack: Pack, session: RunSession) -> None:
    """Print what the game is about, and the first words of its first episode."""
    print_text(f"{pack.name}: {pack.about}")
    transcript = next(iter(read_run_recordings(session.folder.path).values()))
    said = next(
        event for event in transcript.events if isinstance(event, Moved) and event.role == pack.speaker
    )
    words = session.game.write(said.moves).splitlines()[0]
    print_text(f"  {pack.speaker}: {words[:130]}{'…' if len(words) > 130 else ''}", "    ")


def game_rows(pack: Pack, sessions: list[RunSession]) -> list[TableRow]:
    """Return the rows of the whole set: the players, the controls and chance."""
    names = "", *(session.folder.path.name for session in sessions[1:])
    tables = [score_run(session.folder, name) for session, name in zip(sessions, names, strict=True)]
    rows = score_rows(pack, join_scoring_tables(tables))
    game = f"{pack.name}, {load(pack.measures)[0].name}"
    found = []
    for row in (row for row in rows if row.set == rows[-1].set):
        main = row.main
        cells = ["", "", format_score_number(main.mean)]
        if row.control != CHANCE:
            interval = format_score_interval(main.low, main.high)
            cells = [str(main.n), str(main.clusters), cells[-1], interval]
            cells += [format_score_number(row.strict), str(row.aborted)]
        found.append(TableRow((game, row.players), tuple(cells)))
    return found


def main() -> None:
    began = time.monotonic()
    shutil.rmtree(OUT, ignore_errors=True)
    rows: list[TableRow] = []
    for name in SEATS:
        pack = find(name)
        sessions = play_game(pack)
        print_heading(pack, sessions[0])
        rows += game_rows(pack, sessions)
        write_whole_file(
            OUT / f"{name}.html", render_html_report([str(sessions[0].folder.path)], episodes=20).encode()
        )
    print()
    columns = [Column("n"), *(Column(name, joined=True) for name in ("clusters", "score", "95 %"))]
    columns += [Column("strict", joined=True), Column("aborted", joined=True)]
    title = "Scores; with silent nothing is said, with shuffled the words are about another instance"
    print_table(TextTable(title, ("game", "players"), tuple(columns), tuple(rows)))
    print(f"\nReports with replays: {OUT}/*.html ({time.monotonic() - began:.0f} s)\n{NEXT}")


if __name__ == "__main__":
    main()
