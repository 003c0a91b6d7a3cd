"""The items that shelves are filled with: their properties, their looks, and the words for both.

All of it is data: our file is items.json beside this module, and users may bring their own of the same form
(items.schema.json)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from groundling.boards.shelf import Item
from groundling.boards.things import PAINTS, Look
from groundling.boards.things.paint import PATTERNS
from groundling.core.values import Problem

Role: TypeAlias = Literal["category", "colour", "size", "material", "quality"]
ROLES: tuple[Role, ...] = get_args(Role)
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
    adjective: Annotated[str, Meta(description="what stands before the noun: red")] = ""
    rank: Annotated[int, Meta(ge=0, description="of adjectives: lower ones stand first")] = 0
    clause: Annotated[str, Meta(description="what stands behind the noun instead: that holds water")] = ""
    clauses: Annotated[str, Meta(description="the same behind a plural: that hold water")] = ""
    also: Annotated[Texts, Meta(description="other words for it, which are understood but not said")] = ()
    physics: Annotated[
        bool, Meta(description="of a quality: it takes knowing how things behave, not just looking")
    ] = False
    asked: Annotated[bool, Meta(description="requests may use it; else it only describes")] = True
    generic: Annotated[bool, Meta(description="the one category that is everything's")] = False
    sizes: Annotated[tuple[int, ...], Meta(description="of a size: what sizes it is the word for")] = ()

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
        str, Meta(min_length=1, description="unique; it stands in the text view, so it tells what is seen")
    ]
    drawing: Annotated[str, Meta(description="one of our drawings")] = ""
    picture: Annotated[str, Meta(description="instead: an SVG or PNG file, seen from this one")] = ""
    size: Annotated[int, Meta(ge=0, le=20, description="a larger number is a larger thing")] | None = None
    category: Texts | None = None
    colour: Annotated[Texts, Meta(description="the drawing is painted in the first")] | None = None
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


class Items(Struct, frozen=True, dict=True):
    """A checked sheet: items and properties by name."""

    properties: Mapping[str, Property]
    entries: Mapping[str, Entry]
    """Every item with the defaults filled in."""
    folder: str = ""
    """The folder of the pictures; "" for our items, which are drawn."""

    @cached_property
    def shelf_items(self) -> Mapping[str, Item]:
        return {
            name: Item(name, frozenset(self._entry_tags(entry)), entry.size or 0)
            for name, entry in self.entries.items()
        }

    def _entry_tags(self, entry: Entry) -> Iterator[str]:
        for role in SLOTS:
            yield from entry.slot_values(role) or ()
        yield from (
            name
            for name, found in self.properties.items()
            if found.role == "size" and entry.size in found.sizes
        )

    @cached_property
    def item_looks(self) -> Mapping[str, Look]:
        return {name: self._entry_look(entry) for name, entry in self.entries.items()}

    def _entry_look(self, entry: Entry) -> Look:
        if entry.picture:
            return Look(picture=picture_data_url(Path(self.folder) / entry.picture))
        colour = next((colour for colour in entry.colour or () if colour in PAINTS), "")
        return Look(
            entry.drawing,
            colour,
            next((pattern for pattern in PATTERNS if pattern in (entry.quality or ())), ""),
        )

    def looks_unlike_ours(self, names: Iterable[str]) -> dict[str, Look]:
        """The looks that differ from our item of the same name, to be stored with the samples."""
        ours = _our_items()
        return (
            {}
            if self is ours
            else {n: self.item_looks[n] for n in names if self.item_looks[n] != ours.item_looks.get(n)}
        )

    @cached_property
    def generic_noun(self) -> Property:
        """The category that fits every item."""
        return next(found for found in self.properties.values() if found.generic)

    def by_role(self, role: Role) -> tuple[Property, ...]:
        return tuple(found for found in self.properties.values() if found.role == role)

    def items_with_tags(self, tags: Iterable[str]) -> tuple[Item, ...]:
        wanted = frozenset(tags)
        return tuple(item for item in self.shelf_items.values() if wanted <= item.tags)


def load_items(path: Path | str | None = None) -> Items:
    """Load the items of a file, by default ours. The first fault found raises Problem."""
    if path is None:
        return _our_items()
    sheet = read_sheet(Path(path))
    troubles = check_sheet(sheet, Path(path).parent)
    if troubles:
        more = (
            f" (and {len(troubles) - 1} more: groundling director items validate {path})"
            if len(troubles) > 1
            else ""
        )
        raise Problem(f"{path}: {troubles[0]}{more}")
    return items_from_sheet(sheet, str(Path(path).parent))


@cache
def _our_items() -> Items:
    return items_from_sheet(our_sheet())


def our_sheet() -> Sheet:
    """Read the bundled file of items."""
    return msgspec.json.decode((files(__package__) / "items.json").read_bytes(), type=Sheet)


def read_sheet(path: Path) -> Sheet:
    """Read a file of items and validate its form, without further checks."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Sheet)
    except msgspec.ValidationError as trouble:
        raise Problem(
            f"{path} is not a file of items ({trouble}): mend that, items.schema.json tells the form"
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise Problem(f"{path} is not JSON ({trouble}): mend it there") from None


def items_from_sheet(sheet: Sheet, folder: str = "") -> Items:
    """Make Items from a sheet that has been checked."""
    properties = {found.name: found for found in sheet.properties}
    return Items(
        properties, {entry.name: fill_defaults(entry, sheet.defaults) for entry in sheet.items}, folder
    )


def picture_data_url(path: Path) -> str:
    """Encode an SVG or PNG file as a data URL, so that any picture can embed it."""
    kind = "svg+xml" if path.suffix.lower() == ".svg" else "png"
    return f"data:image/{kind};base64,{b64encode(path.read_bytes()).decode()}"


def fill_defaults(entry: Entry, defaults: Defaults) -> Entry:
    """Return the item with defaults in place of missing values."""
    given = {name: getattr(defaults, name) for name in ("size", *SLOTS) if getattr(entry, name) is None}
    return msgspec.structs.replace(entry, **given)


def check_sheet(sheet: Sheet, folder: Path | None = None) -> list[str]:
    """List the faults of a sheet, one line each. Pictures are looked for in the folder."""
    from groundling.games.director.item_checks import find_troubles

    return list(find_troubles(sheet, folder))


def items_schema() -> dict[str, Any]:
    """The JSON schema of a file of items."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Items of a shelf",
    } | msgspec.json.schema(Sheet)
