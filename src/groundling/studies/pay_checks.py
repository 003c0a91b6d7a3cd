"""Find mistakes in the pay of a study: amounts that cannot be paid, or that are less than the floor."""

from __future__ import annotations

from collections.abc import Iterator

from groundling.core.pack import choices_hint
from groundling.studies.pay_rules import format_amount, minor_units, pay_floor
from groundling.studies.study import Study
from groundling.studies.study_events import OUTCOMES


def find_pay_mistakes(study: Study) -> Iterator[str]:
    """A line for every mistake, with the place in the file."""
    for where, amount in _list_amounts(study).items():
        if abs(amount * 100 - minor_units(amount)) > 1e-6:
            yield f"{where}: {amount:g} has more than two decimals: round it"
    for name in sorted(set(study.pay.outcomes) - set(OUTCOMES)):
        yield f"pay.outcomes: there is no outcome {name!r}: {choices_hint(OUTCOMES)}"
    for stage in study.stages:
        if stage.bonus and stage.bonus.amount and not (stage.has_items or stage.questions):
            yield f"stages.{stage.name}.bonus: its tasks have no score: remove it"
    if pay_floor(study.pay):
        yield from _check_floor(study, pay_floor(study.pay))


def _list_amounts(study: Study) -> dict[str, float]:
    pay = study.pay
    amounts = {f"pay.{key}": getattr(pay, key) for key in ("base", "screened_out", "waiting_minute")}
    amounts |= {f"pay.outcomes.{name}": amount for name, amount in pay.outcomes.items()}
    for stage in study.stages:
        amounts[f"stages.{stage.name}.pay"] = stage.pay
        amounts[f"stages.{stage.name}.bonus"] = stage.bonus.amount if stage.bonus else 0.0
    return amounts


def _check_floor(study: Study, floor: int) -> Iterator[str]:
    """Each amount that is paid for time, and a way through the whole study with one task of each stage. A
    study that pays nothing has volunteers."""
    paid = {f"stages.{stage.name}.pay": (stage.pay, stage.usual_minutes) for stage in study.stages}
    paid["pay.waiting_minute"] = (study.pay.waiting_minute, 1.0)
    total = study.pay.base + sum(stage.pay for stage in study.stages)
    paid["pay"] = (total, sum(stage.usual_minutes for stage in study.stages))
    for where, (amount, minutes) in paid.items():
        hourly = round(minor_units(amount) * 60 / minutes)
        if amount and hourly < floor:
            yield (
                f"{where}: {amount:.2f} for {minutes:g} minutes is {format_amount(hourly)} "
                f"{study.pay.currency} an hour, less than {format_amount(floor)}: raise it, "
                "correct expected_minutes, or set pay.floor"
            )
