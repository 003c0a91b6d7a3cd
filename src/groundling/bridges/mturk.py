"""Recruit through Amazon Mechanical Turk with boto3, which takes the account from the environment. People see
a page of ours in a frame (an external question), which opens the study in a tab of its own.

Amazon's documentation says that the service closes on 30 September 2026; its sandbox, and endpoints that
speak the same protocol, are named by `recruiting.options.sandbox` and AWS_ENDPOINT_URL_MTURK."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from html import unescape
from typing import Any
from xml.sax.saxutils import escape

from msgspec import Struct

from groundling.core.values import Problem
from groundling.studies.pay_rules import format_amount
from groundling.studies.recruiting import (
    PaymentRefused,
    ServiceBonus,
    ServiceRequest,
    ShowRequest,
    StudyOffer,
    Submission,
    find_offer_faults,
    read_options,
)
from groundling.studies.study_events import SubmissionStatus

REGION = "us-east-1"
LIVE = f"https://mturk-requester.{REGION}.amazonaws.com"
SANDBOX = f"https://mturk-requester-sandbox.{REGION}.amazonaws.com"
SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/ExternalQuestion.xsd"
STATUSES: dict[str, SubmissionStatus] = {
    "Submitted": "awaiting review",
    "Approved": "approved",
    "Rejected": "rejected",
}
ANSWER = re.compile(r"<QuestionIdentifier>code</QuestionIdentifier>\s*<FreeText>(.*?)</FreeText>", re.DOTALL)


class MturkOptions(Struct, frozen=True, forbid_unknown_fields=True):
    sandbox: bool = False
    keywords: str = ""
    days: int = 7
    """How long people can find the task."""
    minutes: int | None = None
    """How long a person may take; four times the expected minutes by default."""
    approve_days: int = 7
    """After these days submissions are approved by themselves."""
    frame_height: int = 600
    qualifications: list[dict[str, Any]] = []


class MturkService:
    name = "mturk"
    submission_kind = "mturk assignment"
    redirect = ""
    most_bonuses = 1000
    bonuses_repeatable = True

    def __init__(self, options: Mapping[str, Any], show: ShowRequest | None = None) -> None:
        import boto3
        from botocore.exceptions import BotoCoreError, ClientError

        self._options, self._show = read_options(MturkOptions, options, self.name), show
        self._refused, self._trouble = ClientError, BotoCoreError
        self._url = os.environ.get("AWS_ENDPOINT_URL_MTURK") or (SANDBOX if self._options.sandbox else LIVE)
        secret = {"aws_access_key_id": "-", "aws_secret_access_key": "-"} if show else {}
        self._client: Any = boto3.client("mturk", region_name=REGION, endpoint_url=self._url, **secret)

    # Studies

    def find_faults(self, offer: StudyOffer) -> list[str]:
        found = find_offer_faults(offer, offer.floor)
        if offer.currency != "USD":
            found.append(f"pay.currency: Mechanical Turk pays in USD, not in {offer.currency}")
        if offer.screened_out not in (0, offer.reward):
            found.append(
                "pay.screened_out: Mechanical Turk pays the whole reward or nothing: make it pay.base, or 0"
            )
        return found

    def create_study(self, offer: StudyOffer) -> str:
        """A type of HITs, which nobody sees until it is published."""
        options = self._options
        answer = self._call(
            "CreateHITType",
            AutoApprovalDelayInSeconds=options.approve_days * 86_400,
            AssignmentDurationInSeconds=60 * (options.minutes or 4 * offer.minutes),
            Reward=format_amount(offer.reward),
            Title=offer.title,
            Keywords=options.keywords,
            Description=offer.description,
            QualificationRequirements=options.qualifications,
        )
        return str(answer["HITTypeId"])

    def publish_study(self, listing: str, offer: StudyOffer) -> str:
        url = f"{offer.url}/mturk"
        question = (
            f'<ExternalQuestion xmlns="{SCHEMA}"><ExternalURL>{escape(url)}</ExternalURL>'
            f"<FrameHeight>{self._options.frame_height}</FrameHeight></ExternalQuestion>"
        )
        answer = self._call(
            "CreateHITWithHITType",
            HITTypeId=listing,
            MaxAssignments=offer.places,
            LifetimeInSeconds=self._options.days * 86_400,
            Question=question,
            RequesterAnnotation=offer.name,
            UniqueRequestToken=sha256(listing.encode()).hexdigest()[:32],
        )
        return str(answer["HIT"]["HITId"])

    def pause_study(self, listing: str) -> None:
        self._call("UpdateExpirationForHIT", HITId=listing, ExpireAt=datetime.now(UTC))

    def resume_study(self, listing: str) -> None:
        until = datetime.now(UTC) + timedelta(days=self._options.days)
        self._call("UpdateExpirationForHIT", HITId=listing, ExpireAt=until)

    def set_places(self, listing: str, places: int) -> None:
        there = self._call("GetHIT", HITId=listing)["HIT"]["MaxAssignments"]
        if places < there:
            raise Problem(f"Mechanical Turk has {there} places: they cannot become {places}")
        if places > there:
            self._call(
                "CreateAdditionalAssignmentsForHIT",
                HITId=listing,
                NumberOfAdditionalAssignments=places - there,
                UniqueRequestToken=sha256(f"{listing} {places}".encode()).hexdigest()[:32],
            )

    # Submissions

    def list_submissions(self, listing: str) -> list[Submission]:
        found = self._list_all("ListAssignmentsForHIT", "Assignments", HITId=listing)
        return [
            Submission(
                each["AssignmentId"],
                each["WorkerId"],
                STATUSES.get(each["AssignmentStatus"], "unknown"),
                unescape(code[1]).strip() if (code := ANSWER.search(each.get("Answer", ""))) else "",
            )
            for each in found
        ]

    def _list_all(self, operation: str, key: str, **fields: Any) -> list[Any]:
        found: list[Any] = []
        page = self._call(operation, **fields, MaxResults=100)
        while page.get(key):
            found += page[key]
            if not page.get("NextToken"):
                break
            page = self._call(operation, **fields, MaxResults=100, NextToken=page["NextToken"])
        return found

    def approve_submissions(self, listing: str, submissions: Sequence[str]) -> None:
        for submission in submissions:
            self._call("ApproveAssignment", AssignmentId=submission)

    def screen_out_submissions(self, listing: str, submissions: Sequence[str], amount: int) -> None:
        """Here it is the same as approving them: the reward is the pay for a screen-out."""
        self.approve_submissions(listing, submissions)

    def request_return(self, submission: str, reason: str) -> None:
        raise Problem(
            "Mechanical Turk cannot ask people to return a task: write to them, or approve it there"
        )

    def reject_submission(self, submission: str, message: str) -> None:
        self._call("RejectAssignment", AssignmentId=submission, RequesterFeedback=message)

    def add_to_group(self, name: str, participants: Sequence[str]) -> str:
        made = self._call(
            "CreateQualificationType",
            Name=name,
            Description=f"People of {name}",
            QualificationTypeStatus="Active",
        )
        kind = str(made["QualificationType"]["QualificationTypeId"])
        for worker in participants:
            self._call(
                "AssociateQualificationWithWorker",
                QualificationTypeId=kind,
                WorkerId=worker,
                IntegerValue=1,
                SendNotification=False,
            )
        return kind

    # Bonuses

    def set_up_bonuses(self, listing: str, bonuses: Sequence[ServiceBonus]) -> str:
        """The service has no such step; a person without an assignment cannot get a bonus."""
        if missing := sum(not bonus.submission for bonus in bonuses):
            raise Problem(f"{missing} people have no assignment: pay them in another way")
        return listing

    def pay_bonuses(self, payment: str, bonuses: Sequence[ServiceBonus]) -> None:
        """Each by itself: one that is refused keeps nobody else from theirs."""
        refused: dict[str, str] = {}
        for bonus in bonuses:
            try:
                self._pay_bonus(bonus)
            except PaymentRefused as trouble:
                refused[bonus.token] = str(trouble)
        if refused:
            told = f"{next(iter(refused.values()))} (refused: {len(refused)} of {len(bonuses)} bonuses)"
            raise PaymentRefused(told, frozenset(refused))

    def _pay_bonus(self, bonus: ServiceBonus) -> None:
        """Those that were paid before are left out: the reason names the token."""
        reason = f"{bonus.reason} ({bonus.token[:8]})"
        try:
            before = self._list_all("ListBonusPayments", "BonusPayments", AssignmentId=bonus.submission)
        except PaymentRefused as trouble:  # it may have been paid before
            raise Problem(str(trouble)) from None
        if not any(each.get("Reason") == reason for each in before):
            self._call(
                "SendBonus",
                WorkerId=bonus.participant,
                BonusAmount=format_amount(bonus.amount),
                AssignmentId=bonus.submission,
                Reason=reason,
                UniqueRequestToken=bonus.token,
            )

    def _call(self, operation: str, **fields: Any) -> Any:
        """Send a request. boto3 checks it, and repeats it where the service is busy or fails."""
        if self._show is not None:
            self._check(operation, fields)
            self._show(ServiceRequest("POST", f"{self._url}/ {operation}", fields))
            return _EXAMPLES.get(operation, {})
        from botocore import xform_name

        try:
            return getattr(self._client, xform_name(operation))(**fields)
        except self._refused as trouble:
            error = trouble.response.get("Error", {})
            told = " ".join(str(error.get("Message") or error.get("Code")).split())
            status = trouble.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
            if status >= 500:
                raise Problem(f"Mechanical Turk has failed ({told}): try again later") from None
            hint = next((hint for code, hint in _HINTS.items() if code in error.get("Code", "")), "")
            raise PaymentRefused(f"Mechanical Turk refuses {operation}: {told}{hint}") from None
        except self._trouble as trouble:
            told = " ".join(str(trouble).split()).rstrip(".")
            hint = ACCOUNT if "Credentials" in type(trouble).__name__ else "try again later"
            raise Problem(f"Mechanical Turk cannot be asked ({told}): {hint}") from None

    def _check(self, operation: str, fields: Mapping[str, Any]) -> None:
        """Raise Problem where Amazon's own description of the operation does not allow the request."""
        from botocore.validate import ParamValidator

        shape = self._client.meta.service_model.operation_model(operation).input_shape
        report = ParamValidator().validate(fields, shape)
        if report.has_errors():
            told = " ".join(report.generate_report().split())
            raise Problem(f"Mechanical Turk would refuse {operation}: {told}")


ACCOUNT = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
_HINTS = {
    "Throttl": ": try again later",
    "UnrecognizedClient": f": {ACCOUNT}",
    "InvalidSignature": f": {ACCOUNT}",
    "AccessDenied": f": {ACCOUNT}",
}
"""What to do, by a part of the error's code."""
_EXAMPLES: dict[str, dict[str, Any]] = {
    "CreateHITType": {"HITTypeId": "ID"},
    "CreateHITWithHITType": {"HIT": {"HITId": "ID"}},
    "GetHIT": {"HIT": {"MaxAssignments": 0}},
    "CreateQualificationType": {"QualificationType": {"QualificationTypeId": "ID"}},
}
"""What a dry run takes for the answers."""
