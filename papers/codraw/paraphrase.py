"""Paraphrases of messages: other names for things, other words for sizes, places and faces, and clauses in
another order. A listener who understands English loses nothing by it; a pair that has agreed on a codebook
does.

All names and wordings are ones that people use for CoDraw's scenes. Nothing ambiguous is replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from groundling.games.codraw.players.grammar.lexicon import LEXICON, LONGEST
from groundling.games.codraw.players.grammar.phrases import PHRASE_BLOCKS

_TOKEN = re.compile(r"n't|'\w+|\w+?(?=n't)|\w+|[^\w\s]")
_NAMES = """
mike, boy
jenny, girl
airplane, plane
helicopter, copter
hot air balloon, air balloon
rocket, rocket ship
lightning cloud, thunder cloud
rain cloud, rainy cloud
plain cloud, regular cloud, normal cloud
swing, swing set
sandbox, sand box
grill, bbq, bbq grill
table, picnic table
pine tree, pine
oak tree, bushy tree
bee, bee toy, spring bee
pail, bucket
racket, tennis racket
bat, baseball bat
burger, hamburger
soda, drink
glove, mitt, baseball glove
fire, campfire
hot dog, hotdog
witch hat, wizard hat
viking hat, viking helmet
rainbow hat, colorful hat, propeller hat
sunglasses, shades
purple glasses, purple shades
star hat, baseball cap
ketchup, ketchup bottle
mustard, mustard bottle
winter hat, knit hat
chef hat, chefs hat
"""
_WORDINGS = """
large, big / size
small, small size / size
medium, medium size / size
angry, mad
surprised, shocked
in the middle, in the center
on the left side, on the left, on left side, on left / end
on the right side, on the right, on right side, on right / end
top left, upper left
top right, upper right
bottom left, lower left
bottom right, lower right
next to, beside
just below, just under
underneath, under
close to, near
facing, looking / side
faces, looks / side
horizon, horizon line
1 inch, an inch, one inch
half inch, half an inch
2 inches, two inches
3 inches, three inches
a little, a little bit, a bit, slightly / little
arms up, hands up
arms out, hands out
sitting cross legged, sitting with legs crossed
there is, there 's
is holding, holds
is wearing, wears
almost, nearly
about, around / amount
"""
_SIDES = "left right to towards"
_ENDS = ", . ; and facing looking with is of in at about just near touching half"
_LITTLE = "cut above below to under over up down higher lower off more left right touching behind away out"
_AMOUNTS = "1 2 3 4 an one two three half a"
_NOT_SIZED = (
    "smile grin mouth bit part amount space portion gap sliver distance teeth size sized piece corner"
)
_PEOPLE = ("mike", "jenny")
_BACKWARD = (
    "it its he she his her him they them their that this these those same other both each all none no not"
)
_BACK_REFERENCES = frozenset(_BACKWARD.split(" "))
"""Words that refer back. A part with one of them keeps its place."""
_PART = re.compile(PHRASE_BLOCKS["PART"])
_VOWELS = frozenset("aeiou")


def _parse_groups(table: str) -> Iterator[tuple[list[tuple[str, ...]], str]]:
    for line in table.strip().splitlines():
        names, _, rule = line.partition("/")
        yield [tuple(name.split()) for name in names.split(",")], rule.strip()


NAMES: Mapping[tuple[str, ...], list[tuple[str, ...]]] = {
    name: group for group, _ in _parse_groups(_NAMES) for name in group
}
WORDINGS: Mapping[tuple[str, ...], tuple[list[tuple[str, ...]], str]] = {
    name: (group, rule) for group, rule in _parse_groups(_WORDINGS) for name in group
}
_LONGEST = max(map(len, WORDINGS))
_FOLLOWED = {"end": frozenset(_ENDS.split()) | {""}, "side": frozenset(_SIDES.split())}
_FOLLOWED |= {"little": frozenset(_LITTLE.split()), "amount": frozenset(_AMOUNTS.split())}


def paraphrase_text(text: str, rng: Random) -> str:
    """Paraphrase a message in lower case, tokens separated by blanks, as the published messages are."""
    words = _TOKEN.findall(text.lower())
    return " ".join(_reorder_sentences(_replace_wordings(_replace_names(words, rng), rng)))


def _replace_names(words: Sequence[str], rng: Random) -> list[str]:
    """Replace names of pieces. The longest name that starts at a word wins, and not every name has
    alternatives."""
    found: list[str] = []
    at = 0
    while at < len(words):
        size = next((n for n in range(LONGEST, 0, -1) if tuple(words[at : at + n]) in LEXICON), 0)
        name = tuple(words[at : at + size])
        if name in NAMES:
            _append_name(found, rng.choice([other for other in NAMES[name] if other != name]))
        else:
            found += words[at : at + max(size, 1)]
        at += max(size, 1)
    return found


def _append_name(found: list[str], name: Sequence[str]) -> None:
    """Append a name and adapt the article before it; Mike and Jenny take none."""
    if not found:
        pass
    elif name[0] in _PEOPLE and found[-1] in ("a", "an", "the"):
        found.pop()
    elif found[-1] in ("a", "an"):
        found[-1] = "an" if name[0][0] in _VOWELS else "a"
    found += name


def _replace_wordings(words: Sequence[str], rng: Random) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(words):
        size = next((n for n in range(_LONGEST, 0, -1) if _matches_wording(words, at, n)), 0)
        if size:
            name = tuple(words[at : at + size])
            _append_name(found, rng.choice([other for other in WORDINGS[name][0] if other != name]))
        else:
            found.append(words[at])
        at += max(size, 1)
    return found


def _matches_wording(words: Sequence[str], at: int, size: int) -> bool:
    name = tuple(words[at : at + size])
    if len(name) < size or name not in WORDINGS:
        return False
    rule, following = WORDINGS[name][1], words[at + size] if at + size < len(words) else ""
    if rule == "size":
        return following not in _NOT_SIZED.split()
    return not rule or following in _FOLLOWED[rule]


def _reorder_sentences(words: Sequence[str]) -> list[str]:
    """Rotate sentences that do not depend on each other, and the clauses about one thing within a
    sentence."""
    sentences = [_reorder_clauses(sentence) for sentence in _split_at(words, ".")]
    if len(sentences) > 1 and all(
        _is_self_contained(one) and _names_piece(one) and not any(map(_PART.fullmatch, one))
        for one in sentences
    ):
        sentences = _rotate_parts(sentences)
    joined = [word for sentence in sentences for word in (".", *sentence)][1:]
    return [*joined, "."] if words and words[-1] == "." else joined


def _reorder_clauses(sentence: list[str]) -> list[str]:
    first, *others = _split_at(sentence, ",")
    if (
        len(others) < 2
        or not _names_piece(first)
        or not all(_is_self_contained(part) and not _names_piece(part) for part in others)
    ):
        return sentence
    return [*first, *(word for part in _rotate_parts(others) for word in (",", *part))]


def _rotate_parts(parts: Sequence[list[str]]) -> list[list[str]]:
    return [*parts[1:], parts[0]]


def _split_at(words: Sequence[str], mark: str) -> list[list[str]]:
    """Split at a mark, without an empty last part."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == mark:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if parts[-1] or len(parts) == 1 else parts[:-1]


def _is_self_contained(words: Sequence[str]) -> bool:
    """Tell whether nothing in the words refers back."""
    return bool(words) and not _BACK_REFERENCES.intersection(words)


def _names_piece(words: Sequence[str]) -> bool:
    """Tell whether the words name a piece."""
    runs = (tuple(words[at : at + n]) for at in range(len(words)) for n in range(1, LONGEST + 1))
    return any(run in LEXICON and LEXICON[run].how in ("name", "family") for run in runs)
