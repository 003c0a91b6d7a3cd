"""The conformance kit: checks that a game keeps the laws that all other packages rely on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import islice
from typing import Any

from msgspec import Struct

from groundling.core import laws
from groundling.core.evidence import MAX_MESSAGES, Evidence, describe_error
from groundling.core.pack import Pack
from groundling.core.values import missing_extra


class Breach(Struct, frozen=True):
    law: str
    message: str


class Law(Struct, frozen=True):
    about: str
    check: Callable[[Evidence], Iterator[str]]
    trusts: frozenset[str]
    """Laws that must hold first. Where one of them is broken, this law is skipped."""


def check_game(
    pack: Pack,
    *,
    seed: int = 0,
    instances: int = 12,
    texts: int = 200,
    settings: Any = None,
    progress: Callable[[str], None] = lambda law: None,
) -> list[Breach]:
    """Return the laws that a game breaks. `progress` is called with each law's name before it is checked."""
    if find_spec("hypothesis") is None:
        raise missing_extra("check")
    evidence = Evidence(pack, settings, seed, instances, texts)
    breaches: list[Breach] = []
    for name, law in LAWS.items():
        if law.trusts.isdisjoint(breach.law for breach in breaches):
            progress(name)
            breaches += [Breach(name, message) for message in _law_messages(law, evidence)]
    return breaches


def _law_messages(law: Law, evidence: Evidence) -> Iterator[str]:
    try:
        for message in islice(law.check(evidence), MAX_MESSAGES):
            yield one_line(message)
    except Exception as trouble:  # any exception of a third-party pack is a finding about that pack
        yield one_line(describe_error(trouble))


def one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 400 else line[:399] + "…"


def _law_entry(check: Callable[[Evidence], Iterator[str]], *trusts: str) -> tuple[str, Law]:
    return check.__name__, Law(" ".join((check.__doc__ or "").split()), check, frozenset(trusts))


LAWS: dict[str, Law] = dict(
    (
        _law_entry(laws.pack),
        _law_entry(laws.seed, "pack"),
        _law_entry(laws.json, "pack"),
        _law_entry(laws.replay, "pack"),
        _law_entry(laws.turns, "pack", "replay"),
        _law_entry(laws.words, "pack", "replay"),
        _law_entry(laws.readings, "pack", "replay"),
        _law_entry(laws.text, "pack", "replay"),
        _law_entry(laws.choices, "pack", "replay", "words"),
        _law_entry(laws.hiding, "pack"),
        _law_entry(laws.secrecy, "pack", "replay", "hiding"),
        _law_entry(laws.gold, "pack"),
        _law_entry(laws.speaker, "pack", "gold", "turns"),
        _law_entry(laws.end, "pack"),
        _law_entry(laws.resume, "pack", "replay", "words", "readings"),
        _law_entry(laws.scores, "pack", "replay"),
        _law_entry(laws.drawing, "pack", "replay"),
    )
)
"""The laws by name, in the order in which they are checked."""
