"""Losses are split between words and listener."""

from __future__ import annotations

import pytest

from groundling.scores.blame import HeardScores, split_loss


@pytest.mark.parametrize(
    ("played", "panel", "reference", "asked", "parts", "verdict"),
    [
        (1.0, [1.0], [1.0], 1.0, (0.0, 0.0, 0.0), "no loss"),
        (0.0, [0.0], [1.0], 1.0, (1.0, 0.0, 0.0), "words"),
        (0.0, [1.0], [1.0], 0.0, (0.0, 1.0, 0.0), "listener"),
        (0.0, [0.0], [1.0], 0.0, (0.5, 0.5, 0.0), "words"),  # both failed; nobody got these words
        (0.0, [1.0], [1.0], 1.0, (0.5, 0.5, 0.0), "listener"),  # others got these words
        (0.0, [1.0], [1.0], None, (0.0, 1.0, 0.0), "listener"),
        (0.2, [0.0, 0.6], [0.9, 0.8], None, (0.3, 0.4, 0.1), "listener"),
        (0.8, [0.5], [0.8], None, (0.0, 0.0, 0.2), "neither"),  # the listener got more than the panel
        (0.9, [0.9], [0.7], None, (-0.2, 0.0, 0.3), "neither"),  # better words than the reference
    ],
)
def test_a_loss_is_split_by_who_got_what_from_which_words(
    played: float,
    panel: list[float],
    reference: list[float],
    asked: float | None,
    parts: tuple[float, float, float],
    verdict: str,
) -> None:
    found = split_loss(HeardScores(played, panel, reference, asked, 1.0))
    assert (found.words, found.listener, found.neither) == pytest.approx(parts)
    assert found.verdict == verdict
    assert found.score + sum(parts) == pytest.approx(1)


def test_where_nobody_listened_the_panel_is_scored() -> None:
    found = split_loss(HeardScores(None, [0.4], [1.0], None, 1.0))
    assert (found.score, found.words, found.listener, found.verdict) == (0.4, 0.6, None, "words")
