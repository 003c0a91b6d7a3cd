"""`groundling score`, `verify`, `compare` and `show`, the commands about finished runs."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundling.boards.picture import replace_unprintable
from groundling.core.events import LIMIT, Closed, Transcript
from groundling.core.pack import Pack
from groundling.core.values import Problem, missing_extra
from groundling.players import CONTROLS
from groundling.report.text_table import count_noun, print_table, print_text
from groundling.runs.run import find_run_episode, open_run
from groundling.runs.run_extent import extent_lines
from groundling.runs.sampling import check_set_names
from groundling.runs.scoring import (
    count_scoring_statuses,
    describe_scoring_counts,
    score_run,
    score_with_controls,
    scoring_status,
)
from groundling.runs.scoring_table import (
    borrowed_words_lines,
    choose_table_sets,
    count_outcomes,
    count_statuses,
    join_scoring_tables,
    scan_scoring_table,
    scored_strata,
    write_scoring_table,
)
from groundling.runs.stored_run import Run

if TYPE_CHECKING:
    import polars as pl


def open_read_run(name: str, game: str) -> Run:
    """Open a run, and warn if the code of its game has changed."""
    run = open_run(name, game)
    if warning := run.changed_code():
        print(f"warning: {warning}", file=sys.stderr)
    return run


def score_runs(
    names: list[str],
    manner: str = "",
    by: Sequence[str] = (),
    game: str = "",
    *,
    all_measures: bool = False,
    sets: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> None:
    try:
        from groundling.report.breakdown import Breakdown
        from groundling.report.cost_table import cost_table
        from groundling.report.external_tables import find_external_tables
        from groundling.report.score_table import score_table
        from groundling.report.variance import variance_lines
    except ImportError:
        raise missing_extra("score") from None
    joined_labels = _read_labels(labels)
    tables: dict[str, list[pl.LazyFrame]] = {}
    packs: dict[str, Pack] = {}
    parts: dict[str, Breakdown] = {}
    scored: list[tuple[Run, bytes]] = []
    unplayed: list[str] = []
    counts: list[str] = []
    chosen = {Path(name).resolve(): name for name in reversed(names)}.values()
    others = (
        find_external_tables(manner, [open_run(name, game).find_pack() for name in chosen])
        if manner
        else None
    )
    for name in chosen:
        folder = open_read_run(name, game)
        pack = folder.find_pack()
        packs.setdefault(pack.name, pack)
        part = parts.setdefault(pack.name, Breakdown(pack, joined_labels))
        about = folder.read_about()
        part.run, part.sets = name, sets
        part.whole[name] = about["plan"].get("strata", {})
        runs = list(score_with_controls(folder, part.note_episode if by else None))
        for _, run, content in runs:
            episodes = scan_scoring_table(content)
            counts += _count_episodes(run, episodes)
            counts += [f"{run.path}: {line}" for line in _describe_extent(run, episodes)]
            scored.append((run, content))
            tables.setdefault(pack.name, []).append(episodes)
        told = about["plan"].get("seats", {})
        # controls cannot be added to runs that were not played by groundling
        ours = folder.path.is_dir() and pack.speaker in told
        unplayed += [name] if ours and len(runs) <= len(CONTROLS) else []
    for facet in by:
        for part in parts.values():
            part.check_facet(facet)
    joined = {name: choose_table_sets(join_scoring_tables(found), sets) for name, found in tables.items()}
    for line in counts:
        print_text(line, "  ")
    for played, episodes in joined.items():
        if not episodes.collect_schema():
            raise Problem(
                f"nothing has been played yet in {', '.join(names)}: run the groundling play command again"
            )
        print()
        print_table(score_table(packs[played], episodes, all_measures=all_measures))
        for line in variance_lines(packs[played], episodes):
            print_text(line, "  ")
        if costs := cost_table(packs[played], episodes):
            print()
            print_table(costs)
        for facet in by:
            print()
            print_table(parts[played].facet_table(facet))
    if others:
        for table in others([open_run(name, game) for name in chosen]):
            print()
            print_table(table)
    for name in unplayed:
        print_text(
            f"{name}: the controls were not played; groundling play … --controls adds them to the table", "  "
        )
    for run, content in scored:
        try:
            if content:
                write_scoring_table(run, content)
        except OSError as trouble:
            if trouble.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            # somebody else's run can be scored too
            print(f"warning: {run.scores_path} was not written ({trouble.strerror})", file=sys.stderr)


def _count_episodes(folder: Run, episodes: pl.LazyFrame) -> list[str]:
    """Return lines that say how many of a run's episodes are played, and which are damaged."""
    statuses = count_statuses(count_outcomes(episodes))
    counts = count_scoring_statuses(statuses, folder.read_about()["episodes"])
    told = _unbroken_counts(describe_scoring_counts(counts))
    return [f"{folder.path}: {told}", *_name_damaged(folder, episodes)]


def _unbroken_counts(text: str) -> str:
    """Put no-break spaces before numbers, so that "missing 0" stays on one line."""
    return re.sub(r" (?=\d)", "\xa0", text)


def _describe_extent(folder: Run, episodes: pl.DataFrame | pl.LazyFrame) -> Iterator[str]:
    yield from extent_lines(folder.read_about(), scored_strata(count_outcomes(episodes)))
    yield from borrowed_words_lines(episodes)


def _name_damaged(folder: Run, episodes: pl.DataFrame | pl.LazyFrame) -> list[str]:
    """Name the episodes that have no scores because their logs contradict themselves."""
    import polars as pl

    if "damage" not in episodes.collect_schema():
        return []
    found = episodes.lazy().filter(pl.col("status") == "damaged").select("episode").collect()
    damaged = found["episode"].to_list()
    return [
        f"{folder.path}: left out, as their logs contradict themselves: {', '.join(damaged)}; "
        f"groundling verify {folder.path} says why"
    ]


def verify_runs(names: Sequence[str], game: str = "") -> bool:
    """Print what is off in runs, or in all runs of a folder; return whether nothing is."""
    from groundling.runs.verify import find_runs, verify_run

    if archives := [name for name in names if Path(name).suffix == ".tar"]:
        from groundling.cli.publish import verify_archives

        rest = [name for name in names if name not in archives]
        return verify_archives(archives, game) & (not rest or verify_runs(rest, game))
    # runs by path: a folder may also be named with one of its runs
    runs = {run.path.resolve(): run for name in names for run in find_runs(Path(name), game)}.values()
    found = []
    for run in runs:
        found.append(checked := verify_run(run))
        for finding in checked.findings:
            print(replace_unprintable(str(finding)))
        for note in checked.notes:
            print_text(f"{run.path}: note: {note}", "  ")
        print_text(_unbroken_counts(str(checked)), "  ")
    problems = sum(len(checked.findings) for checked in found)
    if len(found) > 1:
        broken = sum(bool(checked.findings) for checked in found)
        told = f"{count_noun(problems, 'problem')} in {broken} of them" if broken else "no problems"
        print(f"{len(found)} runs: {told}")
    return not problems


def compare_runs(a: str, b: str, game: str = "", sets: Sequence[str] = ()) -> None:
    try:
        from groundling.report.comparison import compare_run_sides, comparison_table, read_comparison_side
    except ImportError:
        raise missing_extra("score") from None
    sides = []
    for name in (a, b):
        side = read_comparison_side(name, lambda path: open_read_run(path, game), sets)
        path = name.partition("@")[0]
        told = [f"{path}: {line}" for line in _describe_extent(side.run, side.played)]
        for line in [*told, *_name_damaged(side.run, side.played)]:
            print_text(line, "  ")
        sides.append(side)
    found, unpaired = compare_run_sides(*sides)
    print_table(comparison_table(a, b, found))
    if unpaired:
        print(f"{unpaired} episodes have no partner on the other side and are left out")


def _read_labels(given: Sequence[str]) -> dict[str, dict[str, str]]:
    """The labels of items in files that are given as NAME=FILE, by name."""
    from groundling.scores.label_file import read_item_labels

    found = {}
    for text in given:
        name, _, file = text.partition("=")
        if not name or not file:
            raise Problem(f"--labels {text} is not NAME=FILE: write it as in --labels level=labels.csv")
        if not Path(file).is_file():
            raise Problem(f"--labels {text}: {file} does not exist: name a table of labels")
        found[name] = read_item_labels(file, Path(file).read_bytes())
    return found


def compare_over(
    names: Sequence[str],
    facet: str,
    adjust: Sequence[str],
    game: str = "",
    sets: Sequence[str] = (),
    labels: Sequence[str] = (),
) -> None:
    """Print how the scores of runs depend on a facet of turns or episodes."""
    try:
        from groundling.report.breakdown import Breakdown
        from groundling.report.label_comparison import label_comparison_tables
    except ImportError:
        raise missing_extra("score") from None
    chosen = [open_read_run(name, game) for name in dict.fromkeys(names)]
    packs = {run.find_pack().name: run.find_pack() for run in chosen}
    if len(packs) > 1:
        raise Problem(f"these are runs of {' and '.join(packs)}: compare runs of one game")
    (pack,) = packs.values()
    parts = Breakdown(pack, _read_labels(labels))
    parts.sets = sets
    for run in chosen:
        parts.run = str(run.path)
        check_set_names(sets, {transcript.opened.instance.set for transcript in run.read_transcripts()})
        for line in _name_damaged(run, score_run(run, "", parts.note_episode)):
            print_text(line, "  ")
    for number, table in enumerate(label_comparison_tables(parts, pack, facet, adjust)):
        print("\n" * (number > 0), end="")
        print_table(table)


def show_run(
    name: str, episode: str, svg: str, game: str = "", prompts: bool = False, sets: Sequence[str] = ()
) -> None:
    from groundling.report.conversation import conversation_text
    from groundling.report.episode import episode_pictures, episode_text

    folder = open_read_run(name, game)
    pack, rules = folder.find_pack(), folder.make_game()
    if not episode:
        option = f"--svg {svg}" if svg else "--prompts" if prompts else ""
        if option:
            raise Problem(
                f"{option.split()[0]} needs an episode: groundling show {name} EPISODE {option}; "
                "without it, all are listed"
            )
        statuses = []
        transcripts = list(folder.read_transcripts())
        check_set_names(sets, {transcript.opened.instance.set for transcript in transcripts})
        for transcript in transcripts:
            status, damage = scoring_status(rules, transcript)
            if not sets or transcript.opened.instance.set in sets:
                print(_episode_line(transcript, status, damage))
            statuses.append(status)
        print(describe_scoring_counts(count_scoring_statuses(statuses, folder.read_about()["episodes"])))
        return
    transcript = find_run_episode(folder, name, episode)
    if svg:
        Path(svg).mkdir(parents=True, exist_ok=True)
    text = conversation_text if prompts else episode_text
    print(text(pack, rules, transcript), end="")
    if damage := scoring_status(rules, transcript)[1]:
        print(f"[damaged: {replace_unprintable(damage)}]")
    if svg:
        for file, picture in episode_pictures(pack, rules, transcript).items():
            (Path(svg) / file).write_text(picture, encoding="utf-8")
        print(f"pictures in {svg}")


def _episode_line(transcript: Transcript, status: str, damage: str) -> str:
    last = transcript.events[-1]
    if damage:
        told = f"damaged: {replace_unprintable(damage)}"
    elif isinstance(last, Closed):
        reason = f"{status}: {last.reason.removeprefix(LIMIT)}"
        told = reason if last.result is None else f"played  {last.result.score:g}"
    else:
        told = status
    return f"{transcript.episode}  {told}"
