"""Answers to simple questions about position, size, direction, pose, expression, clothing and held things."""

from __future__ import annotations

import re

from groundling.boards.scene import PEOPLE, Piece
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.players.questions import answer_question as answered
from groundling.games.codraw.players.questions import parse_question
from groundling.games.codraw.players.template import piece_words
from groundling.games.codraw.players.template.scene_describer import SceneDescriber

_QUESTION = re.compile(
    r"\?|^\W*(?:ok\W+|okay\W+)?(?:what|where|which|who|how|is|are|does|do|did|can|should|has|have|any)\b",
    re.IGNORECASE,
)
_TOPICS = {
    "face": (
        "expression expressions smile smiles smiling happy sad angry mad mood emotion teeth "
        "surprised feel feeling"
    ),
    "size": "size sizes big bigger large larger medium small smaller",
    "had": "wear wears wearing hold holds holding hat",
    "way": "face faces facing direction way look looks looking point points pointing hole flip flipped",
    "pose": (
        "pose doing arm arms hand hands leg legs sit sits sitting stand standing run running kick "
        "kicking wave waving"
    ),
    "where": (
        "where far high low close position side sides corner horizon edge cut touch touching left "
        "right top bottom middle"
    ),
}
"""The topics of a question by its words, in the order in which they are answered."""
_BY_WORD = {word: topic for topic, told in reversed(_TOPICS.items()) for word in told.split()}
_OTHERWISE = (
    (re.compile(r"\b(?:big|wide|large|small|smallish|little) smile"), "smile"),
    (
        re.compile(
            r"\b(?:all|is|are|that|this|it|look|looks) right\b(?! (?:of|side|edge|corner))|\bright \?"
        ),
        "ok",
    ),
)
"""Phrases whose words would suggest a wrong topic, and their replacements."""
MOST_KINDS, MOST_TOPICS = 2, 2


def needs_template_answer(text: str) -> bool:
    return bool(_QUESTION.search(text.strip()))


def write_template_answer(words: SceneDescriber, question: str, last: tuple[str, ...], cap: int) -> str:
    """Answer about the kinds that a question names, else those described last; "" if it asks to continue."""
    if simple := parse_question(question):
        return answered(words, simple, cap)
    plain = " ".join(tokenize_message(question))
    for pattern, instead in _OTHERWISE:
        plain = pattern.sub(instead, plain)
    topics = sorted({_BY_WORD[word] for word in plain.split() if word in _BY_WORD}, key=list(_TOPICS).index)
    named = _named_kinds(words, question)
    if not named and not topics:
        return ""
    missing = [kind for kind in named if kind not in words.scene.by_kind]
    there = [
        words.scene.by_kind[kind] for kind in dict.fromkeys(named or last) if kind in words.scene.by_kind
    ]
    said = [f"There is no {words.piece_name(kind)}" for kind in missing[:1]]
    for piece in there[:MOST_KINDS]:
        said += [_describe_topic(words, piece, topic) for topic in topics[:MOST_TOPICS] or ["where"]]
    said = list(dict.fromkeys(said))
    said = [part[0].upper() + part[1:] for part in said if part]
    while len(said) > 1 and len(". ".join(said)) >= cap:
        said.pop()
    text = ". ".join(said)
    return f"{text[: cap - 1]}." if text else ""


def _named_kinds(words: SceneDescriber, question: str) -> list[str]:
    """Return the kinds that a question is about. "The tree" means the trees of the scene."""
    _, found = find_mentions(tokenize_message(question))
    kinds: list[str] = []
    for mention in found:
        there = [kind for kind in mention.kinds if kind in words.scene.by_kind]
        kinds += there or mention.kinds[:1]
    return list(dict.fromkeys(kinds))


def _describe_topic(words: SceneDescriber, piece: Piece, topic: str) -> str:
    the = words.definite_name(piece.kind)
    match topic:
        case "size":
            return f"{the} is {piece_words.SIZES[piece.size][0]}"
        case "way":
            turned = piece_words.piece_direction_words(piece)
            return (
                f"{the} is {turned}"
                if turned.startswith("facing")
                else f"{the} has the {turned}"
                if turned
                else f"{the} is as usual"
            )
        case "pose" if piece.pose is not None:
            return f"{the} is {piece_words.POSES[piece.pose][0]}"
        case "face" if piece.expression is not None:
            return f"{the} is {piece_words.EXPRESSIONS[piece.expression][0]}"
        case "had" if piece.kind in PEOPLE:
            return _describe_belongings(words, piece)
        case _:
            return ", ".join(words.piece_clauses(piece))


def _describe_belongings(words: SceneDescriber, person: Piece) -> str:
    things = [
        other
        for other in words.scene.pieces
        if (host := words.attachments[other.kind]) and host.kind == person.kind
    ]
    had = [
        ", ".join(words.piece_clauses(thing))
        for thing in things
        if (host := words.attachments[thing.kind]) and host.how in ("worn", "held")
    ]
    return ". ".join(had) if had else f"{words.definite_name(person.kind)} has nothing on or in hand"
