"""The published CoDraw dialogs: what is in them, how they are read, split and counted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.core.source import Source
from groundling.games.codraw.recorded.reading import SPLITS, files_of, records


def parts(path: Path) -> Sequence[str]:
    """The splits that are there."""
    if not files_of(path):
        return []
    found = {record.split for record in records(path)}
    return [split for split in SPLITS if split in found]


source = Source(
    name="codraw",
    about="people who draw a park scene from what their partner tells them (CoDraw 1.0)",
    parts=parts,
    read=f"{__package__}.recorded.transcripts:read",
    stats=f"{__package__}.recorded.stats:stats",
    plots=f"{__package__}.recorded.figures:plots",
    recipe=f"{__package__}.recorded.splits:SplitRecipe",
    split=f"{__package__}.recorded.splits:split",
)
