"""When two boards show the same image: up to shifts, turns and mirrors of the lattice, and the names of the
colours."""

from __future__ import annotations

from hashlib import sha256

from groundling.boards.hexes import POINT_GROUP, Board, Symmetry, Tile, to_axial

Cells = tuple[tuple[int, int, int], ...]


def canonical(board: Board) -> Cells:
    """The least of all ways to write the image down; equal for two boards just if they show the same
    image."""
    painted = board.painted()
    return (
        min(_written({motion(tile): colour for tile, colour in painted.items()}) for motion in POINT_GROUP)
        if painted
        else ()
    )


def _written(painted: dict[Tile, str]) -> Cells:
    """Cells from the top left of what is painted, with colours numbered in the order in which they come."""
    places = sorted((to_axial(tile), colour) for tile, colour in painted.items())
    left, top = min(q for (q, _), _ in places), min(p for (_, p), _ in places)
    numbers: dict[str, int] = {}
    return tuple((q - left, p - top, numbers.setdefault(colour, len(numbers))) for (q, p), colour in places)


def fingerprint(board: Board) -> str:
    """A short hash of the canonical form, from which the image cannot be got back."""
    told = ";".join(f"{q},{p},{colour}" for q, p, colour in canonical(board))
    return sha256(told.encode()).hexdigest()[:16]


def symmetries(board: Board) -> list[Symmetry]:
    """The motions that take the painted tiles to painted tiles of the same colour."""
    painted = board.painted()
    if not painted:
        return []
    found = []
    for motion in POINT_GROUP:
        moved = {motion(tile): colour for tile, colour in painted.items()}
        q, p = to_axial(_corner(moved))
        to_q, to_p = to_axial(_corner(painted))
        whole = motion.then(Symmetry(shift=(to_q - q, to_p - p)))
        if {whole(tile): colour for tile, colour in painted.items()} == painted:
            found.append(whole)
    return found


def _corner(painted: dict[Tile, str]) -> Tile:
    """A tile that moves along with what is painted when that is shifted."""
    return min(painted, key=to_axial)


def group(board: Board) -> str:
    """The name of the image's symmetry group: C1, C2, C3, C6 without mirrors, D1, D2, D3, D6 with as many
    mirrors."""
    found = symmetries(board)
    turns = sum(not motion.flip for motion in found)
    return f"{'D' if len(found) > turns else 'C'}{max(1, turns)}"
