"""Notes on steps of episodes, in a file beside the log: one JSON object a line, only ever appended to."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.values import Problem
from groundling.runs.stored_run import Run

NOTES_FILE = "notes.jsonl"
NOTED = {"note": "with a note"}
"""The label of episodes with notes."""


class StepNote(Struct, frozen=True):
    episode: str
    step: int
    """The number of the step in replays and reports, from 0."""
    text: str
    time: str = ""


def notes_path(run: Run) -> Path:
    return run.path / NOTES_FILE if run.path.is_dir() else run.path.with_name(f"{run.path.name}.notes.jsonl")


def add_note(run: Run, note: StepNote) -> None:
    with notes_path(run).open("ab") as file:
        file.write(msgspec.json.encode(note) + b"\n")
        file.flush()
        os.fsync(file.fileno())


def read_notes(run: Run) -> list[StepNote]:
    path = notes_path(run)
    if not path.is_file():
        return []
    decode = msgspec.json.Decoder(StepNote).decode
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            found += [decode(line)] if line.strip() else []
        except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
            raise Problem(f"{path}:{number} is not a note ({trouble}): fix or remove the line") from None
    return found


def notes_by_episode(run: Run) -> dict[str, list[StepNote]]:
    found: dict[str, list[StepNote]] = {}
    for note in read_notes(run):
        found.setdefault(note.episode, []).append(note)
    return found
