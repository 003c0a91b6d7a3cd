"""Patterns for named shapes, pronouns, verbs and bare numbers."""

from __future__ import annotations

import re

from groundling.games.hexagons.players.parser.chunks import (
    AxisSelection,
    PronounPhrase,
    ShapePhrase,
    TilesPhrase,
    VerbPhrase,
)
from groundling.games.hexagons.players.parser.phrases.pieces import (
    COL,
    JOIN,
    MaybePhrase,
    PhrasePatterns,
    parse_picks,
)

PATTERNS = PhrasePatterns()


_SHAPES = (
    "flower|hexring|ring|triangle|line|diagonal|diamond|rhombus|bowtie|arrow|caterpillar|pattern|shape|"
    "stripe|star|snowflake|"
    "v|x|angle|chevron|spiral|square|rectangle|oval|cross|zigzag|wave|sequence|trio|pair|group|set|row|image|"
    "motif|section|pillar|worm|stem|o|w"
)
_WHICH = (
    "#-?\\d+|next|previous|original|top|bottom|left|right|middle|leftmost|rightmost|topmost|bottommost|last|"
    "same|other|new|entire|whole"
)
_BEFORE = "filled|hollow|small|large|big|full|complete|straight|vertical|horizontal|diagonal"
_AFTER = (
    "straight|solid|small|smaller|larger|large|big|vertical|horizontal|complete|full|filled|painted|single|"
    "upside down|similar|"
    "parallel|hollow|tile|outer|inner|little|closed|short|long|diagonal|line|flower|triangle|v|x|ring|paint|"
    "reverse|reversed|diamond|shaped|wavy|curved"
)


@PATTERNS.add_pattern(
    r"(?:(?P<quant>all|each|every|both)(?: of)? )?(?:(?P<det>the|this|that|these|those|a|an|another|same)"
    r" ){0,4}(?:(?P<count>\d+|single|double) )?"
    rf"(?P<order>(?:{_WHICH}) ){{0,4}}(?:(?P<more>more|other|additional|new|of these|of the same|similar|"
    rf"identical) ){{0,4}}(?:(?:{_BEFORE}) ){{0,4}}(?P<colours>{COL}(?:(?: and| or| ,|/)? {COL}){{0,4}} )?"
    rf"(?:(?:(?P<size>\d+) (?:tiled?|sided|tile long) )|(?:{_AFTER}) ){{0,4}}"
    rf"(?:' |\" )?(?P<noun>{_SHAPES})(?P<s>s|es)?(?: '| \")?(?: (?P<noun2>shape|pattern|line)s?)?"
)
def _shape_by_name(match: re.Match[str]) -> MaybePhrase:
    noun, count, quant = match["noun"], match["count"], match["quant"]
    words = match.group().split()
    if noun in ("line", "shape", "pattern") and noun != words[0]:
        noun = next(
            (
                word
                for word in words
                if word in ("diagonal", "flower", "triangle", "v", "x", "ring", "diamond", "zigzag", "bowtie")
                and word != noun
            ),
            noun,
        )
    plural = bool(match["s"]) or ((count or "").isdigit() and count != "1")
    if words[0] == "paint":
        return None
    if noun == "row" and (
        (not match["det"] and not match["colours"] and not match["order"])
        or match.string[match.end() :].startswith((" 1", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9"))
    ):
        return None
    if (
        noun in ("v", "x", "o", "w")
        and "shape" not in words
        and not match["det"]
        and not match["colours"]
        and '"' not in words
        and "'" not in words
    ):
        return None
    return ShapePhrase(
        noun,
        plural=plural,
        definite=match["det"] in ("the", "this", "that", "these", "those", "same"),
        colours=tuple(re.findall(rf"\b{COL}\b", match["colours"] or "")),
        count=int(count) if count and count.isdigit() else None,
        size=int(match["size"]) if match["size"] else None,
        order=(match["order"] or "").strip() or None,
        each=quant in ("each", "every", "all", "both"),
        vertical="vertical" in words,
        words=tuple(words),
    )


@PATTERNS.add_pattern(r"(?P<word>it|itself|its|them|themselves|this|that|these|those|there|here|they|their)")
def _pronoun_word(match: re.Match[str]) -> MaybePhrase:
    return PronounPhrase(
        match["word"], match["word"] in ("them", "these", "those", "they", "their", "themselves")
    )


_VERBS = (
    "paint|making|make|add|skip|leave|repeat|mirror|connect|extend|continue|move|start|end|alternate|switch|"
    "count|locate|find|using|choose|rotate|shift|reverse|surrounding|do|erase|remove|change|turn"
)


@PATTERNS.add_pattern(rf"(?P<verb>{_VERBS})")
def _verb_word(match: re.Match[str]) -> MaybePhrase:
    return VerbPhrase(match["verb"])


# An ordinal on its own stands for a tile of a column.


@PATTERNS.add_pattern(
    rf"(?:the )?(?P<picks>#-?\d+(?:{JOIN} #-?\d+| to #-?\d+)*)(?! (?:columns?|rows?|steps?))"
)
def _bare_ordinal(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(
        AxisSelection(parse_picks(match["picks"])), definite=True, plural=len(parse_picks(match["picks"])) > 1
    )
