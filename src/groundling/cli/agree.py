"""`groundling agree` prints the agreement of annotators."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from groundling.core.pack import choices_hint
from groundling.core.values import Problem
from groundling.files import write_output
from groundling.report.text_table import print_table

FORMATS = ("csv", "json")


def agree_command(
    file: Annotated[
        Path, Argument(metavar="FILE", help="A table of labels: CSV, TSV or JSONL, wide or long.")
    ],
    metric: Annotated[
        list[str] | None,
        Option(
            help="A metric of alpha, repeatable: nominal, ordinal, gwet-ordinal, interval, ratio, jaccard, "
            "masi; default: those that fit.",
            metavar="NAME",
        ),
    ] = None,
    order: Annotated[
        str, Option(help="The labels of an ordered scale, lowest first.", metavar="A,B,...")
    ] = "",
    cluster: Annotated[
        str, Option(help="The column with clusters of items that are not independent.", metavar="NAME")
    ] = "",
    annotators: Annotated[
        str, Option(help="The columns of a wide table that hold labels.", metavar="NAME,...")
    ] = "",
    item: Annotated[str, Option(help="The column with items.", metavar="NAME")] = "",
    annotator: Annotated[
        str, Option(help="The column with annotators of a long table.", metavar="NAME")
    ] = "",
    label: Annotated[str, Option(help="The column with labels of a long table.", metavar="NAME")] = "",
    missing: Annotated[str, Option(help="A missing label, beside empty cells.", metavar="TEXT")] = "",
    over_annotators: Annotated[
        bool, Option("--over-annotators", help="Resample annotators too; there must be five.")
    ] = False,
    resamples: Annotated[int, Option(help="Number of resamples.", metavar="N", min=100)] = 1000,
    seed: Annotated[int, Option(help="Random seed for resampling.")] = 0,
    out: Annotated[
        Path | None, Option("-o", "--out", help="Also write FILE.csv, or FILE.json with all confusions.")
    ] = None,
) -> None:
    """Print the agreement of annotators.

    Krippendorff's alpha, Fleiss' and Cohen's kappa, Gwet's AC1 and percent agreement have intervals that
    resample items or clusters of items."""
    from groundling.report.agreement_table import (
        agreement_rows,
        agreement_table,
        confusion_table,
        encode_agreement,
    )
    from groundling.scores.label_distances import METRICS, SET_METRICS
    from groundling.scores.label_file import LabelColumns, as_numbers, parse_label_file

    metrics = metric or []
    for name in metrics:
        if name not in METRICS:
            raise Problem(f"--metric {name}: {choices_hint(METRICS)}")
    ending = out.suffix.removeprefix(".") if out else ""
    if out and ending not in FORMATS:
        raise Problem(f"{out} needs a known file extension: {choices_hint(f'.{one}' for one in FORMATS)}")
    columns = LabelColumns(
        item=item,
        annotator=annotator,
        label=label,
        cluster=cluster,
        annotators=tuple(_split_names(annotators)),
    )
    labels = parse_label_file(
        str(file), file.read_bytes(), columns, missing, sets=bool(SET_METRICS & set(metrics))
    )
    listed = _split_names(order)
    # the labels of the file are numbers if all of them are
    numbers = all(not isinstance(each, str) for row in labels.ratings for each in row)
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


def _split_names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
