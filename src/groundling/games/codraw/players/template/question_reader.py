"""Reads what people ask about a scene, clause by clause: the topic, the pieces, the values to be checked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from groundling.boards.english.text_tables import read_table_entries
from groundling.boards.scene import CATEGORIES, PEOPLE, Scene
from groundling.games.codraw.players.grammar.lexicon import Mention
from groundling.games.codraw.players.grammar.mention_finder import find_mentions
from groundling.games.codraw.players.grammar.tokenizer import tokenize_message

MOST_TOPICS = 2
"""The number of topics that one clause can ask about."""
_ENDS = frozenset(("?", ".", "!", ";"))
_THERE = re.compile(
    r"\b(?:is|are|was) there (?:a |an |any |some |also |still |the |only |no |one |1 |maybe |another )*@"
    r"|\bthere (?:is|are) (?:a |an |any )?@|\bany @|\bdo (?:you|we) (?:see|have)\b"
    r"|^(?:a |an |the |no |and |what about |how about |and the )*@\d+(?: or no)?$"
    r"|@\d+ in (?:the |this )?(?:scene|picture|image|pic)\b"
)
_KIND = re.compile(
    r"\b(?:what|which) (?:kind |type |sort |color |colour |colored )(?:of |is |are )?(?:the |a )*@"
    r"|\b(?:what|which) @\d+(?! (?:is|are|side|size|face|facing))|\b(?:what|which) one\b"
)
_MERE_RIGHT = re.compile(
    r"\bright (?=in |at |on the (?:edge|horizon|line)|next |above |below |under |beside |behind |there)"
)
_TAG = re.compile(r"(?:(?<=,)|(?<=tioned)|(?<=placed)) right$")
"""A closing "right?" that is no side."""
_PART = re.compile(
    r"\b(?:left|right|top|bottom|middle|end|side|edge|center|part|half|tip) (?:\w+ )?of "
    r"(?:the |his |her )?@|@\d+ 's\b"
)
"""A part of a piece: its side is not the side of the piece."""
_SEEN = re.compile(r"\bsee (?:all|any|the top|the bottom|top|bottom|much|the whole|whole|the entire)\b")
_SEVERAL = re.compile(r"\b(?:are|is) there (?:two|2|three|3|more than|multiple|both)\b")
_SIDES_ONLY = frozenset(["left", "right", "or", "more", "to", "the", "side", "facing", "is", "it"])
_BIG_SMILE = re.compile(r"\b(?:big|wide|large|small|smallish|little) (smiles?|smiling|grin|mouth)\b")
_EACH_OTHER = re.compile(r"\b(?:each|one an)? ?other\b|\bback to back\b|\baway\b")
_TOWARD = re.compile(
    r"\b(?:facing|looking|faces|face|pointing|towards|toward|look)(?: at| to| toward| towards)* "
    r"(?:the )?@(\d+)"
)
_ORDERS = {
    "left": re.compile(r"\bleft (?:side )?of (?:the )?@"),
    "right": re.compile(r"\bright (?:side )?of (?:the )?@"),
    "above": re.compile(r"\b(?:above|over|higher than) (?:the )?@"),
    "below": re.compile(r"\b(?:below|under|beneath|underneath|lower than) (?:the )?@"),
    "near": re.compile(r"\b(?:next to|beside|near|by|close to) (?:the )?@"),
}
_RELATED = re.compile(r"\b(?:relation|compared|relative|from|to|between)\b.*@")
_SPOT = re.compile(r"\b(?:in|on) (?:the )?(sky|left|right|grass|ground)\b")
_ANYTHING = re.compile(
    r"\b(?:anything|something|any (?:things|objects|items)|what is|what 's|whats|what else is|what are)\b"
)


class SceneQuestion(Struct, frozen=True):
    """One thing that a clause asks, about one or more kinds."""

    topic: str
    kinds: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """The values that it names, if it asks whether they are true."""
    others: tuple[str, ...] = ()
    """The kinds to which the first ones are related."""
    words: frozenset[str] = frozenset()


def _read_words(prefix: str) -> dict[str, str]:
    rows = read_table_entries(__package__, "vocabulary/question_words.txt")
    return {key.removeprefix(prefix): " ".join(lines) for key, lines in rows if key.startswith(prefix)}


_LISTS = {name: frozenset(text.split()) for name, text in _read_words("words ").items()}
_FILLERS, _OPENERS, _MODALS, _OPEN_WORDS = (_LISTS[name] for name in ("fillers", "openers", "modals", "open"))
_TOPICS = {topic: frozenset(text.split()) for topic, text in _read_words("topic ").items()}
_VALUES = {tuple(key.split()): frozenset(text.split()) for key, text in _read_words("value ").items()}
_GROUPS = {
    word: tuple(kind for name in key.split() for kind in CATEGORIES[name])
    for key, text in _read_words("group ").items()
    for word in text.split()
}
_ACTS = {act: re.compile(text) for act, text in _read_words("act ").items()}


def read_questions(text: str, scene: Scene, context: Sequence[str]) -> list[SceneQuestion]:
    """Read the questions of a message. `context` has the kinds mentioned before, the latest message's first.

    Topics are those of the word table, or: there, list, toward, order, about (all of a piece), and the acts
    next, repeat, explain, check, chat; unknown if it is none of these."""
    found: list[SceneQuestion] = []
    about = tuple(kind for kind in context if kind in scene.by_kind)
    for clause in _asked_clauses(tokenize_message(text)):
        if found and found[-1].topic == "way" and _SIDES_ONLY.issuperset(clause):
            continue
        read = list(_read_clause(clause, scene, about))
        found += read
        about = next((one.kinds for one in reversed(read) if one.kinds), about)
    facts = [one for one in found if one.topic not in _ACTS and one.topic != "unknown"]
    closer = {kind for one in facts if one.topic not in ("there", "about") for kind in one.kinds}
    facts = [one for one in facts if one.topic not in ("there", "about") or not closer & set(one.kinds)]
    return facts or found


def _asked_clauses(tokens: Sequence[str]) -> Iterator[list[str]]:
    """Yield the clauses that end with a question mark or begin like a question, without leading fillers."""
    clause: list[str] = []
    marked = "?" in tokens
    for at, token in enumerate([*tokens, "."]):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        splits = token in ("and", ",") and following in _OPENERS and len(clause) > 1
        if token not in _ENDS and not splits:
            clause.append(token)
            continue
        start = next((n for n, word in enumerate(clause) if word not in _FILLERS), max(len(clause) - 1, 0))
        bare, clause = clause[start:], []
        if bare and (token == "?" or bare[0] in _OPENERS or (splits and marked)):
            modal = token != "?" and bare[0] in _MODALS
            if not modal or any(form.search(" ".join(bare)) for form in _ACTS.values()):
                yield bare
        elif bare and not marked and (_ACTS["repeat"].search(" ".join(bare)) or len(clause) < 2):
            yield bare


def _read_clause(clause: Sequence[str], scene: Scene, about: tuple[str, ...]) -> Iterator[SceneQuestion]:
    text, mentions = find_mentions(clause)
    text = _TAG.sub("", _MERE_RIGHT.sub("", _BIG_SMILE.sub(r"\1", text)))
    words = frozenset(text.split())
    named = [_mentioned_kinds(one, scene, about) for one in mentions]
    real = [
        kinds
        for one, kinds in zip(mentions, named, strict=True)
        if one.how not in ("it", "that", "they", "all")
    ]
    group = next((_GROUPS[word] for word in text.split() if word in _GROUPS), ())
    topics = _find_topics(text, words)
    if named and _has_thing(words, named):
        topics = ["had"]
    act = next((name for name, form in _ACTS.items() if form.search(text)), "")
    if spot := _ANYTHING.search(text) and _SPOT.search(text):
        yield SceneQuestion("list", (), (spot[1],))
        return
    if group and not (topics and topics[0] not in ("count", "where", "kind")):
        yield SceneQuestion("count" if "many" in words else "list", group)
        return
    if act and not (real and (topics or act == "check")) and not (act == "next" and "cut" in topics):
        yield SceneQuestion(act)
        return
    kinds = _first_pieces([*named, group] if group else named)
    subjects = kinds or about
    if relation := _read_relation(text, words, named, subjects):
        yield relation
        return
    if _SEVERAL.search(text) and kinds:
        yield SceneQuestion("count", kinds)
        return
    if _KIND.search(text) and mentions and (meant := mentions[0].kinds or subjects):
        yield SceneQuestion("kind", meant, words=words)
        return
    if not topics:
        if real and (_THERE.search(text) or " or " in f" {text} "):
            yield SceneQuestion(
                "there", tuple(dict.fromkeys(kind for one in named for kind in one)), words=words
            )
        elif real and "there" not in words:
            yield SceneQuestion("about", kinds, words=words)
        elif act or ("".join(clause).isalpha() and len(clause) < 2):
            yield SceneQuestion(act or "next")
        else:
            yield SceneQuestion("unknown", words=words)
        return
    topics = list(dict.fromkeys("where" if topic == "touch" else topic for topic in topics))
    for topic in topics[:MOST_TOPICS]:
        yield SceneQuestion(topic, subjects, _named_values(topic, text, words), words=words)


def _find_topics(text: str, words: Collection[str]) -> list[str]:
    found = [topic for topic, known in _TOPICS.items() if known & set(words)]
    if _SEEN.search(text):
        return ["cut"]
    if "face" in words and "way" in found and ("face" in found or "what" in words or "his" in words):
        found.remove("way")
        found = [*found, "face"] if "face" not in found else found
    turned = {"look", "looks"} & set(words) and not {"left", "right", "way", "direction"} & set(words)
    if "way" in found and (turned or ("like" in words and "looking" in words)):
        found.remove("way")
    if "pose" in found and "hand" in words and {"which", "what"} & set(words) and "doing" not in words:
        found[found.index("pose")] = "had"
    if "had" in found and "pose" in found and not {"doing", "sitting", "standing"} & set(words):
        found.remove("pose")
    if "face" in found and "pose" in found and "doing" not in words and not _pose_values(words):
        found.remove("pose")
    if "where" in found and len(found) > 1:
        plain = {"where", "position", "located", "horizon", "edge", "far", "location"} & set(words)
        if not plain or found[0] in ("way", "cut", "count"):
            found.remove("where")
    if "kind" in found or ("count" in found and len(found) > 1):
        found = [topic for topic in found if topic != "kind" and topic != "count"] or found
    return found


def _has_thing(words: Collection[str], named: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether a clause asks if a person has a thing, or which hand has it."""
    things = any(not set(kinds) & set(PEOPLE) for kinds in named)
    owners = any(set(kinds) & set(PEOPLE) for kinds in named)
    hand = {"hand", "hands", "arm"} & set(words)
    return things and bool((owners and {"have", "has"} & set(words)) or (hand and not owners))


def _pose_values(words: Collection[str]) -> bool:
    return any(key[0] == "pose" and known & set(words) for key, known in _VALUES.items())


def _named_values(topic: str, text: str, words: Collection[str]) -> tuple[str, ...]:
    """Return the values to be checked; none if the clause asks openly or offers a choice."""
    first = text.split()[0] if text else ""
    if topic == "where" and (_PART.search(text) or {"left", "right"} <= set(words)):
        return ()
    if " or " in f" {text} " or first in _OPEN_WORDS or _OPEN_WORDS & set(text.split()[:3]):
        return ()
    found = [key[1] for key, known in _VALUES.items() if key[0] == topic and known & set(words)]
    return (*found, *(("not",) if {"not", "no"} & set(words) else ()))


def _read_relation(
    text: str, words: Collection[str], named: Sequence[tuple[str, ...]], subjects: tuple[str, ...]
) -> SceneQuestion | None:
    """Read a question about two pieces: one faces, touches or stands beside the other."""
    asks = "or" not in words
    if {"facing", "face", "looking"} & set(words) and _EACH_OTHER.search(text):
        value = "away" if "away" in words or "back" in words else "each"
        return SceneQuestion("toward", PEOPLE[:1], (value,), PEOPLE[1:])
    if (found := _TOWARD.search(text)) and subjects:
        others = named[int(found[1])]
        kinds = named[0] if int(found[1]) else tuple(kind for kind in subjects if kind not in others)
        if kinds and others and kinds != others:
            return SceneQuestion("toward", kinds[:1], ("toward",) if asks else (), others[:1])
    pairs = [one for one in named if one]
    if len(pairs) == 1 and set(PEOPLE) <= set(pairs[0]):
        pairs = [PEOPLE[:1], PEOPLE[1:]]
    if len(pairs) < 2 and not (pairs and subjects and pairs[0] != subjects):
        return None
    one, other = (pairs[0], pairs[-1]) if len(pairs) > 1 else (subjects, pairs[0])
    if set(one) & set(other):
        return None
    if {"touching", "touch", "touches", "overlap", "overlapping", "overlaps"} & set(words):
        return SceneQuestion("touch", one[:1], ("touch",), other[:1])
    if {"covering", "cover", "covers", "front", "behind", "covered"} & set(words):
        value = "behind" if {"behind", "covered"} & set(words) else "front"
        return SceneQuestion("touch", one[:1], (value,), other[:1])
    orders = tuple(name for name, form in _ORDERS.items() if form.search(text))
    if orders and not {"size", "facing"} & set(words):
        openly = not asks or len(orders) > 1 or _OPEN_WORDS & set(text.split()[:2])
        return SceneQuestion("order", one[:1], () if openly else orders, other[:1])
    if {"where", "far", "high", "level"} & set(words) and _RELATED.search(text):
        return SceneQuestion("order", one[:1], (), other[:1])
    return None


def _first_pieces(named: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for kinds in named for kind in kinds))


def _mentioned_kinds(mention: Mention, scene: Scene, about: tuple[str, ...]) -> tuple[str, ...]:
    """Return the kinds of the scene that a mention can mean, or its first kind if none is in the scene."""
    if mention.how in ("it", "that"):
        return about[:1]
    if mention.how == "they":
        both = tuple(kind for kind in PEOPLE if kind in scene.by_kind)
        return about if len(about) > 1 and not set(about) & set(PEOPLE) else both or about
    there = tuple(kind for kind in mention.kinds if kind in scene.by_kind)
    latest = tuple(kind for kind in there if kind in about)
    if mention.how == "family" and latest:
        return latest
    return there or mention.kinds[:1]


def mentioned_context(messages: Sequence[str], scene: Scene) -> tuple[str, ...]:
    """Return the kinds that messages name, the latest message's first; of one message, in its order."""
    for text in reversed(messages):
        kinds = [
            kind
            for mention in find_mentions(tokenize_message(text))[1]
            for kind in mention.kinds
            if kind in scene.by_kind
        ]
        if kinds:
            return tuple(dict.fromkeys(kinds))
    return ()
