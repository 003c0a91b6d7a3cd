"""The plan of a Teller: the whole scene in messages that are short enough."""

from __future__ import annotations

from typing import NamedTuple

from groundling.boards.scene import CATEGORY, PEOPLE, Piece
from groundling.games.codraw.players.template.sentences import Words

MOST = 3
"""The most pieces in a message."""
USUAL_CAP = 140
_ORDER = ("sky", "large", "boy", "girl", "animal", "toy", "food", "clothing")


def order(words: Words) -> list[Piece]:
    """Order the pieces from the sky down to small things; what somebody wears or holds follows that
    person."""
    free = [piece for piece in words.scene.pieces if not _had(words, piece)]
    free.sort(key=lambda piece: (_ORDER.index(CATEGORY[piece.kind]), piece.size, piece.x))
    found: list[Piece] = []
    for piece in free:
        found.append(piece)
        found += [other for other in words.scene.pieces if _had(words, other) == piece.kind]
    return found


def _had(words: Words, piece: Piece) -> str | None:
    host = words.hosts[piece.kind]
    return host.kind if host and host.how in ("worn", "held") and host.kind != piece.kind else None


class Message(NamedTuple):
    text: str
    kinds: tuple[str, ...]
    """The kinds that this message introduces."""


def plan(words: Words, cap: int) -> list[Message]:
    """Plan messages of one to three pieces each. A person starts a new message with all they wear and
    hold."""
    cap = cap or USUAL_CAP
    found: list[tuple[list[str], list[str]]] = []
    for piece in order(words):
        first, *more = words.sentences(piece, cap)
        joins = bool(found) and len(found[-1][0]) < MOST and len(" ".join([*found[-1][0], first])) <= cap
        if not joins or (piece.kind in PEOPLE and not _had(words, piece)):
            found.append(([], []))
        found[-1][0].append(first)
        found[-1][1].append(piece.kind)
        found += [([text], []) for text in more]
    return [Message(" ".join(parts), tuple(kinds)) for parts, kinds in found]


def messages(words: Words, cap: int) -> list[str]:
    return [message.text for message in plan(words, cap)]
