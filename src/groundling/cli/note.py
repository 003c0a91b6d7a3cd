"""`groundling note` keeps notes on steps of episodes, lists and exports them."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import msgspec

from groundling.core.values import Problem
from groundling.files import write_output
from groundling.report.replay_data import Replayer
from groundling.report.text_table import count_noun
from groundling.runs.run import open_run
from groundling.runs.step_notes import StepNote, add_note, notes_path, read_notes
from groundling.runs.stored_run import Run


def note_step(name: str, episode: str, step: int | None, text: str, game: str = "") -> None:
    run = _open_noted_run(name, game)
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


def list_notes(name: str, out: Path | None, game: str = "") -> None:
    run = _open_noted_run(name, game)
    notes = read_notes(run)
    for note in notes:
        print(f"{note.episode}  step {note.step}  {note.text}")
    if not notes:
        print(f"{name} has no notes: groundling note {name} EPISODE STEP TEXT adds one")
    if out:
        write_output(out, _notes_as_csv(run, notes))
        print(f"{out}: {count_noun(len(notes), 'note')}")


def _open_noted_run(name: str, game: str) -> Run:
    run = open_run(name, game)
    run.read_about()  # raises if it is not a run
    return run


def _notes_as_csv(run: Run, notes: list[StepNote]) -> bytes:
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["run", *StepNote.__struct_fields__])
    rows.writerows([run.path.name, *msgspec.structs.astuple(note)] for note in notes)
    return text.getvalue().encode()
