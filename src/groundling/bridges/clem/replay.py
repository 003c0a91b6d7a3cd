"""Scores replies exactly as clembench's own code does, with its patterns, arithmetic and quirks (listed in
docs/bridges.md).

A game that is not over after the last reply has no scores; replies after its end are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import nan
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

ClemScores: TypeAlias = dict[str, float]
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


class ClemReferenceInstance(Struct, frozen=True, kw_only=True):
    """What scores of a reference game depend on; fields that v0.9 and v1.0 lack are those of English v1.6."""

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
    def answer_labels(self) -> tuple[str, ...]:
        """The accepted names of the correct answer."""
        name = self.target_grid_name
        if not isinstance(name, str):
            return name
        return (name, str(LABELS.index(name) + 1)) if name in LABELS else (name,)


class ClemImageInstance(Struct, frozen=True, kw_only=True):
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


def replay(
    game: str, instance: Mapping[str, Any], replies: Iterable[str]
) -> tuple[list[ClemScores], ClemScores]:
    """Return the scores of each turn and of the episode under clembench's names, NaN where it has none.
    `instance` is one of its instances, `replies` are the players' texts in order. Raise NoScores if it has no
    scores at all."""
    heard = iter(replies)
    if game == "referencegame":
        return _score_reference(_convert_instance(instance, ClemReferenceInstance, "reference"), heard)
    if game == "imagegame":
        return _score_image(_convert_instance(instance, ClemImageInstance, "image"), heard)
    raise ValueError(f"there is no bridge to clembench's {game!r}: choose from imagegame, referencegame")


def _convert_instance(instance: Mapping[str, Any], kind: type[T], game: str) -> T:
    try:
        return msgspec.convert(instance, kind)
    except msgspec.ValidationError as trouble:
        raise ValueError(f"this is not an instance of clembench's {game} game: {trouble}") from None


def _compile_pattern(text: str, flags: re.RegexFlag, *groups: str) -> re.Pattern[str]:
    try:
        found = re.compile(text, flags)
    except re.error as trouble:
        raise ValueError(f"the response pattern {text!r} is no regular expression: {trouble}") from None
    if lost := set(groups) - set(found.groupindex):
        raise ValueError(f"the response pattern {text!r} has no group {sorted(lost)[0]!r}")
    return found


def _next_reply(replies: Iterator[str]) -> str:
    for text in replies:
        return text
    raise NoScores("the replies end before the game does: give all of them")


def _score_reference(
    instance: ClemReferenceInstance, replies: Iterator[str]
) -> tuple[list[ClemScores], ClemScores]:
    giver = _compile_pattern(instance.player_1_response_pattern, re.IGNORECASE, "remainder")
    follower = _compile_pattern(instance.player_2_response_pattern, re.IGNORECASE, "response", "remainder")
    expression = _next_reply(replies)
    if _match_reply(giver, instance.p1_mode, expression) is None:
        lengths = {LENGTH: nan, TOKENS: nan}
        return [lengths], lengths | _reference_outcome(aborted_at=1)
    lengths = _text_lengths(expression)
    answer = _match_reply(follower, instance.p2_mode, _next_reply(replies))
    if answer is None:
        return [lengths], lengths | _reference_outcome(aborted_at=2)
    return [lengths], lengths | _reference_outcome(
        success=answer["response"].lower() in instance.answer_labels
    )


def _match_reply(pattern: re.Pattern[str], mode: Mode, text: str) -> re.Match[str] | None:
    found = pattern.match(text)
    return found if found and (mode == "liberal" or found["remainder"] == "") else None


def _reference_outcome(*, success: bool = False, aborted_at: int = 0) -> ClemScores:
    won = nan if aborted_at else float(success)
    return {
        "Aborted at Player 1": float(aborted_at == 1),
        "Aborted at Player 2": float(aborted_at == 2),
        "Aborted": float(aborted_at > 0),
        "Success": won,
        "Lose": 1 - won,
        "Main Score": 100 * won,
    }


def _text_lengths(text: str) -> ClemScores:
    return {LENGTH: float(len(text)), TOKENS: float(len(text.split(" ")))}


def _score_image(instance: ClemImageInstance, replies: Iterator[str]) -> tuple[list[ClemScores], ClemScores]:
    said_well = _compile_pattern(instance.player_1_response_pattern, re.IGNORECASE)
    done = _compile_pattern(instance.player_1_terminate_pattern, re.IGNORECASE)
    drawn_well = _compile_pattern(instance.grid_pattern, re.NOFLAG)
    turns: list[ClemScores] = []
    likeness = (0.0, 0.0, 0.0)
    before = "\n".join([" ".join(EMPTY * 5)] * 5)
    for _ in range(2 * instance.grid_dimension**2):
        said = _next_reply(replies)
        if done.match(said):
            break
        if not said_well.match(said):
            return turns, _aborted_image()
        drawn = _next_reply(replies)
        if not drawn_well.match(drawn):
            return turns, _aborted_image()
        likeness = _grid_likeness(instance.target_grid, drawn) or likeness
        lengths = _text_lengths(said.split("\n")[0].replace("Instruction:", "").strip())
        turns.append(
            lengths
            | dict(zip(LIKENESS, likeness, strict=True))
            | {CHANGED: _count_changed_cells(before, drawn)}
        )
        before = drawn
    if not turns:
        raise NoScores("the first reply is DONE: clembench's scorer fails on a game without a turn")
    success = float(likeness[2] >= 99)
    means = {name: round(sum(turn[of] for turn in turns) / len(turns), 4) for name, of in AVERAGES.items()}
    return turns, _image_scores(likeness, means, success, 1 - success, 0.0)


def _aborted_image() -> ClemScores:
    return _image_scores((nan, nan, nan), dict.fromkeys(AVERAGES, nan), 0.0, 0.0, 1.0)


def _image_scores(
    likeness: tuple[float, ...], means: ClemScores, success: float, lose: float, aborted: float
) -> ClemScores:
    main = dict(zip(LIKENESS, likeness, strict=True)) | {"Main Score": likeness[2]}
    return main | means | {"Success": success, "Lose": lose, "Aborted": aborted}


def _grid_cells(grid: str) -> list[list[str]]:
    return [row.split(" ") for row in grid.lower().strip().split("\n")]


def _is_cell_missing(first: list[list[str]], second: list[list[str]]) -> bool:
    """Whether the first grid has a cell that the second lacks, on which clembench's loops fail."""
    return len(second) < len(first) or any(len(b) < len(a) for a, b in zip(first, second, strict=False))


def _cell_pairs(first: list[list[str]], second: list[list[str]]) -> list[tuple[str, str]]:
    return [pair for a, b in zip(first, second, strict=False) for pair in zip(a, b, strict=False)]


def _grid_likeness(target: str, drawn: str) -> tuple[float, float, float] | None:
    """Return precision, recall and F1 in per cent; None where its scorer fails and keeps earlier ones."""
    wanted, found = _grid_cells(target), _grid_cells(drawn)
    if (len(wanted), len(wanted[0])) != (len(found), len(found[0])):
        return 0.0, 0.0, 0.0
    if _is_cell_missing(wanted, found):
        return None
    pairs = _cell_pairs(wanted, found)
    in_target, in_drawing = (sum(pair[side] != EMPTY for pair in pairs) for side in (0, 1))
    both = sum(a == b != EMPTY for a, b in pairs)
    if not in_target or not in_drawing:
        return None
    precision, recall = round(both / in_drawing, 4), round(both / in_target, 4)
    f1 = round(2 * precision * recall / (precision + recall), 4) if precision and recall else 0.0
    return round(100 * precision, 0), round(100 * recall, 0), round(100 * f1, 0)


def _count_changed_cells(before: str, drawn: str) -> float:
    old, new = _grid_cells(before), _grid_cells(drawn)
    return 0.0 if _is_cell_missing(old, new) else float(sum(a != b for a, b in _cell_pairs(old, new)))
