"""Shapes that are made from other shapes: what lies inside them, and copies at other places."""

from hashlib import sha256

from hypothesis import given

from groundling.boards.hexes import Board, Tile, make_shift, neighbours
from groundling.core.pack import find
from groundling.core.prompt_hints import PromptHints
from groundling.games.hexagons.draw import _prompt_terms
from groundling.games.hexagons.program import ProgramError, former_language_reference, language_reference
from groundling.games.hexagons.program.evaluation import EvaluationState, evaluate_shape_tiles
from groundling.games.hexagons.program.frame import Frame
from groundling.games.hexagons.program.shapes import InsideShape, MovedShape, PathStep, Shape, TileReference
from groundling.players.chat.prompts import former_prompt_versions, load_prompt

from .programs import paths, places, shapes
from .test_program import drawn


def tiles_of(shape: Shape) -> list[Tile] | None:
    """On a board with two painted tiles, where the shape can be evaluated."""
    try:
        return evaluate_shape_tiles(shape, Frame(), EvaluationState({(3, 3): "red", (3, 4): "blue"}))
    except ProgramError:
        return None


@given(places, paths)
def test_a_tile_is_moved_as_places_are(place: TileReference, path: tuple[PathStep, ...]) -> None:
    assert tiles_of(MovedShape(place, path)) == tiles_of(TileReference(place.tile, place.path + path))


@given(shapes, paths)
def test_a_moved_shape_keeps_its_form(shape: Shape, path: tuple[PathStep, ...]) -> None:
    before, after = tiles_of(shape), tiles_of(MovedShape(shape, path))
    if before and after:
        assert after == list(map(make_shift(before[0], after[0]), before))
    else:
        assert not after


@given(shapes)
def test_what_is_inside_a_shape_is_enclosed_by_it(shape: Shape) -> None:
    wall, inside = (set(tiles_of(one) or ()) for one in (shape, InsideShape(shape)))
    assert not wall & inside
    assert all(len(near := neighbours(*tile)) == 6 and near <= wall | inside for tile in inside)


def test_a_copy_is_painted_in_another_colour_and_filled() -> None:
    zero = drawn("paint purple around (2,3 3,3)")
    text = "paint orange (board where purple) moved right 4\npaint green inside (board where orange)"
    assert drawn(text, zero) == drawn("paint orange around (2,7 3,7)\npaint green 2,7 3,7", zero)


def test_moves_are_mirrored_with_what_they_move() -> None:
    board = drawn("mirror vertical about 5,9:\n    paint red (2,3 3,3) moved right 2 up 1")
    assert board == Board.from_tiles(dict.fromkeys([(1, 5), (2, 5), (1, 13), (2, 13)], "red"))


def test_the_prompts_of_earlier_versions_have_the_page_of_theirs() -> None:
    assert sha256(former_language_reference().encode()).hexdigest()[:16] == "5cb08b79a705ee40"
    newer = set(language_reference().splitlines()) - set(former_language_reference().splitlines())
    assert {line.split("  ")[0] for line in newer} == {"inside (SHAPE)", "SHAPE moved right 4 down 2"}
    pack = find("hexagons")
    (before,) = former_prompt_versions(pack)
    for version, page in ((pack, language_reference()), (before, former_language_reference())):
        for language in ("de", "en"):
            prompt = load_prompt(version, "executor", language, "plain")
            hints = PromptHints("program", _prompt_terms("program", 1))
            assert prompt.fill_kind_fields(hints)["reply"].endswith(f"\n\n{page}")
