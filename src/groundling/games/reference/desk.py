"""The reference game in the browser, for each seat."""

from __future__ import annotations

from groundling.boards.letter_grid import EMPTY, Grid
from groundling.boards.picture import add_description
from groundling.core.desk import Box, Choice, Desk, GameComparison, Line, Panel
from groundling.games.reference.draw import draw_grid_marks, draw_lineup_svg, draw_lineup_text
from groundling.games.reference.labels import LABELS
from groundling.games.reference.rules import (
    FOLLOWER,
    GIVER,
    GiverView,
    Lineup,
    Pick,
    ReferenceGame,
    ReferenceView,
    State,
)

HELP = {
    GIVER: (
        "You and your partner see the same grids of letters, but maybe in a different order.",
        "One of them is marked. Describe it so that your partner can find it: what is where, and how it "
        "differs from the others.",
        "You have one message. The game ends when your partner has picked a grid.",
    ),
    FOLLOWER: (
        "You and your partner see the same grids of letters, but maybe in a different order.",
        "Your partner describes one of them. Select that grid with a click, or with the arrow keys.",
        "Then confirm it with the button below the grids. You have one choice.",
    ),
}


def make_reference_desk(view: ReferenceView, active: bool) -> Desk:
    marks, marked = draw_grid_marks(view)
    panels = (
        Panel(
            "work",
            "The grids",
            add_description(draw_lineup_svg(view.grids, marks, marked), draw_lineup_text(view.grids, marks)),
        ),
    )
    if isinstance(view, GiverView):
        talk = () if view.said is None else (Line("me", view.said),)
        now = (
            "Describe the marked grid."
            if active
            else "Your partner is choosing."
            if talk
            else "The game begins."
        )
        return Desk(now, panels, talk, say=Box("Which grid is it?") if active else None)
    talk = () if view.expression is None else (Line("partner", view.expression),)
    now = "Pick the grid that was described." if active else "Your partner is thinking about what to say."
    choices = [
        Choice(f"choice-{n}", _choice_label(n, grid), (Pick(n),), f"Pick the {LABELS[n - 1]} grid")
        for n, grid in enumerate(view.grids, 1)
    ]
    return Desk(now, panels, talk, choices=tuple(choices) if active else ())


def compare_reference(game: ReferenceGame, state: State) -> GameComparison:
    lineup = state.lineup
    meant = _grid_panel("meant", "What was meant", lineup, lineup.answer)
    if state.picked is None:
        return GameComparison("No grid was picked.", (meant,))
    right = state.picked == lineup.answer
    picked = _grid_panel("picked", "What was picked", lineup, state.picked)
    sentence = "The right grid was picked." if right else "Another grid was picked."
    return GameComparison(sentence, (meant, picked))


def _grid_panel(name: str, title: str, lineup: Lineup, place: int) -> Panel:
    """Show the grid at that place of the follower."""
    grid = lineup.grids[lineup.follower[place - 1]]
    svg = draw_lineup_svg((grid,), [LABELS[place - 1].capitalize()], None)
    return Panel(name, title, add_description(svg, grid.text()))


def _choice_label(place: int, grid: Grid) -> str:
    rows = grid.text().replace(EMPTY, "empty").splitlines()
    return f"{LABELS[place - 1].capitalize()} grid, row by row: {'; '.join(rows)}"
