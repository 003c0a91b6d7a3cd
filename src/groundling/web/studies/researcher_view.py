"""What researchers see of a study: an overview with plots, its people, their tasks and rooms, as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from groundling.core.values import Problem
from groundling.studies.annotation_agreement import count_settled, measure_drift, measure_fields
from groundling.studies.eligibility import may_enter_group
from groundling.studies.ranking import candidate_scores
from groundling.studies.study_flow import count_flow, flow_svg
from groundling.studies.study_state import StudyState
from groundling.studies.study_summary import (
    PersonSummary,
    count_outcomes,
    find_busiest,
    summarize_people,
    summarize_stages,
    summarize_study,
)
from groundling.studies.study_tables import StoredAnswer, answer_rows, assignment_rows
from groundling.web.room_overview import RoomOverview
from groundling.web.studies.researcher_plots import plot_answers, plot_minutes
from groundling.web.studies.study_agreement import StudyAgreement
from groundling.web.studies.task_room_names import list_task_rooms

PEOPLE_PER_PAGE = 50
MOST_ROWS = 100
"""Rooms, or open items, that are listed."""
NOW = ("working", "waiting", "here")
"""The states of people who take part now."""


class PeopleQuery(Struct, frozen=True):
    """Which people are listed, and in which order."""

    sort: str = "arrived"
    down: bool = True
    show: str = "all"
    """all, now, undecided, or an outcome."""
    find: str = ""
    """Letters of the code, the group or the reason."""
    page: int = 0


def describe_study(
    study: str, state: StudyState, people: Sequence[PersonSummary], agreement: StudyAgreement
) -> dict[str, Any]:
    """The study as it is, without its people."""
    figures = summarize_study(state, people)
    return {
        "name": study,
        "title": state.study.title,
        "currency": state.study.pay.currency,
        "paused": state.paused,
        "complete": state.complete,
        "places": state.places,
        "places_taken": state.places_taken,
        "people": len(people),
        "now": sum(each.state in NOW for each in people),
        "figures": figures,
        "stages": summarize_stages(state),
        "outcomes": count_outcomes(state),
        "busiest": [
            {"person": each.person, "answers": each.answers, "share": each.answers / figures.answers}
            for each in find_busiest(people)
        ],
        "agreement": {"stages": agreement.stages, "unread": agreement.unread},
        "annotation": {
            "counts": list(count_settled(state)),
            "fields": list(measure_fields(state)),
            "drift": list(measure_drift(state)),
        },
        "items": _list_open_items(state),
        "undecided": sum(bool(each.undecided) for each in people),
        "ranked": list_ranked_groups(state),
        "plots": {
            "answers": plot_answers(state),
            "minutes": plot_minutes(state),
            "flow": flow_svg(state.study.title, count_flow(state)) if people else "",
        },
    }


def list_ranked_groups(state: StudyState) -> list[dict[str, Any]]:
    """The groups of the best that somebody can be chosen for, with how many candidates there are."""
    found = []
    for name, group in state.study.groups.items():
        scores = candidate_scores(state, name) if group.by == "rank" else {}
        if any(may_enter_group(state, state.people[person], name) for person in scores):
            found.append(
                {"group": name, "candidates": len(scores), "wanted": group.candidates, "most": group.most}
            )
    return found


def _list_open_items(state: StudyState) -> dict[str, Any]:
    """The items that need more answers, those with open tasks first."""
    found: list[dict[str, Any]] = [
        {"stage": name, "item": item.id, "done": item.done, "open": item.open, "wanted": stage.stage.answers}
        for name, stage in state.stages.items()
        for item in stage.items.values()
        if not item.withdrawn and item.done < stage.stage.answers
    ]
    found.sort(key=lambda row: (-row["open"], -row["done"]))
    return {"total": len(found), "rows": found[:MOST_ROWS]}


def list_people(people: Sequence[PersonSummary], query: PeopleQuery) -> dict[str, Any]:
    """One page of the people who fit a query."""
    sort = query.sort if query.sort in PersonSummary.__struct_fields__ else "arrived"
    sought = query.find.strip().casefold()
    found = [each for each in people if _fits(each, query.show, sought)]
    known = [each for each in found if getattr(each, sort) is not None]
    known.sort(key=lambda each: getattr(each, sort), reverse=query.down)
    known += [each for each in found if getattr(each, sort) is None]
    last = max(0, (len(known) - 1) // PEOPLE_PER_PAGE)
    page = min(max(0, query.page), last)
    first = page * PEOPLE_PER_PAGE
    rows = known[first : first + PEOPLE_PER_PAGE]
    return {"found": len(known), "page": page, "pages": last + 1, "rows": rows}


def _fits(person: PersonSummary, show: str, sought: str) -> bool:
    if show == "now" and person.state not in NOW:
        return False
    if show == "undecided" and not person.undecided:
        return False
    if show not in ("all", "now", "undecided") and person.state != show:
        return False
    words = (person.person, person.state, person.stage, person.reason, *person.groups)
    return not sought or any(sought in word.casefold() for word in words)


def list_open_rooms(study: str, state: StudyState, known: Mapping[str, RoomOverview]) -> dict[str, Any]:
    """The games that people of the study have now. `known`: the rooms that some server runs."""
    rows: list[dict[str, Any]] = []
    for person in state.active:
        task = state.tasks.get(state.people[person].task)
        if task is None or person != min(task.open):
            continue
        rooms = list_task_rooms(study, state, task.assigned.task)
        live = [known[room.name] for room in rooms if room.name in known]
        room = next((each for each in live if each.state in ("waiting", "playing")), None)
        there = {seat.role: seat.there for seat in room.seats} if room else {}
        if rooms:
            rows.append(
                {
                    "task": task.assigned.task,
                    "stage": task.assigned.stage,
                    "at": task.assigned.at,
                    "until": task.assigned.until,
                    "seats": [
                        {"role": role, "person": who, "there": there.get(role, "not yet")}
                        for role, who in task.assigned.seats.items()
                    ],
                    "room": room.id if room else "",
                    "events": room.events if room else 0,
                    "last": room.last if room else None,
                }
            )
    rows.sort(key=lambda row: (not row["room"], row["at"]))
    return {"total": len(rows), "rows": rows[:MOST_ROWS]}


def describe_person(
    study: str, state: StudyState, person: str, answers: Sequence[StoredAnswer]
) -> dict[str, Any]:
    """All that a person did, for those who decide about them."""
    known = state.people.get(person)
    if known is None:
        raise Problem(f"there is no person {person!r} in this study: look for the code among its people")
    summary = next(each for each in summarize_people(state, [person]))
    if known.erased:
        return {"summary": summary, "tasks": [], "answers": [], "messages": []}
    tasks = [
        {**structs.asdict(row), "rooms": [room.name for room in list_task_rooms(study, state, row.task)]}
        for row in assignment_rows(state, state.tasks_of.get(person, ()))
        if row.person == person
    ]
    return {
        "summary": summary,
        "tasks": tasks,
        "answers": list(answer_rows(state, answers)),
        "messages": [{"at": at, "text": text} for at, text in known.messages],
    }
