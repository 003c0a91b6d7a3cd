"""The image game in the browser, for each seat."""

from __future__ import annotations

from groundling.boards.letter_grid import Grid
from groundling.boards.picture import add_description, svg_document
from groundling.core.desk import Box, Button, Desk, GameComparison, Line, Panel, describe_share_right
from groundling.games.image.rules import (
    FOLLOWER,
    GIVER,
    Done,
    FollowerView,
    GiverView,
    ImageGame,
    ImageView,
    State,
)

HELP = {
    GIVER: (
        "You see a grid with letters in it. Your partner has an empty grid and draws what you say.",
        "Give one instruction at a time: which letter goes where. You cannot see what your partner draws.",
        "Fewer and shorter instructions are better, as long as the grids are the same in the end. Finish "
        "when you have described everything.",
    ),
    FOLLOWER: (
        "Your partner sees a grid with letters in it. You have an empty one and draw what your partner says.",
        "Choose a letter and click the cells, or drag over them; another click empties a cell. With the "
        "keyboard: arrows move, a letter fills, Backspace empties.",
        "When you have drawn the instruction, press the button below the grid. You cannot ask questions.",
    ),
}
_CELL, _EDGE = 40, 16


def make_image_desk(view: ImageView, active: bool) -> Desk:
    return _giver_desk(view, active) if isinstance(view, GiverView) else _follower_desk(view, active)


def _giver_desk(view: GiverView, active: bool) -> Desk:
    said = len(view.said)
    count = f"Instruction {said + 1} of at most {view.turns}."
    end = "Have you described everything? The game ends with the current drawing."
    return Desk(
        f"{count} What should your partner draw next?" if active else "Your partner is drawing.",
        (Panel("work", "The target", _grid_svg(view.target)),),
        tuple(Line("me", text) for text in view.said),
        steps=True,
        say=Box("Your next instruction") if active else None,
        buttons=(Button("Finish", (Done(),), end),) if active else (),
    )


def _follower_desk(view: FollowerView, active: bool) -> Desk:
    told = len(view.told)
    grid = view.canvas or Grid.empty(view.size)
    if active:
        now = f"Draw what instruction {told} says."
        if view.canvas is None:
            now += " What you drew before is hidden: draw all of it again."
    else:
        now = "Your partner is thinking about what to say."
    return Desk(
        now,
        (Panel("work", "The grid", _grid_svg(grid)),),
        tuple(Line("partner", text, active and number == told) for number, text in enumerate(view.told, 1)),
        steps=True,
        tool="letters",
        facts={"cells": grid.cells, "turn": told, "left": _EDGE, "top": _EDGE, "cell": _CELL},
    )


def compare_image(game: ImageGame, state: State) -> GameComparison:
    right = state.target.count_matching(state.canvas)
    sentence = describe_share_right(
        right, state.target.filled_count, "letter", state.canvas.filled_count - right
    )
    grids = ("meant", "What was meant", state.target), ("drawn", "What was drawn", state.canvas)
    return GameComparison(sentence, tuple(Panel(name, title, _grid_svg(grid)) for name, title, grid in grids))


def _grid_svg(grid: Grid) -> str:
    side = grid.size * _CELL + 2 * _EDGE
    picture = svg_document(
        side, side, grid.svg("canvas", _EDGE, _EDGE, _CELL), f"A grid of {grid.size} by {grid.size} cells"
    )
    return add_description(picture, grid.text())
