"""Build the messages of a conversation from an Ask, without any state beside `ask.past`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from groundling.boards.picture import render_png
from groundling.core.drawing import Drawing
from groundling.core.player import Ask, Turn
from groundling.core.prompt_hints import PromptHints
from groundling.players.chat.prompts import Prompt, no_hints

ViewFormat: TypeAlias = Literal["text", "image", "both"]
UNSEEN = "(the board is in the picture)"


class PromptMessage(Struct, frozen=True):
    author: Literal["system", "user", "assistant"]
    text: str
    picture: bytes | None = None


def build_messages(
    ask: Ask,
    prompt: Prompt,
    draw: Callable[[Any], Drawing],
    see: ViewFormat,
    hints: Callable[[Any], PromptHints] = no_hints,
) -> list[PromptMessage]:
    """All messages so far and the one to answer now. Only the last has a picture."""
    found: list[PromptMessage] = []
    said = ""
    refused = False
    now = draw(ask.view)
    past = _refused_this_turn(ask) if hints(ask.view).alone else ask.past
    for number, view in enumerate([*(turn.view for turn in past), ask.view]):
        if refused:
            complaint = past[number - 1].complaint or ""
            found.append(PromptMessage("user", prompt.refused.format(complaint=complaint)))
        else:
            drawing = draw(view) if number < len(past) else now
            template = prompt.turn if number else prompt.open
            fields = _prompt_fields(drawing, said, see) | prompt.fill_kind_fields(hints(view))
            found.append(
                PromptMessage(
                    "user", template.format_map(fields), _message_picture(drawing, see, number == len(past))
                )
            )
            said = drawing.words
        if number < len(past):
            found.append(PromptMessage("assistant", past[number].text))
            refused = past[number].complaint is not None
    # after a refusal the last message is a complaint, which then carries the picture
    if see != "text" and found[-1].picture is None:
        found[-1] = PromptMessage("user", found[-1].text, render_png(now.picture))
    return found


def _refused_this_turn(ask: Ask) -> tuple[Turn, ...]:
    """The refused replies since the last accepted one."""
    taken = [number for number, turn in enumerate(ask.past, 1) if turn.complaint is None]
    return ask.past[taken[-1] if taken else 0 :]


def _prompt_fields(drawing: Drawing, said: str, see: ViewFormat) -> dict[str, str]:
    board = UNSEEN if see == "image" else drawing.board
    news = drawing.words.removeprefix(said).strip("\n")
    view = f"{board}\n\n{drawing.words}" if drawing.words else board
    return {"view": view, "board": board, "words": drawing.words, "news": news}


def _message_picture(drawing: Drawing, see: ViewFormat, last: bool) -> bytes | None:
    return render_png(drawing.picture) if last and see != "text" else None
