"""Prints whether the parser's doubt is well placed, and what it asks, on dev with gold boards.

    python -m papers.hexagons.doubt DATA [--split dev]

An instruction is in doubt if the executor would ask about it."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path
from statistics import fmean

from papers.commands import report_problems

from groundling.boards.hexes import COLOURS
from groundling.core.player import Reply
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.moves import ExecutorView, PaintTile
from groundling.games.hexagons.players.asking import (
    LEAST_EXPECTED,
    choose_question,
    expect_parser_score,
    read_current,
)
from groundling.games.hexagons.tile_scores import TileScores, emitted_scores

_DETAIL = rf'(?:"[^"]*"|\d+(?:st|nd|rd|th)?|\b(?:{"|".join(COLOURS)})\b)'
_SPECIFIC = re.compile(rf"{_DETAIL}(?:(?: |, | and ){_DETAIL})*")
"""What differs between questions of one kind: words in quotes, numbers and colours, and lists of them."""


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", default="dev")
    options = parser.parse_args()
    sure: list[TileScores] = []
    doubted: list[TileScores] = []
    questions: Counter[str] = Counter()
    for image in read_data_images(options.data, options.split):
        texts = tuple(step.spoken_text for step in image.steps)
        for number in range(len(texts)):
            before, after = image.gold_boards(number)
            view = ExecutorView(texts[: number + 1], 1, before, questions=1)
            reading = read_current(view)
            actions = reading.actions if reading else ()
            reply = Reply(moves=tuple(PaintTile(*action) for action in actions))
            asks = expect_parser_score(view, reply) < LEAST_EXPECTED
            (doubted if asks else sure).append(emitted_scores(before, after, actions))
            if asks:
                kind = _SPECIFIC.sub("…", choose_question(view, reply))
                questions[kind.partition(":")[0].partition(", in ")[0].rstrip("?") + "?"] += 1
    print("| instructions | number | F1 | exact match |\n|---|---|---|---|")
    for name, scores in (("in doubt", doubted), ("not in doubt", sure)):
        f1, exact = (100 * fmean(getattr(one, kind) for one in scores) for kind in ("f1", "exact"))
        print(f"| {name} | {len(scores)} | {f1:.1f} | {exact:.1f} |")
    wrong = [sum(not one.exact for one in scores) for scores in (doubted, sure)]
    print(f"\nIn doubt and wrong: {wrong[0]} of {len(doubted)} in doubt, of {sum(wrong)} wrong ones.\n")
    print("| question | number |\n|---|---|")
    for question, count in questions.most_common():
        print(f"| {question} | {count} |")


if __name__ == "__main__":
    main()
