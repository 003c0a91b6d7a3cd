"""A director that names the target by the shortest distinguishing words of the file of items, or by row and
column when it is asked again or has no words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from groundling.boards.shelf import Item
from groundling.core.pack import Seat
from groundling.core.player import Ask, Player, Reply
from groundling.core.values import Say
from groundling.games.director.items import load_items
from groundling.games.director.players.policies import require_policy_role
from groundling.games.director.request import SELECTS, SIDEWAYS, Request, Select, answers
from groundling.games.director.request_wording import word_request
from groundling.games.director.rules import DIRECTOR, DirectorView


def template_request(view: DirectorView) -> Request | None:
    """The shortest request that fits only the target, as far as the director sees."""
    item = view.shelf.items[view.target]
    for tags, select in _candidate_descriptions(item):
        request = Request(tags, select, "director")
        if answers(view.shelf, request) == {view.target}:
            return request
    return None


def _candidate_descriptions(item: Item) -> Iterator[tuple[frozenset[str], Select | None]]:
    """Yield descriptions, the simplest first; superlatives only where properties do not suffice."""
    properties = load_items().properties
    known = [properties[tag] for tag in item.tags if tag in properties and properties[tag].asked]
    nouns = sorted((each.name for each in known if each.role == "category"), key=_count_named_items)
    marks = [each for each in known if each.role != "category"]
    selects: tuple[tuple[Select | None, ...], ...] = ((None,), SELECTS)
    for some in selects:
        for count in range(3):
            for noun in nouns:
                for chosen in combinations(marks, count):
                    if sum(bool(each.clause) for each in chosen) <= 1:
                        tags = frozenset((noun, *(each.name for each in chosen)))
                        yield from ((tags, select) for select in some)


@cache
def _count_named_items(noun: str) -> int:
    """Count our items to which the noun applies."""
    return len(load_items().items_with_tags((noun,)))


def template_position(view: DirectorView) -> str:
    """Say where the target is, as the director sees it."""
    row, column = view.shelf.row(view.target), view.shelf.column(view.target, "director")
    return f"row {row} from the top, column {column} from my left"


class TemplateDirector:
    name = "template"

    async def act(self, ask: Ask) -> Reply:
        view = ask.view
        assert isinstance(view, DirectorView)
        request = None if view.said else template_request(view)
        if request is None:
            return Reply(
                moves=(
                    Say(
                        f"It is in {template_position(view)}."
                        if view.said
                        else f"Please pick the item in {template_position(view)}."
                    ),
                )
            )
        sideways = request.select in SIDEWAYS
        return Reply(moves=(Say(f"Please pick {word_request(request, load_items(), view=sideways)}."),))


def make_template_director(seat: Seat) -> Player:
    require_policy_role(seat, DIRECTOR)
    return TemplateDirector()
