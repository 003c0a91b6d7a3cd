"""Poses and expressions of people by vote: every word about a person counts for some of them.

The points were set by hand, after counting in the training part of the published dialogs which words go
with which pose and expression."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from groundling.boards.scene import EXPRESSIONS, POSES

Votes: TypeAlias = tuple[tuple[str, Mapping[int, int]], ...]
Rules: TypeAlias = tuple[tuple[re.Pattern[str], Mapping[int, int]], ...]

_SIDE, _UP, _KICK, _RUN, _CROSSED, _LEGS_OUT, _WAVE = range(len(POSES))
_ANGRY, _WIDE, _SMILE, _SAD, _SURPRISED = range(len(EXPRESSIONS))

_ARMS, _ARM, _LEGS, _LEG = "(?:arms|hands)", "(?:arm|hand)", "(?:legs|feet)", "(?:leg|foot)"
_HELD = (
    "(?: (?:is|are|both|up|straight|all|held|stretched|sticking|right|left|pointing|high|spread|pointed|"
    "him|her|one|in))*"
)
_RAISED = "(?:up|raised|in air|in the air|above|over|overhead|in sky|in the sky|high|lifted|upwards?)"
_OUT = (
    "(?:out|outstretched|extended|in front|on front|forward|reaching|stretched|straight|front|outward|"
    "ahead|spread|open)"
)

_POSE_VOTES: Votes = (
    (f"{_ARMS}{_HELD} {_RAISED}|raised {_ARMS}|both (?:arms? |hands? )?(?:up|raised)", {_UP: 4}),
    (f"{_ARM}{_HELD} {_RAISED}|rais(?:ed?|ing) {_ARM}|one (?:arm |hand )?up", {_WAVE: 3, _CROSSED: 2}),
    (f"(?:one|1|other) {_ARM}|other (?:is )?(?:down|on)", {_WAVE: 2}),
    (
        f"{_ARMS}{_HELD} {_OUT}|outstretched {_ARMS}|{_ARMS} to (?:the )?(?:front|left|right|side)",
        {_SIDE: 3, _CROSSED: 1},
    ),
    (f"{_ARM}{_HELD} {_OUT}|{_ARM} to (?:the )?(?:left|right)", {_SIDE: 1, _WAVE: 2}),
    ("reach(?:ing|es)?", {_SIDE: 4}),
    ("catch(?:ing)?|throw(?:ing)?|pushing|grabbing", {_SIDE: 2, _WAVE: 1}),
    ("stand(?:s|ing)?", {_SIDE: 3, _UP: 2, _WAVE: 3, _RUN: 2, _KICK: 1}),
    ("jump(?:s|ing)?|hopping|leaping", {_UP: 6}),
    ("cheer(?:ing|s)?|dancing|yay|celebrating", {_UP: 5}),
    ("air", {_UP: 3, _WAVE: 1}),
    ("wav(?:e|es|ing)", {_WAVE: 6}),
    (r"(?:hands?|arms?|on)(?: \S+){0,3} (?:hips?|waist)", {_WAVE: 3}),
    ("kick(?:s|ed|ing)?", {_KICK: 9}),
    (f"{_LEG}{_HELD} (?:{_RAISED}|{_OUT}|kicked|kicking)|raised (?:leg|foot)|one (?:leg|foot)", {_KICK: 5}),
    ("run(?:s|ning)?|ran|jog(?:s|ging)?", {_RUN: 9}),
    ("walk(?:s|ing)?|skipping|marching", {_RUN: 4, _KICK: 3}),
    ("bent|bend(?:ing)?", {_RUN: 4}),
    (f"{_ARMS} (?:at|by|on) (?:the |@ )?sides?", {_RUN: 3}),
    ("sit(?:s|ting|ed|e)?|sat|seated|siting", {_CROSSED: 6, _LEGS_OUT: 7}),
    ("cross(?:ed|ing)?|criss|crisscross|folded", {_CROSSED: 7}),
    ("legged|style|indian|yoga|meditat(?:ing|ion)|lotus", {_CROSSED: 6}),
    ("kneel(?:s|ing)?|knees(?! bent)|curl(?:ed)?|tucked|knelt", {_CROSSED: 6}),
    (
        f"{_LEGS}{_HELD} {_OUT}|(?:outstretched|stretched|straight) {_LEGS}|{_LEGS} to (?:the )?"
        "(?:left|right)",
        {_LEGS_OUT: 7},
    ),
    ("(?:arms?|hands?) behind|leaning back", {_LEGS_OUT: 4}),
    ("slid(?:e|es|ing)|swinging|going down", {_LEGS_OUT: 5}),
    ("lap|swing|seat|riding", {_LEGS_OUT: 2, _CROSSED: 1}),
)
_FACE_VOTES: Votes = (
    ("happ(?:y|ily|iness)|cheer(?:y|ful|ing)|glad|joy(?:ful)?|excited|pleased", {_WIDE: 5, _SMILE: 5}),
    ("smil(?:e|es|ing|ey|ly|ling)", {_WIDE: 5, _SMILE: 6}),
    ("teeth|tooth(?:y)?|grin(?:s|ning)?|laugh(?:s|ing)?|tongue|very happy", {_WIDE: 5}),
    ("(?:big|wide|open|large|huge|open mouth)(?: happy)? (?:smile|grin)", {_WIDE: 4}),
    (
        "(?:no|without|not|not showing|no showing) (?:teeth|tooth|mouth)|teeth (?:are |is )?not|closed?",
        {_SMILE: 9, _WIDE: -5},
    ),
    ("(?:small|plain|regular|simple|slight|little|closed) smile", {_SMILE: 5}),
    ("sad(?:ly)?|unhappy|cr(?:y|ying|ies)|tears?|frown(?:s|ing|y)?|depressed|disappointed", {_SAD: 9}),
    ("upset", {_SAD: 5, _ANGRY: 4}),
    ("angry|angrily|anger|mad(?:ly)?|mean|grumpy|furious", {_ANGRY: 10}),
    ("sur?pris(?:e|ed|ing)|shock(?:ed|ing)?|scared|startled|afraid|amazed|frightened", {_SURPRISED: 9}),
    ("awe|astonished|terrified|gasp(?:ing)?|wow|scream(?:ing)?", {_SURPRISED: 9}),
    ("oh?h?|round mouth|mouth (?:is |wide |are )*open(?:ed)?|open(?:ed)? mouth|agape", {_SURPRISED: 4}),
    ("worr(?:y|ied)|concerned|nervous|frustrated|confused", {_SAD: 5, _SURPRISED: 4}),
    ("mouth(?:ed)?|shape", {_SURPRISED: 2}),
    ("not (?:happy|smiling)", {_WIDE: -9, _SMILE: -9, _ANGRY: 2}),
)


def _compile_votes(votes: Votes) -> Rules:
    return tuple((re.compile(rf"\b(?:{pattern})\b"), found) for pattern, found in votes)


_POSE_RULES, _FACE_RULES = _compile_votes(_POSE_VOTES), _compile_votes(_FACE_VOTES)


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
