"""What `groundling play` does, without printing: plan, seat players, play or resume, play controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from os.path import normpath
from pathlib import Path
from random import Random
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat, load, resolve_settings
from groundling.core.player import Player, player_info
from groundling.core.values import Instance, Problem, Role
from groundling.players import CONTROLS
from groundling.players.chat.preview import estimate_game_calls
from groundling.players.chat.prompts import former_prompt_versions
from groundling.players.chat.reply_book import ReplyBook
from groundling.players.player_specs import (
    check_seat_specs,
    language_model_seats,
    make_players_from_specs,
    with_recorded_specs,
)
from groundling.players.replay_player import ReplayPlayer, choose_replay_donors
from groundling.runs.budget import SpendingBudget
from groundling.runs.engine import (
    EpisodePlayer,
    RunSummary,
    RunTally,
    play_here,
    play_plan,
    summarise_engine_run,
)
from groundling.runs.event_log import EventLog
from groundling.runs.instances import check_instance_ids
from groundling.runs.own_loop import run_to_end
from groundling.runs.plan import RunPlan, Selection
from groundling.runs.reply_reuse import add_logged_replies, reuse_logged_replies
from groundling.runs.run import read_run_recordings
from groundling.runs.run_folder import RunFolder
from groundling.runs.sampling import Stratum, choose_sets, count_strata, find_stratum, order_by_rotation
from groundling.runs.scoring import RowKeeper
from groundling.runs.seat_usage import SeatUsage
from groundling.runs.sharded_run import ShardedRun
from groundling.runs.shards import (
    Shard,
    check_shard_folder,
    choose_shard_instances,
    shard_folder,
    whole_run_folder,
)

T = TypeVar("T")
DEFAULT_JOBS = 16
"""Concurrent episodes by default."""
SAMPLED_EPISODES = 10
"""How many episodes at most are used to estimate the cost of a run."""


WorkerStarter: TypeAlias = Callable[["RunSession"], AbstractAsyncContextManager[EpisodePlayer]]
"""Starts workers for a session inside a running event loop, and stops them in the end."""


class RunSession(Struct, frozen=True):
    """A plan with its players and its folder, ready to play."""

    pack: Pack
    game: AnyGame
    plan: RunPlan
    """The plan of the folder with what is added now."""
    players: dict[Role, Player]
    folder: RunFolder
    asked: RunPlan
    """What is played now: a part of the plan if the folder has more instances or repeats."""
    base: Path | None = None
    """The folder to which the paths of replayed runs are relative; the working folder by default."""

    def read_tally(self) -> RunTally:
        """Read the progress of an earlier run from its log."""
        tally = RunTally()
        if self.folder.log_path.exists():
            self.folder.check_plan(self.asked)
            tally.read_log(self.folder.log_path)
        return tally

    def count_spent(self, budget: SpendingBudget) -> None:
        """Count what the run and its controls have spent so far."""
        whole = whole_run_folder(self.folder.path)
        controls = (shard_folder(whole / name, self.plan.shard) for name in CONTROLS)
        for path in (self.folder.path, *controls):
            tally, log = RunTally(), RunFolder(path).log_path
            if log.exists():
                tally.read_log(log)
            names = {role: player.name for role, player in self.players.items()}
            budget.count_log(log, [(names.get(role, ""), used) for role, used in tally.seats.items()])

    def read_summary(self) -> RunSummary:
        return summarise_engine_run(self.plan, self.read_tally(), lambda one: find_stratum(self.pack, one))

    def scored_strata(self) -> Counter[Stratum]:
        """Count the planned episodes that have a result by set and category."""
        tally = self.read_tally()
        planned = self.plan.planned_episodes()
        return Counter(find_stratum(self.pack, one.instance) for one in planned if tally.is_done(one.id))

    @property
    def is_interactive(self) -> bool:
        return any(player_info(player).interactive for player in self.players.values())

    @property
    def has_models(self) -> bool:
        """Whether language models have a seat."""
        return any(player_info(player).wordings for player in self.players.values())

    @property
    def default_jobs(self) -> int:
        """Concurrent episodes: more than usual if a player answers in batches, unless another player is a
        language model, which costs money and has rate limits."""
        infos = [player_info(player) for player in self.players.values()]
        models = [info for info in infos if info.wordings]
        return max(DEFAULT_JOBS, *(info.at_once for info in models or infos))

    def play_missing(
        self,
        jobs: int,
        on_start: Callable[[int], None] = lambda done: None,
        on_synced: Callable[[list[str]], None] = lambda episodes: None,
        budget: SpendingBudget | None = None,
        reuse: bool = False,
        start_workers: WorkerStarter | None = None,
    ) -> None:
        """Play what is missing, as far as the budget goes. `on_synced` is called from another thread with
        the episodes that are safe on disk. With `reuse`, language models are not sent again what they have
        answered in this run or in one beside it. With `start_workers`, other processes play the episodes,
        and this one keeps the log."""
        if budget is not None and budget.is_limited:
            self.count_spent(budget)
        self.folder.prepare_folder(self.asked)
        with EventLog(self.folder.log_path, on_synced) as log:
            tally = self.read_tally()
            self.folder.grow_folder(self.plan, len(tally.score))
            done = sum(tally.is_done(episode.id) for episode in self.asked.planned_episodes())
            on_start(done)
            players = self.players if budget is None else budget.limit_players(self.players)
            if reuse and done < len(self.asked):
                players = reuse_logged_replies(self.folder, self.plan.game, players)
            rows = RowKeeper(self.folder, self.pack, self.game)

            async def play_episodes() -> None:
                here = nullcontext(play_here(self.asked, self.game, players))
                async with start_workers(self) if start_workers else here as play_episode:
                    await play_plan(self.asked, log, self.game, play_episode, tally, rows, jobs=jobs)

            run_to_end(play_episodes())
        rows.write_rows(log, tally.unfinished)

    def estimate_usage(self, *, with_controls: bool, book: ReplyBook | None = None) -> dict[Role, SeatUsage]:
        """Estimate the most that the calls of language models will use in the episodes that are missing, from
        the prompts of some of them. Retries after refused replies are not counted, nor are replies that are
        in the book or in the logs; the book gets the others."""
        tally = self.read_tally()
        if book is not None:
            add_logged_replies(book, self.folder, self.plan.game, self.players)
        missing = [episode for episode in self.asked.planned_episodes() if not tally.is_done(episode.id)]
        sample = missing[:: -(-len(missing) // SAMPLED_EPISODES)] if missing else []
        found: dict[Role, SeatUsage] = {}
        for one in sample:
            known = ReplyBook() if book is None else book
            calls = estimate_game_calls(
                self.pack, self.game, one.instance, self.players, known, episode=one.id, seed=one.seed
            )
            for role, made in calls.items():
                used = found.setdefault(role, SeatUsage())
                controls = len(CONTROLS) if with_controls and role != self.pack.speaker else 0
                for call in made:
                    for _ in range(call.sent + controls):
                        used.add_reply(
                            {"input_tokens": call.input_tokens, "output_tokens": call.output_tokens}
                        )
        for used in found.values():
            used.scale_usage(len(missing) / len(sample))
        return found

    def control_session(self, name: str) -> RunSession:
        """Return the same run with the speaker's words, from this run's log, removed or exchanged."""
        plan = self.plan
        seats = {**plan.seats, self.pack.speaker: f"{name}:.."}
        folder = whole_run_folder(self.folder.path) / name
        return prepare_session(self.pack, msgspec.structs.replace(plan, seats=seats), folder, base=folder)


def prepare_session(
    pack: Pack, plan: RunPlan, folder: Path | None, *, base: Path | None = None
) -> RunSession:
    """Make the players of a plan. Runs that players replay are found relative to `base`, else to the working
    folder. If the folder was begun with defaults or prompts of an earlier version, these are kept."""
    models = language_model_seats(plan.seats)
    versions = plan_versions(pack, plan, models, prompted=bool(models))
    if folder is not None and not RunFolder(shard_folder(folder, plan.shard)).about_path.exists():
        versions = versions[:1]
    return choose_begun_version(
        versions,
        lambda version, planned: _prepare_version(version, planned, folder, base),
        lambda session: session.folder.about_path.exists(),
    )


def choose_begun_version(
    versions: Sequence[tuple[Pack, RunPlan]],
    prepare: Callable[[Pack, RunPlan], T],
    is_begun: Callable[[T], bool],
) -> T:
    """Prepare the first version that was begun before, else the first that can be prepared."""
    found: list[T] = []
    refused: list[Problem] = []
    for version, planned in versions:
        try:
            found.append(prepare(version, planned))
        except Problem as trouble:
            refused.append(trouble)
        else:
            if is_begun(found[-1]):
                return found[-1]
    if not found:
        raise refused[0]
    return found[0]


def plan_versions(
    pack: Pack, plan: RunPlan, models: Collection[Role], *, prompted: bool
) -> list[tuple[Pack, RunPlan]]:
    """Return the plan with its settings resolved for these language models, and the same with the defaults
    of an earlier version if there are others; if any player is `prompted`, also with the prompts of earlier
    versions."""
    versions = _default_versions(pack, plan, models)
    if not prompted:
        return versions
    return versions + [
        (former, planned) for version, planned in versions for former in former_prompt_versions(version)
    ]


def _default_versions(pack: Pack, plan: RunPlan, models: Collection[Role]) -> list[tuple[Pack, RunPlan]]:
    now = msgspec.structs.replace(plan, settings=resolve_settings(pack, plan.settings, models))
    if pack.former is None:
        return [(pack, now)]
    default = load(pack.game).Settings()
    then = {
        name: value
        for name, value in pack.former.settings.items()
        if getattr(plan.settings, name) == getattr(default, name)
    }
    before = msgspec.structs.replace(plan, settings=msgspec.structs.replace(now.settings, **then))
    wordings = pack.former.wordings or pack.wordings
    if (wordings, before.settings) == (pack.wordings, now.settings):
        return [(pack, now)]
    return [(pack, now), (msgspec.structs.replace(pack, wordings=wordings, former=None), before)]


def _prepare_version(pack: Pack, plan: RunPlan, folder: Path | None, base: Path | None) -> RunSession:
    def open_recordings(name: str) -> Mapping[str, Transcript]:
        return read_run_recordings(Path(normpath(base / name)) if base else Path(name))

    game = pack.new(plan.settings)
    instances = plan.known_instances
    plan = msgspec.structs.replace(plan, seats=with_recorded_specs(plan.seats, pack, game, instances))
    check_seat_specs(plan.seats, pack, game, instances)
    players = make_players_from_specs(pack, game, plan.seats, instances, open_recordings)
    found = msgspec.structs.replace(make_session(pack, game, plan, players, folder), base=base)
    first = plan.with_first_instances()
    if first is not plan and found.folder.keeps_first_instances:
        return _prepare_version(pack, first, whole_run_folder(found.folder.path), base)
    return found


def make_session(
    pack: Pack,
    game: AnyGame,
    plan: RunPlan,
    players: dict[Role, Player],
    folder: Path | None,
    prefix: Path | None = None,
) -> RunSession:
    """Make a session whose plan records what identifies these players. Without a folder, its path is the
    prefix followed by a hash of the identity."""
    infos = {role: player_info(player) for role, player in players.items()}
    origins = {"game": pack.code, **{role: info.origin for role, info in infos.items()}}
    plan = msgspec.structs.replace(
        plan,
        facts={role: dict(info.facts) for role, info in infos.items()},
        wordings=max(1, *(info.wordings for info in infos.values())),
        origins={who: origin for who, origin in origins.items() if origin},
    )
    whole = folder or _default_folder(prefix or Path("runs") / pack.name, plan)
    check_shard_folder(whole, plan.shard)
    run = RunFolder(shard_folder(whole, plan.shard))
    merged = run.merge_plan(plan, pack)
    _check_replayed_episodes(run, players)
    return RunSession(pack, game, merged, players, run, plan)


def _check_replayed_episodes(run: RunFolder, players: Mapping[Role, Player]) -> None:
    """Check that the recordings that players replay still hold what was replayed in this folder."""
    replaying = [player for player in players.values() if isinstance(player, ReplayPlayer)]
    for transcript in run.read_transcripts() if replaying and run.about_path.exists() else ():
        for player in replaying:
            player.check_logged_replies(transcript)


def _default_folder(prefix: Path, plan: RunPlan) -> Path:
    """Return the folder named after the plan, or the one that an older version named after it."""
    now, old = (
        prefix.with_name(f"{prefix.name}-{name}") for name in (plan.identity_hash(), plan.old_identity_hash())
    )
    return old if old.exists() and not now.exists() else now


def check_session_controls(session: RunSession) -> None:
    """Raise Problem before the run if controls cannot be played after it."""
    speaker = session.pack.speaker
    instances = session.plan.known_instances
    if not any(speaker in session.game.seats(instance) for instance in instances):
        raise Problem(
            f"with these settings nobody sits as {speaker}, whose words the controls take away: "
            "leave out --controls"
        )
    choose_replay_donors(
        Seat(session.pack, session.game, session.pack.speaker, "shuffled", instances=instances)
    )


def lacks_shards(session: RunSession) -> bool:
    """Whether the session plays a shard, and some episode of the whole run has no result yet."""
    if not session.plan.shard:
        return False
    run, tally = ShardedRun(whole_run_folder(session.folder.path)), RunTally()
    for shard in run.shards.values():
        if shard.log_path.exists():
            tally.read_log(shard.log_path)
    return len(tally.score) < int(run.read_about()["episodes"])


def control_sessions(session: RunSession) -> list[RunSession]:
    """Return the control runs. They need all words of the run itself, so it must be complete."""
    whole = whole_run_folder(session.folder.path)
    if lacks_shards(session) or not session.read_summary().is_complete:
        which = "every shard" if session.plan.shard else "it"
        raise Problem(
            f"the controls replay the words of {whole}, and some are missing: run {which} again first"
        )
    return [session.control_session(name) for name in CONTROLS]


def new_session_plan(
    pack: Pack,
    instances: Sequence[Instance],
    limit: int | None = None,
    *,
    sample: int | None = None,
    sets: Sequence[str] = (),
    shard: Shard | None = None,
    **fields: Any,
) -> RunPlan:
    """Make the plan for these instances, or for those of some sets, or for `limit` of them in rotation over
    sets and categories, or for a random sample with the same shares; for a shard, its part of these."""
    for name, count in (("limit", limit), ("sample", sample)):
        if count is not None and count < 1:
            raise Problem(f"{name} is {count}: play at least 1 episode")
    if limit is not None and sample is not None:
        raise Problem("both --limit and --sample are given: choose one of them")
    check_instance_ids("the built-in set", instances)
    offered = choose_sets(instances, sets)
    how: Selection = "all"
    chosen, count = offered, limit or sample
    if count is not None and count < len(offered):
        rng = None if sample is None else Random(fields.get("seed", 0))
        chosen, how = order_by_rotation(pack, offered, rng)[:count], "limit" if limit else "sample"
    mine = choose_shard_instances(pack, chosen, shard) if shard else chosen
    if not mine:
        raise Problem(f"--shard {shard} has nothing to play, as there are too few clusters: use fewer shards")
    return RunPlan(
        game=pack.name,
        instances=mine,
        whole=chosen if shard else [],
        shard=shard,
        offered=offered,
        offered_ids=[instance.id for instance in offered],
        selection=how,
        strata=count_strata(pack, offered),
        **fields,
    )
