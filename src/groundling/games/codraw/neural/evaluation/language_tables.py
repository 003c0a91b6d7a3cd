"""Tables about a Teller's language: how similar it is to that of the half that it did not learn from, who
understands it, and who still does after paraphrasing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from msgspec import Struct

from groundling.games.codraw.batch_similarity import similarities
from groundling.games.codraw.neural.evaluation.batch_players import BatchDrawer, Script, TemplateBatchTeller
from groundling.games.codraw.neural.evaluation.result_rows import PEOPLE, PlayerRoster
from groundling.games.codraw.neural.evaluation.text_tables import NONE, format_number
from groundling.games.codraw.neural.evaluation.weights_folders import OTHER_HALF
from groundling.games.codraw.paraphrase import paraphrase_text
from groundling.games.codraw.text_table import format_table
from groundling.scores.ngrams import KneserNey, KnownNgrams, split_lower_words

TEMPLATE = "template"
NO_ENGLISH = "nearest"
"""Compares letters, so it is not part of the index."""


class TellerScript(Struct, frozen=True):
    """All messages of one Teller, with the halves whose language to compare."""

    teller: str
    others: tuple[str, ...]
    """The halves that it did not learn from."""
    script: Script


def collect_scripts(company: PlayerRoster, seeds: int | None = None) -> Iterator[TellerScript]:
    """Yield the scripts of people, of the `template` Teller, and of all trained Tellers, with up to `seeds`
    of each half."""
    yield TellerScript(PEOPLE, tuple(OTHER_HALF), company.stage.people_scripts(unaided=True))
    if company.stage.can_say(TemplateBatchTeller()):
        yield TellerScript(TEMPLATE, tuple(OTHER_HALF), company.stage.teller_script(TemplateBatchTeller()))
    for teller in company.teller_labels:
        for half, other in OTHER_HALF.items():
            for voice in filter(company.stage.can_say, company.tellers_of(teller, half)[:seeds]):
                yield TellerScript(teller, (other,), company.stage.teller_script(voice))


def paraphrase_script(script: Script) -> Script:
    """Paraphrase all messages. The same text about the same scene is always paraphrased alike."""
    return [
        [paraphrase_text(text, Random(f"{number} {text}")) for text in texts]
        for number, texts in enumerate(script)
    ]


def words_table(company: PlayerRoster) -> Iterator[str]:
    """Yield the table of how much each Teller says, in which words, and how human they are."""
    stage = company.stage
    texts = {
        half: [split_lower_words(text) for text in stage.data.teller_messages(stage.halves, half)]
        for half in OTHER_HALF
    }
    known = {half: KnownNgrams(found) for half, found in texts.items()}
    models = {half: KneserNey(found) for half, found in texts.items()}
    measured: dict[str, list[list[float]]] = {}
    for speech in collect_scripts(company):
        said = [[split_lower_words(text) for text in dialog] for dialog in speech.script]
        flat = [words for dialog in said for words in dialog]
        for half in speech.others:
            shares = [np.nan if share is None else 100 * share for share in known[half].known_shares(flat)]
            perplexity = models[half].perplexity(flat) or np.nan
            row = [
                _mean_length(map(len, flat)),
                _mean_length(map(len, said)),
                len({word for words in flat for word in words}),
            ]
            measured.setdefault(speech.teller, []).append([*row, *shares, perplexity])
    head = (
        "teller",
        "words",
        "messages",
        "vocabulary",
        *(f"{n}-grams" for n in range(1, KnownNgrams.LONGEST + 1)),
        "perplexity",
    )
    digits = (1, 1, 0, *[1] * KnownNgrams.LONGEST, 1)
    rows = [(name, *_format_means(found, digits)) for name, found in measured.items()]
    yield from format_table(head, rows)
    yield (
        "words (and marks) a message, messages a game, words in all; "
        "% of n-grams that people of the other half said;"
    )
    yield (
        "perplexity under a model of their messages (interpolated Kneser-Ney, 4 words). people: "
        "before the peek"
    )


def panel_labels(company: PlayerRoster) -> list[str]:
    """Return the labels of Drawers that can be on the panel."""
    return [
        label
        for label in company.drawer_labels
        if not label.endswith("blind") and _pick_drawers(company, label, tuple(OTHER_HALF))
    ]


def panel_table(company: PlayerRoster, wanted: Sequence[str] = ()) -> Iterator[str]:
    """Yield the table of each Teller with different Drawers, and of the loss when its messages are
    paraphrased."""
    panel = [label for label in panel_labels(company) if not wanted or label in wanted]
    means: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for speech in collect_scripts(company, seeds=1):
        otherwise = paraphrase_script(speech.script)
        for label in panel:
            for hand in _pick_drawers(company, label, speech.others):
                if not all(company.stage.can_draw(script, hand) for script in (speech.script, otherwise)):
                    continue
                scores = [_mean_similarity(company, script, hand) for script in (speech.script, otherwise)]
                means.setdefault(speech.teller, {}).setdefault(label, []).append(
                    (scores[0], scores[0] - scores[1])
                )
    rows = []
    for teller, found in means.items():
        each = {label: np.mean(pairs, axis=0) for label, pairs in found.items()}
        drops = [drop for label, (_, drop) in each.items() if label != NO_ENGLISH]
        cells = [
            f"{each[label][0]:.2f} ({-each[label][1]:+.2f})" if label in each else NONE for label in panel
        ]
        rows.append((teller, *cells, format_number(float(np.mean(drops)) if drops else None)))
    yield from format_table(("teller", *panel, "index"), rows)
    yield (
        "similarity with Drawers of the other half, "
        "and by how much it changes when the messages are paraphrased;"
    )
    yield (
        f"index: what is lost by that on average, all but {NO_ENGLISH}. One training of each half; "
        f"{company.stage.about}"
    )


def _pick_drawers(company: PlayerRoster, label: str, halves: Sequence[str]) -> list[BatchDrawer]:
    """Pick one Drawer of each half, or the untrained one."""
    return [hand for half in (*halves, "") for hand in company.drawers_of(label, half)[:1]]


def _mean_similarity(company: PlayerRoster, script: Script, hand: BatchDrawer) -> float:
    return float(similarities(company.stage.targets, company.stage.drawn_scenes(script, hand)).mean())


def _mean_length(values: Iterator[int] | map[int]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else float("nan")


def _format_means(found: Sequence[Sequence[float]], digits: Sequence[int]) -> list[str]:
    means = np.mean(np.array(found), axis=0)
    return [format_number(float(mean), places) for mean, places in zip(means, digits, strict=True)]
