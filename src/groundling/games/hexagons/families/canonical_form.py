"""The canonical form of an image, equal up to shifts, turns and mirrors of the lattice and colour names."""

from __future__ import annotations

from hashlib import sha256

from groundling.boards.hexes import POINT_GROUP, Board, Symmetry, Tile, to_axial

Cells = tuple[tuple[int, int, int], ...]


def canonical_cells(board: Board) -> Cells:
    """Return the least of all ways to write an image down, which is equal exactly for equal images."""
    painted = board.painted_tiles()
    return (
        min(
            _numbered_cells({motion(tile): colour for tile, colour in painted.items()})
            for motion in POINT_GROUP
        )
        if painted
        else ()
    )


def _numbered_cells(painted: dict[Tile, str]) -> Cells:
    """Return cells relative to the top left painted cell, with colours numbered in order of appearance."""
    places = sorted((to_axial(tile), colour) for tile, colour in painted.items())
    left, top = min(q for (q, _), _ in places), min(p for (_, p), _ in places)
    numbers: dict[str, int] = {}
    return tuple((q - left, p - top, numbers.setdefault(colour, len(numbers))) for (q, p), colour in places)


def canonical_fingerprint(board: Board) -> str:
    """Return a short hash of the canonical form, which does not reveal the image."""
    told = ";".join(f"{q},{p},{colour}" for q, p, colour in canonical_cells(board))
    return sha256(told.encode()).hexdigest()[:16]


def canonical_symmetries(board: Board) -> list[Symmetry]:
    """Return the motions that map painted tiles to painted tiles of the same colour."""
    painted = board.painted_tiles()
    if not painted:
        return []
    found = []
    for motion in POINT_GROUP:
        moved = {motion(tile): colour for tile, colour in painted.items()}
        q, p = to_axial(_least_tile(moved))
        to_q, to_p = to_axial(_least_tile(painted))
        whole = motion.followed_by(Symmetry(shift=(to_q - q, to_p - p)))
        if {whole(tile): colour for tile, colour in painted.items()} == painted:
            found.append(whole)
    return found


def _least_tile(painted: dict[Tile, str]) -> Tile:
    """Return a tile that shifts together with the painted tiles."""
    return min(painted, key=to_axial)


def canonical_symmetry_group(board: Board) -> str:
    """Return the image's symmetry group: C1, C2, C3, C6 without mirrors; D1 to D6 with as many mirrors."""
    found = canonical_symmetries(board)
    turns = sum(not motion.flip for motion in found)
    return f"{'D' if len(found) > turns else 'C'}{max(1, turns)}"
