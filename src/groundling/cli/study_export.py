"""Write the tables of a study as CSV and Parquet, with a codebook and the flow of people."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from groundling.cli.study_commands import read_stored_events
from groundling.core.values import missing_extra
from groundling.files import write_whole_file
from groundling.studies.study_events import AnyStudyEvent
from groundling.studies.study_flow import count_flow, flow_svg, flow_text
from groundling.studies.study_state import fold_study
from groundling.studies.study_tables import (
    TABLES,
    assignment_rows,
    participant_rows,
    row_cells,
    study_event_rows,
    write_codebook,
)
from groundling.web.people_table import format_csv_row


def export_study_tables(folder: Path, out: Path, db: str) -> None:
    events = read_stored_events(folder, db)
    out.mkdir(parents=True, exist_ok=True)
    for name, content in _export_files(events):
        write_whole_file(out / name, content)
        print(out / name)


def _export_files(events: Sequence[AnyStudyEvent]) -> Iterator[tuple[str, bytes]]:
    state = fold_study(events)
    tables = participant_rows(state), assignment_rows(state), study_event_rows(state, events)
    for (name, kind), rows in zip(TABLES.items(), tables, strict=True):
        cells = row_cells(rows)
        yield f"{name}.csv", b"".join(map(format_csv_row, [kind.__struct_fields__, *cells]))
        yield f"{name}.parquet", _encode_parquet(kind, cells)
    yield "codebook.md", write_codebook(state.study.title).encode()
    steps = count_flow(state)
    yield "flow.txt", flow_text(steps).encode()
    yield "flow.svg", flow_svg(state.study.title, steps).encode()


def _encode_parquet(kind: type[Struct], rows: Sequence[Sequence[Any]]) -> bytes:
    try:
        import polars as pl
    except ImportError:
        raise missing_extra("score") from None
    buffer = io.BytesIO()
    pl.DataFrame(rows, kind.__struct_fields__, orient="row", infer_schema_length=None).write_parquet(buffer)
    return buffer.getvalue()
