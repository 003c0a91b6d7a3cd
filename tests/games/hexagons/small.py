"""A few images of our own, plain and with a recorded procedure, and a pack that has nothing else."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from groundling.boards.hexes import COLOURS, TILES, Board
from groundling.core.pack import Pack, find
from groundling.core.values import Recipe
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.games.hexagons.moves import ExecutorView, HexagonsMove, InstructorView
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, State

LINE = Board.from_tiles({(row, 3): "red" for row in range(1, 6)})
FLOWER = LINE.with_tiles({(4, 9): "blue", (5, 9): "yellow", (6, 9): "blue", (4, 10): "blue"})
MENDED = FLOWER.with_tiles({(5, 3): "white", (5, 9): "green"})

RECORDED = HexagonsImage(
    id="p1",
    set="small",
    group="P01C02T01",
    image="P01C02T01",
    category="bounded iteration",
    round=1,
    target=MENDED,
    steps=(
        ImageStep("Make the top half of the third column red. \n", LINE, 1),
        ImageStep("Well done so far", LINE, 2),
        ImageStep("A flower to the right of it, blue\nwith a yellow centre", FLOWER, 2),
        ImageStep("", MENDED, 0),
    ),
)
PLAIN = HexagonsImage(id="i1", set="small", target=FLOWER, image="made-1", category="objects")


def image(rng: Random, name: str) -> HexagonsImage:
    """Some tiles in some colours."""
    tiles = rng.sample(TILES, rng.randint(1, 20))
    return HexagonsImage(
        id=name,
        set="random",
        image=name,
        target=Board.from_tiles({tile: rng.choice(COLOURS[1:]) for tile in tiles}),
    )


def recorded(plain: HexagonsImage) -> HexagonsImage:
    """The image as somebody drew it: a step a colour, and one in which nothing happens."""
    board, steps = Board.empty(), [ImageStep("We are going to draw something.", Board.empty())]
    for colour in sorted(set(plain.target.painted_tiles().values())):
        board = board.with_tiles(
            {tile: own for tile, own in plain.target.painted_tiles().items() if own == colour}
        )
        steps.append(ImageStep(f"Now all that is {colour}.", board))
    return replace(plain, steps=tuple(steps))


def make(recipe: Recipe) -> list[HexagonsImage]:
    rng = Random(recipe.seed)
    return [image(rng, f"r{number}") for number in range(recipe.n)]


def plain_pack() -> Pack:
    return replace(find("hexagons"), make=make, recipe=Recipe, builtin=lambda: [PLAIN])


def recorded_pack() -> Pack:
    return replace(
        find("hexagons"),
        recipe=Recipe,
        make=lambda recipe: [recorded(one) for one in make(recipe)],
        builtin=lambda: [RECORDED],
    )


def after(rules: HexagonsGame, *moves: HexagonsMove, on: HexagonsImage = PLAIN) -> State:
    """The state after moves of whoever's turn it is."""
    state = rules.start(on)
    for move in moves:
        role = rules.turn(state)
        assert role is not None
        state = rules.play(state, role, move)
    return state


def executor_view(rules: HexagonsGame, state: State) -> ExecutorView:
    view = rules.view(state, EXECUTOR)
    assert isinstance(view, ExecutorView)
    return view


def instructor_view(rules: HexagonsGame, state: State) -> InstructorView:
    view = rules.view(state, INSTRUCTOR)
    assert isinstance(view, InstructorView)
    return view
