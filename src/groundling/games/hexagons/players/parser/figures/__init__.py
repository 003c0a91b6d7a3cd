"""Shapes by name."""

from .figure import figure, put_named
from .whole import whole_figure

__all__ = ["figure", "put_named", "whole_figure"]
