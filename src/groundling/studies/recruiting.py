"""Recruiting services: what a study asks of them, and what each of them can do. Services are found by the
entry-point group `groundling.recruiting`, whose entries are classes `Service(options, show)`."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from groundling.core.pack import choices_hint, installed_entry_points, load
from groundling.core.values import Problem
from groundling.studies.pay_rules import ASKED_TO_RETURN, FLOORS, format_amount, minor_units, pay_floor
from groundling.studies.study import Study
from groundling.studies.study_events import OUTCOMES, SubmissionStatus
from groundling.studies.study_state import StudyState

GROUP = "groundling.recruiting"
BY_LINK = "link"
"""The service of people who come by an address."""
CODE_LETTERS = string.ascii_uppercase + string.digits
CODED_ENDS: tuple[str, ...] = (*OUTCOMES, ASKED_TO_RETURN)
"""What a completion code can stand for."""
T = TypeVar("T", bound=Struct)


class ServiceRequest(Struct, frozen=True):
    """A request as --dry-run prints it, without secrets."""

    method: str
    url: str
    body: Any = None


ShowRequest: TypeAlias = Callable[[ServiceRequest], None]


class StudyOffer(Struct, frozen=True, kw_only=True):
    """A study as a service offers it to people. Amounts are in hundredths."""

    name: str
    title: str
    description: str
    url: str
    """The study's page."""
    codes: Mapping[str, str]
    """A completion code for each of CODED_ENDS."""
    places: int
    minutes: int
    reward: int
    screened_out: int
    currency: str
    floor: int
    device: str


class Submission(Struct, frozen=True):
    """One person's part in the study, as the service knows it."""

    id: str
    participant: str
    status: SubmissionStatus
    code: str = ""


class ServiceBonus(Struct, frozen=True):
    """A bonus for one person."""

    participant: str
    submission: str
    amount: int
    reason: str
    token: str
    """The same for the same amounts."""


class PaymentRefused(Problem):
    """The service said that it has paid nothing of this, or only bonuses with other tokens than these."""

    def __init__(self, told: str, tokens: frozenset[str] = frozenset()) -> None:
        super().__init__(told)
        self.tokens = tokens


class RecruitingService(Protocol):
    """Every method raises Problem with one line where the service refuses or cannot be reached."""

    name: str
    submission_kind: str
    """Under which the ids of submissions are in the table of people's ids."""
    redirect: str
    """Where people return to; {code} is the completion code."""
    most_bonuses: int
    """Bonuses in one request."""
    bonuses_repeatable: bool
    """Whether the same bonuses can be sent again without being paid again."""

    def find_faults(self, offer: StudyOffer) -> list[str]:
        """What the service would refuse, a line each."""

    def create_study(self, offer: StudyOffer) -> str:
        """Create the study without publishing it; returns its id."""

    def publish_study(self, listing: str, offer: StudyOffer) -> str:
        """Publish it; returns its id from now on."""

    def pause_study(self, listing: str) -> None: ...

    def resume_study(self, listing: str) -> None: ...

    def set_places(self, listing: str, places: int) -> None:
        """Raise the number of places to this."""

    def list_submissions(self, listing: str) -> list[Submission]: ...

    def approve_submissions(self, listing: str, submissions: Sequence[str]) -> None:
        """The service then pays its reward."""

    def screen_out_submissions(self, listing: str, submissions: Sequence[str], amount: int) -> None:
        """Pay each the amount for a screen-out, and free their places."""

    def request_return(self, submission: str, reason: str) -> None: ...

    def reject_submission(self, submission: str, message: str) -> None: ...

    def set_up_bonuses(self, listing: str, bonuses: Sequence[ServiceBonus]) -> str:
        """The first step: nothing is paid. Returns the id of the payment."""

    def pay_bonuses(self, payment: str, bonuses: Sequence[ServiceBonus]) -> None:
        """The second step. Raises PaymentRefused where surely nothing was paid, or where it names the bonuses
        that were not, and all others were; after any other Problem it is not known."""

    def add_to_group(self, name: str, participants: Sequence[str]) -> str:
        """Create a group of people that studies can admit or bar; returns its id."""


def list_services() -> list[str]:
    return [BY_LINK, *installed_entry_points(GROUP)]


def make_service(study: Study, show: ShowRequest | None = None) -> RecruitingService:
    """The recruiting service of a study. With `show` it sends nothing, and shows each request."""
    name, known = study.recruiting.service, installed_entry_points(GROUP)
    if name not in known:
        hint = choices_hint(known) if known else "none is installed"
        raise Problem(f"recruiting.service is {name!r}, which is no recruiting service: {hint}")
    service: RecruitingService = load(known[name].value)(study.recruiting.options, show)
    return service


def read_options(kind: type[T], options: Mapping[str, Any], service: str) -> T:
    try:
        return msgspec.convert(dict(options), kind)
    except msgspec.ValidationError as trouble:
        raise Problem(f"recruiting.options of {service}: {trouble}: correct study.toml") from None


def make_codes(given: Mapping[str, str]) -> dict[str, str]:
    """A completion code for each end: those of the study, and new ones where it has none."""
    return {
        end: given.get(end) or "".join(secrets.choice(CODE_LETTERS) for _ in range(8)) for end in CODED_ENDS
    }


def find_code_faults(codes: Mapping[str, str]) -> list[str]:
    """Two ends with the same code could not be told apart."""
    by_code: dict[str, list[str]] = {}
    for end, code in codes.items():
        by_code.setdefault(code, []).append(end)
    return [
        f"recruiting.codes: {' and '.join(ends)} have the same code {code!r}: give each its own"
        for code, ends in by_code.items()
        if len(ends) > 1
    ]


def make_offer(state: StudyState, name: str, url: str, codes: Mapping[str, str]) -> StudyOffer:
    """What a service is told about a study. Raises Problem where something is missing."""
    study = state.study
    if state.places is None:
        raise Problem("recruiting.places is missing: services need the number of places")
    if not study.recruiting.description:
        raise Problem("recruiting.description is missing: it tells people what they will do")
    if not url.startswith("https://"):
        raise Problem(f"--url {url!r} is no address that people can reach: begin it with https://")
    minutes = study.expected_minutes or sum(stage.usual_minutes for stage in study.stages)
    return StudyOffer(
        name=name,
        title=study.title,
        description=study.recruiting.description,
        url=f"{url.rstrip('/')}/study/{name}",
        codes=codes,
        places=state.places,
        minutes=max(1, round(minutes)),
        reward=minor_units(study.pay.base),
        screened_out=minor_units(study.pay.screened_out),
        currency=study.pay.currency,
        floor=pay_floor(study.pay),
        device=study.device,
    )


def find_offer_faults(offer: StudyOffer, floor: int) -> list[str]:
    """What every service refuses: codes that are not unique, and a reward below `floor` for an hour."""
    hourly, found = round(offer.reward * 60 / offer.minutes), find_code_faults(offer.codes)
    if not offer.reward:
        found.append("pay.base is 0, but it is the reward that the service pays: set it")
    elif hourly < floor:
        found.append(
            f"pay.base: {format_amount(offer.reward)} for {offer.minutes} minutes is {format_amount(hourly)} "
            f"{offer.currency} an hour, less than {format_amount(floor)}: the service asks for this much "
            "without bonuses"
        )
    return found


def service_floor(offer: StudyOffer) -> int:
    """The least that services ask for an hour, in the study's currency."""
    return max(offer.floor, FLOORS.get(offer.currency, 0))
