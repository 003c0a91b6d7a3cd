"""`groundling study recruit`: links for people, and a study at a recruiting service."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from time import sleep, time
from typing import Annotated

import typer
from msgspec import Struct
from typer import Argument, Option

from groundling.cli.options import with_struct_options
from groundling.cli.study_commands import DbOption, FolderArgument, read_folded_study
from groundling.cli.study_links import read_number, write_links
from groundling.core.pack import choices_hint
from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.core.values import Problem
from groundling.report.text_table import print_table, print_text
from groundling.studies.pay_rules import format_amount, minor_units
from groundling.studies.recruiting import (
    RecruitingService,
    ServiceRequest,
    Submission,
    make_codes,
    make_offer,
    make_service,
)
from groundling.studies.researcher_actions import AddPlaces
from groundling.studies.study_events import StudyListed
from groundling.studies.study_state import StudyState, fold_study
from groundling.studies.submissions import SubmissionRow, compare_people, match_people, reconcile_people
from groundling.web.study_store import StudyLog, open_study_log, read_service_ids, read_stored_study


class RecruitOrder(Struct, frozen=True):
    action: Annotated[
        str,
        Argument(
            metavar="ACTION",
            help="links, create, publish, pause, resume, places, status, approve, screen-out, return, reject "
            "or group.",
        ),
    ]
    value: Annotated[
        str, Argument(metavar="[VALUE]", help="A number of links or places, a person or a group.")
    ] = ""
    url: Annotated[str, Option(help="The address of the server, as people reach it.", metavar="URL")] = ""
    people: Annotated[
        Path | None, Option(help="With links: a file with a name in each line.", metavar="FILE")
    ] = None
    out: Annotated[Path | None, Option("-o", "--out", help="With links: write them here.")] = None
    reason: Annotated[str, Option(help="With reject: what the person is told.", metavar="TEXT")] = ""
    dry_run: Annotated[bool, Option("--dry-run", help="Print each request; send nothing.")] = False
    yes: Annotated[bool, Option("--yes", help="Do not ask before publishing or paying.")] = False
    every: Annotated[
        float, Option(min=0, help="With status: ask again at this interval.", metavar="MINUTES")
    ] = 0.0


class _Recruiting(Struct, frozen=True):
    """A study and its recruiting service."""

    name: str
    db: str
    order: RecruitOrder
    state: StudyState
    service: RecruitingService

    @property
    def listing(self) -> str:
        """The id of the study at the service."""
        listed = self.state.listing
        if listed is None or listed.service != self.service.name:
            raise Problem(f"the study is not at {self.service.name} yet: create it first")
        return listed.listing

    def read_rows(self) -> list[SubmissionRow]:
        """Ask the service, bring the log up to what it says, and compare. A dry run changes nothing."""
        ids, state = read_service_ids(self.db, self.name), self.state
        if self.order.dry_run:
            matched, strangers = match_service(self.service, self.listing, ids)
        else:
            with open_study_log(self.db, self.name) as log:
                matched, strangers = update_log(log, self.service, self.listing, ids)
                state = log.read_state()
        came = {person for person, known in ids.items() if self.service.name in known}
        return compare_people(state, matched, strangers, came)

    def log_listing(self, listing: str, codes: dict[str, str], url: str) -> None:
        if not self.order.dry_run:
            event = StudyListed(
                at=time(),
                service=self.service.name,
                listing=listing,
                codes=codes,
                url=url,
                redirect=self.service.redirect,
            )
            with open_study_log(self.db, self.name) as log:
                log.decide_events(lambda state: ([event], None))

    def ask(self, question: str) -> None:
        if not self.order.dry_run:
            ask_first(question, self.order.yes)

    def tell(self, done: str) -> None:
        print_text("dry run: nothing was sent" if self.order.dry_run else done)


def recruit_for_study(folder: FolderArgument, order: RecruitOrder, db: DbOption = "groundling.db") -> None:
    """Invite people by links, or through Prolific or Mechanical Turk.

    The service's own status decides: `status` reads it, and brings the study's log up to it."""
    if order.action not in ("links", *_ACTIONS):
        raise Problem(f"there is no action {order.action!r}: {choices_hint(('links', *_ACTIONS))}")
    name, state = read_folded_study(folder, db)
    if order.action == "links":
        return write_links(name, db, order.url, order.value, order.people, order.out)
    service = make_service(state.study, print_request if order.dry_run else None)
    _ACTIONS[order.action](_Recruiting(name, db, order, state, service))
    return None


recruit_command = with_struct_options(recruit_for_study, "order", RecruitOrder)


def match_service(
    service: RecruitingService, listing: str, ids: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, Submission], list[Submission]]:
    """What the service says about people, and about those who are not known here."""
    return match_people(service.list_submissions(listing), ids, service.name, service.submission_kind)


def update_log(
    log: StudyLog, service: RecruitingService, listing: str, ids: Mapping[str, Mapping[str, str]]
) -> tuple[dict[str, Submission], list[Submission]]:
    """The same, after the log was brought up to it."""
    matched, strangers = match_service(service, listing, ids)
    log.decide_events(lambda state: (reconcile_people(state, matched, time()), None))
    return matched, strangers


def print_request(request: ServiceRequest) -> None:
    print(f"{request.method} {request.url}")
    if request.body is not None:
        print(json.dumps(request.body, indent=2, default=str))


def ask_first(question: str, yes: bool) -> None:
    """Go on only where the researcher says so."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise Problem(f"{question} Nobody can be asked here: add --yes to do it")
    if not typer.confirm(question):
        raise Problem("nothing was done")


# The study at the service


def _create(recruiting: _Recruiting) -> None:
    """Create the study at the service, unpublished, with a code for each outcome."""
    state, service = recruiting.state, recruiting.service
    if state.listing is not None and state.listing.service == service.name:
        raise Problem(f"the study is at {service.name} already ({state.listing.listing}): publish it")
    codes = make_codes(state.study.recruiting.codes)
    offer = make_offer(state, recruiting.name, recruiting.order.url, codes)
    if faults := service.find_faults(offer):
        raise Problem("\n".join(faults))
    _check_budget(state, offer.places)
    listing = service.create_study(offer)
    recruiting.log_listing(listing, codes, recruiting.order.url)
    recruiting.tell(f"{service.name}: {listing} has {offer.places:,} places and is not published yet")


def _check_budget(state: StudyState, places: int) -> None:
    """The service pays the base pay of every place, whatever the server decides."""
    budget, cost = state.study.recruiting.budget, places * minor_units(state.study.pay.base)
    if budget is not None and cost > minor_units(budget):
        raise Problem(
            f"{places:,} places cost {format_amount(cost)} {state.study.pay.currency} in base pay, more than "
            f"recruiting.budget: lower one of them"
        )


def _publish(recruiting: _Recruiting) -> None:
    listing, service, listed = recruiting.listing, recruiting.service, recruiting.state.listing
    assert listed is not None
    offer = make_offer(recruiting.state, recruiting.name, listed.url, listed.codes)
    cost = f"{format_amount(offer.places * offer.reward)} {offer.currency} and fees, without bonuses"
    recruiting.ask(f"Publish {listing} at {service.name}, {offer.places:,} places for {cost}?")
    now = service.publish_study(listing, offer)
    if now != listing:
        recruiting.log_listing(now, listed.codes, listed.url)
    recruiting.tell(f"{service.name}: {now} is published")


def _pause(recruiting: _Recruiting) -> None:
    recruiting.service.pause_study(recruiting.listing)
    recruiting.tell(f"{recruiting.service.name}: {recruiting.listing} is paused; who has begun can go on")


def _resume(recruiting: _Recruiting) -> None:
    recruiting.service.resume_study(recruiting.listing)
    recruiting.tell(f"{recruiting.service.name}: {recruiting.listing} is open again")


def _places(recruiting: _Recruiting) -> None:
    """Add places here first; then the service gets as many as there are here, and one for each screen-out, by
    which its own number has grown. It can be repeated."""
    order, listing, state = recruiting.order, recruiting.listing, recruiting.state
    more = read_number(order.value, "places") if order.value else 0
    if state.places is None:
        raise Problem("the study has no limit of places: set recruiting.places")
    screened_out = sum(row.there == "screened out" for row in recruiting.read_rows())
    places = state.places + more
    _check_budget(state, places)
    recruiting.ask(f"Have {places:,} places at {recruiting.service.name}?")
    if more and not order.dry_run:
        with open_study_log(recruiting.db, recruiting.name) as log:
            log.decide_events(lambda state: AddPlaces(more).take(state, time()))
    try:
        recruiting.service.set_places(listing, places + screened_out)
    except Problem as trouble:
        again = "; here they are added: send them again with places, without a number" if more else ""
        raise Problem(f"{trouble}{again}") from None
    recruiting.tell(f"{recruiting.service.name}: {listing} has {places:,} places")


# People


def _status(recruiting: _Recruiting) -> None:
    """Print both sides; with `every`, also what changes, until interrupted."""
    rows = recruiting.read_rows()
    _print_rows(recruiting.service.name, rows)
    while recruiting.order.every:
        sleep(60 * recruiting.order.every)
        try:
            before, rows = rows, recruiting.read_rows()
        except Problem as trouble:
            print(f"groundling: {trouble}", file=sys.stderr, flush=True)
            continue
        if rows != before:
            _print_rows(recruiting.service.name, rows)


def _print_rows(service: str, rows: list[SubmissionRow]) -> None:
    counts = Counter((row.here, row.there, row.todo) for row in rows)
    lines = [TableRow((here, there, todo), (str(n),)) for (here, there, todo), n in sorted(counts.items())]
    heads = ("here", service, "to do")
    table = TextTable(f"{len(rows)} people", heads, (Column("people"),), tuple(lines))
    print_table(table)
    for row in rows:
        if row.todo and row.person:
            print_text(f"{row.person}: {row.here} here, {row.there} there: {row.todo}", "  ")


def _approve(recruiting: _Recruiting) -> None:
    rows = [row for row in recruiting.read_rows() if row.todo == "approve"]
    if _ask_about(recruiting, rows, "Approve {n} submissions, which pays {cost} in base pay?", "base"):
        ids = [row.submission for row in rows]
        recruiting.service.approve_submissions(recruiting.listing, ids)
        _tell_done(recruiting, f"{len(rows)} submissions are approved")


def _screen_out(recruiting: _Recruiting) -> None:
    rows = [row for row in recruiting.read_rows() if row.todo == "screen out"]
    if _ask_about(recruiting, rows, "Screen out {n} people, which pays {cost}?", "screened out"):
        amount = minor_units(recruiting.state.study.pay.screened_out)
        ids = [row.submission for row in rows]
        recruiting.service.screen_out_submissions(recruiting.listing, ids, amount)
        _tell_done(recruiting, f"{len(rows)} people are screened out")


def _ask_about(recruiting: _Recruiting, rows: list[SubmissionRow], question: str, key: str) -> bool:
    if not rows:
        print_text("there is nobody to do this for")
        return False
    state = fold_study(read_stored_study(recruiting.db, recruiting.name).events)
    cost = sum(state.people[row.person].owed.get(key, 0) for row in rows)
    told = f"{format_amount(cost)} {state.study.pay.currency}"
    recruiting.ask(question.format(n=len(rows), cost=told))
    return True


def _tell_done(recruiting: _Recruiting, told: str) -> None:
    """Bring the log up to what the service has done, and say it."""
    if not recruiting.order.dry_run:
        recruiting.read_rows()
    recruiting.tell(f"{recruiting.service.name}: {told}")


def _return(recruiting: _Recruiting) -> None:
    rows = [row for row in recruiting.read_rows() if row.todo == "ask to return"]
    for row in rows:
        recruiting.service.request_return(row.submission, row.here)
    recruiting.tell(f"{recruiting.service.name}: {len(rows)} people are asked to return their submissions")


def _reject(recruiting: _Recruiting) -> None:
    """Reject the submission of one person whom the study has excluded."""
    person = recruiting.order.value
    row = next((row for row in recruiting.read_rows() if row.person == person), None)
    if row is None or row.here != "excluded" or row.there != "awaiting review":
        raise Problem(
            f"{person or 'nobody'} cannot be rejected: only people whom the study has excluded, and whose "
            "submissions await a review"
        )
    recruiting.ask(f"Reject the submission of {person}, so that they are not paid?")
    recruiting.service.reject_submission(row.submission, recruiting.order.reason)
    _tell_done(recruiting, f"the submission of {person} is rejected")


def _group(recruiting: _Recruiting) -> None:
    """Make a group of people, by a group of the study or of all who took part."""
    state, group = recruiting.state, recruiting.order.value
    if group and group not in state.study.groups:
        raise Problem(f"there is no group {group!r}: {choices_hint(state.study.groups)}")
    ids = read_service_ids(recruiting.db, recruiting.name)
    people = [
        ids[name][recruiting.service.name]
        for name, person in state.people.items()
        if person.consented and (not group or group in person.groups)
        if recruiting.service.name in ids.get(name, {})
    ]
    if not people:
        raise Problem("nobody of the group came through the service: nothing was done")
    made = recruiting.service.add_to_group(f"{recruiting.name} {group}".strip(), people)
    print_text(
        f"{recruiting.service.name}: {made} has {len(people)} people; name it in the options of a study"
    )


_ACTIONS: dict[str, Callable[[_Recruiting], None]] = {
    "create": _create,
    "publish": _publish,
    "pause": _pause,
    "resume": _resume,
    "places": _places,
    "status": _status,
    "approve": _approve,
    "screen-out": _screen_out,
    "return": _return,
    "reject": _reject,
    "group": _group,
}
