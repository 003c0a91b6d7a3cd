"""What must hold in a file of items beyond its form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ...core.pack import choices
from .items import SLOTS, Entry, Property, Sheet, Slot, filled

PICTURES = (".svg", ".png")
_ROLES: Mapping[str, tuple[str, ...]] = {
    **{field: ("category",) for field in ("one", "many", "number", "generic")},
    **{field: ("colour", "size", "material", "quality") for field in ("adjective", "rank", "clause", "clauses")},
    **{"sizes": ("size",), "physics": ("quality",)},
}
"""The roles whose properties may have these fields."""


def troubles(sheet: Sheet, folder: Path | None = None) -> Iterator[str]:
    yield from _repeated("property", (found.name for found in sheet.properties))
    for found in sheet.properties:
        yield from (f"property {found.name!r} {trouble}" for trouble in _property(found))
    generic = [found.name for found in sheet.properties if found.generic]
    if len(generic) != 1:
        told = f"{', '.join(generic)} are" if generic else "none is"
        yield f"one category must be the generic noun, such as item, and {told}: set generic on one of them"
    yield from _repeated("item", (entry.name for entry in sheet.items))
    if not sheet.items:
        yield "there are no items: add some"
    known = {found.name: found for found in sheet.properties}
    for slot in SLOTS:
        yield from (f"the defaults {trouble}" for trouble in _slot(slot, getattr(sheet.defaults, slot) or (), known))
    for entry in sheet.items:
        yield from (f"item {entry.name!r} {trouble}" for trouble in item_troubles(entry, sheet, known, folder))


def item_troubles(entry: Entry, sheet: Sheet, known: Mapping[str, Property], folder: Path | None) -> Iterator[str]:
    for slot in SLOTS:
        yield from _slot(slot, entry.slot(slot) or (), known)
    whole = filled(entry, sheet.defaults)
    for name in ("size", *SLOTS):
        if getattr(whole, name) is None:
            yield f"has no {name}, and there is no default for it: every item must have the same properties, so give it one"
    if whole.category == ():
        yield "has no category: name at least one"
    if bool(entry.drawing) == bool(entry.picture):
        yield f"has {'both a' if entry.drawing else 'neither a'} drawing {'and' if entry.drawing else 'nor'} a picture: give one"
    if entry.picture:
        yield from _picture(entry.picture, folder)


def _property(found: Property) -> Iterator[str]:
    for field, roles in _ROLES.items():
        if found.role not in roles and getattr(found, field) != Property.__struct_defaults__[_place(field)]:
            yield f"is a {found.role}, which has no {field!r}: only {' and '.join(roles)} has"
    if found.role == "category":
        for field, numbers in (("one", ("singular", "mass")), ("many", ("singular", "plural", "pair"))):
            if found.number in numbers and not getattr(found, field):
                yield f"is {found.number} and needs {field!r}, its noun for that"
    elif bool(found.adjective) == bool(found.clause):
        yield "needs either an adjective or a clause"
    if bool(found.clause) != bool(found.clauses):
        yield "needs both clause and clauses: that holds water, that hold water"
    if found.adjective and not found.rank:
        yield "has an adjective but no rank: say where it stands among others, 1 first"
    if found.role == "size" and not found.sizes:
        yield "is a size and must say of which sizes it is the word"


def _place(field: str) -> int:
    """Where a field's default stands: the defaults are those of the last fields."""
    names, defaults = Property.__struct_fields__, Property.__struct_defaults__
    return names.index(field) - (len(names) - len(defaults))


def _slot(slot: Slot, names: Iterable[str], known: Mapping[str, Property]) -> Iterator[str]:
    names = tuple(names)
    fitting = [name for name, found in known.items() if found.role == slot and not found.generic]
    for name in names:
        if name not in known:
            yield f"has the {slot} {name!r}, which is not among the properties: {choices(fitting)}"
        elif name not in fitting:
            why = "that is everything's" if known[name].generic else f"a {known[name].role}"
            yield f"has {name!r} as {slot}, but it is {why}: {choices(fitting)}"
    for name, times in Counter(names).items():
        if times > 1:
            yield f"has the {slot} {name!r} more than once: name it once"


def _picture(name: str, folder: Path | None) -> Iterator[str]:
    if not name.lower().endswith(PICTURES):
        yield f"has the picture {name}: it must be one of {', '.join(PICTURES)}"
    elif folder is not None and not (folder / name).is_file():
        yield f"has the picture {name}, which is not in {folder}: check the path"


def _repeated(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            yield f"there are {times} {'items' if what == 'item' else 'properties'} called {name!r}: names must be unique"
