"""Tables about a Teller's language: how similar it is to that of the half that it did not learn from, who
understands it, and who still does after paraphrasing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from papers.codraw.ngrams import KneserNey, KnownNgrams
from papers.codraw.played import BEFORE_PEEK, PlayedRun, PlayerKey, RunCollection
from papers.codraw.tables import NONE, format_number, is_crosstalk, label_rank
from papers.codraw.weights_folders import OTHER_HALF

from groundling.core.source import read_splits
from groundling.games.codraw.batch_similarity import batch_similarities
from groundling.games.codraw.moves import one_line
from groundling.games.codraw.recorded.dialog_files import load_dialog_files
from groundling.games.codraw.recorded.splits import CodrawSplitRecipe, published_splits
from groundling.games.codraw.text_table import format_text_table
from groundling.scores.token_count import split_lower_words

NO_ENGLISH = "nearest"
"""Compares letters, so it is not part of the index."""


def read_half_messages(data: Path, splits: Path | None) -> dict[str, list[list[str]]]:
    """Return the words of all messages of the Tellers of each half."""
    records = load_dialog_files(data)
    if splits is None:
        ids: Mapping[str, Sequence[str]] = published_splits(records, CodrawSplitRecipe())
    else:
        ids = read_splits(str(splits), splits.read_bytes())
    found = {}
    for half in OTHER_HALF:
        mine = set(ids[f"train_{half}"])
        said = [raw.msg_t for record in records if record.id in mine for raw in record.dialog]
        found[half] = [split_lower_words(text) for text in said if one_line(text)]
    return found


def language_report(found: RunCollection, messages: Mapping[str, list[list[str]]]) -> Iterator[str]:
    yield from words_table(found, messages)
    yield from ("", "## Who understands it")
    yield from panel_table(found)


def words_table(found: RunCollection, messages: Mapping[str, list[list[str]]]) -> Iterator[str]:
    """Yield the table of how much each Teller says, in which words, and how human they are."""
    known = {half: KnownNgrams(texts) for half, texts in messages.items()}
    models = {half: KneserNey(texts) for half, texts in messages.items()}
    measured: dict[str, list[list[float]]] = defaultdict(list)
    for run in _one_run_each(found):
        said = [[split_lower_words(text) for text in dialog] for dialog in run.script]
        flat = [words for dialog in said for words in dialog]
        for half in OTHER_HALF:
            if half == run.teller.half:
                continue
            shares = [np.nan if share is None else 100 * share for share in known[half].known_shares(flat)]
            row = [
                _mean_length(flat),
                _mean_length(said),
                len({word for words in flat for word in words}),
                *shares,
                models[half].perplexity(flat) or np.nan,
            ]
            measured[run.teller.label].append(row)
    grams = [f"{n}-grams" for n in range(1, KnownNgrams.LONGEST + 1)]
    digits = (1, 1, 0, *[1] * len(grams), 1)
    rows = [
        (name, *map(format_number, np.mean(np.array(measured[name]), axis=0).tolist(), digits))
        for name in sorted(measured, key=label_rank)
    ]
    yield from format_text_table(("teller", "words", "messages", "vocabulary", *grams, "perplexity"), rows)
    yield (
        "words (and marks) a message, messages a game, words in all; "
        "% of n-grams that people of the other half said;"
    )
    yield "perplexity under a model of their messages (interpolated Kneser-Ney, 4 words)"


def _one_run_each(found: RunCollection) -> list[PlayedRun]:
    """Return one run of each Teller; what it says does not depend on a Drawer that only says ok."""
    runs: dict[PlayerKey, PlayedRun] = {}
    for run in found.runs:
        if run.words == "own" and _has_language(run):
            runs.setdefault(run.teller.key, run)
    return list(runs.values())


def _has_language(run: PlayedRun) -> bool:
    """People's language is that before the peek: after it they correct what they see."""
    return run.teller.half != "" or run.teller.label in (BEFORE_PEEK, "template")


def panel_table(found: RunCollection) -> Iterator[str]:
    """Yield the table of each Teller with different Drawers, and of the loss when its messages are
    paraphrased."""
    targets = found.scenes.targets
    heard: dict[tuple[PlayerKey, PlayerKey], dict[str, float]] = defaultdict(dict)
    for run in found.runs:
        if run.words != "silent" and _has_language(run) and _is_on_panel(run):
            heard[run.teller.key, run.drawer.key][run.words] = float(
                batch_similarities(targets, run.drawn).mean()
            )
    means: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for ((teller, *_), (drawer, *_)), mean in heard.items():
        if mean.keys() == {"own", "paraphrased"}:
            means[teller][drawer].append((mean["own"], mean["own"] - mean["paraphrased"]))
    panel = sorted({label for row in means.values() for label in row}, key=label_rank)
    rows = []
    for name in sorted(means, key=label_rank):
        each = {label: np.mean(pairs, axis=0) for label, pairs in means[name].items()}
        drops = [drop for label, (_, drop) in each.items() if label != NO_ENGLISH]
        cells = [
            f"{each[label][0]:.2f} ({-each[label][1]:+.2f})" if label in each else NONE for label in panel
        ]
        rows.append((name, *cells, format_number(float(np.mean(drops)) if drops else None)))
    yield from format_text_table(("teller", *panel, "index"), rows)
    yield (
        "similarity with Drawers of the other half, "
        "and by how much it changes when the messages are paraphrased;"
    )
    yield f"index: what is lost by that on average, all but {NO_ENGLISH}; {found.scenes.about}"


def _is_on_panel(run: PlayedRun) -> bool:
    """Whether the Drawer learned with words, and not from what the Teller learned from."""
    if run.drawer.weights is not None and run.drawer.weights.card.blind:
        return False
    apart = not run.teller.half or not run.drawer.half or is_crosstalk(run)
    return apart and run.drawer.half != "all"


def _mean_length(texts: Sequence[Sequence[object]]) -> float:
    return sum(map(len, texts)) / len(texts) if texts else float("nan")
