"""Fits the choice of `reader` between the rules and the network, and measures it.

    python -m papers.hexagons.choice DATA OUT READER… [--workers 4]

Each READER is a folder of `groundling train hexagons-generator --hints`, of a seed of its own. The choice is
fitted on the images that these trainings set aside: first with gold boards, then with the boards that the
first fit leads to. OUT gets `choice.json` for the folders of weights, what was known of every instruction,
and the answers on dev with own and with gold boards, which tables.py reads."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.json import encode
from papers.hexagons.evaluate import count_final_boards, describe, tabulate, write_answers

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.neural.executor import score_executor_actions
from groundling.games.hexagons.neural.notation import Tile, paint_notation_cells, write_action_notation
from groundling.games.hexagons.neural.procedures import (
    BLANK,
    Procedure,
    read_procedures,
    set_aside_procedures,
)
from groundling.games.hexagons.neural.reader import (
    CHOICE_FILE,
    CONTEXT,
    Reader,
    ReaderChoice,
    load_reader_network,
)
from groundling.games.hexagons.neural.reader_choice import (
    FEATURES,
    ReadingEvidence,
    choose_answer,
    fit_choice,
)
from groundling.games.hexagons.neural.situations import make_situation
from groundling.games.hexagons.neural.smollm2 import find_smollm2_file, read_smollm2
from groundling.train.weights import read_weights_card

GOLD = "oracle+full"
_NETWORKS: list[Reader] = []
"""The one of a worker."""


class ReadProcedure(Struct, frozen=True):
    """How a procedure was carried out, and the CPU seconds of that."""

    procedure: Procedure
    evidence: list[ReadingEvidence]
    painted: list[dict[Tile, str]]
    seconds: float


class ReaderPool:
    """The weights of a seed in several processes, each of which carries out procedures."""

    def __init__(self, folder: Path, workers: int, stack: ExitStack) -> None:
        self.folder = folder
        pool = ProcessPoolExecutor(workers, get_context("fork"), _start_worker, (folder,))
        self._pool = stack.enter_context(pool)

    def submit(
        self, procedures: Sequence[Procedure], context: str, weights: Sequence[float]
    ) -> list[Future[ReadProcedure]]:
        """Begin with the longest."""
        ordered = sorted(procedures, key=lambda one: -len(one.texts))
        asked = {one.id: self._pool.submit(_read_procedure, one, context, tuple(weights)) for one in ordered}
        return [asked[one.id] for one in procedures]


def _start_worker(folder: Path) -> None:
    _NETWORKS[:] = [Reader(load_reader_network(folder)[0], ())]


def _read_procedure(procedure: Procedure, context: str, weights: Sequence[float]) -> ReadProcedure:
    begun = time.process_time()
    boards, known, done = [BLANK], list[ReadingEvidence](), list[dict[Tile, str]]()
    for number in range(len(procedure.texts)):
        known.append(_NETWORKS[0].gather_evidence(make_situation(CONTEXT, procedure.texts, boards, number)))
        done.append(dict(choose_answer(known[-1], weights)[0]))
        own = paint_notation_cells(boards[-1], done[-1])
        boards.append(procedure.boards[number + 1] if context == GOLD else own)
    return ReadProcedure(procedure, known, done, time.process_time() - begun)


def fit_on(found: Sequence[ReadProcedure]) -> list[float]:
    """Weights of the features, from instructions of which the right answer is known."""
    return fit_choice(
        [
            (evidence, one.procedure.step_changes(number))
            for one in found
            for number, evidence in enumerate(one.evidence)
        ]
    )


def write_evidence(file: Path, found: Sequence[ReadProcedure]) -> None:
    """A line for each instruction."""
    lines = []
    for one in found:
        for number, evidence in enumerate(one.evidence):
            rules, network = evidence.rules, evidence.network
            line = {
                "id": one.procedure.id,
                "step": number,
                "rules": write_action_notation(rules.painted, "runs"),
                "unread": rules.unread,
                "whole": rules.whole,
                "right": write_action_notation(one.procedure.step_changes(number), "runs"),
            }
            if network is not None:
                line |= {
                    "network": write_action_notation(network.painted, "runs"),
                    "likely": [network.likely, network.length, network.draft_likely, network.draft_length],
                }
            lines.append(encode(line) + b"\n")
    file.write_bytes(b"".join(lines))


def report(name: str, images: Sequence[HexagonsImage], found: Sequence[ReadProcedure]) -> None:
    done = [one.painted for one in found]
    table = tabulate(images, score_executor_actions([one.procedure for one in found], done))
    told = " | ".join(f"{part} ({many}) {f1:.1f}/{exact:.1f}" for part, (many, f1, exact) in table.items())
    seconds = sum(one.seconds for one in found) / table["all"][0]
    right = count_final_boards(images, done)
    print(
        f"{name}: final boards {right} of {len(images)}, {seconds:.2f} CPU s an answer\n  {told}", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("readers", type=Path, nargs="+")
    parser.add_argument("--workers", type=int, default=4, help="processes for each folder")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    images = {part: read_data_images(given.data, part) for part in ("train", "dev")}
    people = read_procedures(given.data, "train")
    dev = [Procedure.from_image(image) for image in images["dev"]]
    cards = [read_weights_card(folder) for folder in given.readers]
    if any(card.model == "hexagons-smollm2" for card in cards):
        read_smollm2(find_smollm2_file())  # once for all processes, which are forked
    with ExitStack() as stack:
        pools = [ReaderPool(folder, given.workers, stack) for folder in given.readers]
        held = [set_aside_procedures(people, card.job["seed"])[1] for card in cards]
        weights = [0.0] * len(FEATURES)
        for context in (GOLD, CONTEXT):
            found = read_all(pools, held, context, weights)
            weights = fit_on([one for part in found for one in part])
            for card, part in zip(cards, found, strict=True):
                write_evidence(given.out / f"held-{card.job['seed']}.{context}.jsonl", part)
        choice = ReaderChoice(FEATURES, tuple(round(weight, 5) for weight in weights))
        (given.out / CHOICE_FILE).write_bytes(msgspec.json.format(encode(choice), indent=1))
        for context in (CONTEXT, GOLD):
            found = read_all(pools, [dev] * len(pools), context, choice.weights)
            for card, part in zip(cards, found, strict=True):
                name = f"reader-{card.job['seed']}"
                report(f"{name} {context}", images["dev"], part)
                write_answers(
                    given.out, describe(name, card, context), images["dev"], [one.painted for one in part]
                )


def read_all(
    pools: Sequence[ReaderPool],
    procedures: Sequence[Sequence[Procedure]],
    context: str,
    weights: Sequence[float],
) -> list[list[ReadProcedure]]:
    """What each folder makes of its procedures, all at the same time."""
    asked = [pool.submit(part, context, weights) for pool, part in zip(pools, procedures, strict=True)]
    return [[one.result() for one in part] for part in asked]


if __name__ == "__main__":
    main()
