"""The images in the gallery with their programs, and a canvas on which people draw their own."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.boards.hexes import Board
from groundling.core.desk import Desk
from groundling.core.values import Illegal
from groundling.games.hexagons.desk import PALETTE, painting_desk_panel
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.moves import HexagonsMove, PaintTile
from groundling.games.hexagons.near_copies import are_near_copies

LEAST = 3
"""The least number of tiles in a drawing."""


def hexagons_gallery_facts(image: HexagonsImage) -> dict[str, str]:
    """Return facts about a generated image, or a recorded procedure whose steps may have levels."""
    levels = [step.level for step in image.steps if step.level is not None]
    found = {
        "level": "" if image.level is None else str(image.level),
        "highest level": str(max(levels)) if levels else "",
        "mechanism": image.category,
        "round": "" if image.round is None else str(image.round),
        "tiles painted": str(image.target.painted_count),
        "colours": str(len(set(image.target.painted_tiles().values()))),
        "steps": str(len(image.steps)) if image.steps else "",
    }
    return {name: told for name, told in found.items() if told}


def gallery_program_source(image: HexagonsImage) -> str:
    return image.program


def empty_gallery_canvas() -> Desk:
    return Desk(
        "Draw your own image.",
        (painting_desk_panel(Board.empty()),),
        tool="hexes",
        facts={"palette": PALETTE, "step": 0},
    )


def gallery_moves_from_image(image: HexagonsImage) -> list[PaintTile]:
    return [PaintTile(*tile, colour) for tile, colour in image.target.painted_tiles().items()]


def is_gallery_copy(image: HexagonsImage, others: Sequence[HexagonsImage]) -> bool:
    return any(are_near_copies(image, other) for other in others)


def gallery_image_from_moves(name: str, moves: Sequence[HexagonsMove]) -> HexagonsImage:
    """Return the image that these moves paint on an empty board."""
    if not all(isinstance(move, PaintTile) for move in moves):
        raise Illegal("an image is only painted")
    board = Board.empty().with_tiles(
        {(move.row, move.column): move.colour for move in moves if isinstance(move, PaintTile)}
    )
    if board.painted_count < LEAST:
        raise Illegal(f"paint at least {LEAST} tiles first")
    return HexagonsImage(id=name, set="drawn", image=name, target=board)
