"""Recruit through Prolific: a client of its REST API. The token is in the environment, PROLIFIC_TOKEN.

Requests are repeated where the service says that it is busy (429) or fails (5xx), except for the two that
must not happen twice: creating a study, and paying."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct

from groundling.core.values import Problem
from groundling.studies.pay_rules import ASKED_TO_RETURN, BASE_PAID, FLOORS, format_amount
from groundling.studies.recruiting import (
    PaymentRefused,
    ServiceBonus,
    ServiceRequest,
    ShowRequest,
    StudyOffer,
    Submission,
    find_offer_faults,
    read_options,
    service_floor,
)
from groundling.studies.study_events import SubmissionStatus

API = "https://api.prolific.com/api/v1"
TRIES = 5
LONGEST_WAIT = 60.0
TIMEOUT = 30.0
PAGE = 100
LEAST_REJECTION = 100
"""Characters of the message with which a submission is rejected."""
STATUSES: dict[str, SubmissionStatus] = {
    "RESERVED": "reserved",
    "ACTIVE": "active",
    "AWAITING REVIEW": "awaiting review",
    "APPROVED": "approved",
    "REJECTED": "rejected",
    "RETURNED": "returned",
    "TIMED-OUT": "timed out",
    "SCREENED OUT": "screened out",
}
RETURN_REASONS = {
    "declined": "You did not agree to take part.",
    "left": "You left the study before its end.",
    "timed out": "You did not finish in time.",
    "excluded": "Your answers could not be used.",
    "screened out": "You did not pass the test at the beginning.",
    ASKED_TO_RETURN: "You did not pass the attention checks.",
}


class ProlificOptions(Struct, frozen=True, forbid_unknown_fields=True):
    project: str = ""
    workspace: str = ""
    """Where groups of participants are created."""
    filters: list[dict[str, Any]] = []
    filter_set: str = ""
    labels: list[str] = []
    at_once: int = -1
    """Submissions at the same time; -1: any number."""
    screen_outs: int | None = None
    """Paid screen-outs at most; as many as there are places by default."""


class ProlificService:
    name = "prolific"
    submission_kind = "prolific submission"
    redirect = "https://app.prolific.com/submissions/complete?cc={code}"
    most_bonuses = 200
    bonuses_repeatable = False

    def __init__(
        self,
        options: Mapping[str, Any],
        show: ShowRequest | None = None,
        wait: Callable[[float], None] = sleep,
    ) -> None:
        self._options = read_options(ProlificOptions, options, self.name)
        self._show, self._wait = show, wait
        self._api = os.environ.get("PROLIFIC_URL", API).rstrip("/")

    # Studies

    def find_faults(self, offer: StudyOffer) -> list[str]:
        found = find_offer_faults(offer, service_floor(offer))
        if offer.currency not in FLOORS:
            found.append(f"pay.currency: Prolific pays in {' or '.join(FLOORS)}, not in {offer.currency}")
        if offer.screened_out and offer.screened_out >= offer.reward:
            found.append("pay.screened_out must be less than pay.base: Prolific refuses it")
        if self._options.filters and self._options.filter_set:
            found.append("recruiting.options: give filters or filter_set, not both")
        return found

    def create_study(self, offer: StudyOffer) -> str:
        return str(self._call("POST", "/studies/", self._describe_study(offer), repeat=False)["id"])

    def _describe_study(self, offer: StudyOffer) -> dict[str, Any]:
        names = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
        options = self._options
        audience = (
            {"filter_set_id": options.filter_set} if options.filter_set else {"filters": options.filters}
        )
        return {
            "name": offer.title,
            "internal_name": offer.name,
            "description": offer.description,
            "external_study_url": f"{offer.url}?{'&'.join(f'{name}={{{{%{name}%}}}}' for name in names)}",
            "prolific_id_option": "url_parameters",
            "completion_codes": [self._describe_code(offer, end, code) for end, code in offer.codes.items()],
            "total_available_places": offer.places,
            "estimated_completion_time": offer.minutes,
            "reward": offer.reward,
            "device_compatibility": ["desktop"] if offer.device == "computer" else [],
            "submissions_config": {
                "max_submissions_per_participant": 1,
                "max_concurrent_submissions": options.at_once,
            },
            **audience,
            **({"project": options.project} if options.project else {}),
            **({"study_labels": options.labels} if options.labels else {}),
        }

    def _describe_code(self, offer: StudyOffer, end: str, code: str) -> dict[str, Any]:
        """What follows when somebody submits the code of an end."""
        kind, action = "OTHER", dict[str, Any](action="MANUALLY_REVIEW")
        if end == "finished":
            kind = "COMPLETED"
        elif end == "screened out" and offer.screened_out:
            slots = offer.places if self._options.screen_outs is None else self._options.screen_outs
            kind = "FIXED_SCREENOUT"
            action = {
                "action": "FIXED_SCREEN_OUT_PAYMENT",
                "fixed_screen_out_reward": offer.screened_out,
                "slots": slots,
            }
        elif end not in BASE_PAID:
            kinds = {"declined": "NO_CONSENT", ASKED_TO_RETURN: "FAILED_ATTENTION_CHECK"}
            kind = kinds.get(end, "OTHER")
            action = {"action": "REQUEST_RETURN", "return_reason": RETURN_REASONS[end]}
        return {"code": code, "code_type": kind, "actor": "participant", "actions": [action]}

    def publish_study(self, listing: str, offer: StudyOffer) -> str:
        self._change_study(listing, "PUBLISH")
        return listing

    def pause_study(self, listing: str) -> None:
        self._change_study(listing, "PAUSE")

    def resume_study(self, listing: str) -> None:
        self._change_study(listing, "START")

    def _change_study(self, listing: str, action: str) -> None:
        self._call("POST", f"/studies/{listing}/transition/", {"action": action})

    def set_places(self, listing: str, places: int) -> None:
        self._call("PATCH", f"/studies/{listing}/", {"total_available_places": places})

    # Submissions

    def list_submissions(self, listing: str) -> list[Submission]:
        found: list[Submission] = []
        path: str | None = f"/submissions/?{urlencode({'study': listing, 'page_size': PAGE})}"
        while path is not None:
            page = self._call("GET", path)
            found += [
                Submission(
                    each["id"],
                    each.get("participant_id") or each.get("participant") or "",
                    STATUSES.get(each["status"], "unknown"),
                    each.get("study_code") or "",
                )
                for each in page.get("results", ())
            ]
            path = self._next_page(page)
        return found

    def _next_page(self, page: Mapping[str, Any]) -> str | None:
        link = ((page.get("_links") or {}).get("next") or {}).get("href") or ""
        # the token goes to no other address
        return link.removeprefix(self._api) if link.startswith(f"{self._api}/") else None

    def approve_submissions(self, listing: str, submissions: Sequence[str]) -> None:
        for submission in submissions:
            self._call("POST", f"/submissions/{submission}/transition/", {"action": "APPROVE"})

    def screen_out_submissions(self, listing: str, submissions: Sequence[str], amount: int) -> None:
        body = {
            "submission_ids": list(submissions),
            "bonus_per_submission": amount / 100,
            "increase_places": True,
        }
        self._call("POST", f"/studies/{listing}/screen-out-submissions/", body, repeat=False)

    def request_return(self, submission: str, reason: str) -> None:
        body = {"request_return_reasons": [RETURN_REASONS.get(reason, reason)]}
        self._call("POST", f"/submissions/{submission}/request-return/", body)

    def reject_submission(self, submission: str, message: str) -> None:
        if len(message) < LEAST_REJECTION:
            raise Problem(
                f"a rejection needs {LEAST_REJECTION} characters that explain it to the person, "
                f"this has {len(message)}: write more"
            )
        body = {"action": "REJECT", "rejection_category": "OTHER", "message": message}
        self._call("POST", f"/submissions/{submission}/transition/", body)

    def add_to_group(self, name: str, participants: Sequence[str]) -> str:
        if not self._options.workspace:
            raise Problem("recruiting.options.workspace is missing: groups belong to a workspace")
        body = {"name": name, "workspace_id": self._options.workspace, "participant_ids": list(participants)}
        return str(self._call("POST", "/participant-groups/", body, repeat=False)["id"])

    # Bonuses

    def set_up_bonuses(self, listing: str, bonuses: Sequence[ServiceBonus]) -> str:
        lines = "".join(f"{bonus.participant},{format_amount(bonus.amount)}\n" for bonus in bonuses)
        answer = self._call(
            "POST", "/submissions/bonus-payments/", {"study_id": listing, "csv_bonuses": lines}
        )
        told, wanted = answer.get("amount"), sum(bonus.amount for bonus in bonuses)
        if told is not None and round(told) != wanted:
            raise Problem(
                f"Prolific would pay {format_amount(round(told))} rather than {format_amount(wanted)}: "
                "look at the study there"
            )
        return str(answer["id"])

    def pay_bonuses(self, payment: str, bonuses: Sequence[ServiceBonus]) -> None:
        self._call("POST", f"/bulk-bonus-payments/{payment}/pay/", repeat=False)

    # Requests

    def _call(self, method: str, path: str, body: Any = None, *, repeat: bool = True) -> Any:
        """Send a request until it is answered. Where it must not be repeated, only after an answer that says
        that it was not carried out."""
        if self._show is not None:
            self._show(ServiceRequest(method, f"{self._api}{path}", body))
            return {"id": "ID", "results": []}
        request = Request(
            f"{self._api}{path}",
            None if body is None else msgspec.json.encode(body),
            {"Authorization": f"Token {_read_token()}", "Content-Type": "application/json"},
            method=method,
        )
        for attempt in range(TRIES):
            last = attempt == TRIES - 1
            try:
                with urlopen(request, timeout=TIMEOUT) as answer:
                    return msgspec.json.decode(answer.read() or b"{}")
            except HTTPError as trouble:
                again = trouble.code == 429 or (trouble.code >= 500 and repeat)
                if not again or last:
                    raise _describe_error(trouble, method, path) from None
                self._wait(_find_wait(trouble, attempt))
            except (OSError, HTTPException, msgspec.DecodeError) as trouble:
                if not repeat or last:
                    raise Problem(
                        f"Prolific cannot be reached ({' '.join(str(trouble).split())}): try again later"
                    ) from None
                self._wait(2.0**attempt)
        raise AssertionError


def _read_token() -> str:
    token = os.environ.get("PROLIFIC_TOKEN", "").strip()
    if not token:
        raise Problem("PROLIFIC_TOKEN is not set: put the token of your Prolific account into it")
    return token


def _find_wait(trouble: HTTPError, attempt: int) -> float:
    """What the service asks for, or twice as long each time."""
    try:
        seconds = float(trouble.headers.get("Retry-After", ""))
    except ValueError:
        seconds = 2.0**attempt
    return min(max(seconds, 0.0), LONGEST_WAIT)


def _describe_error(trouble: HTTPError, method: str, path: str) -> Problem:
    """The service's answer in one line. Below 500 it has done nothing."""
    try:
        error = msgspec.json.decode(trouble.read()).get("error", {})
        told = error.get("detail") or error.get("title") or ""
    except (msgspec.DecodeError, AttributeError, OSError):
        told = ""
    words = " ".join((told if isinstance(told, str) else msgspec.json.encode(told).decode()).split())
    refused = PaymentRefused if trouble.code < 500 else Problem
    if trouble.code in (401, 403):
        return refused(f"Prolific refuses the token ({words or trouble.code}): check PROLIFIC_TOKEN")
    if trouble.code == 429:
        return refused("Prolific is busy (429): try again later")
    if trouble.code >= 500:
        return refused(f"Prolific has failed ({trouble.code}): try again later")
    what = f"{method} {path.partition('?')[0]}"
    return refused(f"Prolific refuses {what} ({trouble.code}): {words or 'no reason given'}")
