"""The drawing language: programs that paint the hexagon board, as values (`shapes.py`, `statements.py`) and
as text.

`parse_program(write_program(program)) == program`; `run_program(program)` returns the board it paints;
`language_reference()` explains the language."""

from importlib.resources import files

from groundling.games.hexagons.program.drawn import Action, Drawn, Stroke
from groundling.games.hexagons.program.parse import parse
from groundling.games.hexagons.program.run import actions, run, trace
from groundling.games.hexagons.program.shapes import ProgramError
from groundling.games.hexagons.program.text import write
from groundling.games.hexagons.program.values import Program

__all__ = [
    "Action",
    "Drawn",
    "Program",
    "ProgramError",
    "Stroke",
    "actions",
    "parse",
    "reference",
    "run",
    "trace",
    "write",
]


def reference() -> str:
    """Return the language on one page, suitable for a prompt."""
    return (files(__name__) / "reference.txt").read_text(encoding="utf-8").rstrip("\n")
