"""Reads the reference implementation's own file of items into a file of ours.

That file lists properties as true or false and gives neither their roles nor words for them. Those of the
published file are in a table here; others get words from their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from groundling.core.values import Problem
from groundling.games.director.data import ItemRecord
from groundling.games.director.item_checks import PICTURES
from groundling.games.director.item_sheet import SLOTS, Defaults, Entry, Property, Sheet, Slot, our_item_sheet
from groundling.games.director.shelf_picture import name_card_picture

DEFAULTS = "defaults.json"
"""The reference's file of default values, beside its file of items."""
FOLDER = "pictures"
NO_CATEGORY = Property(
    name="no category", role="category", one="uncategorised item", many="uncategorised items", asked=False
)
"""What items are that have no category in the reference: requests never name it."""


def _noun(name: str, one: str, many: str = "", also: Sequence[str] = ()) -> Property:
    return Property(name=name, role="category", one=one, many=many or f"{one}s", also=tuple(also))


def _adjective(name: str, word: str, rank: int = 2, *, physics: bool = False) -> Property:
    return Property(name=name, role="quality", adjective=word, rank=rank, physics=physics)


def _clause(name: str, one: str, many: str, *, physics: bool = False) -> Property:
    return Property(name=name, role="quality", clause=one, clauses=many, physics=physics)


_WORDS = (
    _noun("Music_instument", "musical instrument", also=["instrument"]),
    _noun("clothes", "piece of clothing", "pieces of clothing", also=["clothes", "clothing", "garment"]),
    _noun("dress", "dress", "dresses"),
    Property(name="socks", role="category", number="pair", many="socks"),
    *(_noun(name, name) for name in ("fruit", "bag", "book", "calculator", "shoe", "camera", "shirt")),
    *(_noun(name, name) for name in ("plant", "car")),
    _adjective("small", "small", 1),
    _adjective("large", "large", 1),
    _adjective("star", "star-shaped", 3),
    _adjective("circle", "round", 3),
    Property(name="lego", role="material", adjective="lego", rank=6),
    _adjective("is_food", "edible"),
    _adjective("is_sweet", "sweet"),
    _adjective("valuable", "valuable"),
    *(_adjective(name, name, physics=True) for name in ("stackable", "sharp", "hot", "cold")),
    _clause("used_for_cooking", "that is used for cooking", "that are used for cooking"),
    _clause("holds_water", "that holds water", "that hold water"),
    _clause("holds_money", "that holds money", "that hold money"),
)
KNOWN_PROPERTIES: Mapping[str, Property] = {
    **{found.name: found for found in our_item_sheet().properties if found.role == "colour"},
    **{found.name: found for found in _WORDS},
}
"""The properties of the published file. "Small" and "large", set by hand there, are qualities here."""
_VERB = re.compile(r"(is|holds|used_for)_(.+)")


def guess_property(name: str, categories: Collection[str]) -> Property:
    """Return a property of the reference with its role and words; unknown ones get them from their name."""
    if name in KNOWN_PROPERTIES:
        return KNOWN_PROPERTIES[name]
    words = name.replace("_", " ")
    if name in categories:
        return _noun(name, words)
    verb, what = found.groups() if (found := _VERB.fullmatch(name)) else ("is", name)
    what = what.replace("_", " ")
    if verb == "holds":
        return _clause(name, f"that holds {what}", f"that hold {what}")
    if verb == "used_for":
        return _clause(name, f"that is used for {what}", f"that are used for {what}")
    return _adjective(name, what)


def read_reference_items(file: Path) -> list[ItemRecord]:
    """Read the items with the values of the defaults beside them filled in."""
    try:
        records = msgspec.json.decode(file.read_bytes(), type=list[ItemRecord])
        default = ItemRecord("")
        if (file.parent / DEFAULTS).is_file():
            default = msgspec.json.decode((file.parent / DEFAULTS).read_bytes(), type=ItemRecord)
    except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
        raise Problem(
            f"{file} is not the reference's file of items ({trouble}): give its items.json unchanged"
        ) from None
    return [
        msgspec.structs.replace(
            record,
            boolean_properties={**default.boolean_properties, **record.boolean_properties},
            scalar_properties={"size": 1, **default.scalar_properties, **record.scalar_properties},
        )
        for record in records
    ]


def sheet_from_reference(
    records: Sequence[ItemRecord], pictures: Mapping[str, str], categories: Collection[str] = ()
) -> Sheet:
    """Make a sheet of the reference's items. Each has a picture, given by the item's name."""
    names = list(dict.fromkeys(name for record in records for name in record.boolean_properties))
    if strange := sorted(set(categories) - set(names)):
        raise Problem(f"no item has the property {strange[0]!r}: name categories as the file does")
    properties = [guess_property(name, categories) for name in names]
    generic = next(found for found in our_item_sheet().properties if found.generic)
    return Sheet(
        defaults=Defaults(colour=(), material=(), quality=()),
        properties=(generic, NO_CATEGORY, *properties),
        items=tuple(_make_entry(record, properties, pictures[record.name]) for record in records),
    )


def _make_entry(record: ItemRecord, properties: Sequence[Property], picture: str) -> Entry:
    slots: dict[Slot, tuple[str, ...]] = {
        slot: tuple(
            found.name
            for found in properties
            if found.role == slot and record.boolean_properties.get(found.name)
        )
        for slot in SLOTS
    }
    return Entry(
        name=item_name(record),
        picture=picture,
        size=record.scalar_properties["size"],
        category=slots["category"] or (NO_CATEGORY.name,),
        colour=slots["colour"],
        material=slots["material"],
        quality=slots["quality"],
    )


def item_name(record: ItemRecord) -> str:
    """Return the name in words: it stands in the text view of a shelf."""
    return " ".join(record.name.replace("_", " ").split())


def find_pictures(records: Sequence[ItemRecord], folder: Path) -> Iterator[tuple[str, str, bytes, bool]]:
    """Yield for each item its name, a path for its picture, the file's content, and whether the reference's
    image was there. Other items get a card with their name."""
    for record in records:
        image = folder / record.image_path if record.image_path else None
        stem = re.sub(r"\W+", "-", item_name(record)) or "item"
        if image is not None and image.suffix.lower() in PICTURES and image.is_file():
            yield record.name, f"{FOLDER}/{stem}{image.suffix.lower()}", image.read_bytes(), True
        else:
            card = name_card_picture(item_name(record)).encode()
            yield record.name, f"{FOLDER}/{stem}.svg", card, False
