"""The plan of a Teller: the whole scene in messages that are short enough."""

from __future__ import annotations

from typing import NamedTuple

from groundling.boards.scene import CATEGORY, PEOPLE, Piece
from groundling.games.codraw.players.template.scene_describer import SceneDescriber

MAX_PIECES = 3
"""The most pieces in a message."""
USUAL_CAP = 140
_ORDER = ("sky", "large", "boy", "girl", "animal", "toy", "food", "clothing")


def message_plan_order(words: SceneDescriber) -> list[Piece]:
    """Order the pieces from the sky down to small things; what people wear or hold follows them."""
    free = [piece for piece in words.scene.pieces if not _owner_kind(words, piece)]
    free.sort(key=lambda piece: (_ORDER.index(CATEGORY[piece.kind]), piece.size, piece.x))
    found: list[Piece] = []
    for piece in free:
        found.append(piece)
        found += [other for other in words.scene.pieces if _owner_kind(words, other) == piece.kind]
    return found


def _owner_kind(words: SceneDescriber, piece: Piece) -> str | None:
    host = words.attachments[piece.kind]
    return host.kind if host and host.how in ("worn", "held") and host.kind != piece.kind else None


class PlannedMessage(NamedTuple):
    text: str
    kinds: tuple[str, ...]
    """The kinds that this message introduces."""


def make_message_plan(words: SceneDescriber, cap: int) -> list[PlannedMessage]:
    """Plan messages of one to three pieces each. People, with what they wear and hold, start a new one."""
    cap = cap or USUAL_CAP
    found: list[tuple[list[str], list[str]]] = []
    for piece in message_plan_order(words):
        first, *more = words.piece_sentences(piece, cap)
        joins = (
            bool(found) and len(found[-1][0]) < MAX_PIECES and len(" ".join([*found[-1][0], first])) <= cap
        )
        if not joins or (piece.kind in PEOPLE and not _owner_kind(words, piece)):
            found.append(([], []))
        found[-1][0].append(first)
        found[-1][1].append(piece.kind)
        found += [([text], []) for text in more]
    return [PlannedMessage(" ".join(parts), tuple(kinds)) for parts, kinds in found]


def message_plan_texts(words: SceneDescriber, cap: int) -> list[str]:
    return [message.text for message in make_message_plan(words, cap)]
