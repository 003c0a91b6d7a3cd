"""Whether somebody new may take part: places, people a day, the budget, and work that is left."""

from __future__ import annotations

from groundling.studies.eligibility import needs_people
from groundling.studies.pay_rules import minor_units
from groundling.studies.study import Study
from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

DAY_SECONDS = 86_400


def refuse_newcomer(state: StudyState, now: float) -> str:
    """Why nobody new can take part; "" where they can."""
    if state.paused:
        return "the study is paused"
    if full := refuse_consent(state, now):
        return full
    if exceeds_budget(state, most_per_person(state.study)):
        return "the budget is committed"
    return "" if needs_people(state) else "nothing is left to do"


def refuse_consent(state: StudyState, now: float) -> str:
    """Why somebody who has arrived cannot begin; "" where they can. Several may have arrived at once."""
    a_day = state.study.recruiting.a_day
    if state.places is not None and state.places_taken >= state.places:
        return "all places are taken"
    if a_day is not None and sum(at > now - DAY_SECONDS for at in state.consent_times) >= a_day:
        return "as many people as a day allows have begun"
    return ""


def exceeds_budget(state: StudyState, more: int) -> bool:
    """Whether the study could owe more than its budget, if it owed this much more."""
    budget = state.study.recruiting.budget
    return budget is not None and committed_amount(state) + more > minor_units(budget)


def refuse_return(state: StudyState, person: ParticipantState) -> bool:
    """Whether the budget does not allow that somebody who took part continues."""
    rest = max(0, most_per_person(state.study) - person.owed_total)
    return exceeds_budget(state, rest)


def most_per_person(study: Study) -> int:
    """The most that a person earns who does every task once, and waits once for each. Tasks that a partner
    broke off, and further waits, come on top."""
    pay = study.pay
    fixed = pay.base + max(pay.outcomes.values(), default=0.0)
    for stage in study.stages:
        waiting = stage.wait_minutes * pay.waiting_minute if stage.pairs_people else 0.0
        bonus = stage.bonus.amount if stage.bonus else 0.0
        fixed += stage.tasks_per_person * (stage.pay + bonus + waiting)
    return minor_units(max(fixed, pay.screened_out))


def committed_amount(state: StudyState) -> int:
    """What is owed, and what people who take part now can still earn."""
    most = most_per_person(state.study)
    owed = sum(person.owed_total for person in state.people.values())
    open_amounts = (max(0, most - sum(state.people[name].owed.values())) for name in state.active)
    return owed + sum(open_amounts)
