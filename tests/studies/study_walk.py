"""Random studies, random histories of them, and cooperative people."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from msgspec import structs

from groundling.core.values import Problem
from groundling.studies.assignment import TaskDecision, TaskWait, assign_machine_partner, assign_task
from groundling.studies.payments import cancel_batch, prepare_batch, send_batch, settle_batch
from groundling.studies.researcher_actions import (
    AddPlaces,
    ChooseCandidates,
    ExcludePerson,
    PauseRecruiting,
    QualifyPerson,
    RefusePerson,
    ReleasePerson,
    ResearcherAction,
    ResumeRecruiting,
    SendMessage,
)
from groundling.studies.study import (
    FormQuestion,
    GameTask,
    QuestionnaireTask,
    QuizQuestion,
    QuizTask,
    StageBonus,
    Study,
    StudyGroup,
    StudyPay,
    StudyRecruiting,
    StudyStage,
)
from groundling.studies.study_decisions import (
    ENDING_RULES,
    StudyEvents,
    TaskReport,
    answer_consent,
    arrive_person,
    decide_group,
    end_task,
    erase_person,
    expire_person,
    leave_study,
    pay_person,
    record_decision,
    report_partner,
)
from groundling.studies.study_events import AnyStudyEvent, StudyStarted
from groundling.studies.study_part import PartnerCondition
from groundling.studies.study_state import StudyState

QUIZ = QuizTask(questions=(QuizQuestion(text="?", choices=("a", "b"), answer="a"),), attempts=2)
FORM = QuestionnaireTask(questions=(FormQuestion(text="?"),))
SOLO = GameTask(game="reference", seats={"giver": "person", "follower": "gold"})
PAIR = GameTask(game="reference", seats={"giver": "person", "follower": "person"})
ANY_PAIR = GameTask(game="reference", seats=PAIR.seats, machine_partner="gold")
ROW = GameTask(game="reference", seats={"giver": "person", "follower": "gold"}, in_a_row=2)
PAY = StudyPay(base=0.5, screened_out=0.2, waiting_minute=0.1, partner_left=0.5, left=0.0)
BONUS = StageBonus(amount=0.3)


def make_study(*stages: StudyStage, **values: Any) -> Study:
    return Study(**{"title": "t", "contact": "c", "consent": "c.md", "stages": stages, "pay": PAY, **values})


def make_stage(name: str, task: Any = SOLO, items: str = "s", **values: Any) -> StudyStage:
    return StudyStage(name=name, task=task, items=items, **{"pay": 1.0, **values})


def start_study(study: Study, items: int = 4) -> StudyStarted:
    names = tuple(f"i{number}" for number in range(items))
    return StudyStarted(at=0.0, study=study, items={"s": names}, digests={}, schema=1, version="0")


def random_study(random: Random, waits: tuple[int, ...] = (1, 10), ranked: bool = True) -> Study:
    """With or without a quiz, disjoint groups, stages that work on answers, practice on gold that people have
    confirmed, and a questionnaire. `ranked`: groups may be so small that the study cannot end."""
    returning: Any = random.choice(["resume", "resume", "restart", "block"])
    stages: list[StudyStage] = []
    groups: dict[str, StudyGroup] = {}
    if random.random() < 0.5:
        once = structs.replace(QUIZ, attempts=1)
        stages.append(StudyStage(name="screening", task=once, pass_mark=1.0))
    for name in ("red", "blue")[: random.randint(0, 2)]:
        stages.append(StudyStage(name=f"into-{name}", task=QUIZ, pass_mark=0.5))
        ways = ["score", "score", "administrator", *(["rank"] if ranked else [])]
        by: Any = random.choice(ways if returning != "block" else ["score"])
        most = random.randint(1, 3) if by == "rank" else None
        groups[name] = StudyGroup(
            stage=f"into-{name}",
            by=by,
            disjoint=("red",) if name == "blue" else (),
            most=most,
            candidates=most + random.randint(0, 2) if most else None,
        )
    work: list[str] = []
    for number in range(random.randint(1, 3)):
        stages.append(_random_work(random, f"work{number}", work, list(groups), waits))
        work.append(f"work{number}")
    if random.random() < 0.4:
        stages += _practice_stages(random)
        groups["trained"] = StudyGroup(stage="practice")
    if random.random() < 0.3:
        stages.append(StudyStage(name="ratings", task=FORM, after_each="work0"))
    if random.random() < 0.5:
        stages.append(StudyStage(name="remarks", task=FORM))
    return make_study(
        *stages, groups=groups, seed=random.randint(0, 99), returning=returning, pay=random_pay(random)
    )


def random_pay(random: Random) -> StudyPay:
    return structs.replace(
        PAY,
        partner_left=random.choice([0.5, "prorated", "stayed"]),
        left=random.choice([0.0, 0.5, "prorated"]),
        outcomes=random.choice([{}, {"finished": 0.1, "left": 0.2}]),
    )


def _practice_stages(random: Random) -> list[StudyStage]:
    """Two people carry out each item; where they agree, others practise on it, and then work."""
    never = ("author", *random.choice([(), ("seen",)]))
    return [
        make_stage("confirm", SOLO, answers=random.randint(2, 3), most=4),
        make_stage("practice", SOLO, answers=0, gold="confirm", pass_mark=0.5, never=never),
        make_stage("skilled", SOLO, group="trained", never=(), most=4),
    ]


def _random_work(
    random: Random, name: str, work: list[str], groups: list[str], waits: tuple[int, ...]
) -> StudyStage:
    if random.random() < 0.2:
        return _random_partners(random, name, groups, waits)
    task = random.choice([SOLO, PAIR, ANY_PAIR, ROW])
    return make_stage(
        name,
        task,
        random.choice(["s", *work]),
        answers=random.randint(1, 3),
        group=random.choice(["", *groups]),
        never=tuple(word for word in ("author", "seen") if random.random() < 0.6),
        most=random.randint(1, 4),
        busiest_share=random.choice([1.0, 1.0, 0.3]),
        least_seconds=random.choice([0, 30]),
        wait_minutes=random.choice(waits),
        conditions=random.choice([{}, {"x": {}, "y": {}}, {"x": {}, "y": {}, "z": {}}]),
        vary="tasks" if task in (SOLO, ROW) and random.random() < 0.5 else "people",
        bonus=random.choice([None, BONUS, structs.replace(BONUS, by="fixed", least_score=0.5)]),
    )


def _random_partners(random: Random, name: str, groups: list[str], waits: tuple[int, ...]) -> StudyStage:
    """Games with programs, and perhaps with people, whom the same people do not know."""
    partners = {
        "person": PartnerCondition(seats={}),
        "giver": PartnerCondition(seats={"giver": "gold"}),
        "follower": PartnerCondition(seats={"follower": "gold"}),
    }
    kept = random.sample(list(partners), random.randint(1, 3))
    return make_stage(
        name,
        PAIR,
        answers=random.randint(1, 2),
        group=random.choice(["", *groups]),
        most=random.randint(1, 4),
        wait_minutes=random.choice(waits),
        partners={key: partners[key] for key in kept},
    )


class StudyWalk:
    """A study that is walked through: what is recorded is folded at once."""

    def __init__(self, study: Study, items: int = 4) -> None:
        started = start_study(study, items)
        self.state, self.events = StudyState(started), list[AnyStudyEvent]([started])
        self.now = 0.0

    def record(self, events: StudyEvents) -> StudyEvents:
        for event in events:
            self.state.take_event(event)
        self.events += events
        return events

    def enter(self, person: str) -> TaskDecision:
        """Arrive, agree, and ask for a task."""
        self.record(arrive_person(self.state, person, self.now))
        self.record(answer_consent(self.state, person, True, self.now))
        return self.step(person)

    def step(self, person: str) -> TaskDecision:
        decision = assign_task(self.state, person, self.now)
        self.record(record_decision(self.state, person, decision, self.now))
        return decision

    def finish(self, person: str, score: float = 1.0, **others: TaskReport) -> None:
        """End the person's task: all its people finish it, but the others named here."""
        task = self.state.people[person].task
        people = self.state.tasks[task].assigned.seats.values()
        report = TaskReport("finished", score, messages=5)
        reports = {each: others.get(each, report) for each in people}
        self.record(end_task(self.state, task, reports, self.now))

    def decide(self, action: ResearcherAction) -> str:
        """What a researcher decides; returns what they are told."""
        try:
            events, told = action.take(self.state, self.now)
        except Problem as trouble:
            return str(trouble)
        self.record(events)
        return told

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for person in list(self.state.active):
            self.record(expire_person(self.state, person, self.now))

    def end_everything(self) -> None:
        """Nobody does anything more."""
        for _ in range(50):
            self.pass_time(24 * 3600)


def random_history(seed: int, actions: int = 500) -> StudyWalk:
    """People do anything at all, in any order."""
    random = Random(seed)
    study = random_study(random)
    if random.random() < 0.3:
        study = make_study(
            *study.stages,
            groups=study.groups,
            pay=study.pay,
            returning=study.returning,
            recruiting=StudyRecruiting(places=random.randint(3, 10)),
        )
    walk = StudyWalk(study, random.choice([1, 3, 6, 9]))
    people, newcomers = random.choice([4, 8, 15]), 0
    here = [f"p{number}" for number in range(people)]
    for _ in range(actions):
        place = random.randrange(people)
        known = walk.state.people.get(here[place])
        if known and known.outcome and random.random() < 0.2:  # somebody else comes
            newcomers += 1
            here[place] = f"p{people + newcomers}"
        take_random_action(walk, random, here[place])
    return walk


def take_random_action(walk: StudyWalk, random: Random, person: str) -> None:
    state, now = walk.state, walk.now
    known = state.people.get(person)
    if known is None or random.random() < (0.5 if known.outcome else 0.03):
        walk.record(arrive_person(state, person, now))
        return
    action = random.choices(
        [
            "consent",
            "step",
            "end",
            "leave",
            "time",
            "erase",
            "pay",
            "machine",
            "researcher",
            "batch",
            "report",
        ],
        [10, 40, 60, 1, 10, 0.3, 4, 3, 6, 4, 2],
    )[0]
    if action == "consent":
        walk.record(answer_consent(state, person, random.random() < 0.9, now))
    elif action == "step":
        walk.step(person)
    elif action == "end" and known.task:
        _end_at_random(walk, random, known.task)
    elif action == "leave":
        walk.record(leave_study(state, person, now))
    elif action == "time":
        walk.pass_time(random.choices([1, 20, 60, 300, 4000], [4, 4, 4, 2, 0.5])[0])
    elif action == "report":
        walk.record(report_partner(state, person, "test", now))
    elif action == "erase":
        walk.record(erase_person(state, person, now))
    elif action == "pay":
        walk.record(pay_person(state, person, now))
    elif action == "machine":
        wait = assign_task(state, person, now)
        if known.waiting and isinstance(wait, TaskWait) and wait.machine:
            chosen = assign_machine_partner(state, person, now)
            walk.record(record_decision(state, person, chosen, now))
    elif action == "researcher":
        walk.decide(random_decision(random, person, list(state.study.groups)))
    elif action == "batch":
        step = random.choice([prepare_everything, send_batch, settle_batch, cancel_batch])
        with suppress(Problem):  # the batch is further already, or not there
            walk.record(step(state, f"b{random.randint(1, 6)}", now))


def prepare_everything(state: StudyState, batch: str, now: float) -> StudyEvents:
    return prepare_batch(state, batch, now, lambda person, key: True)


def random_decision(random: Random, person: str, groups: list[str]) -> ResearcherAction:
    group = random.choice([*groups, "none"])
    actions: dict[ResearcherAction, float] = {
        QualifyPerson(person, group): 4,
        RefusePerson(person, group): 2,
        ChooseCandidates(group): 1,
        ReleasePerson(person): 1,
        ExcludePerson(person, "test"): 0.4,
        SendMessage("Hello", random.choice(["", person])): 1,
        PauseRecruiting(): 0.3,
        ResumeRecruiting(): 1,
        AddPlaces(random.randint(1, 3)): 0.5,
    }
    return random.choices(list(actions), list(actions.values()))[0]


def _end_at_random(walk: StudyWalk, random: Random, task: str) -> None:
    people = walk.state.tasks[task].assigned.seats.values()
    every_ending = list(ENDING_RULES)
    usual = random.random() < 0.85
    reports = {
        person: TaskReport(
            "finished" if usual else random.choice(every_ending),
            random.choice([0.0, 1.0, 1.0]),
            random.randint(0, 5),
            int(random.random() < 0.03),
        )
        for person in people
    }
    walk.record(end_task(walk.state, task, reports, walk.now))


def let_people_come(walk: StudyWalk, most: int) -> int:
    """New people come one a minute and do all that they are given; administrators take everybody. Returns how
    many came until the study was complete."""
    for number in range(most):
        if walk.state.complete:
            return number
        walk.enter(f"new{number}")
        for person in list(walk.state.active):
            _work_on(walk, person)
        walk.pass_time(60)
    return most


def _work_on(walk: StudyWalk, person: str) -> None:
    known = walk.state.people[person]
    for _ in range(50):
        if not known.task:
            walk.step(person)
        if known.outcome == "finished":
            for group, about in walk.state.study.groups.items():
                if about.by == "administrator" and known.accepted.get(about.stage):
                    walk.record(decide_group(walk.state, person, group, True, walk.now))
            walk.record(arrive_person(walk.state, person, walk.now))
            walk.step(person)
        if not known.task:
            return
        walk.now += 31
        walk.finish(person)
