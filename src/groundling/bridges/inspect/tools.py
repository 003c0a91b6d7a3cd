"""Tools for models with `-T tools=true`: crop the picture, rotate it, think."""

from __future__ import annotations

from base64 import b64encode

from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    execute_tools,
)
from inspect_ai.tool import Tool, ToolChoice, think, tool

from groundling.boards.picture import render_png
from groundling.core.pack import Seat
from groundling.players.chat.hosted_model import HostedModel
from groundling.players.chat.messages import PromptMessage

MAX_TOOL_ROUNDS = 8
"""The most rounds of tool calls before the answer."""
MIN_SHARE = 0.02
"""The smallest part of the picture, as a share of its side."""


class ToolUsingModel(HostedModel):
    def __init__(self, seat: Seat, model: Model) -> None:
        super().__init__(seat, model)
        self._inspected = model

    async def ask(
        self, conversation: list[PromptMessage], messages: list[ChatMessage], config: GenerateConfig
    ) -> ModelOutput:
        picture = conversation[-1].picture
        tools = [think(), *([crop(picture), rotate(picture)] if picture else [])]
        used = ModelUsage()
        for rounds in range(MAX_TOOL_ROUNDS + 1):
            choice: ToolChoice = "none" if rounds == MAX_TOOL_ROUNDS else "auto"
            output = await self._inspected.generate(messages, tools=tools, tool_choice=choice, config=config)
            used += output.usage or ModelUsage()
            if not output.message.tool_calls:
                break
            done = await execute_tools([*messages, output.message], tools)
            messages = [*messages, output.message, *done.messages]
        output.usage = used
        return output


@tool
def crop(picture: bytes) -> Tool:
    async def execute(left: float, top: float, right: float, bottom: float) -> ContentImage:
        """Look at a part of the picture, enlarged.

        Args:
          left: Where the part begins, as a share of the picture's width from 0 to 1.
          top: Where it begins, as a share of the height.
          right: Where it ends, as a share of the width.
          bottom: Where it ends, as a share of the height.
        """
        width, height = tool_picture_size(picture)
        x, y = (min(max(share, 0.0), 1 - MIN_SHARE) for share in (left, top))
        wide, high = (max(MIN_SHARE, min(share, 1.0) - start) for share, start in ((right, x), (bottom, y)))
        box = f"{x * width:g} {y * height:g} {wide * width:g} {high * height:g}"
        zoom = min(1 / wide, 1 / high)
        return _render_image(picture, wide * width * zoom, high * height * zoom, box, "")

    return execute


@tool
def rotate(picture: bytes) -> Tool:
    async def execute(degrees: float) -> ContentImage:
        """Turn the picture.

        Args:
          degrees: How far, clockwise.
        """
        width, height = tool_picture_size(picture)
        side = (width**2 + height**2) ** 0.5
        box = f"{(width - side) / 2:g} {(height - side) / 2:g} {side:g} {side:g}"
        return _render_image(
            picture, side, side, box, f'transform="rotate({degrees:g} {width / 2:g} {height / 2:g})"'
        )

    return execute


def tool_picture_size(picture: bytes) -> tuple[int, int]:
    """Return width and height from the header of a PNG."""
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")


def _render_image(picture: bytes, wide: float, high: float, box: str, how: str) -> ContentImage:
    width, height = tool_picture_size(picture)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{high:g}" viewBox="{box}">'
        f'<g {how}><image width="{width}" height="{height}" href="{_data_url(picture)}"/></g></svg>'
    )
    return ContentImage(image=_data_url(render_png(svg, zoom=1)))


def _data_url(picture: bytes) -> str:
    return f"data:image/png;base64,{b64encode(picture).decode()}"
