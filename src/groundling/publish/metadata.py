"""Machine-readable descriptions of a data set: Croissant 1.1 with RAI fields, and Psych-DS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files as package_files
from typing import Any

import msgspec

from groundling.publish.cards import CardFacts
from groundling.publish.tables import COLUMNS, TableColumn
from groundling.runs.published_data import table_file

PARQUET = "application/x-parquet"
"""What mlcroissant and Hugging Face call it."""
CONTEXT = "croissant_context.json"
"""The vocabulary of Croissant 1.1."""
_TYPES = {str: "sc:Text", int: "sc:Integer", float: "sc:Float"}


def croissant_fields(facts: CardFacts, checksums: Mapping[str, str]) -> dict[str, Any]:
    """Return the description in Croissant. `checksums`: of each file, by its path."""
    record = facts.record
    files = {table_file(table, split): f"{table}_{split}" for table, split in facts.counts}
    return {
        "@context": msgspec.json.decode((package_files(__package__) / CONTEXT).read_bytes()),
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        "name": record.title,
        "description": record.description,
        "license": facts.licence_address,
        "url": record.url,
        "version": record.version,
        "datePublished": str(record.published),
        "inLanguage": list(record.languages),
        "keywords": [*record.keywords, *(pack.name for pack in facts.packs)],
        "creator": list(_creators(facts)),
        "citeAs": _bibtex(facts),
        **_rai_fields(facts),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": name,
                "contentUrl": path,
                "encodingFormat": PARQUET,
                "sha256": checksums[path],
            }
            for path, name in files.items()
        ],
        "recordSet": [_record_set(table, split) for table, split in facts.counts],
    }


def _record_set(table: str, split: str) -> dict[str, Any]:
    name = f"{table}_{split}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"The table {table}, split {split}.",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{name}/{column}",
                "name": column,
                "description": about.about,
                "dataType": _TYPES[about.kind],
                "source": {"fileObject": {"@id": table_file(table, split)}, "extract": {"column": column}},
            }
            for column, about in COLUMNS[table].items()
        ],
    }


def _rai_fields(facts: CardFacts) -> dict[str, Any]:
    """Return the facts that the vocabulary for responsible AI has a name for, where they are stated."""
    sheet, people = facts.record.datasheet, facts.record.people if facts.people else None
    stated: dict[str, Any] = {
        "dataCollection": sheet.collection,
        "dataCollectionType": ["Experiments" if people else "Software Collection"],
        "dataCollectionRawData": sheet.composition,
        "dataPreprocessingProtocol": [sheet.processing],
        "dataUseCases": [sheet.uses],
        "dataLimitations": [sheet.composition],
        "dataBiases": [sheet.limits],
        "dataSocialImpact": sheet.limits,
        "dataReleaseMaintenancePlan": sheet.maintenance,
    }
    if people:
        consent = f"Consent: {people.consent} Pay: {people.pay} Ethics: {people.ethics}"
        stated |= {
            "personalSensitiveInformation": [people.private],
            "annotatorDemographics": [people.who],
            "dataAnnotationProtocol": [f"{people.recruited} {consent}"],
            "dataAnnotationPlatform": ["groundling"],
        }
    if facts.agreement:
        stated["dataAnnotationAnalysis"] = [facts.record.agreement, *facts.agreement]
    return {f"rai:{name}": value for name, value in stated.items()}


def _creators(facts: CardFacts) -> Iterator[dict[str, Any]]:
    for author in facts.record.authors:
        yield {
            "@type": "Person",
            "name": author.full_name,
            **({"url": f"https://orcid.org/{author.orcid}"} if author.orcid else {}),
        }


def _bibtex(facts: CardFacts) -> str:
    record = facts.record
    authors = " and ".join(", ".join(filter(None, (each.family, each.given))) for each in record.authors)
    year = record.published.year if record.published else ""
    key = f"{record.authors[0].family.lower().replace(' ', '')}{year}"
    fields = {"author": authors, "title": record.title, "year": year, "url": record.url}
    return f"@misc{{{key}, {', '.join(f'{name} = {{{value}}}' for name, value in fields.items())}}}"


def psychds_fields(facts: CardFacts) -> dict[str, Any]:
    """Return the description for Psych-DS, whose columns are those of all CSV files."""
    record = facts.record
    columns: dict[str, TableColumn] = {}
    for table in facts.tables:
        for name, column in psychds_columns(table).items():
            columns.setdefault(name, column)
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": record.title,
        "description": record.description,
        "version": record.version,
        "license": facts.licence_address,
        "url": record.url,
        "datePublished": str(record.published),
        "keywords": [*record.keywords, *(pack.name for pack in facts.packs)],
        "author": list(_creators(facts)),
        "citation": "CITATION.cff",
        **({"identifier": f"https://doi.org/{record.doi}"} if record.doi else {}),
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "description": column.about}
            for name, column in columns.items()
        ],
    }


def psychds_columns(table: str) -> dict[str, TableColumn]:
    """Return the columns of a CSV file: all but the one with the whole log, which is in Parquet."""
    return {name: column for name, column in COLUMNS[table].items() if name != "events"}


def psychds_file(table: str, split: str) -> str:
    """Return the path of a CSV file, whose name has the form key-value_data.csv."""
    return f"data/description-{table}{split.capitalize()}_data.csv"
