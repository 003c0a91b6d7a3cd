import asyncio
from itertools import count
from typing import Any

import pytest
from tests.games.director.small import book, sample_of, shelf_of
from tests.helpers import Says

from groundling.core.events import Transcript
from groundling.core.pack import Scores
from groundling.core.table import play
from groundling.games.director.make import make
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.request import Request
from groundling.games.director.rules import DirectorGame, DirectorSettings, Sample
from groundling.games.director.score import MISTAKES, chance, cluster, score

#                  A   B  C  D
shelf = shelf_of("[b]  g  .  B ",
                 "[B]  m  .  g ",
                 " .  [m] c  . ")  # fmt: skip
sample = sample_of(shelf, book(), "the leftmost book from your point of view", "the leftmost book")


def scored(
    replies: list[str],
    mode: str = "classic",
    said: list[str] | None = None,
    of: Sample = sample,
    **options: Any,
) -> Scores:
    game = DirectorGame(DirectorSettings(mode))  # type: ignore[arg-type]
    ticks = count()

    async def go() -> Transcript:
        players = {"participant": Says(*replies)} | ({"director": Says(*said)} if said else {})
        events = play(game, of, players, seed=0, clock=lambda: float(next(ticks)), **options)
        return Transcript(tuple([event async for event in events]))

    return score(game, asyncio.run(go()))


def mistakes(scores: Scores) -> list[str]:
    return [name for name in MISTAKES if scores.episode[name]]


@pytest.mark.parametrize(
    ("reply", "mistake"),
    [
        ("B1", []),
        ("A1", ["hidden_distractor"]),
        ("A2", ["hidden_distractor"]),
        ("D1", ["wrong_frame"]),
        ("D2", ["wrong_frame"]),
        ("B2", ["wrong_item"]),
        ("B3", ["wrong_item"]),
        ("C1", ["empty_cell"]),
        ("Z9", ["empty_cell"]),
        ("no idea", ["unreadable"]),
        ("A1 or B1", ["unreadable"]),
    ],
)
def test_a_mistake_has_one_kind(reply: str, mistake: list[str]) -> None:
    found = scored([reply])
    assert mistakes(found) == mistake
    assert found.episode["success"] == float(not mistake)


def test_something_that_fits_but_for_the_superlative_is_a_wrong_selection() -> None:
    three = sample_of(shelf_of("b g B", ". m ."), book(), "the leftmost book from your point of view")
    assert mistakes(scored(["B1"], of=three)) == ["wrong_selection"]
    assert mistakes(scored(["C1"], of=three)) == ["wrong_frame"]


def test_a_hidden_thing_that_fits_is_the_same_mistake_whichever_it_is() -> None:
    large = sample_of(shelf_of("[b] g [B]"), book("largest"), "the largest book")
    assert mistakes(scored(["C1"], of=large)) == ["hidden_distractor"]
    assert mistakes(scored(["A1"], of=large)) == ["hidden_distractor"]


def test_with_nobody_behind_the_shelf_nothing_is_hidden_and_no_frame_is_wrong() -> None:
    assert mistakes(scored(["A1"], "inventory")) == []
    assert mistakes(scored(["A2"], "inventory")) == [], "a tie is nobody's fault"
    assert mistakes(scored(["B1"], "inventory")) == ["wrong_selection"]
    assert mistakes(scored(["D1"], "inventory")) == ["wrong_selection"]


def test_how_far_from_the_target_is_told() -> None:
    assert {key: scored(["D2"]).facets[key] for key in ("dx", "dy")} == {"dx": "+2", "dy": "+1"}
    assert {key: scored(["A1"]).facets[key] for key in ("dx", "dy")} == {"dx": "-1", "dy": "+0"}
    assert "dx" not in scored(["?"]).facets
    alone = scored(["A1"], "inventory").facets
    assert (alone["dx"], alone["dy"]) == ("+0", "+0"), (
        "with nobody behind the shelf the leftmost book is right, panel or not"
    )


def test_two_players_are_scored_by_what_was_said() -> None:
    found = scored(["Say: which?", "B1"], "two-player", ["the book", "the topmost green one"]).episode
    assert (found["success"], found["words"], found["questions"]) == (1, 2 + 4, 1)
    assert (found["unique_director"], found["unique_participant"]) == (0, 0)
    clear = scored(["B1"], "two-player", ["the topmost green book"]).episode
    assert (clear["unique_director"], clear["unique_participant"]) == (1, 1)
    one_sided = scored(["B1"], "two-player", ["the book furthest to your left"]).episode
    assert (one_sided["unique_director"], one_sided["unique_participant"]) == (1, 0)
    strange = scored(["B1"], "two-player", ["the zorgly book"]).episode
    assert (strange["unique_director"], strange["unique_participant"]) == (None, None)
    assert scored(["B1"]).episode["words"] is None


def test_with_two_players_mistakes_are_about_what_was_said() -> None:
    said = ["the rightmost green book from my point of view"]
    assert mistakes(scored(["B1"], "two-player", said)) == []
    assert mistakes(scored(["D2"], "two-player", said)) == ["wrong_frame"]
    assert mistakes(scored(["A1"], "two-player", ["the leftmost book from your point of view"])) == [
        "hidden_distractor"
    ]
    assert mistakes(scored(["A1"], "two-player", ["the zorgly book"])) == ["hidden_distractor"]
    assert mistakes(scored(["D1"], "two-player", ["the zorgly book"])) == ["wrong_item"]
    assert mistakes(scored(["D1"], "two-player", ["the topmost book"])) == ["wrong_selection"]


def test_scores_can_be_broken_down() -> None:
    assert scored(["B1"]).facets == {
        "kind": "test",
        "rule": "spatial_different_perspective",
        "physics": "no physics",
        "frame": "participant",
        "fill": "0.67",
        "competitors": "4",
        "distractor": "wins",
        "dx": "+0",
        "dy": "+0",
    }


def test_beside_every_score_stands_what_simple_players_would_get() -> None:
    found = scored(["A1"]).baselines
    assert found == {
        "perfect": 1,
        "egocentric": 0,
        "frame-blind": 1,
        "superlative-blind": 1 / 3,
        "random": 1 / 5,
    }
    turned = sample_of(
        shelf, book(frame="director", select="rightmost"), "the rightmost book from my point of view"
    )
    assert scored(["A1"], of=turned).baselines["frame-blind"] == 0
    tie = sample_of(shelf_of("[b] g", "B ."), Request(frozenset({"red"})), "the red item")
    assert scored(["A2"], of=tie).baselines["egocentric"] == 1 / 2, "1 / (1 + hidden matches)"
    assert scored(["A1"], "inventory").baselines["perfect"] == 1
    assert scored(["A1"], "two-player", ["the book"]).baselines == {}


def test_chance_is_picking_anything_that_the_director_sees() -> None:
    assert chance(sample) == 1 / 5


def test_twins_and_mirrors_are_one_cluster() -> None:
    made = make(SampleRecipe(n=80, seed=3))
    clusters: dict[str, set[str]] = {}
    for each in made:
        clusters.setdefault(each.group, set()).add(cluster(each))
    assert {len(found) for found in clusters.values()} == {1}
    assert len({next(iter(found)) for found in clusters.values()}) == 20
    apart = make(SampleRecipe(n=80, seed=3, like_reference=True))
    assert len({cluster(each) for each in apart}) == 80
