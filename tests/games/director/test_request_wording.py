"""Requests in English, and back."""

import pytest

from groundling.boards.shelf import Shelf
from groundling.games.director.items import load_items
from groundling.games.director.make import make
from groundling.games.director.players.request_reader import read_request
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.request import Request, Select, request_in_front
from groundling.games.director.request_stock import RequestStock
from groundling.games.director.request_wording import word_request, word_request_without_view

items = load_items()


def request(*tags: str, select: Select | None = None, frame: str = "participant") -> Request:
    return Request(frozenset(tags), select, frame)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (request("book", "red", select="topmost"), "the topmost red book"),
        (request("book", "stackable", "red", "small"), "the small stackable red book"),
        (request("instrument", "wooden", select="largest"), "the largest wooden musical instrument"),
        (request("holds water"), "the item that holds water"),
        (request("holds water", "container", "red"), "the red container that holds water"),
        (request("rolls", select="leftmost"), "the leftmost item that rolls"),
        (request("grapes", "green", select="rightmost"), "the rightmost green grapes"),
        (request("cherries", "red", "rolls"), "the red cherries that roll"),
        (request("socks", "striped", "red", select="topmost"), "the topmost pair of red striped socks"),
        (request("cutlery", "sharp", select="topmost"), "the topmost sharp piece of cutlery"),
        (request("clothing", "soft"), "the soft piece of clothing"),
        (request("soup", "hot", select="bottommost"), "the bottommost hot soup"),
        (request("box", "paper", select="smallest"), "the smallest box made of paper"),
        (request("T-shirt", "blue"), "the blue T-shirt"),
    ],
)
def test_requests_read_as_english(asked: Request, words: str) -> None:
    assert word_request(asked, items, view=False) == words


def test_the_point_of_view_is_the_speakers_or_the_listeners() -> None:
    assert (
        word_request(request("plant", select="largest", frame="director"), items)
        == "the largest plant from my point of view"
    )
    assert (
        word_request(request("plant", select="largest"), items) == "the largest plant from your point of view"
    )
    assert word_request(request("rolls"), items) == "the item that rolls, from your point of view"


def test_alone_with_the_shelf_left_is_the_participants() -> None:
    assert (
        word_request_without_view(request("plant", select="leftmost", frame="director"), items)
        == "the rightmost plant"
    )
    assert word_request_without_view(request("plant", select="leftmost"), items) == "the leftmost plant"
    assert (
        word_request_without_view(request("plant", select="topmost", frame="director"), items)
        == "the topmost plant"
    )
    assert request_in_front(request("plant", frame="director")) == request("plant")


def test_a_request_has_one_noun() -> None:
    with pytest.raises(ValueError, match="one noun"):
        word_request(request("book", "plant"), items)


def test_whatever_can_be_asked_is_understood_as_it_was_meant() -> None:
    """By the reader, which shares only the file of items with what wrote it."""
    empty = Shelf(2, 2)
    known = RequestStock(items).asks
    assert len(known) > 2000
    for ask in known:
        for frame, who in (("participant", "you"), ("director", "me")):
            meaning = read_request(word_request(Request(ask.tags, "leftmost", frame), items), empty)  # type: ignore[arg-type]
            assert (meaning.unknown, meaning.names, meaning.ways, meaning.who) == ((), (), ("leftmost",), who)
            assert set(meaning.wanted) == {frozenset((tag,)) for tag in ask.tags}, (ask.tags, meaning)


def test_nothing_is_said_that_is_not_needed() -> None:
    for sample in make(SampleRecipe(n=400, twins=False, distractor="any", seed=3)):
        tags = sample.request.tags
        kept = [tag for tag in tags if items.properties[tag].role != "category"]
        physics = [tag for tag in kept if items.properties[tag].physics]
        assert bool(physics) == sample.physics
        fitting = {cell for cell, item in sample.shelf.items.items() if tags <= item.tags}
        for tag in kept if len(tags) > 1 else []:
            if not (sample.physics and physics == [tag]):
                fewer = tags - {tag}
                assert fitting != {cell for cell, item in sample.shelf.items.items() if fewer <= item.tags}, (
                    sample.words
                )


def test_what_things_do_is_asked_for_only_where_it_tells_some_from_others() -> None:
    asked = [ask for ask in RequestStock(items).asks if ask.physics]
    for ask in asked:
        nouns = frozenset(tag for tag in ask.tags if items.properties[tag].role == "category")
        for mark in (mark for mark in ask.marks if mark.physics):
            assert any(mark.name not in item.tags for item in items.items_with_tags(nouns)), ask.tags
    assert frozenset({"dart", "sharp"}) not in {ask.tags for ask in asked}
    assert {mark.name for ask in asked for mark in ask.marks if mark.physics} == {
        found.name for found in items.properties.values() if found.physics
    }
