"""The director task in the browser, from either side of the shelf."""

from __future__ import annotations

from tests.browser.live import House, People, come_back, instance_of, outcome, said, say, turn

SAMPLE = instance_of("director")


def test_two_people_play_and_come_back_in_the_middle(house: House, people: People) -> None:
    links = house.room("director", "director", "participant", instance=SAMPLE.id)
    director, participant = people.sit(links["director"]), people.sit(links["participant"])
    say(director, "I want that one over there.")
    turn(participant)
    come_back(participant)
    turn(participant)
    say(participant, "Which one?")
    assert said(turn(director), 2) == ["I want that one over there.", "Which one?"]
    come_back(director)
    turn(director)
    say(director, f"Please pick {SAMPLE.words}.")
    assert len(said(participant, 3)) == 3
    turn(participant)
    assert participant.locator("#say").is_hidden(), "one question may be asked, and no more"
    participant.click(f"#cell-{SAMPLE.target}")
    for page in (director, participant):
        assert "Score 1 of 1" in outcome(page)


def test_one_person_directs_the_built_in_participant(house: House, people: People) -> None:
    director = people.sit(house.room("director", "director", instance=SAMPLE.id)["director"])
    say(director, f"Please pick {SAMPLE.words}.")
    assert "Score 1 of 1" in outcome(director)


def test_one_person_picks_for_the_built_in_director_by_keyboard(house: House, people: People) -> None:
    participant = people.sit(house.room("director", "participant", instance=SAMPLE.id)["participant"])
    turn(participant)
    cell = participant.locator(f"#cell-{SAMPLE.target}")
    assert (cell.get_attribute("aria-label") or "").startswith(
        f"{SAMPLE.target}, {SAMPLE.shelf.items[SAMPLE.target].name}"
    )
    cell.focus()
    participant.keyboard.press("Enter")
    assert "Score 1 of 1" in outcome(participant)


def test_an_empty_cell_can_be_picked_too(house: House, people: People) -> None:
    participant = people.sit(house.room("director", "participant", instance=SAMPLE.id)["participant"])
    empty = next(cell for cell in SAMPLE.shelf.cells if cell not in SAMPLE.shelf.items)
    turn(participant).click(f"#cell-{empty}")
    assert "Score 0 of 1" in outcome(participant)
