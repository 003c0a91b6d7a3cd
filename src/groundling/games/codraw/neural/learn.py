"""The trainer `codraw-drawer`, which also runs as one of a list of jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from math import ceil
from pathlib import Path
from typing import Annotated, Any

import msgspec
import torch
from msgspec import Meta, to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.games.codraw.neural.bilstm import AddLesson, BilstmDrawer, BilstmTask, turns_to_learn
from groundling.games.codraw.neural.building import build_drawer, vocabulary_of
from groundling.games.codraw.neural.dialogs import Dialogs
from groundling.games.codraw.neural.drawers import Drawer
from groundling.games.codraw.neural.drawing import DrawingTask, Lesson
from groundling.games.codraw.neural.jobs import Asked, DrawerModel, Job, as_asked
from groundling.games.codraw.neural.narrating import narrated
from groundling.games.codraw.neural.packing import Pack, pack_dialogs, set_aside
from groundling.games.codraw.neural.pretrained import settings as pretrained_settings
from groundling.games.codraw.neural.pretrained import start_from, vocabulary
from groundling.games.codraw.neural.tellers import Teller
from groundling.games.codraw.neural.transformer import TransformerDrawer
from groundling.games.codraw.neural.words import Vocabulary
from groundling.games.codraw.recorded.corpus import joined
from groundling.games.codraw.recorded.reading import records
from groundling.train.gpus import device, processes
from groundling.train.loop import fit
from groundling.train.plan import Plan
from groundling.train.task import Task
from groundling.train.weights import Card, is_there, read_card, rounded, save_weights

LICENCE = "CC BY-NC 4.0, as the CoDraw dialogs that it was trained on (Kim et al., arXiv 1712.05558)"
SUITS: dict[str, tuple[int, Plan, Lesson | AddLesson]] = {
    "bilstm": (16, Plan(rate=1e-3, falling=False, every=0), AddLesson()),
    "transformer": (
        256,
        Plan(
            steps=4000,
            rate=6e-4,
            warmup=200,
            weight_decay=0.05,
            clip=1.0,
            average=0.998,
            every=200,
            patience=12,
        ),
        Lesson(),
    ),
    "minilm": (
        128,
        Plan(
            steps=4000,
            rate=3e-4,
            warmup=200,
            weight_decay=0.05,
            clip=1.0,
            average=0.998,
            every=200,
            patience=12,
        ),
        Lesson(slow=0.3),
    ),
}
"""The batch size, the plan and the lesson of each model."""
EPOCHS = 15
"""Epochs of the paper's Drawer."""


class DrawerOptions(Asked, frozen=True, kw_only=True):
    model: Annotated[
        DrawerModel,
        Meta(
            description="the paper's, one that hears the whole dialog, or the same with a pretrained reader"
        ),
    ] = "transformer"
    pretrained: Annotated[
        str, Meta(description="the file of the pretrained reader, for the model minilm")
    ] = ""
    blind: Annotated[bool, Meta(description="without words, as a control")] = False


def learn_drawer(training: Training) -> Sequence[str]:
    """Train a Drawer into a folder, and resume an interrupted training that is there."""
    asked: DrawerOptions = training.options
    if asked.pretrained and asked.model != "minilm":
        raise Problem(
            f"{asked.model} starts from no pretrained reader: leave out --pretrained, "
            "or choose --model minilm"
        )
    deadline = asked.deadline
    training.progress("reading the dialogs", 0, 0)
    pack = pack_dialogs(records(training.data), asked.splits(training))
    job = asked.job(training.out.name, asked.model, blind=asked.blind)
    training.out.mkdir(exist_ok=True)
    pretrained = Path(asked.pretrained) if asked.pretrained else None
    given: dict[str, Any] = {"where": device(), "deadline": deadline, "told": training.progress}
    card = train_drawer(pack, job, training.out, pretrained=pretrained, **given)
    by = ["on the tenth of its dialogs that was set aside, with people's own words"] if card.finished else []
    return [f"{training.out}: {came_of(card)}", *by, f"licence: {LICENCE}"]


def came_of(card: Card) -> str:
    """Summarise a training in one line."""
    if not card.finished:
        return f"stopped after {card.done:,} of {card.plan.steps:,} steps: the same command goes on"
    told = ", ".join(f"{name} {value:.3f}" for name, value in card.scores.items())
    return (
        f"{card.model}, half {card.half}, {len(card.seen):,} dialogs, best after {card.step:,} steps: {told}"
    )


def train_drawer(
    pack: Pack,
    job: Job,
    folder: Path,
    *,
    where: torch.device,
    pretrained: Path | None = None,
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Card:
    pack, mine, held_ids = to_learn(pack, job)
    suits, plan, lesson = SUITS[job.model]
    batch = job.batch or suits
    torch.manual_seed(job.seed)
    with as_asked(job, "settings"):
        words, model = _new(pack, mine, job, pretrained)
    model.to(where)
    learned, held = (Dialogs(pack.corpus, these, words, where) for these in (mine, held_ids))
    with as_asked(job, "lesson"):
        lesson = msgspec.convert({**to_builtins(lesson), **job.lesson}, type(lesson))
    many = len(turns_to_learn(learned, lesson)) if isinstance(lesson, AddLesson) else len(learned)
    with as_asked(job, "plan"):
        plan = _plan(
            msgspec.convert({**to_builtins(plan), **job.plan, "seed": job.seed}, Plan), job, many, batch
        )
    task: Task
    if isinstance(model, TransformerDrawer):
        assert isinstance(lesson, Lesson)
        model.expect(learned.targets)
        task = DrawingTask(model, learned, held, batch, job.seed, lesson)
    else:
        assert isinstance(model, BilstmDrawer)
        assert isinstance(lesson, AddLesson)
        task = BilstmTask(model, learned, held, batch, job.seed, lesson)
    given = [sha256(pretrained.read_bytes()).hexdigest()] if pretrained and job.model == "minilm" else []
    return carry_out(
        task, model, plan, folder, job, pack, words, bytes_each=1, given=given, deadline=deadline, told=told
    )


def to_learn(pack: Pack, job: Job) -> tuple[Pack, list[str], list[str]]:
    """Return the pack with any narrated dialogs added, the ids to learn from, and the ids to hold out.
    Narrated dialogs are never held out."""
    ids = pack.half(job.half, job.grouped)
    if len(ids) < 2:
        raise Problem(f"there are {len(ids)} dialogs of half {job.half}: at least 2 are needed")
    mine, held = set_aside(ids, job.seed)
    if job.narrated:
        more = narrated(pack.corpus, mine, job.seed)
        pack, mine = replace(pack, corpus=joined(pack.corpus, more)), [*mine, *more.ids]
    return pack, mine, held


def carry_out(
    task: Task,
    model: Drawer | Teller,
    plan: Plan,
    folder: Path,
    job: Job,
    pack: Pack,
    words: Vocabulary,
    *,
    bytes_each: int,
    seen: Iterable[str] = (),
    given: Sequence[str] = (),
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Card:
    """Train, save the best weights with their card, and measure the weights again as they were saved. `given`
    holds the checksums of other weights that this training depends on. A finished training is left as it
    is."""
    rank, many = processes()
    plan = plan.shared(many)
    mine = pack.half(job.half, job.grouped)
    from_these = sha256(encode(mine)).hexdigest()
    asked = encode([replace(job, name="", minutes=0), pack.data, from_these, model.settings, given]).decode()
    outcome = fit(task, plan, folder, asked=asked, deadline=deadline, told=told)
    if outcome.idle and is_there(folder) and (card := read_card(folder)).finished:
        return card
    scores = dict(outcome.scores)
    if outcome.state and rank == 0:
        model.load_state_dict(rounded(outcome.state, bytes_each=bytes_each))
        with torch.no_grad():
            scores = dict(task.measure(model.eval()))
    card = Card(
        model=job.model,
        settings=to_builtins(model.settings),
        plan=plan,
        job=to_builtins(job),
        data=pack.data,
        half=job.part,
        seen=tuple(sorted({*mine, *seen})),
        words=words.words,
        blind=job.blind,
        step=outcome.step,
        scores=scores,
        finished=outcome.finished,
        done=outcome.done,
        licence=LICENCE,
        version=outcome.tools["version"],
        code=outcome.tools["code"],
        torch=outcome.tools["torch"],
    )
    if outcome.state and rank == 0:
        save_weights(folder, outcome.state, card, bytes_each=bytes_each)
    return card


def _plan(plan: Plan, job: Job, many: int, batch: int) -> Plan:
    """Compute steps from epochs. The default is one measurement per epoch."""
    epochs = job.epochs or (EPOCHS if job.model == "bilstm" and "steps" not in job.plan else 0)
    if epochs:
        plan = replace(plan, steps=ceil(many * epochs / batch))
    return plan if plan.every else replace(plan, every=max(1, ceil(many / batch)))


def _new(pack: Pack, ids: Sequence[str], job: Job, pretrained: Path | None) -> tuple[Vocabulary, Drawer]:
    if job.model == "minilm":
        if pretrained is None or not pretrained.is_file():
            raise Problem("minilm starts from a pretrained reader: name its file with --pretrained")
        words = vocabulary(pretrained, job.blind)
        model = TransformerDrawer(pretrained_settings(words, **job.settings))
        start_from(model, pretrained, words)
        return words, model
    words = vocabulary_of(pack, ids, job.blind)
    usual = (
        {"words": len(words)} if job.model == "bilstm" else {"words": len(words), "mirror": words.mirrored()}
    )
    return words, build_drawer(job.model, {**usual, **job.settings})
