"""Words and phrases that only instructions use: verbs, and how to draw rather than what is there."""

from __future__ import annotations

import re

from groundling.boards.english.lexicon import WordToken
from groundling.boards.english.numbers import CARDINALS, ORDINALS

_VERB = (
    "put place fill draw write add set make paint insert mark color colour print enter type use clear erase "
    "remove delete leave change replace turn take"
).replace(" ", "|")
_LINE = r"(?:row|col(?:umn)?|line)s?"
_NTH = dict(zip(CARDINALS[1:5], ORDINALS[1:5], strict=True))

COMMAND_PHRASES = [
    (re.compile(pattern, re.I), instead)
    for pattern, instead in (
        (r"\b(?:i\.e|e\.g)\.,?", " "),
        (r"(?<!\w)[\"'“”‘’`*]+([A-Za-z])[\"'“”‘’`*]+(?!\w)", r"\1"),
        (r"(?:^|(?<=\n))[ \t]*(?:step )?(?:\d{1,2}|[a-z])[.):](?=\s)", " "),
        (
            r"(?:^|(?<=[.;!?\n]))\s*(?:first|second|third|fourth|last)(?:ly)?(?: of all)?"
            rf"(?:,|(?= (?:{_VERB})\b))",
            " ",
        ),
        (r"\b(?:start|begin)(?: off)? by\b|\bto (?:start|begin)(?: with)?,", " "),
        (r"\bstart (?:off )?with an? (?:empty|blank) grid\b", " "),
        (r"\bstart (?:over|again|afresh|from scratch)\b|\breset\b", " startover "),
        (r"\b(?:get rid of|take (?:away|out|off)|blank out|rub out)\b", " clear "),
        (r"\bclean\b(?! (?:the|row|col|up|out|all|every))", " "),
        (
            r"\b(?:leave|leaving) out\b|\b(?:skip|omit|ignor|avoid)(?:ping|ting|ing|e)?\b|\bnot including\b",
            " except ",
        ),
        (r"\bwithout\b|\bbut (?:leave|leaving) out\b|\bexcept (?:for|in|at|on|that)\b", " except "),
        (r"\bas (?:it is|they are|is|before)\b", " untouched "),
        (r"\bright (?=(?:in|at|on|above|below|under|next|through|across|here|there)\b)", " "),
        (
            r"\bfrom (?:one |each )?(?:corner|edge|side|end) to "
            r"(?:the )?(?:other |opposite )?(?:corner|edge|side|end)\b",
            " ",
        ),
        (r"\b(?:both |the )?(?:two )?outer(?:most)? (columns|rows)\b", r"first and last \1"),
        (r"\baround (?:the )?(?:whole|entire|outside of the) (?:grid|board|canvas)\b", " border "),
        (
            r"\b((?:draw|make|form|create|write)\s+(?:an?|the)\s+(?:(?:big|large|giant|capital|letter|huge|block)\s+)*[A-Z])"
            r"(?:\s+shape)?\s+(?:using|with|out of|made of|from)"
            r"(?=\s+(?:the letters?\s+)?[A-Z](?:['’]?s)?\b)",
            r"\1 shape with",
        ),
        (r"\bas well\b", " too "),
        (r",? \bbut only\b", " in "),
        (r"\bcop(?:y|ies)\b|\brepeat\b|\bduplicate\b", " copy "),
        (r"( copy\s+(?:\w+\s+){1,4})(?:in|on)?to\b", r"\1onto"),
        (
            r"\b(one|two|three|four|\d) (?:cells?|squares?|spaces?|steps?|places?) (?:in )?"
            r"from (?:the )?(left|right|top|bottom)\b",
            lambda m: f"{_NTH.get(m[1].lower(), m[1] + 'th')} cell from the {m[2]}",
        ),
        (r"\b(?:the )?(?:same|identical|equal|exactly) (?:as|to|like)\b|\blooks? like\b", " alike "),
        (r"\b(?:the )?same (?:thing |letter )?(?:(?:with|to|in|for|at|on|along|down)\b)?", " same "),
        (rf"\b({_LINE})\s?[=:#]\s?(?=\d)", r"\1 "),
        (rf"\b({_LINE} \d{{1,2}})\s?:\s?(?=\d)", r"\1 cells "),
        (r"\b(\d{1,2})[ -](?:by|x|×)[ -](\d{1,2})\b", r"\1x\2"),
        (
            r"\b(two|three|four)[ -]by[ -](two|three|four)\b",
            lambda m: f"{CARDINALS.index(m[1].lower())}x{CARDINALS.index(m[2].lower())}",
        ),
        (r"\[\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\]", r"(\1,\2)"),
        (r"\(\s*r(?:ow)? ?(\d{1,2})\s*,\s*c(?:ol(?:umn)?)? ?(\d{1,2})\s*\)", r"(\1,\2)"),
        (
            r"\bouter(?:most)? (?:ring|edges?|cells?|border|frame|layer|squares?|boundary|perimeter)\b",
            " border ",
        ),
        (r"\b(?:inner|second) (?:ring|frame|border|layer)\b", " innerring "),
        (
            r"\bthe inside\b|\b(?:inner|inside) (?:part|cells|area|squares|region)\b|\binterior\b",
            " interior ",
        ),
        (
            r"\ball (?:four )?(?:sides|edges)\b|"
            r"\baround (?:the )?(?:edges?|outside|sides|grid|board|canvas)\b",
            " border ",
        ),
        (r"\b(?:odd|even)[- ]numbered\b", lambda m: m[0][:4].strip(" -")),
        (r"\b(?:chess|check(?:er)?|chequer)[- ]?(?:ed|board)?(?: pattern)?\b", " checkerboard "),
        (r"\b(?:left|right)[- ]hand side\b", lambda m: m[0].split("-")[0].split(" ")[0] + " side"),
        (
            r"\b(an?|the|large|big|small|little|tiny|simple)((?: \w+)?) plus\b(?! (?:sign|shape|symbol))",
            r"\1\2 plus sign",
        ),
        (r"\bat the intersections?\b|\bwhere\b(?=.{0,40}\b(?:meet|cross|intersect))", " intersection "),
    )
]

_STARTS = re.compile(
    r",?\s*(?:start|begin)\w*\s+(?:with|at|from|in|on)\s+(?:the\s+|an?\s+)?(?:(?:row|column|cell|position)\s+)?(?:number\s+)?"
    r"(first|1st|1|one|second|2nd|2|two|third|3|top|left|leftmost|topmost|empty|blank|gap)\b"
    r"(?!\s+(?:left|right|corner))(?:\s+(?:row|column|cell|one|position|square))?",
    re.I,
)
_ALTERNATING = re.compile(r"every (?:other|second|third)|alternat", re.I)
_SECOND = ("second", "2nd", "2", "two", "empty", "blank", "gap")

_KINDS = {
    "put": "put putting place placing draw drawing write writing add adding set setting paint insert print "
    "enter type fill filling mark marking color colour drop gets extend",
    "clear": "clear clearing erase erasing remove removing delete deleting wipe wiping cleared erased "
    "deleted eliminate clean unfill undraw",
    "leave": "leave leaving keep keeping",
    "replace": "replace replacing change changing turn swap convert switch",
    "into": "into becomes become",
    "wipe": "startover",
    "copy": "copy",
    "alike": "alike",
    "grid": "grid board canvas matrix",
    "untouched": "untouched unchanged alone",
    "interior": "interior",
    "innerring": "innerring",
    "quadrant": "quadrant quarter",
    "hollow": "hollow",
    "rectangle": "rectangle block area region box patch rectangular",
    "small": "small little tiny mini",
    "big": "big large huge giant",
    "border": "sides border frame outline",
    "intersection": "intersection",
    "shift": "above below beneath underneath",
}
COMMANDS: dict[str, WordToken] = {
    word: WordToken(kind, word) for kind, listed in _KINDS.items() for word in listed.split()
}
COMMANDS |= {"startsone": WordToken("starts", value=1), "startstwo": WordToken("starts", value=2)}


_SENTENCE = re.compile(r"[^.;!?\n]+")
_BARE_PAIR = re.compile(
    r"\b(at|in|to|into|on|cells?|squares?|positions?|coordinates?) (\d{1,2}) ?, ?(\d{1,2})\b"
    r"(?! ?(?:,|and|&|-|–|to) ?\d)",
    re.I,
)
_OF_A_LINE = re.compile(rf"\b{_LINE}\b", re.I)


def _bracket_pairs(sentence: re.Match[str]) -> str:
    """Bracket the pair in "at 2,3", unless the sentence names a line whose cells the numbers could be."""
    return sentence[0] if _OF_A_LINE.search(sentence[0]) else _BARE_PAIR.sub(r"\1 (\2,\3)", sentence[0])


def normalize_command_words(text: str) -> str:
    """Rewrite instruction phrases into the words that the tokenizer knows."""
    if _ALTERNATING.search(text):
        text = _STARTS.sub(lambda m: " startstwo " if m[1].lower() in _SECOND else " startsone ", text)
    for pattern, instead in COMMAND_PHRASES:
        text = pattern.sub(instead, text)
    return _SENTENCE.sub(_bracket_pairs, text)
