"""Writes programs of the drawing language for train's steps, for `groundling train … --programs`.

    python -m papers.hexagons.people_programs DATA OUT.jsonl [--without-people]

DATA/gold_programs holds programs that people wrote, and the library that they use. Each program is run, and
every call that paints becomes a statement of ours (`program_translator.py`). The steps that could be kept
and the calls that are written by their tiles are counted at the end.

OUT gets a line for each program that leads from the gold board before its step to the one after it, if it is
short enough to be learned: people's, the shortest first, then the program that the parser finds. A training
takes the first for each step."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec.json import encode
from papers.commands import report_problems
from papers.hexagons.program_translator import FOLDER, PAINTS, ProgramTranslator

from groundling.boards.hexes import Board
from groundling.games.hexagons.neural.procedures import Procedure, StepProgram, read_procedures
from groundling.games.hexagons.players.parser import UnreadableInstruction, parse_instruction
from groundling.games.hexagons.program import format_program, parse_statements

LONGEST = 400
"""Letters of a program that is learned from: about 180 tokens."""


def translate_programs(data: Path) -> tuple[ProgramTranslator, list[StepProgram]]:
    """All programs of the data, step by step."""
    folder = data / FOLDER
    translator, found = ProgramTranslator(folder), list[StepProgram]()
    for file in sorted([*folder.glob("maor/*.py"), *folder.glob("shira/*.py")]):
        index = file.stem.split("_")[2]
        for number, program, _ in translator.translate(file.read_text("utf-8")):
            found.append(StepProgram(index, number, format_program(parse_statements(program))))
    return translator, found


def parse_steps(procedure: Procedure) -> Iterator[StepProgram]:
    """What the parser makes of each instruction, on gold boards."""
    for number, text in enumerate(procedure.texts):
        painted = Board(procedure.boards[number]).painted_tiles()
        with suppress(UnreadableInstruction):
            reading = parse_instruction(text, procedure.texts[:number], painted)
            yield StepProgram(procedure.id, number + 1, format_program(reading.program))


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without-people", action="store_true", help="programs of the parser alone")
    given = parser.parse_args()
    procedures = read_procedures(given.data, "train")
    known, steps = {one.id: one for one in procedures}, list[StepProgram]()
    if not given.without_people:
        translator, steps = translate_programs(given.data)
        steps = sorted((one for one in steps if one.is_right(known[one.procedure])), key=_program_length)
        right = len({(one.procedure, one.step) for one in steps})
        total = sum(len(known[one].texts) for one in {step.procedure for step in steps})
        print(f"{right} of {total} steps are expressed and right")
        for name in PAINTS:
            print(
                f"{name}: {translator.named[name]} calls named, {translator.unnamed[name]} by their tiles, "
                f"{translator.idle[name]} that change nothing"
            )
    parsed = [step for one in procedures for step in parse_steps(one) if step.is_right(one)]
    print(f"{len(parsed)} of {sum(len(one.texts) for one in procedures)} steps are right by the parser")
    kept = [one for one in (*steps, *parsed) if 0 < _program_length(one) <= LONGEST]
    given.out.write_bytes(b"".join(encode(one) + b"\n" for one in kept))
    print(f"{given.out}: programs for {len({(one.procedure, one.step) for one in kept})} steps")


def _program_length(step: StepProgram) -> int:
    return len(step.program)


if __name__ == "__main__":
    main()
