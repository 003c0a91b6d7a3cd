"""The bridge to Inspect AI: games as tasks, our players as models, its logs as runs."""

from groundling.core.values import missing_extra

try:
    from groundling.bridges.inspect.tasks import codraw, director, game_from_file, hexagons, image, reference
except ModuleNotFoundError as trouble:
    if trouble.name != "inspect_ai":
        raise
    raise missing_extra("llm") from None

__all__ = ["codraw", "director", "game_from_file", "hexagons", "image", "reference"]
