"""Kinds of questions that Drawers asked: the same words but for the pieces, courtesies and articles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from groundling.boards.scene import Scene
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.recorded.dialogs import WHOLE, read_dialogs

_COURTESY = re.compile(
    r"(?<!\S)(?:the|an?|please|so|ok|okay|alright|great|cool|thanks?|you|hi|hello|hey|oh|well|yes|yeah|done|got|it|and"
    r"|perfect|good|nice|sure|awesome|then|also|just|[.?!,;])(?!\S)"
)
_ASKS = re.compile(
    r"\?|^\W*(?:ok\W+|okay\W+)?(?:what|where|which|who|how|is|are|does|do|can|should|any|repeat)\b",
    re.IGNORECASE,
)


class AskedQuestion(Struct, frozen=True):
    """A recorded message of a Drawer that asks, what was said before it, and what the Teller said next."""

    dialog: str
    scene: Scene
    before: tuple[str, ...]
    """The messages of both, in order."""
    teller_last: str
    text: str
    answer: str
    peeked: bool


def read_asked_questions(path: Path, split: str) -> Iterator[AskedQuestion]:
    for dialog in read_dialogs(path, split, WHOLE):
        before: list[str] = []
        last, peeked = "", False
        for number, turn in enumerate(dialog.rounds):
            last = turn.teller or last
            peeked = peeked or turn.peek
            before += [turn.teller] if turn.teller else []
            if _ASKS.search(turn.drawer):
                following = dialog.rounds[number + 1].teller if number + 1 < len(dialog.rounds) else ""
                yield AskedQuestion(
                    dialog.id, dialog.target, tuple(before), last, turn.drawer, following or "", peeked
                )
            before.append(turn.drawer)


def question_kind(text: str) -> str:
    """Return what a question has in common with others of its kind; "" if nothing is left of it."""
    found, _ = find_mentions(
        tokenize_message(re.sub(r"\b(?:got|did|have) (?:it|that|them)\b", "", text.lower()))
    )
    plain = re.sub(r"@\d+", "@", found).replace(" 's ", " is ")
    return " ".join(_COURTESY.sub(" ", plain).split())


def most_frequent_kinds(asked: Iterable[AskedQuestion], many: int) -> list[tuple[str, int]]:
    counts = Counter(question_kind(one.text) for one in asked)
    del counts[""]
    return counts.most_common(many)
