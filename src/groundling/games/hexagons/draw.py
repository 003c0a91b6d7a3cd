"""The view of each seat, as text and as a picture."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from groundling.boards.hexes import COLOURS, COLUMNS, ROWS, Board, board_picture_size
from groundling.boards.picture import replace_unprintable, svg_document, text_at, wrap_text
from groundling.core.drawing import Drawing
from groundling.core.prompt_hints import PromptHints
from groundling.games.hexagons.moves import ExecutorView, HexagonsView, InstructorView, StepQuestion
from groundling.games.hexagons.replies import DONE, NOTHING, UNDO, choose_reply_tag

SIDE = 16
EDGE, TOP, _LINE, _WIDTH, _BOLD_WIDTH = 20, 40, 20, 62, 54
"""Margin, height of a heading and of a line of text, characters of a line below a board, also in bold."""
UNSEEN = (
    f"The board, which is not shown, has {ROWS} rows and {COLUMNS} columns of hexagonal tiles with flat "
    f"tops; even columns sit half a tile lower than odd ones. Colours are {', '.join(COLOURS)}."
)


def draw(view: HexagonsView) -> Drawing:
    """Draw a view with all that a reply may depend on, and nothing of earlier turns that settings hide."""
    return _draw_executor(view) if isinstance(view, ExecutorView) else _draw_instructor(view)


def _draw_executor(view: ExecutorView) -> Drawing:
    seen = len(view.earlier_instructions)
    lines = []
    for number, text in enumerate(view.told):
        lines.append((f"→ {text}" if number >= seen else f"- {text}", number >= seen))
        lines += _talk_lines(view.talk, number, "You asked", "Answer")
    if view.questions:
        how = f'reply with one line, "{choose_reply_tag(view.questions)} <your question>"'
        more = f"{view.questions} question{'s' * (view.questions > 1)}"
        lines.append((f"In place of painting you may still ask {more} about it: {how}.", False))
    return _make_drawing({"Your board": view.board} if view.board else {}, lines)


def _draw_instructor(view: InstructorView) -> Drawing:
    boards = {"Target": view.target}
    if view.board:
        boards["Your board" if view.due else "Your partner's board"] = view.board
    lines = []
    for number, text in enumerate(view.said, 1):
        lines.append((f"{'→ ' if number == view.due else ''}{number}. {text}", number == view.due))
        lines += _talk_lines(view.talk, number - 1, "Your partner asked", "You answered")
    if view.asked:
        how = f'in one line, "{choose_reply_tag(view.questions)} <your answer>"'
        lines.append((f"Answer the question about instruction {view.asked.step + 1} {how}.", True))
    drawing = _make_drawing(boards, lines)
    return replace(
        drawing,
        board=drawing.board if view.board else f"{drawing.board}\n\nYou do not see your partner's board.",
        words=f"Your instructions{'' if view.due else ' so far'}:\n{drawing.words}" if lines else "",
    )


def _talk_lines(
    talk: tuple[StepQuestion, ...], step: int, asked: str, answered: str
) -> list[tuple[str, bool]]:
    """The questions about one instruction."""
    lines = []
    for one in talk:
        if one.step == step:
            lines.append((f"  {asked}: {one.question}", False))
            lines += [(f"  {answered}: {one.answer}", False)] if one.answer else []
    return lines


def prompt_hints(view: HexagonsView) -> PromptHints:
    if isinstance(view, ExecutorView) or view.due:
        return PromptHints(view.reply, _prompt_terms(view.reply, view.base), alone=True)
    if view.asked:
        return PromptHints("answer", alone=True)  # the view says how to answer
    terms = {"tag": choose_reply_tag(view.questions), "done": DONE, "undo": UNDO, "left": str(view.left)}
    return PromptHints("procedure" if view.whole else "step", terms, alone=True)


def _prompt_terms(reply: str, base: int) -> dict[str, str]:
    """Return the values for a prompt that explains how to carry out a step."""
    if reply == "program":
        from groundling.games.hexagons.program import former_language_reference, language_reference

        former = former_language_reference()  # former prompts have {reference}
        return {"language": language_reference(), "reference": former, "none": NOTHING}
    return {
        "first": str(base),
        "last_row": str(ROWS - 1 + base),
        "last_column": str(COLUMNS - 1 + base),
        "colours": ", ".join(COLOURS),
        "none": NOTHING,
    }


def _make_drawing(boards: dict[str, Board], lines: list[tuple[str, bool]]) -> Drawing:
    shown = [
        f"{title}\n{board.text(note=number == len(boards))}"
        for number, (title, board) in enumerate(boards.items(), 1)
    ]
    words = "\n".join(replace_unprintable(line) for line, _ in lines)
    return Drawing("\n\n".join(shown) or UNSEEN, partial(_boards_svg, boards, lines), words)


def _boards_svg(boards: dict[str, Board], lines: list[tuple[str, bool]]) -> str:
    """Return the boards side by side with the instructions below them. The first is the same for all."""
    wide, high = board_picture_size(SIDE, numbers=True)
    body = (
        []
        if boards
        else [text_at(f"{ROWS} rows, {COLUMNS} columns; the board is not shown", EDGE, TOP - 12, 16)]
    )
    for number, (title, board) in enumerate(boards.items()):
        left = EDGE + number * (wide + EDGE)
        body.append(text_at(title, left, TOP - 12, 16))
        body.append(board.svg("other" if number else "board", left, TOP, SIDE, numbers=True))
    columns = max(1, len(boards))
    top = TOP + (high if boards else 0) + _LINE
    rows = [
        (row, bold)
        for text, bold in lines
        for row in wrap_text(replace_unprintable(text), (_BOLD_WIDTH if bold else _WIDTH) * columns)
    ]
    said = (
        text_at(row, EDGE, top + _LINE * (number + 0.7), 14, weight="bold" if bold else "normal")
        for number, (row, bold) in enumerate(rows)
    )
    body.append(f'<g id="said">{"".join(said)}</g>')
    title = f"{', '.join(boards) or 'no board'}; {len(lines)} instructions"
    return svg_document(columns * (wide + EDGE) + EDGE, top + _LINE * (len(rows) + 1), "".join(body), title)
