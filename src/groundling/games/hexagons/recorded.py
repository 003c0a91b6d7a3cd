"""Recorded procedures: the replies of a recorded seat, and conversion of a game to a recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from groundling.core.events import Transcript
from groundling.core.pack import Seat
from groundling.core.player import Reply
from groundling.core.replay import replay_transcript
from groundling.games.hexagons.gold import gold_recorded_replies
from groundling.games.hexagons.image import HexagonsImage, ImageStep
from groundling.games.hexagons.rules import INSTRUCTOR, HexagonsGame, State


def hexagons_recorded_replies(seat: Seat) -> Callable[[HexagonsImage], Sequence[Reply]]:
    """Return the author's words, and painting where one seat does both. Executors have no recording."""
    game = seat.game
    assert isinstance(game, HexagonsGame)
    return lambda image: (
        gold_recorded_replies(game, image, seat.role) if image.steps and seat.role == INSTRUCTOR else ()
    )


def recorded_image(transcript: Transcript) -> HexagonsImage:
    """Return the image that a finished game in `align` mode has made: its instructions and boards as recorded
    steps, the last board as the target."""
    game = HexagonsGame(transcript.opened.settings)
    is_finished = game.play_mode(transcript.opened.instance) == "align" and transcript.status == "played"
    state: State | None = replay_transcript(game, transcript) if is_finished else None
    if state is None or not state.done:
        raise ValueError(
            f"{transcript.episode} is not a finished game in --mode align: there is no gold in it"
        )
    image, last = state.image, state.done[-1].after
    return replace(
        image,
        target=last,
        steps=tuple(ImageStep(text, drawn.after) for text, drawn in zip(state.said, state.done, strict=True)),
        image=image.image or image.id,
        program=image.program if last == image.target else "",
        facts=None,
    )
