"""What a person finds in a seat of the image game and of the director task."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from tests.browser.live import instance_of
from tests.web.room_helpers import GAMES

from groundling.boards.letter_grid import Grid
from groundling.core.desk import Desk, GameComparison, describe_share_right
from groundling.core.pack import find, load
from groundling.core.values import Say
from groundling.games.director.rules import Pick
from groundling.games.image.rules import Done, Draw
from groundling.web.screen import seat_help


class Table:
    def __init__(self, game: str, **settings: Any) -> None:
        pack = find(game)
        assert pack.live is not None
        self.instance = instance_of(game)
        self.game = pack.new(msgspec.convert({**pack.live.settings, **settings}, load(pack.game).Settings))
        self.state = self.game.start(self.instance)
        self._desk = load(pack.live.desk)

    def play(self, role: str, move: Any) -> None:
        self.state = self.game.play(self.state, role, move)

    def desk(self, role: str) -> Desk:
        desk: Desk = self._desk(self.game.view(self.state, role), self.game.turn(self.state) == role)
        return desk


@pytest.mark.parametrize("name", ["reference", "image", "director"])
def test_only_who_is_asked_can_do_something(name: str) -> None:
    table = Table(name)
    speaker, hearer = find(name).roles
    for spoken in (False, True):
        asked, other = table.desk(hearer if spoken else speaker), table.desk(speaker if spoken else hearer)
        assert asked.say or asked.buttons or asked.choices or asked.tool
        assert (other.say, other.buttons, other.choices) == (None, (), ())
        if not spoken:
            table.play(speaker, Say("something"))
    assert table.desk(hearer).talk[0].text == table.desk(speaker).talk[0].text == "something"
    assert (table.desk(speaker).talk[0].who, table.desk(hearer).talk[0].who) == ("me", "partner")


def test_the_follower_is_told_the_grid_so_far_and_which_instruction_is_next() -> None:
    table = Table("image")
    table.play("giver", Say("one"))
    target = table.instance.target
    assert (
        table.desk("follower").facts["cells"]
        == table.game.view(table.state, "follower").canvas.cells
        != target.cells
    )
    table.play("follower", Draw(target))
    table.play("giver", Say("two"))
    desk = table.desk("follower")
    assert (desk.facts["cells"], desk.facts["turn"]) == (target.cells, 2)
    assert [line.current for line in desk.talk] == [False, True]


def test_a_hidden_canvas_is_not_on_the_desk() -> None:
    table = Table("image", hide_canvas=True)
    table.play("giver", Say("one"))
    before = table.desk("follower")
    table.play("follower", Draw(table.instance.target))
    after = table.desk("follower")
    assert after.panels == before.panels
    assert after.facts["cells"] == before.facts["cells"]


def test_the_giver_never_sees_what_is_drawn() -> None:
    table = Table("image")
    table.play("giver", Say("one"))
    before = table.desk("giver").panels
    table.play("follower", Draw(table.instance.target))
    assert table.desk("giver").panels == before


def test_the_giver_can_say_that_all_is_said_after_being_asked_twice() -> None:
    (button,) = Table("image").desk("giver").buttons
    assert button.moves == (Done(),)
    assert button.confirm


def test_every_item_of_the_shelf_can_be_picked_and_has_a_name_but_no_empty_cell() -> None:
    table = Table("director")
    table.play("director", Say("that one"))
    desk, shelf = table.desk("participant"), table.instance.shelf
    filled = [cell for cell in shelf.cells if cell in shelf.items]
    assert [choice.moves for choice in desk.choices] == [(Pick(cell),) for cell in filled]
    for cell, choice in zip(filled, desk.choices, strict=True):
        assert f'id="{choice.element}"' in desk.panels[0].svg
        assert choice.label.startswith(f"{cell}, {shelf.items[cell].name}")
        assert choice.button == f"Pick the {shelf.items[cell].name} in {cell}"
        assert ("closed to the director" in choice.label) == (cell in shelf.hidden)


def test_the_director_reads_no_names_of_cells() -> None:
    (panel,) = Table("director").desk("director").panels
    words = re.findall(r">([^<]+)<", panel.svg)
    assert any("the target" in text for text in words)
    assert not any(re.search(r"\b[A-D][1-4]\b", text) for text in words)


def test_the_participant_may_ask_as_long_as_questions_are_left() -> None:
    table = Table("director", questions=1)
    table.play("director", Say("that one"))
    assert table.desk("participant").say is not None
    table.play("participant", Say("which?"))
    table.play("director", Say("this one"))
    assert table.desk("participant").say is None
    assert [line.who for line in table.desk("participant").talk] == ["partner", "me", "partner"]


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_has_help_in_three_steps_whatever_the_preset(name: str) -> None:
    pack = find(name)
    assert set(pack.roles) == set(pack.live.partners)
    for preset in pack.live.presets:
        game = Table(name, **preset.settings).game
        for role in game.seats(instance_of(name)):
            assert len(seat_help(pack, game, instance_of(name), role)) == 3, (preset.title, role)


def compare(name: str, *moves: tuple[str, Any]) -> GameComparison:
    table, live = Table(name), find(name).live
    for role, move in moves:
        table.play(role, move)
    assert live.compare is not None
    found: GameComparison = load(live.compare)(table.game, table.state)
    return found


def test_players_are_told_how_many_letters_are_right() -> None:
    target: Grid = instance_of("image").target
    cells = list(target.cells)
    place = next(number for number, letter in enumerate(cells) if letter not in "./")
    cells[place] = "."
    almost = Grid("".join(cells))
    told = ("giver", Say("all of it"))
    found = compare("image", told, ("follower", Draw(almost)), ("giver", Done()))
    total = target.filled_count
    assert found.sentence == f"{total - 1} of {total} letters are right."
    assert [panel.title for panel in found.panels] == ["What was meant", "What was drawn"]
    assert compare("image", told, ("follower", Draw(target))).sentence == f"All {total} letters are right."


def test_players_are_told_whether_the_right_item_was_picked() -> None:
    sample, asked = instance_of("director"), ("director", Say("that one"))
    other = next(cell for cell in sample.shelf.items if cell != sample.target)
    sentences = [
        compare("director", asked, *picked).sentence
        for picked in ((), (("participant", Pick(sample.target)),), (("participant", Pick(other)),))
    ]
    assert sentences == ["No item was picked.", "The right item was picked.", "Another item was picked."]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_compares_what_was_meant_with_what_was_done_at_any_time(name: str) -> None:
    found = compare(name)
    assert found.sentence.endswith(".")
    assert found.panels[0].title == "What was meant"


@pytest.mark.parametrize(
    ("right", "total", "wrong", "sentence"),
    [
        (7, 9, 0, "7 of 9 tiles are right."),
        (1, 9, 2, "1 of 9 tiles is right, and 2 are wrong."),
        (9, 9, 1, "All 9 tiles are right, and 1 is wrong."),
        (1, 1, 0, "1 of 1 tile is right."),
    ],
)
def test_a_share_is_told_in_one_sentence(right: int, total: int, wrong: int, sentence: str) -> None:
    assert describe_share_right(right, total, "tile", wrong) == sentence
