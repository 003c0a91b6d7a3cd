"""Sheets are SVG files that any viewer shows, and every drawing in them can be taken out and painted."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from groundling.boards import drawing_sheets
from groundling.boards.things import DRAWINGS, PAINTS, Look, draw_thing
from groundling.boards.things.paint import PATTERNS, SHEET_PAINT

SHEETS = sorted(Path(drawing_sheets.__file__).parent.glob("*/*.svg"))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.stem}")
def test_a_sheet_is_an_svg_whose_drawings_are_read_by_name(sheet: Path) -> None:
    package = f"groundling.boards.{sheet.parent.name}"
    drawings = drawing_sheets.read_drawing_sheets(package, sheet.stem)
    found = ElementTree.parse(sheet).getroot().findall("{http://www.w3.org/2000/svg}svg")
    assert [drawing.attrib["id"] for drawing in found] == list(drawings)
    for drawing, element in zip(drawings.values(), found, strict=True):
        assert drawing.attributes == element.attrib
        assert len(list(ElementTree.fromstring(f"<g>{drawing.body}</g>").iter())) == len(list(element.iter()))


def test_painting_replaces_every_colour_of_the_sheet() -> None:
    for name in DRAWINGS:
        for pattern in ("", *PATTERNS):
            painted = draw_thing(Look(name, "blue", pattern))
            assert not [shade for shade in SHEET_PAINT if shade in painted], name
            assert "class=" not in painted, name


def test_no_paint_is_mistaken_for_that_of_the_sheet() -> None:
    """Shades are replaced one after the other, so none may become one that is still to be replaced."""
    for colour, paint in PAINTS.items():
        for number, shade in enumerate(paint):
            assert shade not in SHEET_PAINT[number + 1 :], colour
