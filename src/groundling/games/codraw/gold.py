"""The oracle pair: a Teller that states every piece in numbers, and a Drawer that puts exactly those."""

from __future__ import annotations

import re

from groundling.boards.scene import KINDS, Piece, Put, Scene
from groundling.boards.scene.scene_strings import PlacedPiece
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.codraw.moves import Agree, Finish
from groundling.games.codraw.rules import OK, TELLER, DrawerView, SpokenMessage, TellerView

_PUT = re.compile(r"([a-z][a-z ]*) at (-?\d+),(-?\d+) size (\d) flip (\d)(?: figure (\d+))?", re.IGNORECASE)
_KINDS = {kind.lower(): number for number, kind in enumerate(KINDS)}


def describe_gold_piece(piece: Piece) -> str:
    numbers = piece.placed_piece
    figure = f" figure {numbers.figure}" if piece.pose is not None else ""
    return f"{piece.kind} at {piece.x},{piece.y} size {piece.size} flip {numbers.flip}{figure}"


def plan_gold_messages(scene: Scene, rounds: int | None, cap: int) -> list[str]:
    """Describe one piece a message, or more where the rounds are too few and messages stay short."""
    each = -(-len(scene) // rounds) if rounds else 1
    found: list[list[str]] = []
    for piece in scene.pieces:
        words = describe_gold_piece(piece)
        if not found or len(found[-1]) == each or (cap and len("; ".join([*found[-1], words])) > cap):
            found.append([])
        found[-1].append(words)
    return ["; ".join(parts) for parts in found]


def parse_gold_pieces(text: str) -> list[Piece]:
    return [
        Piece.from_placed(
            PlacedPiece(_KINDS[kind.lower()], int(x), int(y), int(size), int(flip), int(figure or 0))
        )
        for kind, x, y, size, flip, figure in _PUT.findall(text)
        if kind.lower() in _KINDS and int(size) < 3 and int(flip) < 2 and int(figure or 0) < 35
    ]


class CodrawGoldPlayer:
    name = "gold"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        if isinstance(view, TellerView):
            said = sum(spoken.seat == TELLER for spoken in view.talk)
            left = None if view.rounds is None else view.rounds + said
            plan = plan_gold_messages(view.target, left, view.cap)
            return Reply(moves=(Say(plan[said]) if said < len(plan) else Finish(),))
        assert isinstance(view, DrawerView)
        told = view.talk[-1] if view.talk else SpokenMessage(TELLER, "")
        new = (
            {piece.kind: piece for piece in parse_gold_pieces(told.text)}
            if told.seat == TELLER and not view.asked
            else {}
        )
        puts = [
            Put(piece)
            for kind, piece in new.items()
            if kind in view.palette and view.canvas.get(kind) is None
        ]
        return Reply(moves=(*puts, Agree() if view.asked else Say(OK)))


def make_codraw_gold(seat: Seat) -> Player:
    return CodrawGoldPlayer()
