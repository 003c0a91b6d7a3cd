"""`groundling agree` prints the agreement of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from groundling.core.pack import choices_hint
from groundling.core.values import Problem, missing_extra
from groundling.files import write_output
from groundling.report.text_table import print_table

FORMATS = ("csv", "json")


def print_agreement(
    file: Path,
    columns: dict[str, str],
    annotators: Sequence[str],
    metrics: Sequence[str],
    order: str,
    missing: str,
    out: Path | None,
    *,
    over_annotators: bool,
    resamples: int,
    seed: int,
) -> None:
    try:
        from groundling.report.agreement_table import (
            agreement_rows,
            agreement_table,
            confusion_table,
            encode_agreement,
        )
        from groundling.scores.label_distances import METRICS, SET_METRICS
        from groundling.scores.label_file import LabelColumns, as_numbers, parse_label_file
    except ImportError:
        raise missing_extra("score") from None
    for metric in metrics:
        if metric not in METRICS:
            raise Problem(f"--metric {metric}: {choices_hint(METRICS)}")
    ending = out.suffix.removeprefix(".") if out else ""
    if out and ending not in FORMATS:
        raise Problem(f"{out} needs a known file extension: {choices_hint(f'.{one}' for one in FORMATS)}")
    labels = parse_label_file(
        str(file),
        file.read_bytes(),
        LabelColumns(**columns, annotators=tuple(annotators)),
        missing,
        sets=bool(SET_METRICS & set(metrics)),
    )
    listed = [part.strip() for part in order.split(",") if part.strip()]
    # the labels of the file are numbers if all of them are
    numbers = all(not isinstance(label, str) for row in labels.ratings for label in row)
    categories = (as_numbers([listed])[0] if numbers else listed) if listed else None
    rows = agreement_rows(
        labels, metrics, categories, over_annotators=over_annotators, resamples=resamples, seed=seed
    )
    print_table(agreement_table(str(file), labels, rows))
    if confusions := confusion_table(labels, rows, categories):
        print()
        print_table(confusions)
    if out:
        write_output(out, encode_agreement(ending, labels, rows))
        print(f"\n{out}: {len(rows)} statistics")
