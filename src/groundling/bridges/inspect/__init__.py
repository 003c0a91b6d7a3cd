"""The bridge to Inspect AI: games as tasks, our players as models, its logs as runs."""

from groundling.bridges.inspect.tasks import codraw, director, game_from_file, hexagons, image, reference

__all__ = ["codraw", "director", "game_from_file", "hexagons", "image", "reference"]
