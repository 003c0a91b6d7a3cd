"""A task file with a model that takes its time, and one that fails every other time it is asked about an
instance."""

import asyncio
import os
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi

from groundling.bridges.inspect.task_builder import build_task


@task
def reference(**options: Any) -> Task:
    return build_task("reference", options)


def answer(name: str) -> ModelOutput:
    output = ModelOutput.from_content(name, "Answer: first")
    output.usage = ModelUsage(input_tokens=5, output_tokens=5, total_tokens=10)
    return output


class Slow(ModelAPI):
    async def generate(
        self,
        input: list[Any],  # noqa: A002
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        with Path(os.environ["ASKED"]).open("a") as file:
            file.write("asked\n")
        await asyncio.sleep(float(self.model_name))
        return answer(self.model_name)


class Moody(ModelAPI):
    async def generate(
        self,
        input: list[Any],  # noqa: A002
        tools: Any,
        tool_choice: Any,
        config: GenerateConfig,
    ) -> ModelOutput:
        counter = Path(os.environ["ASKED"])
        with counter.open("a") as file:
            file.write("asked\n")
        if len(counter.read_text().splitlines()) == int(self.model_name):
            raise ConnectionError("the line is dead")
        return answer(self.model_name)


@modelapi(name="slow")
def slow() -> type[ModelAPI]:
    return Slow


@modelapi(name="moody")
def moody() -> type[ModelAPI]:
    return Moody
