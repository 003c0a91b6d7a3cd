"""Registers a task for every installed game, third-party ones included, and our players as models of
Inspect."""

from typing import Any

from inspect_ai import Task, task

from groundling.bridges.inspect import models, tasks
from groundling.bridges.inspect.build import build, with_parameters
from groundling.bridges.inspect.scoring import game_scores
from groundling.core.pack import packs

__all__ = ["game_scores", "models", "tasks"]


def _task(name: str) -> Any:
    def made(**options: Any) -> Task:
        return build(name, options)

    return task(name=name)(with_parameters(name)(made))


others = {name: _task(name) for name in packs() if not hasattr(tasks, name)}
