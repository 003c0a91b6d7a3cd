"""How generators find an answer, and batches that are padded to few lengths."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.games.hexagons.procedures import told_images

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling.boards.hexes import COLOURS, TILES  # noqa: E402
from groundling.games.hexagons.neural.answer_drafts import PromptReading, find_again, guess_columns  # noqa: E402
from groundling.games.hexagons.neural.classifier import ClassifierSettings, TileClassifier  # noqa: E402
from groundling.games.hexagons.neural.classifier_task import ClassifierTask  # noqa: E402
from groundling.games.hexagons.neural.encoder import EncoderSettings  # noqa: E402
from groundling.games.hexagons.neural.generator import KEPT_SHARE, DialogTurn, Generator, GeneratorSettings  # noqa: E402
from groundling.games.hexagons.neural.generator_task import GeneratorTask  # noqa: E402
from groundling.games.hexagons.neural.lesson import Lesson, LessonBatches  # noqa: E402
from groundling.games.hexagons.neural.llama import Llama, LlamaSettings  # noqa: E402
from groundling.games.hexagons.neural.notation import Tile, write_action_notation  # noqa: E402
from groundling.games.hexagons.neural.procedures import Procedure  # noqa: E402
from groundling.games.hexagons.neural.situations import Situation  # noqa: E402
from groundling.games.hexagons.neural.tokens import build_word_tokens  # noqa: E402
from groundling.train.captured_steps import LENGTH_UNIT  # noqa: E402

TOLD = [Procedure.from_image(image) for image in told_images()]
TOKENS = build_word_tokens(text for one in TOLD for text in one.texts)
LESSON = Lesson()


def make_generator(*, answer: int, beams: int = 1) -> Generator:
    torch.manual_seed(3)
    shape = LlamaSettings(words=len(TOKENS), width=32, layers=2, heads=4, kv_heads=2, inner=48)
    chosen = GeneratorSettings(context="no-history", llama=shape, answer=answer, beams=beams)
    model = Generator(chosen, TOKENS).eval()
    model.llama.words.weight.data *= 30  # random weights give all tokens nearly the same probability
    return model


GENERATOR = make_generator(answer=12)


def make_batches(*, answered: bool) -> LessonBatches:
    return LessonBatches(
        [(TOLD, 1.0)],
        context="no-history",
        batch=4,
        alone=0,
        seed=1,
        lesson=LESSON,
        by_step=True,
        answered=answered,
    )


def score_next(model: Generator, tokens: list[int]) -> dict[int, float]:
    """The log-probability of each token that may come next, computed without a cache."""
    with torch.no_grad():
        found = model.score_tokens(model.llama(torch.tensor([tokens]))[0, -1]).log_softmax(-1)
    return dict(zip(model.numbers, found.tolist(), strict=True))


def find_answer(model: Generator, prompt: list[int]) -> list[int]:
    with torch.inference_mode():
        (found,) = model._answer_prompts([prompt], [()])
    room = model.settings.answer
    return [*found, *[TOKENS.end] * (room - len(found))]


def test_a_beam_as_wide_as_the_vocabulary_finds_the_likeliest_answer() -> None:
    model = make_generator(answer=2)
    model.settings = GeneratorSettings(
        context="no-history", llama=model.settings.llama, answer=2, beams=len(model.numbers)
    )
    prompt = TOKENS.encode_turn(TOLD[0].texts[0])
    scores = {
        (one, other): first + second
        for one, first in score_next(model, prompt).items()
        for other, second in (
            {TOKENS.end: 0.0} if one == TOKENS.end else score_next(model, [*prompt, one])
        ).items()
    }
    assert tuple(find_answer(model, prompt)) == max(scores, key=lambda pair: scores[pair])


@pytest.mark.parametrize("beams", [1, 3])
def test_several_prompts_are_answered_as_each_alone(beams: int) -> None:
    model = make_generator(answer=12, beams=beams)
    prompts = [TOKENS.encode_turn(text) for text in TOLD[0].texts[:3]]
    with torch.inference_mode():
        together = model._answer_prompts(prompts, [()] * len(prompts))
        assert together == [model._answer_prompts([prompt], [()])[0] for prompt in prompts]


def test_without_a_beam_each_token_is_the_likeliest() -> None:
    model = make_generator(answer=12)
    prompt = TOKENS.encode_turn(TOLD[0].texts[0])
    answer = find_answer(model, prompt)
    written = answer[: answer.index(TOKENS.end) + 1] if TOKENS.end in answer else answer
    for place, token in enumerate(written):
        scores = score_next(model, [*prompt, *answer[:place]])
        assert token == max(scores, key=lambda one: scores[one])


@given(st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS), max_size=5), st.integers(0, 12))
@settings(max_examples=30, deadline=None)
def test_whatever_the_draft_the_answer_is_the_one_without_it(draft: dict[Tile, str], agreed: int) -> None:
    model, situation = GENERATOR, Situation(TOLD[0].texts[:1])
    prompt = TOKENS.encode_turn(TOLD[0].texts[0])
    alone = model.read_answer(find_answer(model, prompt), situation)
    for one in (draft, dict(list(alone.items())[:agreed]) | draft):
        assert PromptReading(model, situation).follow_draft(one).painted == alone


def test_a_draft_is_as_likely_as_its_tokens_are() -> None:
    situation, draft = Situation(TOLD[0].texts[:1]), {(3, 5): "red", (4, 5): "red"}
    tokens = TOKENS.encode_answer(write_action_notation(draft, "runs"))
    prompt = TOKENS.encode_turn(TOLD[0].texts[0])
    each = [score_next(GENERATOR, [*prompt, *tokens[:n]])[token] for n, token in enumerate(tokens)]
    read = PromptReading(GENERATOR, situation)
    read.follow_draft({})
    assert GENERATOR.encode_painted(draft) == tokens[: GENERATOR.settings.answer]
    assert read.judge_answer(draft) == pytest.approx(sum(each[: GENERATOR.settings.answer]), abs=1e-3)


def test_what_was_read_before_changes_no_answer() -> None:
    model, known = make_generator(answer=12), list[PromptReading]()
    for number in range(1, 4):
        situation = Situation(TOLD[0].texts[:number], TOLD[0].boards[:number])
        fresh = PromptReading(model, situation)
        known.append(PromptReading(model, situation, known))
        draft = TOLD[0].step_changes(number - 1)
        assert known[-1].follow_draft(draft).painted == fresh.follow_draft(draft).painted
        assert known[-1].judge_answer(draft) == pytest.approx(fresh.judge_answer(draft), abs=1e-4)
        again = PromptReading(model, situation, known)
        assert again.judge_answer(draft) == pytest.approx(fresh.judge_answer(draft), abs=1e-4)


def test_an_answer_is_written_as_long_as_it_is_wanted() -> None:
    readings = [PromptReading(GENERATOR, Situation((text,))) for one in TOLD for text in one.texts]
    read = max(readings, key=lambda one: one.follow_draft({}).length)
    again = PromptReading(GENERATOR, read.situation)
    whole, begun = read.follow_draft({}), again.follow_draft({}, lambda begun: False)
    assert whole.ended
    assert not begun.ended
    assert begun.length < whole.length
    assert begun.likely > whole.likely


@pytest.mark.parametrize(
    ("begun", "rest"),
    [
        ("red 15:2-3", " 16:2-3 17:2-3 18:2-3"),
        ("red 12:2-3 15:", "2-3 18:2-3"),
        ("red 12:2-3,6 14:4-", "5,8 16:4-5,8 18:4-5,8"),
        ("blue 1:1; red 12:2 14:2 1", "6:2 18:2"),
        ("red :-3,", ""),
        ("red 17:2 18:2", ""),
        ("red", ""),
        ("red 3:1 9", ""),
    ],
)
def test_columns_are_guessed_to_go_on_as_they_began(begun: str, rest: str) -> None:
    assert guess_columns(begun) == rest


def test_what_followed_the_same_tokens_is_guessed_to_follow_again() -> None:
    assert find_again([7, 2, 3], [1, 2, 3, 4, 5, 9, 3, 6])[:2] == [4, 5]
    assert find_again([8], [1, 2]) == []


def make_tasks() -> list[GeneratorTask | ClassifierTask]:
    encoder = EncoderSettings(words=len(TOKENS), width=32, layers=1, heads=2, inner=48, dropout=0.0)
    tiles = ClassifierSettings(
        context="no-history", encoder=encoder, layers=1, width=32, heads=2, dropout=0.0
    )
    generator, classifier = make_generator(answer=12), TileClassifier(tiles, TOKENS).eval()
    return [
        GeneratorTask(generator, make_batches(answered=True), (), LESSON),
        ClassifierTask(classifier, make_batches(answered=False), (), LESSON),
    ]


@pytest.mark.parametrize("which", [0, 1], ids=["generator", "classifier"])
def test_padding_for_captured_steps_changes_no_loss(which: int) -> None:
    task = make_tasks()[which]
    with torch.no_grad():
        short, plain = task.batch_at(2), task.loss(2)[0]
        task.capturable = True
        padded, same = task.batch_at(2), task.loss(2)[0]
    assert short[0].shape[1] % LENGTH_UNIT
    assert padded[0].shape[1] % LENGTH_UNIT == 0
    assert torch.allclose(plain, same, atol=1e-5)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_a_long_dialog_begins_at_the_same_turn_for_several_steps(lengths: list[int]) -> None:
    shape = replace(GENERATOR.settings.llama, longest=150)
    model = make_generator(answer=12)
    model.settings = replace(model.settings, llama=shape)
    room = shape.longest - model.settings.answer
    turns = [DialogTurn("red " * length, "blue 1:1") for length in lengths]
    prompts = [model.encode_prompt(turns[: number + 1]) for number in range(len(turns))]
    whole = [model.encode_prompt([turn]) for turn in turns]
    for prompt, last in zip(prompts, whole, strict=True):
        assert len(prompt) <= room
        assert prompt[-len(last) :] == last
    read_again = [new for old, new in pairwise(prompts) if new[: len(old)] != old]
    tokens = sum(map(len, whole)) + len(turns) * len(TOKENS.encode_answer("blue 1:1"))
    assert len(read_again) <= 2 * tokens / ((1 - KEPT_SHARE) * room)


def test_compiled_layers_learn_the_same() -> None:
    shape = LlamaSettings(words=20, width=16, layers=2, heads=2, kv_heads=1, inner=24, ternary=True)
    torch.manual_seed(1)
    model = Llama(shape).train()
    found = []
    for compiled in (False, True):
        if compiled:
            model.compile_layers()
        for length in (16, 24):
            tokens = torch.arange(2 * length).view(2, length) % 20
            model.zero_grad()
            model.add_changes()
            loss = model(tokens).square().mean(dim=(1, 2)) @ torch.tensor([1.0, 2.0])
            loss.backward()
            found.append([loss.detach(), *(part.grad for part in model.parameters())])
    for mine, other in zip(found[:2], found[2:], strict=True):
        assert all(torch.allclose(one, two, atol=1e-5) for one, two in zip(mine, other, strict=True))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="captures steps of a GPU")
def test_captured_steps_are_those_that_are_not_captured() -> None:
    from groundling.train.captured_steps import CapturedSteps

    losses = []
    for captured in (True, False):
        task = GeneratorTask(
            make_generator(answer=12).to("cuda").train(), make_batches(answered=True), (), LESSON
        )
        steps = CapturedSteps(
            task, torch.optim.AdamW(task.model.parameters(), lr=1e-3, fused=True, capturable=True), 1.0
        )
        losses.append(
            [
                float(steps.take_step(step) if captured else steps._compute_step(task.batch_at(step)))
                for step in range(12)
            ]
        )
    assert losses[0] == pytest.approx(losses[1], rel=1e-2)
