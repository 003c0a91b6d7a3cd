"""The trainer `codraw-drawer`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import torch
from msgspec import Meta, to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.games.codraw.neural.bilstm import BilstmDrawer, BilstmLesson, BilstmTask, bilstm_learned_turns
from groundling.games.codraw.neural.dialog_pack import DialogPack, pack_dialogs, split_packed_dialogs
from groundling.games.codraw.neural.dialog_tensors import DialogTensors
from groundling.games.codraw.neural.drawer_base import Drawer
from groundling.games.codraw.neural.drawing_task import DrawingLesson, DrawingTask
from groundling.games.codraw.neural.jobs import DrawerModel, Job, JobOptions, report_invalid_job
from groundling.games.codraw.neural.model_factory import build_drawer_model, model_vocabulary
from groundling.games.codraw.neural.pretrained import load_pretrained_reader, read_pretrained_vocabulary
from groundling.games.codraw.neural.pretrained import pretrained_reader_settings as pretrained_settings
from groundling.games.codraw.neural.teller_base import Teller
from groundling.games.codraw.neural.template_narration import narrate_dialogs
from groundling.games.codraw.neural.transformer import TransformerDrawer
from groundling.games.codraw.neural.vocabulary import Vocabulary
from groundling.games.codraw.recorded.corpus import join_corpora
from groundling.games.codraw.recorded.dialog_files import load_dialog_files
from groundling.train.devices import rank_and_world_size, select_device
from groundling.train.training_loop import train_task
from groundling.train.training_plan import TrainingPlan
from groundling.train.training_task import TrainingTask
from groundling.train.weights import ModelCard, has_weights, read_weights_card, round_weights, save_weights

LICENCE = "CC BY-NC 4.0, as the CoDraw dialogs that it was trained on (Kim et al., arXiv 1712.05558)"
_TRANSFORMER_PLAN = TrainingPlan(
    steps=4000, rate=6e-4, warmup=200, weight_decay=0.05, clip=1.0, average=0.998, every=200, patience=12
)
DEFAULTS: dict[str, tuple[int, TrainingPlan, DrawingLesson | BilstmLesson]] = {
    "bilstm": (16, TrainingPlan(rate=1e-3, falling=False, every=0), BilstmLesson()),
    "transformer": (256, _TRANSFORMER_PLAN, DrawingLesson()),
    "minilm": (128, replace(_TRANSFORMER_PLAN, rate=3e-4), DrawingLesson(slow=0.3)),
}
"""The batch size, the plan and the lesson of each model."""
BILSTM_EPOCHS = 15
"""Epochs of the paper's Drawer."""


class DrawerOptions(JobOptions, frozen=True, kw_only=True):
    model: Annotated[
        DrawerModel,
        Meta(description="the paper's, one that reads the whole dialog, or that with a pretrained reader"),
    ] = "transformer"
    pretrained: Annotated[
        str, Meta(description="the file of the pretrained reader, for the model minilm")
    ] = ""
    blind: Annotated[bool, Meta(description="train without words, as a control")] = False


def learn_drawer(training: Training) -> Sequence[str]:
    """Train a Drawer into a folder, and resume an interrupted training that is there."""
    asked: DrawerOptions = training.options
    if asked.pretrained and asked.model != "minilm":
        raise Problem(
            f"{asked.model} has no pretrained reader: leave out --pretrained, or choose --model minilm"
        )
    deadline = asked.deadline
    training.progress("reading the dialogs", 0, 0)
    pack = pack_dialogs(load_dialog_files(training.data), asked.select_splits(training))
    job = asked.make_job(training.out.name, asked.model, blind=asked.blind)
    training.out.mkdir(exist_ok=True)
    pretrained = Path(asked.pretrained) if asked.pretrained else None
    given: dict[str, Any] = {"where": select_device(), "deadline": deadline, "told": training.progress}
    card = train_drawer(pack, job, training.out, pretrained=pretrained, **given)
    by = ["on the held-out tenth of its dialogs, with people's own words"] if card.finished else []
    return [f"{training.out}: {drawer_summary_line(card)}", *by, f"licence: {LICENCE}"]


def drawer_summary_line(card: ModelCard) -> str:
    """Summarise a training in one line."""
    if not card.finished:
        return (
            f"stopped after {card.done:,} of {card.plan.steps:,} steps: run the same command again to resume"
        )
    told = ", ".join(f"{name} {value:.3f}" for name, value in card.scores.items())
    return (
        f"{card.model}, half {card.half}, {len(card.seen):,} dialogs, best after {card.step:,} steps: {told}"
    )


def train_drawer(
    pack: DialogPack,
    job: Job,
    folder: Path,
    *,
    where: torch.device,
    pretrained: Path | None = None,
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> ModelCard:
    pack, mine, held_ids = select_dialogs(pack, job)
    suits, plan, lesson = DEFAULTS[job.model]
    batch = job.batch or suits
    torch.manual_seed(job.seed)
    with report_invalid_job(job, "settings"):
        words, model = _new_drawer(pack, mine, job, pretrained)
    model.to(where)
    learned, held = (DialogTensors(pack.corpus, these, words, where) for these in (mine, held_ids))
    lesson = job.merge_lesson(lesson)
    many = len(bilstm_learned_turns(learned)) if isinstance(lesson, BilstmLesson) else len(learned)
    epochs = job.epochs or (BILSTM_EPOCHS if job.model == "bilstm" and "steps" not in job.plan else 0)
    plan = job.merge_plan(plan, many, batch, epochs)
    task: TrainingTask
    if isinstance(model, TransformerDrawer):
        assert isinstance(lesson, DrawingLesson)
        model.set_priors(learned.targets)
        task = DrawingTask(model, learned, held, batch, job.seed, lesson)
    else:
        assert isinstance(model, BilstmDrawer)
        assert isinstance(lesson, BilstmLesson)
        task = BilstmTask(model, learned, held, batch, job.seed, lesson)
    given = [sha256(pretrained.read_bytes()).hexdigest()] if pretrained and job.model == "minilm" else []
    return run_model_trainer(
        task, model, plan, folder, job, pack, words, bytes_each=1, given=given, deadline=deadline, told=told
    )


def select_dialogs(pack: DialogPack, job: Job) -> tuple[DialogPack, list[str], list[str]]:
    """Return the pack with any narrated dialogs added, the ids to learn from, and the ids to hold out.
    Narrated dialogs are never held out."""
    ids = pack.training_ids(job.half, job.grouped)
    if len(ids) < 2:
        raise Problem(f"there are {len(ids)} dialogs of half {job.half}: at least 2 are needed")
    mine, held = split_packed_dialogs(ids, job.seed)
    if job.narrated:
        more = narrate_dialogs(pack.corpus, mine, job.seed)
        pack, mine = replace(pack, corpus=join_corpora(pack.corpus, more)), [*mine, *more.ids]
    return pack, mine, held


def run_model_trainer(
    task: TrainingTask,
    model: Drawer | Teller,
    plan: TrainingPlan,
    folder: Path,
    job: Job,
    pack: DialogPack,
    words: Vocabulary,
    *,
    bytes_each: int,
    seen: Iterable[str] = (),
    given: Sequence[str] = (),
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> ModelCard:
    """Train, save the best weights with their card, and measure the weights again as they were saved. `given`
    holds the checksums of other weights that this training depends on. A finished training is left as it
    is."""
    rank, many = rank_and_world_size()
    plan = plan.for_processes(many)
    mine = pack.training_ids(job.half, job.grouped)
    from_these = sha256(encode(mine)).hexdigest()
    asked = encode([replace(job, name="", minutes=0), pack.data, from_these, model.settings, given]).decode()
    outcome = train_task(task, plan, folder, asked=asked, deadline=deadline, told=told)
    if outcome.idle and has_weights(folder) and (card := read_weights_card(folder)).finished:
        return card
    scores = dict(outcome.scores)
    if outcome.state and rank == 0:
        model.load_state_dict(round_weights(outcome.state, bytes_each=bytes_each))
        with torch.no_grad():
            scores = dict(task.measure(model.eval()))
    card = ModelCard(
        model=job.model,
        settings=to_builtins(model.settings),
        plan=plan,
        job=to_builtins(job),
        data=pack.data,
        half=job.half_name,
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


def _new_drawer(
    pack: DialogPack, ids: Sequence[str], job: Job, pretrained: Path | None
) -> tuple[Vocabulary, Drawer]:
    if job.model == "minilm":
        if pretrained is None or not pretrained.is_file():
            raise Problem("minilm starts from a pretrained reader: name its file with --pretrained")
        words = read_pretrained_vocabulary(pretrained, job.blind)
        model = TransformerDrawer(pretrained_settings(words, **job.settings))
        load_pretrained_reader(model, pretrained, words)
        return words, model
    words = model_vocabulary(pack, ids, job.blind)
    usual = (
        {"words": len(words)}
        if job.model == "bilstm"
        else {"words": len(words), "mirror": words.mirror_index()}
    )
    return words, build_drawer_model(job.model, {**usual, **job.settings})
