"""Checks that the remaining words of a sentence carry no information."""

from __future__ import annotations

import re

_FILLERS = frozenset(
    re.findall(
        r"\S+",
        """@ @rows @row @columns , : ; . - ! ' s a an the of in on at to from for with by as and then so also
        now that which whose let lay such sideways throughout paint painted make making add using use put
        set give gives gets get becomes become turn mark move start begins end stop continue count run runs
        running lead leads leading go goes heads heading lie lies stretch stretches reach reaches reaching
        take taking draw trace place placed fill connect extend locate color colors colored tile tiles 1
        line lines diagonal diagonally straight vertical vertically horizontal horizontally stripe streak
        bar row series run string chain slanted slope sloping consecutive long length total all every each
        both whole entire entirely complete completely is are be being should will must have has you your
        we till until through between where when there this these those following follows order alternate
        turns turn cycle cycling pattern colours in-turn way ways direction inclusive included including
        only just exactly always towards toward along dotted spaced #1 them number numbered other another
        after down-to direct directly side grid whichever finish finally first""",
    )
)
_MORE = re.compile(
    r"(?<!\S)(?:same|another|previous|below|above|touching|surrounding|around|beside|under|mirror|skip|leave|"
    r"except|each-other|"
    r"again|(?<!no )more|next|odd|even|it|its|rest|remainder|remaining|there(?! (?:are|is))|here|middle|"
    r"corner|edges?|inside|"
    r"outside|columns?|rows?|steps?|times|half|top|bottom|upper|lower|left|right|leftmost|rightmost|topmost|"
    r"bottommost|repeat|flowers?|rings?|triangles?|diamonds?|hexring|shapes?|not|do|if|last|"
    r"neighbors?|petals?|radius|distance|#\S+|\d+)(?!\S)"
)


def has_only_fillers(text: str, unknown: int = 2) -> bool:
    """Whether no word refers to something else, and at most `unknown` words are unknown."""
    return not _MORE.search(text) and sum(word not in _FILLERS for word in text.split()) <= unknown
