"""Learns people's wordings from train, for the instructor `describer`.

    python -m papers.hexagons.wordings DATA OUT [--half a]

A half has every second image of train, so that two instructors, or an instructor and an executor, need not
have seen the same procedures."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
from papers.commands import report_problems

from groundling.games.hexagons.narration.people_wordings import Painted, learn_wordings
from groundling.games.hexagons.neural.procedures import Procedure, read_procedures
from groundling.games.hexagons.players.describer import WORDINGS_FILE, LearnedWordings
from groundling.games.hexagons.players.parser import UnreadableInstruction, parse_instruction


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--half", choices=("a", "b"))
    options = parser.parse_args()
    procedures = read_procedures(options.data, "train")
    if options.half:
        procedures = half_of_procedures(procedures, options.half)
    steps = [(text, one.step_changes(number)) for one in procedures for number, text in enumerate(one.texts)]
    wordings = learn_wordings(steps, read_by_parser)
    options.out.mkdir(parents=True, exist_ok=True)
    learned = LearnedWordings(tuple(one.id for one in procedures), tuple(wordings))
    (options.out / WORDINGS_FILE).write_bytes(
        msgspec.json.format(msgspec.json.encode(learned), indent=1) + b"\n"
    )
    found = ", ".join(
        f"{kind} {count}" for kind, count in Counter(one.kind for one in wordings).most_common()
    )
    print(f"{len(wordings)} wordings from {len(steps)} instructions: {found}")


def half_of_procedures(procedures: Sequence[Procedure], half: str) -> list[Procedure]:
    """Those of every second image: half a or half b."""
    images = sorted({one.image for one in procedures})["ab".index(half) :: 2]
    return [one for one in procedures if one.image in images]


def read_by_parser(text: str) -> Painted:
    try:
        return {(row, column): colour for row, column, colour in parse_instruction(text, (), {}).actions}
    except UnreadableInstruction:
        return {}


if __name__ == "__main__":
    main()
