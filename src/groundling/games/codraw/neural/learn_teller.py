"""The trainer `codraw-teller`, which also runs as one of a list of jobs. A Teller learns from people first,
then by playing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import torch
from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.games.codraw.neural.building import build_teller, load_teller, vocabulary_of
from groundling.games.codraw.neural.dialogs import Dialogs
from groundling.games.codraw.neural.jobs import Asked, Job, TellerModel, as_asked
from groundling.games.codraw.neural.learn import LICENCE, came_of, carry_out, to_learn
from groundling.games.codraw.neural.packing import Pack, pack_dialogs
from groundling.games.codraw.neural.rewarding import RewardLesson, RewardTask
from groundling.games.codraw.neural.talks import Partner, partner
from groundling.games.codraw.neural.tellers import Teller
from groundling.games.codraw.neural.telling import TellingTask, TellLesson
from groundling.games.codraw.neural.words import Vocabulary
from groundling.games.codraw.recorded.reading import records
from groundling.train.gpus import device
from groundling.train.plan import Plan
from groundling.train.task import Task
from groundling.train.weights import Card

AUX = 6.0
"""The weight of predicting what is undrawn, as in the paper's models."""
EPOCHS = 50
SUITS: dict[str, tuple[int, Plan, TellLesson]] = {
    "scene2seq": (16, Plan(rate=1e-3, falling=True, clip=1.0, every=0, patience=15), TellLesson()),
    "decoder": (
        64,
        Plan(rate=6e-4, warmup=200, weight_decay=0.05, clip=1.0, average=0.998, every=0, patience=15),
        TellLesson(mirror=0.5, unknown=0.05, aux=1.0),
    ),
}
"""The batch size, the plan and the lesson of each model that learns from people."""
PLAYS = 16, Plan(steps=60_000, rate=3e-5, falling=False, clip=1.5, every=500), RewardLesson()
"""The same for a Teller that learns by playing."""


class TellerOptions(Asked, frozen=True, kw_only=True):
    model: Annotated[TellerModel, Meta(description="the paper's, or one that knows exact places")] = (
        "scene2seq"
    )
    aux: Annotated[bool, Meta(description="it also learns which pieces are still undrawn")] = False
    start: Annotated[
        str,
        Meta(description="a trained Teller's folder, of the same half and seed, to learn on from by playing"),
    ] = ""
    drawers: Annotated[
        tuple[str, ...], Meta(description="folders of the Drawers, of its own half, that it plays with")
    ] = ()
    learned: Annotated[bool, Meta(description="when it plays, it learns what reward to expect")] = False
    bound: Annotated[
        float, Meta(ge=0, description="nats a word that it may go from where it started, at no cost")
    ] = 0.0
    strict: Annotated[float, Meta(ge=0, description="what each nat beyond that costs")] = 0.0


def learn_teller(training: Training) -> Sequence[str]:
    """Train a Teller into a folder, and resume an interrupted training that is there."""
    asked: TellerOptions = training.options
    playing = {"learned": asked.learned, "bound": asked.bound, "strict": asked.strict}
    if asked.start and asked.aux:
        raise Problem(
            "who learns by playing does not learn what is undrawn: "
            "train the Teller that it starts from with --aux"
        )
    if any(playing.values()) and not asked.start:
        named = ", ".join(f"--{name}" for name, value in playing.items() if value)
        raise Problem(
            f"{named} is for a Teller that learns by playing: name the one that it starts from with --start"
        )
    deadline = asked.deadline
    training.progress("reading the dialogs", 0, 0)
    pack = pack_dialogs(records(training.data), asked.splits(training))
    lesson = playing if asked.start else {"aux": AUX} if asked.aux else {}
    job = asked.job(training.out.name, asked.model, lesson=lesson, start=asked.start, drawers=asked.drawers)
    training.out.mkdir(exist_ok=True)
    card = train_teller(pack, job, training.out, where=device(), deadline=deadline, told=training.progress)
    return [f"{training.out}: {came_of(card)}", f"licence: {LICENCE}"]


def train_teller(
    pack: Pack,
    job: Job,
    folder: Path,
    *,
    where: torch.device,
    found: Mapping[str, Path] | None = None,
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Card:
    """Train a Teller. `found` maps weights that the job names to their folders, if these are elsewhere."""
    place = {name: Path(name) for name in job.needs} | dict(found or {})
    if job.start and job.narrated:
        raise Problem(
            "who learns by playing learns from no dialogs: "
            "train the Teller that it starts from with --narrated"
        )
    pack, mine, held_ids = to_learn(pack, job)
    torch.manual_seed(job.seed)
    given = []
    if job.start:
        model, card, digest = load_teller(place[job.start])
        if card.half != job.part:
            raise Problem(f"{job.start} learned from half {card.half}: go on with that half, not {job.part}")
        if card.plan.seed != job.seed:
            raise Problem(
                f"{job.start} learned with seed {card.plan.seed}, by which a tenth is set aside: "
                "go on with that seed"
            )
        _check_part(job, job.start, card.seen, pack)
        words, seen = Vocabulary(card.words), card.seen
        given.append(digest)
        job = replace(job, model=card.model, narrated=bool(card.job.get("narrated")))
    else:
        words, seen = vocabulary_of(pack, mine), ()
        with as_asked(job, "settings"):
            model = build_teller(job.model, {"words": len(words), **job.settings})
    model.to(where)
    learned, held = (Dialogs(pack.corpus, these, words, where) for these in (mine, held_ids))
    partners = [partner(place[name], words, where) for name in job.drawers]
    for name, drawer in zip(job.drawers, partners, strict=True):
        _check_part(job, name, drawer.seen, pack)
        given.append(drawer.digest)
    plan, task = _task(job, model, learned, held, partners)
    known = {*seen, *(one for drawer in partners for one in drawer.seen)}
    others: dict[str, Any] = {"seen": known, "given": given, "deadline": deadline, "told": told}
    return carry_out(task, model, plan, folder, job, pack, words, bytes_each=1, **others)


def _check_part(job: Job, name: str, seen: Sequence[str], pack: Pack) -> None:
    """Reject weights that were trained on dialogs outside the Teller's half."""
    if other := len({*seen} - {*pack.half(job.half, job.grouped)}):
        raise Problem(
            f"{name} learned from {other:,} dialogs that are not of half {job.part}: "
            "give weights of the Teller's own half"
        )


def _task(
    job: Job, model: Teller, learned: Dialogs, held: Dialogs, partners: Sequence[Partner]
) -> tuple[Plan, Task]:
    if job.start:
        if not partners:
            raise Problem("a Teller that learns by playing needs Drawers of its half: name their folders")
        suits, plan, playing = PLAYS
        plan, rewarded = _plan(plan, job), _lesson(playing, job)
        return plan, RewardTask(model, learned, held, job.batch or suits, job.seed, rewarded, partners)
    suits, plan, telling = SUITS[job.model]
    batch = job.batch or suits
    plan = _plan(plan, job)
    if "steps" not in job.plan:
        plan = replace(plan, steps=ceil(len(learned) * (job.epochs or EPOCHS) / batch))
    plan = plan if plan.every else replace(plan, every=max(1, ceil(len(learned) / batch)))
    return plan, TellingTask(model, learned, held, batch, job.seed, _lesson(telling, job), partners)


S = TypeVar("S", bound=Struct)


def _lesson(usual: S, job: Job) -> S:
    with as_asked(job, "lesson"):
        return msgspec.convert({**to_builtins(usual), **job.lesson}, type(usual))


def _plan(usual: Plan, job: Job) -> Plan:
    with as_asked(job, "plan"):
        return msgspec.convert({**to_builtins(usual), **job.plan, "seed": job.seed}, Plan)
