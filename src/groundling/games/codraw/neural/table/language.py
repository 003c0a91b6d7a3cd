"""Tables about a Teller's language: how similar it is to that of the half that it did not learn from, who
understands it, and who still does after paraphrasing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from msgspec import Struct

from groundling.games.codraw.batches import similarities
from groundling.games.codraw.neural.table.cast import OTHER
from groundling.games.codraw.neural.table.players import Hand, Script, TemplateVoice
from groundling.games.codraw.neural.table.printing import NONE, number
from groundling.games.codraw.neural.table.rows import PEOPLE, Company
from groundling.games.codraw.paraphrase import paraphrase
from groundling.games.codraw.tables import table
from groundling.scores.language import KneserNey, Known, spoken

TEMPLATE = "template"
NO_ENGLISH = "nearest"
"""Compares letters, so it is not part of the index."""


class Speech(Struct, frozen=True):
    """All messages of one Teller, with the halves whose language to compare."""

    teller: str
    others: tuple[str, ...]
    """The halves that it did not learn from."""
    script: Script


def speeches(company: Company, seeds: int | None = None) -> Iterator[Speech]:
    """Yield the scripts of people, of the `template` Teller, and of all trained Tellers, with up to `seeds`
    of each half."""
    yield Speech(PEOPLE, tuple(OTHER), company.stage.people(unaided=True))
    if company.stage.can_say(TemplateVoice()):
        yield Speech(TEMPLATE, tuple(OTHER), company.stage.said(TemplateVoice()))
    for teller in company.tellers:
        for half, other in OTHER.items():
            for voice in filter(company.stage.can_say, company.voices_of(teller, half)[:seeds]):
                yield Speech(teller, (other,), company.stage.said(voice))


def paraphrased(script: Script) -> Script:
    """Paraphrase all messages. The same text about the same scene is always paraphrased alike."""
    return [
        [paraphrase(text, Random(f"{number} {text}")) for text in texts]
        for number, texts in enumerate(script)
    ]


def words_table(company: Company) -> Iterator[str]:
    """Yield the table of how much each Teller says, in which words, and how human they are."""
    stage = company.stage
    texts = {half: [spoken(text) for text in stage.data.messages(stage.halves, half)] for half in OTHER}
    known = {half: Known(found) for half, found in texts.items()}
    models = {half: KneserNey(found) for half, found in texts.items()}
    measured: dict[str, list[list[float]]] = {}
    for speech in speeches(company):
        said = [[spoken(text) for text in dialog] for dialog in speech.script]
        flat = [words for dialog in said for words in dialog]
        for half in speech.others:
            shares = [np.nan if share is None else 100 * share for share in known[half].shares(flat)]
            perplexity = models[half].perplexity(flat) or np.nan
            row = [
                _mean(map(len, flat)),
                _mean(map(len, said)),
                len({word for words in flat for word in words}),
            ]
            measured.setdefault(speech.teller, []).append([*row, *shares, perplexity])
    head = (
        "teller",
        "words",
        "messages",
        "vocabulary",
        *(f"{n}-grams" for n in range(1, Known.LONGEST + 1)),
        "perplexity",
    )
    digits = (1, 1, 0, *[1] * Known.LONGEST, 1)
    rows = [(name, *_means(found, digits)) for name, found in measured.items()]
    yield from table(head, rows)
    yield (
        "words (and marks) a message, messages a game, words in all; "
        "% of n-grams that people of the other half said;"
    )
    yield (
        "perplexity under a model of their messages (interpolated Kneser-Ney, 4 words). people: "
        "before the peek"
    )


def seated(company: Company) -> list[str]:
    """Return the labels of Drawers that can be on the panel."""
    return [
        label
        for label in company.drawers
        if not label.endswith("blind") and _hands(company, label, tuple(OTHER))
    ]


def panel_table(company: Company, wanted: Sequence[str] = ()) -> Iterator[str]:
    """Yield the table of each Teller with different Drawers, and of the loss when its messages are
    paraphrased."""
    panel = [label for label in seated(company) if not wanted or label in wanted]
    means: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for speech in speeches(company, seeds=1):
        otherwise = paraphrased(speech.script)
        for label in panel:
            for hand in _hands(company, label, speech.others):
                if not all(company.stage.can_draw(script, hand) for script in (speech.script, otherwise)):
                    continue
                scores = [_score(company, script, hand) for script in (speech.script, otherwise)]
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
        rows.append((teller, *cells, number(float(np.mean(drops)) if drops else None)))
    yield from table(("teller", *panel, "index"), rows)
    yield (
        "similarity with Drawers of the other half, "
        "and by how much it changes when the messages are paraphrased;"
    )
    yield (
        f"index: what is lost by that on average, all but {NO_ENGLISH}. One training of each half; "
        f"{company.stage.about}"
    )


def _hands(company: Company, label: str, halves: Sequence[str]) -> list[Hand]:
    """Pick one Drawer of each half, or the untrained one."""
    return [hand for half in (*halves, "") for hand in company.hands_of(label, half)[:1]]


def _score(company: Company, script: Script, hand: Hand) -> float:
    return float(similarities(company.stage.targets, company.stage.drawn(script, hand)).mean())


def _mean(values: Iterator[int] | map[int]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else float("nan")


def _means(found: Sequence[Sequence[float]], digits: Sequence[int]) -> list[str]:
    means = np.mean(np.array(found), axis=0)
    return [number(float(mean), places) for mean, places in zip(means, digits, strict=True)]
