"""The trainer `codraw-teller`. A Teller learns from people first, then by playing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import torch
from msgspec import Meta
from msgspec.structs import replace

from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.games.codraw.neural.batch_games import Partner, load_partner
from groundling.games.codraw.neural.dialog_pack import DialogPack, pack_dialogs
from groundling.games.codraw.neural.dialog_tensors import DialogTensors
from groundling.games.codraw.neural.drawer_trainer import (
    LICENCE,
    drawer_summary_line,
    run_model_trainer,
    select_dialogs,
)
from groundling.games.codraw.neural.jobs import Job, JobOptions, TellerModel, report_invalid_job
from groundling.games.codraw.neural.model_factory import build_teller_model, load_model_as, model_vocabulary
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.teller_imitation import ImitationLesson, ImitationTask
from groundling.games.codraw.neural.teller_reinforce import ReinforceTask, RewardLesson
from groundling.games.codraw.neural.vocabulary import Vocabulary
from groundling.games.codraw.recorded.dialog_files import load_dialog_files
from groundling.train.devices import select_device
from groundling.train.training_plan import TrainingPlan
from groundling.train.training_task import TrainingTask
from groundling.train.weights import ModelCard

AUX_WEIGHT = 6.0
"""The weight of predicting what is undrawn, as in the paper's models."""
EPOCHS = 50
DEFAULTS: dict[str, tuple[int, TrainingPlan, ImitationLesson]] = {
    "scene2seq": (
        16,
        TrainingPlan(rate=1e-3, falling=True, clip=1.0, every=0, patience=15),
        ImitationLesson(),
    ),
    "decoder": (
        64,
        TrainingPlan(rate=6e-4, warmup=200, weight_decay=0.05, clip=1.0, average=0.998, every=0, patience=15),
        ImitationLesson(mirror=0.5, unknown=0.05, aux=1.0),
    ),
}
"""The batch size, the plan and the lesson of each model that learns from people."""
PLAY_DEFAULTS = 16, TrainingPlan(steps=60_000, rate=3e-5, falling=False, clip=1.5, every=500), RewardLesson()
"""The same for a Teller that learns by playing."""


class TellerOptions(JobOptions, frozen=True, kw_only=True):
    model: Annotated[TellerModel, Meta(description="the paper's, or one with exact positions")] = "scene2seq"
    aux: Annotated[bool, Meta(description="also train it to predict which pieces are not drawn yet")] = False
    start: Annotated[
        str, Meta(description="the folder of a trained Teller (same half and seed), to continue by playing")
    ] = ""
    drawers: Annotated[
        tuple[str, ...],
        Meta(description="folders of the Drawers that it plays with, trained on the same half"),
    ] = ()
    learned: Annotated[bool, Meta(description="when it trains by playing, also learn a value baseline")] = (
        False
    )
    bound: Annotated[
        float, Meta(ge=0, description="nats per word that it may diverge from its start without penalty")
    ] = 0.0
    strict: Annotated[float, Meta(ge=0, description="penalty for each further nat")] = 0.0


def learn_teller(training: Training) -> Sequence[str]:
    """Train a Teller into a folder, and resume an interrupted training that is there."""
    asked: TellerOptions = training.options
    playing = {"learned": asked.learned, "bound": asked.bound, "strict": asked.strict}
    if asked.start and asked.aux:
        raise Problem("--aux is not for training by playing: use it to train the Teller named with --start")
    if any(playing.values()) and not asked.start:
        named = ", ".join(f"--{name}" for name, value in playing.items() if value)
        raise Problem(f"{named} is for a Teller that learns by playing: name its start with --start")
    deadline = asked.deadline
    training.progress("reading the dialogs", 0, 0)
    pack = pack_dialogs(load_dialog_files(training.data), asked.select_splits(training))
    lesson = playing if asked.start else {"aux": AUX_WEIGHT} if asked.aux else {}
    job = asked.make_job(
        training.out.name, asked.model, lesson=lesson, start=asked.start, drawers=asked.drawers
    )
    training.out.mkdir(exist_ok=True)
    card = train_teller(
        pack, job, training.out, where=select_device(), deadline=deadline, told=training.progress
    )
    return [f"{training.out}: {drawer_summary_line(card)}", f"licence: {LICENCE}"]


def train_teller(
    pack: DialogPack,
    job: Job,
    folder: Path,
    *,
    where: torch.device,
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> ModelCard:
    if job.start and job.narrated:
        raise Problem(
            "--narrated is not for training by playing: use it to train the Teller named with --start"
        )
    pack, mine, held_ids = select_dialogs(pack, job)
    torch.manual_seed(job.seed)
    given = []
    if job.start:
        model, card, digest = load_model_as(Teller, Path(job.start))  # type: ignore[type-abstract]
        if card.half != job.half_name:
            raise Problem(f"{job.start} was trained on half {card.half}: use that half, not {job.half_name}")
        if card.plan.seed != job.seed:
            raise Problem(
                f"{job.start} was trained with seed {card.plan.seed}, which sets the held-out tenth: "
                "use that seed"
            )
        _check_half(job, job.start, card.seen, pack)
        words, seen = Vocabulary(card.words), card.seen
        given.append(digest)
        job = replace(job, model=card.model, narrated=bool(card.job.get("narrated")))
    else:
        words, seen = model_vocabulary(pack, mine), ()
        with report_invalid_job(job, "settings"):
            model = build_teller_model(job.model, {"words": len(words), **job.settings})
    model.to(where)
    learned, held = (DialogTensors(pack.corpus, these, words, where) for these in (mine, held_ids))
    partners = [load_partner(Path(name), words, where) for name in job.drawers]
    for name, drawer in zip(job.drawers, partners, strict=True):
        _check_half(job, name, drawer.seen, pack)
        given.append(drawer.digest)
    plan, task = _make_task(job, model, learned, held, partners)
    known = {*seen, *(one for drawer in partners for one in drawer.seen)}
    others: dict[str, Any] = {"seen": known, "given": given, "deadline": deadline, "told": told}
    return run_model_trainer(task, model, plan, folder, job, pack, words, bytes_each=1, **others)


def _check_half(job: Job, name: str, seen: Sequence[str], pack: DialogPack) -> None:
    """Reject weights that were trained on dialogs outside the Teller's half."""
    if other := len({*seen} - {*pack.training_ids(job.half, job.grouped)}):
        raise Problem(
            f"{name} learned from {other:,} dialogs that are not of half {job.half_name}: "
            "give weights of the Teller's own half"
        )


def _make_task(
    job: Job, model: Teller, learned: DialogTensors, held: DialogTensors, partners: Sequence[Partner]
) -> tuple[TrainingPlan, TrainingTask]:
    if job.start:
        if not partners:
            raise Problem("a Teller that learns by playing needs Drawers of its half: name their folders")
        suits, plan, playing = PLAY_DEFAULTS
        batch, rewarded = job.batch or suits, job.merge_lesson(playing)
        plan = job.merge_plan(plan, len(learned), batch, 0)
        return plan, ReinforceTask(model, learned, held, batch, job.seed, rewarded, partners)
    suits, plan, telling = DEFAULTS[job.model]
    batch, lesson = job.batch or suits, job.merge_lesson(telling)
    plan = job.merge_plan(plan, len(learned), batch, 0 if "steps" in job.plan else job.epochs or EPOCHS)
    return plan, ImitationTask(model, learned, held, batch, job.seed, lesson, partners)
