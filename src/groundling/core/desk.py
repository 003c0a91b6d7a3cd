"""A view, for hands: what a person in that seat sees in a browser and can do there. No page knows a game;
they know desks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from groundling.core.values import Role


class Panel(Struct, frozen=True, gc=False):
    """A picture with a heading. It holds nothing that a person wrote."""

    name: str
    title: str
    svg: str
    over: bool = False
    """It lies over the rest of the page while it is there."""


class Line(Struct, frozen=True, gc=False):
    """Something that was said."""

    who: Literal["me", "partner", ""]
    text: str
    current: bool = False
    """It is what has to be done now."""


class Box(Struct, frozen=True, gc=False):
    """Where words are typed. They become one Say."""

    label: str
    button: str = "Send"
    most: int = 0
    """Characters at most; 0: as many as the server takes."""
    lines: bool = False
    """The text may have several lines."""
    after: tuple[Any, ...] = ()
    """Moves that belong to the same reply."""


class Button(Struct, frozen=True, gc=False):
    label: str
    moves: tuple[Any, ...]
    confirm: str = ""
    """What to ask before it is done, where it cannot be undone."""


class Choice(Struct, frozen=True, gc=False):
    """Part of a picture that can be clicked."""

    element: str
    """The id of the SVG element."""
    label: str
    moves: tuple[Any, ...]


class Desk(Struct, frozen=True, gc=False):
    now: str
    """What is expected of this seat at the moment, in a sentence."""
    panels: tuple[Panel, ...]
    talk: tuple[Line, ...] = ()
    steps: bool = False
    """What was said is a numbered list of steps rather than a talk."""
    say: Box | None = None
    buttons: tuple[Button, ...] = ()
    choices: tuple[Choice, ...] = ()
    tool: str = ""
    """The script that turns clicks and drags on the panel `work` into moves, where choices do not suffice."""
    facts: Mapping[str, Any] = {}
    """What that script has to know."""


Desks: TypeAlias = Callable[[Any, bool], Desk]
"""The desk for a view; and whether it is that seat's turn."""


class Canvas(Struct, frozen=True):
    """Where somebody draws a new instance, alone."""

    desk: Callable[[], Desk] | str
    """An empty one: the panel `work`, the tool and what it has to know."""
    made: Callable[[str, Sequence[Any]], Any] | str
    """The instance of that id that these moves draw; Illegal where they do not."""


class Exhibit(Struct, frozen=True):
    """Something that games are made of, to be looked at beside their instances."""

    id: str
    set: str
    facts: Mapping[str, str]
    picture: str
    """As an SVG."""


class Gallery(Struct, frozen=True, kw_only=True):
    """A game's instances, to be looked at with all that players must not know."""

    facts: Callable[[Any], Mapping[str, str]] | str
    """What an instance is like, in a few words each, by name."""
    by: tuple[str, ...] = ()
    """The facts that instances can be chosen by, besides their sets."""
    picture: Callable[[Any], str] | str | None = None
    """As an SVG; None: what the first seat sees."""
    text: Callable[[Any], str] | str | None = None
    """How it was made, such as a program, where that is known."""
    canvas: Canvas | None = None
    also: Mapping[str, Callable[[], Sequence[Exhibit]] | str] = {}
    """What else is on show, by what it is called."""


class Live(Struct, frozen=True, kw_only=True):
    """How people play a game in a browser."""

    title: str
    """The game's name, as people write it."""
    desk: Desks | str
    help: Mapping[Role, Sequence[str]] | str
    """What a person in that seat has to know, in a few sentences."""
    partners: Mapping[Role, str]
    """Who sits in a seat if no other person does."""
    settings: Mapping[str, Any] = {}
    """What people play by, where it is not the default."""
    minutes: int = 20
    """A game may take so long."""
    gallery: Gallery | None = None
    """How its instances are shown, where whoever runs a server lets people see them."""
