"""Procedures that a language model wrote for images of its own, to learn from beside people's.

    python -m papers.hexagons.written_procedures FILE… [--out OUT.jsonl] [--sheet OUT.png]

A file has procedures that begin with a line `=== CATEGORY`. A step is what two writers say, in lines that
begin with `A: ` and `B: `, and below them the drawing program that both describe; `---` ends it. `--out`
writes the procedures of both writers as instances, such as `groundling make hexagons --told` writes, and
`--sheet` draws the last boards."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.json import encode
from papers.commands import report_problems

from groundling.boards.hexes import Board, board_picture_size
from groundling.boards.picture import render_png, svg_document, text_at
from groundling.core.values import Problem
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.games.hexagons.program import ProgramError, parse_statements, run_program

WRITERS = ("A", "B")
_SIDE, _GAP, _ACROSS = 9.0, 12.0, 4
_HEAD = re.compile(r"^===[ \t]*(.*)$", re.MULTILINE)


def read_written_file(file: Path) -> Iterator[list[HexagonsImage] | Problem]:
    """The procedures of a file, one for each writer, or what is wrong with them."""
    parts = _HEAD.split(file.read_text(encoding="utf-8"))[1:]
    for number, (category, body) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        try:
            yield read_procedure(f"{file.stem}-{number}", category.strip(), body)
        except Problem as problem:
            yield problem


def read_procedure(name: str, category: str, body: str) -> list[HexagonsImage]:
    said, boards, programs = list[dict[str, str]](), [Board.empty()], list[str]()
    for number, part in enumerate(split_steps(body), start=1):
        try:
            texts, program = read_step(part)
            boards.append(run_program(parse_statements(program), boards[-1]))
        except (Problem, ProgramError) as trouble:
            raise Problem(f"{name}, step {number}: {trouble}") from None
        said.append(texts)
        programs.append(program)
    return [
        HexagonsImage(
            id=f"{name}-{writer}",
            image=name,
            category=category,
            target=boards[-1],
            steps=tuple(
                ImageStep(texts[writer], board, program=program)
                for texts, board, program in zip(said, boards[1:], programs, strict=True)
            ),
        )
        for writer in WRITERS
    ]


def split_steps(body: str) -> list[str]:
    return [part for part in re.split(r"^---[ \t]*$", body, flags=re.MULTILINE) if part.strip()]


def read_step(part: str) -> tuple[dict[str, str], str]:
    """What each writer says, and the program."""
    said, program = dict[str, str](), list[str]()
    for line in part.splitlines():
        tag, colon, text = line.partition(": ")
        if colon and tag in WRITERS and not program:
            said[tag] = text.strip()
        elif line.strip():
            program.append(line)
    if set(said) != set(WRITERS) or not program:
        raise Problem(f"a step needs a line for each of the writers {', '.join(WRITERS)}, and a program")
    return said, "\n".join(program)


def draw_sheet(images: Sequence[HexagonsImage]) -> str:
    wide, high = board_picture_size(_SIDE)
    body = list[str]()
    for number, image in enumerate(images):
        row, place = divmod(number, _ACROSS)
        left, top = _GAP + place * (wide + _GAP), 2 * _GAP + row * (high + 2 * _GAP)
        body.append(text_at(image.image, left, top - 4, 11))
        body.append(image.target.svg(f"board-{number}", left, top, _SIDE))
    rows = -(-len(images) // _ACROSS)
    size = _GAP + _ACROSS * (wide + _GAP), _GAP + rows * (high + 2 * _GAP)
    return svg_document(*size, "".join(body), "Images that a language model wrote procedures for", zoom=1)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sheet", type=Path)
    given = parser.parse_args()
    found = [one for file in given.files for one in read_written_file(file)]
    problems = [one for one in found if isinstance(one, Problem)]
    images = [image for one in found if not isinstance(one, Problem) for image in one]
    print(f"{len(images)} procedures, {sum(len(image.steps) for image in images)} instructions")
    if given.out:
        given.out.write_bytes(b"".join(encode(image) + b"\n" for image in images))
    if given.sheet:
        firsts = [image for image in images if image.id.endswith(WRITERS[0])]
        given.sheet.write_bytes(render_png(draw_sheet(firsts)))
    if problems:
        sys.exit("\n".join(map(str, problems)))


if __name__ == "__main__":
    main()
