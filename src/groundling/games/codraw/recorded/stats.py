"""The paper's section 3.2 and appendix B recomputed, next to the published figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import isnan, nan
from pathlib import Path
from statistics import mean, median

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from groundling.boards.plot import text_plot_bar
from groundling.boards.scene.batches import LOOK, unpack_scene_batch
from groundling.games.codraw.batch_similarity import Floats, batch_components, batch_similarities
from groundling.games.codraw.recorded.corpus import DialogCorpus, pack_corpus_records
from groundling.games.codraw.recorded.dialog_files import (
    DialogRecord,
    dialog_files_verdict,
    load_dialog_files,
    load_incomplete_dialogs,
)
from groundling.games.codraw.recorded.dialogs import WHOLE, dialog_scene_prompt
from groundling.games.codraw.scene_generation.scene_statistics import (
    compare_scene_statistics,
    make_statistics_scenes,
)
from groundling.games.codraw.text_table import TextRow, format_text_table
from groundling.scores.intervals import Estimate, estimate_mean

ROUNDS = 35
"""The length of the longest dialog of the release; the right panel of Fig. 7 pads shorter ones to it."""
BIN = 0.2
"""The bin width of the score distribution in Fig. 6."""
BUSIEST = 5
"""The people whose share of all dialogs the paper tells."""
UNKNOWN = "not in this data"


class MessageLengths(Struct, frozen=True):
    """The numbers of tokens of the messages of one seat, without empty messages."""

    counts: NDArray[np.int64]

    @property
    def median_length(self) -> float:
        return float(np.median(self.counts)) if len(self.counts) else nan

    @property
    def single_token_count(self) -> int:
        return int((self.counts == 1).sum())

    @property
    def max_length(self) -> int:
        return int(self.counts.max(initial=0))

    def length_histogram(self, upto: int) -> NDArray[np.int64]:
        """Count the messages of 1, 2, 3… tokens."""
        return np.bincount(np.minimum(self.counts, upto), minlength=upto + 1)[1:]


class SimilarityByRound(Struct, frozen=True):
    """Fig. 7: the mean similarity after each round."""

    reached: list[int]
    """The number of dialogs that have the round."""
    only: Floats
    """The mean over these dialogs."""
    padded: Floats
    """The mean over all dialogs, where finished ones keep their last similarity."""


def message_length_stats(messages: Iterable[str]) -> MessageLengths:
    """Count tokens: the release is tokenised with blanks between tokens."""
    return MessageLengths(np.array([n for message in messages if (n := len(message.split()))], np.int64))


def similarity_stats_by_round(found: DialogCorpus, rounds: int = ROUNDS) -> SimilarityByRound:
    scores = batch_similarities(found.targets[found.dialog_numbers], found.canvases)
    table = np.full((len(found), max(rounds, int(found.round_counts.max(initial=0)))), np.nan)
    place = np.arange(len(scores)) - found.starts[found.dialog_numbers]
    table[found.dialog_numbers, place] = scores
    known = ~np.isnan(table)
    reached = known.sum(0)
    only = np.where(reached > 0, np.where(known, table, 0).sum(0) / np.maximum(reached, 1), np.nan)
    last = np.maximum(found.round_counts - 1, 0)
    padded = np.where(known, table, table[np.arange(len(found)), last][:, None])
    return SimilarityByRound(
        reached.tolist()[:rounds], only[:rounds], np.nanmean(padded, axis=0)[:rounds] if len(found) else only
    )


def codraw_stats_lines(path: Path) -> Iterator[str]:
    """Yield the lines of all tables."""
    rows = load_dialog_files(path)
    found = pack_corpus_records(rows, WHOLE)
    yield f"CoDraw dialogs of {path}"
    yield ""
    yield from format_text_table(("split", "dialogs", "checksum"), _split_rows(rows))
    yield ""
    yield from format_text_table(("", "here", "in the paper"), _dialog_rows(rows, found))
    yield ""
    yield "Participants (appendix A.2)"
    incomplete = load_incomplete_dialogs(path)
    yield from format_text_table(("", "here", "in the paper"), participant_rows(rows, incomplete))
    yield ""
    yield "Human similarity (0 to 5), with 95 % intervals that keep scenes of one prompt together"
    yield from format_text_table(
        ("split", "n", "at the end", "before the peek", "median", "in the paper"), _similarity_rows(found)
    )
    yield ""
    yield "What it is made of, at the end: the share of kinds in common, then points lost"
    yield from format_text_table(
        ("split", "kinds", "flip", "size", "pose", "expression", "distance", "order"), _component_rows(found)
    )
    yield from _histogram_lines(found)
    yield from _progress_lines(found)
    yield ""
    yield from compare_scene_statistics(unpack_scene_batch(found.targets), make_statistics_scenes())


def _split_rows(rows: Sequence[DialogRecord]) -> Iterator[TextRow]:
    for name in ("train", "val", "test"):
        mine = [row for row in rows if row.split == name]
        yield (name, f"{len(mine):,}", dialog_files_verdict(name, mine)) if mine else (name, "0", "not here")


def _dialog_rows(rows: Sequence[DialogRecord], found: DialogCorpus) -> Iterator[TextRow]:
    teller, drawer = message_length_stats(found.teller), message_length_stats(found.drawer)
    words = Counter(word for message in (*found.teller, *found.drawer) for word in message.split())
    said, replied = len(teller.counts), len(drawer.counts)
    pieces = (found.targets[:, LOOK] >= 0).sum(1)
    minutes = [row.seconds / 60 for row in rows if row.seconds is not None]
    yield "dialogs", f"{len(found):,}", "9,993"
    yield "messages", f"{said + replied:,}", "138K"
    yield "  of the Teller", f"{said:,}", ""
    yield "  of the Drawer", f"{replied:,}", ""
    yield (
        "tokens of a Teller message",
        f"median {teller.median_length:g}, at most {teller.max_length}",
        "median 16 (Fig. 5a)",
    )
    yield (
        "tokens of a Drawer message",
        f"median {drawer.median_length:g}, at most {drawer.max_length}",
        "median 1 (Fig. 5a)",
    )
    yield (
        "Drawer messages of one token",
        f"{drawer.single_token_count:,} ({_format_share(drawer.single_token_count, replied)})",
        "41,195 (62.06 %)",
    )
    yield "vocabulary", f"{len(words):,}", "4,555"
    yield "  found once", f"{sum(n == 1 for n in words.values()):,}", ""
    yield "rounds", _format_spread(found.round_counts.tolist()), "median 7 (Fig. 5b)"
    yield (
        "dialogs with a peek",
        f"{int(found.peeks.sum()):,} ({_format_share(int(found.peeks.sum()), len(found))})",
        "",
    )
    yield "pieces of a scene", _format_spread(pieces.tolist()), "mean 6.67, 6 to 17"
    yield (
        "  scenes of 6 pieces",
        f"{int((pieces == 6).sum()):,} ({_format_share(int((pieces == 6).sum()), len(found))})",
        "most",
    )
    yield "minutes", _format_spread(minutes) if minutes else UNKNOWN, "median 6 (Fig. 5c)"


def participant_rows(rows: Sequence[DialogRecord], incomplete: Sequence[DialogRecord]) -> Iterator[TextRow]:
    """How many people took part, how many left early, and how the work was shared. The release does not tell
    who played."""
    people = Counter(name for row in rows for name in row.players or ())
    counts = sorted(people.values(), reverse=True)
    busy, places = counts[:BUSIEST], sum(counts)
    sessions = [*rows, *incomplete]
    began = sum(len(row.players or ()) for row in sessions)
    left = sum(len(row.left) for row in sessions)
    figures = {
        "participants": (f"{len(people):,}", "616"),
        "sessions that ended early": (
            f"{len(incomplete):,} ({_format_share(len(incomplete), len(sessions))})",
            "left out",
        ),
        "people who left a session early": (f"{left:,} ({_format_share(left, began)})", "13.6 %"),
        "dialogs of the five busiest": (
            ", ".join(f"{count:,}" for count in busy),
            "1,419, 1,358, 1,112, 1,110, 1,068",
        ),
        "  their share of all seats": (_format_share(sum(busy), places), "26.63 % (its counts give 30.36 %)"),
        "dialogs of a person": (
            f"max {counts[0]:,}, median {median(counts):g}, min {counts[-1]:,}" if counts else "",
            "max 1,419, median 3, min 1",
        ),
    }
    for name, (here, published) in figures.items():
        yield name, here if people else UNKNOWN, published


def _similarity_rows(found: DialogCorpus) -> Iterator[TextRow]:
    end = batch_similarities(found.targets, found.final_canvases)
    unaided = batch_similarities(found.targets, found.unaided_canvases)
    groups = [dialog_scene_prompt(number) for number in found.numbers.tolist()]
    for name, mine in _split_masks(found):
        clusters = [group for group, here in zip(groups, mine, strict=True) if here]
        means = [
            _format_estimate(estimate_mean(scores[mine], clusters, low=0, high=5))
            for scores in (end, unaided)
        ]
        published = {"test": "4.17", "all": "4.17 on test, median 4.2 (Fig. 6)"}.get(name, "")
        yield name, f"{int(mine.sum()):,}", *means, f"{np.median(end[mine]):.2f}", published


def _component_rows(found: DialogCorpus) -> Iterator[TextRow]:
    arrays = batch_components(found.targets, found.final_canvases)
    for name, mine in _split_masks(found):
        yield name, *(f"{values[mine].mean():.4f}" for values in arrays.values())


def _split_masks(found: DialogCorpus) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield the splits in the data, and all together."""
    splits = found.split_names
    for name in ("train", "val", "test"):
        if (mine := splits == name).any():
            yield name, mine
    yield "all", np.ones(len(found), np.bool_)


def _histogram_lines(found: DialogCorpus) -> Iterator[str]:
    teller = message_length_stats(found.teller).length_histogram(39)
    drawer = message_length_stats(found.drawer).length_histogram(39)
    yield from _bar_lines("Fig. 5a: messages by tokens, Teller", _bin_labels(39, 3), _sum_bins(teller, 3))
    yield from _bar_lines("Fig. 5a: messages by tokens, Drawer", _bin_labels(39, 3), _sum_bins(drawer, 3))
    rounds = np.bincount(np.minimum(found.round_counts, ROUNDS), minlength=ROUNDS + 1)[1:]
    yield from _bar_lines("Fig. 5b: dialogs by rounds", [str(n) for n in range(1, ROUNDS + 1)], rounds)
    edges, counts = score_distribution_stats(batch_similarities(found.targets, found.final_canvases))
    yield from _bar_lines(
        "Fig. 6: dialogs by similarity at the end", [f"{a:.1f}–{a + BIN:.1f}" for a in edges], counts
    )


def score_distribution_stats(scores: Floats) -> tuple[list[float], NDArray[np.int64]]:
    """Return the bins' lower ends and the scores in each; the last bin includes the maximum."""
    bins = round(5 / BIN)
    counts = np.bincount(np.clip((scores / BIN + 1e-9).astype(int), 0, bins - 1), minlength=bins)
    return [round(number * BIN, 1) for number in range(bins)], counts


def _progress_lines(found: DialogCorpus) -> Iterator[str]:
    curve = similarity_stats_by_round(found)
    yield ""
    yield "Fig. 7: mean similarity by round: of dialogs that reached it; of all, padded to 35 rounds"
    rows = [
        (
            str(number),
            f"{reached:,}",
            _format_number(only),
            text_plot_bar(only, 5, 24),
            f"{padded:.3f}",
            text_plot_bar(padded, 5, 24),
        )
        for number, (reached, only, padded) in enumerate(
            zip(curve.reached, curve.only, curve.padded, strict=True), 1
        )
    ]
    yield from format_text_table(("round", "reached", "only", "", "padded", ""), rows)


def _bar_lines(title: str, labels: Sequence[str], counts: NDArray[np.int64]) -> Iterator[str]:
    yield ""
    yield title
    most = int(counts.max(initial=0))
    yield from format_text_table(
        ("", "", ""),
        [(label, f"{n:,}", text_plot_bar(n, most)) for label, n in zip(labels, counts.tolist(), strict=True)],
    )


def _bin_labels(upto: int, width: int) -> list[str]:
    return [f"{first}–{first + width - 1}" for first in range(1, upto + 1, width)]


def _sum_bins(counts: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    summed: NDArray[np.int64] = counts.reshape(-1, width).sum(1)
    return summed


def _format_spread(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return f"median {median(values):g}, mean {mean(values):.2f}, {min(values):g} to {max(values):g}"


def _format_share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def _format_estimate(found: Estimate) -> str:
    return f"{found.mean:.4f} [{found.low:.3f}, {found.high:.3f}]"


def _format_number(value: float) -> str:
    return "-" if isnan(value) else f"{value:.3f}"
