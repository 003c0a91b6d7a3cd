"""HEXAGONS: one player sees an image and writes drawing steps, the other carries them out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from groundling.boards.hexes import TILES, Board
from groundling.core.game import Game
from groundling.core.values import Illegal, Problem, Reading, Result, Role, Say, Settings
from groundling.games.hexagons.image import HexagonsImage, different_image_board, score_image_steps
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsMove,
    HexagonsView,
    InstructionsDone,
    InstructorView,
    Mode,
    Next,
    PaintTile,
    StepQuestion,
    Undo,
)
from groundling.games.hexagons.replies import (
    choose_reply_tag,
    is_instruction_reply,
    read_answer_reply,
    read_executor_reply,
    read_instruction_reply,
    read_paint_reply,
    write_hexagons_reply,
)
from groundling.games.hexagons.tile_scores import board_scores

INSTRUCTOR, EXECUTOR = "instructor", "executor"
Context: TypeAlias = Literal[
    "predicted+full", "no-history", "1-previous", "full-history", "predicted", "oracle", "oracle+full"
]
CONTEXTS: tuple[str, ...] = get_args(Context)
MOST_STEPS = len(TILES)
MOST_QUESTIONS = 9
MOST_PAINTS = 1_000
"""The limit for one step. A board has fewer tiles, but people change their minds."""


class HexagonsSettings(Settings, frozen=True):
    mode: Annotated[
        Literal["auto", "live", "describe", "align", "execute"],
        Meta(
            description="the seats that play; auto: execute if the image has a recorded procedure, else live"
        ),
    ] = "auto"
    context: Annotated[Context, Meta(description="what the executor sees beside the instruction")] = (
        "predicted+full"
    )
    feedback: Annotated[bool, Meta(description="the instructor sees the executor's board")] = False
    whole: Annotated[bool, Meta(description="all instructions are written first, then carried out")] = False
    reply: Annotated[
        Literal["actions", "program"], Meta(description="what the executor is asked to reply with")
    ] = "actions"
    base: Annotated[
        int, Meta(ge=0, le=1, description="the number of the first row and column in a reply")
    ] = 1
    steps: Annotated[
        int, Meta(ge=0, le=MOST_STEPS, description="maximum number of instructions; 0: the number of tiles")
    ] = 0
    questions: Annotated[
        int,
        Meta(
            ge=0,
            le=MOST_QUESTIONS,
            description="in live play, how many questions the executor may ask about an instruction",
        ),
    ] = 0


class ExecutedStep(Struct, frozen=True, gc=False):
    """A step that was carried out."""

    before: Board
    paints: tuple[PaintTile, ...]
    after: Board


class State(Struct, frozen=True, gc=False):
    image: HexagonsImage
    board: Board
    before: Board
    """The board before the current step."""
    said: tuple[str, ...] = ()
    spent: int = 0
    """All instructions given, including those taken back."""
    finished: bool = False
    """Whether no more instructions will come."""
    painted: tuple[PaintTile, ...] = ()
    """The paints of the current step."""
    done: tuple[ExecutedStep, ...] = ()
    talk: tuple[StepQuestion, ...] = ()
    """The executor's questions about `said`, with the answers."""

    @property
    def asked(self) -> bool:
        """Whether a question waits for its answer."""
        return bool(self.talk) and not self.talk[-1].answer


class HexagonsGame(Game[HexagonsImage, State, HexagonsMove, HexagonsView]):
    name: ClassVar[str] = "hexagons"
    Settings = HexagonsSettings
    Instance = HexagonsImage
    Move = HexagonsMove
    settings: HexagonsSettings

    def play_mode(self, image: HexagonsImage) -> Mode:
        if self.settings.mode == "auto":
            return "execute" if image.steps else "live"
        return self.settings.mode

    def seats(self, instance: HexagonsImage) -> tuple[Role, ...]:
        return (INSTRUCTOR,) if self.play_mode(instance) in ("describe", "align") else (INSTRUCTOR, EXECUTOR)

    def start(self, instance: HexagonsImage) -> State:
        mode = self.play_mode(instance)
        if mode == "execute" and not instance.steps:
            raise Problem(
                f"{instance.id} has no recorded procedure to execute: choose another mode, or play "
                "recorded procedures"
            )
        if mode == "live" and self.settings.context.startswith("oracle"):
            raise Problem(
                f"the context {self.settings.context} shows the gold board before each step, and "
                f"{instance.id} has no gold for new instructions: use another context, or a recorded "
                "procedure"
            )
        if self.settings.questions and (mode != "live" or self.settings.whole):
            where = "with --whole" if mode == "live" else f"in --mode {mode}"
            raise Problem(
                f"nobody answers questions {where}: leave out --questions, or play --mode live step by step"
            )
        return State(instance, Board.empty(), Board.empty())

    @property
    def _tag(self) -> str:
        return choose_reply_tag(self.settings.questions)

    def _writes_all_first(self, state: State) -> bool:
        """Whether all instructions are written before any is carried out."""
        return self.settings.whole or self.play_mode(state.image) in ("describe", "align")

    def instruction_limit(self, state: State) -> int:
        return MOST_STEPS if self.play_mode(state.image) == "execute" else self.settings.steps or MOST_STEPS

    def steps_to_do(self, state: State) -> int:
        """Return how many steps there are to carry out so far."""
        mode = self.play_mode(state.image)
        if mode == "describe" or (self._writes_all_first(state) and not state.finished):
            return 0
        return min(1, len(state.said)) if self.settings.whole and mode != "align" else len(state.said)

    def is_writing(self, state: State) -> bool:
        return not state.finished and len(state.done) == self.steps_to_do(state)

    def turn(self, state: State) -> Role | None:
        if state.asked or self.is_writing(state):
            return INSTRUCTOR
        if len(state.done) < self.steps_to_do(state):
            return INSTRUCTOR if self.play_mode(state.image) == "align" else EXECUTOR
        return None

    def view(self, state: State, role: Role) -> HexagonsView:
        settings, mode = self.settings, self.play_mode(state.image)
        if role == INSTRUCTOR:
            due = len(state.done) + 1 if mode == "align" and len(state.done) < self.steps_to_do(state) else 0
            return InstructorView(
                mode=mode,
                whole=self._writes_all_first(state),
                target=state.image.target,
                said=state.said,
                left=self.instruction_limit(state) - state.spent
                if self.is_writing(state) or state.asked
                else 0,
                board=state.board if due or (settings.feedback and mode == "live") else None,
                due=due,
                base=settings.base,
                reply=settings.reply,
                talk=state.talk,
                questions=settings.questions,
            )
        working = len(state.done) < self.steps_to_do(state)
        if settings.whole:
            told, due = (state.said, len(state.said)) if state.finished else ((), 0)
        else:
            told, due = state.said[: len(state.done) + 1], 1
            if settings.context in ("no-history", "predicted", "oracle"):
                told = told[-1:]
            elif settings.context == "1-previous":
                told = told[-2:]
        board = state.board if settings.context.startswith(("predicted", "oracle")) else None
        painted = () if board else state.painted
        current = len(state.done)
        first = current + 1 - len(told)
        talk = tuple(
            replace(one, step=one.step - first) for one in state.talk if first <= one.step <= current
        )
        left = settings.questions - sum(one.step == current for one in state.talk) if working else 0
        return ExecutorView(
            told, due if working else 0, board, settings.base, settings.reply, painted, talk, left
        )

    def read(self, state: State, role: Role, text: str, *, strict: bool = False) -> Reading[HexagonsMove]:
        if state.asked:
            return read_answer_reply(text, self._tag, strict=strict)
        if self.is_writing(state):
            return read_instruction_reply(
                text, self._tag, strict=strict, together=not self._writes_all_first(state)
            )
        if self.settings.questions:
            return read_executor_reply(
                text, state.board, self.settings.reply, self.settings.base, self._tag, strict=strict
            )
        return read_paint_reply(text, state.board, self.settings.reply, self.settings.base, strict=strict)

    def write(self, moves: Sequence[HexagonsMove]) -> str:
        return write_hexagons_reply(moves, self.settings.base, self._tag)

    def play(self, state: State, role: Role, move: HexagonsMove) -> State:
        if role != self.turn(state):
            asks = isinstance(move, Say) and role == EXECUTOR
            raise Illegal("ask before the step ends" if asks else "it is not your turn")
        if state.asked:
            return self._answer_question(state, move)
        return self._add_instruction(state, move) if self.is_writing(state) else self._carry_out(state, move)

    def _add_instruction(self, state: State, move: HexagonsMove) -> State:
        if isinstance(move, InstructionsDone):
            return replace(state, finished=True)
        if isinstance(move, Undo):
            return self._take_back(state)
        if not isinstance(move, Say):
            raise Illegal("give an instruction, take back the last one, or say that all is done")
        if not is_instruction_reply(move.text, self._tag, several=not self._writes_all_first(state)):
            raise Illegal("an instruction is a line of text, and neither DONE nor UNDO")
        new = tuple(move.text.split("\n"))
        limit, spent = self.instruction_limit(state), state.spent + len(new)
        if spent > limit:
            raise Illegal(f"there may be {limit} instructions in all: {limit - state.spent} are left")
        return self._with_start_board(
            replace(state, said=state.said + new, spent=spent, finished=spent == limit)
        )

    def _take_back(self, state: State) -> State:
        if self.play_mode(state.image) == "execute":
            raise Illegal("a recorded procedure is executed as it is: nothing can be taken back")
        if not state.said:
            raise Illegal("there is no instruction to take back")
        if len(state.done) < len(state.said):  # written but not carried out yet
            return replace(state, said=state.said[:-1])
        before = state.done[-1].before
        said = state.said[:-1]
        talk = tuple(one for one in state.talk if one.step < len(said))
        return replace(state, said=said, board=before, before=before, done=state.done[:-1], talk=talk)

    def _ask_question(self, state: State, text: str) -> State:
        step, most = len(state.done), self.settings.questions
        if not most:
            raise Illegal("paint tiles, or ask for the next step")
        if sum(one.step == step for one in state.talk) == most:
            raise Illegal(f"you asked {most} question{'s' * (most > 1)} about this step: paint it as you can")
        if not is_instruction_reply(text, self._tag, several=False):
            raise Illegal("a question is a line of text")
        return replace(state, talk=(*state.talk, StepQuestion(step, text)))

    def _answer_question(self, state: State, move: HexagonsMove) -> State:
        if not isinstance(move, Say) or not is_instruction_reply(move.text, self._tag, several=False):
            raise Illegal("your partner asked a question: answer it in one line")
        return replace(state, talk=(*state.talk[:-1], replace(state.talk[-1], answer=move.text)))

    def _carry_out(self, state: State, move: HexagonsMove) -> State:
        if isinstance(move, PaintTile):
            if len(state.painted) == MOST_PAINTS:
                raise Illegal(f"{MOST_PAINTS} tiles were painted in this step: ask for the next one")
            board = state.board.paint_tile((move.row, move.column), move.colour)
            return replace(state, board=board, painted=(*state.painted, move))
        if isinstance(move, Say):
            return self._ask_question(state, move.text)
        if not isinstance(move, Next):
            raise Illegal("paint tiles, or ask for the next step")
        drawn = ExecutedStep(state.before, state.painted, state.board)
        return self._with_start_board(
            replace(state, before=state.board, painted=(), done=(*state.done, drawn))
        )

    def _with_start_board(self, state: State) -> State:
        """Set the board from which the next step starts."""
        number = len(state.done)
        if (
            self.settings.context.startswith("oracle")
            and number < self.steps_to_do(state)
            and number < len(state.image.steps)
        ):
            gold, _ = state.image.gold_boards(number)
            return replace(state, board=gold, before=gold)
        return state

    def result(self, state: State) -> Result | None:
        if self.turn(state):
            return None
        mode = self.play_mode(state.image)
        if mode == "describe":
            return Result(float(bool(state.said)))
        if mode == "execute" and not self.settings.whole:
            steps = score_image_steps(state.image, painted_actions(state))
            return Result(sum(step.f1 for step in steps) / len(steps))
        return Result(board_scores(state.image.target, state.board).f1)


def painted_actions(state: State) -> list[list[tuple[int, int, int | str]]]:
    """Return what was painted in each step."""
    return [[(paint.row, paint.column, paint.colour) for paint in step.paints] for step in state.done]


def hide(image: HexagonsImage, role: Role, rng: Random) -> HexagonsImage | None:
    """Return another image with other words for the executor. The boards between the steps stay, because
    oracle contexts show them one at a time. The instructor may know everything."""
    if role == INSTRUCTOR:
        return None
    other = different_image_board(image.target, rng.randrange(7))
    steps = tuple(replace(step, text=f"{rng.random()}", level=rng.randrange(9)) for step in image.steps)
    if steps:
        steps = (*steps[:-1], replace(steps[-1], board=other))
    secret = f"{rng.random()}"
    return replace(
        image,
        target=other,
        steps=steps,
        image=secret,
        category=secret,
        program=secret,
        level=None,
        facts=None,
    )
