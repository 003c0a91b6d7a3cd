"""A view as it is drawn for players: as text and as SVG."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from msgspec import Struct

from groundling.core.text_svg import text_svg


class Drawing(Struct, frozen=True, eq=False, dict=True):
    """A rendered view: the board as text, the words said so far, and both as one SVG."""

    board: str
    draw_svg: str | Callable[[], str] = ""
    """The SVG, or a function that returns it: drawing takes longer than writing, and few need both."""
    words: str = ""

    @cached_property
    def svg(self) -> str:
        """Empty where a game draws only text."""
        return self.draw_svg if isinstance(self.draw_svg, str) else self.draw_svg()

    @property
    def text(self) -> str:
        """The board and the words."""
        return f"{self.board}\n\n{self.words}" if self.words else self.board

    @property
    def picture(self) -> str:
        """The SVG, of the text where the game draws none."""
        return self.svg or text_svg(self.text)
