"""The cards of a data set as text: README.md for Hugging Face, CITATION.cff, .zenodo.json and CHANGES.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from groundling import __version__
from groundling.core.pack import Pack, load
from groundling.core.source import DataTerms
from groundling.publish.dataset_record import LICENCES, DatasetRecord, list_questions
from groundling.publish.tables import COLUMNS, FORMAT, FORMAT_CHANGES
from groundling.runs.published_data import table_file

HUB_NAMES = {"ODbL-1.0": "odbl", "ODC-By-1.0": "odc-by", "PDDL-1.0": "pddl"}
"""Licences that Hugging Face does not call by their SPDX id in lower case."""


class CardFacts(Struct, frozen=True, kw_only=True):
    """What the cards say: the author's record, and what follows from the data."""

    record: DatasetRecord
    packs: Sequence[Pack]
    counts: Mapping[tuple[str, str], int]
    """Rows by table and split."""
    sources: Mapping[str, DataTerms]
    player_licences: Mapping[str, str]
    agreement: Sequence[str]
    """Lines with computed coefficients."""
    leaks: int
    erased: int
    left_out: int
    people: bool

    @property
    def tables(self) -> list[str]:
        return [name for name in COLUMNS if any(table == name for table, _ in self.counts)]

    def splits_of(self, table: str) -> list[str]:
        return [split for name, split in self.counts if name == table]

    @property
    def licence_address(self) -> str:
        licence = self.record.licence
        return f"https://spdx.org/licenses/{licence}.html" if licence in LICENCES else licence


def write_readme(facts: CardFacts) -> str:
    front = "\n".join(_front_matter(facts))
    body = "\n\n".join(_readme_parts(facts))
    return f"---\n{front}\n---\n\n{body}\n"


def _front_matter(facts: CardFacts) -> Iterator[str]:
    """Yield the lines of YAML. JSON strings are YAML strings, whatever they hold."""
    record = facts.record
    known = record.licence in LICENCES
    yield f"license: {HUB_NAMES.get(record.licence, record.licence.lower()) if known else 'other'}"
    if not known:
        yield f"license_name: other\nlicense_link: {json.dumps(record.licence)}"
    yield f"pretty_name: {_quote(record.title)}"
    yield f"version: {_quote(record.version)}"
    yield from _yaml_list("language", record.languages)
    yield from _yaml_list("tags", (*record.keywords, *(pack.name for pack in facts.packs), "groundling"))
    yield "configs:"
    for number, table in enumerate(facts.tables):
        yield f"- config_name: {table}"
        if number == 0:
            yield "  default: true"
        yield "  data_files:"
        for split in facts.splits_of(table):
            yield f"  - split: {split}\n    path: {table_file(table, split)}"


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _yaml_list(name: str, values: Sequence[str]) -> Iterator[str]:
    if values:
        yield f"{name}:\n" + "\n".join(f"- {_quote(value)}" for value in values)


def _readme_parts(facts: CardFacts) -> Iterator[str]:
    record = facts.record
    yield f"# {record.title}"
    yield record.description
    authors = ", ".join(author.full_name for author in record.authors)
    yield (
        f"Version {record.version} of {record.published}, by {authors}. Licence: "
        f"[{record.licence}]({facts.licence_address}). Page: {record.url}. Contact: {record.contact}."
    )
    yield "## Games\n" + "\n".join(f"- `{pack.name}`: {pack.about}" for pack in facts.packs)
    yield "## Tables\n" + _markdown_table(
        ("table", "split", "rows"), [(*key, f"{count:,}") for key, count in facts.counts.items()]
    )
    yield "```py\nfrom datasets import load_dataset\n\nload_dataset(FOLDER, " + f'"{facts.tables[0]}")\n```'
    yield (
        "`groundling play GAME --data FOLDER` plays the instances again, with any players; "
        "`groundling data import published FOLDER` writes the recorded games as runs."
    )
    yield "\n".join(_data_notes(facts))
    for table in facts.tables:
        rows = [(f"`{name}`", column.kind.__name__, column.about) for name, column in COLUMNS[table].items()]
        yield f"### {table}\n" + _markdown_table(("column", "type", "meaning"), rows)
    yield "### Measures\n" + _markdown_table(("game", "measure", "meaning"), list(_measure_rows(facts)))
    yield "## Sources\n" + "\n".join(_source_lines(facts))
    if facts.people and record.people:
        yield "## People\n" + _question_lines(record.people)
    if facts.agreement:
        yield "## Agreement\n" + "\n".join((record.agreement, "", *facts.agreement))
    yield "## Datasheet\n" + _question_lines(record.datasheet)
    yield f"## Canary\nPlease keep it out of training data. Its rows carry the canary `{record.canary}`."
    yield f"Written by groundling {__version__}, format {FORMAT}; CHANGES.md has the changes."


def _measure_rows(facts: CardFacts) -> Iterator[tuple[str, str, str]]:
    for pack in facts.packs:
        yield from ((pack.name, f"`{measure.name}`", measure.about) for measure in load(pack.measures))


def _data_notes(facts: CardFacts) -> Iterator[str]:
    if facts.leaks:
        yield f"- {facts.leaks} clusters of instances are in more than one split: they are not independent."
    if facts.left_out:
        yield f"- {facts.left_out} episodes that were not played to their end are left out."
    if facts.erased:
        yield f"- {facts.erased} games are not part of it, as somebody who took part in them was erased."
    yield "- `SHA256SUMS` has the checksum of every file; all cards are made from `dataset.toml`."


def _source_lines(facts: CardFacts) -> Iterator[str]:
    yield "- what `source` calls `generated` was made by the games' generators"
    for name, terms in facts.sources.items():
        yield f"- {name}: {'; '.join(filter(None, (terms.licence, terms.note, terms.cite)))}"
    for player, licence in facts.player_licences.items():
        yield f"- trained player of {player}: {licence or 'no licence stated'}"


def _question_lines(section: Struct) -> str:
    return "\n".join(
        f"- **{name.capitalize()}** ({question.rstrip('?')}): {getattr(section, name)}"
        for name, question in list_questions(type(section)).items()
    )


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def write_citation(facts: CardFacts) -> str:
    """Return CITATION.cff, version 1.2.0 of the format."""
    record = facts.record
    known = record.licence in LICENCES
    lines = [
        "cff-version: 1.2.0",
        "message: Please cite this data set.",
        "type: dataset",
        f"title: {_quote(record.title)}",
        f"abstract: {_quote(record.description)}",
        f"version: {_quote(record.version)}",
        f"date-released: {record.published}",
        f"license: {record.licence}" if known else f"license-url: {_quote(record.licence)}",
        f"url: {_quote(record.url)}",
        *([f"doi: {_quote(record.doi)}"] if record.doi else []),
        *_yaml_list("keywords", record.keywords),
        "authors:",
    ]
    for author in record.authors:
        named = {
            "family-names": author.family,
            "given-names": author.given,
            "affiliation": author.affiliation,
            "orcid": f"https://orcid.org/{author.orcid}" if author.orcid else "",
        }
        stated = [f"{name}: {_quote(value)}" for name, value in named.items() if value]
        lines.append("- " + "\n  ".join(stated))
    return "\n".join(lines) + "\n"


def zenodo_fields(facts: CardFacts) -> dict[str, Any]:
    """Return the metadata of a deposit at Zenodo."""
    record = facts.record
    creators = [
        {
            "name": ", ".join(filter(None, (author.family, author.given))),
            **({"affiliation": author.affiliation} if author.affiliation else {}),
            **({"orcid": author.orcid} if author.orcid else {}),
        }
        for author in record.authors
    ]
    licence: dict[str, str] = {"license": record.licence}
    if record.licence not in LICENCES:  # without any, Zenodo would assume one
        licence = {"license": "other-closed", "notes": f"Licence: {record.licence}"}
    cited = list(dict.fromkeys(terms.cite for terms in facts.sources.values() if terms.cite))
    return {
        "upload_type": "dataset",
        "title": record.title,
        "description": record.description,
        "creators": creators,
        "access_right": "open",
        **licence,
        "version": record.version,
        "publication_date": str(record.published),
        **({"keywords": list(dict.fromkeys(record.keywords))} if record.keywords else {}),
        **({"references": cited} if cited else {}),
    }


def write_changes(record: DatasetRecord) -> str:
    """Return the changes of the data set, as its author states them, and those of the format."""
    data = [f"- {change.version} ({change.date}): {change.text}" for change in record.changes]
    form = [f"- {version}: {text}" for version, text in FORMAT_CHANGES.items()]
    data = data or [f"- {record.version} ({record.published}): no changes are stated"]
    return "\n".join(("# Changes", "", "## Data set", *data, "", "## Format of the files", *form, ""))
