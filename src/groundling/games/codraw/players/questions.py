"""A Drawer's questions about single pieces: wording, parsing, answering, and reading the answer."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from groundling.boards.scene import KINDS, SIZES, WIDTH
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message
from groundling.games.codraw.players.template import piece_words, position_phrases
from groundling.games.codraw.players.template.scene_describer import SceneDescriber

Topic: TypeAlias = Literal["there", "side", "size", "way"]
TOPICS: tuple[Topic, ...] = get_args(Topic)
"""Whether the piece exists, on which side it is, its size, and its direction."""
ABSENT = "no"
"""The answer to every question about a piece that is not in the scene."""

_FORMS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    ("there", re.compile(r"\b(?:is|are) there\b|\bdo you (?:see|have)\b|^(?:ok |okay |and )?any\b")),
    (
        "way",
        re.compile(r"\b(?:which|what) (?:way|direction)\b|\b(?:face|faces|facing|looking|pointing|turned)\b"),
    ),
    ("side", re.compile(r"\bleft or\b|\bright or\b|\b(?:which|what) side\b")),
    (
        "size",
        re.compile(
            r"\b(?:what|which) size\b|\bhow (?:big|large|small)\b|\b(?:big|large|medium|small)(?: ,| or)"
        ),
    ),
)
"""Forms in which people ask, by topic."""
_NOTHING = re.compile(r"\bthere (?:is|are) (?:no|not|none)\b|\bno such\b|\bis not (?:there|any|in)\b")
_YES = re.compile(r"^(?:yes|yeah|yep|yea|yup|there (?:is|are))\b")
_NO = re.compile(r"^(?:no|nope|none)\b")
_SIZES = {
    **{name: name for name in SIZES},
    "big": "large",
    "little": "small",
    "tiny": "small",
    "huge": "large",
}
_SIDES = {"left": "left", "right": "right", "middle": "middle", "center": "middle", "centre": "middle"}


class PieceQuestion(Struct, frozen=True, gc=False):
    """A question about one kind."""

    topic: Topic
    kind: str

    @property
    def is_sensible(self) -> bool:
        """Whether the question makes sense: only pieces with a front have a direction."""
        return self.topic != "way" or self.kind in piece_words.WITH_FRONT


def word_question(question: PieceQuestion) -> str:
    kind = question.kind
    noun, many = piece_words.usual_piece_name(kind), kind in piece_words.PLURAL
    be, the = "are" if many else "is", piece_words.piece_with_the(noun)
    match question.topic:
        case "there":
            return f"{be} there {'any ' + noun if many else piece_words.piece_with_article(noun, kind)}?"
        case "side":
            return f"{be} {the} on the left or the right?"
        case "size":
            return f"{be} {the} large, medium or small?"
        case "way":
            return f"which way {'do' if many else 'does'} {the} face?"


_OURS = {
    word_question(one): one
    for topic in TOPICS
    for kind in KINDS
    if (one := PieceQuestion(topic, kind)).is_sensible
}


def parse_own_question(text: str) -> PieceQuestion | None:
    """Parse a question in our own wording."""
    return _OURS.get(text.strip().lower())


def parse_question(text: str) -> PieceQuestion | None:
    """Parse a question in our own wording, or a free one that names one kind and one topic."""
    if ours := parse_own_question(text):
        return ours
    plain = " ".join(tokenize_message(text))
    topics = [topic for topic, form in _FORMS if form.search(plain)]
    if topics == ["way", "side"]:
        topics = ["way"]
    _, found = find_mentions(tokenize_message(text))
    kinds = {mention.kinds for mention in found}
    if len(topics) != 1 or len(kinds) != 1 or "?" not in text:
        return None
    (named,) = kinds
    question = PieceQuestion(topics[0], named[0]) if len(named) == 1 else None
    return question if question and question.is_sensible else None


def answer_question(words: SceneDescriber, question: PieceQuestion, cap: int) -> str:
    """Answer truthfully in a whole sentence: Drawers that learned from descriptions need more than a yes."""
    kind = question.kind
    piece, the = words.scene.get(kind), words.definite_name(kind)
    many = kind in piece_words.PLURAL
    be = "are" if many else "is"
    if piece is None:
        found = f"No, there {be} no {words.piece_name(kind)}"
    elif question.topic == "there":
        parts = words.piece_clauses(piece)
        had = words.attachments[kind]
        first = (
            parts[0]
            if had and had.how in ("worn", "held")
            else piece_words.piece_with_article(parts[0], kind)
        )
        found = f"Yes, {first}"
        for part in parts[1:]:
            found = f"{found}, {part}" if len(found) + len(part) + 2 < cap else found
    elif question.topic == "side":
        spot = position_phrases.position_corner_phrase(piece) or position_phrases.position_across_phrase(
            piece
        )
        found = ", ".join(
            part for part in (f"{the} {be} {spot}", position_phrases.position_side_gap_phrase(piece)) if part
        )
    elif question.topic == "size":
        found = f"{the} {be} {piece_words.SIZES[piece.size][0]}"
    else:
        turned = piece_words.piece_direction_words(piece)
        found = f"{the} {be} {turned}" if turned.startswith("facing") else f"{the} has the {turned}"
    return f"{found[0].upper()}{found[1 : cap - 1]}."


def parse_question_answer(question: PieceQuestion, text: str) -> str:
    """Return yes or no, a side, or a size; empty if the answer does not say it, is contradictory, or is
    about other pieces. Words after "not" are ignored."""
    said = tokenize_message(text)
    named = {kind for mention in find_mentions(said)[1] for kind in mention.kinds}
    if named and question.kind not in named:
        return ""
    plain = " ".join(said)
    if _NOTHING.search(plain) or (question.topic == "there" and _NO.search(plain)):
        return ABSENT
    if question.topic == "there":
        return "yes" if _YES.search(plain) else ""
    if "not" in said:
        said = said[: said.index("not")]
    if question.topic == "side":
        return next((_SIDES[word] for word in said if word in _SIDES), "")
    known = _SIZES if question.topic == "size" else {"left": "left", "right": "right"}
    found = {known[word] for word in said if word in known}
    return found.pop() if len(found) == 1 else ""


def complete_answer(question: PieceQuestion, text: str) -> str:
    """Return an answer as a whole sentence: "left" becomes "the dog is facing left". What names a piece, or
    is no answer, is returned as it is."""
    answer = parse_question_answer(question, text)
    if not answer or find_mentions(tokenize_message(text))[1]:
        return text
    the = piece_words.piece_with_the(piece_words.usual_piece_name(question.kind))
    if answer == ABSENT:
        return f"remove {the}"
    phrase = {"there": "there", "side": f"on the {answer}", "size": answer, "way": f"facing {answer}"}
    return f"{the} is {phrase[question.topic]}"


def question_side_range(side: str) -> tuple[float, float]:
    """Return the range of a side as shares of the width."""
    edge = position_phrases.MIDDLE / WIDTH
    return {"left": (-1.0, edge), "middle": (edge, 1 - edge), "right": (1 - edge, 2.0)}[side]
