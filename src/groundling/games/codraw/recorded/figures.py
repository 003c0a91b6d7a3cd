"""The paper's figures 5 to 7, drawn from the given dialogs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from groundling.boards.plot import Mark, chart
from groundling.games.codraw.batches import similarities
from groundling.games.codraw.recorded.corpus import pack_records
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.reading import records
from groundling.games.codraw.recorded.stats import BIN, ROUNDS, by_round, distribution, lengths

TOKENS = 37


def plots(path: Path) -> dict[str, str]:
    """Return the SVGs by name."""
    rows = records(path)
    found = pack_records(rows, WHOLE)
    teller, drawer = lengths(found.teller), lengths(found.drawer)
    scores = similarities(found.targets, found.finals)
    edges, counts = distribution(scores)
    curve = by_round(found)
    rounds = range(1, ROUNDS + 1)
    drawn = {
        "tokens": chart(
            "Messages by tokens",
            range(1, TOKENS + 1),
            {"Teller": teller.histogram(TOKENS).tolist(), "Drawer": drawer.histogram(TOKENS).tolist()},
            along="tokens of a message",
            up="messages",
            most=10_000 if max(drawer.histogram(TOKENS)) > 10_000 else None,
            marks=[
                Mark(teller.median, f"median {teller.median:g}"),
                Mark(drawer.median, f"median {drawer.median:g}", 1),
            ],
        ),
        "rounds": chart(
            "Dialogs by rounds",
            rounds,
            {"": np.bincount(np.minimum(found.lengths, ROUNDS), minlength=ROUNDS + 1)[1:].tolist()},
            along="rounds",
            up="dialogs",
            marks=[Mark(float(np.median(found.lengths)), f"median {np.median(found.lengths):g}")],
        ),
        "similarity": chart(
            "Dialogs by similarity at the end",
            [edge + BIN / 2 for edge in edges],
            {"": counts.tolist()},
            along="scene similarity",
            up="dialogs",
            marks=[Mark(float(np.median(scores)), f"median {np.median(scores):.2f}")],
        ),
        "by-round-reached": chart(
            "Similarity by round, of dialogs that reached it",
            rounds,
            {"": curve.only.tolist()},
            along="round",
            up="scene similarity",
            kind="lines",
            most=5,
        ),
        "by-round-padded": chart(
            "Similarity by round, of all, padded to 35 rounds",
            rounds,
            {"": curve.padded.tolist()},
            along="round",
            up="scene similarity",
            kind="lines",
            most=5,
        ),
    }
    minutes = [row.seconds / 60 for row in rows if row.seconds is not None]
    if minutes:
        whole = range(1, int(max(minutes)) + 2)
        drawn["minutes"] = chart(
            "Dialogs by duration",
            whole,
            {"": np.bincount(np.array(minutes, int), minlength=len(whole)).tolist()},
            along="minutes",
            up="dialogs",
            marks=[Mark(float(np.median(minutes)), f"median {np.median(minutes):.1f}")],
        )
    return drawn
