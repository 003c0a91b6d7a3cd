"""The source of the published CoDraw dialogs: reading, splitting, statistics and plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.core.source import Source
from groundling.games.codraw.recorded.reading import SPLITS, files_of, records


def parts(path: Path) -> Sequence[str]:
    """Return the splits that the data holds."""
    if not files_of(path):
        return []
    found = {record.split for record in records(path)}
    return [split for split in SPLITS if split in found]


source = Source(
    name="codraw",
    about="people who draw a park scene from what their partner tells them (CoDraw 1.0)",
    parts=parts,
    read="groundling.games.codraw.recorded.transcripts:read",
    stats="groundling.games.codraw.recorded.stats:stats",
    plots="groundling.games.codraw.recorded.figures:plots",
    recipe="groundling.games.codraw.recorded.splits:SplitRecipe",
    split="groundling.games.codraw.recorded.splits:split",
)
