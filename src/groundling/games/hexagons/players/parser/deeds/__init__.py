"""What instructions ask for, carried out."""

from .perform import perform

__all__ = ["perform"]
