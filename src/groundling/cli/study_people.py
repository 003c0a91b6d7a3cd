"""What a researcher decides about a study that runs, from the command line."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import Any

import msgspec

from groundling.cli.study_commands import study_log_name
from groundling.studies.researcher_actions import ResearcherAction, take_action
from groundling.web.study_store import open_study_log, read_stored_study


def decide_in_study(folder: Path, db: str, what: str, **fields: Any) -> None:
    """Take an action of a researcher, and print what was done. Servers that run the study follow it."""
    action: ResearcherAction = msgspec.convert({"do": what, **fields}, ResearcherAction)
    name = study_log_name(folder)
    read_stored_study(db, name)  # creates nothing where there is no study
    with open_study_log(db, name) as log:
        print(log.decide_events(lambda state: take_action(state, action, time())))
