"""Words requests in English, with the vocabulary and grammar of the file of items."""

from __future__ import annotations

from collections.abc import Iterable

from groundling.boards.shelf import Side
from groundling.games.director.item_sheet import Property
from groundling.games.director.items import Items, load_items
from groundling.games.director.request import Request, request_in_front

VIEWS: dict[Side, str] = {"participant": "from your point of view", "director": "from my point of view"}


def word_request(request: Request, items: Items, *, view: bool = True) -> str:
    """Word the request as the director does; without `view` the point of view is left out."""
    phrase, clause = _noun_phrase(request, items)
    if not view:
        return phrase
    return f"{phrase}{',' if clause else ''} {VIEWS[request.frame]}"


def word_request_without_view(request: Request, items: Items) -> str:
    """Word the request for a person alone with the shelf, on the participant's side."""
    return _noun_phrase(request_in_front(request), items)[0]


def wording_unlike_ours(items: Items) -> dict[str, tuple[str, ...]]:
    """The words of properties that differ from ours, to be stored with the samples."""
    ours = load_items().properties
    other = [each for each in items.properties.values() if each != ours.get(each.name)]
    return {
        "" if each.generic else each.name: tuple(dict.fromkeys((*each.all_words, each.name)))
        for each in other
    }


def _noun_phrase(request: Request, items: Items) -> tuple[str, bool]:
    """Return the words, and whether they end in a clause."""
    found = [items.properties[tag] for tag in request.tags]
    nouns = [each for each in found if each.role == "category"]
    if len(nouns) > 1:
        raise ValueError(f"a request has one noun at most: {', '.join(each.name for each in nouns)}")
    noun = nouns[0] if nouns else items.generic_noun
    adjectives = sorted((each.rank, each.adjective) for each in found if each.adjective)
    clauses = [each.clauses if noun.number == "plural" else each.clause for each in found if each.clause]
    select = [request.select] if request.select else []
    words = ["the", *select, *_inflect_noun(noun, [word for _, word in adjectives]), " and ".join(clauses)]
    return " ".join(words).rstrip(), bool(clauses)


def _inflect_noun(noun: Property, adjectives: Iterable[str]) -> list[str]:
    match noun.number:
        case "pair":
            return ["pair of", *adjectives, noun.many]
        case "plural":
            return [*adjectives, noun.many]
        case _:
            return [*adjectives, noun.one]
