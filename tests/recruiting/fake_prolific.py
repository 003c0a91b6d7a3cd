"""A server that answers as Prolific does: its fields, states and errors as they are documented."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "a-token"
FLOOR = 800
CODE_TYPES = {
    "COMPLETED",
    "FAILED_ATTENTION_CHECK",
    "FOLLOW_UP_STUDY",
    "GIVE_BONUS",
    "INCOMPATIBLE_DEVICE",
    "NO_CONSENT",
    "OTHER",
    "FIXED_SCREENOUT",
}
ACTIONS = {"MANUALLY_REVIEW", "AUTOMATICALLY_APPROVE", "REQUEST_RETURN", "FIXED_SCREEN_OUT_PAYMENT"}
TRANSITIONS = {
    ("UNPUBLISHED", "PUBLISH"): "ACTIVE",
    ("ACTIVE", "PAUSE"): "PAUSED",
    ("PAUSED", "START"): "ACTIVE",
    ("ACTIVE", "STOP"): "AWAITING REVIEW",
}
HOLDING = ("RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED", "SCREENED OUT")
"""Submissions in these states take a place; for those who are screened out the study gets another."""


class RefusalError(Exception):
    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


class FakeProlific:
    """The service's state, with what its participants do."""

    def __init__(self) -> None:
        self.studies: dict[str, dict[str, Any]] = {}
        self.submissions: dict[str, dict[str, Any]] = {}
        self.groups: dict[str, dict[str, Any]] = {}
        self.bonuses: dict[str, list[tuple[str, int]]] = {}
        self.rewards: dict[str, int] = {}
        """Paid for submissions, by participant, in hundredths."""
        self.bonuses_paid: dict[str, int] = {}
        self.requests: list[tuple[str, str]] = []
        self.failures: list[tuple[int, dict[str, str]]] = []
        """Answers to give to the next requests instead."""
        self.failing = ""
        """Only requests whose path has this fail."""
        self.page_size = 3
        self.lock, self._ids = Lock(), count(1)

    def new_id(self, kind: str) -> str:
        return f"{kind}{next(self._ids):0{24 - len(kind)}x}"

    # What participants do
    # --------------------------------------------------------------------------------------------------------

    def take_place(self, study: str, participant: str) -> dict[str, str]:
        """A participant starts the study; returns the parameters of the address."""
        about = self.studies[study]
        assert about["status"] == "ACTIVE", "only published studies have participants"
        taken = sum(each["status"] in HOLDING for each in self.submissions.values())
        assert taken < about["total_available_places"], "no place is free"
        session = self.new_id("5e55")
        self.submissions[session] = {
            "id": session,
            "participant_id": participant,
            "study_id": study,
            "status": "ACTIVE",
            "study_code": None,
            "return_requested": None,
        }
        return {"PROLIFIC_PID": participant, "STUDY_ID": study, "SESSION_ID": session}

    def enter_code(self, session: str, code: str) -> None:
        """The participant comes back with a code, and does what its action asks for."""
        submission = self.submissions[session]
        known = {each["code"]: each for each in self.studies[submission["study_id"]]["completion_codes"]}
        submission["study_code"] = code
        if submission["status"] != "ACTIVE":
            return
        actions: list[dict[str, Any]] = known[code]["actions"] if code in known else [{"action": ""}]
        for action in actions:
            match action["action"]:
                case "REQUEST_RETURN":
                    submission["status"] = "RETURNED"
                case "FIXED_SCREEN_OUT_PAYMENT":
                    submission["status"] = "SCREENED OUT"
                    self.studies[submission["study_id"]]["total_available_places"] += 1
                    self._reward(submission["participant_id"], action["fixed_screen_out_reward"])
                case _:
                    submission["status"] = "AWAITING REVIEW"

    def end_submission(self, session: str, status: str) -> None:
        """RETURNED by the participant, or TIMED-OUT by the service."""
        self.submissions[session]["status"] = status

    def _reward(self, participant: str, amount: int) -> None:
        self.rewards[participant] = self.rewards.get(participant, 0) + amount

    # Requests
    # --------------------------------------------------------------------------------------------------------

    def answer(self, method: str, url: str, token: str, body: Any) -> Any:
        split = urlsplit(url)
        path = split.path.removeprefix("/api/v1")
        self.requests.append((method, path))
        if token != f"Token {TOKEN}":
            raise RefusalError(401, "Invalid token.")
        for (wanted, pattern), handle in ROUTES.items():
            if wanted == method and (found := re.fullmatch(pattern, path)):
                query = {key: values[0] for key, values in parse_qs(split.query).items()}
                return handle(
                    self, *found.groups(), **({"query": query} if method == "GET" else {"body": body})
                )
        raise RefusalError(404, "Not found.")

    def create_study(self, body: dict[str, Any]) -> dict[str, Any]:
        for old in ("completion_code", "completion_option", "eligibility_requirements"):
            if old in body:
                raise RefusalError(400, f"{old} is deprecated")
        needed = ("name", "description", "external_study_url", "prolific_id_option", "completion_codes")
        for key in (*needed, "estimated_completion_time", "total_available_places", "reward"):
            if not body.get(key):
                raise RefusalError(400, f"{key}: This field is required.")
        codes = [each.get("code") for each in body["completion_codes"]]
        if len({*codes}) < len(codes):
            raise RefusalError(400, "completion_codes: codes must be unique")
        for each in body["completion_codes"]:
            if each.get("code_type") not in CODE_TYPES:
                raise RefusalError(400, "completion_codes: code_type: This field is required.")
            if not each.get("actions") or any(act["action"] not in ACTIONS for act in each["actions"]):
                raise RefusalError(400, "completion_codes: actions: not a valid action")
            for act in each["actions"]:
                if act.get("fixed_screen_out_reward", 0) >= body["reward"]:
                    raise RefusalError(400, "fixed_screen_out_reward must be less than the reward")
        if body["reward"] * 60 / body["estimated_completion_time"] < FLOOR:
            raise RefusalError(400, "reward: below the minimum hourly rate")
        if body.get("filters") and body.get("filter_set_id"):
            raise RefusalError(400, "filters and filter_set_id are exclusive")
        study = {**body, "id": self.new_id("57d"), "status": "UNPUBLISHED"}
        self.studies[study["id"]] = study
        return study

    def _find(self, table: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
        if name not in table:
            raise RefusalError(404, "Not found.")
        return table[name]

    def change_study(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        study = self._find(self.studies, name)
        places = body.get("total_available_places", study["total_available_places"])
        if study["status"] != "UNPUBLISHED":
            if {*body} - {"total_available_places", "internal_name"}:
                raise RefusalError(400, "a published study can only get more places")
            if places < study["total_available_places"]:
                raise RefusalError(400, "total_available_places: the number of places can only be increased")
        study.update(body)
        return study

    def move_study(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        study = self._find(self.studies, name)
        step = (study["status"], body.get("action"))
        if step not in TRANSITIONS:
            raise RefusalError(400, f"a study that is {step[0]} cannot {step[1]}")
        study["status"] = TRANSITIONS[step]
        return study

    def list_submissions(self, query: dict[str, str]) -> dict[str, Any]:
        if "study" not in query:
            raise RefusalError(400, "study: This field is required.")
        found = [each for each in self.submissions.values() if each["study_id"] == query["study"]]
        page, size = int(query.get("page", 1)), self.page_size
        last = page * size >= len(found)
        href = None if last else f"{self.url}/submissions/?study={query['study']}&page={page + 1}"
        return {
            "results": found[(page - 1) * size : page * size],
            "_links": {"next": {"href": href}},
            "meta": {"count": len(found)},
        }

    def move_submission(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        submission = self._find(self.submissions, name)
        match body.get("action"):
            case "APPROVE":
                if submission["status"] == "APPROVED":
                    return submission  # documented as idempotent
                if submission["status"] != "AWAITING REVIEW":
                    raise RefusalError(400, f"a submission that is {submission['status']} cannot be approved")
                submission["status"] = "APPROVED"
                self._reward(submission["participant_id"], self.studies[submission["study_id"]]["reward"])
            case "REJECT":
                if not body.get("rejection_category"):
                    raise RefusalError(400, "rejection_category: This field is required.")
                if len(body.get("message", "")) < 100:
                    raise RefusalError(400, "message: must be at least 100 characters")
                submission["status"] = "REJECTED"
            case _:
                raise RefusalError(400, "action: not a valid choice")
        return submission

    def ask_return(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        submission = self._find(self.submissions, name)
        if not body.get("request_return_reasons"):
            raise RefusalError(400, "request_return_reasons: This field is required.")
        submission["return_requested"] = body["request_return_reasons"]
        return submission

    def screen_out(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        study = self._find(self.studies, name)
        found = [self._find(self.submissions, each) for each in body["submission_ids"]]
        if any(each["status"] not in ("ACTIVE", "AWAITING REVIEW") for each in found):
            raise RefusalError(400, "only open submissions can be screened out")
        for each in found:
            each["status"] = "SCREENED OUT"
            self._reward(each["participant_id"], round(body["bonus_per_submission"] * 100))
        if body.get("increase_places"):
            study["total_available_places"] += len(found)
        return {"message": "done"}

    def set_up_bonuses(self, body: dict[str, Any]) -> dict[str, Any]:
        took_part = {
            each["participant_id"]
            for each in self.submissions.values()
            if each["study_id"] == body["study_id"]
        }
        rows = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        if wrong := [who for who, _ in rows if who not in took_part]:
            raise RefusalError(400, f"these have not taken part: {', '.join(wrong)}")
        if not rows or len(rows) > 200:
            raise RefusalError(400, "between 1 and 200 bonuses")
        payment = self.new_id("b0")
        self.bonuses[payment] = [(who, round(float(amount) * 100)) for who, amount in rows]
        amount = sum(amount for _, amount in self.bonuses[payment])
        return {"id": payment, "amount": amount, "total_amount": round(amount * 1.33)}

    def pay_bonuses(self, name: str, body: Any) -> dict[str, Any]:
        """Each call pays: the documentation warns of it."""
        if name not in self.bonuses:
            raise RefusalError(404, "Not found.")
        for who, amount in self.bonuses[name]:
            self.bonuses_paid[who] = self.bonuses_paid.get(who, 0) + amount
        return {"message": "The bonuses will be paid."}

    def create_group(self, body: dict[str, Any]) -> dict[str, Any]:
        if not body.get("workspace_id") or not body.get("name"):
            raise RefusalError(400, "workspace_id: This field is required.")
        group = {**body, "id": self.new_id("60")}
        self.groups[group["id"]] = group
        return group

    # The server
    # --------------------------------------------------------------------------------------------------------

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Answer requests; gives the address of the API."""
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length", 0)))
                with fake.lock:
                    if fake.failures and fake.failing in self.path:
                        status, headers = fake.failures.pop(0)
                        fake.requests.append((self.command, self.path))
                        return self.send(status, {"error": {"status": status, "detail": "failed"}}, headers)
                    try:
                        token = self.headers.get("authorization", "")
                        found = fake.answer(self.command, self.path, token, json.loads(raw or b"{}"))
                    except RefusalError as trouble:
                        error = {"status": trouble.status, "title": "Bad request", "detail": str(trouble)}
                        return self.send(trouble.status, {"error": error}, {})
                    return self.send(200, found, {})

            def send(self, status: int, value: Any, headers: dict[str, str]) -> None:
                body = json.dumps(value).encode()
                self.send_response(status)
                for name, content in {**headers, "content-length": str(len(body))}.items():
                    self.send_header(name, content)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PATCH = handle_any  # noqa: N815

            def log_message(self, *parts: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_port}/api/v1"
        try:
            yield self.url
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


ROUTES: dict[tuple[str, str], Any] = {
    ("POST", "/studies/"): FakeProlific.create_study,
    ("PATCH", "/studies/([^/]+)/"): FakeProlific.change_study,
    ("POST", "/studies/([^/]+)/transition/"): FakeProlific.move_study,
    ("POST", "/studies/([^/]+)/screen-out-submissions/"): FakeProlific.screen_out,
    ("GET", "/submissions/"): FakeProlific.list_submissions,
    ("POST", "/submissions/bonus-payments/"): FakeProlific.set_up_bonuses,
    ("POST", "/submissions/([^/]+)/transition/"): FakeProlific.move_submission,
    ("POST", "/submissions/([^/]+)/request-return/"): FakeProlific.ask_return,
    ("POST", "/bulk-bonus-payments/([^/]+)/pay/"): FakeProlific.pay_bonuses,
    ("POST", "/participant-groups/"): FakeProlific.create_group,
}
