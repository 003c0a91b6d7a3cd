"""The tagged events of a study. People are known by opaque codes; nothing here identifies anybody."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from groundling.core.values import Problem
from groundling.studies.study import Study

STUDY_SCHEMA = 1
OutcomeName: TypeAlias = Literal[
    "declined",
    "finished",
    "left",
    "timed out",
    "screened out",
    "excluded",
    "partner left",
    "no partner",
    "study full",
]
OUTCOMES: tuple[OutcomeName, ...] = get_args(OutcomeName)
ReleaseReason: TypeAlias = Literal[
    "left",
    "timed out",
    "partner left",
    "technical fault",
    "reported",
    "time up",
    "unusable",
    "restarted",
    "excluded",
    "administrator",
]
"""Why a task ended without an answer of the person; reported: they reported their partner; technical fault: a
program failed."""
SubmissionStatus: TypeAlias = Literal[
    "reserved",
    "active",
    "awaiting review",
    "approved",
    "rejected",
    "returned",
    "timed out",
    "screened out",
    "unknown",
]
"""How far a person is at a recruiting service; unknown: in a way that is not known here."""
FAULTLESS: tuple[ReleaseReason, ...] = ("partner left", "technical fault", "reported", "administrator")
"""These do not count toward the limit a person."""


class StudyEvent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    at: float
    """Seconds since 1970."""


class StudyStarted(StudyEvent, frozen=True, tag="started"):
    """Together with the other events it suffices to rebuild all that happened, without the study's files."""

    study: Study
    items: dict[str, tuple[str, ...]]
    digests: dict[str, str]
    schema: int
    version: str
    consents: dict[str, str] = {}
    """The texts that people agree to, by SHA-256."""


class StudyChanged(StudyEvent, frozen=True, tag="changed"):
    """What may be edited while a study runs was edited."""

    study: Study
    digests: dict[str, str]
    consents: dict[str, str] = {}


class RecruitingPaused(StudyEvent, frozen=True, tag="recruiting_paused"): ...


class RecruitingResumed(StudyEvent, frozen=True, tag="recruiting_resumed"): ...


class PlacesAdded(StudyEvent, frozen=True, tag="places_added"):
    """More people may take part than the study's file says."""

    number: int


class StudyListed(StudyEvent, frozen=True, tag="listed"):
    """The study was created at a recruiting service."""

    service: str
    listing: str
    """Its id at the service."""
    codes: dict[str, str]
    """A completion code for each outcome."""
    url: str
    """The address of the server."""
    redirect: str = ""
    """Where people return to; {code} is the completion code."""


class MessageSent(StudyEvent, frozen=True, tag="message_sent"):
    """A message of the researchers to one person, or to all who take part now."""

    text: str
    person: str | None = None


class ParticipantEvent(StudyEvent, frozen=True):
    person: str


class Arrived(ParticipantEvent, frozen=True, tag="arrived"): ...


class Returned(ParticipantEvent, frozen=True, tag="returned"):
    """A person whose participation had ended takes part again. The earlier outcome no longer holds."""


class Consented(ParticipantEvent, frozen=True, tag="consented"):
    consent: str
    """The SHA-256 of the text."""
    language: str = ""
    age: int | None = None
    """They stated to be at least this old."""


class ConditionDrawn(ParticipantEvent, frozen=True, tag="condition_drawn"):
    """A condition was drawn for a person, or for their next task."""

    stage: str
    condition: str
    block: int


class WaitBegan(ParticipantEvent, frozen=True, tag="wait_began"):
    stage: str


class WaitEnded(ParticipantEvent, frozen=True, tag="wait_ended"):
    """The person was released from the waiting room without a partner."""


class TaskAssigned(StudyEvent, frozen=True, tag="assigned"):
    """One person got a task, or several were paired for one."""

    task: str
    stage: str
    items: tuple[str, ...]
    seats: dict[str, str]
    """The person in each seat that people take."""
    until: float
    condition: str = ""
    machine: bool = False
    """The other seats are taken by the machine partner of the stage."""
    about: str = ""
    """The task that a questionnaire is about, where it follows each task of a stage."""


class TaskSubmitted(ParticipantEvent, frozen=True, tag="submitted"):
    task: str
    counts: bool
    why: str = ""
    """Why it does not count."""
    score: float | None = None
    messages: int = 0
    attention_failed: int = 0
    wrong: tuple[int, ...] = ()
    """The questions of a quiz with wrong answers, counted from 0; no attention checks."""
    labels: dict[str, dict[str, str]] = {}
    """Of an annotation: the values that decisions compare, by item and field. Skipped items are left out."""


class TaskReleased(ParticipantEvent, frozen=True, tag="released"):
    """A task ended for a person without an answer, and its place is free again."""

    task: str
    why: ReleaseReason


class PartnerReported(ParticipantEvent, frozen=True, tag="partner_reported"):
    """A person reported the partner of a task, which then ended for both."""

    task: str
    reason: str


class Qualified(ParticipantEvent, frozen=True, tag="qualified"):
    group: str
    score: float | None = None
    """None where an administrator decided."""


class FailedQualification(ParticipantEvent, frozen=True, tag="failed_qualification"):
    group: str
    score: float | None = None


class PersonEnded(ParticipantEvent, frozen=True, tag="ended"):
    """A person reached an outcome. Answers of an excluded person no longer count."""

    outcome: OutcomeName
    reason: str = ""
    uncounted: bool = False
    """Their answers do not count any longer, although they are not excluded."""


class SubmissionSeen(ParticipantEvent, frozen=True, tag="submission"):
    """The recruiting service was asked, and has another status than before for the person's submission."""

    status: SubmissionStatus


class AmountOwed(ParticipantEvent, frozen=True, tag="owed"):
    key: str
    """What it is for. A person is owed one amount for each key."""
    amount: Annotated[int, Meta(description="in hundredths of the currency's unit")]


class PaymentPrepared(ParticipantEvent, frozen=True, tag="payment_prepared"):
    """Amounts are part of a batch of payments. No other batch can have them."""

    batch: str
    keys: tuple[str, ...]


class PaymentSent(ParticipantEvent, frozen=True, tag="payment_sent"):
    """The batch is about to be paid, and must not be paid again: whether that succeeds is not known yet."""

    batch: str


class PaymentCancelled(ParticipantEvent, frozen=True, tag="payment_cancelled"):
    """The batch was not paid. Its amounts can be part of another one."""

    batch: str


class AmountPaid(ParticipantEvent, frozen=True, tag="paid"):
    keys: tuple[str, ...]
    batch: str = ""


class PersonErased(ParticipantEvent, frozen=True, tag="erased"):
    """The person's data was deleted. Their answers no longer count."""


AnyStudyEvent: TypeAlias = (
    StudyStarted
    | StudyChanged
    | RecruitingPaused
    | RecruitingResumed
    | PlacesAdded
    | StudyListed
    | MessageSent
    | Arrived
    | Returned
    | Consented
    | ConditionDrawn
    | WaitBegan
    | WaitEnded
    | TaskAssigned
    | TaskSubmitted
    | TaskReleased
    | PartnerReported
    | Qualified
    | FailedQualification
    | PersonEnded
    | SubmissionSeen
    | AmountOwed
    | PaymentPrepared
    | PaymentSent
    | PaymentCancelled
    | AmountPaid
    | PersonErased
)
_DECODER: msgspec.json.Decoder[AnyStudyEvent] = msgspec.json.Decoder(AnyStudyEvent)


class _SchemaOnly(Struct):
    schema: int = STUDY_SCHEMA


def encode_study_event(event: AnyStudyEvent) -> bytes:
    return msgspec.json.encode(event)


def decode_study_event(line: bytes) -> AnyStudyEvent:
    """Raises Problem where a newer version wrote it."""
    try:
        return _DECODER.decode(line)
    except msgspec.MsgspecError as trouble:
        if msgspec.json.decode(line, type=_SchemaOnly).schema > STUDY_SCHEMA:
            raise Problem("the study's log was written by a newer groundling: upgrade groundling") from None
        raise Problem(f"the study's log has an event that cannot be read ({trouble}): restore it") from None
