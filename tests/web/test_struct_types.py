"""Threads must not be the first to look at types: that is done before people come."""

from __future__ import annotations

import msgspec
import pytest

from groundling.core.pack import find, load
from groundling.web.struct_types import prepare_struct_types


def test_every_struct_is_inspected_even_if_one_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    class Outer(msgspec.Struct):
        number: int

    class Inner(Outer):
        pass

    inspected: list[type] = []

    def inspect(kind: type) -> None:
        inspected.append(kind)
        if kind is Outer:
            raise TypeError("cannot be decoded")

    monkeypatch.setattr(msgspec.json, "Decoder", inspect)
    director = find("director")
    prepare_struct_types([director])
    assert {Outer, Inner, load(director.game).Instance, load(director.game).Settings} <= set(inspected)


def test_looking_at_types_twice_is_looking_at_them_once() -> None:
    director = find("director")
    prepare_struct_types([director])
    prepare_struct_types([director])
    assert load(director.builtin)()
