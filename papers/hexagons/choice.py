"""Fits the choice of `reader` among what is proposed, for several sets of candidates, and measures each.

    python -m papers.hexagons.choice DATA OUT READER… [--sets hint both draws] [--keep | --held]
        [--programs PROGRAM_READER… --sets programs program-draws]

Each READER is a folder of `train_reader.py`, of a seed of its own. On the images that its training set aside,
the choice is fitted on the other readers' images with gold boards, and own boards follow from that choice.
What is used on dev is fitted on all own boards. OUT gets a `choice.json` for each set, what was known of
every instruction, and the answers on dev, which tables.py reads: of the choice, and of the network alone
with and without the hint. With --keep, nothing is fitted, and `choice.json` of the one folder is used. With
--programs, each reader has a second network, trained with `--notation program` and the same seed: its answers
under the grammar are candidates too, and how likely and how short the program of a candidate is counts."""

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

from groundling.core.values import Problem
from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.neural.executor import score_executor_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.notation import write_action_notation
from groundling.games.hexagons.neural.procedures import Procedure, read_procedures, set_aside_procedures
from groundling.games.hexagons.neural.reader import (
    CHOICE_FILE,
    CONTEXT,
    ReaderChoice,
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
    "programs": CandidateSet((HINT, PLAIN, PROGRAM + HINT, PROGRAM + PLAIN)),
    "program-draws": CandidateSet((HINT, PLAIN, PROGRAM + HINT, PROGRAM + PLAIN), 4),
}
TILE_SETS = [name for name, one in SETS.items() if not one.program_views]
Weights = Sequence[float]


class Reading(Struct, frozen=True):
    """Procedures that a reader carries out, with a set of candidates. Without weights, the answers are those
    of its network alone."""

    folder: Path
    candidates: CandidateSet
    procedures: list[Procedure]
    context: str
    weights: Weights = ()
    program: Path | None = None
    """The folder of the network that answers by programs."""

    def carry_out(self) -> list[ReadProcedure]:
        choose = choose_by(self.weights, self.candidates) if self.weights else network_answer
        program = _load_network(self.program) if self.program and self.candidates.program_views else None
        reader = BatchedReader([_load_network(self.folder)], self.candidates, ALWAYS, program)
        return reader.read_procedures(self.procedures, self.context, choose)


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
        folders: Sequence[Path],
        sets: Sequence[str],
        programs: Sequence[Path] = (),
    ) -> None:
        self.out, self.folders, self.sets = out, folders, {name: SETS[name] for name in sets}
        self.cards: list[ModelCard] = [read_weights_card(folder) for folder in folders]
        self.programs = dict(zip(folders, _check_programs(self.cards, programs, sets), strict=False))
        self.images = read_data_images(data, "dev")
        self.dev = [Procedure.from_image(image) for image in self.images]
        people = read_procedures(data, "train")
        self.held = [set_aside_procedures(people, card.job["seed"])[1] for card in self.cards]
        self.begun = time.monotonic()
        if any(card.model == "hexagons-smollm2" for card in self.cards):
            read_smollm2(find_smollm2_file())  # once for all processes, which are forked
        self.pool = get_context("fork").Pool(len(folders) * len(sets))

    def read_all(self, readings: Sequence[tuple[str, Reading]]) -> list[list[ReadProcedure]]:
        """Several at a time; what is known of each instruction is kept under a name."""
        readings = [(name, replace(one, program=self.programs.get(one.folder))) for name, one in readings]
        done = [self.pool.apply_async(Reading.carry_out, (reading,)) for _, reading in readings]
        found = []
        for (name, reading), one in zip(readings, done, strict=True):
            found.append(one.get())
            file = f"{name}.{reading.folder.name}.{reading.context}.evidence.gz"
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
        known = self.read_all(
            [
                ("held", Reading(folder, most, held, GOLD))
                for folder, held in zip(self.folders, self.held, strict=True)
            ]
        )
        self.report_held("gold boards, rules", [answers_by(one, _rules_answer) for one in known])
        for view in most.views:
            answers = [answers_by(one, _answer_of(view)) for one in known]
            self.report_held(f"gold boards, network, {view}", answers)
        fitted: dict[str, list[float]] = {}
        readings = []
        for name, candidates in self.sets.items():
            apart = [self.fit_on_others(place, known, candidates) for place in range(len(known))]
            choices = [choose_by(weights, candidates) for weights in apart]
            answers = [answers_by(one, choose) for one, choose in zip(known, choices, strict=True)]
            self.report_held(f"gold boards, choice, {name}", answers)
            self.report_held(
                f"gold boards, best candidate, {name}", [find_best(one, candidates) for one in known]
            )
            readings += [
                (f"held-{name}", Reading(folder, candidates, held, CONTEXT, weights))
                for folder, held, weights in zip(self.folders, self.held, apart, strict=True)
            ]
        found = self.read_all(readings)
        for place, (name, candidates) in enumerate(self.sets.items()):
            mine = found[place * len(self.folders) :][: len(self.folders)]
            self.report_held(f"own boards, choice, {name}", [[read.painted for read in one] for one in mine])
            fitted[name] = fit_on([read for one in mine for read in one], candidates)
            choice = ReaderChoice(
                list_features(candidates.views), tuple(round(weight, 5) for weight in fitted[name])
            )
            (self.out / f"{name}.{CHOICE_FILE}").write_bytes(msgspec.json.format(encode(choice), indent=1))
        return fitted

    def fit_on_others(
        self, place: int, known: Sequence[Sequence[ReadProcedure]], candidates: CandidateSet
    ) -> list[float]:
        """On the images of the other readers that this one did not set aside; of one reader, on its own."""
        images = {one.image for one in self.held[place]}
        others = [
            read
            for number, one in enumerate(known)
            for read in one
            if number != place and read.procedure.image not in images
        ]
        return fit_on(others or known[place], candidates)

    def report_held(self, what: str, answers: Sequence[Sequence[Sequence[Painted]]]) -> None:
        """F1 and exact match of each reader on its held-out images, and of all."""
        together = list(chain(*self.held)), list(chain(*answers))
        parts = [*zip(self.held, answers, strict=True), together]
        told = [score_answers_of(held, done).told for held, done in parts]
        self.tell(f"held out, {what}: {told[-1]} ({', '.join(told[:-1])})")

    def measure_dev(self, fitted: Mapping[str, Weights]) -> None:
        for context in (GOLD, CONTEXT):
            asked = [
                (f"reader-{name}", Reading(folder, self.sets[name], self.dev, context, weights))
                for name, weights in fitted.items()
                for folder in self.folders
            ]
            alone = {"network": HINT, "unhinted": PLAIN}
            if self.programs:
                alone |= {"program": PROGRAM + HINT, "program-unhinted": PROGRAM + PLAIN}
            asked += [
                (f"reader-{part}", Reading(folder, CandidateSet((view,)), self.dev, context))
                for part, view in alone.items()
                for folder in self.folders
            ]
            for (name, reading), found in zip(asked, self.read_all(asked), strict=True):
                self.report_dev(name, reading, found)

    def report_dev(self, name: str, reading: Reading, found: Sequence[ReadProcedure]) -> None:
        card = self.cards[self.folders.index(reading.folder)]
        name, done = f"{name}-{card.job['seed']}", [one.painted for one in found]
        table = tabulate(self.images, score_executor_actions(self.dev, done))
        told = " | ".join(
            f"{part} ({many}) {f1:.1f}/{exact:.1f}" for part, (many, f1, exact) in table.items()
        )
        right = count_final_boards(self.images, done)
        self.tell(f"{name} {reading.context}: final boards {right} of {len(done)}\n  {told}")
        write_answers(self.out, describe(name, card, reading.context), self.images, done)


def _check_programs(
    cards: Sequence[ModelCard], programs: Sequence[Path], sets: Sequence[str]
) -> Sequence[Path]:
    """The networks that answer by programs, one for each reader."""
    if not programs and any(SETS[name].program_views for name in sets):
        raise Problem(f"the sets of programs need --programs: choose from {', '.join(TILE_SETS)}, or give it")
    found = [read_weights_card(folder) for folder in programs]
    if found and [one.job["seed"] for one in found] != [card.job["seed"] for card in cards]:
        raise Problem("--programs needs one folder for each reader, of the same seeds in the same order")
    for folder, one in zip(programs, found, strict=True):
        if one.settings["notation"] != "program":
            raise Problem(f"{folder} does not answer by programs: train it with --notation program")
    return programs


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


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("readers", type=Path, nargs="+")
    parser.add_argument(
        "--sets", nargs="+", choices=tuple(SETS), default=TILE_SETS, help="sets of candidates"
    )
    parser.add_argument(
        "--programs", type=Path, nargs="+", default=(), help="for each reader, a network of programs"
    )
    parser.add_argument("--keep", action="store_true", help="use the choice.json of each folder")
    parser.add_argument("--held", action="store_true", help="do not measure on dev")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    work = ChoiceMeasures(given.data, given.out, given.readers, given.sets, given.programs)
    if given.keep:
        (folder,), (name,) = given.readers, given.sets
        fitted: Mapping[str, Weights] = {name: read_choice(folder).weights}
    else:
        fitted = work.fit_choices()
    if not given.held:
        work.measure_dev(fitted)


if __name__ == "__main__":
    main()
