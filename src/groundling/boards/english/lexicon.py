"""The words that people use for grids: synonyms, and phrases that are read as one word."""

from __future__ import annotations

import re

from msgspec import Struct

from groundling.boards.english.numbers import CARDINALS, ORDINALS


class WordToken(Struct, frozen=True):
    kind: str
    text: str = ""
    value: int = 0
    """A number or an ordinal; ordinals from the end are negative."""


PHRASES = [
    (re.compile(pattern, re.I), instead)
    for pattern, instead in (
        (
            r"\b(?:unlike|as opposed to|in contrast to|compared (?:to|with)) (?:(?:all|any|in|of) ){0,2}"
            r"(?:the )?others?\b(?: \w+)?",
            " ",
        ),
        (
            r"\bothers? (?:(?:grids?|ones|options?|pictures?|images?)\b|"
            r"(?:have|has|do|does|lack|don['’]t)\b)[^.;!?\n]{0,300}",
            " ",
        ),
        (r"\b(?:2nd|second|next)[- ](?:to|from)[- ](?:the[- ])?last\b|\blast but one\b", " penultimate "),
        (r"\b(?:3rd|third)[- ](?:to|from)[- ](?:the[- ])?last\b|\blast but two\b", " antepenultimate "),
        (r"\b(all|everything|everywhere|anything)((?: of)?(?: the)?(?: \w+)?) but\b", r" \1\2 except "),
        (r"\b(every|each) (row|column|cell|corner|letter|square|one) but\b", r" \1 \2 except "),
        (
            r"\b(?:apart from|aside from|other than|save for|with the exception of|but for|but not)\b",
            " except ",
        ),
        (
            r"\b(?:no|without|without any|zero|free of) (?:gaps?|holes?|blanks?|breaks?|"
            r"interruptions?|(?:empty|missing) \w+)\b",
            " gapless ",
        ),
        (r"\b(?:and |with |but )?nothing (?:else|(?:in )?between)\b", " only "),
        (r"\b(?:nothing|none|no \w+)(?: is| are)? (?:missing|lacking)\b|\bnot missing any\b", " gapless "),
        (r"\bevery (?:other|second)\b|\balternat(?:e|es|ing|ely)\b", " everyother "),
        (r"\b(?:as|so) (?:is|are|does|has|do|have)\b|\bsame (?:goes )?for\b|\blikewise\b", " same "),
        (
            r"\bfrom (?:the )?(?:top|left|start|side|end|one side) to "
            r"(?:the )?(?:bottom|right|end|side|other)\b|\bin a (?:row|line)\b",
            " ",
        ),
        (r"\b(?:both|either|each|the two) ends?\b", " ends "),
        (r"\bsquares of\b", " square of "),
        (r"\bbesides\b", " and "),
        (r"\b(?:start|begin)(?:s|ning|ing)? (?:from|at|in|on)\b|\bup of\b", " at "),
        (r"\b(?:start|begin)(?:s|ning|ing)? with\b", " starting "),
        (r"\b(?:end|finish)(?:s|es|ing)? (?:with|in)\b", " ending "),
        (
            r"\b(?:fill|complet|mark|occupi|popul)(?:s|ed|e|ated)(?: in| up)? (?:with|by)\b|"
            r"\bmade (?:up )?of\b",
            " filled ",
        ),
        (r"\b(?:whole|entire|full|complete) (?:grid|board|picture|image|thing)\b", " everything "),
        (r"\bhorizontal(?:ly)?(?: lines?| bars?| stripes?| strokes?)?\b", " rows "),
        (r"\bvertical(?:ly)?(?: lines?| bars?| stripes?| strokes?)?\b", " columns "),
        (
            r"\banti-? ?diagonal\b|\b(?:secondary|minor|counter|reverse|ascending|rising) diagonal\b",
            " rising ",
        ),
        (r"\b(?:main|principal|primary|leading|major|descending|falling) diagonal\b", " falling "),
        (r"\b(?:both|two)(?: of)?(?: the)?(?: main)? diagonals\b", " bothdiagonals "),
        (r"\bx[- ]shaped?\b", " saltire "),
        (r"(?<!\ba )(?<!\bbig )\bplus\b(?! (?:sign|shape|symbol))", " and "),
        (r"\bin total\b|\baltogether\b|\boverall\b|\ba total of\b|\btotal\b", " total "),
        (r"\bmost of\b", " "),
        (r"\bone more\b|\bone (?:fewer|less)\b", " more "),
    )
]
WORDS: dict[str, WordToken] = {word: WordToken("num", word, n) for n, word in enumerate(CARDINALS)}
WORDS |= {word: WordToken("ord", value=n) for n, word in enumerate(ORDINALS[1:13], 1)}
WORDS |= {
    "single": WordToken("num", value=1),
    "lone": WordToken("num", value=1),
    "pair": WordToken("num", value=2),
    "twenty": WordToken("num", value=20),
}
WORDS |= {word: WordToken("ord", value=-1) for word in ("last", "final")}
WORDS |= {
    "penultimate": WordToken("ord", value=-2),
    "antepenultimate": WordToken("ord", value=-3),
    "beginning": WordToken("ord", value=1),
    "start": WordToken("ord", value=1),
}
_KINDS = {
    "row": "row rows line lines",
    "column": "column columns col cols colum columnn",
    "cell": "cell cells box boxes position positions spot spots place places tile tiles field fields slot "
    "slots space spaces entry entries element elements squares item items",
    "letters": "letter letters character characters symbol symbols mark marks",
    "corner": "corner corners",
    "ends": "ends",
    "end": "end",
    "border": "border borders frame edges perimeter outline rim boundary",
    "edge": "side edge",
    "all": "all every each both entirely completely fully entire whole throughout",
    "everything": "everything everywhere",
    "full": "filled full complete completed solid occupied taken populated present intact marked covered "
    "fills gapless contains",
    "empty": "empty blank blanks missing misses gap gaps hole holes lacks lack lacking gone absent "
    "unfilled unoccupied unmarked nowhere vacant removed broken void empties",
    "not": "not isn aren doesn hasn never neither nor cannot don wasn",
    "no": "no without nothing none",
    "only": "only just exactly solely alone precisely",
    "except": "except excluding minus excepting",
    "other": "other others rest remaining remainder else otherwise elsewhere remain remains",
    "and": "and & + or also",
    "of": "of in at on from within along inside under",
    "to": "to through thru until",
    "then": "then followed",
    "verb": "is are has have having contain containing shows show reads read holds hold was were be it "
    "displays there",
    "break": "but while whereas although though however yet where",
    "with": "with",
    "which": "which",
    "same": "same too",
    "starting": "starting",
    "ending": "ending",
    "most": "most fullest",
    "fewest": "fewest least emptiest",
    "more": "more extra additional another less fewer",
    "like": "like form forms forming make makes making resembles resembling resemble shape shaped spells",
    "total": "total",
    "times": "times",
    "half": "half halves",
    "one": "ones",
    "everyother": "everyother",
    "odd": "odd",
    "even": "even",
    "diagonal": "diagonal diagonals diagonally",
    "falling": "falling",
    "rising": "rising",
    "bothdiagonals": "bothdiagonals",
    "comma": ", / :",
    "stop": ". ; ! ? \n",
}
for _kind, _listed in _KINDS.items():
    WORDS |= {word: WordToken(_kind, word) for word in _listed.strip(" ").split(" ") if word not in WORDS}
WORDS |= {"square": WordToken("square", "square")}
for _side, _listed in {
    "top": "top topmost upper uppermost highest",
    "bottom": "bottom bottommost lower lowermost lowest",
    "left": "left leftmost lefthand leftward",
    "right": "right rightmost righthand",
    "middle": "middle centre center central mid",
}.items():
    WORDS |= {word: WordToken("side", _side) for word in _listed.split()}
