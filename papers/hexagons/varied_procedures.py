"""People's procedures at other places and in other sizes, and procedures of one's own, to learn from.

    python -m papers.hexagons.varied_procedures DATA FILE… [--show ID] [--times 12] [--out OUT.jsonl]

A file says which words of a procedure of train may change, and what is then painted; people's sentences
themselves stay in DATA. `=== ID` begins a procedure. Below it stand its numbers, `NAME = USUAL in LOW..HIGH`
or `NAME = USUAL in ONE | OTHER`, what follows from them, `NAME := EXPRESSION`, and what must hold,
`need EXPRESSION`. `---` begins each step: lines `OLD -> NEW` replace words from left to right, and the
drawing program follows, or `nothing`. NEW and programs have expressions of Python in braces. With the usual
values, words and boards must be the published ones; `--- differs` begins a step whose published board is
not what its words say. Lines `A: WORDS`, `B: WORDS` at the beginning of each step say it in the words of
further writers. A procedure of one's own begins with `=== new CATEGORY`; its steps have such lines in place
of replaced words. FILE is checked: no variant may end on an image of dev, nor on another one that trainings
hold out, in whatever colours. --show prints some procedures with other values, in the words of all writers;
the ID of one's own is FILE-NUMBER."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

from msgspec import Struct
from msgspec.json import encode
from papers.commands import report_problems
from papers.hexagons.ablation import hold_out

from groundling.boards.hexes import Board, Tile, is_on_lattice, lattice_disc, step_on_lattice
from groundling.core.values import Problem
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.games.hexagons.neural.notation import changed_notation_tiles, write_action_notation
from groundling.games.hexagons.neural.procedures import read_procedures
from groundling.games.hexagons.program import ProgramError, interpret_program, parse_statements

TRIES = 40
"""Draws of the numbers for each procedure that is wanted."""
_HEAD = re.compile(r"^===[ \t]*(\S+)[ \t]*(.*)$", re.MULTILINE)
_STEP = re.compile(r"^---[ \t]*(differs)?.*$", re.MULTILINE)
_NUMBER = re.compile(r"(\w+)\s*=(?!=)\s*(.+?)\s+in\s+(.+)")
_SAID = re.compile(r"([A-Z]): (.+)")
_HOLE = re.compile(r"\{([^{}]+)\}")
_NUMERALS = re.split(
    " ",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen",
)
_ORDINALS = re.split(
    " ",
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth",
)


class P(NamedTuple):
    """A place, to be written into a program, and to reckon with."""

    row: int
    col: int

    def go(self, *path: str | int) -> P:
        """`P(3, 5).go("up-right", 2, "down", 1)`."""
        tile: Tile = self.row, self.col
        for heading, count in zip(path[::2], path[1::2], strict=True):
            tile = step_on_lattice(tile, str(heading), int(count))
        return P(*tile)

    def __str__(self) -> str:
        return f"{self.row},{self.col}"

    def __format__(self, form: str) -> str:
        return str(self)


def nth(number: int) -> str:
    return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(number, 'th')}"


def fits(place: tuple[int, int], radius: int = 0) -> bool:
    """Whether all tiles up to that distance are on the board."""
    return all(map(is_on_lattice, lattice_disc(place, radius)))


_KNOWN: dict[str, Any] = {
    "P": P,
    "nth": nth,
    "word": lambda number: _NUMERALS[number],
    "ord": lambda number: _ORDINALS[number],
    "Nth": lambda number: _ORDINALS[number].capitalize(),
    "fits": fits,
}


class VariedStep(Struct, frozen=True):
    replaced: tuple[tuple[str, str], ...]
    """What is written in place of what, from left to right."""
    program: str
    differs: bool
    """The published board is not what the words say."""
    said: dict[str, str]
    """What each further writer says."""


class Performed(Struct, frozen=True):
    """A step with its numbers."""

    text: str
    program: str
    board: Board
    painted: bool
    clipped: bool


class VariedProcedure(Struct, frozen=True):
    image: HexagonsImage
    """As it was published; without steps, if it never was."""
    lines: tuple[str, ...]
    """The numbers, what follows from them, and what must hold, in order."""
    steps: tuple[VariedStep, ...]

    @classmethod
    def read(cls, image: HexagonsImage, body: str) -> Self:
        head, *parts = _STEP.split(body)
        lines = tuple(line.strip() for line in head.splitlines() if line.strip() and line[0] != "#")
        steps = tuple(map(read_step, parts[1::2], parts[::2]))
        if not 0 < len(steps) <= (len(image.steps) or len(steps)):
            raise Problem(f"there are {len(steps)} steps: write 1 to {len(image.steps)}")
        writers = {frozenset(step.said) for step in steps}
        if len(writers) > 1 or not (image.steps or any(writers)):
            raise Problem("each step needs the same writers, A: and B:")
        return cls(image, lines, steps)

    def draw_values(self, lot: Random | None) -> dict[str, Any] | None:
        """The numbers and what follows from them, or the usual ones; None where they do not fit."""
        known: dict[str, Any] = {**_KNOWN, "one": lambda *said: lot.choice(said) if lot else said[0]}
        for line in self.lines:
            name, walrus, expression = (part.strip() for part in line.partition(":="))
            if walrus:
                known[name] = evaluate(expression, known)
            elif match := _NUMBER.fullmatch(line):
                known[match[1]] = draw_number(match[2], match[3], lot)
            elif not line.startswith("need "):
                raise Problem(f"{line!r} is no NAME = USUAL in VALUES, NAME := EXPRESSION or need EXPRESSION")
            elif not evaluate(line.removeprefix("need "), known):
                if lot is None:
                    raise Problem(f"{line!r} does not hold for the usual values")
                return None
        return known

    def perform(self, known: dict[str, Any], writer: str) -> Iterator[Performed]:
        board = Board.empty()
        for number, step in enumerate(self.steps, start=1):
            try:
                if writer:
                    text = fill(step.said[writer], known)
                else:
                    published = self.image.steps[number - 1].spoken_text
                    text = replace_words(published, step.replaced, known)
                program = fill(step.program, known)
                trace = interpret_program(parse_statements(program), board)
            except (Problem, ProgramError) as trouble:
                raise Problem(f"step {number}: {trouble}") from None
            yield Performed(text, program, trace.board, trace.board != board, trace.is_clipped)
            board = trace.board

    @property
    def writers(self) -> list[str]:
        """Of a published procedure, first the one that has no name."""
        return [*[""][: len(self.image.steps)], *sorted(self.steps[0].said)]

    def perform_usual(self) -> list[Performed]:
        """The procedure as it was published, checked."""
        values, off = self.draw_values(None) or {}, False
        usual, *_ = [list(self.perform(values, writer)) for writer in self.writers]
        before = Board.empty()
        for number, (mine, step, gold) in enumerate(zip(usual, self.steps, self.image.steps, strict=False)):
            if mine.text != gold.spoken_text:
                raise Problem(f"step {number + 1} says {mine.text!r}, not {gold.spoken_text!r}")
            off |= step.differs
            wanted = dict(self.image.gold_boards(number)[0].changes_to(gold.board))
            found = before.changes_to(mine.board)
            if not step.differs and (wanted != found if off else mine.board != gold.board):
                missing, wrong = (
                    set(wanted.items()) - set(found.items()),
                    set(found.items()) - set(wanted.items()),
                )
                raise Problem(f"step {number + 1} leaves out {sorted(missing)}, and paints {sorted(wrong)}")
            before = mine.board
        return usual

    def vary(self, times: int) -> list[HexagonsImage]:
        """The procedure with other values: as many times in the words of each writer, or of one's own in
        those of all, as there are different ones."""
        groups = [[writer] for writer in self.writers] if self.image.steps else [self.writers]
        usual = self.perform_usual()
        return [image for group in groups for image in self._vary_words(times, group, usual)]

    def _vary_words(
        self, times: int, writers: Sequence[str], usual: Sequence[Performed]
    ) -> Iterator[HexagonsImage]:
        """What is usually painted is painted, and no more of it lies off the board."""
        name = self.image.id + (writers[0] if self.image.steps else "")
        lot, told = Random(name), tuple(one.text for one in usual)
        found = dict[tuple[str, ...], list[Performed]]()
        for _ in range(TRIES * times):
            if len(found) == times:
                break
            if (known := self.draw_values(lot)) is None:
                continue
            try:
                made = list(self.perform(known, lot.choice(writers)))
            except Problem:
                continue
            texts = tuple(one.text for one in made)
            if texts != told and all(
                one.painted >= first.painted and one.clipped <= first.clipped
                for one, first in zip(made, usual, strict=True)
            ):
                found.setdefault(texts, made)
        for number, made in enumerate(found.values(), start=1):
            yield HexagonsImage(
                id=f"{name} varied {number}",
                image=self.image.image,
                category=self.image.category,
                target=made[-1].board,
                steps=tuple(ImageStep(one.text, one.board, program=one.program) for one in made),
            )


def read_step(body: str, differs: str | None) -> VariedStep:
    replaced, program, said = list[tuple[str, str]](), list[str](), dict[str, str]()
    for line in body.strip("\n").splitlines():
        old, arrow, new = line.partition(" -> ")
        if not program and (match := _SAID.fullmatch(line)):
            said[match[1]] = match[2].strip()
        elif arrow and not program:
            replaced.append((old.strip(), new.strip()))
        elif line.strip() and line.strip() != "nothing":
            program.append(line)
    return VariedStep(tuple(replaced), "\n".join(program), bool(differs), said)


def evaluate(expression: str, known: dict[str, Any]) -> Any:
    try:
        return eval(expression, known)
    except Exception as trouble:
        raise Problem(f"{expression}: {trouble}") from None


def fill(text: str, known: dict[str, Any]) -> str:
    filled = _HOLE.sub(lambda hole: str(evaluate(hole[1], known)), text)
    if "{" in filled or "}" in filled:
        raise Problem(f"{text}: what is in braces cannot have braces: give it a name above, NAME := …")
    return filled


def draw_number(usual: str, others: str, lot: Random | None) -> int | str:
    """One of `LOW..HIGH`, or of words between bars."""
    low, dots, high = others.partition("..")
    if dots:
        return int(usual) if lot is None else lot.randint(int(low), int(high))
    said = [one.strip() for one in others.split("|")]
    if usual not in said:
        raise Problem(f"the usual value {usual!r} is none of {others!r}")
    chosen = usual if lot is None else lot.choice(said)
    return int(chosen) if chosen.lstrip("-").isdecimal() else chosen


def replace_words(text: str, replaced: Sequence[tuple[str, str]], known: dict[str, Any]) -> str:
    """The text with each of the words replaced, which are looked for from left to right."""
    done, rest = "", text
    for old, new in replaced:
        found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", rest)
        if found is None:
            raise Problem(f"there is no {old!r} in {rest!r}")
        done, rest = done + rest[: found.start()] + fill(new, known), rest[found.end() :]
    return done + rest


def read_varied_file(file: Path, people: Mapping[str, HexagonsImage]) -> Iterator[VariedProcedure | Problem]:
    parts = _HEAD.split(file.read_text(encoding="utf-8"))[1:]
    heads = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    for number, (name, category, body) in enumerate(heads, start=1):
        try:
            if name == "new":
                name = f"{file.stem}-{number}"
                image = HexagonsImage(id=name, image=name, category=category, target=Board.empty())
            elif name in people:
                image = people[name]
            else:
                raise Problem("there is no such procedure in train")
            found = VariedProcedure.read(image, body)
            found.perform_usual()
            yield found
        except Problem as problem:
            yield Problem(f"{file.name}, {name}: {problem}")


def uncolored(board: Board) -> str:
    """The same for boards that differ only in which colours they have."""
    order = "".join(dict.fromkeys(board.cells.replace("0", "")))
    return board.cells.translate(str.maketrans(order, "1234567"[: len(order)]))


def find_measured(varied: Iterable[HexagonsImage], measured: Sequence[HexagonsImage]) -> Iterator[str]:
    """Which of them end on an image that players are measured on, but for the one that they are made from."""
    targets = {uncolored(one.target): one.image for one in measured}
    for one in varied:
        if targets.get(uncolored(one.target), one.image) != one.image:
            yield f"{one.id} ends on the image {targets[uncolored(one.target)]}: add a need"


def read_people(data: Path) -> dict[str, HexagonsImage]:
    return {image.id: image for image in read_data_images(data, "train")}


def show(procedure: VariedProcedure, times: int = 3) -> Iterator[str]:
    """The words of all writers with the same values, and what is painted."""
    lot = Random(procedure.image.id)
    for _ in range(TRIES * times):
        values = procedure.draw_values(lot)
        try:
            told = [list(procedure.perform(values, one)) for one in procedure.writers] if values else []
        except Problem:
            continue
        if not told:
            continue
        yield f"## {procedure.image.id}"
        before = Board.empty()
        for number, step in enumerate(zip(*told, strict=True), start=1):
            changed = changed_notation_tiles(before.cells, step[0].board.cells)
            words = [f"{number}. {step[0].text}", *(one.text for one in step[1:])]
            yield "\n   ".join([*words, write_action_notation(changed, "runs")])
            before = step[0].board
        if not (times := times - 1):
            return


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--show", nargs="+", default=[], metavar="ID")
    parser.add_argument("--times", type=int, default=12)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    people = read_people(given.data)
    found = [one for file in given.files for one in read_varied_file(file, people)]
    good = [one for one in found if not isinstance(one, Problem)]
    made = {one.image.id: one.vary(given.times) for one in good}
    if strange := [name for name in given.show if name not in made]:
        raise Problem(f"{strange[0]} is none of the procedures without a problem in these files")
    for one in good:
        if one.image.id in given.show:
            print(*show(one), sep="\n")
    few = [f"{name} ({len(those)})" for name, those in made.items() if len(those) < given.times]
    images = [image for those in made.values() for image in those]
    steps = sum(len(one.steps) for one in images)
    print(f"{len(good)} procedures, with other values {len(images)}, {steps} steps")
    if few:
        print(f"fewer than {given.times}: {', '.join(few)}")
    if given.out:
        given.out.write_bytes(b"".join(encode(image) + b"\n" for image in images))
    problems = [str(one) for one in found if isinstance(one, Problem)]
    held = {one.image for one in hold_out(read_procedures(given.data, "train"))[1]}
    measured = [one for one in people.values() if one.image in held]
    problems += find_measured(images, [*measured, *read_data_images(given.data, "dev")])
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
