"""The commands `groundling director items`: list, check and change a file of items."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
import typer

from groundling.boards.things import DRAWINGS
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.games.director import reference_items, sheet_edits
from groundling.games.director.item_checks import check_item_sheet
from groundling.games.director.item_sheet import SLOTS, Sheet, our_item_sheet, read_item_sheet
from groundling.games.director.items import Items, load_items

app = typer.Typer(help="Manage the items of the director task.", rich_markup_mode=None, no_args_is_help=True)
items = typer.Typer(
    help="List, check and edit the items on shelves.", rich_markup_mode=None, no_args_is_help=True
)
app.add_typer(items, name="items")

Ours: TypeAlias = Annotated[
    Path | None, typer.Argument(metavar="[FILE]", help="A file of items; default: the built-in one.")
]
File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE", help="The file of items to change.")]
Name: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of the item; defaults: the default values.")
]
Changes: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="FIELD=VALUE...", help="Separate several values with commas.")
]
OfProperty: TypeAlias = Annotated[
    bool, typer.Option("--property", help="Change a property instead of an item.")
]


@app.callback()
def director() -> None:
    """Manage the items of the director task."""


@items.command("validate")
def validate_items(file: Ours = None) -> None:
    """Check a file of items; print one line per problem."""
    sheet = our_item_sheet() if file is None else read_item_sheet(file)
    troubles = check_item_sheet(sheet, file.parent if file else None)
    for trouble in troubles:
        print(trouble)
    if troubles:
        faults = "1 fault" if len(troubles) == 1 else f"{len(troubles)} faults"
        raise Problem(
            f"{file or 'our file'} has {faults}, listed above: fix them in the file, or with set and remove"
        )
    physics = sum(found.physics for found in sheet.properties)
    counted = f"{len(sheet.items)} items, {len(sheet.properties)} properties, {physics} of them physics"
    print(f"{file or 'ours'}: {counted}; no problems")


@items.command("list")
def list_items(
    file: Ours = None,
    having: Annotated[
        str,
        typer.Option("--with", metavar="PROPERTY,...", help="List only items with all of these properties."),
    ] = "",
    as_property: OfProperty = False,
    drawings: Annotated[bool, typer.Option(help="List the drawings instead.")] = False,
) -> None:
    """Print the items or the properties with their fields."""
    found = load_items(file)
    if drawings:
        print("\n".join(sorted(DRAWINGS)))
    elif as_property:
        for one in found.properties.values():
            more = f"{', physics' if one.physics else ''}{'' if one.asked else ', not asked'}"
            print(f"{one.name}: {one.role}{more}")
    else:
        _print_items(found, [part.strip() for part in having.split(",") if part.strip()])


def _print_items(found: Items, having: list[str]) -> None:
    for unknown in (name for name in having if name not in found.properties):
        raise Problem(
            f"there is no property {unknown!r}: groundling director items list --property names them all"
        )
    for item in found.items_with_tags(having):
        entry = found.entries[item.name]
        parts = [
            f"{slot} {', '.join(entry.slot_values(slot) or ())}" for slot in SLOTS if entry.slot_values(slot)
        ]
        print(f"{item.name}: size {item.size}; {'; '.join(parts)}; {entry.picture or entry.drawing}")


@items.command("add")
def add_item(
    file: File,
    name: Name,
    changes: Changes = None,
    as_property: OfProperty = False,
    empty: Annotated[
        bool, typer.Option(help="Start a new file with the built-in properties only, without items.")
    ] = False,
) -> None:
    """Add an item; fields that are not given come from the defaults. A new file starts as a copy of the
    built-in one."""
    sheet = read_item_sheet(file) if file.exists() else our_item_sheet()
    if empty and not file.exists():
        sheet = msgspec.structs.replace(sheet, items=())
    _write_sheet(
        file, sheet_edits.add_sheet_row(sheet, name, changes or (), as_property=as_property), f"added {name}"
    )


@items.command("set")
def set_item(file: File, name: Name, changes: Changes = None, as_property: OfProperty = False) -> None:
    """Set fields of an item; FIELD=default removes the item's own value."""
    _write_sheet(
        file,
        sheet_edits.change_sheet_row(read_item_sheet(file), name, changes or (), as_property=as_property),
        f"set {', '.join(changes or ())} of {name}",
    )


@items.command("remove")
def remove_item(file: File, name: Name, as_property: OfProperty = False) -> None:
    """Remove an item, or a property that no item has."""
    _write_sheet(
        file,
        sheet_edits.remove_sheet_row(read_item_sheet(file), name, as_property=as_property),
        f"removed {name}",
    )


@items.command("import")
def import_items(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The reference's items.json.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="The file of items to write.")],
    category: Annotated[
        list[str] | None,
        typer.Option(help="A property that is a noun, if the reference does not have it.", metavar="NAME"),
    ] = None,
) -> None:
    """Convert the items of the reference. Items without an image get a card with their name."""
    if out.exists():
        raise Problem(f"{out} is there already: choose another name, or remove it")
    records = reference_items.read_reference_items(file)
    pictures = list(reference_items.find_pictures(records, file.parent))
    sheet = reference_items.sheet_from_reference(
        records, {name: path for name, path, _, _ in pictures}, category or ()
    )
    for trouble in check_item_sheet(sheet):
        raise Problem(f"{file}: {trouble}")
    (out.parent / reference_items.FOLDER).mkdir(parents=True, exist_ok=True)
    for _, path, content, _ in pictures:
        write_whole_file(out.parent / path, content)
    found = sum(is_image for *_, is_image in pictures)
    _write_sheet(out, sheet, f"{found} items with their images, {len(pictures) - found} with name cards")


def _write_sheet(file: Path, sheet: Sheet, done: str) -> None:
    write_whole_file(file, sheet_edits.encode_edited_sheet(sheet, file.parent))
    print(f"{file}: {done}; {len(sheet.items)} items")
