"""The director task in the browser, from either side of the shelf."""

from __future__ import annotations

import pytest
from tests.browser.live import LiveServer, People, instance_of, outcome, say, turn

pytestmark = pytest.mark.slow
SAMPLE = instance_of("director")


def test_one_person_directs_the_built_in_participant(server: LiveServer, people: People) -> None:
    director = people.sit(server.room("director", "director", instance=SAMPLE.id)["director"])
    say(director, f"Please pick {SAMPLE.words}.")
    assert "Score 1 of 1" in outcome(director)


def test_one_person_picks_for_the_built_in_director_by_keyboard(server: LiveServer, people: People) -> None:
    participant = people.sit(server.room("director", "participant", instance=SAMPLE.id)["participant"])
    turn(participant)
    cell = participant.locator(f"#cell-{SAMPLE.target}")
    assert (cell.get_attribute("aria-label") or "").startswith(
        f"{SAMPLE.target}, {SAMPLE.shelf.items[SAMPLE.target].name}"
    )
    cell.focus()
    participant.keyboard.press("Enter")
    participant.keyboard.press("Tab")
    assert participant.locator("#pick-button:focus").inner_text() == (
        f"Pick the {SAMPLE.shelf.items[SAMPLE.target].name} in {SAMPLE.target}"
    )
    participant.keyboard.press("Enter")
    assert "Score 1 of 1" in outcome(participant)


def test_an_empty_cell_cannot_be_picked(server: LiveServer, people: People) -> None:
    participant = people.sit(server.room("director", "participant", instance=SAMPLE.id)["participant"])
    empty = next(cell for cell in SAMPLE.shelf.cells if cell not in SAMPLE.shelf.items)
    turn(participant).click(f"#cell-{empty}")
    assert participant.is_disabled("#pick-button")
    other = next(cell for cell in SAMPLE.shelf.items if cell != SAMPLE.target)
    participant.click(f"#cell-{other}")
    participant.click(f"#cell-{SAMPLE.target}")  # a choice can be changed until it is confirmed
    participant.click("#pick-button")
    assert "The right item was picked." in outcome(participant)
