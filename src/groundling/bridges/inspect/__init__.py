"""Every game as a task of Inspect AI, our players as its models, its logs as our runs."""

from groundling.bridges.inspect.tasks import codraw, director, hexagons, image, reference

__all__ = ["codraw", "director", "hexagons", "image", "reference"]
