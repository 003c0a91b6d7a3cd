from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundling.boards.hexes import (
    AXES,
    COLOURS,
    HEADINGS,
    TILES,
    Board,
    Symmetry,
    Tile,
    clip_lattice_tiles,
    from_axial,
    from_cube,
    lattice_disc,
    lattice_distance,
    lattice_line,
    lattice_line_between,
    lattice_ray,
    lattice_rhombus,
    lattice_ring,
    lattice_triangle,
    make_mirror,
    make_rotation,
    make_shift,
    neighbours,
    step_on_lattice,
    to_axial,
    to_cube,
    turn_lattice_heading,
)
from groundling.boards.picture import render_png, svg_document

tiles = st.sampled_from(TILES)
around = st.tuples(st.integers(-9, 20), st.integers(-9, 30))
"""Tiles on the board and outside it."""
headings = st.sampled_from(HEADINGS)
boards = st.text(st.sampled_from("0000001234567"), min_size=180, max_size=180).map(Board)
symmetries = st.builds(
    Symmetry, st.integers(0, 5), st.booleans(), st.tuples(st.integers(-9, 9), st.integers(-9, 9))
)


def test_tiles_have_as_many_neighbours_as_the_published_board() -> None:
    counts = Counter(len(neighbours(*tile)) for tile in TILES)
    assert counts == {6: 128, 5: 16, 4: 16, 3: 18, 2: 2}
    assert sum(count * size for size, count in counts.items()) == 2 * 485


@given(tiles)
def test_neighbours_follow_the_published_rule(tile: Tile) -> None:
    r, c = tile
    near = r - 1 if c % 2 else r + 1
    rule = {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1), (near, c - 1), (near, c + 1)}
    assert neighbours(r, c) == set(clip_lattice_tiles(rule))


@given(tiles, tiles)
def test_neighbours_are_mutual_and_one_step_away(a: Tile, b: Tile) -> None:
    assert (b in neighbours(*a)) == (a in neighbours(*b)) == (lattice_distance(a, b) == 1)


@pytest.mark.parametrize("tile", [(0, 1), (1, 0), (11, 1), (1, 19), (-1, -1)])
def test_a_tile_off_the_board_has_no_neighbours(tile: Tile) -> None:
    with pytest.raises(ValueError, match="off the board"):
        neighbours(*tile)
    with pytest.raises(ValueError, match="off the board"):
        Board.empty().colour_at(tile)
    with pytest.raises(ValueError, match="off the board"):
        Board.empty().paint_tile(tile, "red")


@given(around, around, around)
def test_distance_is_a_metric(a: Tile, b: Tile, c: Tile) -> None:
    assert (lattice_distance(a, b) == 0) == (a == b)
    assert lattice_distance(a, b) == lattice_distance(b, a)
    assert lattice_distance(a, c) <= lattice_distance(a, b) + lattice_distance(b, c)


@given(around)
def test_coordinates_go_there_and_back(tile: Tile) -> None:
    assert from_axial(to_axial(tile)) == from_cube(to_cube(tile)) == tile


def test_cube_coordinates_must_sum_to_nothing() -> None:
    with pytest.raises(ValueError, match="sum to 0"):
        from_cube((1, 1, 1))


@given(around, headings, st.integers(0, 12))
def test_steps_lead_straight_away_and_back(tile: Tile, heading: str, count: int) -> None:
    there = step_on_lattice(tile, heading, count)
    assert lattice_distance(tile, there) == count
    assert step_on_lattice(there, turn_lattice_heading(heading, 3), count) == tile
    assert lattice_line_between(tile, there) == lattice_line(tile, heading, count + 1)


def test_an_unknown_heading_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from up"):
        step_on_lattice((1, 1), "right")


def test_tiles_that_are_not_in_line_have_no_line_between() -> None:
    with pytest.raises(ValueError, match="no straight line"):
        lattice_line_between((1, 1), (1, 3))


@given(tiles, headings)
def test_a_ray_continues_to_the_edge(tile: Tile, heading: str) -> None:
    tiles = lattice_ray(tile, heading)
    assert tiles == clip_lattice_tiles(lattice_line(tile, heading, 20))
    assert step_on_lattice(tiles[-1], heading) not in TILES


@given(around, st.integers(0, 6))
def test_a_ring_is_all_tiles_at_its_distance(centre: Tile, radius: int) -> None:
    tiles = lattice_ring(centre, radius)
    assert len(set(tiles)) == len(tiles) == max(1, 6 * radius)
    assert {lattice_distance(centre, tile) for tile in tiles} == {radius}
    whole = lattice_disc(centre, radius)
    assert len(set(whole)) == len(whole) == 1 + 3 * radius * (radius + 1)


@given(around, headings, st.integers(1, 6))
def test_a_triangle_has_three_straight_sides(corner: Tile, heading: str, side: int) -> None:
    tiles = lattice_triangle(corner, heading, side)
    assert len(set(tiles)) == len(tiles) == side * (side + 1) // 2
    far = (
        step_on_lattice(corner, heading, side - 1),
        step_on_lattice(corner, turn_lattice_heading(heading, 1), side - 1),
    )
    for a, b in ((corner, far[0]), (corner, far[1]), far):
        assert set(lattice_line_between(a, b)) <= set(tiles)


@given(around, headings, st.integers(1, 5), st.integers(1, 5))
def test_a_rhombus_has_four_straight_sides(corner: Tile, heading: str, side: int, other: int) -> None:
    tiles = lattice_rhombus(corner, heading, side, other)
    assert len(set(tiles)) == side * other
    far = step_on_lattice(
        step_on_lattice(corner, heading, side - 1), turn_lattice_heading(heading, 1), other - 1
    )
    assert {corner, far} <= set(tiles)
    assert set(lattice_rhombus(corner, heading, side)) == set(lattice_rhombus(corner, heading, side, side))


@given(around, around)
def test_six_turns_about_a_tile_come_round(centre: Tile, tile: Tile) -> None:
    turn = make_rotation([centre], 1)
    assert turn.order == 6
    assert turn(centre) == centre
    assert lattice_distance(centre, turn(tile)) == lattice_distance(centre, tile)


@given(around, headings, st.integers(0, 6))
def test_a_turn_takes_each_heading_to_the_next(centre: Tile, heading: str, count: int) -> None:
    assert make_rotation([centre], 1)(step_on_lattice(centre, heading, count)) == step_on_lattice(
        centre, turn_lattice_heading(heading, 1), count
    )


@given(around, st.sampled_from(AXES), around)
def test_mirrors_undo_themselves(centre: Tile, axis: str, tile: Tile) -> None:
    flip = make_mirror([centre], axis)
    assert flip.order == 2
    assert flip(flip(tile)) == tile
    assert flip(centre) == centre


@pytest.mark.parametrize(
    ("axis", "up"),
    [
        ("vertical", "up"),
        ("steep-rising", "up-right"),
        ("rising", "down-right"),
        ("horizontal", "down"),
        ("falling", "down-left"),
        ("steep-falling", "up-left"),
    ],
)
def test_mirrors_take_up_where_their_names_say(axis: str, up: str) -> None:
    assert make_mirror([(5, 5)], axis)((4, 5)) == step_on_lattice((5, 5), up)


def test_what_runs_along_an_axis_stays() -> None:
    for axis, heading in (("vertical", "up"), ("rising", "up-right"), ("falling", "down-right")):
        assert all(make_mirror([(5, 9)], axis)(tile) == tile for tile in lattice_line((5, 9), heading, 4))


@given(symmetries, symmetries, around)
def test_symmetries_follow_each_other_and_are_undone(a: Symmetry, b: Symmetry, tile: Tile) -> None:
    assert a.followed_by(b)(tile) == b(a(tile))
    assert a.inverse(a(tile)) == tile


@given(symmetries, around, around)
def test_symmetries_keep_distances(motion: Symmetry, a: Tile, b: Tile) -> None:
    assert lattice_distance(motion(a), motion(b)) == lattice_distance(a, b)


@given(around, around, around)
def test_a_shift_takes_one_tile_to_the_other(a: Tile, b: Tile, tile: Tile) -> None:
    assert make_shift(a, b)(a) == b
    assert make_shift(a, b).order == (1 if a == b else 0)


def test_corners_turn_by_thirds_and_sides_by_halves() -> None:
    corner = [(5, 5), (6, 5), (5, 6)]
    assert make_rotation(corner, 2).order == 3
    assert {make_rotation(corner, 2)(tile) for tile in corner} == set(corner)
    with pytest.raises(ValueError, match="does not take tiles to tiles"):
        make_rotation(corner, 1)
    side = [(5, 5), (6, 5)]
    assert make_rotation(side, 3)((5, 5)) == (6, 5)
    assert make_mirror(side, "horizontal")((5, 5)) == (6, 5)
    with pytest.raises(ValueError, match="does not take tiles to tiles"):
        make_mirror(side, "rising")
    with pytest.raises(ValueError, match="needs a tile"):
        make_rotation([], 1)
    with pytest.raises(ValueError, match="no axis"):
        make_mirror(side, "diagonal")


def test_half_a_turn_takes_the_board_to_itself() -> None:
    turn = make_rotation([(1, 1), (10, 18)], 3)
    assert {turn(tile) for tile in TILES} == set(TILES)


@given(boards)
def test_its_digits_and_its_text_are_read_back(board: Board) -> None:
    assert Board.from_digits(board.to_digits()) == board
    assert Board.from_digits([int(digit) for digit in board.to_digits()]) == board
    assert Board.parse(board.text()) == board
    assert Board.parse(board.text(note=False)) == board
    bare = "\n".join(line[3:].replace(" ", "") for line in board.text(note=False).splitlines()[1:])
    assert Board.parse(bare) == board


@pytest.mark.parametrize(
    ("digits", "complaint"),
    [
        ("0" * 179, "180 digits, not 179"),
        ("0" * 181, "180 digits, not 181"),
        ("0" * 179 + "8", "'8' is no colour"),
        ([0] * 179 + [10], "'10' is no colour"),
        ([0] * 179 + [-1], "'-1' is no colour"),
        ("0" * 179 + "x", "'x' is no colour"),
    ],
)
def test_digits_that_are_no_board_are_refused(digits: str | list[int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Board.from_digits(digits)
    if isinstance(digits, str):
        with pytest.raises(ValueError, match=complaint):
            Board(digits)


def test_text_that_is_no_board_is_refused() -> None:
    text = Board.empty().text()
    for broken in (
        "",
        text.replace("  1  .", "  1  X", 1),
        text + "\n" + text,
        text.replace("\n  3", "\n  4", 1),
    ):
        with pytest.raises(ValueError, match="row"):
            Board.parse(broken)


@given(boards, boards)
def test_changes_make_one_board_the_other(a: Board, b: Board) -> None:
    assert a.with_tiles(a.changes_to(b)) == b
    assert all(a.colour_at(tile) != colour for tile, colour in a.changes_to(b).items())


@given(boards)
def test_what_is_painted_makes_the_board(board: Board) -> None:
    assert Board.from_tiles(board.painted_tiles()) == board
    assert board.painted_count == len(board.painted_tiles())


def test_painting_white_erases_and_unknown_colours_are_refused() -> None:
    board = Board.empty().paint_tile((3, 2), "red")
    assert board.to_digits().index("4") == 2 * 18 + 1
    assert board.colour_at((3, 2)) == "red"
    assert board.paint_tile((3, 2), "white") == Board.empty()
    with pytest.raises(ValueError, match="no colour 'pink'"):
        board.paint_tile((3, 2), "pink")


def test_painted_tiles_are_listed_row_by_row() -> None:
    board = Board.from_tiles(
        {(3, 5): "red", (3, 7): "blue", (3, 8): "blue", (3, 9): "blue", (10, 18): "orange", (3, 6): "green"}
    )
    assert (
        board.to_listing()
        == "row 3: column 5 red, column 6 green, columns 7 to 9 blue\nrow 10: column 18 orange"
    )
    assert Board.empty().to_listing() == "all tiles are white"


def test_text_has_numbers_letters_and_a_note() -> None:
    lines = Board.from_tiles({(1, 1): "black", (10, 18): "blue"}).text().splitlines()
    assert lines[0].split() == [str(n) for n in range(1, 19)]
    assert lines[1].split() == ["1", "K", *"." * 17]
    assert lines[10].split() == ["10", *"." * 17, "B"]
    assert "even columns sit half a tile lower" in lines[11]


def test_every_tile_can_be_found_in_the_picture() -> None:
    board = Board.from_tiles({(r, 2 * r): colour for r, colour in enumerate(COLOURS[1:], 1)})
    for numbers in (False, True):
        body = board.svg("canvas", numbers=numbers)
        root = ElementTree.fromstring(body)
        found = {tile.get("data-tile"): tile for tile in root.iter("g") if tile.get("data-tile")}
        assert set(found) == {f"{r},{c}" for r, c in TILES}
        assert found["3,6"].get("id") == "canvas-3-6"
        signs = {"".join(found[f"{r},{2 * r}"].itertext()) for r in range(1, 8)}
        assert len(signs) == 7, "each colour bears a sign of its own"
        assert render_png(svg_document(500, 400, body, "board")).startswith(b"\x89PNG")
