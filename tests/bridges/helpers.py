"""What the tests of the Inspect bridge share: runs of its tasks, without a display."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from groundling.core.pack import find, load


def ours(game: str, **players: str) -> dict[str, Any]:
    return {role: f"groundling/{game}/{player}" for role, player in players.items()}


def evaluate(task: str, folder: Path, **options: Any) -> EvalLog:
    (log,) = inspect_eval(task, log_dir=str(folder), display="none", **options)
    return log


def means(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {score.name: score.metrics["mean"].value for score in log.results.scores}


def mock(*texts: str) -> Any:
    """Inspect's own scripted model. Without usage it would look for a tokenizer on the network."""
    usage = ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts]
    for output in outputs:
        output.usage = usage
    return get_model("mockllm/model", custom_outputs=outputs)


def scripts(game: str, folder: Path, **replies: list[str]) -> dict[str, Path]:
    """A file for each seat with these replies to every instance, but the second: its first reply is
    malformed."""
    instances = load(find(game).builtin)()
    found = {}
    for role, said in replies.items():
        lines = [
            {"episode": one.id, "replies": ["", *said] if one is instances[1] else said} for one in instances
        ]
        found[role] = folder / f"{role}.jsonl"
        found[role].write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return found
