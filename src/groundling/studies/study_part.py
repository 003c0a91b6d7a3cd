"""The base class of the parts of a study file, and the types that several parts share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Amount: TypeAlias = Annotated[float, Meta(ge=0)]
Count: TypeAlias = Annotated[int, Meta(ge=1)]
Name: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9_-]*$")]


class StudyPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base class of all parts of a study file. Keys that are not known are mistakes. Logs record defaults
    too, since they may change."""


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
