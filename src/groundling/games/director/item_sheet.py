"""A file of items as it is written: the properties, the items, and what items have by default."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from groundling.core.values import Problem

Role: TypeAlias = Literal["category", "colour", "size", "material", "quality"]
Slot: TypeAlias = Literal["category", "colour", "material", "quality"]
SLOTS: tuple[Slot, ...] = get_args(Slot)
"""The roles for which an item lists properties; those of role size follow from its size."""
Number: TypeAlias = Literal["singular", "plural", "mass", "pair"]
Texts: TypeAlias = tuple[Annotated[str, Meta(min_length=1)], ...]


class Property(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something that an item can be asked for by, with its words."""

    name: Annotated[str, Meta(min_length=1, description="unique among the properties")]
    role: Role
    number: Annotated[
        Number, Meta(description="of a category: grapes are plural, soup is mass, socks are a pair")
    ] = "singular"
    one: Annotated[str, Meta(description="of a category: the noun for one, or for a mass")] = ""
    many: Annotated[
        str, Meta(description="of a category: the noun for several, or for what is plural or a pair")
    ] = ""
    adjective: Annotated[str, Meta(description="the adjective before the noun: red")] = ""
    rank: Annotated[int, Meta(ge=0, description="of adjectives: lower ranks come first")] = 0
    clause: Annotated[str, Meta(description="the clause after the noun instead: that holds water")] = ""
    clauses: Annotated[str, Meta(description="the same after a plural: that hold water")] = ""
    also: Annotated[Texts, Meta(description="synonyms, which are understood but not used")] = ()
    physics: Annotated[
        bool, Meta(description="of a quality: it depends on how items behave, not on their looks")
    ] = False
    asked: Annotated[bool, Meta(description="requests may use it; otherwise it only describes")] = True
    generic: Annotated[bool, Meta(description="the one category that all items have")] = False
    sizes: Annotated[tuple[int, ...], Meta(description="of a size: the sizes that it names")] = ()

    @property
    def all_words(self) -> Iterator[str]:
        """All words and phrases for the property."""
        return (
            word
            for word in (self.one, self.many, self.adjective, self.clause, self.clauses, *self.also)
            if word
        )


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One item. Missing fields come from the file's defaults, so that all items have the same properties."""

    name: Annotated[
        str,
        Meta(min_length=1, description="unique; it appears in the text view, so it describes what is seen"),
    ]
    drawing: Annotated[str, Meta(description="one of our drawings")] = ""
    picture: Annotated[
        str, Meta(description="instead of a drawing: an SVG or PNG file, relative to this file")
    ] = ""
    size: Annotated[int, Meta(ge=0, le=20, description="a larger number is a larger item")] | None = None
    category: Texts | None = None
    colour: Annotated[Texts, Meta(description="the drawing has the first of these colours")] | None = None
    material: Texts | None = None
    quality: Texts | None = None

    def slot_values(self, role: Slot) -> tuple[str, ...] | None:
        found: tuple[str, ...] | None = getattr(self, role)
        return found


class Defaults(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an item has that does not say otherwise. Without a default every item must say."""

    size: Annotated[int, Meta(ge=0, le=20)] | None = None
    category: Texts | None = None
    colour: Texts | None = None
    material: Texts | None = None
    quality: Texts | None = None


class Sheet(Struct, frozen=True, kw_only=True, rename={"schema": "$schema"}, forbid_unknown_fields=True):
    """A file of items as it is written."""

    schema: str = "items.schema.json"
    version: Literal[1] = 1
    defaults: Defaults = Defaults()
    properties: tuple[Property, ...]
    items: tuple[Entry, ...]


def our_item_sheet() -> Sheet:
    """Read the bundled file of items."""
    return msgspec.json.decode((files(__package__) / "items.json").read_bytes(), type=Sheet)


def read_item_sheet(path: Path) -> Sheet:
    """Read a file of items and validate its form, without further checks."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Sheet)
    except msgspec.ValidationError as trouble:
        raise Problem(
            f"{path} is not a file of items ({trouble}): correct it, see items.schema.json for the format"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise Problem(f"{path} is not JSON ({trouble}): correct it there") from None


def fill_defaults(entry: Entry, defaults: Defaults) -> Entry:
    """Return the item with defaults in place of missing values."""
    given = {name: getattr(defaults, name) for name in ("size", *SLOTS) if getattr(entry, name) is None}
    return msgspec.structs.replace(entry, **given)


def items_schema() -> dict[str, Any]:
    """The JSON schema of a file of items."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Items of a shelf",
    } | msgspec.json.schema(Sheet)
