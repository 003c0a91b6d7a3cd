"""The games of people with the partners that are the conditions of a stage, as observations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from groundling.scores.crossed_clusters import CrossedEstimate, CrossedSample
from groundling.scores.intervals import Floats
from groundling.studies.study import PERSON, FormQuestion, QuestionnaireTask, StudyStage
from groundling.studies.study_state import StudyState

ValueRange: TypeAlias = tuple[float | None, float | None]
REPLAYED = "replay"
"""The players that repeat what a person said: the scripts of the table."""


class PartnerGame(Struct, frozen=True, kw_only=True):
    """A game of a person with one of the partners, which may have ended early."""

    condition: str
    item: str
    cluster: str
    """Items of one cluster are not independent."""
    people: tuple[str, ...]
    finished: bool
    time_up: bool = False
    """Whether it ended early because of its time limit."""
    fault: bool = False
    """Whether a program failed."""
    scores: Mapping[str, float]
    """At the state that it reached, by measure."""
    prior: Mapping[str, float] = {}
    """What the outcome of other items scores here."""
    ratings: Mapping[int, Sequence[float]] = {}
    """Answers of its people by the number of the question: a point, or 1 for the second choice."""


class SoloGame(Struct, frozen=True):
    """A game of a program with the stand-in for people."""

    condition: str
    cluster: str
    score: float


class PartnerResults(Struct, frozen=True, kw_only=True):
    """All that the tables of a stage with partners need."""

    stage: StudyStage
    measure: str
    """The main measure."""
    bounds: ValueRange = (None, None)
    """Its range."""
    games: Sequence[PartnerGame]
    """In the order in which they began."""
    alone: Sequence[SoloGame] = ()
    questions: Sequence[FormQuestion] = ()
    notes: Sequence[str] = ()

    @property
    def conditions(self) -> list[str]:
        return list(self.stage.partners)

    def first_games(self) -> list[PartnerGame]:
        """The first game of each cell. Others are there only where it ended early."""
        return list({(game.item, game.condition): game for game in reversed(self.games)}.values())

    def people_conditions(self) -> list[str]:
        return [
            name
            for name in self.conditions
            if all(who == PERSON for who in self.stage.seats_in(name).values())
        ]

    def script_conditions(self) -> list[str]:
        return [
            name
            for name in self.conditions
            if any(
                who.partition(",")[0].partition(":")[0] == REPLAYED
                for who in self.stage.seats_in(name).values()
            )
        ]


class ConditionScores:
    """The scores of games in several conditions, with the clusters that games share."""

    def __init__(
        self, games: Sequence[PartnerGame | SoloGame], values: Floats, crossed: CrossedSample | None
    ) -> None:
        self._conditions = [game.condition for game in games]
        self.values, self.crossed = values, crossed

    def of(self, *conditions: str) -> NDArray[np.bool_]:
        return np.array([condition in conditions for condition in self._conditions], np.bool_)

    def mean(
        self, condition: str, values: Floats | None = None, bounds: ValueRange = (None, None)
    ) -> CrossedEstimate | None:
        """The mean of the main measure, or of other values, in a condition."""
        chosen = self.of(condition)
        if self.crossed is None or not chosen.any():
            return None
        low, high = bounds
        return self.crossed.mean(self.values if values is None else values, chosen, low=low, high=high)

    def difference(self, one: str, other: str) -> CrossedEstimate | None:
        if self.crossed is None or not (self.of(one).any() and self.of(other).any()):
            return None
        return self.crossed.difference(self.values, self.of(one), self.of(other))


class PartnerSample(ConditionScores):
    """Games of people as arrays, with the clusters of items and people."""

    def __init__(self, games: Sequence[PartnerGame], measure: str) -> None:
        self.games = games
        items, people = [(game.cluster,) for game in games], [game.people for game in games]
        values = self.column(lambda game: game.scores[measure])
        super().__init__(games, values, CrossedSample(items, people) if games else None)
        self.prior = self.column(lambda game: game.prior.get(measure, np.nan))

    def column(self, read: Callable[[PartnerGame], float]) -> Floats:
        return np.array([read(game) for game in self.games], np.float64)


def make_solo_sample(games: Sequence[SoloGame]) -> ConditionScores:
    """The games without people, whose items are the only clusters."""
    crossed = CrossedSample([(game.cluster,) for game in games]) if games else None
    return ConditionScores(games, np.array([game.score for game in games], np.float64), crossed)


def find_rating_stage(state: StudyState, stage: StudyStage) -> StudyStage | None:
    """The questionnaire that follows each game of a stage."""
    return next((each for each in state.study.stages if each.after_each == stage.name), None)


def read_rating(question: FormQuestion, answer: str) -> float | None:
    """An answer as a number: the point of a scale, a number, or 1 for the second of two choices."""
    if not answer.strip():
        return None
    if question.answer_kind in ("scale", "number"):
        return float(answer)
    if question.answer_kind == "choice" and len(question.choices) == 2:
        return float(question.choices.index(answer))
    return None


def list_form_questions(stage: StudyStage | None) -> list[FormQuestion]:
    return list(stage.task.questions) if stage and isinstance(stage.task, QuestionnaireTask) else []
