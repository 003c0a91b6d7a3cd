"""The source of the published CoDraw dialogs: reading, splitting, statistics and plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.core.source import DataTerms, Source
from groundling.games.codraw.recorded.dialog_files import SPLITS, find_dialog_files, load_dialog_files


def list_codraw_splits(path: Path) -> Sequence[str]:
    """Return the splits that the data holds."""
    if not find_dialog_files(path):
        return []
    found = {record.split for record in load_dialog_files(path)}
    return [split for split in SPLITS if split in found]


source = Source(
    name="codraw",
    about="people who draw a park scene from what their partner tells them (CoDraw 1.0)",
    terms=DataTerms(
        licence="CC-BY-NC-4.0",
        shared=True,
        cite="Kim et al. 2019, CoDraw: Collaborative Drawing as a Testbed for Grounded Goal-driven "
        "Communication, arXiv:1712.05558",
    ),
    parts=list_codraw_splits,
    read="groundling.games.codraw.recorded.transcripts:read_recorded_transcripts",
    collect="groundling.games.codraw.collected:collect_codraw_data",
    stats="groundling.games.codraw.recorded.stats:codraw_stats_lines",
    plots="groundling.games.codraw.recorded.figures:draw_paper_figures",
    recipe="groundling.games.codraw.recorded.splits:CodrawSplitRecipe",
    split="groundling.games.codraw.recorded.splits:split_dialogs",
)
