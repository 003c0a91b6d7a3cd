"""A network that writes instructions: what it learns, how it writes, and how `describer` uses its words."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from random import Random

import pytest
from msgspec.json import encode
from tests.games.hexagons.procedures import QUICK, TINY_LLAMA, told_images, train, write_published

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tokenizers.pre_tokenizers import ByteLevel  # noqa: E402

from groundling.cli import main  # noqa: E402
from groundling.core.pack import Seat, find  # noqa: E402
from groundling.core.player import player_info  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.hexagons.make import builtin  # noqa: E402
from groundling.games.hexagons.neural import make_hexagons_weights_player, make_reader_player  # noqa: E402
from groundling.games.hexagons.neural.generator import Generator, GeneratorSettings  # noqa: E402
from groundling.games.hexagons.neural.generator_task import SKIPPED, GeneratorTask  # noqa: E402
from groundling.games.hexagons.neural.instruction_writer import InstructionWriter  # noqa: E402
from groundling.games.hexagons.neural.lesson import Example, Lesson, LessonBatches  # noqa: E402
from groundling.games.hexagons.neural.llama import LlamaSettings  # noqa: E402
from groundling.games.hexagons.neural.procedures import Procedure  # noqa: E402
from groundling.games.hexagons.neural.reader import CHOICE_FILE  # noqa: E402
from groundling.games.hexagons.neural.reader_choice import HINT, list_features  # noqa: E402
from groundling.games.hexagons.neural.situations import Situation  # noqa: E402
from groundling.games.hexagons.neural.tokens import BytePairTokens, build_word_tokens  # noqa: E402
from groundling.games.hexagons.players.describer import make_describer  # noqa: E402
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings  # noqa: E402

TOLD = [Procedure.from_image(image) for image in told_images()]
SHORT = min(TOLD, key=lambda one: len(one.texts))
TOKENS = build_word_tokens([text for one in TOLD for text in (*one.texts, *one.programs)], least=1)
AS_IT_IS = Lesson(colours=0, found=0)
NEXT = Situation(SHORT.texts[:-1], SHORT.boards, SHORT.programs)


def make_model(answer: int = 60) -> Generator:
    torch.manual_seed(1)
    shape = LlamaSettings(words=len(TOKENS), width=64, layers=2, heads=4, kv_heads=2, inner=96)
    return Generator(
        GeneratorSettings(context="predicted+full", writes="words", llama=shape, answer=answer), TOKENS
    )


def make_task(model: Generator, lesson: Lesson = AS_IT_IS) -> GeneratorTask:
    batches = LessonBatches(
        [([SHORT], 1.0)],
        context="predicted+full",
        batch=2,
        alone=0,
        seed=1,
        lesson=lesson,
        by_step=False,
        answered=True,
    )
    return GeneratorTask(model, batches, [SHORT], lesson)


def test_steps_are_shown_as_programs_and_tiles_and_only_their_words_are_learned() -> None:
    tokens, right = make_task(make_model())._encode_example(Example(SHORT, len(SHORT.texts) - 1, Random(1)))
    learned = [token for token in right if token != SKIPPED]
    assert TOKENS.decode(learned) == TOKENS.decode([n for text in SHORT.texts for n in TOKENS.encode(text)])
    shown = TOKENS.decode(
        [token for token, place in zip(tokens[1:], right[:-1], strict=True) if place == SKIPPED]
    )
    assert TOKENS.decode(TOKENS.encode(SHORT.programs[0])) in shown


def test_a_step_without_a_program_is_shown_by_one_that_is_found() -> None:
    task = make_task(make_model(), Lesson(colours=0, found=1))
    bare = Procedure(SHORT.id, SHORT.image, SHORT.texts, SHORT.boards)
    assert task._encode_words(SHORT, Random(1)) == task._encode_words(bare, Random(1))


@pytest.fixture(scope="module")
def taught() -> Generator:
    """A network that knows one procedure by heart."""
    model = make_model()
    task = make_task(model)
    before = task.measure(model)["likelihood"]
    optimiser = torch.optim.Adam(model.parameters(), 5e-3)
    for step in range(60):
        optimiser.zero_grad()
        task.loss(step)[0].backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    model.eval()
    with torch.no_grad():
        assert before < 0.1 < 0.8 < task.measure(model)["likelihood"]
    return model


def test_it_says_a_step_in_the_words_that_it_learned(taught: Generator) -> None:
    said = InstructionWriter(taught, 0, 0).write_words(NEXT)
    assert said == [TOKENS.decode(TOKENS.encode(SHORT.texts[-1]))]


def test_the_likeliest_words_come_first_and_draws_depend_on_the_seed_alone(taught: Generator) -> None:
    taught.llama.norm.weight.data *= 0.3  # less sure of itself, so that draws differ
    try:
        one, same, other = (InstructionWriter(taught, 5, seed).write_words(NEXT) for seed in (1, 1, 2))
        assert one == same != other
        assert len(set(one)) == len(one) > 1
    finally:
        taught.llama.norm.weight.data /= 0.3


def test_words_without_an_end_are_not_said() -> None:
    model = make_model(answer=3).eval()
    assert InstructionWriter(model, 3, 0).write_words(NEXT) == []


def test_byte_pairs_give_back_every_letter() -> None:
    marks = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
    tokens = BytePairTokens([*marks, *sorted(ByteLevel.alphabet()), "re"], ["r e"], marks)
    text = "The caf\u00e9\u2019s red\n  tile: 3\u00d75"
    assert tokens.decode(tokens.encode_answer(text)) == text


@pytest.mark.parametrize(
    "text", ["paint the top-left tile (column 3, tile 2) red.", "it's red; then: blue, or white?", "red 3"]
)
def test_words_are_joined_to_sentences(text: str) -> None:
    tokens = build_word_tokens([text], least=1)
    assert tokens.decode(tokens.encode(text)) == text


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def writer(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("trained") / "writer"
    return train(
        "hexagons-generator", data, place, "--model", "scratch", "--writes", "words", settings=TINY_LLAMA
    )


@pytest.fixture(scope="module")
def executor(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights that serve as `weights:DIR` and as `reader:DIR`."""
    place = tmp_path_factory.mktemp("trained") / "executor"
    train("hexagons-generator", data, place, "--model", "scratch", "--hints", settings=TINY_LLAMA)
    features = list_features((HINT,))
    (place / CHOICE_FILE).write_text(json.dumps({"features": features, "weights": [0.1] * len(features)}))
    return place


def describer(arg: str, **options: str) -> Seat:
    game = HexagonsGame(HexagonsSettings())
    return Seat(find("hexagons"), game, INSTRUCTOR, "describer", arg, options)


@pytest.mark.slow
def test_a_trained_writer_describes_an_image(
    writer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = tmp_path / "one.jsonl"
    one.write_bytes(encode(builtin()[0]))
    words = ["play", "hexagons", str(one), "--mode", "live", "--seat", "executor=parser"]
    seat = ["--seat", f"instructor=describer:{writer},draws=1"]
    assert main([*words, *seat, "-o", str(tmp_path / "run")]) == 0
    assert "f1 1.000" in capsys.readouterr().out


@pytest.mark.slow
def test_the_player_names_its_listener_and_what_both_learned_from(writer: Path, executor: Path) -> None:
    usual = make_describer(describer(str(writer)))
    heard = make_describer(describer(str(writer), listener=f"reader:{executor}"))
    assert (usual.name, heard.name) == ("describer-network", "describer-network-reader")
    assert player_info(usual).facts["listener"] == "parser"
    facts = player_info(heard).facts
    assert facts["listener"] == f"reader:{executor}"
    assert facts["listener_weights"] != facts["weights"] == player_info(usual).facts["weights"]
    assert player_info(usual).learned_from == player_info(heard).learned_from != frozenset()


@pytest.mark.slow
def test_weights_in_the_wrong_seat_are_told_in_one_line(writer: Path, executor: Path, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="holds weights of an executor: seat it as executor=weights:"):
        make_describer(describer(str(executor)))
    for name, make in (("weights", make_hexagons_weights_player), ("reader", make_reader_player)):
        copy = tmp_path / name
        shutil.copytree(writer, copy)
        shutil.copy(executor / CHOICE_FILE, copy)
        seat = Seat(find("hexagons"), HexagonsGame(HexagonsSettings()), EXECUTOR, name, str(copy))
        with pytest.raises(Problem, match="holds weights of an instructor: seat it as instructor=describer:"):
            make(seat)
    (copy / "weights.safetensors").unlink()
    with pytest.raises(Problem, match=r"has no weights\.safetensors"):
        make_describer(describer(str(copy)))


@pytest.mark.slow
def test_without_torch_the_extra_is_named(writer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "groundling.games.hexagons.neural.instruction_writer", None)
    with pytest.raises(Problem, match=r"this needs an extra"):
        make_describer(describer(str(writer)))


@pytest.mark.parametrize(
    "more",
    [
        ("--notation", "triplets"),
        ("--context", "no-history"),
        ("--hints",),
        ("--model", "seq2seq", "--base", "here"),
    ],
)
def test_options_that_do_not_go_with_words_are_refused(
    more: tuple[str, ...], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "hexagons-generator", "--data", str(data), "-o", str(tmp_path / "out"), *QUICK]
    assert main([*words, "--writes", "words", *more]) == 2
    assert "--writes words goes with --model smollm2 or scratch" in capsys.readouterr().err
