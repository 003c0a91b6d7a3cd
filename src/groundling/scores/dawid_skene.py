"""The Dawid–Skene estimate: the true label of each item and how each annotator confuses labels, found
together by expectation maximization. Annotators who agree with others count for more than in a majority."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from msgspec import Struct

from groundling.scores.intervals import Floats

SMOOTHING = 0.01
"""Added to every count, so that a confusion that was not seen is unlikely rather than impossible."""
MAX_ROUNDS = 200
TOLERANCE = 1e-7
"""Change of the log-likelihood of an item at which it stops."""


class DawidSkene(Struct, frozen=True, eq=False):
    categories: list[Hashable]
    posterior: Floats
    """For each item the probability of each category; of an item without labels the shares of all."""
    confusion: Floats
    """For each annotator: how probable each label is (columns) where a category is true (rows)."""
    prior: Floats
    likelihood: list[float]
    """The mean log-likelihood of an item after each round."""

    def best(self) -> list[tuple[Hashable, float]]:
        """For each item the most probable category and its probability."""
        chosen = self.posterior.argmax(axis=1)
        return [(self.categories[k], float(row[k])) for k, row in zip(chosen, self.posterior, strict=True)]


def dawid_skene(ratings: Sequence[Sequence[Hashable | None]]) -> DawidSkene:
    """Estimate from items with one label or None for each annotator. It starts from the shares of labels."""
    known = {label for row in ratings for label in row if label is not None}
    categories = sorted(
        known, key=lambda label: (str(type(label)), label if isinstance(label, int) else str(label))
    )
    if not categories:
        raise ValueError("there are no labels")
    place = {label: number for number, label in enumerate(categories)}
    said = np.zeros((len(ratings), len(ratings[0]), len(categories)))
    for unit, row in enumerate(ratings):
        for annotator, label in enumerate(row):
            if label is not None:
                said[unit, annotator, place[label]] = 1.0
    votes = said.sum(axis=1)
    total = votes.sum(axis=1, keepdims=True)
    shares = votes.sum(axis=0) / votes.sum()
    posterior = np.where(total > 0, votes / np.maximum(total, 1.0), shares)
    likelihood: list[float] = []
    while True:
        prior = (posterior.sum(axis=0) + SMOOTHING) / (len(ratings) + SMOOTHING * len(categories))
        confusion = np.einsum("uk,ual->akl", posterior, said) + SMOOTHING
        confusion /= confusion.sum(axis=2, keepdims=True)
        weights = np.log(prior) + np.einsum("ual,akl->uk", said, np.log(confusion))
        top = weights.max(axis=1, keepdims=True)
        evidence = np.exp(weights - top).sum(axis=1, keepdims=True)
        posterior = np.exp(weights - top) / evidence
        likelihood.append(float((top + np.log(evidence)).mean()))
        done = len(likelihood) > 1 and abs(likelihood[-1] - likelihood[-2]) < TOLERANCE
        if done or len(likelihood) == MAX_ROUNDS:
            return DawidSkene(list(categories), posterior, confusion, prior, likelihood)
