"""What a game says about its prompts for language models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class PromptHints(Struct, frozen=True):
    """What a prompt for language models depends on beside the drawing of a view."""

    section: str = ""
    """The kind of reply that is expected, if a game has several: prompts have a section for each."""
    terms: Mapping[str, str] = {}
    """Values to fill into that section."""
    alone: bool = False
    """A reply depends on nothing else: language models are not shown earlier turns."""


class Wordings(Struct, frozen=True, kw_only=True):
    """The wordings of a game's prompts for language models."""

    default: str = "plain"
    about: Mapping[str, str] = {}
    """What distinguishes each wording, by name."""
    unlisted: tuple[str, ...] = ()
    """Wordings that can be chosen by name but are no part of `all`, such as those of earlier versions."""


class FormerDefaults(Struct, frozen=True, kw_only=True):
    """Defaults of an earlier version. Runs that were begun with them are resumed with them."""

    settings: Mapping[str, Any] = {}
    wordings: Wordings | None = None
