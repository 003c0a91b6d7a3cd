"""The games as Inspect tasks: `inspect eval groundling/reference`, or the path of this file with
`@reference`.

The functions are written out so that editors find them. For games of other packages see `_registry.py`."""

from typing import Any

from inspect_ai import Task, task

from groundling.bridges.inspect.task_builder import build_task, with_task_parameters


@task
@with_task_parameters("reference")
def reference(**options: Any) -> Task:
    """Which of three grids is meant?"""
    return build_task("reference", options)


@task
@with_task_parameters("codraw")
def codraw(**options: Any) -> Task:
    """Rebuild a clip-art scene from a partner's description."""
    return build_task("codraw", options)


@task
@with_task_parameters("hexagons")
def hexagons(**options: Any) -> Task:
    """Carry out drawing instructions on a board of hexagons."""
    return build_task("hexagons", options)


@task
@with_task_parameters("image")
def image(**options: Any) -> Task:
    """Draw on a grid what somebody describes."""
    return build_task("image", options)


@task
@with_task_parameters("director")
def director(**options: Any) -> Task:
    """Pick the item that a person behind the shelf means."""
    return build_task("director", options)


@task(name="game")
def game_from_file(game: str, **options: Any) -> Task:
    """Play a game that is not installed: FILE.py or PACKAGE:PACK."""
    return build_task(game, options)
