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
