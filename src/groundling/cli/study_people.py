"""What a researcher decides about a study that runs, and about people whose data is to be deleted."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import Annotated, Any, TypeAlias

import msgspec
from typer import Argument, Option

from groundling.cli.study_commands import DbOption, FolderArgument, study_log_name
from groundling.core.values import Problem
from groundling.report.text_table import print_text
from groundling.studies.researcher_actions import ResearcherAction
from groundling.web.store_url import is_database_url
from groundling.web.studies.study_erasure import (
    REMAINS,
    REMAINS_IN_POSTGRES,
    erase_expired,
    erase_study_person,
)
from groundling.web.study_store import open_study_log, read_stored_study

PersonArgument: TypeAlias = Annotated[str, Argument(metavar="PERSON", help="The person's code.")]
GroupArgument: TypeAlias = Annotated[str, Argument(metavar="GROUP", help="The group of the study.")]


def erase_command(
    folder: FolderArgument,
    person: Annotated[
        str, Argument(metavar="[PERSON]", help="The person's code, or a service's id of them.")
    ] = "",
    expired: Annotated[
        bool, Option("--expired", help="Delete what is kept longer than [privacy] says.")
    ] = False,
    db: DbOption = "groundling.db",
) -> None:
    """Delete a person's ids, answers, messages and part in games, also while a server runs.

    Pay stays under the code. Prints what may remain elsewhere."""
    if bool(person) == expired:
        raise Problem("name a person by their code or by a service's id, or give --expired")
    name = study_log_name(folder)
    read_stored_study(db, name)  # creates nothing where there is no study
    lines = erase_expired(db, name) if expired else erase_study_person(db, person, name).splitlines()
    print("\n".join(lines))
    print("\nWhat remains, and what to do:")
    for line in (*REMAINS, *([REMAINS_IN_POSTGRES] if is_database_url(db) else ())):
        print_text(f"- {line}", "  ")


def decide_in_study(folder: Path, db: str, what: str, **fields: Any) -> None:
    """Take an action of a researcher, and print what was done. Servers that run the study follow it."""
    action: ResearcherAction = msgspec.convert({"do": what, **fields}, ResearcherAction)
    name = study_log_name(folder)
    read_stored_study(db, name)  # creates nothing where there is no study
    with open_study_log(db, name) as log:
        print(log.decide_events(lambda state: action.take(state, time())))


def pause_command(folder: FolderArgument, db: DbOption = "groundling.db") -> None:
    """Take no new people. Those who take part go on."""
    decide_in_study(folder, db, "pause")


def resume_command(folder: FolderArgument, db: DbOption = "groundling.db") -> None:
    """Take new people again."""
    decide_in_study(folder, db, "resume")


def places_command(
    folder: FolderArgument,
    number: Annotated[int, Argument(metavar="N", help="Places to add.")],
    db: DbOption = "groundling.db",
) -> None:
    """Let more people take part."""
    decide_in_study(folder, db, "places", number=number)


def message_command(
    folder: FolderArgument,
    person: Annotated[
        str, Argument(metavar="[PERSON]", help="The person's code; default: all who take part now.")
    ] = "",
    text: Annotated[str, Option(help="What they read on their page.", metavar="TEXT")] = "",
    db: DbOption = "groundling.db",
) -> None:
    """Show a text to a person, or to all who take part now."""
    decide_in_study(folder, db, "message", person=person, text=text)


def qualify_command(
    folder: FolderArgument, person: PersonArgument, group: GroupArgument, db: DbOption = "groundling.db"
) -> None:
    """Take a person into a group."""
    decide_in_study(folder, db, "qualify", person=person, group=group)


def refuse_command(
    folder: FolderArgument, person: PersonArgument, group: GroupArgument, db: DbOption = "groundling.db"
) -> None:
    """Do not take a person into a group."""
    decide_in_study(folder, db, "refuse", person=person, group=group)


def choose_command(folder: FolderArgument, group: GroupArgument, db: DbOption = "groundling.db") -> None:
    """Fill a group that people enter by rank with the best candidates so far."""
    decide_in_study(folder, db, "choose", group=group)


def exclude_command(
    folder: FolderArgument,
    person: PersonArgument,
    reason: Annotated[str, Option(help="Why; it is kept in the log.", metavar="TEXT")] = "",
    db: DbOption = "groundling.db",
) -> None:
    """End a person's participation. Their answers no longer count."""
    decide_in_study(folder, db, "exclude", person=person, reason=reason)


def release_command(folder: FolderArgument, person: PersonArgument, db: DbOption = "groundling.db") -> None:
    """End a person's open task, or their wait for a partner. They get the next task."""
    decide_in_study(folder, db, "release", person=person)
