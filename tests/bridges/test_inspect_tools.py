"""With `-T tools=true` a model may look closer before it answers."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ContentImage, ModelOutput, ModelUsage, get_model

from groundling.boards.picture import render_png, svg_document
from groundling.bridges.inspect.tools import MAX_TOOL_ROUNDS, crop, rotate, tool_picture_size

from .helpers import evaluate

#  A red half on the left, a blue one on the right.
HALVES = render_png(
    svg_document(
        100,
        60,
        '<rect width="50" height="60" fill="#f00"/><rect x="50" width="50" height="60" fill="#00f"/>',
        "halves",
    ),
    1,
)


def used(tool: Any, **arguments: float) -> bytes:
    found = asyncio.run(tool(HALVES)(**arguments))
    assert isinstance(found, ContentImage)
    return b64decode(found.image.partition(",")[2])


def test_a_part_is_shown_as_large_as_the_picture() -> None:
    assert tool_picture_size(HALVES) == (100, 60)
    assert tool_picture_size(used(crop, left=0, top=0, right=0.5, bottom=0.5)) == (100, 60)
    assert tool_picture_size(used(crop, left=0, top=0, right=0.5, bottom=1)) == (50, 60)
    whole, left = (used(crop, left=0, top=0, right=right, bottom=1) for right in (1, 0.5))
    assert len(left) < len(whole), "one colour takes less than two"


@pytest.mark.parametrize("box", [(0.9, 0.9, 0.1, 0.1), (-3, -3, 9, 9), (1, 1, 1, 1)])
def test_whatever_part_is_asked_for_there_is_a_picture(box: tuple[float, ...]) -> None:
    picture = used(crop, **dict(zip(("left", "top", "right", "bottom"), box, strict=True)))
    assert min(tool_picture_size(picture)) > 0


def test_a_turned_picture_has_room_for_its_corners() -> None:
    assert tool_picture_size(used(rotate, degrees=45)) == (117, 117)


def calls(*names: str) -> Any:
    """A model that uses these tools, one after the other, and then answers."""
    arguments: dict[str, dict[str, Any]] = {
        "crop": {"left": 0, "top": 0, "right": 0.5, "bottom": 0.5},
        "rotate": {"degrees": 180},
        "think": {"thought": "who sees what?"},
    }
    outputs = [ModelOutput.for_tool_call("mockllm/model", name, arguments[name]) for name in names]
    outputs.append(ModelOutput.from_content("mockllm/model", "A1"))
    for output in outputs:
        output.usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def test_a_model_uses_its_tools_and_then_answers(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/director",
        tmp_path,
        model=calls("think", "crop", "rotate"),
        task_args={"tools": True, "see": "image", "n": 1},
    )
    (sample,) = log.samples or []
    used = [event.function for event in sample.events if event.event == "tool"]
    assert used == ["think", "crop", "rotate"]
    assert sample.messages[-1].text == "[participant] A1"
    replies = [event for event in sample.store["transcript"] if event["type"] == "replied"]
    assert replies[0]["usage"]["total_tokens"] == 40, "all that was asked is counted"


def test_without_eyes_there_is_only_thinking(tmp_path: Path) -> None:
    log = evaluate("groundling/director", tmp_path, model=calls("crop"), task_args={"tools": True, "n": 1})
    (sample,) = log.samples or []
    errors = [event.error for event in sample.events if event.event == "tool"]
    assert errors[0] is not None, "there is no picture to crop"


def test_at_last_there_must_be_an_answer(tmp_path: Path) -> None:
    log = evaluate(
        "groundling/director",
        tmp_path,
        model=calls(*["think"] * (MAX_TOOL_ROUNDS + 2)),
        task_args={"tools": True, "n": 1, "retries": 0},
    )
    (sample,) = log.samples or []
    asked = [event for event in sample.events if event.event == "model"]
    assert len(asked) == MAX_TOOL_ROUNDS + 1
    assert asked[-1].tool_choice == "none"
