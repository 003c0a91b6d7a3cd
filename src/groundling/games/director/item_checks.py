"""Checks of a file of items beyond its JSON schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from xml.etree import ElementTree

from groundling.boards.things import DRAWINGS
from groundling.core.pack import choices_hint
from groundling.games.director.item_sheet import SLOTS, Entry, Property, Sheet, Slot, fill_defaults

PICTURES = (".svg", ".png")
_FEW = 14
_NOUN, _OTHER = ("category",), ("colour", "size", "material", "quality")
FIELDS_OF: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("one", "many", "number", "generic"), _NOUN),
    **dict.fromkeys(("adjective", "rank", "clause", "clauses"), _OTHER),
    "sizes": ("size",),
    "physics": ("quality",),
}
"""By field, the roles whose properties may have it."""


def check_item_sheet(sheet: Sheet, folder: Path | None = None) -> list[str]:
    """List the faults of a sheet, one line each. Pictures are looked for in the folder."""
    return list(_find_troubles(sheet, folder))


def _find_troubles(sheet: Sheet, folder: Path | None) -> Iterator[str]:
    yield from _repeated_names("property", (found.name for found in sheet.properties))
    for found in sheet.properties:
        yield from (f"property {found.name!r} {trouble}" for trouble in _property_troubles(found))
    generic = [found.name for found in sheet.properties if found.generic]
    if len(generic) != 1:
        told = f"{', '.join(generic)} are" if generic else "none is"
        yield f"one category must be the generic noun, such as item, and {told}: set generic on one of them"
    yield from _repeated_names("item", (entry.name for entry in sheet.items))
    if not sheet.items:
        yield "there are no items: add some"
    known = {found.name: found for found in sheet.properties}
    for slot in SLOTS:
        yield from (
            f"the default {trouble}"
            for trouble in _slot_troubles(slot, getattr(sheet.defaults, slot) or (), known)
        )
    for entry in sheet.items:
        yield from (
            f"item {entry.name!r} {trouble}" for trouble in _item_troubles(entry, sheet, known, folder)
        )


def _item_troubles(
    entry: Entry, sheet: Sheet, known: Mapping[str, Property], folder: Path | None
) -> Iterator[str]:
    for slot in SLOTS:
        yield from _slot_troubles(slot, entry.slot_values(slot) or (), known)
    whole = fill_defaults(entry, sheet.defaults)
    for name in ("size", *SLOTS):
        if getattr(whole, name) is None:
            yield (
                f"has no {name}, and there is no default for it: every item must have the same properties, "
                "so give it one"
            )
    if whole.category == ():
        yield "has no category: name at least one"
    if bool(entry.drawing) == bool(entry.picture):
        told = "both a drawing and a picture" if entry.drawing else "neither a drawing nor a picture"
        yield f"has {told}: give it one of them"
    if entry.drawing and entry.drawing not in DRAWINGS:
        similar = suggest_item_names(entry.drawing, DRAWINGS)
        yield f"has the drawing {entry.drawing!r}, which does not exist: {similar}"
    if entry.picture:
        yield from _picture_troubles(entry.picture, folder)


def _property_troubles(found: Property) -> Iterator[str]:
    for field, roles in FIELDS_OF.items():
        if (
            found.role not in roles
            and getattr(found, field) != Property.__struct_defaults__[_default_index(field)]
        ):
            known = " and ".join(roles)
            yield f"is a {found.role}, which has no {field!r}: that is for {known}, so remove it"
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


def _default_index(field: str) -> int:
    """The index of a field's default; only the last fields have defaults."""
    names, defaults = Property.__struct_fields__, Property.__struct_defaults__
    return names.index(field) - (len(names) - len(defaults))


def _slot_troubles(slot: Slot, names: Iterable[str], known: Mapping[str, Property]) -> Iterator[str]:
    names = tuple(names)
    fitting = [name for name, found in known.items() if found.role == slot and not found.generic]
    for name in names:
        if name not in known:
            near = (
                suggest_item_names(name, fitting)
                if fitting
                else f"there is no {slot} yet, so add it with add --property"
            )
            yield f"has the {slot} {name!r}, which is not among the properties: {near}"
        elif name not in fitting:
            why = "what everything is" if known[name].generic else f"a {known[name].role}"
            yield f"has {name!r} as {slot}, but it is {why}: {suggest_item_names(name, fitting)}"
    for name, times in Counter(names).items():
        if times > 1:
            yield f"has the {slot} {name!r} more than once: name it once"


def _picture_troubles(name: str, folder: Path | None) -> Iterator[str]:
    if not name.lower().endswith(PICTURES):
        yield f"has the picture {name}: it must be one of {', '.join(PICTURES)}"
    elif folder is not None and not (folder / name).is_file():
        yield f"has the picture {name}, which is not in {folder}: check the path"
    elif folder is not None and not _is_picture(folder / name):
        yield f"has the picture {name}, which is no {Path(name).suffix[1:].upper()} inside: save it as one"


def _is_picture(path: Path) -> bool:
    """Whether the content of the file is what its suffix says."""
    if path.suffix.lower() == ".png":
        return path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    try:
        return ElementTree.parse(path).getroot().tag.rpartition("}")[2] == "svg"
    except ElementTree.ParseError:
        return False


def _repeated_names(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, times in Counter(names).items():
        if times > 1:
            plural = "items" if what == "item" else "properties"
            yield f"there are {times} {plural} called {name!r}: names must be unique"


def suggest_item_names(wanted: str, names: Iterable[str]) -> str:
    """Suggest names at the end of an error message: the nearest, or all where they are few."""
    names = list(names)
    near = get_close_matches(wanted, names, 3)
    if len(names) <= _FEW or not near:
        return choices_hint(names) if len(names) <= _FEW else "groundling director items list shows them"
    return f"is it {' or '.join(near)}?"
