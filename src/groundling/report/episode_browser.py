"""The data of the report's browser of episodes: a list with labels to filter by, and replays with notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from groundling.core.events import encode_event_json
from groundling.core.pack import Pack, load
from groundling.core.result_tables import natural_sort_key
from groundling.report.episode_sample import REPLAYED, sample_episodes
from groundling.report.replay_data import Replayer, add_clause_shades, add_step_notes
from groundling.report.report_data import ReportRun, distinct_values
from groundling.runs.blame_file import EpisodeBlame, read_blame
from groundling.runs.scoring import STATUSES
from groundling.runs.scoring_table import FACET
from groundling.runs.step_notes import NOTED, notes_by_episode


class LabelNumbers:
    """Numbers pairs of a facet and its value, so that a page with many steps stays small."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def number_labels(self, labels: Mapping[str, str]) -> list[int]:
        return [self._numbers.setdefault(pair, len(self._numbers)) for pair in labels.items()]

    def number_turns(self, steps: Sequence[Mapping[str, Any]], measure: str) -> list[list[Any]]:
        """Return the score, the step and the labels of each turn."""
        return [
            [step["turn"].get(measure), at, *self.number_labels(step.get("labels", {}))]
            for at, step in enumerate(steps)
            if "turn" in step
        ]

    def pairs(self) -> list[tuple[str, str, int]]:
        """Return facet, value and number, values in natural order."""
        found = [(name, value, number) for (name, value), number in self._numbers.items()]
        return sorted(found, key=lambda each: (each[0], natural_sort_key(each[1])))


def make_episode_data(pack: Pack, runs: Sequence[ReportRun], count: int | None, seed: int) -> tuple[str, str]:
    """Return JSON blocks of the list of episodes and the chosen replays, and how these were chosen."""
    main = load(pack.measures)[0].name
    own = [run.without_controls() for run in runs]
    sets = list(dict.fromkeys(name for episodes in own for name in distinct_values(episodes, "set")))
    total = sum(episodes.select(pl.len()).collect().item() for episodes in own)
    rows: list[list[Any]] = []
    blocks: list[str] = []
    labels = LabelNumbers()
    for number_, (run, episodes) in enumerate(zip(runs, own, strict=True)):
        share = None if count is None else count // len(runs) + (number_ < count % len(runs))
        names = ("episode", "set", "status", main)
        listed = sample_episodes(episodes.select(*names, pl.col(f"^{FACET}.*$")), main, share, seed)
        chosen = listed.filter(REPLAYED)["episode"].to_list()
        places = {name: len(blocks) + place for place, name in enumerate(chosen)}
        replayer, notes = Replayer(pack, run.folder.make_game()), notes_by_episode(run.folder)
        blame = read_blame(run.folder)
        turns: dict[str, list[list[Any]]] = {}
        for transcript in run.folder.read_episodes(chosen):
            replay = replayer.replay_episode(transcript)
            add_step_notes(replay["steps"], notes.get(transcript.episode, ()))
            add_clause_shades(replay["steps"], blame.get(transcript.episode), replay["top"])
            turns[transcript.episode] = labels.number_turns(replay["steps"], main)
            blocks.append(_json_block(f"replay-{len(blocks)}", replay))
        for row in listed.iter_rows(named=True):
            name, score = row["episode"], row[main]
            rounded = None if score is None else round(score, 4)
            status = STATUSES.index(row["status"])
            marks = labels.number_labels(_episode_labels(row, name in notes, blame.get(name)))
            known = number_, name, sets.index(row["set"]), status, rounded, places.get(name, -1)
            rows.append([*known, marks, turns.get(name, [])])
    index = {
        "runs": [run.name for run in runs],
        "sets": sets,
        "statuses": STATUSES,
        "measure": main,
        "labels": labels.pairs(),
        "rows": rows,
    }
    told = f"All {total} episodes can be replayed, turn by turn."
    if len(blocks) < total:
        listed_ones = (
            "All are listed"
            if len(rows) == total
            else f"These and others at random, {len(rows)} in all, are listed"
        )
        told = (
            f"{len(blocks)} of {total} episodes can be replayed here, turn by turn: a third of them the "
            f"worst, a third the best, the rest at random (seed {seed}), including aborted and "
            f"errored ones. {listed_ones}; groundling show DIR EPISODE prints any of them. groundling "
            "report --episodes all includes all replays."
        )
    told += " Arrow keys step through the open one."
    return _json_block("index", index) + "".join(blocks), told


def _episode_labels(row: Mapping[str, Any], noted: bool, blame: EpisodeBlame | None) -> dict[str, str]:
    found = {key.removeprefix(FACET): value for key, value in row.items() if key.startswith(FACET) and value}
    found |= {"lost by": blame.split.verdict} if blame else {}
    return found | (NOTED if noted else {})


def _json_block(name: str, value: Any) -> str:
    """Return a script element of JSON. Without any < it cannot end the element or begin a comment."""
    data = encode_event_json(value).decode().replace("<", r"\u003c")
    return f'<script type="application/json" id="{name}">{data}</script>\n'
