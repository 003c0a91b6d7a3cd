"""Write a data set as a folder, whole or not at all: tables as Parquet and CSV, and its cards."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.publish.cards import CardFacts, write_changes, write_citation, write_readme, zenodo_fields
from groundling.publish.dataset_record import DatasetRecord, check_record, encode_record, read_record
from groundling.publish.material import Material, PublishedLabels
from groundling.publish.metadata import croissant_fields, psychds_columns, psychds_fields, psychds_file
from groundling.publish.provenance import find_sources, list_player_licences
from groundling.publish.tables import Tables, count_leaks, make_tables
from groundling.runs.published_data import INSTANCES, RECORD_FILE, SUMS_FILE, table_file
from groundling.scores.label_file import parse_label_file


class PublishedFolder(Struct, frozen=True):
    path: Path
    counts: dict[tuple[str, str], int]
    """Rows by table and split."""
    left_out: int
    erased: int
    digest: str
    """The SHA-256 of the list of checksums, which stands for the whole folder."""


def publish_material(material: Material, about: Path, out: Path, reviewed: str = "") -> PublishedFolder:
    """Write the folder. `reviewed`: the SHA-256 of the texts that somebody has read."""
    check_free(out)
    record = read_record(about)
    check_record(
        about, record, people=material.has_people, labels=bool(material.labels), games=material.has_instances
    )
    sources = find_sources(material, record)
    tables = make_tables(material, record)
    packs = {run.pack.name: run.pack for run in material.runs} | {
        pack.name: pack for _, pack, _ in material.files
    }
    facts = CardFacts(
        record=record,
        packs=[packs[name] for name in sorted(packs)],
        counts={key: table.height for key, table in tables.items()},
        sources=sources,
        player_licences=list_player_licences(material),
        agreement=list(_agreement_lines(material.labels)),
        leaks=count_leaks((split, found) for (name, split), found in tables.items() if name == INSTANCES),
        erased=material.erased,
        left_out=sum(run.left_out for run in material.runs),
        people=material.has_people,
    )
    files = dict(_make_files(facts, tables, record, reviewed))
    sums = "".join(f"{sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()
    _write_folder(out, {**files, SUMS_FILE: sums})
    return PublishedFolder(out, dict(facts.counts), facts.left_out, facts.erased, sha256(sums).hexdigest())


def check_free(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Problem(f"{out} is there already: choose another folder with -o, or remove it")


def _write_folder(out: Path, files: dict[str, bytes]) -> None:
    """Write into a folder beside it, and rename that. What a killed process left there is removed."""
    part = out.resolve().with_name(f".{out.resolve().name}.part")
    shutil.rmtree(part, ignore_errors=True)
    for name, content in files.items():
        (part / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole_file(part / name, content)
    part.rename(out)


def _make_files(
    facts: CardFacts, tables: Tables, record: DatasetRecord, reviewed: str
) -> Iterator[tuple[str, bytes]]:
    checksums = {}
    for (table, split), frame in tables.items():
        buffer, path = io.BytesIO(), table_file(table, split)
        frame.write_parquet(buffer)
        checksums[path] = sha256(buffer.getvalue()).hexdigest()
        yield path, buffer.getvalue()
        yield psychds_file(table, split), frame.select(list(psychds_columns(table))).write_csv().encode()
    told = structs.replace(record, reviewed_texts=reviewed)
    yield RECORD_FILE, encode_record(told)
    yield "README.md", write_readme(facts).encode()
    yield "CHANGES.md", write_changes(record).encode()
    yield "CITATION.cff", write_citation(facts).encode()
    yield ".zenodo.json", _encode_json(zenodo_fields(facts))
    yield "croissant.json", _encode_json(croissant_fields(facts, checksums))
    yield "dataset_description.json", _encode_json(psychds_fields(facts))
    yield ".psychdsignore", b"parquet/\ncroissant.json\n"


def _encode_json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _agreement_lines(tables: Sequence[PublishedLabels]) -> Iterator[str]:
    """Yield Krippendorff's alpha of each field that several annotators labelled with repeated labels."""
    from groundling.scores.agreement import alpha, alpha_spans

    for table in tables:
        lines = b"".join(msgspec.json.encode(row) + b"\n" for row in table.rows)
        said = [row["label"] for row in table.rows if row["label"]]
        people = {row.get("annotator", "") for row in table.rows}
        if table.settled or len(people) < 2 or len(set(said)) > len(said) / 2:
            continue
        several = "start" not in table.rows[0] and len(table.rows) > len(
            {(row["item"], row["annotator"]) for row in table.rows}
        )
        labels = parse_label_file(f"{table.field}.jsonl", lines, sets=several)
        if labels.lengths is None:
            metric = "masi" if several else "nominal"
            found = alpha(labels.ratings, metric, clusters=labels.clusters)
        else:
            metric = "spans"
            found = alpha_spans(labels.ratings, labels.lengths, None, clusters=labels.clusters)
        value, interval = found.cells
        yield (
            f"- {table.study}, {table.field}: Krippendorff's alpha ({metric}) {value} {interval} "
            f"({found.n} units, {len(people)} annotators)"
        )
