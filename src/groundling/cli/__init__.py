"""The command line: parses options, calls other packages and prints. It knows no game."""

from groundling.cli.main import main

__all__ = ["main"]
