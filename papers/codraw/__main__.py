"""The reproduction of CoDraw's tables and figures from runs of `groundling cross`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from papers.codraw.answering import answering_report
from papers.codraw.asking import trial_table
from papers.codraw.curve import curve_table
from papers.codraw.language import language_report, read_half_messages
from papers.codraw.play import PlayOptions, play_everything
from papers.codraw.played import read_collection, split_folders
from papers.codraw.strips import write_pictures
from papers.codraw.tables import result_report

from groundling.core.values import Problem
from groundling.runs.run_folder import RunFolder

TITLES = {"paper": "The paper's halves", "grouped": "Grouped halves: no scene of one prompt on two sides"}


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m papers.codraw", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="play what the tables need")
    play.add_argument("folders", type=Path, nargs="+", metavar="WEIGHTS", help="folders with trained weights")
    play.add_argument("--data", type=Path, required=True, help="the published dialogs")
    play.add_argument("--split", default="val", help="the part of the data to play")
    play.add_argument("--out", type=Path, required=True, help="where the runs go")
    play.add_argument("--limit", type=int, help="play only the first scenes")
    play.add_argument("--at-once", type=int, default=1, help="commands that run at the same time")
    tables = commands.add_parser("tables", help="print Table 1, the components, and the controls")
    tables.add_argument("out", type=Path, help="the folder that play wrote")
    language = commands.add_parser("language", help="print whether Tellers speak as people do")
    language.add_argument("out", type=Path, help="the folder that play wrote")
    language.add_argument("--data", type=Path, required=True, help="the published dialogs")
    asking = commands.add_parser("asking", help="print what questions and peeks gain")
    asking.add_argument("runs", type=Path, help="a folder of groundling cross")
    answering = commands.add_parser("answering", help="print how truly people's questions are answered")
    answering.add_argument("--data", type=Path, required=True, help="the published dialogs and drawings")
    answering.add_argument("--split", default="val", help="the part of the data")
    answering.add_argument("-n", type=int, default=0, help="also print this many answers to read")
    curve = commands.add_parser("curve", help="print what playing gains over divergence from imitation")
    curve.add_argument("folders", type=Path, nargs="+", metavar="WEIGHTS")
    curve.add_argument("--out", type=Path, help="a .svg or .png to draw")
    games = commands.add_parser("games", help="draw some games of a run")
    games.add_argument("run", type=Path, help="a run's folder")
    games.add_argument("--out", type=Path, required=True, help="the folder for the pictures")
    games.add_argument("-n", type=int, default=3, help="how many games, from poor ones to good ones")
    return parser


def report_lines(given: argparse.Namespace) -> Iterator[str]:
    if given.command == "play":
        options = {name: getattr(given, name) for name in PlayOptions.__struct_fields__}
        yield from play_everything(PlayOptions(**options))
    elif given.command == "tables":
        for name, folder in split_folders(given.out):
            yield f"# {TITLES[name]}"
            yield from (*result_report(read_collection(folder / "runs")), "")
    elif given.command == "language":
        for name, folder in split_folders(given.out):
            splits = folder / "splits.json" if name == "grouped" else None
            yield f"# {TITLES[name]}: still human language?"
            messages = read_half_messages(given.data, splits)
            yield from (*language_report(read_collection(folder / "runs"), messages), "")
    elif given.command == "asking":
        yield from trial_table(given.runs)
    elif given.command == "answering":
        yield from answering_report(given.data, given.split, given.n)
    elif given.command == "curve":
        yield from curve_table(given.folders, given.out)
    else:
        yield from write_pictures(RunFolder(given.run), given.n, given.out)


def main(words: list[str] | None = None) -> int:
    given = make_parser().parse_args(words)
    try:
        for line in report_lines(given):
            print(line, flush=True)
    except Problem as trouble:
        print(f"error: {trouble}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
