"""The games as Inspect tasks: `inspect eval groundling/reference`, or the path of this file with
`@reference`.

The functions are written out so that editors find them. For games of other packages see `_registry.py`."""

from typing import Any

from inspect_ai import Task, task

from groundling.bridges.inspect.build import build, with_parameters


@task
@with_parameters("reference")
def reference(**options: Any) -> Task:
    """Which of three grids is meant?"""
    return build("reference", options)


@task
@with_parameters("codraw")
def codraw(**options: Any) -> Task:
    """Rebuild a clip-art scene from what somebody tells of it."""
    return build("codraw", options)


@task
@with_parameters("hexagons")
def hexagons(**options: Any) -> Task:
    """Carry out drawing instructions on a board of hexagons."""
    return build("hexagons", options)


@task
@with_parameters("image")
def image(**options: Any) -> Task:
    """Draw on a grid what somebody describes."""
    return build("image", options)


@task
@with_parameters("director")
def director(**options: Any) -> Task:
    """What does somebody mean who stands behind the shelf?"""
    return build("director", options)
