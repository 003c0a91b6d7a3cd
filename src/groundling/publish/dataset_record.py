"""The record of what a data set is, `dataset.toml`, which its author writes once; all cards follow."""

from __future__ import annotations

import re
import secrets
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from groundling.core.values import Problem
from groundling.files import encode_toml

LICENCES = (
    *("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0", "CC-BY-ND-4.0"),
    *("CC-BY-NC-ND-4.0", "MIT", "Apache-2.0", "BSD-3-Clause", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0"),
)
"""SPDX ids. Another licence is given as the address of its text."""
OPTIONAL = ("doi", "people", "sources", "keywords", "changes", "reviewed_texts")
WHOLE = "all"
"""The split of tables that are not split, such as labels."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_VERSION = re.compile(r"\d+\.\d+\.\d+")
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")


class _Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file. An empty value is a fact that is not known yet."""


class Author(_Section, frozen=True):
    family: str = ""
    given: str = ""
    orcid: str = ""
    affiliation: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.given} {self.family}".strip()


class DataPeople(_Section, frozen=True):
    """What is to be known about people whose words or actions are in the data."""

    who: Annotated[
        str, Meta(description="who took part: languages, ages, countries, as far as it is known")
    ] = ""
    recruited: Annotated[str, Meta(description="how they were found")] = ""
    consent: Annotated[str, Meta(description="what they agreed to, and how they can withdraw")] = ""
    pay: Annotated[str, Meta(description="what they were paid, and for how long a task")] = ""
    ethics: Annotated[str, Meta(description="which board reviewed the study, or why none did")] = ""
    private: Annotated[
        str, Meta(description="what personal information the data may hold, and what was removed")
    ] = ""


class Datasheet(_Section, frozen=True):
    """Answers on the topics of datasheets for datasets (Gebru et al. 2021)."""

    motivation: Annotated[str, Meta(description="why was it made, by whom, and who paid for it?")] = ""
    composition: Annotated[
        str, Meta(description="what does a row stand for, how many are there, what is missing or noisy?")
    ] = ""
    collection: Annotated[
        str, Meta(description="how and when was it collected or generated, by whom and with which tools?")
    ] = ""
    processing: Annotated[
        str, Meta(description="what was removed, corrected, labelled or computed afterwards?")
    ] = ""
    uses: Annotated[
        str,
        Meta(description="what is it for, what has it been used for, and what should it not be used for?"),
    ] = ""
    limits: Annotated[
        str, Meta(description="which biases and gaps does it have, and who could be harmed by it?")
    ] = ""
    distribution: Annotated[str, Meta(description="how is it distributed, and on which terms?")] = ""
    maintenance: Annotated[
        str, Meta(description="who maintains it, for how long, and where can mistakes be reported?")
    ] = ""


class DeclaredSource(_Section, frozen=True):
    """What the author says about material that is not known to groundling, or known on other terms."""

    name: str
    licence: str = ""
    shared: bool | None = None
    note: str = ""
    cite: str = ""


class DatasetChange(_Section, frozen=True):
    version: str
    date: date
    text: str


class DatasetRecord(_Section, frozen=True):
    title: str = ""
    version: str = ""
    published: date | None = None
    description: str = ""
    licence: str = ""
    url: str = ""
    contact: str = ""
    canary: str = ""
    languages: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    keywords: tuple[str, ...] = ()
    doi: str = ""
    splits: dict[str, list[str]] = {}
    """The runs, files or sets of each split; `["*"]` for all others."""
    people: DataPeople | None = None
    agreement: str = ""
    """How far annotators agree, in words; the coefficients are computed."""
    datasheet: Datasheet = Datasheet()
    sources: tuple[DeclaredSource, ...] = ()
    changes: tuple[DatasetChange, ...] = ()
    reviewed_texts: str = ""
    """Written with the data: the SHA-256 of the texts of people that somebody has read."""

    def find_missing(self, *, people: bool, labels: bool, games: bool) -> Iterator[str]:
        """Yield the names of the facts that are not stated, of data with people, labels or games in it."""
        optional = {*OPTIONAL, *(() if labels else ("agreement",)), *(() if games else ("splits",))}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name == "datasheet" or (name == "people" and people):
                yield from _missing_in(name, value or DataPeople())
            elif name not in optional and not value:
                yield name
        for number, author in enumerate(self.authors, 1):
            if not author.family:
                yield f"authors {number}: family"

    def split_of(self, *names: str) -> str | None:
        """Return the split of the first of these names, of a run, file or set, that has one."""
        found = (split for name in (*names, "*") for split, parts in self.splits.items() if name in parts)
        return next(found, None)


def read_record(path: Path) -> DatasetRecord:
    try:
        content = tomllib.loads(path.read_bytes().decode())
        record = msgspec.convert(content, DatasetRecord)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as trouble:
        raise Problem(f"{path} cannot be read ({trouble}): correct it") from None
    for wrong in _find_mistakes(record):
        raise Problem(f"{path}: {wrong}")
    return record


def check_record(path: Path, record: DatasetRecord, *, people: bool, labels: bool, games: bool) -> None:
    """Raise Problem with the names of all facts that are missing."""
    if missing := list(record.find_missing(people=people, labels=labels, games=games)):
        raise Problem(f"{path} does not state {', '.join(missing)}: fill this in, nothing is assumed")


def _find_mistakes(record: DatasetRecord) -> Iterator[str]:
    licence = record.licence
    if licence and licence not in LICENCES and not licence.startswith("https://"):
        yield f"licence {licence!r} is not known: give its address, or one of {', '.join(LICENCES)}"
    if record.version and not _VERSION.fullmatch(record.version):
        yield f"version {record.version!r} is not MAJOR.MINOR.PATCH: write it as in 1.0.0"
    if record.url and not record.url.startswith(("https://", "http://")):
        yield f"url {record.url!r} is no address: begin it with https://"
    for author in record.authors:
        if author.orcid and not _ORCID.fullmatch(author.orcid):
            yield f"orcid {author.orcid!r} is none: write it as in 0000-0002-1825-0097"
    for name in record.splits:
        if not _NAME.fullmatch(name) or name == WHOLE:
            yield f"the split {name!r} needs another name: letters and digits, and not {WHOLE!r}"
    sets = [each for found in record.splits.values() for each in found]
    if twice := next((each for each in sets if sets.count(each) > 1), ""):
        yield f"{twice!r} is in two splits: leave it in one"


def _missing_in(name: str, section: Struct) -> Iterator[str]:
    for field in section.__struct_fields__:
        if not getattr(section, field):
            yield f"{name}.{field}"


def list_questions(section: type[Struct]) -> dict[str, str]:
    """What each field of a section answers."""
    hints = get_type_hints(section, include_extras=True)
    return {name: get_args(hint)[1].description for name, hint in hints.items()}


def make_template(people: bool, labels: bool, sets: Sequence[str]) -> str:
    """Return an empty record with a canary of its own, of data with people, labels or these sets in it."""
    asked = f"[people]\n{_answer_lines(DataPeople)}\n\n" if people else ""
    agreement = 'agreement = ""  # how far annotators agree; coefficients are computed\n' if labels else ""
    text = (files(__package__) / "dataset_template.toml").read_text(encoding="utf-8")
    return Template(text).substitute(
        canary=secrets.token_hex(16),
        agreement=agreement,
        sets=f"  # here: {', '.join(sets)}" if sets else "",
        people=asked,
        datasheet=_answer_lines(Datasheet),
    )


def _answer_lines(section: type[Struct]) -> str:
    return "\n".join(f'{name} = ""  # {question}' for name, question in list_questions(section).items())


def encode_record(record: DatasetRecord) -> bytes:
    """Return the record as TOML, dates as dates, without what is not stated."""
    return encode_toml(msgspec.to_builtins(record, builtin_types=(date,)), unstated=(None, "", [], {}))
