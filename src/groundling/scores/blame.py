"""Splits the loss of an episode into what the words did not say and what the listener did not understand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

Verdict: TypeAlias = Literal["words", "listener", "neither", "no loss"]
SLIGHT = 0.05
"""A loss, or a part of it, of at most this share of the top score is none."""


class HeardScores(Struct, frozen=True):
    """The scores of one instance by words and listener."""

    played: float | None
    """The episode as it was played; None if nobody listened."""
    panel: Sequence[float]
    """The same words, heard by each member of the panel."""
    reference: Sequence[float]
    """The words of the reference speaker, heard by each member of the panel …"""
    asked: float | None
    """… and by the listener of the episode; None if it cannot be asked."""
    top: float


class LossSplit(Struct, frozen=True):
    """The parts add up to the loss, the top score minus the score."""

    score: float
    words: float
    """What nobody got from these words but some got from the reference speaker's."""
    listener: float | None
    """What others got from the same words, or what the listener does not get from the reference speaker's;
    None if nobody listened."""
    neither: float
    """What is lost with the reference speaker's words too: nothing follows about it."""
    verdict: Verdict


def split_loss(heard: HeardScores) -> LossSplit:
    """Split a loss by substitution. Where the listener can be asked, words and listener are exchanged in both
    orders and the parts are means of both (Shapley values). The best of all who heard some words counts as
    what the words said: a listener that gets more from them than the panel proves that it was said."""
    best = max(*heard.panel, heard.played if heard.played is not None else -math.inf, -math.inf)
    gold = max(*heard.reference, heard.asked if heard.asked is not None else -math.inf, -math.inf)
    score = best if heard.played is None else heard.played
    words, direct = gold - best, best - score
    listener = direct
    if heard.asked is not None and heard.played is not None:
        words = ((heard.asked - score) + words) / 2
        listener = (direct + (gold - heard.asked)) / 2
    neither = heard.top - gold
    return LossSplit(
        score,
        words,
        None if heard.played is None else listener,
        neither,
        _name_cause(heard.top, score, words, listener, direct),
    )


def _name_cause(top: float, score: float, words: float, listener: float, direct: float) -> Verdict:
    """Name who lost more, or neither if both lost little. Between words and listener that lost the same, the
    exchange of the listener alone decides, as it is the only one that keeps the words."""
    slight = SLIGHT * abs(top)
    if top - score <= slight:
        return "no loss"
    if max(words, listener) <= slight:
        return "neither"
    if words == listener:
        return "listener" if direct > 0 else "words"
    return "words" if words > listener else "listener"
