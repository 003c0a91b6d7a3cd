"""The pages of a seat in the browser: the Description screen of the instructor and the Execution screen of
the executor."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from groundling.boards.hexes import COLOURS, LETTERS, Board, board_picture_size
from groundling.boards.hexes.board_picture import BLANK, EDGES, FILLS, INKS
from groundling.boards.picture import add_description, svg_document
from groundling.core.desk import Box, Button, Desk, GameComparison, Line, Panel, describe_share_right
from groundling.core.values import Role
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import (
    ExecutorView,
    HexagonsView,
    InstructionsDone,
    InstructorView,
    Next,
    Undo,
)
from groundling.games.hexagons.rules import EXECUTOR, HexagonsGame, State

SIDE, EDGE = 20, 10
"""Side of a tile, and margin around the board."""
FEW = 20
"""The page shows the number of instructions left when it is at most this."""
PALETTE = [
    {
        "name": name,
        "letter": LETTERS[number] if number else BLANK,
        "fill": FILLS[number],
        "ink": INKS[number],
        "edge": EDGES[number],
    }
    for number, name in enumerate(COLOURS)
]

_TURNS = "Your partner paints each step before you write the next one. You can take back the last step."
_TOGETHER = "Your partner then sees all steps together."
_LINES = "Every line is a step: a line break begins a new one. You can change everything until you finish."
_FINISH = "When you have described everything, finish."
_BRIEF = "Write efficiently."
"""All that an instructor may be told about the manner of writing: how people describe an image is what the
game is about."""
_ALL_DESCRIBED = "Is the whole image described? You cannot add anything afterwards."
_PAINTING = (
    "Choose a colour, then click the tiles or drag over them. White erases. When the marked step is done, go "
    "to the next."
)
_PAINTING_ALL = "Choose a colour, then click the tiles or drag over them. White erases."
_ASKING = "If a step is not clear, you can ask your partner about it before you paint it."
_ANSWERING = "Your partner may ask about a step; then you answer before it is painted."
_KEYS = (
    "With the keyboard: arrows move over the board, Enter or the space bar paints, 1 to 8 or a colour's "
    "letter choose the colour, Ctrl+Z undoes the last stroke."
)


def hexagons_help(game: HexagonsGame, image: HexagonsImage, role: Role) -> tuple[str, ...]:
    mode, whole = game.play_mode(image), game.settings.whole
    if role == EXECUTOR:
        source = (
            "You get instructions for painting an image on a board of hexagons. You do not see the image. "
            "Carry them out as accurately as you can."
            if mode == "execute"
            else "Your partner sees an image on a board of hexagons and tells you step by step how to paint "
            "it on yours."
        )
        asking = (_ASKING,) if game.settings.questions else ()
        return source, _PAINTING_ALL if whole else _PAINTING, *asking, _KEYS
    if mode == "live":
        return (
            "You see an image on a board of hexagons. Your partner has a blank board and cannot see your "
            "image.",
            f"Say step by step what to paint and where. {_BRIEF}",
            f"{f'{_LINES} {_TOGETHER}' if whole else _TURNS} {_FINISH}",
            *((_ANSWERING,) if game.settings.questions else ()),
        )
    seen = "You see an image on a board of hexagons."
    written = (
        "Write down step by step how to paint it on a blank board, for readers who cannot see the image. "
        + _BRIEF
    )
    added = f"{_LINES} {_FINISH}"
    if mode == "align":
        own = "Then you get a blank board and your own steps, one by one: paint each just as you meant it."
        return f"{seen} {written}", added, f"{own} {_PAINTING} {_KEYS}"
    return seen, written, added


def make_hexagons_desk(view: HexagonsView, active: bool) -> Desk:
    if isinstance(view, ExecutorView):
        return _execution_desk(view, active)
    return _alignment_desk(view) if view.due else _description_desk(view, active)


def _description_desk(view: InstructorView, active: bool) -> Desk:
    panels = [_target_panel(view.target)]
    if view.board:
        panels.append(_board_panel("partner", "Your partner's board", view.board, live=True))
    buttons: tuple[Button, ...] = ()
    if active and view.said and not view.whole and not view.asked:
        taken_back = (
            "Take back the last step, and with it what your partner painted for it?"
            if view.mode == "live"
            else ""
        )
        undo = (Button("Undo last step", (Undo(),), taken_back),) if view.mode != "execute" else ()
        buttons = (*undo, Button("Finish", (InstructionsDone(),), _ALL_DESCRIBED))
    return Desk(
        _instructor_prompt(view, active),
        tuple(panels),
        tuple(_step_lines(view, [Line("me", text) for text in view.said])),
        steps=True,
        say=_instruction_box(view) if active else None,
        buttons=buttons,
    )


def _instructor_prompt(view: InstructorView, active: bool) -> str:
    if not active:
        return "Your partner is painting." if view.said else "The game begins."
    if view.asked:
        return f"Your partner asks about step {view.asked.step + 1}: answer the question."
    if view.mode in ("describe", "align"):
        return "Write down, step by step, how to paint the target."
    if view.whole:
        return "Write down all steps first; your partner then sees them together."
    return (
        "Describe the next step, or finish."
        if view.said
        else "Describe the first step of painting the target."
    )


def _instruction_box(view: InstructorView) -> Box:
    if view.asked:
        return Box("Your answer", "Answer")
    left = f" ({view.left} left)" if view.left <= FEW else ""
    if view.whole:
        return Box(
            f"Your steps, each on a line of its own{left}",
            "Finish",
            lines=True,
            after=(InstructionsDone(),),
            page=True,
            most_lines=view.left,
            confirm=_ALL_DESCRIBED,
        )
    return Box(f"Step {len(view.said) + 1}{left} (each line is a step)", "Add step", lines=True)


def _alignment_desk(view: InstructorView) -> Desk:
    """The instructor paints its own instructions."""
    assert view.board is not None
    return Desk(
        f"Paint step {view.due} of {len(view.said)} yourself, just as you meant it.",
        (_target_panel(view.target), painting_desk_panel(view.board)),
        tuple(Line("me", text, number == view.due) for number, text in enumerate(view.said, 1)),
        steps=True,
        buttons=(Button("Next step" if view.due < len(view.said) else "Done", (Next(),), main=True),),
        tool="hexes",
        facts={"palette": PALETTE, "step": view.due},
    )


def _execution_desk(view: ExecutorView, active: bool) -> Desk:
    seen = len(view.earlier_instructions)
    if active:
        now = "Paint the marked step, then continue." if view.due == 1 else "Paint all steps."
    else:
        now = f"Wait for the {'next' if view.told else 'first'} step."
    last = Button("Done", (Next(),), "Is everything painted? You cannot change it afterwards.", main=True)
    buttons = (Button("Next step", (Next(),), main=True) if view.due == 1 else last,) if active else ()
    return Desk(
        now,
        (painting_desk_panel(view.board or _painted_board(view)),),
        tuple(
            _step_lines(
                view, [Line("partner", text, number >= seen) for number, text in enumerate(view.told)]
            )
        ),
        steps=True,
        say=Box(f"A question about this step ({view.questions} left)", "Ask")
        if active and view.questions
        else None,
        buttons=buttons,
        tool="hexes",
        facts={"palette": PALETTE, "step": len(view.told)},
    )


def _step_lines(view: HexagonsView, steps: list[Line]) -> Iterator[Line]:
    """The steps, each with the questions about it."""
    asks = isinstance(view, ExecutorView)
    for number, step in enumerate(steps):
        yield step
        for one in view.talk:
            if one.step == number:
                yield Line("me" if asks else "partner", one.question, aside=True)
                if one.answer:
                    yield Line("partner" if asks else "me", one.answer, aside=True)


def _painted_board(view: ExecutorView) -> Board:
    """Return a blank board with what was painted in this step."""
    return Board.empty().with_tiles({(paint.row, paint.column): paint.colour for paint in view.painted})


def compare_hexagons(game: HexagonsGame, state: State) -> GameComparison:
    meant = _board_panel("meant", "What was meant", state.image.target)
    if game.play_mode(state.image) == "describe":
        steps = len(state.said)
        return GameComparison(f"You described it in {steps} step{'s' if steps != 1 else ''}.", (meant,))
    target, painted = state.image.target.painted_tiles(), state.board.painted_tiles()
    right = len(target.items() & painted.items())
    sentence = describe_share_right(right, len(target), "tile", len(painted) - right)
    return GameComparison(sentence, (meant, _board_panel("painted", "What was painted", state.board)))


@lru_cache(128)  # requested again for every tile that the partner paints
def _target_panel(board: Board) -> Panel:
    return _board_panel("target", "Target", board)


def _board_panel(name: str, title: str, board: Board, *, live: bool = False) -> Panel:
    """Return a board to look at, with a listing in words. A board that changes is `live`, because repainting
    nodes is cheaper than adding them."""
    return Panel(
        name,
        title,
        add_description(board_document(title, _tiles_svg(board, name, live=live)), board.to_listing()),
    )


def painting_desk_panel(board: Board) -> Panel:
    """Return the board to paint on. The page labels its tiles one by one."""
    return Panel("work", "Board", board_document("Board", _tiles_svg(board, "board", live=True)))


def _tiles_svg(board: Board, name: str, *, live: bool = False) -> str:
    return board.svg(name, EDGE, EDGE, SIDE, numbers=True, live=live)


def board_document(title: str, body: str) -> str:
    """Return the SVG of a board at its place beside the margin."""
    wide, high = board_picture_size(SIDE, numbers=True)
    return svg_document(round(wide) + 2 * EDGE, round(high) + 2 * EDGE, body, title)
