"""Settings as forms show them and links write them."""

from __future__ import annotations

from typing import Any

import pytest

from groundling.core.pack import find, installed_packs
from groundling.core.setting_fields import describe_setting_fields, read_live_settings
from groundling.core.values import Problem


def test_a_field_has_the_value_for_people_its_choices_and_its_bounds() -> None:
    fields = {field.name: field for field in describe_setting_fields(find("hexagons"))}
    assert (fields["mode"].kind, fields["mode"].value) == ("choice", "live")
    assert fields["mode"].choices == ("auto", "live", "describe", "align", "execute")
    assert (fields["feedback"].kind, fields["feedback"].value) == ("flag", False)
    assert (fields["steps"].kind, fields["steps"].least, fields["steps"].most) == ("number", 0, 180)
    assert all(field.about for field in fields.values())


@pytest.mark.parametrize("name", installed_packs())
def test_what_a_form_shows_first_is_what_people_have(name: str) -> None:
    pack = find(name)
    shown = {field.name: str(field.value).lower() for field in describe_setting_fields(pack)}
    assert read_live_settings(pack, shown) == read_live_settings(pack)


def test_values_are_read_from_the_texts_of_a_link() -> None:
    settings = read_live_settings(find("codraw"), {"peeks": "0", "silent": "true", "opens": "drawer"})
    assert (settings.peeks, settings.silent, settings.opens, settings.ends) == (0, True, "drawer", "both")


@pytest.mark.parametrize(
    ("game", "chosen", "told"),
    [
        (
            "hexagons",
            {"mode": "dance"},
            "the setting mode of hexagons is 'dance': choose from align, auto, describe, execute, live",
        ),
        ("codraw", {"peeks": "7"}, "the setting peeks of codraw is '7': expected int <= 1"),
        ("codraw", {"silent": "maybe"}, "the setting silent of codraw is 'maybe': expected bool, got str"),
        ("image", {"colour": "red"}, "image has no setting colour: choose from hide_canvas, turns"),
        ("reference", {"mode": "live"}, "reference has no setting mode: it has none"),
    ],
)
def test_a_wrong_setting_is_named_with_its_choices(game: str, chosen: dict[str, Any], told: str) -> None:
    with pytest.raises(Problem) as refused:
        read_live_settings(find(game), chosen)
    assert str(refused.value) == told
