"""Descriptions of single pieces, the most important facts first, so that the end can be cut."""

from __future__ import annotations

from functools import cached_property
from random import Random

from groundling.boards.scene import PEOPLE, Piece, Scene
from groundling.games.codraw.players.template import piece_words, position_phrases
from groundling.games.codraw.players.template.attachments import Attachment, find_attachment
from groundling.games.codraw.scene_generation.scene_builder import built_bounding_box


class SceneDescriber:
    """Describes the pieces of one scene with the same names throughout a game."""

    def __init__(self, scene: Scene, rng: Random) -> None:
        self.scene, self.rng = scene, rng
        self.names = {piece.kind: piece_words.choose_piece_name(piece.kind, rng) for piece in scene.pieces}

    @cached_property
    def attachments(self) -> dict[str, Attachment | None]:
        """The piece by which each is placed, if any; lazy, as reciting a plan does not need it."""
        return {piece.kind: find_attachment(piece, self.scene) for piece in self.scene.pieces}

    def piece_name(self, kind: str) -> str:
        """Name any kind, even one that is not in the scene."""
        return self.names.get(kind) or piece_words.choose_piece_name(kind, Random(kind))

    def definite_name(self, kind: str) -> str:
        return piece_words.piece_with_the(self.piece_name(kind))

    def piece_sentences(self, piece: Piece, cap: int) -> list[str]:
        """Describe kind, position and look in as few sentences of at most `cap` characters as possible."""
        found: list[list[str]] = []
        for part in self.piece_clauses(piece):
            if found and len(", ".join([*found[-1], part])) < cap:
                found[-1].append(part)
            else:
                verb = "has" if part.startswith(("his ", "her ", "its ", "hole", "bolt", "mound")) else "is"
                found.append([f"{self.definite_name(piece.kind)} {verb} {part}" if found else part])
        return [_end_sentence(", ".join(parts), cap) for parts in found]

    def piece_clauses(self, piece: Piece) -> list[str]:
        where = self.attachments[piece.kind]
        if where and where.how in ("worn", "held"):
            return self._belonging_clauses(piece, where)
        alive = piece.kind in PEOPLE or piece.category == "animal"
        if where and not alive:
            return [
                f"{self._size_and_name(piece)} {self._support_clause(piece, where)}",
                *self._look_clauses(piece),
            ]
        near = (
            self._support_clause(piece, where)
            if where
            else ""
            if alive or piece.category in ("sky", "large")
            else self._neighbour_clause(piece)
        )
        corner = position_phrases.position_corner_phrase(piece)
        found = [
            f"{self._size_and_name(piece)} {corner or position_phrases.position_across_phrase(piece)}",
            near,
            *position_phrases.position_cut_phrases(piece),
            position_phrases.position_side_gap_phrase(piece),
        ]
        found += self._look_clauses(piece)
        if not corner.startswith("in the bottom"):
            found.append(position_phrases.position_height_phrase(piece, self.rng))
        return [part for part in found if part]

    def _size_and_name(self, piece: Piece) -> str:
        return f"{piece_words.choose_piece_size_word(piece, self.rng)} {self.piece_name(piece.kind)}"

    def _look_clauses(self, piece: Piece) -> list[str]:
        return [
            part
            for part in (
                *piece_words.piece_figure_words(piece, self.rng),
                piece_words.piece_direction_words(piece),
            )
            if part
        ]

    def _belonging_clauses(self, piece: Piece, where: Attachment) -> list[str]:
        """Describe a piece that somebody wears or holds."""
        owner = self.scene.by_kind[where.kind]
        noun = self.piece_name(piece.kind)
        if piece.size != owner.size:
            noun = f"{piece_words.choose_piece_size_word(piece, self.rng)} {noun}"
        verb = "is wearing" if where.how == "worn" else "is holding"
        found = [
            f"{self.definite_name(owner.kind)} {verb} {piece_words.piece_with_article(noun, piece.kind)}"
        ]
        if where.how == "held" and abs(piece.x - owner.x) > 12:
            found[0] += (
                f" to the {'left' if piece.x < owner.x else 'right'} of "
                f"{'him' if owner.kind == 'Mike' else 'her'}"
            )
        turned = piece_words.piece_direction_words(piece)
        return [*found, turned] if turned and turned != piece_words.piece_direction_words(owner) else found

    def _support_clause(self, piece: Piece, where: Attachment) -> str:
        """Describe the support of a piece and the position on it."""
        under = self.scene.by_kind[where.kind]
        left, _, right, _ = built_bounding_box(under)
        share = (piece.x - left) / (right - left)
        part = "part" if where.how == "in" else "end"
        spot = "" if 0.36 < share < 0.64 else f"the {'left' if share < 0.5 else 'right'} {part} of "
        return f"{where.how} {spot}{self.definite_name(under.kind)}"

    def _neighbour_clause(self, piece: Piece) -> str:
        """Describe the nearest neighbour and the side of it on which the piece is."""
        mine = built_bounding_box(piece)
        best: tuple[float, str] | None = None
        for other in self.scene.pieces:
            if (
                other.kind == piece.kind
                or self.attachments[other.kind]
                or other.category in ("clothing", "food", "toy", "sky")
            ):
                continue
            left, top, right, bottom = built_bounding_box(other)
            if not (top - 10 < piece.y < bottom + 10):
                continue
            gap = max(left - mine[2], mine[0] - right)
            if -40 < gap < 60 and (best is None or gap < best[0]):
                best = gap, f"{'left' if piece.x < other.x else 'right'} of {self.definite_name(other.kind)}"
        return best[1] if best else ""


def _end_sentence(text: str, cap: int) -> str:
    """End a sentence, or cut it if it is too long."""
    return text[0].upper() + (f"{text[1:]}." if len(text) < cap else text[1:cap])
