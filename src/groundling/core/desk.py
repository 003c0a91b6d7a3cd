"""The Desk: what a person in a seat sees and can do in a browser, so that web pages need to know no game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from groundling.core.values import Role


class Panel(Struct, frozen=True, gc=False):
    """A picture with a heading. It contains no text that a person wrote."""

    name: str
    title: str
    svg: str


class Line(Struct, frozen=True, gc=False):
    """One line of the conversation."""

    who: Literal["me", "partner", ""]
    text: str
    current: bool = False
    """The instruction to carry out now."""
    aside: bool = False
    """It belongs to the step before, and is not a step itself."""


class Box(Struct, frozen=True, gc=False):
    """A text field whose content becomes one Say, or one for each line where it is a `page`."""

    label: str
    button: str = "Send"
    most: int = 0
    """Maximum number of characters; 0 for the limit of the server."""
    lines: bool = False
    """The text may have several lines."""
    after: tuple[Any, ...] = ()
    """Moves that belong to the same reply."""
    page: bool = False
    """Only the button sends; Enter begins a new line, and every line becomes a Say."""
    most_lines: int = 0
    """With `page`: the number of lines with which the turn ends by itself, without `after`."""
    confirm: str = ""
    """The question to ask first, if it cannot be undone."""


class Button(Struct, frozen=True, gc=False):
    label: str
    moves: tuple[Any, ...]
    confirm: str = ""
    """The question to ask first, if it cannot be undone."""
    main: bool = False
    """The action with which this turn usually ends; a page shows it as its primary button."""


class Choice(Struct, frozen=True, gc=False):
    """A part of a picture that can be selected; a button then confirms it."""

    element: str
    """The id of the SVG element."""
    label: str
    moves: tuple[Any, ...]
    button: str = "Confirm"
    """The label of the button while this is selected."""


class Desk(Struct, frozen=True, gc=False):
    now: str
    """One sentence on what is expected of this seat at the moment."""
    panels: tuple[Panel, ...]
    talk: tuple[Line, ...] = ()
    steps: bool = False
    """Show `talk` as a numbered list of steps rather than a conversation."""
    say: Box | None = None
    buttons: tuple[Button, ...] = ()
    choices: tuple[Choice, ...] = ()
    tool: str = ""
    """The script that turns clicks and drags on the panel `work` into moves, if choices do not suffice."""
    facts: Mapping[str, Any] = {}
    """The data for that script."""


class GameComparison(Struct, frozen=True, gc=False):
    """What was meant beside what was done, for the players once the game is over."""

    sentence: str
    """How close they are, such as "7 of 9 tiles are right."."""
    panels: tuple[Panel, ...]


def describe_share_right(right: int, total: int, thing: str, wrong: int = 0) -> str:
    """Say how many of the things that were meant are right, and how many others are wrong."""
    things = thing if total == 1 else f"{thing}s"
    of = f"All {total}" if right == total > 1 else f"{right} of {total}"
    share = f"{of} {things} {'is' if right == 1 else 'are'} right"
    return f"{share}." if not wrong else f"{share}, and {wrong} {'is' if wrong == 1 else 'are'} wrong."


Desks: TypeAlias = Callable[[Any, bool], Desk]
"""Makes the desk of a view; the second argument says whether it is that seat's turn."""
SeatHelp: TypeAlias = Callable[[Any, Any, Role], Sequence[str]]
"""Returns the instructions for a person, given the game with its settings, the instance and the seat."""


class Canvas(Struct, frozen=True):
    """A page on which one person draws a new instance."""

    desk: Callable[[], Desk] | str
    """Makes an empty desk: the panel `work`, the tool and its data."""
    made: Callable[[str, Sequence[Any]], Any] | str
    """Makes the instance of that id that these moves draw, or raises Illegal."""
    moves: Callable[[Any], Sequence[Any]] | str | None = None
    """Returns the moves that draw an instance, for bots."""
    copies: Callable[[Any, Sequence[Any]], bool] | str | None = None
    """Whether an instance is nearly a copy of one of the others."""


class BoardEditor(Struct, frozen=True):
    """How annotators see and correct boards, which are texts as the game writes them."""

    draw: Callable[[str, str], str] | str
    """Returns an SVG of a board. Tiles that differ from the second board are marked, where that is not ""."""
    desk: Callable[[str], Desk] | str
    """Makes the desk on which a board is corrected: the panel `work`, the tool and its data."""
    paint: Callable[[str, Sequence[Any]], str] | str
    """Returns the board that these moves make of a board, or raises Illegal."""
    changes: Callable[[str, str], Sequence[Any]] | str
    """Returns moves that make the second board of the first."""


class Exhibit(Struct, frozen=True):
    """Material of a game, such as an item, that the gallery shows beside the instances."""

    id: str
    set: str
    facts: Mapping[str, str]
    picture: str
    """An SVG."""


class Gallery(Struct, frozen=True, kw_only=True):
    """How a game's instances are shown in full, with all that players must not know."""

    facts: Callable[[Any], Mapping[str, str]] | str
    """Returns the properties of an instance, in a few words each, by name."""
    by: tuple[str, ...] = ()
    """The facts by which instances can be filtered, besides their sets."""
    picture: Callable[[Any], str] | str | None = None
    """Returns an SVG; None for the view of the first seat."""
    text: Callable[[Any], str] | str | None = None
    """Returns how it was made, such as a program, if that is known."""
    canvas: Canvas | None = None
    also: Mapping[str, Callable[[], Sequence[Exhibit]] | str] = {}
    """Further exhibits by title."""


class Preset(Struct, frozen=True, kw_only=True):
    """A way to play that the home page offers in words."""

    title: str
    about: str
    """What a person does, in one sentence."""
    settings: Mapping[str, Any] = {}
    """What it changes in the settings for people."""
    seats: tuple[Role, ...] = ()
    """The seats that people may take, while players take the others; none: all seats."""


PLAY_TOGETHER = Preset(title="Play together", about="Play with another person, or with a built-in partner.")


class QuizItem(Struct, frozen=True):
    """A question about the rules of a game."""

    text: str
    right: str
    wrong: tuple[str, ...]


class Live(Struct, frozen=True, kw_only=True):
    """How people play a game in a browser."""

    title: str
    """The game's display name."""
    desk: Desks | str
    help: Mapping[Role, Sequence[str]] | SeatHelp | str
    """The instructions for a person in that seat, in a few sentences, or a function that returns them."""
    partners: Mapping[Role, str]
    """The player that takes a seat if no other person does."""
    bots: Mapping[Role, tuple[str, ...]] = {}
    """Players from which bots in a pilot of a study choose, by seat; none: the one in `partners`."""
    quiz: tuple[QuizItem, ...] = ()
    """What people who have read the help can answer, for the quizzes of studies."""
    settings: Mapping[str, Any] = {}
    """Settings for people that differ from the defaults."""
    presets: tuple[Preset, ...] = (PLAY_TOGETHER,)
    """Ways to play, the usual one first."""
    follow_up: Preset | None = None
    """How others carry out the instance that a finished game has made (`DataHooks.made`)."""
    minutes: int = 20
    """Time limit of a game."""
    gallery: Gallery | None = None
    """How its instances are shown, if the server offers a gallery."""
    boards: BoardEditor | None = None
    """How annotators see and correct its boards."""
    farewell: Callable[[Any, Sequence[Any], str], Sequence[Any]] | str | None = None
    """Returns the moves with which a program takes leave by a message, given its view, the moves that it
    would make, and the message; none where these moves do not end the game, or it has taken leave."""
    compare: Callable[[Any, Any], GameComparison] | str | None = None
    """Compares what was meant with what was done, given the game and its last state; None: the score and what
    each seat saw."""
    yields: Callable[[Any], Sequence[Any]] | str | None = None
    """Returns the moves with which the seat of a view lets a partner who acts first do so; none where the
    partner has to wait. A room makes them when a person acts in another seat."""
    reads: bool = False
    """What a person writes is read by the game, like a text of any player, rather than taken as a Say."""
