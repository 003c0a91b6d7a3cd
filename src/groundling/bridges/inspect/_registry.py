"""Registers a task for each installed game, also third-party ones, and our players as models of Inspect."""

from typing import Any

from inspect_ai import Task, task

from groundling.bridges.inspect import models, tasks
from groundling.bridges.inspect.scoring import game_scores
from groundling.bridges.inspect.task_builder import build_task, with_task_parameters
from groundling.core.pack import installed_packs

__all__ = ["game_scores", "models", "tasks"]


def _make_task(name: str) -> Any:
    def game_task(**options: Any) -> Task:
        return build_task(name, options)

    return task(name=name)(with_task_parameters(name)(game_task))


others = {name: _make_task(name) for name in installed_packs() if not hasattr(tasks, name)}
