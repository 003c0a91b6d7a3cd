"""The kit finds nothing wrong with good games, and in each broken one exactly what is broken."""

from __future__ import annotations

import random
import sys
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.broken import BROKEN, GUESSER, Acting, Guess, GuessGame, good, reluctant, with_game

from groundling.core.check import LAWS, Breach, check_game
from groundling.core.pack import Pack
from groundling.core.player import Reply
from groundling.core.values import Problem


def broken_laws(pack: Pack) -> set[str]:
    return {breach.law for breach in check_game(pack, texts=30)}


def test_a_good_game_keeps_all_laws() -> None:
    assert check_game(good) == []


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_game_breaks_its_own_law_and_no_other(fault: str) -> None:
    law, pack = BROKEN[fault]
    breaches = check_game(pack, instances=6, texts=15)
    assert {breach.law for breach in breaches} == {law}
    assert all(len(breach.message.splitlines()) == 1 and len(breach.message) <= 400 for breach in breaches)


def test_every_law_can_be_broken() -> None:
    assert {law for law, _ in BROKEN.values()} == set(LAWS)


def test_a_law_is_told_in_one_sentence() -> None:
    for law in LAWS.values():
        assert law.about.endswith(".")
        assert law.about.count("\n") == 0


def test_a_crash_is_told_by_its_type_and_message() -> None:
    _, pack = BROKEN["make raises"]
    assert check_game(pack, texts=30) == [Breach("seed", "ZeroDivisionError: one cannot do that")]


def test_the_simplest_text_that_breaks_a_game_is_told() -> None:
    _, pack = BROKEN["play raises at rare words"]
    (breach,) = check_game(pack)
    assert breach.message.startswith("teller: 'Ā' ")


def test_a_generator_may_refuse_to_make_few() -> None:
    assert check_game(replace(good, make=reluctant), texts=30) == []


def test_a_game_for_one_needs_no_secret() -> None:
    class Alone(GuessGame):
        def seats(self, instance: Any) -> tuple[str, ...]:
            return (GUESSER,)

        def turn(self, state: Any) -> str | None:
            return None if state.heard else GUESSER

    player = Acting(lambda ask: Reply(moves=(Guess(3),)))
    alone = replace(
        good,
        game=Alone,
        hide=lambda secret, role, rng: None,
        top=lambda secret: float(secret.number == 3),
        chance=lambda secret: 0.0,
        players={"gold": lambda seat: player, "random": lambda seat: player},
    )
    assert check_game(alone, texts=30) == []


def test_what_a_broken_law_supports_is_left_out() -> None:
    seen: list[str] = []
    check_game(BROKEN["score is nowhere"][1], progress=seen.append)
    assert seen == ["pack"]
    check_game(good, progress=seen.append, instances=2, texts=10)
    assert seen[1:] == list(LAWS)


def test_two_faults_are_two_breaches() -> None:
    both = replace(BROKEN["write raises"][1], cluster=lambda instance: 1)
    assert broken_laws(both) == {"words", "scores"}


def test_the_same_check_finds_the_same() -> None:
    _, pack = BROKEN["read raises"]
    before = random.getstate()
    first = check_game(pack, seed=3, texts=30)
    assert check_game(pack, seed=3, texts=30) == first
    assert random.getstate() == before


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(Problem, match=r'this needs an extra: run pip install "groundling\[check\]"'):
        check_game(good)


def test_a_game_that_answers_now_this_now_that_is_found_out() -> None:
    calls = count()

    def moody(self: GuessGame, state: Any, role: str, text: str, *, strict: bool = False) -> Any:
        if not text.isascii() and next(calls) % 3 == 0:
            raise KeyError("not today")
        return GuessGame.read(self, state, role, text, strict=strict)

    (breach,) = check_game(with_game(read=moody))
    assert breach.law == "text"
    assert "not today" in breach.message


def test_an_episode_that_ends_badly_is_reported_with_its_reason() -> None:
    reasons = {
        "gold gives up": "guesser gave up: fell asleep",
        "gold is refused": "closed as 'refused'",
        "there is no gold": "no player",
    }
    for fault, reason in reasons.items():
        assert reason in check_game(BROKEN[fault][1], texts=30)[0].message
