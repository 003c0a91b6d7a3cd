"""Answers that are written under the grammar of their notation, and candidates among them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.json import encode
from msgspec.structs import replace
from tests.games.hexagons.procedures import told_images, write_published

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from tokenizers.pre_tokenizers import ByteLevel  # noqa: E402

from groundling.boards.hexes import COLOURS, TILES  # noqa: E402
from groundling.cli import main  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.hexagons.neural.answer_grammar import DEAD, GRAMMARS, AnswerGrammar  # noqa: E402
from groundling.games.hexagons.neural.candidates import (  # noqa: E402
    CANDIDATE_FEATURES,
    GrammarExecutor,
    GrammarSearch,
    WrittenAnswer,
    rank_answers,
)
from groundling.games.hexagons.neural.generator import Generator, GeneratorSettings  # noqa: E402
from groundling.games.hexagons.neural.generator_task import SKIPPED, GeneratorTask  # noqa: E402
from groundling.games.hexagons.neural.lesson import Example, Lesson, LessonBatches  # noqa: E402
from groundling.games.hexagons.neural.llama import LlamaSettings  # noqa: E402
from groundling.games.hexagons.neural.notation import (  # noqa: E402
    NOTHING,
    Notation,
    Tile,
    answer_runs,
    paint_notation_cells,
    read_action_notation,
    write_action_notation,
)
from groundling.games.hexagons.neural.procedures import (  # noqa: E402
    BLANK,
    Procedure,
    StepProgram,
    add_step_programs,
    permute_procedure_colours,
)
from groundling.games.hexagons.neural.situations import Situation  # noqa: E402
from groundling.games.hexagons.neural.tokens import BytePairTokens, build_word_tokens  # noqa: E402
from groundling.games.hexagons.program import parse_statements  # noqa: E402

MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TOKENS = BytePairTokens([*MARKS, *sorted(ByteLevel.alphabet()), "re"], ["r e"], MARKS)
GRAMMAR = {notation: AnswerGrammar(rules) for notation, rules in GRAMMARS.items()}
NOTATIONS = st.sampled_from(list(GRAMMARS))
painted = st.dictionaries(st.sampled_from(TILES), st.sampled_from(COLOURS))
TOLD = [Procedure.from_image(image) for image in told_images()]
LINE = Procedure(
    "1",
    "1",
    ("Paint red tiles.", "And more of them."),
    (
        BLANK,
        paint_notation_cells(BLANK, {(2, 3): "red"}),
        paint_notation_cells(BLANK, dict.fromkeys([(2, 3), (3, 3), (4, 3)], "red")),
    ),
)


def is_answer(text: str, notation: Notation) -> bool:
    grammar = GRAMMAR[notation]
    state = grammar.follow_text(grammar.start, text)
    return state != DEAD and grammar.is_complete(state)


@settings(deadline=None)
@given(painted, NOTATIONS)
def test_the_grammar_knows_all_that_is_written(actions: dict[Tile, str], notation: Notation) -> None:
    assert is_answer(write_action_notation(actions, notation), notation)


def test_the_grammar_knows_the_programs_of_the_narrator() -> None:
    programs = [program for one in TOLD for program in one.programs]
    assert programs
    assert all(is_answer(program, "program") for program in programs)


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("red 3:11", "runs"),
        ("red 3:1;blue 2:2", "runs"),
        ("red", "runs"),
        ("paint red", "program"),
        ("paint mauve 3,3", "program"),
        ("paint red 3,3\n    paint red 3,4", "program"),
        ("at 3,3:\npaint red here", "program"),
        ("paint red (line 3,3 down 2", "program"),
    ],
)
def test_what_is_no_answer_is_refused(text: str, notation: Notation) -> None:
    assert not is_answer(text, notation)


def test_every_text_of_the_grammar_is_a_program() -> None:
    lot = Random(2)
    for text in {GRAMMAR["program"].write_sample(lot) for _ in range(400)} - {NOTHING}:
        parse_statements(text)


@cache
def make_executor(notation: Notation, draws: int) -> GrammarExecutor:
    torch.manual_seed(5)
    shape = LlamaSettings(words=len(MARKS) + 257, width=32, layers=1, heads=4, kv_heads=2, inner=48)
    chosen = GeneratorSettings(context="predicted+full", llama=shape, answer=90, notation=notation)
    model = Generator(chosen, TOKENS).eval()
    model.llama.words.weight.data *= 12
    return GrammarExecutor(model, draws)


@pytest.mark.parametrize("notation", ["runs", "program"])
def test_a_model_that_knows_nothing_writes_answers_that_can_be_carried_out(notation: Notation) -> None:
    executor = make_executor(notation, 15)
    situations = [Situation(LINE.texts, LINE.boards[:2]), Situation(LINE.texts[:1], (BLANK,))]
    answers = [one for part in executor.write_candidates(situations) for one in part]
    assert len(answers) == 32
    assert any(one.ended for one in answers)
    for one in answers:
        if one.ended:
            assert is_answer(one.text, notation)
            assert answer_runs(one.text, notation, BLANK)
        else:
            assert GRAMMAR[notation].follow_text(GRAMMAR[notation].start, one.text) != DEAD


def test_models_of_whole_words_are_refused() -> None:
    tokens = build_word_tokens(["Paint it."])
    shape = LlamaSettings(words=len(tokens), width=32, layers=1, heads=4, kv_heads=2, inner=48)
    with pytest.raises(Problem, match="SmolLM2"):
        GrammarExecutor(Generator(GeneratorSettings(context="predicted+full", llama=shape), tokens))


@given(st.integers(0, 2**32 - 1), st.sampled_from(["runs", "program"]))
@settings(max_examples=40, deadline=None)
def test_no_beginning_of_an_answer_is_a_dead_end(seed: int, notation: Notation) -> None:
    allowed, lot = make_executor(notation, 0).model.answer_grammar, np.random.default_rng(seed)
    search = GrammarSearch(allowed, allowed.end, [0], 1, lambda row, places: True)
    for _ in range(60):
        search.choose_tokens(lot.normal(size=(1, len(allowed.pieces))))
        assert np.isfinite(search.likely).all()
        assert search.over[0] or search.states[0] != DEAD


def test_an_answer_that_cannot_be_carried_out_does_not_end() -> None:
    allowed = make_executor("runs", 0).model.answer_grammar
    scores, end = np.zeros((1, len(allowed.pieces))), allowed.end
    scores[0, end] = 9.0
    for runs in (True, False):
        search = GrammarSearch(allowed, end, [0], 1, lambda row, places, runs=runs: runs)  # type: ignore[misc]
        for letter in "red 3:4":
            wanted = scores.copy()
            wanted[0, end] = -9.0
            wanted[0, allowed.pieces.index(letter)] = 9.0
            search.choose_tokens(wanted)
        assert (search.choose_tokens(scores)[0] == end) == runs
        assert bool(search.over[0]) == runs


def make_answer(rows: int, likely: float, *, length: int = 5, ended: bool = True) -> WrittenAnswer:
    return WrittenAnswer("", {(row, 1): "red" for row in range(1, rows + 1)}, likely, length, ended)


def test_the_answer_on_which_most_agree_is_taken() -> None:
    answers = [make_answer(1, -0.5), make_answer(8, -1.0), make_answer(8, -1.0)]
    agreement = [float(one == "mean F1 with the others") for one in CANDIDATE_FEATURES]
    assert len(rank_answers(answers, agreement).painted) == 8
    likelihood = [float(one == "likelihood") for one in CANDIDATE_FEATURES]
    assert len(rank_answers(answers, likelihood).painted) == 1


def test_an_answer_without_an_end_is_taken_where_there_is_no_other() -> None:
    endless = make_answer(3, -0.1, ended=False)
    likelihood = [float(one == "likelihood") for one in CANDIDATE_FEATURES]
    assert rank_answers([endless, make_answer(1, -5.0)], likelihood).ended
    assert rank_answers([endless], likelihood) == endless


def test_tiles_that_have_their_colour_are_no_actions_of_a_program() -> None:
    found = read_action_notation("paint red line 2,3 down 3", "program", LINE.boards[1])
    assert found == {(3, 3): "red", (4, 3): "red"}


def test_the_first_right_program_of_a_step_is_learned_from(tmp_path: Path) -> None:
    file = tmp_path / "programs.jsonl"
    texts = ["paint red 9,9", "paint red line 2,3 down 3", "paint red 3,3 4,3"]
    file.write_bytes(b"".join(encode(StepProgram("1", 2, text)) + b"\n" for text in texts))
    (found,) = add_step_programs([LINE], file)
    assert found.programs == ("", texts[1])
    file.write_text("{}")
    with pytest.raises(Problem, match="programs of steps"):
        add_step_programs([LINE], file)
    with pytest.raises(Problem, match="does not exist"):
        add_step_programs([LINE], tmp_path / "none.jsonl")


def test_programs_are_refused_where_they_would_not_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "train",
        "hexagons-generator",
        "--data",
        str(write_published(tmp_path)),
        "-o",
        str(tmp_path / "out"),
    ]
    assert main([*words, "--programs", str(tmp_path / "none.jsonl")]) == 2
    assert "--programs goes with --model smollm2, --notation program" in capsys.readouterr().err


def test_programs_change_their_colours_with_the_boards() -> None:
    known = replace(LINE, programs=("", "paint red line 2,3 down 3"))
    other = permute_procedure_colours(known, Random(1))
    assert other.programs != known.programs
    assert StepProgram("1", 2, other.programs[1]).is_right(other)


@pytest.mark.parametrize("found", [0.0, 1.0])
def test_known_programs_are_learned_and_found_ones_shown(found: float) -> None:
    known = replace(LINE, programs=("paint red line 2,3 down 1", "paint red line 2,3 down 3"))
    model, lesson = make_executor("program", 0).model, Lesson(colours=0, spoiled=0, found=found)
    batches = LessonBatches(
        [([known], 1.0)],
        context="predicted+full",
        batch=1,
        alone=0,
        seed=0,
        lesson=lesson,
        by_step=False,
        answered=True,
    )
    task = GeneratorTask(model, batches, (), lesson)
    tokens, right = task._encode_example(Example(known, 1, Random(0)))
    learned = TOKENS.decode([model.numbers[place] for place in right if place != SKIPPED])
    shown = TOKENS.decode(tokens)
    assert learned == ("" if found else known.programs[0]) + known.programs[1]
    assert ("paint red 2,3" in shown) == bool(found)
