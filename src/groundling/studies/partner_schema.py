"""What a study file says about partners that are the conditions of a stage."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from groundling.studies.study_part import Amount, StudyPart


class ReplyPace(StudyPart, frozen=True):
    """How long a program takes for a reply, so that it is not known by its speed."""

    seconds: Annotated[Amount, Meta(description="median time to read and think")] = 8.0
    spread: Annotated[Amount, Meta(description="standard deviation of its logarithm")] = 0.5
    a_character: Annotated[Amount, Meta(description="seconds to type a character")] = 0.15
    most: Annotated[Amount, Meta(description="seconds of a reply at most")] = 45.0


class PartnerCondition(StudyPart, frozen=True):
    """A condition that is a partner: who takes the seats that differ from the task's."""

    seats: Annotated[dict[str, str], Meta(description='by role: "person", or a player')]
    published: Annotated[
        str, Meta(description="the figure of a paper that is printed beside the result, with its split")
    ] = ""
