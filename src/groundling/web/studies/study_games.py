"""Export the games of a study as runs, one for each stage and condition."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from urllib.parse import quote

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import find, load
from groundling.core.source import CollectedData, CollectedGame, find_source, installed_sources
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.runs.run_folder import RunFolder
from groundling.studies.study_state import StudyState
from groundling.studies.study_tables import GameRow
from groundling.web.erasure import UnreadableRoom
from groundling.web.export import read_exported_transcript
from groundling.web.store_url import open_archive_url, store_url_name
from groundling.web.studies.task_room_names import TaskRoom, list_task_rooms

GAMES_FOLDER = "games"


class StudyGame(Struct, frozen=True):
    row: GameRow
    game: str
    transcript: Transcript
    room: TaskRoom
    incomplete: bool = False
    """Whether it ended early, so that its task does not count; not where somebody was excluded."""


def read_study_games(db: str, study: str, state: StudyState) -> tuple[list[StudyGame], int]:
    """The games of a study that have begun, and how many cannot be read because another version wrote them.
    Games with an erased seat are left out."""
    rooms = {room.name: room for task in state.tasks for room in list_task_rooms(study, state, task)}
    games: list[StudyGame] = []
    unreadable = 0
    for booking, records in open_archive_url(db).read_rooms() if rooms else ():
        if (room := rooms.get(booking.id)) is None:
            continue
        try:
            transcript = read_exported_transcript(find(booking.game), records)
        except (UnreadableRoom, msgspec.MsgspecError):
            unreadable += 1
        else:
            if transcript is not None:
                incomplete = _ended_early(state, room)
                games.append(StudyGame(_make_row(state, room), booking.game, transcript, room, incomplete))
    return games, unreadable


def _ended_early(state: StudyState, room: TaskRoom) -> bool:
    task = state.tasks[room.assigned.task]
    people = [state.people[name] for name in room.assigned.seats.values()]
    used = not any(person.outcome == "excluded" or person.erased for person in people)
    return task.failed and not task.open and used


def _make_row(state: StudyState, room: TaskRoom) -> GameRow:
    assigned = room.assigned
    parts = (GAMES_FOLDER, assigned.stage, *filter(None, [assigned.condition]))
    folder = "/".join(quote(part, safe="").replace(".", "%2E") for part in parts)
    return GameRow(
        episode=room.name,
        run=folder if state.tasks[assigned.task].counted else "",
        task=assigned.task,
        stage=assigned.stage,
        item=room.item,
        condition=assigned.condition,
        machine=assigned.machine or room.stage.has_program_in(assigned.condition),
    )


def write_published_data(games: list[StudyGame], out: Path) -> Iterator[str]:
    """Write the games that count in the format of their game's published data. Yields a line for each file,
    and one on what was written."""
    counted = [game for game in games if game.row.run or game.incomplete]
    names = sorted({game.game for game in counted})
    if len(names) != 1:
        found = f"games of {' and '.join(names)}" if names else "no games that count"
        raise Problem(f"the study has {found}: only the games of one game can be published together")
    source = find_source(names[0]) if names[0] in installed_sources() else None
    if source is None or source.collect is None:
        raise Problem(f"games of {names[0]} have no published format: leave out --format published")
    written: CollectedData = load(source.collect)(
        [
            CollectedGame(
                transcript=game.transcript,
                round=game.room.stage.round,
                people=game.room.assigned.seats,
                continues=game.room.source_room,
                complete=bool(game.row.run),
            )
            for game in counted
        ]
    )
    if not written.files:
        raise Problem("no game of the study belongs to a round: give its stages a round")
    yield from write_data_files(written, out)


def write_data_files(written: CollectedData, out: Path) -> Iterator[str]:
    if other := next((each for each in sorted(out.glob("*.jsonl")) if each.name not in written.files), None):
        raise Problem(f"{other} is not part of this data: remove it, or choose another folder")
    for name, content in written.files.items():
        write_whole_file(out / name, content)
        yield str(out / name)
    yield written.about


def write_study_runs(db: str, study: str, games: list[StudyGame], out: Path) -> Iterator[str]:
    """Write the games that count as runs, in place of an earlier call's. Yields a line for each run."""
    source = f"study {study}, {PurePath(store_url_name(db)).name}"
    by_run: dict[str, list[StudyGame]] = {}
    for game in games:
        if game.row.run:
            by_run.setdefault(game.row.run, []).append(game)
    for about in sorted((out / GAMES_FOLDER).rglob("run.toml")):
        with suppress(Problem):  # never remove a run that cannot be read
            if (
                str(about.parent.relative_to(out)) not in by_run
                and RunFolder(about.parent).read_about().get("source") == source
            ):
                shutil.rmtree(about.parent)
                yield f"{about.parent}: removed, as none of its games counts any more"
    for name, found in by_run.items():
        run = RunFolder(out / name)
        count = run.write_transcripts(find(found[0].game), [game.transcript for game in found], source)
        yield f"{run.path}: {count} {'game' if count == 1 else 'games'}"
