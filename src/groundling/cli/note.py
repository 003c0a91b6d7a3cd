"""`groundling note` keeps notes on steps of episodes, lists and exports them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import msgspec
from typer import Argument, Option

from groundling.cli.options import GameOption
from groundling.core.values import Problem
from groundling.csv_cells import format_csv_row
from groundling.files import write_output
from groundling.report.replay_data import Replayer
from groundling.report.text_table import count_noun
from groundling.runs.run import open_run
from groundling.runs.step_notes import StepNote, add_note, notes_path, read_notes
from groundling.runs.stored_run import Run


def note_command(
    run: Annotated[str, Argument(metavar="DIR", help="A run.")],
    episode: Annotated[str, Argument(help="The episode; default: list all notes.")] = "",
    step: Annotated[
        int | None, Argument(help="The step, as replays and reports number it.", metavar="STEP")
    ] = None,
    text: Annotated[str, Argument(help="The note.", metavar="TEXT")] = "",
    out: Annotated[
        Path | None, Option("-o", "--out", help="Write all notes of the run as a CSV file.")
    ] = None,
    game: GameOption = "",
) -> None:
    """Keep a note on a step, in a file beside the run.

    Reports show notes and filter by them."""
    noted = open_run(run, game)
    noted.read_about()  # raises if it is not a run
    if episode:
        _note_step(noted, run, episode, step, text)
    if out or not episode:
        _list_notes(noted, run, out)


def _note_step(run: Run, name: str, episode: str, step: int | None, text: str) -> None:
    if step is None or not text.strip():
        raise Problem(f"a note needs a step and a text: groundling note {name} {episode} STEP TEXT")
    transcript = next((one for one in run.read_transcripts() if one.episode == episode), None)
    if transcript is None:
        raise Problem(f"{name} has no episode {episode!r}: groundling show {name} lists them")
    last = len(Replayer(run.find_pack(), run.make_game()).replay_episode(transcript)["steps"]) - 1
    if not 0 <= step <= last:
        raise Problem(f"{episode} has no step {step}: choose from 0 to {last}, as reports number them")
    add_note(run, StepNote(episode, step, text.strip(), datetime.now(UTC).isoformat(timespec="seconds")))
    print(f"{notes_path(run)}: {count_noun(len(read_notes(run)), 'note')}")


def _list_notes(run: Run, name: str, out: Path | None) -> None:
    notes = read_notes(run)
    for note in notes:
        print(f"{note.episode}  step {note.step}  {note.text}")
    if not notes:
        print(f"{name} has no notes: groundling note {name} EPISODE STEP TEXT adds one")
    if out:
        rows = [(run.path.name, *msgspec.structs.astuple(note)) for note in notes]
        lines = [("run", *StepNote.__struct_fields__), *rows]
        write_output(out, b"".join(map(format_csv_row, lines)))
        print(f"{out}: {count_noun(len(notes), 'note')}")
