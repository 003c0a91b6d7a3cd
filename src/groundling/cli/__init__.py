"""The command line: parse, call, print. It knows no game."""

from groundling.cli.main import main

__all__ = ["main"]
