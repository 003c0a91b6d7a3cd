"""`groundling study pay`: the pay sheet, files for recruiting services, and batches of payments."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from time import time
from typing import Annotated

import typer
from msgspec import Struct
from typer import Option

from groundling.cli.options import with_struct_options
from groundling.cli.study_commands import DbOption, FolderArgument, read_folded_study
from groundling.cli.study_send import send_bonuses
from groundling.core.pack import choices_hint
from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.core.values import Problem
from groundling.csv_cells import format_csv_row
from groundling.files import write_output
from groundling.report.text_table import print_table, print_text
from groundling.studies.pay_rules import format_amount, pay_floor
from groundling.studies.pay_sheet import (
    PLATFORM_COLUMNS,
    PayRow,
    is_platform_bonus,
    median_hourly,
    pay_rows,
    platform_cells,
)
from groundling.studies.payments import (
    Payment,
    cancel_batch,
    list_batch,
    list_unpaid,
    prepare_batch,
    settle_batch,
)
from groundling.studies.study_decisions import StudyEvents
from groundling.studies.study_state import StudyState
from groundling.web.study_store import open_study_log, read_service_ids

FORMATS = ("csv", *PLATFORM_COLUMNS)
AMOUNTS = ("tasks", "bonuses", "waiting", "fixed", "owed", "in_batch", "paid")


class PayOrder(Struct, frozen=True):
    """What to do with a study's pay."""

    format: Annotated[str, Option(help="The file's format: csv, prolific or mturk.", metavar="NAME")] = "csv"
    out: Annotated[Path | None, Option("-o", "--out", help="Write what is to be paid into this file.")] = None
    prepare: Annotated[
        str, Option(help="Put all that is to be paid into a batch of this name.", metavar="BATCH")
    ] = ""
    settle: Annotated[str, Option(help="Record that a batch was paid.", metavar="BATCH")] = ""
    cancel: Annotated[str, Option(help="Record that a batch was not paid.", metavar="BATCH")] = ""
    send: Annotated[
        str, Option(help="Pay all bonuses as a batch, through the study's service.", metavar="BATCH")
    ] = ""
    dry_run: Annotated[bool, Option("--dry-run", help="With --send: print each request; send nothing.")] = (
        False
    )
    yes: Annotated[bool, Option("--yes", help="With --send: do not ask first.")] = False

    def check(self) -> None:
        if self.send and (self.prepare or self.settle or self.cancel):
            raise typer.BadParameter("--send does all steps: give it alone")
        if self.format not in FORMATS:
            raise Problem(f"there is no format {self.format!r}: {choices_hint(FORMATS)}")
        if sum(map(bool, (self.prepare, self.settle, self.cancel))) > 1:
            raise Problem("--prepare, --settle and --cancel are one step each: give one of them")


def pay_study(folder: FolderArgument, order: PayOrder, db: DbOption = "groundling.db") -> None:
    """Print what people are owed and what an hour gave them, and write files for recruiting services.

    What is in a batch is in no other file, so that nobody is paid twice."""
    order.check()
    if order.send:
        send_bonuses(folder, db, order.send, order.dry_run, order.yes)
    name, state = read_folded_study(folder, db)
    ids, currency = read_service_ids(db, name), state.study.pay.currency
    if order.format == "mturk" and currency != "USD":
        raise Problem(f"Mechanical Turk pays in USD, this study in {currency}: use --format csv")

    def accept(person: str, key: str) -> bool:
        return order.format == "csv" or (is_platform_bonus(key) and order.format in ids.get(person, {}))

    if order.prepare or order.settle or order.cancel:
        with open_study_log(db, name) as log:

            def take_step(state: StudyState) -> tuple[StudyEvents, None]:
                if order.prepare:
                    return prepare_batch(state, order.prepare, time(), accept), None
                step = settle_batch if order.settle else cancel_batch
                return step(state, order.settle or order.cancel, time()), None

            log.decide_events(take_step)
            state = log.read_state()
    rows = pay_rows(state)
    print_table(_sheet_table(state, rows))
    print()
    for line in _sheet_lines(state, rows):
        print_text(line, "  ")
    payments = list_batch(state, order.prepare) if order.prepare else list_unpaid(state, accept)
    if order.out is not None:
        _write_file(order, state, rows, payments, ids)
    if order.format != "csv":
        others = {row.person for row in rows if order.format not in ids.get(row.person, {})}
        if others:
            print_text(f"{len(others)} people have no id of {order.format}: pay them with --format csv", "  ")


pay_command = with_struct_options(pay_study, "order", PayOrder)


def _sheet_table(state: StudyState, rows: list[PayRow]) -> TextTable:
    groups: dict[str, list[PayRow]] = defaultdict(list)
    for row in rows:
        groups[row.outcome or "taking part"].append(row)
    lines = [TableRow((name,), _sum_cells(found)) for name, found in sorted(groups.items())]
    lines.append(TableRow(("all",), _sum_cells(rows)))
    columns = ("people", *(name.replace("_", " ") for name in AMOUNTS), "median an hour")
    title = f"Pay in {state.study.pay.currency}"
    return TextTable(title, ("outcome",), tuple(map(Column, columns)), tuple(lines))


def _sum_cells(rows: list[PayRow]) -> tuple[str, ...]:
    sums = (format_amount(sum(getattr(row, name) for row in rows)) for name in AMOUNTS)
    rate = median_hourly(rows)
    return (str(len(rows)), *sums, "-" if rate is None else format_amount(rate))


def _sheet_lines(state: StudyState, rows: list[PayRow]) -> list[str]:
    pay, rate, lines = state.study.pay, median_hourly(rows), list[str]()
    floor = pay_floor(pay)
    if rate is not None:
        told = f"median pay: {format_amount(rate)} {pay.currency} an hour in tasks and waiting rooms"
        if floor:
            told += f"; the floor is {format_amount(floor)}{', so pay more' if rate < floor else ''}"
        lines.append(told)
    for batch, step in state.batches.items():
        if step in ("prepared", "sent"):
            amount = format_amount(sum(payment.amount for payment in list_batch(state, batch)))
            advice = {
                "prepared": f"pay it, then --settle {batch}; or --cancel {batch}",
                "sent": f"look whether the service has paid it, then --settle or --cancel {batch}",
            }[step]
            lines.append(f"batch {batch}: {amount} {pay.currency} {step}: {advice}")
    return lines


def _write_file(
    order: PayOrder,
    state: StudyState,
    rows: list[PayRow],
    payments: list[Payment],
    ids: dict[str, dict[str, str]],
) -> None:
    assert order.out is not None
    if order.format == "csv":
        due = {payment.person: payment.amount for payment in payments}
        header: tuple[str, ...] = ("person", "outcome", *AMOUNTS, "to_pay", "currency", "minutes")
        cells = [_row_cells(row, due.get(row.person, 0), state.study.pay.currency) for row in rows]
    else:
        header = PLATFORM_COLUMNS[order.format]
        cells, missing = platform_cells(order.format, payments, ids, f"Bonus: {state.study.title}")
        if missing:
            print_text(f"{len(missing)} people have no assignment: they are not in the file", "  ")
    lines = [header, *cells] if header else cells
    write_output(order.out, b"".join(map(format_csv_row, lines)))
    amount = format_amount(sum(payment.amount for payment in payments))
    print(f"{order.out}: {len(payments)} people, {amount} {state.study.pay.currency} to pay")


def _row_cells(row: PayRow, due: int, currency: str) -> tuple[str, ...]:
    amounts = (format_amount(getattr(row, name)) for name in AMOUNTS)
    minutes = f"{row.seconds / 60:.1f}"
    return (row.person, row.outcome, *amounts, format_amount(due), currency, minutes)
