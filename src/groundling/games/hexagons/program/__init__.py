"""The drawing language: programs that paint the hexagon board, as values (`shapes.py`, `statements.py`) and
as text.

`parse_program(write_program(program)) == program`; `run_program(program)` returns the board it paints;
`language_reference()` explains the language."""

from importlib.resources import files

from groundling.games.hexagons.program.formatting import format_program
from groundling.games.hexagons.program.interpreter import interpret_actions, interpret_program, run_program
from groundling.games.hexagons.program.shapes import ProgramError
from groundling.games.hexagons.program.statement_parser import parse_statements
from groundling.games.hexagons.program.statements import Program
from groundling.games.hexagons.program.trace_result import Action, ProgramStroke, ProgramTrace

__all__ = [
    "Action",
    "Program",
    "ProgramError",
    "ProgramStroke",
    "ProgramTrace",
    "format_program",
    "former_language_reference",
    "interpret_actions",
    "interpret_program",
    "language_reference",
    "parse_statements",
    "run_program",
]


_NEWER = ("inside ", "SHAPE moved ")
"""The beginnings of lines that the page of earlier versions did not have."""


def language_reference() -> str:
    """Return the language on one page, suitable for a prompt."""
    return (files(__name__) / "reference.txt").read_text(encoding="utf-8").rstrip("\n")


def former_language_reference() -> str:
    """Return the page as the prompts of earlier versions have it."""
    return "\n".join(line for line in language_reference().splitlines() if not line.startswith(_NEWER))
