"""The drawing language: programs that paint the hexagon board, as values (`shapes.py`, `values.py`) and as text.

`parse(write(program)) == program`; `run(program)` is the board it paints; `reference()` tells how to write one.
"""

from importlib.resources import files

from .drawn import Action, Drawn, Stroke
from .parse import parse
from .run import actions, run, trace
from .shapes import ProgramError
from .text import write
from .values import Program

__all__ = ["Action", "Drawn", "Program", "ProgramError", "Stroke", "actions", "parse", "reference", "run", "trace", "write"]


def reference() -> str:
    """The language on one page, fit for a prompt."""
    return (files(__name__) / "reference.txt").read_text(encoding="utf-8").rstrip("\n")
