"""What is found when a run is verified, and the fields of run.toml that are checked."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct

from groundling.runs.scoring import describe_scoring_counts


class Finding(Struct, frozen=True):
    """One problem in a run."""

    path: Path
    message: str
    line: int | None = None
    episode: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: {f'episode {self.episode}: ' if self.episode else ''}{self.message}"


class Verification(Struct):
    """What was found in one run."""

    path: Path
    findings: list[Finding] = []
    notes: list[str] = []
    """What could not be checked, and why; these are no failures."""
    counts: dict[str, int] = {}
    """The number of episodes by status."""
    matching: int = 0
    """Episodes whose checksum is right."""

    def __str__(self) -> str:
        found = f"{len(self.findings)} problem{'' if len(self.findings) == 1 else 's'}"
        if not self.counts:
            return f"{self.path}: the log was not checked; {found}"
        return (
            f"{self.path}: {describe_scoring_counts(self.counts)}; {self.matching} checksums match; {found}"
        )


class CheckedPlan(Struct):
    """The fields of `plan` in run.toml that are checked."""

    game: str
    settings: dict[str, Any]
    instances: str = ""
    selection: str = ""
    """Empty in runs of versions that wrote no digests of instances."""
    seats: dict[str, str] | None = None
    """None in runs that were not played by `groundling play`."""
    seed: int = 0
    repeat: int = 1
    wordings: int = 1
    retries: int = 1
    strict: bool = False


class CheckedGrowth(Struct):
    """One growth of the run: the numbers before and after."""

    at: datetime
    ended: int
    episodes: tuple[int, int]
    instances: tuple[int, int]
    repeat: tuple[int, int]


class CheckedAbout(Struct):
    episodes: int
    plan: CheckedPlan
    erased: list[str] = []
    growth: list[CheckedGrowth] = []

    @property
    def planned_instances(self) -> int:
        return self.episodes // max(self.plan.repeat * self.plan.wordings, 1)
