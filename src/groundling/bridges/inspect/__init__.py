"""Every game as a task of Inspect AI, our players as its models, its logs as our runs."""

from groundling.bridges.inspect.tasks import director, image, reference

__all__ = ["director", "image", "reference"]
