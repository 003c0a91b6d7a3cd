"""Trains an executor, `groundling train hexagons-classifier` and `groundling train hexagons-generator`, or an
instructor's network, `groundling train hexagons-generator --writes words`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Set
from math import ceil
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

import msgspec
import torch
from msgspec import Meta, Struct, to_builtins
from msgspec.json import encode
from msgspec.structs import replace

from groundling.core.trainer import Training
from groundling.core.values import Problem
from groundling.games.hexagons.neural.classifier import TileClassifier
from groundling.games.hexagons.neural.classifier_task import ClassifierTask
from groundling.games.hexagons.neural.executor import LearnedExecutor
from groundling.games.hexagons.neural.generator import Generator
from groundling.games.hexagons.neural.generator_task import GeneratorTask
from groundling.games.hexagons.neural.hints import hint_procedure, invent_hints
from groundling.games.hexagons.neural.lesson import Lesson, LessonBatches
from groundling.games.hexagons.neural.model_factory import (
    build_classifier_model,
    build_generator_model,
    load_start_model,
)
from groundling.games.hexagons.neural.notation import Notation
from groundling.games.hexagons.neural.procedures import (
    Procedure,
    add_step_programs,
    keep_share_of_procedures,
    procedures_checksum,
    read_narrated_procedures,
    read_procedures,
    set_aside_procedures,
)
from groundling.games.hexagons.neural.tokens import WordTokens
from groundling.train.devices import rank_and_world_size, select_device
from groundling.train.training_loop import train_task
from groundling.train.training_plan import TrainingPlan
from groundling.train.training_task import TrainingTask
from groundling.train.weights import ModelCard, has_weights, read_weights_card, round_weights, save_weights

LICENCE = "CC BY 4.0, for research, as the HEXAGONS data that it was trained on (Lachmy et al., TACL 2022)"
_USUAL = TrainingPlan(warmup=100, weight_decay=0.01, clip=1.0, average=0.995, every=500)
SUITS: dict[str, tuple[int, TrainingPlan, Lesson]] = {
    "hexagons-classifier": (64, replace(_USUAL, steps=12000, rate=4e-4), Lesson()),
    "hexagons-minilm": (64, replace(_USUAL, steps=12000, rate=3e-4), Lesson(slow=0.3)),
    "hexagons-encoder": (16, replace(_USUAL, steps=8000, rate=1e-4), Lesson(slow=0.3)),
    "hexagons-generator": (32, replace(_USUAL, steps=6000, rate=6e-4), Lesson()),
    "hexagons-smollm2": (32, replace(_USUAL, steps=2400, rate=5e-4, average=0.99, every=400), Lesson()),
    "hexagons-seq2seq": (16, replace(_USUAL, steps=8000, rate=1e-4), Lesson()),
}
"""The batch, the plan and the lesson of each model."""
EVALUATIONS = 5
"""During a training whose length is told in epochs."""
Trained = Literal["predicted+full", "no-history", "1-previous", "full-history", "predicted"]


class LearnOptions(Struct, frozen=True, kw_only=True):
    """The options of both trainings. For numbers, 0 is the model's default."""

    context: Annotated[
        Trained,
        Meta(
            description="what the executor sees; predicted and predicted+full also play the oracle contexts"
        ),
    ] = "predicted+full"
    base: Annotated[
        str, Meta(description="the folder of a Hugging Face model, for --model encoder or seq2seq")
    ] = ""
    narrated: Annotated[
        str, Meta(description="comma-separated files of groundling make hexagons --told to train on as well")
    ] = ""
    start: Annotated[
        str, Meta(description="the folder of weights of the same kind to start from, in place of new ones")
    ] = ""
    share: Annotated[float, Meta(gt=0, le=1, description="the share of train's images to train on")] = 1.0
    seed: Annotated[
        int, Meta(ge=0, description="random seed of the held-out images, the order and new weights")
    ] = 0
    steps: Annotated[int, Meta(ge=0, description="training steps; 0: the model's default")] = 0
    seconds: Annotated[
        float, Meta(ge=0, description="learn for this time, in place of --steps; 0: by steps")
    ] = 0.0
    epochs: Annotated[
        float, Meta(ge=0, description="epochs of train, in place of --steps; evaluated 5 times; 0: --steps")
    ] = 0.0
    then_epochs: Annotated[
        int, Meta(ge=0, description="further epochs on train only, from half the learning rate; 0: none")
    ] = 0
    batch: Annotated[int, Meta(ge=0, description="procedures per step; 0: the model's default")] = 0
    rate: Annotated[float, Meta(ge=0, description="learning rate; 0: the model's default")] = 0.0
    every: Annotated[int, Meta(ge=0, description="steps between two evaluations; 0: the model's default")] = 0
    patience: Annotated[
        int, Meta(ge=0, description="stop after this number of evaluations without improvement; 0: never")
    ] = 0
    minutes: Annotated[
        float, Meta(ge=0, description="stop after this time; the same command resumes; 0: no limit")
    ] = 0.0
    lesson: Annotated[
        str, Meta(description="JSON: how procedures are varied, where it differs from the default")
    ] = ""
    settings: Annotated[
        str, Meta(description="JSON: the model's own settings, where they differ from the default")
    ] = ""


class ClassifierOptions(LearnOptions, frozen=True, kw_only=True):
    model: Annotated[
        Literal["scratch", "minilm", "encoder"],
        Meta(description="the encoder of the text: new, MiniLM, or --base"),
    ] = "minilm"


class GeneratorOptions(LearnOptions, frozen=True, kw_only=True):
    model: Annotated[
        Literal["scratch", "smollm2", "seq2seq"],
        Meta(description="a new causal model, SmolLM2-135M, or --base"),
    ] = "smollm2"
    notation: Annotated[
        Notation,
        Meta(
            description="actions as runs of tiles in a column, the paper's triplets, or a drawing program "
            "(for smollm2 and seq2seq)"
        ),
    ] = "runs"
    writes: Annotated[
        Literal["actions", "words"],
        Meta(description="the actions of an executor, or the words of an instructor for describer:DIR"),
    ] = "actions"
    programs: Annotated[
        str,
        Meta(
            description="with --notation program or --writes words: a file of programs for train's steps to "
            "learn from"
        ),
    ] = ""
    hints: Annotated[
        bool, Meta(description="also train on procedures that show what the parser paints at each step")
    ] = False


def train_classifier_executor(training: Training) -> Sequence[str]:
    """Train into a folder, and resume an interrupted training that is there."""
    asked: ClassifierOptions = training.options
    return _train_from_options(
        training, asked, "hexagons-" + {"scratch": "classifier"}.get(asked.model, asked.model)
    )


def train_generator_executor(training: Training) -> Sequence[str]:
    """Train a generator into a folder, or resume a training that is there."""
    asked: GeneratorOptions = training.options
    return _train_from_options(
        training, asked, "hexagons-" + {"scratch": "generator"}.get(asked.model, asked.model)
    )


def _train_from_options(
    training: Training, asked: ClassifierOptions | GeneratorOptions, name: str
) -> Sequence[str]:
    if asked.seconds and (asked.steps or asked.epochs or asked.then_epochs):
        raise Problem("--seconds takes the place of --steps, --epochs and --then-epochs: give only it")
    deadline = time.monotonic() + 60 * asked.minutes if asked.minutes else None
    training.progress("reading the procedures", 0, 0)
    ids = None if training.splits is None else training.splits.get("train", ())
    people = keep_share_of_procedures(read_procedures(training.data, "train", ids), asked.share, asked.seed)
    narrated = read_narrated_procedures(Path(file) for file in asked.narrated.split(",") if file)
    if bool(asked.base) != (asked.model in ("encoder", "seq2seq")):
        raise Problem("--base goes with --model encoder or seq2seq, which need it: give both or neither")
    if isinstance(asked, GeneratorOptions):
        _check_generator_options(asked)
        if asked.programs:
            people = add_step_programs(people, Path(asked.programs))
        if asked.hints:
            people = [*people, *map(hint_procedure, people)]
            narrated = [invent_hints(one, Random(one.id)) if n % 2 else one for n, one in enumerate(narrated)]
    training.out.mkdir(exist_ok=True)
    card = train_executor(
        name, asked, people, narrated, training.out, select_device(), deadline, training.progress
    )
    return [f"{training.out}: {executor_summary_line(card)}", f"licence: {LICENCE}"]


def _check_generator_options(asked: GeneratorOptions) -> None:
    form = (asked.notation, asked.context, asked.hints)
    if asked.writes == "words" and (asked.model == "seq2seq" or form != ("runs", "predicted+full", False)):
        raise Problem(
            "--writes words goes with --model smollm2 or scratch, without --notation, --context and --hints"
        )
    programs = (asked.model, *form[:2]) == ("smollm2", "program", "predicted+full")
    if asked.programs and not programs and asked.writes == "actions":
        raise Problem("--programs goes with --model smollm2, --notation program and --context predicted+full")


def executor_summary_line(card: ModelCard) -> str:
    """What a training has come to."""
    told = ", ".join(f"{name} {value:.3f}" for name, value in card.scores.items())
    if not card.finished:
        many = "" if card.plan.seconds else f" of {card.plan.steps:,}"
        stopped = f"stopped after {card.done:,}{many} steps: run the same command again to resume"
        return f"{stopped} (best so far: {told})" if told else stopped
    name = f"{card.model}, {card.settings['context']}"
    return f"{name}, best after {card.step:,} steps: {told} on the held-out images"


def train_executor(
    name: str,
    asked: ClassifierOptions | GeneratorOptions,
    people: Sequence[Procedure],
    narrated: Sequence[Procedure],
    folder: Path,
    where: torch.device,
    deadline: float | None = None,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
    held: Sequence[Procedure] = (),
    mixture: Sequence[tuple[Sequence[Procedure], float]] = (),
) -> ModelCard:
    """Without `held`, the procedures of a tenth of the images are held out. A mixture of sources, with the
    share of each, is learned from in place of people's procedures and narrated ones."""
    batch, plan, lesson = SUITS[name]
    batch = asked.batch or batch
    chosen = {
        field: getattr(asked, field)
        for field in ("steps", "seconds", "rate", "every", "patience")
        if getattr(asked, field)
    }
    lesson = _convert_lesson(asked.lesson, lesson, "lesson")
    mine, held = (people, held) if held else set_aside_procedures(people, asked.seed)
    dialogs = name in ("hexagons-generator", "hexagons-smollm2") and asked.context == "predicted+full"
    epoch = len(mine) if dialogs else sum(len(one.texts) for one in mine)
    if asked.epochs:
        steps = ceil(asked.epochs * epoch / batch)
        chosen = {"every": ceil(steps / EVALUATIONS), **chosen, "steps": steps}
    plan = replace(plan, seed=asked.seed, **chosen)
    if not plan.seconds:
        plan = replace(plan, every=min(plan.every, plan.steps), warmup=min(plan.warmup, plan.steps // 10))
    if asked.then_epochs:
        plan = replace(plan, restart=plan.steps, steps=plan.steps + ceil(asked.then_epochs * epoch / batch))
    mixture = mixture or [(narrated, lesson.narrated), (mine, 1 - lesson.narrated)]
    writes = isinstance(asked, GeneratorOptions) and asked.writes == "words"
    learned = [one for part, _ in mixture for one in part]
    texts = sorted({text for one in learned for text in (*one.texts, *(one.programs if writes else ()))})
    torch.manual_seed(asked.seed)
    settings = _decode_options(asked.settings, "settings")
    try:
        if isinstance(asked, GeneratorOptions):
            if asked.notation == "program" and name == "hexagons-generator":
                raise Problem(
                    "--notation program goes with --model smollm2 or seq2seq: new models know no lines"
                )
            kept = {field: getattr(asked, field) for field in ("context", "notation", "writes")}
            shape = settings | ({"writes": "words"} if writes else {})
            model = build_generator_model(name, asked.context, texts, asked.base, asked.notation, shape)
        else:
            kept = {"context": asked.context}
            model = build_classifier_model(name, asked.context, texts, asked.base, settings)
    except msgspec.ValidationError as trouble:
        raise Problem(f"--settings are not valid: {trouble}") from None
    seen = {one.id for one in people}
    if asked.start:
        if asked.settings:
            raise Problem("--start keeps the shape of its weights: leave out --settings")
        model, before, digest = load_start_model(Path(asked.start), name, kept)
        seen |= set(before.seen)
        asked = replace(asked, start=digest)  # the card names the weights, not where they lie
    model.to(where)
    batches = LessonBatches(
        mixture,
        context=asked.context,
        batch=batch,
        alone=plan.restart,
        seed=asked.seed,
        lesson=lesson,
        by_step=not dialogs,
        answered=isinstance(asked, GeneratorOptions),
    )
    task = _make_task(model, batches, held, lesson)
    return _run_training(task, model, plan, folder, name, asked, people, seen, narrated, deadline, told)


def _make_task(
    model: LearnedExecutor, batches: LessonBatches, held: Sequence[Procedure], lesson: Lesson
) -> TrainingTask:
    if isinstance(model, Generator):
        if model.where.type == "cuda":
            model.halve_base()
        return GeneratorTask(model, batches, held, lesson)
    if isinstance(model, TileClassifier):
        return ClassifierTask(model, batches, held, lesson)
    from groundling.games.hexagons.neural.huggingface import Seq2SeqExecutor, Seq2SeqTask

    assert isinstance(model, Seq2SeqExecutor)
    return Seq2SeqTask(model, batches, held, lesson)


def _run_training(
    task: TrainingTask,
    model: LearnedExecutor,
    plan: TrainingPlan,
    folder: Path,
    name: str,
    asked: LearnOptions,
    people: Sequence[Procedure],
    seen: Set[str],
    narrated: Sequence[Procedure],
    deadline: float | None,
    told: Callable[[str, int, int], None],
) -> ModelCard:
    """Train, save the best weights with their card, and measure what is left of them after that."""
    data = procedures_checksum(people)
    asked = replace(asked, minutes=0.0)
    key = encode([name, asked, data, procedures_checksum(narrated), model.settings]).decode()
    outcome = train_task(task, plan, folder, asked=key, deadline=deadline, told=told)
    if outcome.idle and has_weights(folder) and (card := read_weights_card(folder)).finished:
        return card
    first = rank_and_world_size()[0] == 0
    scores, state = dict(outcome.scores), outcome.state
    if state and first:
        if isinstance(model, Generator):
            state = model.round_state(state)
        model.load_state_dict(round_weights(state, bytes_each=1))
        with torch.no_grad():
            scores = dict(task.measure(model.eval()))
    tokens = getattr(model, "tokens", None)
    job = to_builtins(asked) | {
        "narrated": len(narrated),
        "narrated_data": procedures_checksum(narrated) if narrated else "",
    }
    card = ModelCard(
        model=name,
        settings=to_builtins(model.settings),
        plan=plan,
        job=job,
        data=data,
        half="train" if asked.share == 1 else f"{asked.share:g} of train",
        seen=tuple(sorted(seen)),
        words=tokens.words if isinstance(tokens, WordTokens) else (),
        step=outcome.step,
        scores=scores,
        finished=outcome.finished,
        done=outcome.done,
        licence=LICENCE,
        version=outcome.tools["version"],
        code=outcome.tools["code"],
        torch=outcome.tools["torch"],
    )
    if state and first:
        save_weights(folder, state, card, bytes_each=1)
    return card


def _decode_options(text: str, what: str) -> dict[str, Any]:
    if not text:
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError as trouble:
        raise Problem(f"--{what} is not a JSON object: {trouble}") from None


def _convert_lesson(text: str, usual: Lesson, what: str) -> Lesson:
    try:
        return msgspec.convert({**to_builtins(usual), **_decode_options(text, what)}, Lesson)
    except msgspec.ValidationError as trouble:
        raise Problem(f"--{what} is not valid: {trouble}") from None
