"""The director task in the browser, for each seat."""

from __future__ import annotations

from collections.abc import Collection

from groundling.boards.picture import add_description
from groundling.boards.shelf import Shelf
from groundling.core.desk import Box, Choice, Desk, GameComparison, Line, Panel
from groundling.core.values import Role
from groundling.games.director.draw import draw_shelf_document
from groundling.games.director.rules import (
    DIRECTOR,
    PARTICIPANT,
    AnyView,
    DirectorGame,
    DirectorView,
    ParticipantView,
    Pick,
    Sample,
    State,
    Utterance,
)

_HOW = "with a click, or with the arrow keys"
_CONFIRMING = "Then confirm it with the button below the shelf. You have one choice."
_PICKING = (f"Select the item that the director means {_HOW}.", _CONFIRMING)
HELP = {
    DIRECTOR: (
        "A shelf stands between you and your partner. You stand behind it, and some cells are closed on your "
        "side: you cannot see what is in them, but your partner can.",
        "One item is framed. Ask for it in words, so that your partner picks it. Your left is your "
        "partner's right; above and below are the same for both.",
        "Your partner may ask questions. The game ends when they have picked an item.",
    ),
    PARTICIPANT: (
        "A shelf stands between you and your partner, the director, who stands behind it. You see into all "
        "cells; the director cannot see into those with a grey back.",
        *_PICKING,
    ),
}
_ALONE = {
    "classic": (
        "A shelf stands between you and a director. You see into all cells; the director cannot see into "
        "those with a grey back.",
        *_PICKING,
    ),
    "inventory": (
        "You see a shelf of items and a question about one of them.",
        f"Select that item {_HOW}.",
        _CONFIRMING,
    ),
}


def director_help(game: DirectorGame, sample: Sample, role: Role) -> tuple[str, ...]:
    return _ALONE.get(game.settings.mode, HELP[role])


def make_director_desk(view: AnyView, active: bool) -> Desk:
    return _director_desk(view, active) if isinstance(view, DirectorView) else _participant_desk(view, active)


def _director_desk(view: DirectorView, active: bool) -> Desk:
    """Show no cell names: saying one would make the task trivial."""
    svg = draw_shelf_document(view.shelf, "director", looks=view.looks, marked=(view.target,), labels=False)
    words = view.shelf.text("director", {view.target: "the target"}, labels=False)
    asked = bool(view.said) and view.said[-1].role == PARTICIPANT
    box = Box("Your answer" if asked else "What do you want?")
    now = (
        ("Answer your partner's question." if asked else "Ask for the framed item.")
        if active
        else "Your partner is looking."
    )
    panels = (Panel("work", "The shelf from behind", add_description(svg, words)),)
    return Desk(now, panels, _talk_lines(view.said, DIRECTOR), say=box if active else None)


def _participant_desk(view: ParticipantView, active: bool) -> Desk:
    marks = {view.picked: "picked"} if view.picked else {}
    svg = draw_shelf_document(view.shelf, looks=view.looks, marked=marks, other=not view.alone)
    panels = (Panel("work", "The shelf from the front", add_description(svg, view.shelf.text(marks=marks))),)
    talk = _talk_lines(view.said, PARTICIPANT)
    if not active:
        return Desk("The director is thinking about what to say.", panels, talk)
    left = "one question" if view.questions == 1 else f"{view.questions} questions"
    return Desk(
        "Pick what the question asks for."
        if view.alone
        else f"Pick what the director means{', or ask a question' if view.questions else ''}.",
        panels,
        talk,
        say=Box(f"Not sure? You can ask {left}", "Ask") if view.questions else None,
        choices=tuple(
            Choice(
                f"cell-{cell}",
                _cell_label(view.shelf, cell, alone=view.alone),
                (Pick(cell),),
                f"Pick the {view.shelf.items[cell].name} in {cell}",
            )
            for cell in view.shelf.cells
            if cell in view.shelf.items
        ),
    )


def compare_director(game: DirectorGame, state: State) -> GameComparison:
    right = game.right_cells(state.sample)
    meant = _marked_shelf_panel("meant", "What was meant", state.sample, right)
    if state.picked is None:
        return GameComparison("No item was picked.", (meant,))
    picked = _marked_shelf_panel("picked", "What was picked", state.sample, (state.picked,))
    sentence = "The right item was picked." if state.picked in right else "Another item was picked."
    return GameComparison(sentence, (meant, picked))


def _marked_shelf_panel(name: str, title: str, sample: Sample, cells: Collection[str]) -> Panel:
    svg = draw_shelf_document(sample.shelf, looks=sample.looks, marked=cells)
    return Panel(name, title, add_description(svg, sample.shelf.text(marks=dict.fromkeys(cells, name))))


def _cell_label(shelf: Shelf, cell: str, *, alone: bool) -> str:
    item = shelf.items[cell]
    closed = ", closed to the director" if cell in shelf.hidden and not alone else ""
    return f"{cell}, {item.name}, size {item.size}{closed}"


def _talk_lines(said: tuple[Utterance, ...], mine: Role) -> tuple[Line, ...]:
    return tuple(
        Line("me" if line.role == mine else "partner" if line.role else "", line.text) for line in said
    )
