"""Poses and expressions of people by vote: every word about a person counts for some of them.

The points in `vocabulary/` were set by hand, after counting in the training part of the published dialogs
which words go with which pose and expression."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from groundling.boards.english.text_tables import read_pattern_table

Rules: TypeAlias = tuple[tuple[re.Pattern[str], Mapping[int, int]], ...]


def _read_votes(table: str, options: Sequence[str]) -> Rules:
    """Read the points of each option by pattern; a key is such as "wave 3, crossed 2"."""
    return tuple(
        (
            re.compile(rf"\b(?:{pattern})\b"),
            {
                options.index(option): int(points)
                for option, points in (vote.split() for vote in votes.split(", "))
            },
        )
        for votes, pattern in read_pattern_table(__package__, f"vocabulary/{table}.txt", {})
    )


_POSE_RULES = _read_votes("pose_votes", ("side", "up", "kick", "run", "crossed", "legs_out", "wave"))
_FACE_RULES = _read_votes("face_votes", ("angry", "wide", "smile", "sad", "surprised"))

CERTAIN = 6
"""Points that decide the vote whatever earlier messages said."""


def vote_pose(messages: Sequence[str]) -> int:
    """Return the pose with the most points in the latest decisive message, or in all messages together."""
    return _elect_option(_POSE_RULES, messages, [1, 0, 0, 0, 0, 0, 0])


def vote_expression(messages: Sequence[str]) -> int:
    return _elect_option(_FACE_RULES, messages, [0, 0, 1, 0, 0])


def _elect_option(rules: Rules, messages: Sequence[str], usual: Sequence[int]) -> int:
    for message in reversed(messages):
        if max(votes := _count_votes(rules, message, usual)) >= CERTAIN:
            break
    else:
        votes = _count_votes(rules, " ".join(messages), usual)
    return max(range(len(votes)), key=votes.__getitem__)


def _count_votes(rules: Rules, text: str, usual: Sequence[int]) -> list[int]:
    votes = [*usual]
    for pattern, found in rules:
        if pattern.search(text):
            for number, points in found.items():
                votes[number] += points
    return votes
