"""Where published material comes from, and whether its terms allow to give it to others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundling.core.source import DataTerms, find_source, installed_sources
from groundling.core.values import CANARY, Instance, Problem
from groundling.publish.dataset_record import DatasetRecord
from groundling.publish.material import Material, PublishedRun, each_instance
from groundling.runs.instances import DATA_ORIGIN

GENERATED = "generated"
"""The source of what a game's generator made."""
_FOLDERS = re.compile(r"[^ ,+]*/")
_MADE = ("seed ", "sha256:", "built in")


def find_instance_source(instance: Instance, about: Mapping[str, Any], where: str) -> str:
    """Name the source of an instance: its generator, published data, or the file that it was played from."""
    if instance.origin.startswith(DATA_ORIGIN):
        return instance.origin.removeprefix(DATA_ORIGIN)
    made = instance.canary == CANARY and instance.origin.startswith(_MADE)
    if made or about.get("source") == "built in":
        return GENERATED
    named = str(about.get("plan", {}).get("data", "")) or str(about.get("source", where))
    return _FOLDERS.sub("", named)  # a path says who worked where


def find_sources(material: Material, record: DatasetRecord) -> dict[str, DataTerms]:
    """Return the sources other than generators with their terms, after checking that these allow it."""
    found = {}
    for name in dict.fromkeys(_name_sources(material)):
        terms = _find_terms(name, record)
        if terms is None:
            raise Problem(
                f"the terms of {name!r} are not known, so it is not published: "
                "state them under [[sources]] in dataset.toml, with this name"
            )
        if not terms.shared:
            reason = f" ({terms.note})" if terms.note else ""
            raise Problem(
                f"{name} may not be given on, its licence is {terms.licence}{reason}: leave it out, "
                "or state a permission under [[sources]] in dataset.toml"
            )
        _check_licence(name, terms.licence, record.licence)
        found[name] = terms
    return found


def _name_sources(material: Material) -> Iterator[str]:
    abouts = {run.name: run.about for run in material.runs}
    for _, instance, where in each_instance(material):
        if (name := find_instance_source(instance, abouts.get(where, {}), where)) != GENERATED:
            yield name
    for run in material.runs:
        if data := run.about["plan"].get("data"):
            yield data
        if not run.control:  # a control repeats the words of its run
            yield from (spec for role, spec in _player_specs(run.about) if _copies_words(run, role, spec))


def _player_specs(about: Mapping[str, Any]) -> list[tuple[str, str]]:
    return list(about["plan"].get("seats", {}).items())


def _copies_words(run: PublishedRun, role: str, spec: str) -> bool:
    """Whether a player may say what is in a file, such as a script, a recorded run or remembered messages.
    Models, code and trained weights, which have a card, do not."""
    kind, colon, _ = spec.partition(":")
    ours = not colon or "/" in kind or kind == "gguf" or role in run.about.get("origins", {})
    return not ours and role not in find_player_cards(run.about)


def _find_terms(name: str, record: DatasetRecord) -> DataTerms | None:
    """Return the terms of a source. What the author declares comes first: it may be a permission."""
    for declared in record.sources:
        if declared.name == name:
            if not declared.licence or declared.shared is None:
                raise Problem(
                    f"[[sources]] {name} in dataset.toml does not state licence and shared: add them"
                )
            return DataTerms(
                licence=declared.licence, shared=declared.shared, note=declared.note, cite=declared.cite
            )
    return find_source(name).terms if name in installed_sources() else None


def _check_licence(name: str, theirs: str, ours: str) -> None:
    """Refuse a licence that drops a condition of a source: no commercial use, share alike, no derivatives."""
    for mark, meaning in (("NC", "commercial use"), ("SA", "other licences"), ("ND", "changed versions")):
        if mark in theirs.split("-") and mark not in ours.split("-"):
            raise Problem(
                f"{name} is under {theirs}, which does not allow {meaning}, and licence is {ours}: choose "
                f"a licence with {mark}, such as {theirs}"
            )


class PlayerCard(Struct):
    """What is read of the card of trained weights."""

    licence: str = ""


def find_player_cards(about: Mapping[str, Any]) -> dict[str, Path]:
    """Return the cards of trained players of a run by seat, where their folders are still there."""
    found = {}
    for role, spec in _player_specs(about):
        _, colon, argument = spec.partition(":")
        card = Path(argument.partition(",")[0]) / "card.json"
        if colon and card.is_file():
            found[role] = card
    return found


def list_player_licences(material: Material) -> dict[str, str]:
    found = {}
    for run in material.runs:
        for role, path in find_player_cards(run.about).items():
            card = msgspec.json.decode(path.read_bytes(), type=PlayerCard)
            found[f"{run.name}, {role}"] = card.licence
    return found
