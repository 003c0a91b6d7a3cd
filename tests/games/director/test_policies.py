"""Players that leave out a part of taking the director's place get just what that part is worth."""

import asyncio
from collections import defaultdict
from itertools import count
from typing import Any

import pytest

from groundling.core.events import Transcript
from groundling.core.pack import Seat, find, load
from groundling.core.player import Player
from groundling.core.table import play
from groundling.core.values import Problem
from groundling.games.director.make import builtin, make
from groundling.games.director.players.policies import POLICIES
from groundling.games.director.recipe import SampleRecipe
from groundling.games.director.rules import DirectorGame, DirectorSettings, Sample, check_director_rules_fit
from groundling.games.director.score import score

pack = find("director")
classic, two = DirectorGame(DirectorSettings()), DirectorGame(DirectorSettings("two-player"))


def player(name: str, role: str = "participant", game: DirectorGame = classic) -> Player:
    return load(pack.players[name])(Seat(pack, game, role, name))


def transcript(game: DirectorGame, sample: Sample, seed: int = 0, **players: Player) -> Transcript:
    async def go() -> Transcript:
        ticks = count()
        events = play(game, sample, players, seed=seed, clock=lambda: float(next(ticks)))
        return Transcript(tuple([event async for event in events]))

    return asyncio.run(go())


def means(samples: list[Sample], name: str) -> dict[str, float]:
    """By set, of playing; what was to be expected beside it."""
    found = defaultdict(list)
    for number, sample in enumerate(samples):
        episode = transcript(classic, sample, number, participant=player(name))
        scores = score(classic, episode)
        found[sample.set].append(scores.episode["success"] or 0.0)
        found[f"{sample.set}, expected"].append(scores.baselines[name])
    return {key: sum(values) / len(values) for key, values in found.items()}


@pytest.fixture(scope="module")
def like() -> list[Sample]:
    return make(SampleRecipe(n=400, like_reference=True, seed=1))


@pytest.fixture(scope="module")
def strict() -> list[Sample]:
    return make(SampleRecipe(n=400, seed=1))


def test_an_egocentric_player_gets_a_third_of_the_references_tests(like: list[Sample]) -> None:
    found = means(like, "egocentric")
    assert found["control"] == found["control, expected"] == 1
    assert found["test"] == pytest.approx(found["test, expected"], abs=0.05)
    assert found["test, expected"] == pytest.approx(0.33, abs=0.03)


def test_an_egocentric_player_gets_no_strict_test(strict: list[Sample]) -> None:
    found = means(strict, "egocentric")
    assert (found["control"], found["test"]) == (1, 0)


@pytest.mark.parametrize("name", ["perfect", "rule", "gold"])
def test_who_takes_the_directors_place_gets_all(name: str, like: list[Sample], strict: list[Sample]) -> None:
    for sample in [*like[:150], *strict[:150]]:
        result = transcript(classic, sample, participant=player(name)).result
        assert result
        assert result.score == 1, sample


def test_the_frame_blind_lose_where_left_and_right_are_the_directors(strict: list[Sample]) -> None:
    for sample in strict[:300]:
        turned = sample.rule == "spatial_different_perspective" and sample.request.frame == "director"
        scores = score(classic, transcript(classic, sample, participant=player("frame-blind")))
        if not turned:
            assert scores.episode["success"] == 1
        elif not scores.episode["success"]:
            assert scores.episode["wrong_frame"] == 1


@pytest.mark.parametrize("name", sorted(POLICIES))
def test_what_is_expected_is_what_comes_out(name: str, like: list[Sample]) -> None:
    found = means(like, name)
    for kind in ("control", "test"):
        assert found[kind] == pytest.approx(found[f"{kind}, expected"], abs=0.06)


def test_ties_are_reported_apart_with_what_luck_gives() -> None:
    made = [
        sample
        for sample in make(SampleRecipe(n=400, distractor="tie", rules="none", seed=2))
        if sample.kind == "test"
    ]
    assert {sample.set for sample in made} == {"tie-none"}
    for sample in made:
        found = score(classic, transcript(classic, sample, participant=player("perfect"))).baselines
        assert found["egocentric"] == pytest.approx(1 / (1 + len(sample.rivals)))


@pytest.mark.parametrize("director", ["template", "gold"])
@pytest.mark.parametrize("participant", ["rule", "gold"])
def test_two_players_of_ours_understand_each_other(director: str, participant: str) -> None:
    for sample in builtin():
        episode = transcript(
            two, sample, director=player(director, "director", two), participant=player(participant, game=two)
        )
        assert episode.result
        assert episode.result.score == 1, [move for _, move in episode.event_moves()]


def test_the_template_director_is_short_and_unique_from_its_own_side() -> None:
    lengths = []
    for sample in builtin():
        ours = transcript(
            two, sample, director=player("template", "director", two), participant=player("rule", game=two)
        )
        episode = score(two, ours).episode
        assert (episode["unique_director"], episode["questions"]) == (1, 0)
        lengths.append(episode["words"] or 0)
    assert sum(lengths) / len(lengths) < 10


class Vague:
    """Says what it wants in a way that leaves something open, then answers."""

    name = "vague"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    async def act(self, ask: Any) -> Any:
        from groundling.core.player import Reply

        return Reply(text=self.texts[min(len(ask.past), len(self.texts) - 1)])


@pytest.mark.parametrize(
    ("first", "question", "then"),
    [
        ("the book", "Which row", "it is in row 2"),
        ("the leftmost book", "From your point of view, or from mine?", "from mine"),
        ("the zebra", "in other words", "the smallest book in row 2"),
        ("the thing two below the large book", "what you mean by 'below'", "in row 2"),
    ],
)
def test_the_rule_participant_asks_where_it_must(first: str, question: str, then: str) -> None:
    from tests.games.director.small import book, sample_of, shelf_of

    sample = sample_of(shelf_of("g . .", ". [B] b"), book("bottommost"), "the bottommost book")
    episode = transcript(two, sample, director=Vague(first, then), participant=player("rule", game=two))
    asked = [
        move.text for role, move in episode.event_moves() if role == "participant" and hasattr(move, "text")
    ]
    assert len(asked) == 1
    assert question in asked[0]
    assert episode.result
    assert episode.result.score == 1


def test_a_director_is_for_two_players() -> None:
    check_director_rules_fit(two, {"director": "template", "participant": "rule"}, [])
    check_director_rules_fit(classic, {"participant": "rule"}, [])
    with pytest.raises(Problem, match="add --mode two-player"):
        check_director_rules_fit(classic, {"director": "template", "participant": "rule"}, [])


def test_seats_are_for_those_who_can_play_them() -> None:
    for name, role in (("template", "participant"), ("rule", "director"), ("egocentric", "director")):
        with pytest.raises(Problem, match=f"not the {role}"):
            player(name, role)
