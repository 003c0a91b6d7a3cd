"""The records that the fold of a study's events keeps of people, items, tasks and stages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal, TypeAlias

from msgspec import Struct, field

from groundling.studies.study import StudyStage
from groundling.studies.study_events import (
    OutcomeName,
    ReleaseReason,
    SubmissionStatus,
    TaskAssigned,
    TaskReleased,
    TaskSubmitted,
)

FREED: tuple[SubmissionStatus, ...] = ("returned", "timed out", "rejected")
"""A recruiting service gives the places of such submissions to others."""
BatchState: TypeAlias = Literal["prepared", "sent", "paid", "cancelled"]


class ParticipantState(Struct):
    person: str
    arrived: float
    seen_at: float
    """When something last happened to them."""
    consented: bool = False
    consent: str = ""
    """The SHA-256 of the text that they agreed to."""
    consented_at: float | None = None
    outcome: OutcomeName | None = None
    reason: str = ""
    """Why they have this outcome, where there is more to say."""
    task: str = ""
    """The open task."""
    waiting: str = ""
    """The stage for which they wait."""
    waiting_since: float = 0.0
    waited: float = 0.0
    """Seconds in waiting rooms."""
    gave_up: set[str] = field(default_factory=set)
    """Stages for which no partner came during this visit."""
    closing: bool = False
    """During this visit they have done what follows the work, such as a questionnaire."""
    met: dict[str, set[str]] = field(default_factory=dict)
    """The items that they had, by stage."""
    roots: set[str] = field(default_factory=set)
    """The stimuli from which all these items come."""
    partners: set[str] = field(default_factory=set)
    used: dict[str, int] = field(default_factory=dict)
    """Tasks that count toward the limit a person, by stage."""
    accepted: dict[str, int] = field(default_factory=dict)
    """Submitted tasks that count, by stage."""
    scores: dict[str, list[float]] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    failed_groups: set[str] = field(default_factory=set)
    conditions: dict[str, list[str]] = field(default_factory=dict)
    """The conditions drawn for them, by stage."""
    attention_failed: int = 0
    reported: int = 0
    """How often partners have reported them."""
    last_release: ReleaseReason | None = None
    owed: dict[str, int] = field(default_factory=dict)
    paid: set[str] = field(default_factory=set)
    prepared: dict[str, str] = field(default_factory=dict)
    """The batch of each amount that is being paid."""
    submission: SubmissionStatus | None = None
    """How far they are at the recruiting service, as of the last look."""
    erased: bool = False
    messages: list[tuple[float, str]] = field(default_factory=list)
    """What the researchers told them, with the times."""

    @property
    def owed_total(self) -> int:
        """All that they were ever owed, in hundredths."""
        return sum(self.owed.values())

    @property
    def paid_total(self) -> int:
        return sum(self.owed[key] for key in self.paid)


class ItemState(Struct):
    id: str
    root: str
    authors: tuple[str, ...] = ()
    condition: str = ""
    """The partner with whom it is played, where the conditions are partners."""
    open: int = 0
    done: int = 0
    withdrawn: bool = False
    """The answer that it was is no longer counted."""
    confirmed_by: set[str] | None = None
    """People who gave the same answer as the gold; None where the stage takes its items as they are."""

    @property
    def usable(self) -> bool:
        """Whether it may be given to people. Gold needs two people who agree; the author is one."""
        confirmed = self.confirmed_by is None or len(self.confirmed_by) + bool(self.authors) >= 2
        return confirmed and not self.withdrawn


class TaskState(Struct):
    assigned: TaskAssigned
    open: set[str]
    """People who have not ended it yet."""
    failed: bool = False
    counted: bool = False
    ends: dict[str, TaskSubmitted | TaskReleased] = field(default_factory=dict)
    """How it ended, by person."""


class StageState:
    """The items of a stage, ordered by how many answers are open or done."""

    def __init__(self, stage: StudyStage) -> None:
        self.stage = stage
        self.items: dict[str, ItemState] = {}
        self.people: dict[str, None] = {}
        """Everybody who had a task of it."""
        self.by_taken: dict[int, dict[str, None]] = {}
        self.waiting: dict[str, None] = {}
        self.waits: list[float] = []
        self.draws = 0
        self.labels: dict[str, dict[str, dict[str, str]]] = {}
        """Of an annotation: what annotators said, by item, annotator and field."""

    def add_item(self, item: ItemState) -> None:
        if self.stage.gold:
            item.confirmed_by = set()
        self.items[item.id] = item
        self._place_item(item)

    def _place_item(self, item: ItemState) -> None:
        if item.usable:
            self.by_taken.setdefault(item.open + item.done, {})[item.id] = None

    def _remove_item(self, item: ItemState) -> None:
        if item.usable:
            del self.by_taken[item.open + item.done][item.id]

    def change_item(self, item: ItemState, *, open_by: int = 0, done_by: int = 0) -> None:
        self._remove_item(item)
        item.open, item.done = item.open + open_by, item.done + done_by
        self._place_item(item)

    def withdraw_item(self, item: ItemState, withdrawn: bool = True) -> None:
        self._remove_item(item)
        item.withdrawn = withdrawn
        self._place_item(item)

    def confirm_item(self, item: ItemState, person: str, agrees: bool) -> None:
        """Record that a person agrees with the gold of an item, or no longer counts."""
        assert item.confirmed_by is not None
        self._remove_item(item)
        (item.confirmed_by.add if agrees else item.confirmed_by.discard)(person)
        self._place_item(item)

    def free_items(self, order: Random | None = None) -> Iterator[ItemState]:
        """Items with a free place, those with the fewest answers first; among equals in a random order where
        one is given."""
        for taken in sorted(self.by_taken):
            if not self.stage.answers or taken < self.stage.answers:
                names = [*self.by_taken[taken]]
                if order is not None:
                    order.shuffle(names)
                yield from (self.items[name] for name in names)

    @property
    def missing_answers(self) -> int:
        """Answers that the items at hand still need."""
        wanted = self.stage.answers
        return sum(max(0, wanted - item.done) for item in self.items.values() if item.usable)


def holds_place(person: ParticipantState, outcome: OutcomeName | None) -> bool:
    """Whether a person with this outcome counts toward the places of the study."""
    if person.submission in FREED:
        return False
    return person.consented and outcome not in ("study full", "screened out", "declined")
