"""Fits the choice of `reader` among what is proposed, for several sets of candidates, and measures each.

    python -m papers.hexagons.choice DATA OUT READER… [--sets hint both draws] [--dev READER…] [--keep]

Each READER is a folder of `train_reader.py`; several folders joined by + are networks that propose and judge
together, none of which may have learned from what another holds out. One of them may answer by programs: its
answers under the grammar are candidates of the set programs, and how likely and how short the program of a
candidate is counts. The choice for a fifth of the held-out
images is fitted on the others with gold boards, and own boards follow from that choice. What is used on dev,
by the readers of --dev or else the same ones, is fitted on all own boards. OUT gets a `choice.json` for each
set, what was known of every instruction, and the answers on dev, which tables.py reads: of the choice, and of
a network alone, with gold boards, with and without the hint. With --keep, nothing is fitted, and the
`choice.json` of the one folder is used; with --held, dev is not read.

With --first FOLDER --beside NAME…, what is fitted is the choice that `reader` makes with the networks NAME
beside FOLDER where the choice of FOLDER is in doubt, and `choice.json` has both."""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace
from papers.commands import report_problems
from papers.hexagons.ablation_measures import (
    ALWAYS,
    answers_by,
    best_answer,
    choose_by,
    fit_on,
    network_answer,
    score_answers_of,
)
from papers.hexagons.batched_reading import (
    GOLD,
    BatchedReader,
    CandidateSet,
    Choose,
    ReadProcedure,
    proposals,
)
from papers.hexagons.evaluate import count_final_boards, describe, tabulate, write_answers
from papers.hexagons.train_reader import TRAININGS, hold_out_images

from groundling.core.values import Problem
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.neural.executor import score_executor_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.notation import write_action_notation
from groundling.games.hexagons.neural.procedures import Procedure, read_procedures
from groundling.games.hexagons.neural.reader import (
    CHOICE_FILE,
    CONTEXT,
    ReaderChoice,
    StagedChoice,
    load_reader_network,
    read_choice,
)
from groundling.games.hexagons.neural.reader_choice import (
    HINT,
    PLAIN,
    PROGRAM,
    Painted,
    ReadingEvidence,
    list_features,
)
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.train.weights import ModelCard, read_weights_card

SETS = {
    "hint": CandidateSet((HINT,)),
    "both": CandidateSet((HINT, PLAIN)),
    "draws": CandidateSet((HINT, PLAIN), 4),
    "programs": CandidateSet((HINT, PLAIN, PROGRAM + HINT)),
}
TILE_SETS = [name for name, one in SETS.items() if not one.program_views]
PARTS = {"network": HINT, "unhinted": PLAIN, "program": PROGRAM + HINT}
"""What is measured alone on dev."""
Weights = Sequence[float]
FOLDS = 5


class ReaderNetworks(Struct, frozen=True):
    """The networks of a reader, mostly one."""

    folders: tuple[Path, ...]

    @property
    def name(self) -> str:
        return "+".join(folder.name for folder in self.folders)

    @property
    def cards(self) -> list[ModelCard]:
        return [read_weights_card(folder) for folder in self.folders]

    @property
    def label(self) -> str:
        """The seeds, and which images were held out where these are not those of the seed, or none."""
        return "+".join(
            folder.name.removeprefix("reader-").removeprefix("all-")
            if folder.name in TRAININGS
            else str(card.job["seed"])
            for folder, card in zip(self.folders, self.cards, strict=True)
        )

    @property
    def programs(self) -> list[Path]:
        """Those that answer by programs."""
        return [
            folder
            for folder, card in zip(self.folders, self.cards, strict=True)
            if card.settings["notation"] == "program"
        ]

    def held_out(self, people: Sequence[Procedure]) -> list[Procedure]:
        """What none of the networks learned from."""
        known = [one.id for one in people]
        for folder, card in zip(self.folders, self.cards, strict=True):
            name = folder.name if folder.name in TRAININGS else f"reader-{card.job['seed']}"
            known = [one.id for one in hold_out_images(people, name) if one.id in known]
        return [one for one in people if one.id in known]


class Reading(Struct, frozen=True):
    """Procedures that a reader carries out, with a set of candidates. Without weights, the answers are those
    of its network alone."""

    networks: ReaderNetworks
    candidates: CandidateSet
    procedures: list[Procedure]
    context: str
    weights: Sequence[Weights] = ()
    """Of each fold."""
    folds: Mapping[str, int] = {}
    """The fold of an image, if not the first."""

    def carry_out(self) -> list[ReadProcedure]:
        programs = self.networks.programs
        tiles = [_load_network(folder) for folder in self.networks.folders if folder not in programs]
        program = _load_network(programs[0]) if self.candidates.program_views else None
        reader = BatchedReader(tiles, self.candidates, ALWAYS, program)
        choose = self.choose if self.weights else network_answer
        return reader.read_procedures(self.procedures, self.context, choose)

    def choose(self, row: int, evidence: ReadingEvidence) -> Painted:
        fold = self.folds.get(self.procedures[row].image, 0)
        return choose_by(self.weights[fold], self.candidates)(row, evidence)


@cache
def _load_network(folder: Path) -> Generator:
    return load_reader_network(folder)[0]


def write_evidence(file: Path, found: Iterable[ReadProcedure]) -> None:
    """A line for each instruction."""
    lines = []
    for one in found:
        for number, evidence in enumerate(one.evidence):
            line: dict[str, Any] = {
                "id": one.procedure.id,
                "step": number,
                "unread": evidence.rules.unread,
                "whole": evidence.rules.whole,
                "right": write_action_notation(one.procedure.step_changes(number), "runs"),
                "painted": write_action_notation(one.painted[number], "runs"),
                "candidates": [
                    [write_action_notation(answer.painted, "runs"), answer.likely, answer.length, answer.by]
                    for answer in proposals(evidence)
                ],
            }
            if any(answer.programs for answer in proposals(evidence)):
                line["programs"] = [answer.programs for answer in proposals(evidence)]
            lines.append(encode(line) + b"\n")
    file.write_bytes(gzip.compress(b"".join(lines), mtime=0))


class ChoiceMeasures:
    def __init__(
        self,
        data: Path,
        out: Path,
        readers: Sequence[ReaderNetworks],
        sets: Sequence[str],
        most: int,
        first: StagedChoice | None = None,
    ) -> None:
        """`most` readings are done at a time. In doubt after `first`, the choices that are fitted decide."""
        self.first = first
        self.out, self.readers, self.sets = out, readers, {name: SETS[name] for name in sets}
        self.images = read_data_images(data, "dev")
        self.dev = [Procedure.from_image(image) for image in self.images]
        people = read_procedures(data, "train")
        self.held = [one.held_out(people) for one in readers]
        images = sorted({one.image for held in self.held for one in held})
        self.folds = {image: number % FOLDS for number, image in enumerate(images)}
        self.begun = time.monotonic()
        if any(card.model == "hexagons-smollm2" for one in readers for card in one.cards):
            read_smollm2(find_smollm2_file())  # once for all processes, which are forked
        self.pool = get_context("fork").Pool(most)

    def read_all(self, readings: Sequence[tuple[str, Reading]]) -> list[list[ReadProcedure]]:
        """Several at a time; what is known of each instruction is kept under a name."""
        done = [self.pool.apply_async(Reading.carry_out, (reading,)) for _, reading in readings]
        found = []
        for (name, reading), one in zip(readings, done, strict=True):
            found.append(one.get())
            file = f"{name}.{reading.networks.name}.{reading.context}.evidence.gz"
            write_evidence(self.out / file, found[-1])
        self.tell(f"read {', '.join(dict.fromkeys(name for name, _ in readings))}")
        return found

    def tell(self, line: str) -> None:
        print(f"[{time.monotonic() - self.begun:.0f} s] {line}", flush=True)

    def fit_choices(self) -> dict[str, list[float]]:
        """Weights for each set of candidates; on the way it tells what they reach on held-out images."""
        most = CandidateSet(
            max((one.views for one in self.sets.values()), key=len),
            max(one.draws for one in self.sets.values()),
        )
        pairs = list(zip(self.readers, self.held, strict=True))
        known = self.read_all([("held", Reading(one, most, held, GOLD)) for one, held in pairs])
        self.report_held("gold boards, rules", [answers_by(one, _rules_answer) for one in known])
        for view in most.views:
            answers = [answers_by(one, _answer_of(view)) for one in known]
            self.report_held(f"gold boards, network, {view}", answers)
        fitted: dict[str, list[float]] = {}
        readings = list[tuple[str, Reading]]()
        for name, candidates in self.sets.items():
            apart = self.fit_folds(known, candidates)
            mine = [Reading(one, candidates, held, CONTEXT, apart, self.folds) for one, held in pairs]
            answers = [answers_by(one, reading.choose) for one, reading in zip(known, mine, strict=True)]
            self.report_held(f"gold boards, choice, {name}", answers)
            self.report_held(
                f"gold boards, best candidate, {name}", [find_best(one, candidates) for one in known]
            )
            readings += [(f"held-{name}", reading) for reading in mine]
        found = self.read_all(readings)
        for place, (name, candidates) in enumerate(self.sets.items()):
            own = found[place * len(pairs) :][: len(pairs)]
            self.report_held(f"own boards, choice, {name}", [[read.painted for read in one] for one in own])
            fitted[name] = fit_on([read for one in own for read in one], candidates)
            choice = ReaderChoice(
                list_features(candidates.views), tuple(round(weight, 5) for weight in fitted[name])
            )
            if self.first:
                choice = replace(self.first, together=choice)
            (self.out / f"{name}.{CHOICE_FILE}").write_bytes(msgspec.json.format(encode(choice), indent=1))
        return fitted

    def fit_folds(
        self, known: Sequence[Sequence[ReadProcedure]], candidates: CandidateSet
    ) -> list[list[float]]:
        """For each fold of the images on the others; where there are no others, on its own."""
        all_read = [read for one in known for read in one]
        return [
            fit_on(
                [read for read in all_read if self.folds[read.procedure.image] != fold] or all_read,
                candidates,
            )
            for fold in range(FOLDS)
        ]

    def report_held(self, what: str, answers: Sequence[Sequence[Sequence[Painted]]]) -> None:
        """F1 and exact match of each reader on its held-out images, and of all."""
        together = list(chain(*self.held)), list(chain(*answers))
        parts = [*zip(self.held, answers, strict=True), together]
        told = [score_answers_of(held, done).told for held, done in parts]
        self.tell(f"held out, {what}: {told[-1]} ({', '.join(told[:-1])})")

    def measure_dev(self, fitted: Mapping[str, Weights], readers: Sequence[ReaderNetworks]) -> None:
        for context in (GOLD, CONTEXT):
            asked = [
                (f"reader-{name}", Reading(one, self.sets[name], self.dev, context, [weights]))
                for name, weights in fitted.items()
                for one in readers
            ]
            asked += [
                (f"reader-{part}", Reading(one, CandidateSet((view,)), self.dev, context))
                for part, view in PARTS.items()
                for one in readers
                if context == GOLD
                and len(one.folders) == 1 + len(one.programs)
                and (one.programs or PROGRAM not in view)
            ]
            for (name, reading), found in zip(asked, self.read_all(asked), strict=True):
                self.report_dev(name, reading, found)

    def report_dev(self, name: str, reading: Reading, found: Sequence[ReadProcedure]) -> None:
        card = reading.networks.cards[0]
        name, done = f"{name}-{reading.networks.label}", [one.painted for one in found]
        table = tabulate(self.images, score_executor_actions(self.dev, done))
        told = " | ".join(
            f"{part} ({many}) {f1:.1f}/{exact:.1f}" for part, (many, f1, exact) in table.items()
        )
        right = count_final_boards(self.images, done)
        self.tell(f"{name} {reading.context}: final boards {right} of {len(done)}\n  {told}")
        write_answers(self.out, describe(name, card, reading.context), self.images, done)


def _rules_answer(row: int, evidence: ReadingEvidence) -> Painted:
    return evidence.rules.painted


def _answer_of(view: str) -> Choose:
    """The likeliest answer of the network after one of its prompts."""
    return lambda row, evidence: next(one.painted for one in proposals(evidence) if one.by.get(view))


def find_best(found: Sequence[ReadProcedure], candidates: CandidateSet) -> list[list[Painted]]:
    """The candidate nearest to the right answer, for each instruction; where the rules are sure, theirs."""
    return [
        [
            best_answer(candidates.keep_candidates(evidence), one.procedure.step_changes(number))
            for number, evidence in enumerate(one.evidence)
        ]
        for one in found
    ]


def read_networks(text: str) -> ReaderNetworks:
    return ReaderNetworks(tuple(map(Path, text.split("+"))))


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("readers", type=read_networks, nargs="+")
    parser.add_argument(
        "--sets", nargs="+", choices=tuple(SETS), default=TILE_SETS, help="sets of candidates"
    )
    parser.add_argument("--dev", type=read_networks, nargs="+", help="readers to measure on dev")
    parser.add_argument("--keep", action="store_true", help="use the choice.json of each folder")
    parser.add_argument("--held", action="store_true", help="do not measure on dev")
    parser.add_argument("--first", type=Path, help="the folder of the network that is asked first")
    parser.add_argument("--beside", nargs="+", default=[], help="folders of those that are asked in doubt")
    given = parser.parse_args()
    if bool(given.first) != bool(given.beside):
        parser.error("--first and --beside need each other: give both, or neither")
    given.out.mkdir(parents=True, exist_ok=True)
    readers: list[ReaderNetworks] = given.dev or given.readers
    for one in (*given.readers, *readers):
        if any(SETS[name].program_views for name in given.sets) != (len(one.programs) == 1):
            told = "the set programs has one, and no other"
            raise Problem(f"{one.name} has {len(one.programs)} networks that answer by programs: {told}")
    most = len(given.sets) * max(len(readers), len(given.readers))
    first = given.first and replace(read_choice(given.first), beside=tuple(given.beside))
    work = ChoiceMeasures(given.data, given.out, given.readers, given.sets, most, first)
    if given.keep:
        (reader,), (name,) = given.readers, given.sets
        fitted: Mapping[str, Weights] = {name: read_choice(reader.folders[0]).weights}
    else:
        fitted = work.fit_choices()
    if not given.held:
        work.measure_dev(fitted, readers)


if __name__ == "__main__":
    main()
