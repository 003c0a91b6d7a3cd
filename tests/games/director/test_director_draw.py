import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Literal

import numpy as np
import pytest
from msgspec import structs
from tests.pixels import pixels

from groundling.boards.picture import render_png
from groundling.boards.shelf import Item, Shelf, Side
from groundling.boards.things import Look
from groundling.core.values import Say
from groundling.games.director.draw import draw, draw_shelf_document
from groundling.games.director.item_sheet import our_item_sheet
from groundling.games.director.items import load_items
from groundling.games.director.make import make
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.request import Request
from groundling.games.director.rules import (
    DIRECTOR,
    PARTICIPANT,
    DirectorGame,
    DirectorSettings,
    Pick,
    Sample,
)
from groundling.games.director.sheet_edits import encode_edited_sheet
from groundling.games.director.shelf_picture import (
    shelf_picture_cell_share,
    shelf_picture_look,
    shelf_picture_svg,
)

OURS = load_items()
SIDES: tuple[Side, ...] = ("participant", "director")


def filled(columns: int, rows: int, seed: int = 0) -> Shelf:
    rng = Random(seed)
    cells = Shelf(columns, rows).cells
    things = [*OURS.shelf_items.values()]
    items = {cell: rng.choice(things) for cell in rng.sample(cells, len(cells) // 2 + 1)}
    return Shelf(columns, rows, items, frozenset(rng.sample(cells, len(cells) // 3)))


def texts(svg: str) -> list[tuple[float, float, float, str]]:
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"[^>]*>([^<]*)</text>', svg)
    return [(float(x), float(y), float(size), text) for x, y, size, text in found]


@pytest.mark.parametrize(("columns", "rows"), [(2, 2), (2, 8), (5, 3), (8, 2), (8, 8)])
@pytest.mark.parametrize("side", SIDES)
def test_labels_are_whole_and_can_be_read_when_the_picture_is_400_pixels_wide(
    columns: int, rows: int, side: Side
) -> None:
    width, height, body = shelf_picture_svg(Shelf(columns, rows), side)
    labels = texts(body)
    letters = "ABCDEFGH"[:columns] if side == "participant" else "ABCDEFGH"[:columns][::-1]
    assert [text for *_, text in labels] == [*letters, *map(str, range(1, rows + 1))]
    for x, y, size, _ in labels:
        assert size / 2 <= x <= width - size / 2
        assert size <= y <= height
        assert size * 400 / width >= 12


def test_the_cells_of_the_largest_shelf_can_still_be_seen_into() -> None:
    width, height, body = shelf_picture_svg(Shelf(26, 99))
    (cell,) = re.findall(r'id="cell-Z99".*?<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', body)
    x, y, wide = map(float, cell)
    assert wide >= 30
    assert x + wide < width
    assert y + wide < height


def test_labels_lie_over_the_frame_and_nothing_covers_them() -> None:
    with_labels, without = (
        pixels(render_png(draw_shelf_document(filled(8, 8), labels=labels), 1)).astype(int)
        for labels in (True, False)
    )
    differing = np.abs(with_labels - without).sum(axis=2) > 60
    assert differing.sum() > 16 * 12
    rows, columns = np.nonzero(differing)
    assert columns.min() > 10
    assert columns.max() < with_labels.shape[1] - 10
    assert rows.max() < with_labels.shape[0] - 10


def order(svg: str) -> list[str]:
    return re.findall(r'data-cell="(\w+)"', svg)


def test_the_director_sees_the_shelf_the_other_way_round() -> None:
    shelf = filled(5, 3)
    assert order(shelf_picture_svg(shelf)[2]) == [*shelf.cells]
    assert order(shelf_picture_svg(shelf, "director")[2]) == [*shelf.from_left("director")]


def test_what_is_hidden_cannot_be_told_from_the_directors_picture() -> None:
    shelf = filled(4, 4)
    other = shelf
    for cell in shelf.hidden:
        other = other.put(cell, OURS.shelf_items["large red bucket"])
    assert (
        draw_shelf_document(shelf, "director")
        == draw_shelf_document(other, "director")
        == draw_shelf_document(shelf.as_seen("director"), "director")
    )
    assert draw_shelf_document(shelf) != draw_shelf_document(other)


def test_a_panel_is_seen_from_both_sides() -> None:
    bare, closed = Shelf(3, 3), Shelf(3, 3, {}, frozenset({"A1"}))
    sides: tuple[tuple[Literal["participant", "director"], int], ...] = (("participant", 0), ("director", 2))
    for side, column in sides:
        without, with_panel = (
            pixels(render_png(draw_shelf_document(shelf, side), 1)) for shelf in (bare, closed)
        )
        rows, columns = np.nonzero(np.abs(without.astype(int) - with_panel).sum(axis=2) > 60)
        cell = without.shape[1] / 3.4
        assert (rows.max() - rows.min()) > 0.8 * cell
        assert columns.min() // cell == column


def test_larger_things_are_drawn_larger() -> None:
    for largest in (4, 5, 9):
        shares = [shelf_picture_cell_share(size, largest) for size in range(largest + 1)]
        assert shares == sorted(set(shares))
        assert shares[-1] < 1
    sizes = []
    for name in ("small red book", "medium red book", "large red book"):
        alone, book = (
            pixels(render_png(draw_shelf_document(shelf), 1)).astype(int)
            for shelf in (Shelf(2, 2), Shelf(2, 2, {"A1": OURS.shelf_items[name]}))
        )
        rows, _ = np.nonzero(np.abs(alone - book).sum(axis=2) > 60)
        sizes.append(rows.max() - rows.min())
    assert sizes[0] * 1.2 < sizes[1]
    assert sizes[1] * 1.2 < sizes[2]


def test_nobody_is_behind_the_shelf_of_an_inventory() -> None:
    assert 'id="director"' in draw_shelf_document(Shelf(2, 2))
    assert 'id="participant"' in draw_shelf_document(Shelf(2, 2), "director")
    assert 'id="director"' not in draw_shelf_document(Shelf(2, 2), other=False)


def test_things_look_as_they_are_told_or_named() -> None:
    def item(name: str) -> Item:
        return Item(name, frozenset(), 2)

    assert shelf_picture_look(item("red guitar")) == Look("guitar", "red")
    assert shelf_picture_look(item("red guitar"), {"red guitar": Look("drum", "blue")}) == Look(
        "drum", "blue"
    )
    assert shelf_picture_look(item("green_book_small")) == Look("book", "green")
    assert shelf_picture_look(item("harp")) is None


def test_what_nobody_has_drawn_is_a_card_with_its_name() -> None:
    svg = draw_shelf_document(Shelf(2, 2, {"A1": Item("blue <diamond>", frozenset(), 3)}))
    assert "blue" in [text for *_, text in texts(svg)]
    assert "&lt;diamond&gt;" in svg
    render_png(svg)
    for name in (" ", "\n", "an uncommonly long name that no card could ever hold " * 3):
        render_png(draw_shelf_document(Shelf(2, 2, {"A1": Item(name, frozenset(), 0)})))


def test_cards_can_be_read_and_other_things_keep_in_proportion_to_them() -> None:
    def scales(*names: str) -> list[float]:
        items = {cell: Item(name, frozenset(), 1) for cell, name in zip(("A1", "B1"), names, strict=True)}
        return [
            float(scale)
            for scale in re.findall(
                r" scale\(([\d.]+)\)\">", draw_shelf_document(Shelf(4, 4, items), other=False)
            )
        ]

    with_card, without = scales("red guitar", "harp"), scales("red guitar", "blue guitar")
    assert with_card[0] == with_card[1] > without[0] == without[1]
    size = next(
        size
        for *_, size, text in texts(draw_shelf_document(Shelf(4, 4, {"A1": Item("harp", frozenset(), 1)})))
        if text == "harp"
    )
    assert size * with_card[0] > 9


def test_what_was_said_stands_below_and_widens_a_narrow_shelf() -> None:
    said = "The director says: Please pick the largest thing that holds water, from my point of view."
    svg, (_, below, _) = draw_shelf_document(Shelf(2, 8), said=[said]), shelf_picture_svg(Shelf(2, 8))
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])  # type: ignore[index]
    lines = [text for _, y, _, text in texts(svg) if y > below]
    assert " ".join(lines) == said
    assert width >= 300


def sample(looks: Mapping[str, Look] = {}) -> Sample:
    books = {
        cell: OURS.shelf_items[name] for cell, name in (("A1", "small red book"), ("B2", "large red book"))
    }
    shelf = Shelf(2, 2, books, frozenset({"B2"}))
    request = Request(frozenset({"book"}), "largest")
    return Sample(
        id="s", shelf=shelf, request=request, words="the largest book", plain="the largest book", target="A1",
        kind="test", rule="size_related", rivals=("B2",), looks=looks,
    )  # fmt: skip


def test_each_seat_is_shown_its_own_side_and_what_was_said() -> None:
    game = DirectorGame(DirectorSettings(mode="two-player"))
    state = game.play(game.start(sample()), DIRECTOR, Say("the <largest> book"))
    mine, theirs = (draw(game.view(state, role)) for role in (DIRECTOR, PARTICIPANT))
    assert re.search(r"\| small red book +\| \d +← the target$", mine.board, re.MULTILINE)
    assert "A1" not in mine.board
    assert ">A<" not in mine.svg
    assert mine.words == "You said: the <largest> book"
    assert "target" not in theirs.board
    assert theirs.words == "The director says: the <largest> book"
    assert "&lt;largest&gt;" in theirs.svg
    assert "picked" in draw(game.view(game.play(state, PARTICIPANT, Pick("B2")), PARTICIPANT)).board


def test_a_seat_learns_what_things_look_like_only_of_those_that_it_sees() -> None:
    game = DirectorGame(DirectorSettings(mode="two-player"))
    state = game.start(
        sample({"large red book": Look("bell", "pink"), "small red book": Look("drum", "blue")})
    )
    assert set(game.view(state, DIRECTOR).looks) == {"small red book"}
    assert set(game.view(state, PARTICIPANT).looks) == {"small red book", "large red book"}
    assert draw(game.view(state, PARTICIPANT)).svg != draw(game.view(game.start(sample()), PARTICIPANT)).svg


def test_items_of_ones_own_are_drawn_in_samples_made_of_them(tmp_path: Path) -> None:
    ours = our_item_sheet()
    (tmp_path / "own.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    own = [structs.replace(entry, drawing="", picture="own.svg") for entry in ours.items]
    (tmp_path / "mine.json").write_bytes(
        encode_edited_sheet(structs.replace(ours, items=tuple(own)), tmp_path)
    )
    (made, *_) = make(SampleRecipe(n=4, items=str(tmp_path / "mine.json")))
    assert set(made.looks) == {item.name for item in made.shelf.items.values()}
    game = DirectorGame(DirectorSettings())
    assert draw(game.view(game.start(made), PARTICIPANT)).svg.count("data:image/svg+xml") == len(
        made.shelf.items
    )
