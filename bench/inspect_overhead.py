"""What our task adds to what Inspect itself needs: CPU a sample of a reference game, beside a bare task that
asks the same two questions. Both are asked of a model that answers at once."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Any

from inspect_ai import Task, task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, ModelUsage, get_model, modelapi
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

QUESTION = "Here are three grids. " * 40


class AtOnce(ModelAPI):
    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:  # noqa: A002
        giver = self.model_name == "giver"
        output = ModelOutput.from_content(
            self.model_name, "Expression: the cross" if giver else "Answer: second"
        )
        output.usage = ModelUsage(input_tokens=200, output_tokens=5, total_tokens=205)
        return output


@modelapi(name="at-once")
def at_once() -> type[ModelAPI]:
    return AtOnce


@solver
def two_calls() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        for role in ("giver", "follower"):
            state.output = await get_model(role=role, required=True).generate(QUESTION)
        return state

    return solve


@scorer(metrics=[mean()])
def one() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=1)

    return score


@task
def bare(n: int) -> Task:
    return Task(dataset=[Sample(input=QUESTION, id=k) for k in range(n)], solver=two_calls(), scorer=one())


def milliseconds(folder: Path, what: Any, samples: int, **arguments: Any) -> float:
    roles = {role: f"at-once/{role}" for role in ("giver", "follower")}
    start = process_time()
    (log,) = evaluate(what, task_args=arguments, model_roles=roles, log_dir=str(folder), display="none")
    assert log.status == "success", log.error
    return 1000 * (process_time() - start) / samples


def both(folder: Path, n: int = 144) -> tuple[float, float]:
    """Our task, and the bare one; the first run of each is for warming up."""
    ours, theirs = [], []
    for _ in range(3):
        ours.append(milliseconds(folder, "groundling/reference", n, seed=1, n=n))
        theirs.append(milliseconds(folder, bare(n), n))
    return min(ours[1:]), min(theirs[1:])
