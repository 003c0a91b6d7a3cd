"""The pictures of games on the home page show them in play."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from groundling.core.pack import Pack, find, installed_packs, load
from groundling.core.values import Instance
from groundling.web.game_picture import draw_game_picture

LIVE = [name for name in installed_packs() if find(name).live]


def sample(pack: Pack) -> Instance:
    made: Instance = load(pack.make)(load(pack.recipe)(n=4, seed=20))[0]
    return made


@pytest.mark.parametrize("name", LIVE)
def test_a_picture_shows_every_seat_and_what_was_said(name: str) -> None:
    pack = find(name)
    picture = draw_game_picture(pack, sample(pack))
    for role in pack.roles:
        assert f">{role}</text>" in picture
    assert picture.count("<svg") == 1 + len(pack.roles)
    assert '<g font-size="15"' in picture, "somebody has said something"
    ids = re.findall(r'\bid="([^"]+)"', picture)
    assert len(ids) == len(set(ids)), "boards do not share names"
    assert set(re.findall(r"(?:href=\"#|url\(#)([^\")]+)", picture)) <= set(ids)


def test_no_language_model_is_asked_for_a_picture() -> None:
    pack = find("reference")
    live = replace(pack.live, partners={**pack.live.partners, "giver": "openai/gpt-4o"})
    picture = draw_game_picture(replace(pack, live=live), sample(pack))
    assert ">follower</text>" in picture
    assert '<g font-size="15"' not in picture, "the game has not begun"
