"""Recorded procedures: what an image's own recording has of a seat, and how a game becomes a recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from groundling.core.events import Transcript
from groundling.core.pack import Seat
from groundling.core.player import Reply
from groundling.core.replay import replay
from groundling.games.hexagons.gold import recite
from groundling.games.hexagons.image import Image, Step
from groundling.games.hexagons.rules import INSTRUCTOR, HexagonsGame, State


def recorded(seat: Seat) -> Callable[[Image], Sequence[Reply]]:
    """The author's words, and, where one seat does both, the author's painting. Nobody's painting in the
    executor's seat was published."""
    game = seat.game
    assert isinstance(game, HexagonsGame)
    return lambda image: recite(game, image, seat.role) if image.steps and seat.role == INSTRUCTOR else ()


def procedure(transcript: Transcript) -> Image:
    """The image of a finished game in which its author aligned text and boards, with these as its recorded
    steps."""
    game = HexagonsGame(transcript.opened.settings)
    state: State = replay(game, transcript)
    if game.mode(state.image) != "align" or transcript.status != "played":
        raise ValueError(
            f"{transcript.episode} is not a finished game in --mode align: there is no gold in it"
        )
    return replace(
        state.image,
        steps=tuple(Step(text, drawn.after) for text, drawn in zip(state.said, state.done, strict=True)),
    )
