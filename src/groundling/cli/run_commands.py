"""`groundling score`, `compare` and `show`, the commands about finished runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundling.core.events import Transcript
from groundling.core.pack import Scores, find, load
from groundling.core.values import Problem, missing_extra
from groundling.players import CONTROLS
from groundling.report.episode import episode_pictures, episode_text
from groundling.report.text_table import print_table, print_text
from groundling.runs.run import Run, open_run
from groundling.runs.scoring import join_tables, score_run, write_scores

if TYPE_CHECKING:
    import polars as pl


def score_runs(
    names: list[str], manner: str = "", by: Sequence[str] = (), *, all_measures: bool = False
) -> None:
    try:
        from groundling.report.breakdown import Breakdown
        from groundling.report.external_tables import find_table
        from groundling.report.score_table import score_table
        from groundling.report.variance import variance_lines
    except ImportError:
        raise missing_extra("score") from None
    others = find_table(manner) if manner else None
    tables: dict[str, list[pl.DataFrame]] = {}
    parts: dict[str, Breakdown] = {}
    scored: list[tuple[Run, pl.DataFrame]] = []
    unplayed: list[str] = []
    counts: list[str] = []
    chosen = {Path(name).resolve(): name for name in reversed(names)}.values()
    for name in chosen:
        folder = open_run(name)
        runs = {"": folder, **folder.control_runs()}
        for control, run in runs.items():
            game = run.read_about()["plan"]["game"]
            part = parts.setdefault(game, Breakdown(find(game)))
            part.run = name
            episodes = score_run(run, control, part.note_episode if by else _ignore_scores)
            counts.append(_count_episodes(run, episodes))
            scored.append((run, episodes))
            tables.setdefault(game, []).append(episodes)
        told = folder.read_about()["plan"].get("seats", {})
        # controls cannot be added to runs that were not played by groundling
        ours = folder.path.is_dir() and find(game).speaker in told
        unplayed += [name] if ours and set(runs) != {"", *CONTROLS} else []
    for facet in by:
        for part in parts.values():
            part.check_facet(facet)
    for line in counts:
        print_text(line, "  ")
    for game, found in tables.items():
        episodes = join_tables(found)
        if episodes.is_empty():
            raise Problem(
                f"nothing has been played yet in {', '.join(names)}: give the groundling play command again"
            )
        print()
        print_table(score_table(find(game), episodes, all_measures=all_measures))
        for line in variance_lines(find(game), episodes):
            print_text(line, "  ")
        for facet in by:
            print()
            print_table(parts[game].facet_table(facet))
    for run, episodes in scored:
        if not episodes.is_empty():
            write_scores(run, episodes)
    if others:
        print()
        print_table(others([open_run(name) for name in chosen]))
    for name in unplayed:
        print_text(
            f"{name}: the controls were not played; groundling play … --controls adds them to the table", "  "
        )


def _ignore_scores(transcript: Transcript, scores: Scores) -> None:
    """The note for a run without a breakdown."""


def _count_episodes(folder: Run, episodes: pl.DataFrame) -> str:
    """Return a line that says how many of a run's episodes are played."""
    planned = folder.read_about()["episodes"]
    counts = {"played": 0, "aborted": 0, "errored": 0}
    if not episodes.is_empty():
        counts = {status: int((episodes["status"] == status).sum()) for status in counts}
    counts["missing"] = planned - sum(counts.values())
    unbroken = [f"{status}\xa0{count}" for status, count in counts.items()]
    return f"{folder.path}: planned {planned} = {' + '.join(unbroken)}"


def compare_runs(a: str, b: str) -> None:
    try:
        from groundling.report.comparison import compare_sides, comparison_table
    except ImportError:
        raise missing_extra("score") from None
    sides, games = [], []
    for name in (a, b):
        path, _, chosen = name.partition("@")
        folder = open_run(path)
        games.append(folder.read_about()["plan"]["game"])
        episodes = score_run(folder)
        if chosen and not episodes.is_empty():
            episodes = episodes.filter(episodes["set"] == chosen)
        if episodes.is_empty():
            raise Problem(
                f"nothing to compare in {name}: nothing was played{' of that set' if chosen else ''}"
            )
        sides.append(episodes)
    if games[0] != games[1]:
        raise Problem(f"{a} is a run of {games[0]}, {b} of {games[1]}: compare runs of one game")
    found, unpaired = compare_sides(load(find(games[0]).measures), *sides)
    print_table(comparison_table(a, b, found))
    if unpaired:
        print(f"{unpaired} episodes have no partner on the other side and are left out")


def show_run(name: str, episode: str, svg: str) -> None:
    folder = open_run(name)
    pack, game = folder.find_pack(), folder.make_game()
    if not episode:
        if svg:
            raise Problem(
                f"--svg is of one episode: groundling show {name} EPISODE --svg {svg}; "
                "without it, all are listed"
            )
        for transcript in folder.read_transcripts():
            print(_episode_line(transcript))
        return
    for transcript in folder.read_transcripts():
        if transcript.episode == episode:
            break
    else:
        raise Problem(f"{name} has no episode {episode!r}: groundling show {name} lists them")
    print(episode_text(pack, game, transcript), end="")
    if svg:
        Path(svg).mkdir(parents=True, exist_ok=True)
        for file, picture in episode_pictures(pack, game, transcript).items():
            (Path(svg) / file).write_text(picture, encoding="utf-8")
        print(f"pictures in {svg}")


def _episode_line(transcript: Transcript) -> str:
    result = transcript.result
    return f"{transcript.episode}  {transcript.status}" + (f"  {result.score:g}" if result else "")
