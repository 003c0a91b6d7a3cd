"""Shapes by name."""

from .figure import figure, put_named

__all__ = ["figure", "put_named"]
