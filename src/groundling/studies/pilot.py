"""Pilots: bots walk through a study in virtual time, with slips, slowness, drop-outs and second visits."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import fmean

from msgspec import Struct

from groundling.studies.annotation_bots import confuse_values
from groundling.studies.annotation_flow import find_table, stage_fields
from groundling.studies.annotation_labels import StoredLabels, comparable_values, score_labels
from groundling.studies.annotation_schema import AnnotateTask
from groundling.studies.assignment import TaskAssignment, TaskWait, assign_machine_partner, assign_task
from groundling.studies.group_decisions import choose_candidates
from groundling.studies.study import QuizTask, StudyStage
from groundling.studies.study_decisions import (
    StudyEvents,
    TaskEnding,
    TaskReport,
    answer_consent,
    arrive_person,
    decide_group,
    end_task,
    expire_person,
    next_deadline,
    pay_person,
    record_decision,
)
from groundling.studies.study_events import AnyStudyEvent, PersonEnded, Qualified, TaskAssigned
from groundling.studies.study_file import StudyFiles
from groundling.studies.study_state import StudyState

HOUR = 3600.0


class BotHabits(Struct, frozen=True):
    """Probabilities of what a bot does."""

    decline: float = 0.05
    leave: float = 0.136
    """Leaves during one of the first tasks. In CoDraw's collection 13.6 % left early."""
    fall_silent: float = 0.03
    """Does nothing more during one of the first tasks."""
    come_back: float = 0.5
    """Comes back within a day after leaving."""
    arrive_twice: float = 0.05
    """Opens the study in a second tab."""
    be_careless: float = 0.1
    """Slips five times as often, and fails three of ten attention checks."""
    slip: float = 0.08
    """Gives a wrong answer to a question, or another answer to an item than intended."""
    accept_machine: float = 0.5
    """Takes the machine partner after three minutes."""
    pass_administrator: float | None = 0.8
    """Is taken into a group by the administrator; None: nobody decides."""
    visits: int = 40
    """How often people of a group look for more work, within a day each time, until the study is complete."""


class _Bot(Struct):
    random: Random
    speed: float
    slip: float
    careless: bool
    leaves_at: int
    """The number of the task during which it leaves; 0 for never."""
    silent_at: int
    tasks: int = 0
    visits: int = 0


def decide_candidate(state: StudyState, habits: BotHabits, random: Random, now: float) -> StudyEvents:
    """Decide as an administrator about one of those who have ended a visit and await it; nothing where nobody
    does."""
    if habits.pass_administrator is None:
        return []
    for name, group in state.study.groups.items():
        for person, known in state.people.items() if group.by == "administrator" else ():
            if known.outcome == "finished" and known.accepted.get(group.stage):
                passed = random.random() < habits.pass_administrator
                if events := decide_group(state, person, name, passed, now):
                    return events
    return []


def choose_waiting_candidates(state: StudyState, now: float) -> StudyEvents:
    """Fill the groups of the best with those who are candidates now, as an administrator who expects no
    more."""
    groups = [name for name, group in state.study.groups.items() if group.by == "rank"]
    return [event for name in groups for event in choose_candidates(state, name, now)]


class PilotRun:
    """One pilot: a queue of what happens when, and the log that comes of it."""

    def __init__(
        self, files: StudyFiles, seed: int, habits: BotHabits, per_hour: float, start: float
    ) -> None:
        started = files.start_study(start)
        self.state = StudyState(started)
        self.events: list[AnyStudyEvent] = [started]
        self._seed, self._habits, self._rate = seed, habits, per_hour / HOUR
        self._tables = files.tables
        self._bots: dict[str, _Bot] = {}
        self._queue: list[tuple[float, int, Callable[[float], None]]] = []
        self._count = 0
        self.now = start

    def add_people(self, number: int) -> None:
        """Let people arrive at random times."""
        random, at = Random(f"{self._seed}/arrivals"), self.now
        for n in range(1, number + 1):
            at += random.expovariate(self._rate)
            person = f"p{n:05d}"
            self._bots[person] = bot = self._make_bot(Random(f"{self._seed}/{person}"))
            self._at(at, partial(self._arrive, person))
            if bot.random.random() < self._habits.arrive_twice:
                later = at + bot.random.uniform(5, HOUR / 4)
                self._at(later, partial(self._arrive, person))

    def run_queue(self, show: Callable[[int], None] = lambda number: None) -> None:
        """Let everything happen, then pay everybody."""
        while self._queue or self._choose_candidates():
            self.now, _, action = heapq.heappop(self._queue)
            action(self.now)
            show(len(self.state.people))
        for person in self.state.people:
            self._record(pay_person(self.state, person, self.now))

    def _choose_candidates(self) -> bool:
        """Choose, as nobody else will come. Returns whether something follows from it."""
        self._record(choose_waiting_candidates(self.state, self.now))
        return bool(self._queue)

    def _make_bot(self, random: Random) -> _Bot:
        habits = self._habits
        careless = random.random() < habits.be_careless
        first_tasks = random.randint(1, 3)
        return _Bot(
            random,
            random.lognormvariate(0, 0.4),
            min(0.9, habits.slip * (5 if careless else 1)),
            careless,
            first_tasks if random.random() < habits.leave else 0,
            first_tasks if random.random() < habits.fall_silent else 0,
        )

    def _at(self, when: float, action: Callable[[float], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (when, self._count, action))

    def _record(self, events: StudyEvents) -> None:
        for event in events:
            self.state.take_event(event)
            self.events.append(event)
            if isinstance(event, TaskAssigned):
                self._begin_task(event)
            elif isinstance(event, PersonEnded):
                self._follow_outcome(event)
            elif isinstance(event, Qualified) and self.state.people[event.person].outcome:
                self._at(event.at + HOUR / 6, partial(self._arrive, event.person))

    def _arrive(self, person: str, now: float) -> None:
        bot, known = self._bots[person], self.state.people.get(person)
        self._record(arrive_person(self.state, person, now))
        self._watch_deadline(person)
        if known is None:
            self._at(now + bot.random.uniform(20, 120), partial(self._consent, person))
        else:
            self._step(person, now)

    def _consent(self, person: str, now: float) -> None:
        agreed = self._bots[person].random.random() >= self._habits.decline
        self._record(answer_consent(self.state, person, agreed, now))
        self._step(person, now)

    def _step(self, person: str, now: float) -> None:
        decision = assign_task(self.state, person, now)
        self._record(record_decision(self.state, person, decision, now))
        self._watch_deadline(person)
        offered = isinstance(decision, TaskWait) and decision.machine and decision.since == now
        if offered and self._bots[person].random.random() < self._habits.accept_machine:
            self._at(now + HOUR / 20, partial(self._take_machine, person))

    def _take_machine(self, person: str, now: float) -> None:
        if self.state.people[person].waiting and isinstance(assign_task(self.state, person, now), TaskWait):
            chosen: TaskAssignment = assign_machine_partner(self.state, person, now)
            self._record(record_decision(self.state, person, chosen, now))

    def _watch_deadline(self, person: str) -> None:
        if person in self.state.active:
            self._at(next_deadline(self.state, person), partial(self._expire, person))

    def _expire(self, person: str, now: float) -> None:
        events = expire_person(self.state, person, now)
        self._record(events)
        if events and person in self.state.active:  # nobody came: they continue without a partner
            self._step(person, now)

    def _begin_task(self, event: TaskAssigned) -> None:
        """Decide how the task will go, and when."""
        bots = {person: self._bots[person] for person in event.seats.values()}
        for bot in bots.values():
            bot.tasks += 1
        minutes = self.state.stages[event.stage].stage.minutes
        used = min(0.95, 0.4 * max(bot.speed for bot in bots.values()))
        leavers = {person for person, bot in bots.items() if bot.tasks == bot.leaves_at}
        silent = {person for person, bot in bots.items() if bot.tasks == bot.silent_at} - leavers
        if leavers:
            used *= 0.5
        elif silent and len(bots) == 1:
            return  # the time limit ends it
        when = event.at + 60 * minutes * used
        self._at(when, partial(self._end_task, event, leavers, silent))

    def _end_task(self, event: TaskAssigned, leavers: set[str], silent: set[str], now: float) -> None:
        reports = {}
        for person in event.seats.values():
            ending: TaskEnding = "left" if person in leavers else "idle" if person in silent else "finished"
            if ending == "finished" and (leavers or silent):
                ending = "stayed"
            reports[person] = self._report_task(person, event, ending)
        self._record(end_task(self.state, event.task, reports, now))
        for person in event.seats.values():
            if person in self.state.active and not self.state.people[person].task:
                self._step(person, now)

    def _report_task(self, person: str, event: TaskAssigned, ending: TaskEnding) -> TaskReport:
        bot, stage = self._bots[person], self.state.stages[event.stage].stage
        checks = sum(question.attention for question in stage.questions)
        tries = len(stage.questions) - checks if isinstance(stage.task, QuizTask) else 10
        right = sum(bot.random.random() >= bot.slip for _ in range(tries))
        if self.state.study.is_work(stage):  # one answer, which is as intended or not
            right = tries if bot.random.random() >= bot.slip else 0
        failed = sum(bot.careless and bot.random.random() < 0.3 for _ in range(checks))
        if isinstance(stage.task, AnnotateTask):
            return self._report_labels(bot, event, stage, ending)
        return TaskReport(ending, right / tries, bot.random.randint(3, 12), failed)

    def _report_labels(
        self, bot: _Bot, event: TaskAssigned, stage: StudyStage, ending: TaskEnding
    ) -> TaskReport:
        fields = stage_fields(self.state.study, stage)
        table = self._tables[find_table(self.state.study, stage)]
        said = [
            StoredLabels(item=name, values=confuse_values(fields, table[name], bot.random, bot.slip))
            for name in event.items
        ]
        scores = [score_labels(fields, table[each.item], each) for each in said]
        known = [score for score in scores if score is not None]
        labels = {each.item: comparable_values(fields, each) for each in said}
        return TaskReport(ending, fmean(known) if known else None, labels=labels)

    def _follow_outcome(self, event: PersonEnded) -> None:
        person, bot = event.person, self._bots[event.person]
        if event.outcome in ("left", "timed out") and bot.random.random() < self._habits.come_back:
            later = event.at + bot.random.uniform(0.2, 24) * HOUR
            self._at(later, partial(self._arrive, person))
        for name, group in self.state.study.groups.items():
            done = self.state.people[person].accepted.get(group.stage)
            if group.by == "administrator" and event.outcome == "finished" and done:
                self._at(event.at + HOUR / 6, partial(self._decide, person, name))

        if self.state.people[person].groups and event.outcome == "finished":
            self._visit_later(person, event.at)

    def _visit_later(self, person: str, now: float) -> None:
        bot = self._bots[person]
        bot.visits += 1
        if bot.visits <= self._habits.visits:
            self._at(now + bot.random.uniform(0.2, 24) * HOUR, partial(self._visit, person))

    def _visit(self, person: str, now: float) -> None:
        """Look whether there is more work, and later again."""
        if not self.state.complete:
            self._arrive(person, now)
            if self.state.people[person].outcome == "finished":
                self._visit_later(person, now)

    def _decide(self, person: str, group: str, now: float) -> None:
        if self._habits.pass_administrator is None:
            return
        passed = self._bots[person].random.random() < self._habits.pass_administrator
        self._record(decide_group(self.state, person, group, passed, now))
