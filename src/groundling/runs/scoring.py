"""Scores transcripts into a table with one row per episode, without asking any player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import Raw

from groundling.core.consistency import find_contradiction
from groundling.core.events import SCORED, Failed, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Scores, load
from groundling.core.values import Role, Say, missing_extra
from groundling.runs.event_log import EventLog, pause_garbage_collection
from groundling.runs.kept_rows import (
    KeptRows,
    ScoredRow,
    decode_kept_row,
    encode_kept_row,
    find_kept_rows,
    hash_scoring_code,
    write_kept_rows,
)
from groundling.runs.run_folder import RunFolder
from groundling.runs.sampling import sampling_weights
from groundling.runs.scoring_table import (
    BASELINE_PREFIX,
    FACET,
    TURNS,
    WORDS,
    encode_scoring_table,
    scan_scoring_table,
    scored_strata,
)
from groundling.runs.seat_usage import SeatUsage, is_model_call
from groundling.runs.sharded_run import ShardedRun
from groundling.runs.stored_run import Run

if TYPE_CHECKING:
    import polars as pl


ScoreCallback: TypeAlias = Callable[[Transcript, Scores], None]
STATUSES = (*SCORED, "errored", "missing", "damaged")
"""What became of an episode. The log of a damaged one contradicts itself: it has no scores."""
NOT_IN_TABLES = ("reasoning", "system", "call")
"""Details of replies that are only in the log."""


class EpisodeScorer:
    """Makes the rows of the episodes of one run."""

    def __init__(self, pack: Pack, game: AnyGame, note: ScoreCallback | None = None) -> None:
        self.game, self.roles, self._note = game, pack.roles, note
        self.measures = measures = [measure.name for measure in load(pack.measures)]
        self.columns = (
            *("players", "set", "category", "episode", "instance", "group", "origin", "cluster", "status"),
            *(*measures, "strict", "tolerant", "chance", "top"),
            *(f"refused_{role}" for role in pack.roles),
            *("seconds", "failed_at", "weight"),
        )
        self._score, self._cluster, self._category = load(pack.score), load(pack.cluster), load(pack.category)
        self._chance, self._top = load(pack.chance), load(pack.top)

    def episode_row(self, transcript: Transcript, is_checked: bool = False) -> ScoredRow:
        """Return the values of `columns`, and last a mapping of values that not every run has: token usage,
        details of replies, what is wrong with a damaged log, and what only reports need. A transcript is
        checked if it was just played."""
        opened = transcript.opened
        status, damage = (transcript.status, "") if is_checked else scoring_status(self.game, transcript)
        instance, ended = opened.instance, status in SCORED
        given = Scores({}) if damage else self._score(self.game, transcript)
        if self._note is not None:
            self._note(transcript, given)
        scores = given.episode
        refused = dict.fromkeys(self.roles, 0)
        more: dict[str, Any] = {f"{BASELINE_PREFIX}{name}": value for name, value in given.baselines.items()}
        if damage:
            more["damage"] = damage
        well_formed, seconds, failed_at = True, 0.0, None
        seats: dict[Role, SeatUsage] = {}
        for event in transcript.events if not damage else ():
            if type(event) is Replied:  # isinstance is ten times as slow on these
                well_formed &= event.strict is None
                seconds += event.seconds or 0.0
                if event.usage or event.detail:
                    _add_reply_details(more, event)
                    if is_model_call(event.usage, event.detail):
                        used = seats.setdefault(event.role, SeatUsage())
                        used.add_reply(event.usage, event.seconds, event.detail)
            elif type(event) is Refused:
                refused[event.role] += 1
                well_formed = False
            elif type(event) is Failed:
                failed_at = event.boundary
                if event.retries:
                    seats.setdefault(event.role, SeatUsage()).retries += event.retries
        for role, used in seats.items():
            more |= {f"{name}_{role}": value for name, value in msgspec.structs.asdict(used).items()}
        more[WORDS] = sum(
            len(one.text.split()) for _, one in transcript.event_moves() if isinstance(one, Say)
        )
        turns = (turn.get(self.measures[0]) for turn in given.turns)
        more[TURNS] = [value for value in turns if value is not None]
        more |= {f"{FACET}{name}": value for name, value in given.facets.items()}
        main = scores[self.measures[0]] if ended else None
        return (
            " → ".join(opened.seats.values()),
            instance.set,
            "" if damage else self._category(instance),
            opened.episode,
            instance.id,
            instance.group,
            instance.origin,
            "" if damage else self._cluster(instance),
            status,
            *[scores[name] if ended else None for name in self.measures],
            # An episode of well-formed replies is the same under both readings; a malformed reply ends the
            # strict one.
            main if well_formed or main is None else 0.0,
            None if opened.strict else main,
            None if damage else self._chance(instance),
            None if damage else self._top(instance),
            *refused.values(),
            seconds,
            failed_at if status == "errored" else None,
            given.weight,
            more,
        )


class RowKeeper:
    """Scores episodes as they are closed, and keeps their rows beside the log. They need not be replayed: the
    same code made each event from those before it."""

    def __init__(self, folder: RunFolder, pack: Pack, game: AnyGame) -> None:
        """The log must be open for writing. Where it has episodes whose rows were not kept, no more are."""
        self._folder, self._rows, self._keeps = folder, list[Raw](), True
        with self._stop_at_faults():
            self._code, self._scorer = hash_scoring_code(pack, game), EpisodeScorer(pack, game)
            if folder.log_path.stat().st_size:
                before = find_kept_rows(folder, pack, game)
                self._rows, self._keeps = before.rows if before else [], before is not None

    @contextmanager
    def _stop_at_faults(self) -> Iterator[None]:
        """Keep no rows if a game's scores have a fault: `score` will say so, and the run continues."""
        try:
            yield
        except Exception:
            self._keeps = False

    def add_episode(self, transcript: Transcript) -> None:
        if self._keeps:
            with self._stop_at_faults():
                self._rows.append(encode_kept_row(self._scorer.episode_row(transcript, is_checked=True)))

    def write_rows(self, log: EventLog, unfinished: Iterable[str]) -> None:
        """Write the rows of a log that was closed. `unfinished` are episodes that were not resumed."""
        if self._keeps:
            kept = KeptRows(log.synced_crc, self._code, self._rows, [*unfinished, *log.unclosed])
            with self._stop_at_faults():  # a full disk must not fail a run that is complete
                write_kept_rows(self._folder, kept)


def scoring_status(game: AnyGame, transcript: Transcript) -> tuple[str, str]:
    """Return what became of an episode, one of STATUSES, and what is wrong with the log of a damaged one."""
    wrong = find_contradiction(game, transcript)
    return ("damaged", wrong.message) if wrong else (transcript.status, "")


def count_scoring_statuses(statuses: Iterable[str] | Mapping[str, int], planned: int) -> dict[str, int]:
    """Count the planned episodes by status, given that of each, or their numbers. Episodes that were not
    begun are missing. A recording may hold more episodes than were planned."""
    found = Counter[str](statuses)
    ended = sum(count for status, count in found.items() if status != "missing")
    found["missing"] = max(found["missing"], planned - ended)
    return {status: found[status] for status in STATUSES}


def describe_scoring_counts(counts: Mapping[str, int]) -> str:
    """Return the sum as a line; limited and damaged episodes are named only if there are any."""
    rare = ("limited", "damaged")
    shown = [f"{status} {count}" for status, count in counts.items() if count or status not in rare]
    return f"planned {sum(counts.values())} = {' + '.join(shown)}"


def _add_reply_details(more: dict[str, Any], reply: Replied) -> None:
    for key, count in reply.usage.items():
        more[f"usage_{key}"] = more.get(f"usage_{key}", 0) + count
    for key, value in reply.detail.items():
        if isinstance(value, str | int | float) and key not in NOT_IN_TABLES:
            more[f"{key}_{reply.role}"] = value


def encode_run_scores(
    folder: Run, control: str = "", note: ScoreCallback | None = None, *, for_report: bool = False
) -> bytes:
    """Return the content of `scores.parquet`: a row for every episode that was begun. It is empty if none
    was. A control has the name of the run that it belongs to. `note` is called with each transcript and all
    its scores. Without it, rows that were kept when the run was played are taken."""
    if find_spec("polars") is None:
        raise missing_extra("score")
    scorer, rows = _score_episodes(folder, note)
    everywhere = {
        "run": str(folder.path.parent if control else folder.path),
        "game": scorer.game.name,
        "control": control,
    }
    with pause_garbage_collection():
        return encode_scoring_table(everywhere, scorer.columns, rows, _read_strata(folder), for_report)


def score_run(folder: Run, control: str = "", note: ScoreCallback | None = None) -> pl.DataFrame:
    """Return the table of `encode_run_scores`, all of it in memory."""
    return scan_scoring_table(encode_run_scores(folder, control, note)).collect()


def score_columns(folder: Run, names: Iterable[str]) -> dict[str, list[Any]]:
    """Return these columns of `score_run` as lists, and `sampling_weight`: polars, whose import takes longer
    than many runs, is not needed for a summary."""
    scorer, rows = _score_episodes(folder)
    places = {name: at for at, name in enumerate(scorer.columns)}
    found: dict[str, list[Any]] = {name: [] for name in (*names, "set", "category", "status")}
    for row in rows:
        for name, values in found.items():
            values.append(row[places[name]] if name in places else row[-1].get(name))
    outcomes = Counter(zip(found["set"], found["category"], found["status"], strict=True))
    weights = sampling_weights(_read_strata(folder), scored_strata(outcomes))
    strata = zip(found["set"], found["category"], strict=True)
    return {**found, "sampling_weight": [weights.get(stratum, 1.0) for stratum in strata]}


def _score_episodes(
    folder: Run, note: ScoreCallback | None = None
) -> tuple[EpisodeScorer, Iterator[ScoredRow]]:
    pack = folder.find_pack()
    scorer = EpisodeScorer(pack, folder.make_game(), note)
    parts = folder.shards.values() if isinstance(folder, ShardedRun) else (folder,)
    rows = (_episode_rows(part, pack, scorer, use_kept=note is None) for part in parts)
    return scorer, chain.from_iterable(rows)


def _read_strata(folder: Run) -> Mapping[str, Mapping[str, int]]:
    found: Mapping[str, Mapping[str, int]] = folder.read_about()["plan"].get("strata", {})
    return found


def score_with_controls(
    folder: Run, note: ScoreCallback | None = None, *, for_report: bool = False
) -> Iterator[tuple[str, Run, bytes]]:
    """Yield the table of a run, then those of its controls, each with the control's name and its run."""
    for control, run in {"": folder, **folder.control_runs()}.items():
        yield control, run, encode_run_scores(run, control, note, for_report=for_report)


def _episode_rows(folder: Run, pack: Pack, scorer: EpisodeScorer, *, use_kept: bool) -> Iterator[ScoredRow]:
    if use_kept and isinstance(folder, RunFolder) and (kept := find_kept_rows(folder, pack, scorer.game)):
        others = folder.read_episodes(kept.unclosed) if kept.unclosed else ()
        return chain(map(decode_kept_row, kept.rows), map(scorer.episode_row, others))
    return map(scorer.episode_row, folder.read_transcripts())
