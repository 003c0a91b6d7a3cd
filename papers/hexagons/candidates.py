"""Measures generators that answer under the grammar of their notation, alone and with candidates.

    python -m papers.hexagons.candidates DATA OUT WEIGHTS… [--draws 8 | --grammar]

Three ways to answer are compared: the likeliest tokens, the likeliest that the grammar allows, and the best
of several answers under the grammar. How candidates are ranked is fitted on the images that the training set
aside, with gold boards; there, each half of the images is ranked by the fit on the other half. F1 and exact
match are printed on these images and on dev, with gold and with own boards, and how far the second way is
from the first, with an interval over images. OUT gets the answers on dev, which tables.py reads, and what
the fit has found. With --grammar, only the first two ways are compared, and what the grammar keeps out is
counted: the likeliest answers on gold boards that it does not have, or that cannot be carried out."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec.json import encode
from msgspec.structs import replace
from papers.commands import report_problems
from papers.hexagons.evaluate import count_final_boards, describe, tabulate, write_answers

from groundling.games.hexagons.data import read_data_images
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.neural.answer_grammar import DEAD, GRAMMARS, AnswerGrammar
from groundling.games.hexagons.neural.candidates import (
    CANDIDATE_FEATURES,
    USUAL_RANKING,
    GrammarExecutor,
    WrittenAnswer,
    describe_answers,
    rank_answers,
)
from groundling.games.hexagons.neural.executor import TilePainter, run_executor, score_executor_actions
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.model_factory import load_executor_model
from groundling.games.hexagons.neural.notation import Tile, answer_runs
from groundling.games.hexagons.neural.procedures import Procedure, set_aside_procedures
from groundling.games.hexagons.neural.reader_choice import painted_f1
from groundling.games.hexagons.neural.situations import make_situation
from groundling.scores.intervals import estimate_mean
from groundling.train.devices import select_device
from groundling.train.weights import ModelCard

OWN, GOLD = "predicted+full", "oracle+full"
AT_ONCE = 24
"""Instructions that are answered together."""
LONGEST_ANSWER = 160
RIDGE = 3.0
Asked = tuple[Procedure, int]


def gather_candidates(executor: GrammarExecutor, asked: Sequence[Asked]) -> list[list[WrittenAnswer]]:
    """Those for steps of procedures, on gold boards."""
    found: list[list[WrittenAnswer]] = []
    for start in range(0, len(asked), AT_ONCE):
        part = asked[start : start + AT_ONCE]
        found += executor.write_candidates(
            [make_situation(OWN, one.texts, one.boards, number) for one, number in part]
        )
    return found


def fit_ranking(asked: Sequence[Asked], found: Sequence[Sequence[WrittenAnswer]]) -> tuple[float, ...]:
    """Weights by which F1 is predicted best. Each instruction counts the same."""
    left, right = RIDGE * np.eye(len(CANDIDATE_FEATURES)), np.zeros(len(CANDIDATE_FEATURES))
    for (procedure, number), candidates in zip(asked, found, strict=True):
        gold, rows = procedure.step_changes(number), describe_answers(candidates)
        aims = np.array([painted_f1(one.painted, gold) for one in candidates])
        left += rows.T @ rows / len(rows)
        right += rows.T @ aims / len(rows)
    return tuple(float(weight) for weight in np.linalg.solve(left, right))


def report_rankings(
    name: str,
    asked: Sequence[Asked],
    found: Sequence[Sequence[WrittenAnswer]],
    fitted: Callable[[Procedure], Sequence[float]],
) -> None:
    """F1 and exact match of several ways to rank the same candidates."""
    rows: dict[str, list[tuple[float, bool]]] = {}
    for (procedure, number), candidates in zip(asked, found, strict=True):
        gold = procedure.step_changes(number)
        chosen = {
            "the likeliest tokens": candidates[0].painted,
            "the likeliest candidate": max(candidates, key=lambda one: one.likely).painted,
            "most agreement": rank_answers(candidates, _weigh("mean F1 with the others")).painted,
            "the shortest": min(candidates, key=lambda one: (not one.ended, one.length)).painted,
            "set by hand": rank_answers(candidates, USUAL_RANKING).painted,
            "fitted": rank_answers(candidates, fitted(procedure)).painted,
            "the best, with the gold in view": max(
                (one.painted for one in candidates), key=lambda one: painted_f1(one, gold)
            ),
        }
        for way, painted in chosen.items():
            rows.setdefault(way, []).append((painted_f1(painted, gold), painted == gold))
    for way, scores in rows.items():
        f1, exact = 100 * np.mean(scores, axis=0)
        print(f"{name}, gold boards, {way}: {f1:.1f} / {exact:.1f}", flush=True)
    every = [one for candidates in found for one in candidates]
    print(
        f"{name}: {np.mean([one.ended for one in every]):.3f} of the candidates came to their end", flush=True
    )


def _weigh(feature: str) -> list[float]:
    return [float(one == feature) for one in CANDIDATE_FEATURES]


def count_broken_answers(model: Generator, asked: Sequence[Asked]) -> tuple[int, int]:
    """Of the answers without a grammar, those that it does not have, and those that cannot be carried out."""
    grammar, notation = AnswerGrammar(GRAMMARS[model.settings.notation]), model.settings.notation
    unknown, idle = 0, 0
    for start in range(0, len(asked), AT_ONCE):
        part = [
            make_situation(OWN, one.texts, one.boards, number)
            for one, number in asked[start : start + AT_ONCE]
        ]
        for tokens, situation in zip(model.write_answers(part), part, strict=True):
            text = model.tokens.decode(tokens)
            state = grammar.follow_text(grammar.start, text)
            known = state != DEAD and grammar.is_complete(state)
            unknown += not known
            idle += known and not answer_runs(text, notation, situation.boards[-1])
    return unknown, idle


def measure_weights(folder: Path, data: Path, out: Path, draws: int, *, ranked: bool = True) -> None:
    model, card, _ = load_executor_model(folder)
    assert isinstance(model, Generator), f"{folder} holds no generator"
    model.prepare_to_play(select_device())
    model.settings = replace(model.settings, answer=min(model.settings.answer, LONGEST_ANSWER))
    train, dev = (read_data_images(data, part) for part in ("train", "dev"))
    held = {
        one.id for one in set_aside_procedures(list(map(Procedure.from_image, train)), card.job["seed"])[1]
    }
    parts = {"held out": [image for image in train if image.id in held], "dev": dev}
    steps = {
        part: [(one, number) for one in map(Procedure.from_image, images) for number in range(len(one.texts))]
        for part, images in parts.items()
    }
    name = folder.name
    ways: dict[str, TilePainter] = {"plain": model, "grammar": GrammarExecutor(model)}
    if ranked:
        ranking = measure_rankings(name, model, steps, out, draws)
        ways["candidates"] = GrammarExecutor(model, draws, ranking)
    else:
        for part, asked in steps.items():
            unknown, idle = count_broken_answers(model, asked)
            print(
                f"{name}, {part}, gold boards, without a grammar: of {len(asked)} answers {unknown} are "
                f"not in it, {idle} cannot be carried out",
                flush=True,
            )
    measure_ways(name, card, ways, parts, out)


def measure_rankings(
    name: str, model: Generator, steps: Mapping[str, Sequence[Asked]], out: Path, draws: int
) -> Sequence[float]:
    """What several rankings of candidates reach, and the one that is fitted on held-out images."""
    drawing = GrammarExecutor(model, draws)
    found = {part: gather_candidates(drawing, asked) for part, asked in steps.items()}
    ranking = fit_ranking(steps["held out"], found["held out"])
    half = {
        image: place % 2 for place, image in enumerate(sorted({one.image for one, _ in steps["held out"]}))
    }
    halves = []
    for which in (0, 1):
        other = [n for n, (one, _) in enumerate(steps["held out"]) if half[one.image] != which]
        halves.append(
            fit_ranking([steps["held out"][n] for n in other], [found["held out"][n] for n in other])
        )
    report_rankings(
        f"{name}, held out", steps["held out"], found["held out"], lambda one: halves[half[one.image]]
    )
    report_rankings(f"{name}, dev", steps["dev"], found["dev"], lambda one: ranking)
    told = dict(zip(CANDIDATE_FEATURES, ranking, strict=True))
    (out / f"{name}.ranking.json").write_bytes(encode(told))
    return ranking


def measure_ways(
    name: str,
    card: ModelCard,
    ways: Mapping[str, TilePainter],
    parts: Mapping[str, Sequence[HexagonsImage]],
    out: Path,
) -> None:
    for part, images in parts.items():
        procedures = [Procedure.from_image(image) for image in images]
        for context in (GOLD, OWN):
            reached = {}
            for way, executor in ways.items():
                begun = time.monotonic()
                done: list[list[dict[Tile, str]]] = run_executor(executor, procedures, context, AT_ONCE)
                reached[way] = score_executor_actions(procedures, done)
                table = tabulate(images, reached[way])
                row = " | ".join(
                    f"{what} ({n}) {f1:.1f}/{exact:.1f}" for what, (n, f1, exact) in table.items()
                )
                final = count_final_boards(images, done)
                print(
                    f"{name} {way}, {part}, {context}: final boards {final} of {len(images)}, "
                    f"{time.monotonic() - begun:.0f} s\n  {row}",
                    flush=True,
                )
                if part == "dev":
                    write_answers(out, describe(f"{name}-{way}", card, context), images, done)
            gain = 100 * (reached["grammar"] - reached["plain"])
            of = [one.image for one in procedures for _ in one.texts]
            found = [estimate_mean(gain[:, column], of) for column in (2, 3)]
            f1, exact = (f"{one.mean:+.1f} [{one.low:+.1f}, {one.high:+.1f}]" for one in found)
            print(f"{name}, {part}, {context}: the grammar gives {f1} F1, {exact} exact match", flush=True)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--draws", type=int, default=8, help="answers beside the likeliest")
    parser.add_argument("--grammar", action="store_true", help="compare with and without it, and no more")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for folder in given.weights:
        measure_weights(folder, given.data, given.out, given.draws, ranked=not given.grammar)


if __name__ == "__main__":
    main()
