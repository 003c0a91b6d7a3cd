"""Simulated studies whose conditions are partners: who plays what is decided as in a pilot, and scores are
drawn with effects of people, items and partners."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.studies.study_walk import PAIR, make_stage, make_study

from groundling.studies.partner_results import PartnerGame, PartnerSample
from groundling.studies.pilot import BotHabits, PilotRun
from groundling.studies.study import StudyStage
from groundling.studies.study_file import StudyFiles
from groundling.studies.study_part import PartnerCondition
from groundling.studies.study_state import StudyState

PARTNERS = {
    "person": PartnerCondition(seats={}),
    "one": PartnerCondition(seats={"giver": "gold"}),
    "two": PartnerCondition(seats={"giver": "random"}),
    "three": PartnerCondition(seats={"follower": "gold"}),
}
PERSON_SPREAD, ITEM_SPREAD, NOISE = 0.4, 0.5, 0.6


def partner_stage(**values: object) -> StudyStage:
    fields: dict[str, Any] = {"partners": PARTNERS, "most": 4, "wait_minutes": 3, **values}
    return make_stage("games", PAIR, **fields)


def run_partner_pilot(seed: int, items: int, people: int, *, leave: float = 0.05) -> StudyState:
    study = make_study(partner_stage(), seed=seed)
    names = tuple(f"i{number}" for number in range(items))
    pilot = PilotRun(StudyFiles(study, {"s": names}, {}), seed, BotHabits(leave=leave), 60, 0.0)
    pilot.add_people(people)
    pilot.run_queue()
    return pilot.state


def draw_partner_games(state: StudyState, seed: int, effects: Mapping[str, float]) -> PartnerSample:
    """The games that count, with drawn scores."""
    random = Random(f"{seed}/scores")
    person: dict[str, float] = {}
    item: dict[str, float] = {}
    games = []
    for task in state.tasks.values():
        if not task.counted:
            continue
        root = state.stages["games"].items[task.assigned.items[0]].root
        people = tuple(task.assigned.seats.values())
        score = effects.get(task.assigned.condition, 0.0) + random.gauss(0, NOISE)
        score += item.setdefault(root, random.gauss(0, ITEM_SPREAD))
        for name in people:
            score += person.setdefault(name, random.gauss(0, PERSON_SPREAD)) / len(people)
        games.append(
            PartnerGame(
                condition=task.assigned.condition,
                item=root,
                cluster=root,
                people=people,
                finished=True,
                scores={"score": score},
            )
        )
    return PartnerSample(games, "score")
