"""Fits the choice of `reader` between the rules and the network, and measures it.

    python -m papers.hexagons.choice DATA OUT READER… [--keep]

Each READER is a folder of `groundling train hexagons-generator --hints`, of a seed of its own. The choice is
fitted on the images that these trainings set aside: first with gold boards, then with the boards that the
first fit leads to. OUT gets `choice.json` for the folders of weights, what was known of every instruction,
and the answers on dev with own and with gold boards, which tables.py reads: of `reader`, and of its network
alone with and without the hint. With --keep, nothing is fitted, and `choice.json` of each folder is used."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.json import encode
from papers.hexagons.ablation_measures import ALWAYS, choose_by, fit_on, network_answer
from papers.hexagons.batched_reading import GOLD, BatchedReader, ReadProcedure
from papers.hexagons.evaluate import count_final_boards, describe, tabulate, write_answers

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
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
from groundling.games.hexagons.neural.reader_choice import FEATURES
from groundling.train.weights import ModelCard, read_weights_card


def write_evidence(file: Path, found: Sequence[ReadProcedure]) -> None:
    """A line for each instruction."""
    lines = []
    for one in found:
        for number, evidence in enumerate(one.evidence):
            rules = evidence.rules
            line: dict[str, Any] = {
                "id": one.procedure.id,
                "step": number,
                "rules": write_action_notation(rules.painted, "runs"),
                "unread": rules.unread,
                "whole": rules.whole,
                "right": write_action_notation(one.procedure.step_changes(number), "runs"),
            }
            line["candidates"] = [
                [write_action_notation(answer.painted, "runs"), answer.likely, answer.length]
                for answer in evidence.candidates
            ]
            lines.append(encode(line) + b"\n")
    file.write_bytes(b"".join(lines))


def report(name: str, images: Sequence[HexagonsImage], found: Sequence[ReadProcedure]) -> None:
    done = [one.painted for one in found]
    table = tabulate(images, score_executor_actions([one.procedure for one in found], done))
    told = " | ".join(f"{part} ({many}) {f1:.1f}/{exact:.1f}" for part, (many, f1, exact) in table.items())
    right = count_final_boards(images, done)
    print(f"{name}: final boards {right} of {len(images)}\n  {told}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("readers", type=Path, nargs="+")
    parser.add_argument("--keep", action="store_true", help="use the choice.json of each folder")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    images = {part: read_data_images(given.data, part) for part in ("train", "dev")}
    people = read_procedures(given.data, "train")
    dev = [Procedure.from_image(image) for image in images["dev"]]
    cards = [read_weights_card(folder) for folder in given.readers]
    models = [load_reader_network(folder)[0] for folder in given.readers]
    if given.keep:
        choices = [read_choice(folder) for folder in given.readers]
    else:
        held = [set_aside_procedures(people, card.job["seed"])[1] for card in cards]
        choices = [fit_on_held_out(models, cards, held, given.out)] * len(models)
    for context in (GOLD, CONTEXT):
        for card, model, choice in zip(cards, models, choices, strict=True):
            parts = {
                "reader": (BatchedReader([model]), choose_by(choice.weights)),
                "reader-network": (BatchedReader([model], sure=ALWAYS), network_answer),
                "reader-unhinted": (BatchedReader([model], hints=False, sure=ALWAYS), network_answer),
            }
            for part, (reader, choose) in parts.items():
                name = f"{part}-{card.job['seed']}"
                read = reader.read_procedures(dev, context, choose)
                report(f"{name} {context}", images["dev"], read)
                write_answers(
                    given.out, describe(name, card, context), images["dev"], [one.painted for one in read]
                )


def fit_on_held_out(
    models: Sequence[Generator], cards: Sequence[ModelCard], held: Sequence[Sequence[Procedure]], out: Path
) -> ReaderChoice:
    weights = [0.0] * len(FEATURES)
    for context in (GOLD, CONTEXT):
        found = [
            BatchedReader([model]).read_procedures(part, context, choose_by(weights))
            for model, part in zip(models, held, strict=True)
        ]
        weights = fit_on([one for part in found for one in part])
        for card, part in zip(cards, found, strict=True):
            write_evidence(out / f"held-{card.job['seed']}.{context}.jsonl", part)
    choice = ReaderChoice(FEATURES, tuple(round(weight, 5) for weight in weights))
    (out / CHOICE_FILE).write_bytes(msgspec.json.format(encode(choice), indent=1))
    return choice


if __name__ == "__main__":
    main()
