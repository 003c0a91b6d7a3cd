"""Read `study.toml` and the files that it names, and name all mistakes in how it is written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from groundling import __version__
from groundling.core.annotation_item import AnnotationItem
from groundling.core.field_mistakes import find_field_mistakes
from groundling.core.pack import choices_hint, find, load
from groundling.core.source import find_source
from groundling.core.values import Instance, Problem
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.item_table import digest_item_table, read_item_table
from groundling.studies.study import Study, StudyStimuli
from groundling.studies.study_events import STUDY_SCHEMA, StudyStarted

STUDY_FILE = "study.toml"


class StudyFiles(Struct, frozen=True):
    """A study with what its files hold."""

    study: Study
    items: dict[str, tuple[str, ...]]
    """The ids of the instances, by the name of the stimuli."""
    digests: dict[str, str]
    """The SHA-256 of all texts and stimuli, by name."""
    texts: dict[str, str] = {}
    """What participants read, by key, such as `consent`; with the language where it is another one."""
    tables: dict[str, dict[str, AnnotationItem]] = {}
    """The items of tables by id, by the name of the stimuli."""

    @property
    def consents(self) -> dict[str, str]:
        """The consent text in all languages, by SHA-256."""
        keys = [key for key in self.texts if key.partition(".")[0] == "consent"]
        return {self.digests[key]: self.texts[key] for key in keys}

    def start_study(self, at: float) -> StudyStarted:
        """The first event of the study's log."""
        return StudyStarted(
            at=at,
            study=self.study,
            items=self.items,
            digests=self.digests,
            schema=STUDY_SCHEMA,
            version=__version__,
            consents=self.consents,
        )

    def find_text(self, key: str, language: str) -> tuple[str, str]:
        """The text in this language, or in the study's own, with its language; "" where there is none."""
        translated = self.texts.get(f"{key}.{language}")
        return (translated, language) if translated else (self.texts.get(key, ""), self.study.language)


class _InstanceId(Struct):
    id: str


def study_schema() -> dict[str, Any]:
    return msgspec.json.schema(Study)


def read_study(folder: Path) -> Study:
    """Read the study file. Raises Problem with one line for each mistake in it."""
    raw = _read_toml(folder / STUDY_FILE)
    # keys that are unknown or missing, and values of the wrong type
    if mistakes := list(find_field_mistakes(raw, Study)):
        raise Problem("\n".join(f"{STUDY_FILE}: {where}: {told}" for where, told in mistakes))
    try:
        return msgspec.convert(raw, Study)
    except msgspec.ValidationError as trouble:
        raise Problem(f"{STUDY_FILE}: {trouble}: correct it") from None


def _read_toml(path: Path) -> dict[str, Any]:
    if path.parent.is_file():
        raise Problem(f"{path.parent} is a file: give the folder of the study")
    if not path.is_file():
        raise Problem(f"{path} does not exist: begin with groundling study new TEMPLATE {path.parent}")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
        raise Problem(f"{path} is not TOML ({trouble}): correct that line") from None


def read_study_files(folder: Path, study: Study) -> tuple[StudyFiles, list[str]]:
    """Read what the study names. Returns also a line for each file that cannot be used."""
    items: dict[str, tuple[str, ...]] = {}
    digests: dict[str, str] = {}
    mistakes: list[str] = []
    texts: dict[str, str] = {}
    tables: dict[str, dict[str, AnnotationItem]] = {}
    for key, path in list_text_files(folder, study).items():
        try:
            content = path.read_bytes()
            texts[key], digests[key] = content.decode(), sha256(content).hexdigest()
            if not content.strip():
                mistakes.append(f"{STUDY_FILE}: {key}: {path.name} is empty: write the text into it")
        except (OSError, UnicodeDecodeError):
            mistakes.append(f"{STUDY_FILE}: {key}: {path.name} cannot be read: write the text into that file")
    for name, stimuli in study.stimuli.items():
        try:
            if stimuli.table and _count_sources(stimuli) == 1:
                tables[name] = read_item_table(folder / stimuli.table, stimuli.columns)
                items[name] = tuple(tables[name])
                digests[f"stimuli.{name}"] = digest_item_table(folder / stimuli.table, tables[name])
                continue
            items[name], digests[f"stimuli.{name}"] = _read_stimuli_ids(folder, name, stimuli)
        except Problem as trouble:
            mistakes.append(f"{STUDY_FILE}: stimuli.{name}: {trouble}")
    return StudyFiles(study, items, digests, texts, tables), mistakes


def list_text_files(folder: Path, study: Study) -> dict[str, Path]:
    """The files of the texts that participants read, by key. If it exists, `consent.de.md` is `consent.md`
    in another of the study's languages."""
    named = {"consent": study.consent, "instructions": study.instructions, "debriefing": study.debriefing}
    named |= {f"stages.{stage.name}.instructions": stage.instructions for stage in study.stages}
    named |= {
        f"stages.{stage.name}.guidelines": stage.task.guidelines
        for stage in study.stages
        if isinstance(stage.task, AnnotateTask)
    }
    found = {key: folder / name for key, name in named.items() if name}
    for key, path in [*found.items()]:
        for language in study.languages:
            other = path.with_suffix(f".{language}{path.suffix}")
            found |= {f"{key}.{language}": other} if other.is_file() else {}
    return found


def _read_stimuli_ids(folder: Path, name: str, stimuli: StudyStimuli) -> tuple[tuple[str, ...], str]:
    """The ids of the instances, and a digest of all that they hold."""
    if _count_sources(stimuli) != 1:
        raise Problem("give one of file, data, recipe and table")
    if not stimuli.game:
        raise Problem("the key game is missing: name the game of its instances")
    if stimuli.file:
        content = _read_file_bytes(folder / stimuli.file)
        ids = tuple(_read_line_ids(stimuli.file, content))
    else:
        instances = make_study_stimuli(folder, name, stimuli)
        content = b"\n".join(msgspec.json.encode(instance, order="sorted") for instance in instances)
        ids = tuple(instance.id for instance in instances)
    if len(set(ids)) < len(ids) or not ids:
        raise Problem("two instances have one id: rename one" if ids else "there are no instances: add some")
    return ids, sha256(content).hexdigest()


def _count_sources(stimuli: StudyStimuli) -> int:
    return sum(map(bool, (stimuli.file, stimuli.data, stimuli.recipe, stimuli.table)))


def _read_file_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise Problem(
            f"{path.name} cannot be read: make it with groundling make GAME -o {path.name}"
        ) from None


def _read_line_ids(name: str, content: bytes) -> Iterator[str]:
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip():
            try:
                yield msgspec.json.decode(line, type=_InstanceId).id
            except msgspec.MsgspecError as trouble:
                raise Problem(
                    f"{name}:{number} is not an instance ({trouble}): correct or remove it"
                ) from None


def make_study_stimuli(folder: Path, name: str, stimuli: StudyStimuli) -> list[Instance]:
    """The instances of published data, or those that a recipe makes. Recipes number their instances, so the
    name of the stimuli is added to the ids."""
    found = _make_all_stimuli(folder, name, stimuli)
    return _choose_part(found, *map(int, stimuli.part.split("/"))) if stimuli.part else found


def _choose_part(instances: Sequence[Instance], number: int, parts: int) -> list[Instance]:
    """One part of a Latin square: of every group of instances the members that it has, so that all parts
    together have all instances, and no two members of a group are in one part."""
    groups: dict[str, list[Instance]] = {}
    for instance in sorted(instances, key=lambda each: each.id):
        groups.setdefault(instance.group or instance.id, []).append(instance)
    if number > parts or any(len(members) > parts for members in groups.values()):
        raise Problem(f"part is {number}/{parts}: a group has more members, or there is no such part")
    return [
        instance
        for shift, name in enumerate(sorted(groups))
        for place, instance in enumerate(groups[name])
        if (place + shift) % parts == number - 1
    ]


def _make_all_stimuli(folder: Path, name: str, stimuli: StudyStimuli) -> list[Instance]:
    pack = find(stimuli.game)
    if stimuli.data:
        path, at, part = stimuli.data.rpartition("@")
        if not at:
            raise Problem(f"data is {stimuli.data!r}: write PATH@SPLIT")
        found = find_source(pack.name).read_collections(folder / path, part)
        there = [instance for one in found for instance in one.instances]
        fewer = stimuli.n is not None and stimuli.n < len(there)
        return Random(name).sample(there, stimuli.n or 0) if fewer else there
    kind = load(pack.recipe)
    if extra := set(stimuli.recipe) - set(kind.__struct_fields__):
        raise Problem(f"the recipe has no field {extra.pop()}: {choices_hint(kind.__struct_fields__)}")
    try:
        made: list[Instance] = list(load(pack.make)(msgspec.convert(stimuli.recipe, kind)))
    except msgspec.ValidationError as trouble:
        raise Problem(f"the recipe cannot be used ({trouble}): correct it") from None
    return [msgspec.structs.replace(instance, id=f"{name}-{instance.id}") for instance in made]
