"""Collects what the networks of `reader` and of the instructor `describer` learn from, with the parser's
answers as hints.

    python -m papers.hexagons.reader_sources DATA OUT NARRATED WRITTEN REWORDED VARIED [--programs PROGRAMS]

NARRATED is a folder with files of `groundling make hexagons --told`, WRITTEN one with files that
`written_procedures.py` reads, REWORDED one with other wordings of people's steps, VARIED one with files of
`varied_procedures.py`. PROGRAMS is a file of `people_programs.py`; it and the programs of other steps are
for `train_reader.py`'s rows `program`. OUT is a file for `train_reader.py`; hints that it has already are
kept."""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Sequence
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from papers.commands import report_problems
from papers.hexagons.people_programs import LONGEST
from papers.hexagons.varied_procedures import read_people, read_varied_file
from papers.hexagons.written_procedures import WRITERS, read_written_file

from groundling.core.values import Problem
from groundling.games.hexagons.neural.answer_grammar import is_program_answer
from groundling.games.hexagons.neural.hints import hint_procedure, invent_hints
from groundling.games.hexagons.neural.procedures import (
    Procedure,
    add_step_programs,
    read_narrated_procedures,
    read_procedures,
)
from groundling.games.hexagons.program import format_program, parse_statements

MOST_STEPS = 24
"""Longer narrated procedures are left out."""
VARIED = 16
"""Times that each varied procedure is learned from, with other numbers: people's in the words of each writer,
our own in those of all together."""
TELL_EVERY = 2_000
_REWORDING = re.compile(r"^(\d+)([AB]): (.+)$", re.MULTILINE)


class ReaderSources(Struct, frozen=True):
    people: list[Procedure]
    reworded: list[Procedure]
    """People's, in other words."""
    varied: list[Procedure]
    """People's, at other places and in other sizes, and some of images of our own."""
    written: list[Procedure]
    narrated: list[Procedure]
    """Every second one with made-up hints."""
    hinted: dict[str, Procedure]
    """All but the narrated ones, by id, with what the parser makes of each step."""

    @property
    def read_by_parser(self) -> list[Procedure]:
        return [*self.people, *self.reworded, *self.varied, *self.written]


def load_sources(file: Path) -> ReaderSources:
    return msgspec.msgpack.decode(gzip.decompress(file.read_bytes()), type=ReaderSources)


def read_sources(
    data: Path, narrated: Path, written: Path, reworded: Path, varied: Path, programs: Path | None = None
) -> ReaderSources:
    """Without the parser's hints."""
    people = read_procedures(data, "train")
    if programs is not None:
        people = list(map(tidy_programs, add_step_programs(people, programs)))
    found = [one for file in sorted(written.glob("**/*.txt")) for one in read_written_file(file)]
    images = read_people(data)
    others = [one for file in sorted(varied.glob("*.txt")) for one in read_varied_file(file, images)]
    told = read_narrated_procedures(sorted(narrated.glob("told-*.jsonl")))
    told = [one for one in told if len(one.texts) <= MOST_STEPS]
    return ReaderSources(
        people,
        [one for file in sorted(reworded.glob("*.txt")) for one in read_rewordings(file, people)],
        [
            tidy_programs(Procedure.from_image(image))
            for one in others
            if not isinstance(one, Problem)
            for image in one.vary(VARIED)
        ],
        [
            tidy_programs(Procedure.from_image(image))
            for one in found
            if not isinstance(one, Problem)
            for image in one
        ],
        [invent_hints(one, Random(one.id)) if n % 2 else one for n, one in enumerate(told)],
        {},
    )


def read_rewordings(file: Path, people: Sequence[Procedure]) -> list[Procedure]:
    """People's procedures as each of the writers says them; a step that is not reworded keeps its words."""
    known, found = {one.id: one for one in people}, []
    for part in re.split(r"^=== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        one = known.get(name.strip())
        if one is None:
            raise Problem(f"{file}: there is no procedure {name.strip()} in train")
        said = {(int(number), writer): text for number, writer, text in _REWORDING.findall(body)}
        for writer in WRITERS:
            texts = tuple(said.get((n, writer), text) for n, text in enumerate(one.texts, start=1))
            found.append(replace(one, id=f"{one.id} reworded {file.stem}{writer}", texts=texts))
    return found


def tidy_programs(procedure: Procedure) -> Procedure:
    """The procedure with its programs as our own formatter writes them, without those that are too long to be
    learned or that the grammar of answers does not have."""
    texts = (format_program(parse_statements(program)) for program in procedure.programs)
    kept = (text if len(text) <= LONGEST and is_program_answer(text) else "" for text in texts)
    return replace(procedure, programs=tuple(kept))


def add_hints(sources: ReaderSources, known: ReaderSources | None) -> ReaderSources:
    """The sources with hints, which are not made again where others have them for the same procedure."""
    before = {one.id: one for one in known.read_by_parser} if known is not None else {}
    procedures = sources.read_by_parser
    new = [one for one in procedures if one.id not in before or not same_steps(before[one.id], one)]
    made = dict[str, Procedure]()
    with get_context("fork").Pool() as pool:
        for one in pool.imap_unordered(hint_procedure, new, chunksize=32):
            made[one.id] = one
            if len(made) % TELL_EVERY == 0:
                print(f"hints for {len(made)} of {len(new)} procedures", flush=True)
    kept = known.hinted if known is not None else {}
    texts = {one.id: (made.get(one.id) or kept[one.id]).texts for one in procedures}
    return replace(sources, hinted={one.id: replace(one, texts=texts[one.id]) for one in procedures})


def same_steps(one: Procedure, other: Procedure) -> bool:
    """Whether the parser makes the same of them; programs do not matter to it."""
    return (one.texts, one.boards) == (other.texts, other.boards)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "out", "narrated", "written", "reworded", "varied"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--programs", type=Path, help="of people and the parser, for people's steps")
    given = parser.parse_args()
    known = load_sources(given.out) if given.out.exists() else None
    read = read_sources(
        given.data, given.narrated, given.written, given.reworded, given.varied, given.programs
    )
    found = add_hints(read, known)
    given.out.write_bytes(gzip.compress(msgspec.msgpack.encode(found), mtime=0))
    for name in ("people", "reworded", "varied", "written", "narrated"):
        part: Sequence[Procedure] = getattr(found, name)
        programs = sum(map(bool, chain.from_iterable(one.programs for one in part)))
        instructions = sum(len(one.texts) for one in part)
        print(f"{name}: {len(part)} procedures, {instructions} instructions, {programs} with a program")


if __name__ == "__main__":
    main()
