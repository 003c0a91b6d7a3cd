"""Cuts plain words into phrases from left to right. At each position the first matching pattern wins: those
of columns and tiles, then those of colours, directions, relations, shapes, pronouns and verbs."""

from __future__ import annotations

import re

from msgspec import structs

from groundling.games.hexagons.players.parser.column_patterns import COLUMN_PATTERNS
from groundling.games.hexagons.players.parser.phrases import (
    COL,
    JOIN,
    AxisSelection,
    ColourPhrase,
    ColourSequencePhrase,
    ColumnsPhrase,
    CornerPhrase,
    HeadingPhrase,
    MaybePhrase,
    MiddlePhrase,
    Phrase,
    PhrasePatterns,
    PronounPhrase,
    RelationPhrase,
    ShapePhrase,
    TilesPhrase,
    UnreadableInstruction,
    VerbPhrase,
    WordPhrase,
    parse_phrase_picks,
)
from groundling.games.hexagons.players.parser.tile_patterns import TILE_PATTERNS

_PATTERNS = PhrasePatterns()


# Colours.


@_PATTERNS.add_pattern(
    rf"(?:with |and |has |have |having )?(?:a |an |the )?(?P<colour>{COL}) (?:middles?|center|interior)"
    r"(?: tiles?)?|(?:the |a |its |with a )?middles?(?: tiles?)? "
    rf"(?:is |are |of |in |as |painted |should be |will be |being |with )+(?P<colour2>{COL})"
)
def _middle_colour(match: re.Match[str]) -> MaybePhrase:
    name = match["colour"] or match["colour2"]
    return MiddlePhrase("white" if name == "blank" else name)


@_PATTERNS.add_pattern(
    r"(?:the |their |its |each |all ){0,4}(?:middle|interior|inside|inner)s?(?: tiles?| part| portion|"
    r" space)? of"
    r"(?: each| all| every| both)?(?: of)?(?= (?:the |these |those |this |that )?(?!grid|column|row|page))"
)
def _middle_of(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("inside")


@_PATTERNS.add_pattern(
    rf"(?:(?:with|in|using|as|of|being) )?(?:(?P<n1>\d+) )?(?P<c1>{COL})(?: tiles?)?"
    r"(?:(?:(?: ,)?(?: and)?(?: then)?"
    rf"(?: a)?|(?: to)) (?:(?:the )?next )?(?:\d+ )?{COL}(?: tiles?)?(?: again)?(?! "
    r"(?:tiles?|rings?|flowers?|lines?|columns?)? ?(?:from|with)))+"
    r"(?! (?:tiles?|rings?|flowers?|lines?|columns?))"
)
def _colour_sequence(match: re.Match[str]) -> MaybePhrase:
    runs = [(int(n or 1), colour) for n, colour in re.findall(rf"(?:(\d+) )?\b({COL})\b", match.group())]
    if not any(n for n, _ in runs):
        raise UnreadableInstruction("a sequence of no tiles")
    return ColourSequencePhrase(tuple((n, "white" if colour == "blank" else colour) for n, colour in runs))


@_PATTERNS.add_pattern(
    r"(?P<with>(?:with|using|use|in|switch to|switching to|choose|select|pick|grab|add)(?: the)?(?: color)?"
    rf" )?(?:the color )?(?P<colour>{COL})(?: color)?"
)
def _single_colour(match: re.Match[str]) -> MaybePhrase:
    name = match["colour"]
    return ColourPhrase("white" if name == "blank" else name, sticky=bool(match["with"]))


# Headings and relations.

_UP, _DOWN = "up|upwards|upper|top|north", "down|downwards|lower|bottom|south"
_SIDEWAYS = "left|right|leftwards|rightwards|leftward|rightward"
_DIAG = "(?: (?:diagonal|diagonally|at an angle))?"


@_PATTERNS.add_pattern(
    r"(?:(?:in|to|towards?|on|at)(?: the| its| a| an)? )?(?:diagonal |diagonally (?:, )?)?"
    rf"(?P<v>{_UP}|{_DOWN})(?: ,)?"
    rf"(?: and| &| then)?{_DIAG}(?: to| towards?)?(?: the| its)? (?P<h>{_SIDEWAYS})(?: direction| side| edge|"
    r" corner)?(?P<of> of(?! the grid| the board)| (?:edge of|side of))?(?! tiles? (?:of the grid))"
)
def _diagonal_heading(match: re.Match[str]) -> MaybePhrase:
    v = "up" if match["v"] in _UP.split("|") else "down"
    h = "left" if match["h"].startswith("left") else "right"
    where = match.group().split()[0]
    if "corner" in match.group() or (
        where in ("in", "at")
        and match["v"] not in ("up", "upwards", "down", "downwards")
        and "direction" not in match.group()
    ):
        return CornerPhrase("top" if v == "up" else "bottom", h)
    if " its " in match.group() or match.group().startswith("its "):
        return RelationPhrase(f"{v}-{h}", other=True)
    return RelationPhrase(f"{v}-{h}") if match["of"] and "of" in match["of"] else HeadingPhrase(f"{v}-{h}")


@_PATTERNS.add_pattern(
    rf"(?:(?:in|to|towards?|on)(?: the| its)? )?(?P<h>{_SIDEWAYS})(?: and| ,| &)?(?: diagonal| diagonally)?"
    r"(?: slightly)? (?P<v>up|upwards|down|downwards)(?: diagonal| diagonally)?(?P<of> of)?"
)
def _diagonal_side_first(match: re.Match[str]) -> MaybePhrase:
    return _diagonal_heading(match)


@_PATTERNS.add_pattern(r"(?:diagonal|diagonally)(?: (?:line|lines))? (?P<v>up|upwards|down|downwards)")
def _slope_heading(match: re.Match[str]) -> MaybePhrase:
    return HeadingPhrase("diagonal-up" if match["v"].startswith("up") else "diagonal-down")


@_PATTERNS.add_pattern(
    r"(?:directly |immediately |right |just |straight ){0,4}(?P<rel>above|below|on top of|atop|over top of)"
    r"(?: and (?:touching|to) )?"
)
def _vertical_relation(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("below" if match["rel"] == "below" else "above")


@_PATTERNS.add_pattern(
    r"(?:directly |immediately |just ){0,4}(?:on|to|at) (?:the )?(?:either|both|each|opposite)"
    r"(?: left and right)? sides?"
    r"(?: of)?|(?:directly |immediately |just ){0,4}(?:to|on) the (?:left and (?:to )?(?:the )?right|"
    r"right and (?:to )?(?:the )?left)(?: sides?)?(?: of)?"
)
def _both_sides(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("sides")


@_PATTERNS.add_pattern(
    r"(?:directly |immediately |right |just ){0,4}(?:to|on|off)(?: the| its| their)?(?: immediate| direct)? "
    r"(?P<h>left|right)(?! (?:columns?|rows?|tiles?|corner|vertical|\d))(?: hand)?(?: side| edge)?"
    r"(?P<of> of(?! the (?:grid|board|page)))?"
)
def _sideways_relation(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase(match["h"], other=bool(match["of"]))


@_PATTERNS.add_pattern(
    r"(?:that |which )?(?:are |is |lie )?(?:at (?:a )?distance (?:of )?)?(?:exactly |precisely |just )?"
    r"(?P<ring>\d+) "
    r"(?:steps?(?: away)?|tiles? away|away) from|at (?:a )?distance (?:of )?(?:exactly )?(?P<ring2>\d+) from|"
    r"(?:that |which )?(?:are |is |lie )?(?:at most|within|up to|no more than|not more than)"
    r"(?: a distance of)? (?P<disc>\d+) (?:steps?|tiles?)(?: away)? (?:from|of)"
)
def _distance_relation(match: re.Match[str]) -> MaybePhrase:
    far = match["ring"] or match["ring2"]
    return RelationPhrase(f"ring {far}" if far else f"disc {match['disc']}")


@_PATTERNS.add_pattern(
    r"(?:that |which )?(?:are |is )?(?:directly |immediately )?"
    r"(?:touching|surrounding|around|next to|connected to|all around|connecting to)"
    r"(?: (?:to|with|around|on))?(?: all)?(?: sides of)?"
)
def _touching_relation(match: re.Match[str]) -> MaybePhrase:
    text = match.group()
    return RelationPhrase(
        "around" if "around" in text or "surround" in text else "touching", other="surround" in text
    )


@_PATTERNS.add_pattern(r"(?:directly |right )?(?P<rel>between|inside|within|outside)(?: of)?")
def _inside_relation(match: re.Match[str]) -> MaybePhrase:
    return RelationPhrase("inside" if match["rel"] in ("inside", "within") else match["rel"])


@_PATTERNS.add_pattern(
    r"(?:straight |directly |vertically ){0,4}(?P<way>up|down|upwards|downwards)(?: vertically)?"
)
def _up_down(match: re.Match[str]) -> MaybePhrase:
    return HeadingPhrase("up" if match["way"].startswith("up") else "down")


@_PATTERNS.add_pattern(
    r"(?P<way>leftwards|rightwards|left to right|right to left|towards the (?:left|right))"
)
def _row_heading(match: re.Match[str]) -> MaybePhrase:
    way = match["way"]
    return HeadingPhrase("right" if way in ("rightwards", "left to right", "towards the right") else "left")


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


@_PATTERNS.add_pattern(
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


@_PATTERNS.add_pattern(r"(?P<word>it|itself|its|them|themselves|this|that|these|those|there|here|they|their)")
def _pronoun_word(match: re.Match[str]) -> MaybePhrase:
    return PronounPhrase(
        match["word"], match["word"] in ("them", "these", "those", "they", "their", "themselves")
    )


_VERBS = (
    "paint|making|make|add|skip|leave|repeat|mirror|connect|extend|continue|move|start|end|alternate|switch|"
    "count|locate|find|using|choose|rotate|shift|reverse|surrounding|do|erase|remove|change|turn"
)


@_PATTERNS.add_pattern(rf"(?P<verb>{_VERBS})")
def _verb_word(match: re.Match[str]) -> MaybePhrase:
    return VerbPhrase(match["verb"])


# An ordinal on its own stands for a tile of a column.


@_PATTERNS.add_pattern(
    rf"(?:the )?(?P<picks>#-?\d+(?:{JOIN} #-?\d+| to #-?\d+)*)(?! (?:columns?|rows?|steps?))"
)
def _bare_ordinal(match: re.Match[str]) -> MaybePhrase:
    return TilesPhrase(
        AxisSelection(parse_phrase_picks(match["picks"])),
        definite=True,
        plural=len(parse_phrase_picks(match["picks"])) > 1,
    )


_ALL_PATTERNS = [*COLUMN_PATTERNS, *TILE_PATTERNS, *_PATTERNS]


def scan_phrases(text: str) -> list[Phrase]:
    """Return the phrases of plain words; a word outside all phrases becomes a WordPhrase."""
    return _join_phrases(_cut_phrases(text))


_LINKS = (",", "and", "then", "in", "on", "of", "at", "for", "the", "also", "to")


def _join_phrases(chunks: list[Phrase]) -> list[Phrase]:
    """Merge lists of columns, and read "3 tiles down" after a column as the position of a tile."""
    made: list[Phrase] = []
    for at, chunk in enumerate(chunks):
        before = len(made)
        while before and isinstance(link := made[before - 1], WordPhrase) and link.text in _LINKS:
            before -= 1
        last = made[before - 1] if before else None
        links = [link.text for link in made[before:] if isinstance(link, WordPhrase)]
        if (
            isinstance(chunk, ColumnsPhrase)
            and isinstance(last, ColumnsPhrase)
            and chunk.relative in (None, "sides")
            and ("and" in links or "," in links)
            and not (links and links[-1] == "to")
        ):
            made[before - 1 :] = [structs.replace(last, more=(*last.more, chunk))]
        elif (
            isinstance(chunk, HeadingPhrase)
            and chunk.name in ("up", "down")
            and isinstance(last := chunks[at - 1] if at else None, TilesPhrase)
            and last.count
            and last.axis is None
            and not last.colours
            and not last.next
            and _after_columns(made[:-1])
        ):
            made[-1] = TilesPhrase(
                AxisSelection((("at", last.count, 0),), "top" if chunk.name == "down" else "bottom"),
                definite=True,
            )
        else:
            made.append(chunk)
    return made


def _after_columns(made: list[Phrase]) -> bool:
    while made and (
        (isinstance(link := made[-1], WordPhrase) and link.text in (",", "and", "then", "the", "at", "over"))
        or (isinstance(link, VerbPhrase) and link.name in ("count", "move"))
    ):
        made = made[:-1]
    return bool(made) and isinstance(made[-1], ColumnsPhrase)


def _cut_phrases(text: str) -> list[Phrase]:
    chunks: list[Phrase] = []
    at = 0
    while at < len(text):
        for pattern, make in _ALL_PATTERNS:
            match = pattern.match(text, at)
            if match and match.end() > at:
                made = make(match)
                if made is not None:
                    chunks.append(made)
                    at = match.end()
                    break
        else:
            end = text.find(" ", at)
            end = len(text) if end < 0 else end
            chunks.append(WordPhrase(text[at:end]))
            at = end
        at += 1
    return chunks
