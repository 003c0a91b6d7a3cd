"""Plays what the tables need, with `groundling cross`: people's words with every Drawer, every Teller with
the Drawers of the other half, and controls. What is there already is not played again."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from papers.codraw.paraphrase import paraphrase_text
from papers.codraw.played import PARAPHRASED, find_runs, read_games, said_by, seat_specs
from papers.codraw.tables import NEURAL
from papers.codraw.weights_folders import OTHER_HALF, Halves, WeightsFolder, find_weights

from groundling.core.values import Problem
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.players.script import ScriptEpisode
from groundling.runs.run_folder import RunFolder

PEOPLE_SEATS = ("replay", "replay,until=peek")
RULE_DRAWER = "grammar"
"""Plays with every Teller, so that each has a run whose words can be repeated."""


class SeatedPlayer(Struct, frozen=True):
    """A player as the command seats it."""

    seat: str
    label: str
    half: str = ""
    seed: int | None = None
    blind: bool = False
    seen: frozenset[str] = frozenset()


class PlayOptions(Struct, frozen=True, kw_only=True):
    folders: Sequence[Path]
    data: Path
    split: str = "val"
    out: Path
    limit: int | None = None
    at_once: int = 1
    """The number of commands that run at the same time, and share the cores."""


def play_everything(order: PlayOptions) -> Iterator[str]:
    """Play, and yield notes on weights that are left out."""
    weights, notes = find_weights(order.folders)
    yield from notes
    for halves in ("paper", "grouped"):
        mine = [one for one in weights if one.halves == halves]
        if mine:
            yield from _play_halves(order, halves, mine)


def _play_halves(order: PlayOptions, halves: Halves, weights: Sequence[WeightsFolder]) -> Iterator[str]:
    folder = order.out / halves
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    given = ["--data", str(order.data)]
    if halves == "grouped":
        splits = folder / "splits.json"
        run_commands([["data", "split", "codraw", str(order.data), "--grouped", "-o", str(splits)]], 1)
        given += ["--splits", str(splits)]
    memories = {half: folder / f"{half}.nearest" for half in OTHER_HALF}
    remember = [
        ["train", "codraw-nearest", *given, "--half", half, "-o", str(file)]
        for half, file in memories.items()
        if not file.exists()
    ]
    run_commands(remember, order.at_once)
    play = ["cross", "codraw", *given, "--on", order.split, "--silent", "--peeks", "0", "-o", str(runs)]
    play += ["--limit", str(order.limit)] if order.limit else []
    nearest = [SeatedPlayer(f"nearest:{file}", "nearest", half) for half, file in memories.items()]
    tellers = [*nearest, *(_seat_weights(one) for one in weights if one.role == TELLER)]
    drawers = [*nearest, *(_seat_weights(one) for one in weights if one.role == DRAWER)]
    drawers.append(SeatedPlayer(RULE_DRAWER, RULE_DRAWER))
    panels = {"template": on_panel(drawers), PEOPLE_SEATS[1]: on_panel(drawers)}
    for teller in tellers:
        panels[teller.seat] = others = crosstalk_partners(teller, drawers)
        if any(teller.seen & other.seen for other in others):
            yield f"{teller.seat} learned from dialogs of the other half: its rows are no crosstalk"
    first = [
        cross_command(play, PEOPLE_SEATS, drawers),
        cross_command(play, ["template"], panels["template"]),
    ]
    first += [
        cross_command(play, [one.seat], [*panels[one.seat], *codebook_partners(one, drawers)])
        for one in tellers
    ]
    run_commands(first, order.at_once)
    spoken = {_seat_of(run): run for run in find_runs(runs) if seat_specs(run)[DRAWER].name == RULE_DRAWER}
    then = [cross_command(play, [f"silent:{spoken[PEOPLE_SEATS[0]].path}"], drawers)]
    for seat, panel in panels.items():
        script = write_paraphrases(spoken[seat])
        then.append(cross_command([*play, "--cap", "0"], [f"script:{script}"], panel))
    run_commands(then, order.at_once)


def _seat_of(run: RunFolder) -> str:
    found: str = run.read_about()["plan"]["seats"][TELLER]
    return found


def _seat_weights(one: WeightsFolder) -> SeatedPlayer:
    seat = f"weights:{one.folder}" + (",precision=full" if one.role == DRAWER else "")
    return SeatedPlayer(seat, one.label, one.half, one.seed, one.card.blind, frozenset(one.card.seen))


def on_panel(drawers: Iterable[SeatedPlayer]) -> list[SeatedPlayer]:
    """Return the Drawers that learned with words, from one half or not at all."""
    return [one for one in drawers if not one.blind and one.half in (*OTHER_HALF, "")]


def crosstalk_partners(teller: SeatedPlayer, drawers: Sequence[SeatedPlayer]) -> list[SeatedPlayer]:
    """Return the Drawers of the other half, and those that were not trained."""
    panel = on_panel(drawers)
    return [
        *match_seeds(teller, [one for one in panel if one.half == OTHER_HALF[teller.half]]),
        *(one for one in panel if not one.half),
    ]


def codebook_partners(teller: SeatedPlayer, drawers: Sequence[SeatedPlayer]) -> list[SeatedPlayer]:
    """Return the Drawers of the Teller's own half, as a control: the paper's, and nearest with nearest."""
    same = [one for one in on_panel(drawers) if one.half == teller.half]
    return match_seeds(
        teller, [one for one in same if one.label.startswith(NEURAL) or one.label == teller.label]
    )


def match_seeds(teller: SeatedPlayer, drawers: Sequence[SeatedPlayer]) -> list[SeatedPlayer]:
    """Of each kind of Drawer choose the one of the Teller's seed, or another if there is none. A Teller
    without a seed plays with all of them."""
    if teller.seed is None:
        return list(drawers)
    found = []
    for label in dict.fromkeys(one.label for one in drawers):
        alike = sorted((one for one in drawers if one.label == label), key=lambda one: one.seed or 0)
        mate = next((one for one in alike if one.seed == teller.seed), alike[teller.seed % len(alike)])
        found.append(mate)
    return found


def cross_command(play: Sequence[str], tellers: Iterable[str], drawers: Iterable[SeatedPlayer]) -> list[str]:
    seats = [*(("--tellers", seat) for seat in tellers), *(("--drawers", one.seat) for one in drawers)]
    return [*play, *(word for seat in seats for word in seat)]


def run_commands(commands: Sequence[Sequence[str]], at_once: int) -> None:
    """Run commands of groundling, some of them at the same time."""
    threads = max(1, (os.cpu_count() or 1) // min(at_once, max(len(commands), 1)))
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}

    def run_one(words: Sequence[str]) -> None:
        command = ["groundling", *words]
        print(shlex.join(command), file=sys.stderr, flush=True)
        done = subprocess.run(
            [sys.executable, "-m", *command], env=environment, stdout=subprocess.PIPE, check=False, text=True
        )
        if done.returncode:
            raise Problem(f"{shlex.join(command)} ended with {done.returncode}: see what it said above")

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(run_one, commands))


def write_paraphrases(run: RunFolder) -> Path:
    """Write into a run's folder what its Teller said, said otherwise. The same text about the same scene is
    always paraphrased alike."""
    lines = []
    for number, game in enumerate(read_games(run)):
        texts = [paraphrase_text(text, Random(f"{number} {text}")) for text in said_by(game, TELLER)]
        replies = [*(f"Say: {text}" for text in texts), "FINISH"]
        lines.append(msgspec.json.encode(ScriptEpisode(game.episode, replies)) + b"\n")
    file = run.path / PARAPHRASED
    file.write_bytes(b"".join(lines))
    return file
