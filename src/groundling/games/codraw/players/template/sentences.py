"""Descriptions of single pieces, the most important facts first, so that the end can be cut."""

from __future__ import annotations

from functools import cached_property
from random import Random

from groundling.boards.scene import PEOPLE, Piece, Scene
from groundling.games.codraw.players.template import names, places
from groundling.games.codraw.players.template.hosts import Host, host
from groundling.games.codraw.scenery.stage import box


class Words:
    """Describes the pieces of one scene with the same names throughout a game."""

    def __init__(self, scene: Scene, rng: Random) -> None:
        self.scene, self.rng = scene, rng
        self.names = {piece.kind: names.name(piece.kind, rng) for piece in scene.pieces}

    @cached_property
    def hosts(self) -> dict[str, Host | None]:
        """The piece by which each piece is placed, if any. It is computed lazily: reciting a plan does not
        need it."""
        return {piece.kind: host(piece, self.scene) for piece in self.scene.pieces}

    def name(self, kind: str) -> str:
        """Name any kind, even one that is not in the scene."""
        return self.names.get(kind) or names.name(kind, Random(kind))

    def the(self, kind: str) -> str:
        return names.the(self.name(kind))

    def sentences(self, piece: Piece, cap: int) -> list[str]:
        """Describe kind, position and look of a piece in as few sentences of at most `cap` characters as
        possible."""
        found: list[list[str]] = []
        for part in self.parts(piece):
            if found and len(", ".join([*found[-1], part])) < cap:
                found[-1].append(part)
            else:
                verb = "has" if part.startswith(("his ", "her ", "its ", "hole", "bolt", "mound")) else "is"
                found.append([f"{self.the(piece.kind)} {verb} {part}" if found else part])
        return [_ended(", ".join(parts), cap) for parts in found]

    def parts(self, piece: Piece) -> list[str]:
        where = self.hosts[piece.kind]
        if where and where.how in ("worn", "held"):
            return self._had(piece, where)
        alive = piece.kind in PEOPLE or piece.category == "animal"
        if where and not alive:
            return [f"{self._noun(piece)} {self._upon(piece, where)}", *self._looks(piece)]
        near = (
            self._upon(piece, where)
            if where
            else ""
            if alive or piece.category in ("sky", "large")
            else self._beside(piece)
        )
        corner = places.corner(piece)
        found = [
            f"{self._noun(piece)} {corner or places.across(piece)}",
            near,
            *places.cut(piece),
            places.from_side(piece),
        ]
        found += self._looks(piece)
        if not corner.startswith("in the bottom"):
            found.append(places.height(piece, self.rng))
        return [part for part in found if part]

    def _noun(self, piece: Piece) -> str:
        return f"{names.size(piece, self.rng)} {self.name(piece.kind)}"

    def _looks(self, piece: Piece) -> list[str]:
        return [part for part in (*names.figure(piece, self.rng), names.direction(piece)) if part]

    def _had(self, piece: Piece, where: Host) -> list[str]:
        """Describe a piece that somebody wears or holds."""
        owner = self.scene.by_kind[where.kind]
        noun = self.name(piece.kind)
        if piece.size != owner.size:
            noun = f"{names.size(piece, self.rng)} {noun}"
        verb = "is wearing" if where.how == "worn" else "is holding"
        found = [f"{self.the(owner.kind)} {verb} {names.a(noun, piece.kind)}"]
        if where.how == "held" and abs(piece.x - owner.x) > 12:
            found[0] += (
                f" to the {'left' if piece.x < owner.x else 'right'} of "
                f"{'him' if owner.kind == 'Mike' else 'her'}"
            )
        turned = names.direction(piece)
        return [*found, turned] if turned and turned != names.direction(owner) else found

    def _upon(self, piece: Piece, where: Host) -> str:
        """Describe the support of a piece and the position on it."""
        under = self.scene.by_kind[where.kind]
        left, _, right, _ = box(under)
        share = (piece.x - left) / (right - left)
        part = "part" if where.how == "in" else "end"
        spot = "" if 0.36 < share < 0.64 else f"the {'left' if share < 0.5 else 'right'} {part} of "
        return f"{where.how} {spot}{self.the(under.kind)}"

    def _beside(self, piece: Piece) -> str:
        """Describe the nearest neighbour and the side of it on which the piece is."""
        mine = box(piece)
        best: tuple[float, str] | None = None
        for other in self.scene.pieces:
            if (
                other.kind == piece.kind
                or self.hosts[other.kind]
                or other.category in ("clothing", "food", "toy", "sky")
            ):
                continue
            left, top, right, bottom = box(other)
            if not (top - 10 < piece.y < bottom + 10):
                continue
            gap = max(left - mine[2], mine[0] - right)
            if -40 < gap < 60 and (best is None or gap < best[0]):
                best = gap, f"{'left' if piece.x < other.x else 'right'} of {self.the(other.kind)}"
        return best[1] if best else ""


def _ended(text: str, cap: int) -> str:
    """End a sentence, or cut it if it is too long."""
    return text[0].upper() + (f"{text[1:]}." if len(text) < cap else text[1:cap])
