"""Questions of the executor: the rules, the replies, what each seat is shown, who asks and who answers."""

from __future__ import annotations

import asyncio
import re

import pytest
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.check import check_game
from groundling.core.events import Moved, Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.player import Ask, Player, Reply
from groundling.core.replay import replay_transcript
from groundling.core.table import play
from groundling.core.values import Illegal, Problem, Say
from groundling.games.hexagons.desk import hexagons_help, make_hexagons_desk
from groundling.games.hexagons.draw import draw, prompt_hints
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsMove,
    InstructionsDone,
    Next,
    PaintTile,
    StepQuestion,
    Undo,
)
from groundling.games.hexagons.narration import narrate_changes
from groundling.games.hexagons.players.asking import (
    AskingExecutor,
    choose_question,
    expect_stated_score,
    hear_instructions,
    list_questions,
)
from groundling.games.hexagons.players.parser import parse_instruction
from groundling.games.hexagons.players.tile_summary import answer_directly
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings, State
from groundling.games.hexagons.score import score

from .small import FLOWER, PLAIN, RECORDED, after, executor_view, instructor_view, plain_pack

RED = PaintTile(1, 1, "red")
ASKED, ANSWERED = Say("Which column?"), Say("The fifth one.")
RULES = HexagonsGame(HexagonsSettings(mode="live", questions=1))


# The rules


@pytest.mark.parametrize("reply", ["actions", "program"])
def test_every_law_is_kept(reply: str) -> None:
    settings = HexagonsSettings(mode="live", questions=2, reply=reply)  # type: ignore[arg-type]
    assert check_game(plain_pack(), settings=settings, instances=4, texts=30) == []


def test_a_question_is_answered_before_the_step_is_painted() -> None:
    state = after(RULES, Say("one"), ASKED)
    assert RULES.turn(state) == INSTRUCTOR
    state = RULES.play(state, INSTRUCTOR, ANSWERED)
    assert RULES.turn(state) == EXECUTOR
    view = executor_view(RULES, state)
    assert view.told == ("one",), "an answer is no step"
    assert (view.talk, view.questions) == ((StepQuestion(0, ASKED.text, ANSWERED.text),), 0)
    state = RULES.play(RULES.play(state, EXECUTOR, RED), EXECUTOR, Next())
    assert RULES.turn(state) == INSTRUCTOR
    assert executor_view(RULES, RULES.play(state, INSTRUCTOR, Say("two"))).questions == 1, "for each step"


def test_a_question_about_the_last_step_is_still_answered() -> None:
    rules = HexagonsGame(replace(RULES.settings, steps=1))
    state = after(rules, Say("one"), ASKED)
    assert rules.turn(state) == INSTRUCTOR
    assert rules.turn(after(rules, Say("one"), ASKED, ANSWERED, Next())) is None


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ((Say("one"), ASKED, ANSWERED, ASKED), "you asked 1 question about this step"),
        ((Say("one"), Say("two\nlines")), "a question is a line"),
        ((Say("one"), ASKED, Undo()), "answer it in one line"),
        ((Say("one"), ASKED, InstructionsDone()), "answer it in one line"),
        ((Say("one"), ASKED, Say("two\nlines")), "answer it in one line"),
    ],
)
def test_what_is_refused(moves: tuple[HexagonsMove, ...], told: str) -> None:
    with pytest.raises(Illegal, match=told):
        after(RULES, *moves)


def test_without_the_setting_an_executor_cannot_speak() -> None:
    with pytest.raises(Illegal, match="paint tiles, or ask for the next step"):
        after(HexagonsGame(HexagonsSettings(mode="live")), Say("one"), ASKED)


def test_a_step_is_taken_back_with_its_questions() -> None:
    state = after(RULES, Say("one"), ASKED, ANSWERED, RED, Next(), Undo())
    assert (state.said, state.talk) == ((), ())


def test_only_questions_about_visible_instructions_are_shown() -> None:
    rules = HexagonsGame(replace(RULES.settings, context="predicted"))
    state = after(rules, Say("one"), ASKED, ANSWERED, Next(), Say("two"), ASKED, ANSWERED)
    assert executor_view(rules, state).talk == (StepQuestion(0, ASKED.text, ANSWERED.text),)
    both = executor_view(RULES, after(RULES, Say("one"), ASKED, ANSWERED, Next(), Say("two"), ASKED))
    assert [one.step for one in both.talk] == [0, 1]


@pytest.mark.parametrize(
    ("settings", "image", "told"),
    [
        ({"mode": "live", "whole": True}, PLAIN, "with --whole"),
        ({"mode": "describe"}, PLAIN, "in --mode describe"),
        ({}, RECORDED, "in --mode execute"),
    ],
)
def test_where_nobody_answers_the_setting_is_refused(
    settings: dict[str, object], image: HexagonsImage, told: str
) -> None:
    with pytest.raises(Problem, match=f"nobody answers questions {told}"):
        HexagonsGame(HexagonsSettings(questions=1, **settings)).start(image)  # type: ignore[arg-type]


# Replies, prompts and pages


@pytest.mark.parametrize(
    ("text", "moves", "strict"),
    [
        ("Say: Which column?", (ASKED,), True),
        ("1 1 red, more\nSay: Which column?", (RED, ASKED), True),
        ("1 1 red", (RED, Next()), True),
        ("I am not sure.\n**Say:** Which column?", (ASKED,), False),
        ("Say: Which column?\nSay: Which row?", (ASKED,), False),
    ],
)
def test_an_executor_asks_or_paints(text: str, moves: tuple[HexagonsMove, ...], strict: bool) -> None:
    state = after(RULES, Say("one"))
    assert RULES.read(state, EXECUTOR, text).moves == moves
    if strict:
        assert RULES.read(state, EXECUTOR, text, strict=True).moves == moves
    else:
        with pytest.raises(Illegal):
            RULES.read(state, EXECUTOR, text, strict=True)


def test_lines_of_an_answer_are_joined_where_it_is_read_tolerantly() -> None:
    state = after(RULES, Say("one"), ASKED)
    assert RULES.read(state, INSTRUCTOR, "Say: In column 5.\nSay: At the top.").moves == (
        Say("In column 5. At the top."),
    )
    with pytest.raises(Illegal, match="answer it in one line"):
        RULES.read(state, INSTRUCTOR, "Say: DONE")


def test_models_are_told_of_questions_only_where_there_are_any() -> None:
    plain = HexagonsGame(HexagonsSettings(mode="live"))
    for role in (INSTRUCTOR, EXECUTOR):
        assert "question" not in draw(plain.view(after(plain, Say("one")), role)).words
    words = draw(executor_view(RULES, after(RULES, Say("one")))).words
    assert 'ask 1 question about it: reply with one line, "Say: <your question>"' in words
    asked = instructor_view(RULES, after(RULES, Say("one"), ASKED))
    assert f"Your partner asked: {ASKED.text}" in draw(asked).words
    assert 'Answer the question about instruction 1 in one line, "Say: <your answer>"' in draw(asked).words
    assert prompt_hints(asked).section == "answer"
    assert prompt_hints(instructor_view(RULES, RULES.start(PLAIN))).terms["tag"] == "Say:"


def test_a_person_has_a_field_for_questions_only_where_they_are_allowed() -> None:
    plain = HexagonsGame(HexagonsSettings(mode="live"))
    assert make_hexagons_desk(executor_view(plain, after(plain, Say("one"))), active=True).say is None
    desk = make_hexagons_desk(executor_view(RULES, after(RULES, Say("one"))), active=True)
    assert desk.say is not None
    assert desk.say.button == "Ask"
    asked = make_hexagons_desk(instructor_view(RULES, after(RULES, Say("one"), ASKED)), active=True)
    assert [(line.who, line.text, line.aside) for line in asked.talk] == [
        ("me", "one", False),
        ("partner", ASKED.text, True),
    ]
    assert asked.buttons == ()
    for role in (INSTRUCTOR, EXECUTOR):
        assert len(hexagons_help(RULES, PLAIN, role)) == len(hexagons_help(plain, PLAIN, role)) + 1


# Players


def painted_by_parser(text: str) -> Board:
    return Board.empty().with_tiles(
        {(row, column): colour for row, column, colour in parse_instruction(text, (), {}).actions}
    )


@pytest.mark.parametrize("level", [0, 1])
def test_changes_are_described_so_that_the_parser_paints_them(level: int) -> None:
    assert painted_by_parser(narrate_changes(Board.empty(), FLOWER, level)) == FLOWER
    erasing = parse_instruction(narrate_changes(FLOWER, Board.empty(), level), (), FLOWER.painted_tiles())
    assert {action[:2] for action in erasing.actions} == FLOWER.painted_tiles().keys()


@pytest.mark.parametrize(
    ("readings", "question"),
    [
        ([{(1, 1): "red"}, {(1, 1): "blue"}], "Which colour do you mean, red or blue?"),
        (
            [{(1, 1): "red"}, {(1, 3): "red"}],
            "Does it begin at the 1st tile of column 1 or at the 1st tile of column 3?",
        ),
        ([{(1, 1): "red"}, {(1, 1): "red", (2, 1): "red"}], "How many tiles do you mean, 1 or 2?"),
        (
            [{(1, 1): "red", (2, 1): "red"}, {(1, 1): "red", (1, 2): "red"}],
            "Does it lie in column 1, at the 1st and 2nd tiles, or in columns 1 and 2?",
        ),
    ],
)
def test_readings_that_differ_are_asked_about(
    readings: list[dict[tuple[int, int], str]], question: str
) -> None:
    assert next(list_questions("Paint it red.", readings, ())) == question


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Paint the third column.", "Which colour do you mean?"),
        ("Paint five red tiles.", "In which column does it begin, and at which tile?"),
        ("Make a blue giraffe near the corner.", 'What do you mean by "giraffe"?'),
        (
            "Finish the purple flower, and make the center yellow.",
            "In which columns are the purple and yellow tiles, and at which tiles of these columns?",
        ),
    ],
)
def test_what_is_missing_is_asked_about_and_nothing_twice(text: str, question: str) -> None:
    view = ExecutorView((text,), 1, Board.empty(), questions=2)
    assert choose_question(view, Reply(moves=())) == question
    again = choose_question(replace(view, talk=(StepQuestion(0, question, "No."),)), Reply(moves=()))
    assert again != question


@pytest.mark.parametrize(
    ("painted", "question"),
    [
        ({(2, 4): "red"}, "Do you mean 1 red tile, in column 4, at the 2nd tile?"),
        (
            {(row, 4): "red" for row in (3, 4, 5)},
            "Do you mean 3 red tiles, in column 4, from the 3rd to the 5th tile?",
        ),
        (
            {(1, 2): "red", (1, 3): "blue", (1, 4): "red"},
            "Do you mean 3 tiles: 2 red and 1 blue, in columns 2 to 4?",
        ),
        (
            {(1, column): "red" for column in (1, 3, 5, 7, 9, 11)},
            "Do you mean 6 red tiles, in 6 columns from 1 to 11?",
        ),
    ],
)
def test_a_single_reading_is_asked_about_by_what_it_paints(
    painted: dict[tuple[int, int], str], question: str
) -> None:
    assert next(list_questions("Paint it well.", [painted, painted], ["well"])) == question


@pytest.mark.parametrize("answer", ["Yes.", "yes, right!", "Correct", "That's it."])
def test_a_reading_that_is_confirmed_is_painted(answer: str) -> None:
    text = "In the 2nd column paint a gorgeous red tile, quite remarkably, at the 3rd place."
    game = HexagonsGame(HexagonsSettings(mode="live", questions=2))
    parser = seat(EXECUTOR, "parser", game)

    def reply(*talk: StepQuestion) -> tuple[object, ...]:
        view = ExecutorView((text,), 1, Board.empty(), talk=talk, questions=2 - len(talk))
        return asyncio.run(parser.act(Ask("one", EXECUTOR, view, (), None, 0))).moves or ()

    (question,) = reply()
    assert isinstance(question, Say)
    assert question.text.startswith("Do you mean ")
    assert any(isinstance(move, PaintTile) for move in reply(StepQuestion(0, question.text, answer)))
    (again,) = reply(StepQuestion(0, question.text, "No."))
    assert isinstance(again, Say)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which colour?", "Blue and red."),
        ("What color should it be?", "Blue and red."),
        ("How many are there?", "3 in all."),
        ("Where does it start?", "It begins at the 2nd tile of column 4."),
        ("Which column do you mean?", "It begins at the 2nd tile of column 4."),
        ("Do you mean 3 red tiles, in columns 1 to 3?", ""),
        ("Pardon?", ""),
    ],
)
def test_questions_about_colour_number_and_place_are_answered_directly(question: str, answer: str) -> None:
    assert answer_directly(question, {(2, 4): "blue", (3, 4): "red", (4, 4): "red"}) == answer


def test_the_narrator_answers_and_says_the_step_again() -> None:
    narrator = seat(INSTRUCTOR, "narrator", RULES)

    def moves(state: State) -> tuple[HexagonsMove, ...]:
        return (
            asyncio.run(
                narrator.act(Ask(PLAIN.id, INSTRUCTOR, RULES.view(state, INSTRUCTOR), (), None, 0))
            ).moves
            or ()
        )

    first = moves(RULES.start(PLAIN))
    (answer,) = moves(after(RULES, *first, Say("Where does it begin?")))
    assert isinstance(answer, Say)
    assert re.match(r"It begins at the \d+\w\w tile of column \d+\. [A-Z]", answer.text)


def test_a_short_answer_continues_the_sentence() -> None:
    view = ExecutorView(
        ("Paint the third column.",), 1, None, talk=(StepQuestion(0, "Which colour do you mean?", "Red."),)
    )
    heard, alone = hear_instructions(view)
    assert (heard.told, alone.told) == (("Paint the third column, red.",), ("Red.",))
    assert heard.talk == ()


class Hesitant:
    """Understands what names a number, and nothing else."""

    name = "hesitant"

    async def act(self, ask: Ask) -> Reply:
        sure = any(letter.isdigit() for letter in ask.view.told[-1])
        return Reply(moves=(RED, Next()) if sure else (Next(),), detail={"expected": 0.9 if sure else 0.1})


def play_transcript(game: HexagonsGame, image: HexagonsImage, players: dict[str, Player]) -> Transcript:
    async def events() -> Transcript:
        return Transcript(
            tuple([event async for event in play(game, image, players, seed=0, clock=lambda: 0.0)])
        )

    return asyncio.run(events())


def seat(role: str, spec: str, game: HexagonsGame, **options: str) -> Player:
    pack = find("hexagons")
    player: Player = load(pack.players[spec])(Seat(pack, game, role, spec, "", dict(options), [PLAIN]))
    return player


@pytest.mark.parametrize("instructor", ["narrator", "describer", "gold"])
def test_machines_answer_whoever_asks(instructor: str) -> None:
    players = {
        INSTRUCTOR: seat(INSTRUCTOR, instructor, RULES),
        EXECUTOR: AskingExecutor(_AlwaysAsking(), expect_stated_score),
    }
    transcript = play_transcript(RULES, PLAIN, players)
    assert transcript.status == "played"
    state: State = replay_transcript(RULES, transcript)
    assert len(state.talk) == len(state.said), "one question a step"
    assert all(one.answer for one in state.talk)
    assert score(RULES, transcript).episode["questions"] == len(state.said)


class _AlwaysAsking:
    name = "asking"

    async def act(self, ask: Ask) -> Reply:
        return Reply(moves=(Next(),), detail={"expected": 0.0})


def test_an_executor_asks_only_if_it_is_in_doubt_and_reads_the_answer() -> None:
    asking = AskingExecutor(Hesitant(), expect_stated_score)

    def reply(*told: str, talk: tuple[StepQuestion, ...] = (), questions: int = 1) -> tuple[object, ...]:
        view = ExecutorView(told, 1, Board.empty(), talk=talk, questions=questions)
        return asyncio.run(asking.act(Ask("one", EXECUTOR, view, (), None, 0))).moves or ()

    assert reply("tile 1") == (RED, Next())
    (question,) = reply("that tile")
    assert isinstance(question, Say)
    answered = (StepQuestion(0, question.text, "tile 1"),)
    assert reply("that tile", talk=answered, questions=0) == (RED, Next())
    assert reply("that tile", talk=(StepQuestion(0, question.text, "no"),), questions=0) == (Next(),)


def test_the_parser_paints_more_where_it_may_ask() -> None:
    scores = []
    for questions in (0, 2):
        game = HexagonsGame(HexagonsSettings(mode="live", questions=questions))
        parser = seat(EXECUTOR, "parser", game)
        transcript = play_transcript(game, PLAIN, {INSTRUCTOR: Vague(game), EXECUTOR: parser})
        moved = [event for event in transcript.events if isinstance(event, Moved) and event.role == EXECUTOR]
        assert any(isinstance(move, Say) for event in moved for move in event.moves) == bool(questions)
        scores.append(score(game, transcript).episode["f1"])
    assert scores == [0.0, 1.0]


class Vague:
    """Says nothing that can be understood, unless it is asked."""

    name = "vague"

    def __init__(self, game: HexagonsGame) -> None:
        self.narrator = seat(INSTRUCTOR, "narrator", game, level="2")

    async def act(self, ask: Ask) -> Reply:
        found = await self.narrator.act(ask)
        if ask.view.asked or isinstance((found.moves or ())[0], InstructionsDone):
            return found
        return Reply(moves=(Say("Make that gorgeous thing."),))
