"""Scores replies exactly as clembench's own code does, with its patterns, arithmetic and quirks (see
quirks.py).

A game that is not over after the last reply has no scores; replies after its end are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import nan
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

Scores: TypeAlias = dict[str, float]
T = TypeVar("T")
Mode: TypeAlias = Literal["strict", "liberal"]

EMPTY = "▢"
LABELS = ("first", "second", "third")
LENGTH, TOKENS = "Generated Expression Length", "Generated Expression Number of Tokens"
CHANGED = "Changed Cell Count"
LIKENESS = ("Precision", "Recall", "F1")
AVERAGES = {
    "Average Changed Cell Count": CHANGED,
    "Average Generated Instruction Length": LENGTH,
    "Average Generated Expression Number of Tokens": TOKENS,
}


class NoScores(ValueError):  # noqa: N818 - public name
    """clembench has no scores for these replies: its scorer fails on them, or the game is not over."""


class Reference(Struct, frozen=True, kw_only=True):
    """The part of a reference game instance on which scores depend. Fields that v0.9 and v1.0 lack are those
    of English v1.6."""

    target_grid_name: tuple[str, ...] | str
    player_1_response_pattern: str = (
        r"^(?P<tag>expression:\s*)(?P<content>(?P<response>.+)\n*(?P<remainder>(.|\n)*))"
    )
    player_2_response_pattern: str = (
        r"^(?P<tag>answer:\s*)(?P<content>(?P<response>first|second|third|1|2|3).*\n*(?P<remainder>(.|\n)*))"
    )
    p1_mode: Mode = "strict"
    p2_mode: Mode = "strict"

    @property
    def labels(self) -> tuple[str, ...]:
        """The accepted names of the correct answer."""
        name = self.target_grid_name
        if not isinstance(name, str):
            return name
        return (name, str(LABELS.index(name) + 1)) if name in LABELS else (name,)


class Image(Struct, frozen=True, kw_only=True):
    """The same part of an image game instance. v0.9 and v1.0 are read as v1.6 with their own tag."""

    target_grid: str
    grid_dimension: Annotated[int, Meta(ge=1)]
    player_1_response_pattern: str = r"^instruction: [^\n]+$"
    player_1_terminate_pattern: str = r"^\s*instruction\s*:\s*done\s*$"
    player_2_response_pattern: str | None = None

    @property
    def grid_pattern(self) -> str:
        row = rf"([A-Z{EMPTY}]\s){{{self.grid_dimension - 1}}}[A-Z{EMPTY}]"
        return self.player_2_response_pattern or rf"^\n*{row}(\n{row}){{{self.grid_dimension - 1}}}\n*$"


def replay(game: str, instance: Mapping[str, Any], replies: Iterable[str]) -> tuple[list[Scores], Scores]:
    """Return the scores of each turn and of the episode under clembench's names, NaN where it has none.
    `instance` is one of its instances, `replies` are the players' texts in order. Raise NoScores if it has no
    scores at all."""
    heard = iter(replies)
    if game == "referencegame":
        return _reference(_read(instance, Reference, "reference"), heard)
    if game == "imagegame":
        return _image(_read(instance, Image, "image"), heard)
    raise ValueError(f"there is no bridge to clembench's {game!r}: choose from imagegame, referencegame")


def _read(instance: Mapping[str, Any], kind: type[T], game: str) -> T:
    try:
        return msgspec.convert(instance, kind)
    except msgspec.ValidationError as trouble:
        raise ValueError(f"this is not an instance of clembench's {game} game: {trouble}") from None


def _pattern(text: str, flags: re.RegexFlag, *groups: str) -> re.Pattern[str]:
    try:
        found = re.compile(text, flags)
    except re.error as trouble:
        raise ValueError(f"the response pattern {text!r} is no regular expression: {trouble}") from None
    if lost := set(groups) - set(found.groupindex):
        raise ValueError(f"the response pattern {text!r} has no group {sorted(lost)[0]!r}")
    return found


def _next(replies: Iterator[str]) -> str:
    for text in replies:
        return text
    raise NoScores("the replies end before the game does: give all of them")


def _reference(instance: Reference, replies: Iterator[str]) -> tuple[list[Scores], Scores]:
    giver = _pattern(instance.player_1_response_pattern, re.IGNORECASE, "remainder")
    follower = _pattern(instance.player_2_response_pattern, re.IGNORECASE, "response", "remainder")
    expression = _next(replies)
    if _passes(giver, instance.p1_mode, expression) is None:
        lengths = {LENGTH: nan, TOKENS: nan}
        return [lengths], lengths | _outcome(aborted_at=1)
    lengths = _lengths(expression)
    answer = _passes(follower, instance.p2_mode, _next(replies))
    if answer is None:
        return [lengths], lengths | _outcome(aborted_at=2)
    return [lengths], lengths | _outcome(success=answer["response"].lower() in instance.labels)


def _passes(pattern: re.Pattern[str], mode: Mode, text: str) -> re.Match[str] | None:
    found = pattern.match(text)
    return found if found and (mode == "liberal" or found["remainder"] == "") else None


def _outcome(*, success: bool = False, aborted_at: int = 0) -> Scores:
    won = nan if aborted_at else float(success)
    return {
        "Aborted at Player 1": float(aborted_at == 1),
        "Aborted at Player 2": float(aborted_at == 2),
        "Aborted": float(aborted_at > 0),
        "Success": won,
        "Lose": 1 - won,
        "Main Score": 100 * won,
    }


def _lengths(text: str) -> Scores:
    return {LENGTH: float(len(text)), TOKENS: float(len(text.split(" ")))}


def _image(instance: Image, replies: Iterator[str]) -> tuple[list[Scores], Scores]:
    said_well = _pattern(instance.player_1_response_pattern, re.IGNORECASE)
    done = _pattern(instance.player_1_terminate_pattern, re.IGNORECASE)
    drawn_well = _pattern(instance.grid_pattern, re.NOFLAG)
    turns: list[Scores] = []
    likeness = (0.0, 0.0, 0.0)
    before = "\n".join([" ".join(EMPTY * 5)] * 5)
    for _ in range(2 * instance.grid_dimension**2):
        said = _next(replies)
        if done.match(said):
            break
        if not said_well.match(said):
            return turns, _aborted_image()
        drawn = _next(replies)
        if not drawn_well.match(drawn):
            return turns, _aborted_image()
        likeness = _likeness(instance.target_grid, drawn) or likeness
        lengths = _lengths(said.split("\n")[0].replace("Instruction:", "").strip())
        turns.append(
            lengths | dict(zip(LIKENESS, likeness, strict=True)) | {CHANGED: _changed(before, drawn)}
        )
        before = drawn
    if not turns:
        raise NoScores("the first reply is DONE: clembench's scorer fails on a game without a turn")
    success = float(likeness[2] >= 99)
    means = {name: round(sum(turn[of] for turn in turns) / len(turns), 4) for name, of in AVERAGES.items()}
    return turns, _image_scores(likeness, means, success, 1 - success, 0.0)


def _aborted_image() -> Scores:
    return _image_scores((nan, nan, nan), dict.fromkeys(AVERAGES, nan), 0.0, 0.0, 1.0)


def _image_scores(
    likeness: tuple[float, ...], means: Scores, success: float, lose: float, aborted: float
) -> Scores:
    main = dict(zip(LIKENESS, likeness, strict=True)) | {"Main Score": likeness[2]}
    return main | means | {"Success": success, "Lose": lose, "Aborted": aborted}


def _cells(grid: str) -> list[list[str]]:
    return [row.split(" ") for row in grid.lower().strip().split("\n")]


def _stumbles(first: list[list[str]], second: list[list[str]]) -> bool:
    """Whether the first grid has a cell that the second lacks, on which clembench's loops fail."""
    return len(second) < len(first) or any(len(b) < len(a) for a, b in zip(first, second, strict=False))


def _pairs(first: list[list[str]], second: list[list[str]]) -> list[tuple[str, str]]:
    return [pair for a, b in zip(first, second, strict=False) for pair in zip(a, b, strict=False)]


def _likeness(target: str, drawn: str) -> tuple[float, float, float] | None:
    """Return precision, recall and F1 in whole per cents; None where clembench's scorer fails, which keeps
    those of the previous turn."""
    wanted, found = _cells(target), _cells(drawn)
    if (len(wanted), len(wanted[0])) != (len(found), len(found[0])):
        return 0.0, 0.0, 0.0
    if _stumbles(wanted, found):
        return None
    pairs = _pairs(wanted, found)
    in_target, in_drawing = (sum(pair[side] != EMPTY for pair in pairs) for side in (0, 1))
    both = sum(a == b != EMPTY for a, b in pairs)
    if not in_target or not in_drawing:
        return None
    precision, recall = round(both / in_drawing, 4), round(both / in_target, 4)
    f1 = round(2 * precision * recall / (precision + recall), 4) if precision and recall else 0.0
    return round(100 * precision, 0), round(100 * recall, 0), round(100 * f1, 0)


def _changed(before: str, drawn: str) -> float:
    old, new = _cells(before), _cells(drawn)
    return 0.0 if _stumbles(old, new) else float(sum(a != b for a, b in _pairs(old, new)))
