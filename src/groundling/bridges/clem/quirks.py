"""A list of the differences between clembench's rules and ours, all of which `replay` reproduces."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct


class Quirk(Struct, frozen=True):
    name: str
    game: str
    """The game that it concerns, or "both"."""
    theirs: str
    ours: str


QUIRKS = (
    Quirk(
        "no second chance",
        "both",
        "one malformed reply ends the episode as aborted",
        "one retry after an invalid reply (`--retries`); every text is read strictly and tolerantly",
    ),
    Quirk(
        "no score",
        "both",
        "an aborted episode has no main score (NaN) and counts only in % Played",
        "an aborted episode counts as 0",
    ),
    Quirk(
        "tag first",
        "both",
        "a reply starts with its tag, in any case; the image game's with exactly that and a blank",
        "blanks and line ends around the tag are free; tolerantly, the tag is",
    ),
    Quirk(
        "one line",
        "both",
        "a paragraph is one line: text on a second one is a malformed reply (in liberal mode the reference "
        "game ignores it)",
        "a paragraph ends at an empty line",
    ),
    Quirk(
        "label prefix",
        "reference",
        'an answer is whatever label it starts with: "Answer: 12" and "Answer: 1st or 2nd" are 1',
        "an answer names exactly one label, or it is refused",
    ),
    Quirk(
        "length with tag",
        "reference",
        "an expression's length is that of the whole reply, with tag, blanks and trailing line end",
        "of what was said, without the tag",
    ),
    Quirk(
        "length without another word",
        "image",
        'the word "Instruction:" is taken out before an instruction is measured, wherever it stands; since '
        'v1.6 the tag is "Command:" and counts',
        "of what was said, without the tag",
    ),
    Quirk(
        "tokens at blanks",
        "both",
        "a single blank separates tokens: two blanks make an empty token, a full stop is no token",
        "tokens are words and punctuation marks",
    ),
    Quirk(
        "bare done",
        "image",
        '"DONE" counts only after its tag and alone; "Command: DONE." is an instruction',
        '"DONE" ends with or without tag, tolerantly also with a full stop',
    ),
    Quirk(
        "done at once",
        "image",
        "an episode whose first reply is DONE has no scores at all, its scorer fails (here: NoScores)",
        "the empty canvas is scored",
    ),
    Quirk(
        "twice the rounds",
        "image",
        "a game ends after 2·n² instructions",
        "after n² instructions (`--turns`)",
    ),
    Quirk(
        "capitals and ▢",
        "image",
        "a cell is a capital letter or ▢, and nothing stands around the grid but line ends",
        "□ and . are empty cells too; tolerantly, fences and prose around the grid are free",
    ),
    Quirk(
        "white space for blanks",
        "image",
        "cells separated by other white space pass as a grid but do not split into cells: precision, recall "
        "and F1 are 0 (where only a row after the first does not split, those of the previous turn), and no "
        "cell has changed",
        "strictly, blanks separate cells; tolerantly, any white space does",
    ),
    Quirk(
        "empty grid",
        "image",
        "an empty grid keeps the previous turn's precision, recall and F1 (0 on the first turn)",
        "an empty canvas scores 0, and 1 where the target is empty",
    ),
    Quirk(
        "whole numbers",
        "image",
        "precision and recall are rounded to 4 places, F1 is made of those and rounded too, then all become "
        "whole per cents, halves to the even one",
        "shares of 1, not rounded",
    ),
    Quirk(
        "nearly right",
        "image",
        "success is an F1 of 99 or more; an episode that is not aborted is either Success or Lose",
        "no such measure: see F1",
    ),
    Quirk(
        "five by five",
        "image",
        "the first turn's changed cells are counted against an empty grid of 5 by 5, whatever the size: none "
        "below 5 by 5, and only the upper left 25 cells above",
        "against an empty grid of the same size",
    ),
)


def quirks_table() -> Iterator[str]:
    """Yield the quirks as lines of a Markdown table."""
    yield "| quirk | game | clembench | groundling |"
    yield "|---|---|---|---|"
    for quirk in QUIRKS:
        yield f"| {quirk.name} | {quirk.game} | {quirk.theirs} | {quirk.ours} |"
