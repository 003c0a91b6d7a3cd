"""A follower of the reference game that learns from rewards alone what the giver's words mean.

    python examples/learn_follower.py -o build/learned

The policy knows no word. It multiplies what a clause says about rows with what it says about columns,
compares that with the three grids, picks one, and is told whether it was right (REINFORCE). It learns from
two givers on new instances. Then it is an ordinary player, which plays held-out instances with the controls
`silent` and `shuffled`."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from os.path import relpath
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from groundling.boards.plot import PlotPoint, PlotSeries, draw_curves, plot_document
from groundling.bridges.gymnasium import SeatEnv, env
from groundling.core.player import Ask, Reply
from groundling.core.values import Say
from groundling.games.reference.rules import Pick

Floats = NDArray[np.float64]
HERE = Path(relpath(__file__))
GIVERS = {"gold": "gold", "ordinal": f"{HERE}:OrdinalGiver"}
PAIRS, SIZE = 2_048, 5
"""The number of word pairs that are told apart, and of rows and columns."""
ORDINALS = ("first", "second", "third", "fourth", "fifth")


class OrdinalGiver:
    """A giver with other words than `gold`: "third row, first and second cell; fifth row, …"."""

    async def act(self, ask: Ask) -> Reply:
        grid = ask.view.grids[ask.view.target - 1]
        rows: dict[int, list[str]] = {}
        for row, column in grid.letters_by_cell:
            rows.setdefault(row, []).append(ORDINALS[column - 1])
        parts = [f"{ORDINALS[row - 1]} row, {' and '.join(columns)} cell" for row, columns in rows.items()]
        return Reply(moves=(Say("; ".join(parts)),))


def read_clauses(text: str) -> list[NDArray[np.intp]]:
    """Return the numbers of the pairs of neighbouring words in each clause."""
    clauses = [re.findall(r"\w+", clause) for clause in text.lower().split(";")]
    return [
        np.array([crc32(f"{one} {other}".encode()) % PAIRS for one, other in pairwise(["", *words])])
        for words in clauses
        if words
    ]


class Policy:
    """The score of a grid is the sum over its filled cells of what the clauses say about row times column."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rows, self.columns = (rng.normal(0, 0.1, (PAIRS, SIZE)) for _ in range(2))
        self.filled = np.zeros(1)
        """What a filled cell is worth that no clause is about."""

    @property
    def weights(self) -> list[Floats]:
        return [self.rows, self.columns, self.filled]

    def choose_grid(
        self, text: str, grids: Floats, rng: np.random.Generator | None
    ) -> tuple[int, list[Floats]]:
        """Return a choice, the best one without `rng`, and the gradient of its log-probability."""
        clauses = read_clauses(text)
        about = [(self.rows[pairs].sum(0), self.columns[pairs].sum(0)) for pairs in clauses]
        cells = sum((np.outer(row, column) for row, column in about), np.full((SIZE, SIZE), self.filled[0]))
        scores = (grids * cells).sum((1, 2))
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        choice = int(chances.argmax() if rng is None else rng.choice(len(chances), p=chances))
        pull = np.tensordot((np.arange(len(chances)) == choice) - chances, grids, 1)
        found = [np.zeros_like(weight) for weight in self.weights]
        for pairs, (row, column) in zip(clauses, about, strict=True):
            np.add.at(found[0], pairs, pull @ column)
            np.add.at(found[1], pairs, pull.T @ row)
        found[2][0] = pull.sum()
        return choice, found


class Adam:
    """Gradient ascent with step sizes that adapt to each weight."""

    def __init__(self, weights: Sequence[Floats], rate: float) -> None:
        self._moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in weights]
        self._rate, self._steps = rate, 0

    def climb(self, weights: Sequence[Floats], gradients: Sequence[Floats]) -> None:
        self._steps += 1
        for weight, gradient, (first, second) in zip(weights, gradients, self._moments, strict=True):
            first += 0.1 * (gradient - first)
            second += 0.01 * (gradient**2 - second)
            scale = np.sqrt(second / (1 - 0.99**self._steps)) + 1e-6
            weight += self._rate * first / (1 - 0.9**self._steps) / scale


class LearnedFollower:
    """The policy as a player: `--seat follower=examples/learn_follower.py:LearnedFollower,weights=FILE`."""

    def __init__(self, weights: str) -> None:
        self._policy = Policy(np.random.default_rng(0))
        with np.load(weights) as saved:
            self._policy.rows, self._policy.columns, self._policy.filled = saved.values()

    async def act(self, ask: Ask) -> Reply:
        grids = np.array([grid.letter_numbers for grid in ask.view.grids]) > 0
        choice, _ = self._policy.choose_grid(ask.view.expression or "", grids.astype(float), None)
        return Reply(moves=(Pick(choice + 1),))


def see_turn(place: SeatEnv, instance: str | None = None) -> tuple[str, Floats]:
    """Begin an episode and return the giver's words and the grids, 1 for a filled cell."""
    seen, _ = place.reset(options={"instance": instance})
    return seen["text"].rpartition("description: ")[2], (seen["grids"] > 0).astype(float)


def measure_policy(policy: Policy, places: Sequence[SeatEnv]) -> dict[str, float]:
    """Return the success with the giver's words, with those about the next instance, and without words."""
    won: dict[str, list[float]] = {"real": [], "shuffled": [], "silent": []}
    for place in places:
        ids = [instance.id for instance in place.stepper.instances]
        turns = [see_turn(place, one) for one in ids]
        for number, one in enumerate(ids):
            others = turns[(number + 1) % len(ids)][0]
            for control, words in zip(won, (turns[number][0], others, "…"), strict=True):
                place.reset(options={"instance": one})
                won[control].append(place.step(policy.choose_grid(words, turns[number][1], None)[0])[1])
    return {control: float(np.mean(scores)) for control, scores in won.items()}


def learn(
    out: Path, episodes: int, batch: int, seed: int
) -> tuple[Policy, list[tuple[int, dict[str, float]]]]:
    """Learn from the rewards of both givers' games, and measure on held-out instances on the way."""
    rng = np.random.default_rng(seed)
    policy = Policy(rng)
    optimizer, usual, curve = Adam(policy.weights, 0.03), 1 / 3, []
    places = [
        env("reference", instances=out / "train.jsonl", seats={"giver": giver}, log=out / f"learning-{name}")
        for name, giver in GIVERS.items()
    ]
    held_out = [
        env("reference", instances=out / "held-out.jsonl", seats={"giver": giver})
        for giver in GIVERS.values()
    ]
    for place in places:
        place.reset(seed=seed)
    for done in range(0, episodes + 1, batch):
        if done % max(episodes // 10 // batch * batch, batch) == 0:
            curve.append((done, measure_policy(policy, held_out)))
            print(
                f"{done:6,} episodes",
                *(f"{name} {won:.3f}" for name, won in curve[-1][1].items()),
                flush=True,
            )
        climbs = [np.zeros_like(weight) for weight in policy.weights]
        for number in range(batch):
            place = places[number % len(places)]
            choice, gradient = policy.choose_grid(*see_turn(place), rng)
            reward = place.step(choice)[1]
            for climb, part in zip(climbs, gradient, strict=True):
                climb += (reward - usual) * part / batch
            usual += 0.002 * (reward - usual)
        optimizer.climb(policy.weights, climbs)
    for place in places:
        place.close()
    return policy, curve


def draw_learning(curve: Sequence[tuple[int, dict[str, float]]]) -> str:
    series = [
        PlotSeries(name, colour, [PlotPoint(done, won[name]) for done, won in curve], name != "real")
        for colour, name in enumerate(curve[0][1])
    ]
    return plot_document(
        "A follower that learns", draw_curves(series, "episodes", "success on held-out instances", (0, 1))
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--out", type=Path, required=True, help="a new folder")
    parser.add_argument("--episodes", type=int, default=32_000)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    out: Path = given.out
    out.mkdir(parents=True, exist_ok=True)

    def run(*words: str | Path) -> None:
        subprocess.run([sys.executable, "-m", "groundling", *map(str, words)], check=True)

    for part, count, seed in (("train", 2_000, 101), ("held-out", 200, 202)):
        run("make", "reference", "-n", str(count), "--seed", str(seed), "--fill", "-o", out / f"{part}.jsonl")
    policy, curve = learn(out, given.episodes, given.batch, given.seed)
    np.savez(out / "policy.npz", *policy.weights)
    (out / "curve.svg").write_text(draw_learning(curve), encoding="utf-8")
    follower = f"follower={HERE}:LearnedFollower,weights={out / 'policy.npz'}"
    for name, giver in GIVERS.items():
        played: list[str | Path] = [
            "--seat",
            f"giver={giver}",
            "--seat",
            follower,
            "--controls",
            "-o",
            out / name,
        ]
        run("play", "reference", out / "held-out.jsonl", *played)
        run("compare", out / name / "shuffled", out / name)


if __name__ == "__main__":
    main()
