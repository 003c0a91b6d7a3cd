"""A server that answers as Mechanical Turk's requester API does. Every request is checked against botocore's
own description of the service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock, Thread
from typing import Any
from xml.sax.saxutils import escape

import botocore.session
from botocore.validate import ParamValidator

ANSWER = (
    '<QuestionFormAnswers xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/'
    'QuestionFormAnswers.xsd"><Answer><QuestionIdentifier>code</QuestionIdentifier><FreeText>{}</FreeText>'
    "</Answer></QuestionFormAnswers>"
)


class RefusalError(Exception):
    def __init__(self, told: str, code: str = "RequestError") -> None:
        super().__init__(told)
        self.code = code


class FakeMturk:
    def __init__(self) -> None:
        self.model = botocore.session.get_session().get_service_model("mturk")
        self.types: dict[str, dict[str, Any]] = {}
        self.hits: dict[str, dict[str, Any]] = {}
        self.assignments: dict[str, dict[str, Any]] = {}
        self.qualifications: dict[str, list[str]] = {}
        self.bonuses: list[dict[str, Any]] = []
        self.rewards: dict[str, int] = {}
        self.requests: list[str] = []
        self.tokens: set[str] = set()
        self.fail_at: dict[str, int] = {}
        """After so many requests of a kind, the next is carried out but not answered."""
        self.refuse_at: dict[str, tuple[int, str]] = {}
        """After so many requests of a kind, all others are refused with this code."""
        self.lock, self._ids = Lock(), count(1)

    def new_id(self, kind: str) -> str:
        return f"3{kind}{next(self._ids):020d}".upper()

    # What workers do
    # --------------------------------------------------------------------------------------------------------

    def accept(self, hit: str, worker: str) -> dict[str, str]:
        """A worker accepts the task; returns the parameters of the frame's address."""
        open_ones = [each for each in self.assignments.values() if each["HITId"] == hit]
        assert len(open_ones) < self.hits[hit]["MaxAssignments"], "no assignment is free"
        name = self.new_id("as")
        self.assignments[name] = {"AssignmentId": name, "WorkerId": worker, "HITId": hit}
        return {
            "assignmentId": name,
            "hitId": hit,
            "workerId": worker,
            "turkSubmitTo": "https://workersandbox.mturk.com",
        }

    def submit(self, assignment: str, code: str) -> None:
        """What the form of the frame posts to /mturk/externalSubmit."""
        self.assignments[assignment] |= {
            "AssignmentStatus": "Submitted",
            "Answer": ANSWER.format(escape(code)),
        }

    def give_back(self, assignment: str) -> None:
        """Returned and expired assignments are no longer listed."""
        del self.assignments[assignment]

    # Requests
    # --------------------------------------------------------------------------------------------------------

    def answer(self, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(operation)
        left, code = self.refuse_at.get(operation, (1, ""))
        if left == 0:
            raise RefusalError(code, code)
        if code:
            self.refuse_at[operation] = left - 1, code
        shape = self.model.operation_model(operation).input_shape
        checked = {key: value for key, value in body.items() if key != "ExpireAt"}  # sent as a number
        report = ParamValidator().validate({**checked, **_dates(body)}, shape)
        if report.has_errors():
            raise RefusalError(report.generate_report())
        unknown = {*body} - {*shape.members}
        if unknown:
            raise RefusalError(f"unknown parameters: {unknown}")
        result: dict[str, Any] = getattr(self, operation)(**body)
        return result

    def _use_token(self, token: str | None) -> None:
        if token in self.tokens:
            raise RefusalError(f"The request token {token} was used before")
        if token:
            self.tokens.add(token)

    def CreateHITType(self, **about: Any) -> dict[str, Any]:  # noqa: N802
        if float(about["Reward"]) < 0.01:
            raise RefusalError("Reward must be at least 0.01")
        name = self.new_id("ty")
        self.types[name] = about
        return {"HITTypeId": name}

    def CreateHITWithHITType(self, **about: Any) -> dict[str, Any]:  # noqa: N802
        self._use_token(about.get("UniqueRequestToken"))
        if about["HITTypeId"] not in self.types:
            raise RefusalError("HIT type does not exist")
        if "<ExternalURL>https://" not in about["Question"]:
            raise RefusalError("ExternalURL must use HTTPS")
        name = self.new_id("hi")
        self.hits[name] = {"HITId": name, "MaxAssignments": about["MaxAssignments"], "about": about}
        return {"HIT": {"HITId": name, "HITTypeId": about["HITTypeId"]}}

    def GetHIT(self, HITId: str) -> dict[str, Any]:  # noqa: N802, N803
        if HITId not in self.hits:
            raise RefusalError(f"Hit {HITId} does not exist.")
        return {"HIT": {"HITId": HITId, "MaxAssignments": self.hits[HITId]["MaxAssignments"]}}

    def UpdateExpirationForHIT(self, HITId: str, ExpireAt: float) -> dict[str, Any]:  # noqa: N802, N803
        self.hits[HITId]["ExpireAt"] = ExpireAt
        return {}

    def CreateAdditionalAssignmentsForHIT(  # noqa: N802
        self,
        HITId: str,  # noqa: N803
        NumberOfAdditionalAssignments: int,  # noqa: N803
        UniqueRequestToken: str,  # noqa: N803
    ) -> dict[str, Any]:
        self._use_token(UniqueRequestToken)
        self.hits[HITId]["MaxAssignments"] += NumberOfAdditionalAssignments
        return {}

    def ListAssignmentsForHIT(self, HITId: str, MaxResults: int, NextToken: str = "0") -> dict[str, Any]:  # noqa: N802, N803
        found = [
            each
            for each in self.assignments.values()
            if each["HITId"] == HITId and "AssignmentStatus" in each
        ]
        first, size = int(NextToken), min(MaxResults, 2)
        more = {"NextToken": str(first + size)} if first + size < len(found) else {}
        return {"Assignments": found[first : first + size], **more}

    def ApproveAssignment(self, AssignmentId: str) -> dict[str, Any]:  # noqa: N802, N803
        one = self.assignments[AssignmentId]
        if one["AssignmentStatus"] != "Submitted":
            raise RefusalError(f"it has the status {one['AssignmentStatus']} and cannot be approved")
        one["AssignmentStatus"] = "Approved"
        kind = self.types[self.hits[one["HITId"]]["about"]["HITTypeId"]]
        worker = one["WorkerId"]
        self.rewards[worker] = self.rewards.get(worker, 0) + round(float(kind["Reward"]) * 100)
        return {}

    def RejectAssignment(self, AssignmentId: str, RequesterFeedback: str) -> dict[str, Any]:  # noqa: N802, N803
        one = self.assignments[AssignmentId]
        if one["AssignmentStatus"] != "Submitted":
            raise RefusalError(f"it has the status {one['AssignmentStatus']} and cannot be rejected")
        one["AssignmentStatus"] = "Rejected"
        return {}

    def ListBonusPayments(self, AssignmentId: str, MaxResults: int) -> dict[str, Any]:  # noqa: N802, N803
        found = [each for each in self.bonuses if each["AssignmentId"] == AssignmentId]
        keys = ("WorkerId", "BonusAmount", "AssignmentId", "Reason")
        return {"BonusPayments": [{key: each[key] for key in keys} for each in found]}

    def SendBonus(self, **about: Any) -> dict[str, Any]:  # noqa: N802
        self._use_token(about.get("UniqueRequestToken"))
        one = self.assignments.get(about["AssignmentId"])
        if one is None or one["WorkerId"] != about["WorkerId"] or "AssignmentStatus" not in one:
            raise RefusalError("this worker has not worked on this assignment")
        self.bonuses.append(about)
        return {}

    def CreateQualificationType(self, **about: Any) -> dict[str, Any]:  # noqa: N802
        name = self.new_id("qu")
        self.qualifications[name] = []
        return {"QualificationType": {"QualificationTypeId": name}}

    def AssociateQualificationWithWorker(self, **about: Any) -> dict[str, Any]:  # noqa: N802
        self.qualifications[about["QualificationTypeId"]].append(about["WorkerId"])
        return {}

    @contextmanager
    def serve(self) -> Iterator[str]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                operation = self.headers["x-amz-target"].rpartition(".")[2]
                with fake.lock:
                    try:
                        found, status = fake.answer(operation, body), 200
                    except RefusalError as trouble:
                        found = {"__type": trouble.code, "Message": str(trouble)}
                        status = 400
                    left = fake.fail_at.get(operation)
                    if left is not None:
                        fake.fail_at[operation] = left - 1
                        if left == 0:
                            del fake.fail_at[operation]
                            found, status = {"__type": "ServiceFault", "Message": "failed"}, 500
                content = json.dumps(found).encode()
                self.send_response(status)
                self.send_header("content-type", "application/x-amz-json-1.1")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *parts: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _dates(body: dict[str, Any]) -> dict[str, datetime]:
    return {"ExpireAt": datetime.fromtimestamp(body["ExpireAt"], UTC)} if "ExpireAt" in body else {}
