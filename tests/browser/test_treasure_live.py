"""A game from one file in the browser: two people play it on the page that is derived for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.browser.live import OpenServer, People, outcome, said, say, turn

pytestmark = pytest.mark.slow
FILE = Path(__file__).parents[2] / "examples" / "treasure.py"


def test_two_people_find_the_treasure(open_server: OpenServer, people: People) -> None:
    links = open_server(str(FILE)).room("treasure", "giver", "seeker", instance="island-0-0")
    giver, seeker = people.sit(links["giver"]), people.sit(links["seeker"])
    assert seeker.locator("#buttons button").count() == 0
    say(giver, "It is just left of the well.")
    assert said(turn(seeker)) == ["The giver says: It is just left of the well."]
    assert seeker.locator("#buttons button").count() == 25
    seeker.get_by_role("button", name="C3", exact=True).click()
    assert "Score 1 of 1" in outcome(seeker)
    assert "Score 1 of 1" in outcome(giver)
