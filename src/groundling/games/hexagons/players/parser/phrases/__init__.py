"""Plain words as phrases."""

from .pieces import COL
from .scan import scan

__all__ = ["COL", "scan"]
