"""The items that shelves are filled with: their properties, their looks, and the words for both.

All of it is data: our file is items.json beside this module, and users may bring their own of the same form
(items.schema.json)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path

from msgspec import Struct

from groundling.boards.shelf import Item
from groundling.boards.things import PAINTS, Look
from groundling.boards.things.paint import PATTERNS
from groundling.core.values import Problem
from groundling.games.director.item_checks import check_item_sheet
from groundling.games.director.item_sheet import (
    SLOTS,
    Entry,
    Property,
    Sheet,
    fill_defaults,
    our_item_sheet,
    read_item_sheet,
)


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
            return Look(picture=item_picture_url(Path(self.folder) / entry.picture))
        colour = next((colour for colour in entry.colour or () if colour in PAINTS), "")
        return Look(
            entry.drawing,
            colour,
            next((pattern for pattern in PATTERNS if pattern in (entry.quality or ())), ""),
        )

    def looks_unlike_ours(self, names: Iterable[str]) -> dict[str, Look]:
        """The looks that differ from our item of the same name, to be stored with the samples."""
        ours = _our_items()
        if self is ours:
            return {}
        return {n: self.item_looks[n] for n in names if self.item_looks[n] != ours.item_looks.get(n)}

    @cached_property
    def generic_noun(self) -> Property:
        """The category that fits every item."""
        return next(found for found in self.properties.values() if found.generic)

    def items_with_tags(self, tags: Iterable[str]) -> tuple[Item, ...]:
        wanted = frozenset(tags)
        return tuple(item for item in self.shelf_items.values() if wanted <= item.tags)


def load_items(path: Path | str | None = None) -> Items:
    """Load the items of a file, by default ours. The first fault found raises Problem."""
    if path is None:
        return _our_items()
    sheet = read_item_sheet(Path(path))
    troubles = check_item_sheet(sheet, Path(path).parent)
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
    return items_from_sheet(our_item_sheet())


def items_from_sheet(sheet: Sheet, folder: str = "") -> Items:
    """Make Items from a sheet that has been checked."""
    properties = {found.name: found for found in sheet.properties}
    return Items(
        properties, {entry.name: fill_defaults(entry, sheet.defaults) for entry in sheet.items}, folder
    )


def item_picture_url(path: Path) -> str:
    """Encode an SVG or PNG file as a data URL, so that any picture can embed it."""
    kind = "svg+xml" if path.suffix.lower() == ".svg" else "png"
    return f"data:image/{kind};base64,{b64encode(path.read_bytes()).decode()}"
