"""The paper's figures 5 to 7, drawn from the given dialogs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from groundling.boards.plot import AxisMark, PlotTrack, draw_bars, plot_document, plot_tracks
from groundling.games.codraw.batch_similarity import batch_similarities
from groundling.games.codraw.recorded.corpus import pack_corpus_records
from groundling.games.codraw.recorded.dialog_files import load_dialog_files
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.stats import (
    BIN,
    ROUNDS,
    message_length_stats,
    score_distribution_stats,
    similarity_stats_by_round,
)

TOKENS = 37


def draw_paper_figures(path: Path) -> dict[str, str]:
    """Return the SVGs by name."""
    rows = load_dialog_files(path)
    found = pack_corpus_records(rows, WHOLE)
    teller, drawer = message_length_stats(found.teller), message_length_stats(found.drawer)
    scores = batch_similarities(found.targets, found.final_canvases)
    edges, counts = score_distribution_stats(scores)
    curve = similarity_stats_by_round(found)
    rounds = range(1, ROUNDS + 1)
    drawn = {
        "tokens": plot_document(
            "Messages by tokens",
            draw_bars(
                range(1, TOKENS + 1),
                {
                    "Teller": teller.length_histogram(TOKENS).tolist(),
                    "Drawer": drawer.length_histogram(TOKENS).tolist(),
                },
                along="tokens of a message",
                up="messages",
                most=10_000 if max(drawer.length_histogram(TOKENS)) > 10_000 else None,
                marks=[
                    AxisMark(teller.median_length, f"median {teller.median_length:g}"),
                    AxisMark(drawer.median_length, f"median {drawer.median_length:g}", 1),
                ],
            ),
        ),
        "rounds": plot_document(
            "Dialogs by rounds",
            draw_bars(
                rounds,
                {"": np.bincount(np.minimum(found.round_counts, ROUNDS), minlength=ROUNDS + 1)[1:].tolist()},
                along="rounds",
                up="dialogs",
                marks=[
                    AxisMark(
                        float(np.median(found.round_counts)), f"median {np.median(found.round_counts):g}"
                    )
                ],
            ),
        ),
        "similarity": plot_document(
            "Dialogs by similarity at the end",
            draw_bars(
                [edge + BIN / 2 for edge in edges],
                {"": counts.tolist()},
                along="scene similarity",
                up="dialogs",
                marks=[AxisMark(float(np.median(scores)), f"median {np.median(scores):.2f}")],
            ),
        ),
        "by-round-reached": plot_tracks(
            "Similarity by round, of dialogs that reached it",
            [PlotTrack("", list(zip(rounds, curve.only.tolist(), strict=True)))],
            along="round",
            up="scene similarity",
            bounds=(0, 5),
        ),
        "by-round-padded": plot_tracks(
            "Similarity by round, of all, padded to 35 rounds",
            [PlotTrack("", list(zip(rounds, curve.padded.tolist(), strict=True)))],
            along="round",
            up="scene similarity",
            bounds=(0, 5),
        ),
    }
    minutes = [row.seconds / 60 for row in rows if row.seconds is not None]
    if minutes:
        whole = range(1, int(max(minutes)) + 2)
        drawn["minutes"] = plot_document(
            "Dialogs by duration",
            draw_bars(
                whole,
                {"": np.bincount(np.array(minutes, int), minlength=len(whole)).tolist()},
                along="minutes",
                up="dialogs",
                marks=[AxisMark(float(np.median(minutes)), f"median {np.median(minutes):.1f}")],
            ),
        )
    return drawn
