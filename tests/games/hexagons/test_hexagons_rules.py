"""The machine in all its modes: whose turn it is, what each seat sees, and what is legal."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from groundling.boards.hexes import Board
from groundling.core.check import check_game
from groundling.core.values import Illegal, Problem, Say
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsMove,
    InstructionsDone,
    Next,
    PaintTile,
    Undo,
)
from groundling.games.hexagons.rules import (
    CONTEXTS,
    EXECUTOR,
    INSTRUCTOR,
    HexagonsGame,
    HexagonsSettings,
    State,
    hide,
)

from .small import (
    FLOWER,
    LINE,
    MENDED,
    PLAIN,
    RECORDED,
    after,
    executor_view,
    instructor_view,
    plain_pack,
    recorded_pack,
)

BLANK = Board.empty()
RED = PaintTile(1, 1, "red")


def game(**settings: object) -> HexagonsGame:
    return HexagonsGame(HexagonsSettings(**settings))  # type: ignore[arg-type]


LIVE = [
    HexagonsSettings(),
    HexagonsSettings(mode="live", feedback=True, base=0, steps=3),
    HexagonsSettings(mode="live", whole=True, context="full-history"),
    HexagonsSettings(mode="live", reply="program"),
    HexagonsSettings(mode="describe"),
    HexagonsSettings(mode="align", whole=True, steps=1),
]
EXECUTE = [
    HexagonsSettings(),
    HexagonsSettings(mode="execute", context="oracle+full"),
    HexagonsSettings(mode="execute", reply="program", base=0),
    HexagonsSettings(mode="execute", whole=True),
]
MORE_LIVE = [
    *(
        HexagonsSettings(mode="live", context=context)  # type: ignore[arg-type]
        for context in CONTEXTS
        if not context.startswith("oracle")
    ),
    HexagonsSettings(mode="live", whole=True),
    HexagonsSettings(mode="align"),
]
MORE_EXECUTE = [
    *(HexagonsSettings(mode="execute", context=context) for context in CONTEXTS),  # type: ignore[arg-type]
    HexagonsSettings(mode="live"),
    HexagonsSettings(mode="align"),
]


@pytest.mark.parametrize("settings", LIVE, ids=lambda s: f"{s.mode} {s.context}")
def test_every_law_is_kept_with_images(settings: HexagonsSettings) -> None:
    assert check_game(plain_pack(), settings=settings, instances=4, texts=30) == []


@pytest.mark.parametrize("settings", EXECUTE, ids=lambda s: f"{s.mode} {s.context}")
def test_every_law_is_kept_with_recorded_procedures(settings: HexagonsSettings) -> None:
    assert check_game(recorded_pack(), settings=settings, instances=4, texts=30) == []


@pytest.mark.slow
def test_every_law_is_kept_in_every_other_setting() -> None:
    for pack, others in ((plain_pack(), MORE_LIVE), (recorded_pack(), MORE_EXECUTE)):
        for settings in others:
            assert check_game(pack, settings=settings, instances=6, texts=60) == [], settings


# Live


def test_they_take_turns_step_by_step_until_the_instructor_has_said_all() -> None:
    rules = game(mode="live")
    state = after(rules, Say("one"))
    assert rules.turn(state) == EXECUTOR
    state = rules.play(state, EXECUTOR, RED)
    assert rules.turn(state) == EXECUTOR, "one tile need not be all"
    state = rules.play(state, EXECUTOR, Next())
    assert rules.turn(state) == INSTRUCTOR
    state = rules.play(state, INSTRUCTOR, InstructionsDone())
    assert rules.turn(state) is None
    assert rules.result(state) is not None


def test_every_line_is_an_instruction_of_its_own_and_the_next_one_is_not_shown() -> None:
    rules = game(mode="live")
    state = after(rules, Say("one\ntwo"))
    assert executor_view(rules, state).told == ("one",)
    state = rules.play(state, EXECUTOR, Next())
    assert rules.turn(state) == EXECUTOR
    view = executor_view(rules, state)
    assert (view.earlier_instructions, view.current_instructions) == (("one",), ("two",))
    state = rules.play(state, EXECUTOR, Next())
    assert rules.turn(state) == INSTRUCTOR
    assert executor_view(rules, state).current_instructions == ()


def test_what_is_taken_back_is_taken_off_the_board() -> None:
    rules = game(mode="live")
    state = after(rules, Say("one"), RED, Next(), Say("two"), PaintTile(2, 2, "blue"), Next(), Undo())
    assert state.said == ("one",)
    assert state.board == BLANK.paint_tile((1, 1), "red")
    assert rules.turn(state) == INSTRUCTOR
    again = rules.play(state, INSTRUCTOR, Undo())
    assert (again.said, again.board) == ((), BLANK)
    with pytest.raises(Illegal, match="no instruction to take back"):
        rules.play(again, INSTRUCTOR, Undo())


def test_there_are_a_limited_number_of_instructions_even_if_they_are_taken_back() -> None:
    rules = game(mode="live", steps=2)
    state = after(rules, Say("one"), Next(), Undo(), Say("two"), Next())
    assert rules.turn(state) is None
    with pytest.raises(Illegal, match="2 instructions in all"):
        after(rules, Say("one\ntwo\nthree"))


def test_the_instructor_sees_the_executors_board_only_with_feedback() -> None:
    for feedback in (False, True):
        rules = game(mode="live", feedback=feedback)
        view = instructor_view(rules, after(rules, Say("one"), RED, Next()))
        assert view.target == FLOWER
        assert view.board == (BLANK.paint_tile((1, 1), "red") if feedback else None)


def test_white_erases() -> None:
    rules = game(mode="live")
    assert after(rules, Say("one"), RED, PaintTile(1, 1, "white")).board == BLANK


def test_live_is_scored_by_the_last_board() -> None:
    rules = game(mode="live")
    paints = [PaintTile(row, 3, "red") for row in range(1, 6)]
    result = rules.result(after(rules, Say("one"), *paints, Next(), InstructionsDone()))
    assert result is not None
    assert result.score == pytest.approx(2 * 5 / (5 + 9))
    with_recording = rules.result(
        after(rules, Say("other words"), *paints, Next(), InstructionsDone(), on=RECORDED)
    )
    assert with_recording is not None
    assert with_recording.score == pytest.approx(2 * 4 / (5 + 8))


def test_done_at_once_is_a_played_game_with_nothing_drawn() -> None:
    result = game(mode="live").result(after(game(mode="live"), InstructionsDone()))
    assert result is not None
    assert result.score == 0


# Describe and align


def test_describing_is_done_alone_and_nothing_is_carried_out() -> None:
    rules = game(mode="describe")
    assert rules.seats(PLAIN) == (INSTRUCTOR,)
    state = after(rules, Say("one"), Say("two"), Undo(), Say("three"), InstructionsDone())
    assert state.said == ("one", "three")
    assert rules.turn(state) is None
    result = rules.result(state)
    assert result is not None
    assert result.score == 1


def test_who_describes_nothing_has_nothing() -> None:
    result = game(mode="describe").result(after(game(mode="describe"), InstructionsDone()))
    assert result is not None
    assert result.score == 0


def test_the_aligner_carries_out_its_own_text_with_the_target_in_view() -> None:
    rules = game(mode="align")
    assert rules.seats(PLAIN) == (INSTRUCTOR,)
    state = after(rules, Say("one"), Say("two"), InstructionsDone())
    view = instructor_view(rules, state)
    assert (view.due, view.target, view.board) == (1, FLOWER, BLANK)
    state = rules.play(rules.play(state, INSTRUCTOR, RED), INSTRUCTOR, Next())
    assert instructor_view(rules, state).due == 2
    state = rules.play(state, INSTRUCTOR, Next())
    assert rules.turn(state) is None


# Whole


def test_the_whole_procedure_is_carried_out_at_once() -> None:
    rules = game(mode="live", whole=True)
    state = after(rules, Say("one"), Say("two"))
    assert rules.turn(state) == INSTRUCTOR
    assert executor_view(rules, state).told == (), "not before all is written"
    state = rules.play(state, INSTRUCTOR, InstructionsDone())
    assert executor_view(rules, state).current_instructions == ("one", "two")
    state = rules.play(state, EXECUTOR, Next())
    assert rules.turn(state) is None


# Execute and its contexts


def test_images_with_a_recording_are_executed_unless_something_else_is_asked_for() -> None:
    assert game().play_mode(RECORDED) == "execute"
    assert game().play_mode(PLAIN) == "live"
    assert game(mode="live").play_mode(RECORDED) == "live"


FIRST, SECOND, THIRD = (step.spoken_text for step in RECORDED.steps[:3])
DRAWN = BLANK.paint_tile((1, 1), "red")


@pytest.mark.parametrize(
    ("context", "history", "board"),
    [
        ("no-history", (), None),
        ("1-previous", (SECOND,), None),
        ("full-history", (FIRST, SECOND), None),
        ("predicted", (), DRAWN),
        ("predicted+full", (FIRST, SECOND), DRAWN),
        ("oracle", (), LINE),
        ("oracle+full", (FIRST, SECOND), LINE),
    ],
)
def test_the_seven_contexts(context: str, history: tuple[str, ...], board: Board | None) -> None:
    rules = game(context=context)
    state = after(rules, Say(FIRST), RED, Next(), Say(SECOND), Next(), Say(THIRD), on=RECORDED)
    assert executor_view(rules, state) == ExecutorView((*history, THIRD), 1, board)


def test_an_oracle_board_is_what_the_step_is_painted_on() -> None:
    rules = game(context="oracle")
    state = after(rules, Say(FIRST), RED, Next(), Say(SECOND), PaintTile(9, 9, "blue"), on=RECORDED)
    assert state.board == LINE.paint_tile((9, 9), "blue")


def test_the_last_board_is_never_shown_before_it_is_reached() -> None:
    """Nor any other gold board before its time, or at all without an oracle."""
    for context in CONTEXTS:
        rules = game(context=context)
        state = rules.start(RECORDED)
        for number, step in enumerate(RECORDED.steps):
            view = executor_view(rules, rules.play(state, INSTRUCTOR, Say(step.spoken_text)))
            gold = RECORDED.gold_boards(number)[0] if context.startswith("oracle") else BLANK
            assert view.board in (None, gold)
            state = rules.play(rules.play(state, INSTRUCTOR, Say(step.spoken_text)), EXECUTOR, Next())
        assert executor_view(rules, state).board in (None, BLANK, FLOWER)
        assert executor_view(rules, rules.play(state, INSTRUCTOR, Say("one more"))).board != MENDED


@pytest.mark.parametrize("context", [context for context in CONTEXTS if not context.startswith("oracle")])
def test_without_an_oracle_no_recorded_board_is_seen(context: str) -> None:
    rules, hidden = game(context=context), hide(RECORDED, EXECUTOR, Random(0))
    assert hidden is not None
    steps = tuple(replace(step, board=Board("7" * 180)) for step in hidden.steps)
    moves = [move for step in RECORDED.steps for move in (Say(step.spoken_text), RED, Next())]
    for count in range(len(moves)):
        here, there = (
            after(rules, *moves[:count], on=RECORDED),
            after(rules, *moves[:count], on=replace(hidden, steps=steps)),
        )
        assert rules.view(here, EXECUTOR) == rules.view(there, EXECUTOR)


def test_execution_is_scored_by_what_was_painted_in_each_recorded_step() -> None:
    rules = game()
    right = [PaintTile(*change) for change in RECORDED.step_changes(0)]
    state = after(
        rules,
        Say(FIRST),
        *right,
        Next(),
        Say(SECOND),
        Next(),
        Say(THIRD),
        Next(),
        Say("…"),
        RED,
        Next(),
        on=RECORDED,
    )
    result = rules.result(rules.play(state, INSTRUCTOR, InstructionsDone()))
    assert result is not None
    assert result.score == pytest.approx((1 + 1 + 0 + 0) / 4)
    short = rules.result(after(rules, Say(FIRST), *right, Next(), InstructionsDone(), on=RECORDED))
    assert short is not None
    assert short.score == pytest.approx(1 / 4), (
        "what was not reached is not won, not even a step without a change"
    )


def test_a_recorded_procedure_cannot_be_changed() -> None:
    with pytest.raises(Illegal, match="nothing can be taken back"):
        after(game(), Say(FIRST), Next(), Undo(), on=RECORDED)


def test_recorded_words_are_said_on_one_line() -> None:
    assert [step.spoken_text for step in RECORDED.steps[2:]] == [
        "A flower to the right of it, blue with a yellow centre",
        "…",
    ]


@pytest.mark.parametrize(
    ("settings", "why"), [({"mode": "execute"}, "no recorded procedure"), ({"context": "oracle"}, "no gold")]
)
def test_what_needs_a_recording_is_refused_without_one(settings: dict[str, object], why: str) -> None:
    with pytest.raises(Problem, match=why):
        game(**settings).start(PLAIN)


def test_an_oracle_has_nothing_to_say_on_new_words_for_a_recorded_image() -> None:
    with pytest.raises(Problem, match="no gold for new instructions"):
        game(mode="live", context="oracle+full").start(RECORDED)


# Legal moves

rules = game(mode="live")
START, TOLD = rules.start(PLAIN), after(rules, Say("one"))


@pytest.mark.parametrize(
    ("state", "role", "move"),
    [
        (START, EXECUTOR, Next()),
        (START, INSTRUCTOR, Next()),
        (START, INSTRUCTOR, RED),
        (TOLD, INSTRUCTOR, Say("two")),
        (TOLD, EXECUTOR, Say("what?")),
        (TOLD, EXECUTOR, InstructionsDone()),
        (TOLD, EXECUTOR, Undo()),
        (START, INSTRUCTOR, Say("")),
        (START, INSTRUCTOR, Say(" one")),
        (START, INSTRUCTOR, Say("one\n\ntwo")),
        (START, INSTRUCTOR, Say("DONE")),
        (START, INSTRUCTOR, Say("one\nundo")),
    ],
)
def test_what_is_not_allowed_is_illegal(state: State, role: str, move: HexagonsMove) -> None:
    with pytest.raises(Illegal):
        rules.play(state, role, move)


@pytest.mark.parametrize("place", [(0, 1), (11, 1), (1, 0), (1, 19)])
def test_there_is_no_painting_off_the_board(place: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="off the board"):
        PaintTile(*place, "red")


def test_there_is_no_painting_in_an_unknown_colour() -> None:
    with pytest.raises(ValueError, match="no colour 'pink'"):
        PaintTile(1, 1, "pink")


def test_nobody_paints_for_ever() -> None:
    state = after(rules, Say("one"), *[RED] * 1_000)
    with pytest.raises(Illegal, match="ask for the next one"):
        rules.play(state, EXECUTOR, RED)


def test_the_image_is_hidden_from_the_executor_alone() -> None:
    assert hide(PLAIN, INSTRUCTOR, Random(0)) is None
    for seed in range(20):
        other = hide(PLAIN, EXECUTOR, Random(seed))
        assert other is not None
        assert other.target != PLAIN.target
