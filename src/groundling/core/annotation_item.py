"""What annotators look at: one item with its context. Tables of items are JSONL files with these fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class ItemPicture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture of an item: an SVG, an image file, or a board as the game writes it. One of the three."""

    title: str = ""
    svg: str = ""
    file: str = ""
    """An image file, relative to the folder of the table."""
    board: str = ""
    """A board, which the game's `BoardEditor` draws."""
    against: str = ""
    """Another board; tiles that differ from it are marked."""


class AnnotationItem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One item, such as a step of a procedure, an episode, an image, or a row of any table. Annotators see
    all but `id`, `cluster` and `answers`; nothing that they see may say who made it."""

    id: str
    text: str = ""
    """What is annotated. Spans count its characters."""
    before: tuple[str, ...] = ()
    """What came before it, such as earlier instructions, the oldest first."""
    facts: Mapping[str, str] = {}
    """Further texts that are shown, by name."""
    pictures: tuple[ItemPicture, ...] = ()
    """In the order in which they are shown."""
    board: str = ""
    """The board from which a correction starts, as the game writes it."""
    cluster: str = ""
    """Items of the same cluster are not independent."""
    answers: Mapping[str, Any] = {}
    """The known answers by field, for practice, in the form in which labels are stored."""
