"""The small values that everything is made of."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.broken import Guess, GuessMove, Secret

from groundling.core.values import (
    CANARY,
    Illegal,
    Instance,
    Problem,
    Reading,
    Recipe,
    Result,
    Say,
    Settings,
    missing_extra,
)


@settings(deadline=None)
@given(st.text())
def test_words_come_back_from_json_as_they_were(text: str) -> None:
    assert msgspec.json.decode(msgspec.json.encode(Say(text)), type=Say) == Say(text)


def test_a_move_is_told_from_others_by_its_tag() -> None:
    assert msgspec.json.encode(Guess(3)) == b'{"move":"guess","number":3}'
    reader = msgspec.json.Decoder[GuessMove](GuessMove)
    assert [reader.decode(msgspec.json.encode(move)) for move in (Say("3"), Guess(3))] == [Say("3"), Guess(3)]


def test_an_instance_writes_only_what_it_has() -> None:
    assert msgspec.json.encode(Instance(id="a")) == b'{"id":"a"}'
    assert msgspec.json.decode(b'{"id":"a","number":3,"canary":"x"}', type=Secret) == Secret(
        id="a", number=3, canary="x"
    )


def test_values_of_the_wrong_type_are_refused_on_the_way_in() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"id":"a","number":"three"}', type=Secret)


@pytest.mark.parametrize(
    "value", [Instance(id="a"), Settings(), Recipe(), Say("a"), Result(1.0), Reading((Say("a"),))]
)
def test_values_are_frozen_and_compared_by_content(value: msgspec.Struct) -> None:
    assert msgspec.structs.replace(value) == value
    assert hash(value) == hash(msgspec.structs.replace(value))
    for name in value.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(value, name, None)


def test_a_recipe_is_the_same_for_the_same_seed() -> None:
    assert Recipe(seed=3) == Recipe(seed=3, n=36) != Recipe(seed=4)


def test_a_verdict_on_a_reply_is_not_a_users_problem() -> None:
    assert not issubclass(Illegal, Problem)
    assert not issubclass(Problem, Illegal)


def test_a_missing_extra_is_reported_with_the_command_that_installs_it() -> None:
    assert str(missing_extra("web")).endswith('run pip install "groundling[web]"')


def test_the_canary_has_no_blanks_so_that_it_is_found_whole() -> None:
    assert CANARY.split() == [CANARY]
