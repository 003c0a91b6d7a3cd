"""The conformance kit: checks that a game keeps the laws that all other packages rely on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import islice
from typing import Any

from msgspec import Struct

from groundling.core import laws, secrecy_laws
from groundling.core.evidence import MAX_MESSAGES, Evidence, describe_evidence_error
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
            yield shorten_breach(message)
    except Exception as trouble:  # any exception of a third-party pack is a finding about that pack
        yield shorten_breach(describe_evidence_error(trouble))


def shorten_breach(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 400 else line[:399] + "…"


def _make_law(check: Callable[[Evidence], Iterator[str]], *trusts: str) -> Law:
    return Law(" ".join((check.__doc__ or "").split()), check, frozenset(trusts))


LAWS: dict[str, Law] = {
    "pack": _make_law(laws.check_pack_law),
    "seed": _make_law(laws.check_seed_law, "pack"),
    "json": _make_law(laws.check_json_law, "pack"),
    "replay": _make_law(laws.check_replay_law, "pack"),
    "turns": _make_law(laws.check_turns_law, "pack", "replay"),
    "words": _make_law(laws.check_words_law, "pack", "replay"),
    "readings": _make_law(laws.check_readings_law, "pack", "replay"),
    "text": _make_law(laws.check_text_law, "pack", "replay"),
    "choices": _make_law(laws.check_choices_law, "pack", "replay", "words"),
    "hiding": _make_law(secrecy_laws.check_hiding_law, "pack"),
    "secrecy": _make_law(secrecy_laws.check_secrecy_law, "pack", "replay", "hiding"),
    "gold": _make_law(laws.check_gold_law, "pack"),
    "speaker": _make_law(laws.check_speaker_law, "pack", "gold", "turns"),
    "end": _make_law(laws.check_end_law, "pack"),
    "resume": _make_law(laws.check_resume_law, "pack", "replay", "words", "readings"),
    "scores": _make_law(laws.check_scores_law, "pack", "replay"),
    "drawing": _make_law(laws.check_drawing_law, "pack", "replay"),
}
"""The laws by name, in the order in which they are checked."""
