"""The command line: parse, call, print. It knows no game."""

from .main import main

__all__ = ["main"]
