"""The source of the published CoDraw dialogs: reading, splitting, statistics and plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.core.source import Source
from groundling.games.codraw.recorded.dialog_files import SPLITS, find_dialog_files, load_records


def list_splits(path: Path) -> Sequence[str]:
    """Return the splits that the data holds."""
    if not find_dialog_files(path):
        return []
    found = {record.split for record in load_records(path)}
    return [split for split in SPLITS if split in found]


source = Source(
    name="codraw",
    about="people who draw a park scene from what their partner tells them (CoDraw 1.0)",
    parts=list_splits,
    read="groundling.games.codraw.recorded.transcripts:read_collections",
    stats="groundling.games.codraw.recorded.stats:stats_lines",
    plots="groundling.games.codraw.recorded.figures:draw_plots",
    recipe="groundling.games.codraw.recorded.splits:CodrawSplitRecipe",
    split="groundling.games.codraw.recorded.splits:split_dialogs",
)
