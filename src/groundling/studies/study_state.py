"""What has happened in a study so far: a fold over its events."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from groundling.core.values import Problem
from groundling.studies import study_events
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.answer_flow import close_task, discount_task
from groundling.studies.study import Study, StudyStage
from groundling.studies.study_records import (
    BatchState,
    ItemState,
    ParticipantState,
    StageState,
    TaskState,
    holds_place,
)


class StudyState:
    """The study as its events made it. It is updated with each event and never decides anything."""

    def __init__(self, started: study_events.StudyStarted) -> None:
        self.started = started
        self.study: Study = started.study
        self.digests = started.digests
        self.consents = dict(started.consents)
        """All texts that people have agreed to, by SHA-256."""
        self.paused = self.study.recruiting.paused
        self.added_places = 0
        self.version = 0
        """How many events were taken since the start."""
        self.people: dict[str, ParticipantState] = {}
        self.active: dict[str, None] = {}
        """People without an outcome."""
        self.tasks: dict[str, TaskState] = {}
        self.tasks_of: dict[str, list[str]] = {}
        self.group_sizes: dict[str, int] = dict.fromkeys(self.study.groups, 0)
        self.places_taken = 0
        self.listing: study_events.StudyListed | None = None
        self.consent_times: list[float] = []
        """When people agreed."""
        self.batches: dict[str, BatchState] = {}
        """How far each batch of payments is."""
        self.stages = {stage.name: StageState(stage) for stage in self.study.stages}
        for stage in self.study.stages:
            for name in self._first_items(stage):
                for partner in stage.partners or ("",):
                    cell = f"{partner}:{name}" if partner else name
                    self.stages[stage.name].add_item(ItemState(cell, name, condition=partner))

    def _first_items(self, stage: StudyStage) -> list[str]:
        if stage.blank_items:
            return [f"{stage.name}-{number}" for number in range(1, stage.blank_items + 1)]
        names = [name for source in stage.item_sources for name in self.started.items.get(source, ())]
        Random(f"{self.study.seed}/{stage.name}").shuffle(names)
        return names

    def take_event(self, event: study_events.AnyStudyEvent) -> None:
        """Update the state by the method that is named after the tag of the event."""
        getattr(self, f"take_{type(event).__struct_config__.tag}")(event)
        self.version += 1

    @property
    def places(self) -> int | None:
        """How many people may take part; None for any number."""
        places = self.study.recruiting.places
        return None if places is None else places + self.added_places

    def expected_answers(self, stage: StudyStage) -> int:
        """How many answers the stage asks for, where every item is there."""
        source = self.study.stage_named(stage.items)
        if source and not stage.gold and not isinstance(stage.task, AnnotateTask):
            return self.expected_answers(source) * stage.answers
        return sum(item.usable for item in self.stages[stage.name].items.values()) * stage.answers

    def lacks_answers(self, stage: StudyStage) -> bool:
        """Whether an item needs more answers, or other stages will still make or confirm items."""
        sources = [found for name in (stage.items, stage.gold) if (found := self.study.stage_named(name))]
        return bool(self.stages[stage.name].missing_answers or any(map(self.lacks_answers, sources)))

    @property
    def complete(self) -> bool:
        """Whether every item has all its answers."""
        return all(not stage.missing_answers for stage in self.stages.values())

    def take_arrived(self, event: study_events.Arrived) -> None:
        self.people[event.person] = ParticipantState(event.person, event.at, event.at)
        self.active[event.person] = None

    def take_returned(self, event: study_events.Returned) -> None:
        person = self._touch_person(event)
        self.places_taken += holds_place(person, None) - holds_place(person, person.outcome)
        person.outcome, person.reason = None, ""
        person.closing = False
        person.gave_up.clear()
        self.active[event.person] = None

    def take_consented(self, event: study_events.Consented) -> None:
        person = self._touch_person(event)
        person.consented, person.consent, person.consented_at = True, event.consent, event.at
        self.places_taken += holds_place(person, None)
        self.consent_times.append(event.at)

    def take_condition_drawn(self, event: study_events.ConditionDrawn) -> None:
        self._touch_person(event).conditions.setdefault(event.stage, []).append(event.condition)
        self.stages[event.stage].draws += 1

    def take_wait_began(self, event: study_events.WaitBegan) -> None:
        person = self._touch_person(event)
        person.waiting, person.waiting_since = event.stage, event.at
        self.stages[event.stage].waiting[event.person] = None

    def take_wait_ended(self, event: study_events.WaitEnded) -> None:
        person = self._touch_person(event)
        person.gave_up.add(person.waiting)
        self._stop_waiting(person, event.at)

    def _stop_waiting(self, person: ParticipantState, at: float) -> float:
        if not person.waiting:
            return 0.0
        seconds = at - person.waiting_since
        del self.stages[person.waiting].waiting[person.person]
        person.waiting, person.waited = "", person.waited + seconds
        return seconds

    def take_assigned(self, event: study_events.TaskAssigned) -> None:
        stage = self.stages[event.stage]
        people = list(event.seats.values())
        self.tasks[event.task] = TaskState(event, set(people))
        for name in event.items:
            stage.change_item(stage.items[name], open_by=1)
        for name in people:
            person = self.people[name]
            person.seen_at, person.task = event.at, event.task
            stage.people[name] = None
            seconds = self._stop_waiting(person, event.at)
            if len(people) > 1:
                stage.waits.append(seconds)
            person.met.setdefault(event.stage, set()).update(event.items)
            person.roots.update(stage.items[item].root for item in event.items)
            person.partners.update(other for other in people if other != name)
            self.tasks_of.setdefault(name, []).append(event.task)

    def take_submitted(self, event: study_events.TaskSubmitted) -> None:
        task, person = self._end_task(event, event.task)
        name = task.assigned.stage
        person.used[name] = person.used.get(name, 0) + 1
        person.attention_failed += event.attention_failed
        if event.counts:
            person.accepted[name] = person.accepted.get(name, 0) + 1
            if event.score is not None:
                person.scores.setdefault(name, []).append(event.score)
        else:
            task.failed = True
        stage = self.stages[name].stage
        person.closing |= not stage.has_items and not stage.after_each and self.study.follows_work(stage)
        close_task(self.study, self.stages, task)

    def take_released(self, event: study_events.TaskReleased) -> None:
        task, person = self._end_task(event, event.task)
        name = task.assigned.stage
        person.used[name] = person.used.get(name, 0) + (event.why not in study_events.FAULTLESS)
        person.last_release = event.why
        task.failed = True
        close_task(self.study, self.stages, task)

    def _end_task(
        self, event: study_events.TaskSubmitted | study_events.TaskReleased, name: str
    ) -> tuple[TaskState, ParticipantState]:
        task, person = self.tasks[name], self._touch_person(event)
        if person.task != name:
            raise Problem(
                f"the study's log contradicts itself: {event.person} did not have task {name}: "
                "restore the database from a copy"
            )
        person.task = ""
        task.open.discard(event.person)
        task.ends[event.person] = event
        return task, person

    def _discount_person(self, person: str) -> None:
        """No longer count the answers of a person."""
        for name in self.tasks_of.get(person, ()):
            discount_task(self.study, self.stages, self.tasks, self.tasks[name])

    def take_partner_reported(self, event: study_events.PartnerReported) -> None:
        self._touch_person(event)
        for name in self.tasks[event.task].assigned.seats.values():
            self.people[name].reported += name != event.person

    def take_qualified(self, event: study_events.Qualified) -> None:
        person = self._touch_person(event)
        person.groups.add(event.group)
        person.failed_groups.discard(event.group)
        self.group_sizes[event.group] += 1

    def take_failed_qualification(self, event: study_events.FailedQualification) -> None:
        self._touch_person(event).failed_groups.add(event.group)

    def take_ended(self, event: study_events.PersonEnded) -> None:
        person = self._touch_person(event)
        self._stop_waiting(person, event.at)
        self.places_taken += holds_place(person, event.outcome) - holds_place(person, person.outcome)
        person.outcome, person.reason = event.outcome, event.reason
        self.active.pop(event.person, None)
        if event.outcome == "excluded" or event.uncounted:
            self._discount_person(event.person)

    def take_submission(self, event: study_events.SubmissionSeen) -> None:
        person = self.people[event.person]
        before = holds_place(person, person.outcome)
        person.submission = event.status
        self.places_taken += holds_place(person, person.outcome) - before

    def take_listed(self, event: study_events.StudyListed) -> None:
        self.listing = event

    def take_owed(self, event: study_events.AmountOwed) -> None:
        self.people[event.person].owed[event.key] = event.amount

    def take_payment_prepared(self, event: study_events.PaymentPrepared) -> None:
        self.batches[event.batch] = "prepared"
        self.people[event.person].prepared.update(dict.fromkeys(event.keys, event.batch))

    def take_payment_sent(self, event: study_events.PaymentSent) -> None:
        self.batches[event.batch] = "sent"

    def take_payment_cancelled(self, event: study_events.PaymentCancelled) -> None:
        self.batches[event.batch] = "cancelled"
        person = self.people[event.person]
        person.prepared = {key: batch for key, batch in person.prepared.items() if batch != event.batch}

    def take_paid(self, event: study_events.AmountPaid) -> None:
        person = self.people[event.person]
        person.paid.update(event.keys)
        for key in event.keys:
            person.prepared.pop(key, None)
        if event.batch:
            self.batches[event.batch] = "paid"

    def take_erased(self, event: study_events.PersonErased) -> None:
        person = self.people[event.person]
        person.erased = True
        person.scores.clear()
        person.messages.clear()
        person.reason = ""
        self._discount_person(event.person)

    def take_changed(self, event: study_events.StudyChanged) -> None:
        if event.study.recruiting.paused != self.study.recruiting.paused:
            self.paused = event.study.recruiting.paused
        self.study, self.digests = event.study, event.digests
        self.consents |= event.consents

    def take_recruiting_paused(self, event: study_events.RecruitingPaused) -> None:
        self.paused = True

    def take_recruiting_resumed(self, event: study_events.RecruitingResumed) -> None:
        self.paused = False

    def take_places_added(self, event: study_events.PlacesAdded) -> None:
        self.added_places += event.number

    def take_message_sent(self, event: study_events.MessageSent) -> None:
        for person in self.active if event.person is None else (event.person,):
            self.people[person].messages.append((event.at, event.text))

    def take_started(self, event: study_events.StudyStarted) -> None:
        raise Problem("the study's log starts twice: restore it from a copy")

    def _touch_person(self, event: Any) -> ParticipantState:
        person = self.people[event.person]
        person.seen_at = event.at
        return person


def fold_study(events: Iterable[study_events.AnyStudyEvent]) -> StudyState:
    """Rebuild the state from a study's log."""
    rest = iter(events)
    first = next(rest, None)
    if not isinstance(first, study_events.StudyStarted):
        raise Problem("the study has not started: its log is empty")
    state = StudyState(first)
    for number, event in enumerate(rest, 1):
        try:
            state.take_event(event)
        except KeyError as missing:
            raise Problem(
                f"the study's log contradicts itself: event {number} names {missing}, which is not there: "
                "restore the database from a copy"
            ) from None
    return state
