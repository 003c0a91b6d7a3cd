"""A Drawer that repeats what people drew after the most similar message."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from groundling.boards.scene import Piece, find_scene_changes
from groundling.core.player import Ask, PlayerInfo, Reply
from groundling.core.values import Say
from groundling.games.codraw.instance import TELLER
from groundling.games.codraw.moves import Agree
from groundling.games.codraw.players.nearest.memory import NearestMemory
from groundling.games.codraw.rules import OK, DrawerView

CACHED_PIECES = 1 << 16
"""The number of messages whose piece is cached: they recur in other scenes."""


class NearestDrawer:
    """Adds the piece that was added after the message with the smallest edit distance, and replaces a
    piece of the same kind. Among equally near messages the first one counts."""

    def __init__(self, memory: NearestMemory, digest: str) -> None:
        self.name = f"nearest {memory.half}"
        self.info = PlayerInfo(facts=memory.identity_facts(digest), learned_from=frozenset(memory.ids))
        self._rounds = [
            (m, Piece.from_placed(placed)) for m, placed in zip(memory.messages, memory.pieces, strict=True)
        ]
        self._choices = lru_cache(64)(self.pieces_by_message)
        self._piece = lru_cache(CACHED_PIECES)(self.nearest_piece)

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DrawerView)
        if view.asked:
            return Reply(moves=(Agree(),))
        told = view.talk[-1] if view.talk else None
        piece = (
            self._piece(told.text, view.palette)
            if told and told.seat == TELLER and ask.complaint is None
            else None
        )
        changes = find_scene_changes(view.canvas, view.canvas.put(piece)) if piece else ()
        return Reply(moves=(*changes, Say(OK)))

    def nearest_piece(self, message: str, palette: tuple[str, ...]) -> Piece | None:
        """Return the piece to add out of this palette, or None if none of its kinds was ever added alone."""
        known = self._choices(palette)
        if message in known:
            return known[message]
        found = extractOne(message, known.keys(), scorer=Levenshtein.distance, processor=None)
        return known[found[0]] if found else None

    def pieces_by_message(self, palette: tuple[str, ...]) -> dict[str, Piece]:
        """Return the pieces of this palette by the message before them."""
        kinds = set(palette)
        found: dict[str, Piece] = {}
        for message, piece in self._rounds:
            if piece.kind in kinds:
                found.setdefault(message, piece)
        return found
