"""The options of `groundling make director`, and the strata of samples that follow from them."""

from __future__ import annotations

from itertools import product
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from groundling.boards.shelf import Side
from groundling.core.pack import choices_hint
from groundling.core.values import Problem, Recipe
from groundling.games.director.apportionment import Cells, apportion_cells, apportioned_share
from groundling.games.director.request import Select
from groundling.games.director.rules import Kind, SelectionRule

Distractor: TypeAlias = Literal["strict", "tie", "any"]
SELECTS: dict[SelectionRule, tuple[Select | None, Select | None]] = {
    "none": (None, None),
    "size_related": ("smallest", "largest"),
    "spatial_same_perspective": ("topmost", "bottommost"),
    "spatial_different_perspective": ("leftmost", "rightmost"),
}
RULES = tuple(SELECTS)
ROUNDED = 0.011
"""The tolerance for the sum of shares: thirds are written as 0.33."""
SWEPT = (
    "columns",
    "rows",
    "control",
    "physics",
    "fill",
    "related",
    "related_control",
    "related_test",
    "hidden",
    "panels",
)


class SampleRecipe(Recipe, frozen=True, kw_only=True):
    n: Annotated[int, Meta(description="number of samples; with --sweep, per combination")] = 40
    name: Annotated[
        str,
        Meta(
            description="the set's name: -o is then a folder, "
            "in which NAME gets instances, samples.json and images"
        ),
    ] = ""
    columns: Annotated[int, Meta(ge=2, le=8, description="size of the shelf")] = 4
    rows: Annotated[int, Meta(ge=2, le=8, description="size of the shelf")] = 4
    rules: Annotated[
        str,
        Meta(
            description=f"shares of the selection rules ({', '.join(RULES)}), as RULE=SHARE,…; others get 0"
        ),
    ] = "none=0.25,size_related=0.25,spatial_same_perspective=0.25,spatial_different_perspective=0.25"
    control: Annotated[float, Meta(ge=0, le=1, description="share of control samples; half with twins")] = 0.5
    physics: Annotated[
        float,
        Meta(ge=0, le=1, description="share of requests about how items behave: stackable, sharp, hot…"),
    ] = 0.5
    fill: Annotated[float, Meta(ge=0, le=1, description="share of the cells with an item")] = 0.5
    related_control: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="share of a control's items that fit the request except its rule; unused with twins",
        ),
    ] = 0.4
    related_test: Annotated[
        float, Meta(ge=0, le=1, description="the same for a test, including the target")
    ] = 0.4
    hidden: Annotated[
        float,
        Meta(ge=0, le=1, description="share of a test's related items, without the target, that are hidden"),
    ] = 0.5
    panels: Annotated[
        float, Meta(ge=0, le=1, description="share of the cells that the director cannot see into")
    ] = 0.4
    frames: Annotated[
        Literal["both", "matter"], Meta(description="name the point of view always, or only if it matters")
    ] = "both"
    distractor: Annotated[
        Distractor, Meta(description="in a test the hidden item wins, ties with the target, or either")
    ] = "strict"
    twins: Annotated[
        bool,
        Meta(description="pair each test with a control that differs only in the hidden rival; mirror both"),
    ] = True
    like_reference: Annotated[
        bool,
        Meta(
            description="the reference's unpaired design and counts, ties allowed: no twins, distractor any"
        ),
    ] = False
    sweep: Annotated[
        tuple[str, ...],
        Meta(
            description=f"make one set for each value, as OPTION=VALUE,… ({', '.join(SWEPT)})",
            extra={"repeated": True},
        ),
    ] = ()
    items: Annotated[str, Meta(description="a file of your own items")] = ""
    pictures: Annotated[bool, Meta(description="with --name, also draw every sample")] = True

    def notes(self) -> list[str]:
        """Notes on what the user may not expect of the samples."""
        design = recipe_designs(self)[0]
        left = design.rule_shares().get("none", 0)
        asked_for = self.rules != type(self)().rules
        if design.distractor != "strict" or not left or not asked_for:
            return []
        where = "no sample asks" if design.twins else "no test asks"
        return [
            f"without a superlative every hidden match is a tie, so with --distractor strict {where} without "
            "one: "
            f"the share of rule none ({left:g}) goes to the other rules in proportion; tie and any keep it"
        ]


class SetDesign(Struct, frozen=True):
    """One set of samples: a recipe with all open choices made."""

    recipe: SampleRecipe
    twins: bool
    distractor: Distractor
    name: str = ""
    """The combination of a sweep."""

    def rule_shares(self) -> dict[SelectionRule, float]:
        return _parse_rule_shares(self.recipe.rules)

    def test_rule_shares(self) -> dict[SelectionRule, float]:
        """The shares for tests: without rule none, which can only tie, where the distractor must win."""
        return {
            rule: share
            for rule, share in self.rule_shares().items()
            if rule != "none" or self.distractor != "strict"
        }


class Stratum(Struct, frozen=True):
    """A class of samples with the same kind, rule, physics, frame and selection."""

    kind: Kind
    rule: SelectionRule
    physics: bool
    frame: Side
    select: Select | None

    def __str__(self) -> str:
        what = "physics" if self.physics else "no physics"
        return f"{self.kind}, {self.rule}{f' ({self.select})' if self.select else ''}, {what}"


def recipe_designs(recipe: SampleRecipe) -> list[SetDesign]:
    """Make one design for each combination of the sweep."""
    if recipe.like_reference:
        if recipe.distractor == "tie":
            raise Problem(
                "--like-reference takes ties as they come: leave out --distractor tie, or say --no-twins "
                "instead"
            )
        twins, distractor = False, "any"
    else:
        twins, distractor = recipe.twins, recipe.distractor
    swept = [_parse_sweep(text) for text in recipe.sweep]
    if len({name for name, _ in swept}) < len(swept):
        raise Problem("--sweep names an option twice: give all its values at once, as in fill=0.5,0.9")
    found = []
    for values in product(*(values for _, values in swept)):
        named = dict(zip((name for name, _ in swept), values, strict=True))
        own = _with_values(recipe, named)
        if twins and own.control != 0.5:
            raise Problem(
                f"control is {own.control:g}: with twins it is half, a control for every test; add --no-twins"
            )
        name = " ".join(f"{option}={value}" for option, value in named.items())
        found.append(SetDesign(own, twins, distractor, name))  # type: ignore[arg-type]
    return found


def count_recipe_strata(design: SetDesign) -> list[tuple[Stratum, int]]:
    """Count the samples of each stratum by exact proportions; of twins only tests, which bring controls."""
    recipe, n = design.recipe, design.recipe.n
    if n < 1:
        raise Problem(f"n is {n}: make at least 1")
    if not design.rule_shares():
        raise Problem("every rule has a share of 0: give one of them more")
    kinds: Cells = [(("test",), -(-n // 4))]
    if not design.twins:
        kinds = apportion_cells(
            [((), n)], {"control": recipe.control, "test": 1 - apportioned_share(recipe.control)}
        )
    elif n % 2:
        raise Problem(f"n is {n}: twins come in pairs, make it even or add --no-twins")
    cells: Cells = []
    for key, count in kinds:
        rules = design.test_rule_shares() if key == ("test",) else design.rule_shares()
        if not rules:
            raise Problem(
                "rule none alone has only ties, and --distractor strict wants none: choose tie or any, or "
                "share the rules"
            )
        cells += apportion_cells([(key, count)], rules)
    cells = apportion_cells(cells, {False: 1 - apportioned_share(recipe.physics), True: recipe.physics})
    cells = apportion_cells(cells, {"participant": 0.5, "director": 0.5})
    found: dict[Stratum, int] = {}
    for (kind, rule, physics, frame, number), count in apportion_cells(cells, {0: 0.5, 1: 0.5}):
        heard: Side = (
            frame if recipe.frames == "both" or rule == "spatial_different_perspective" else "participant"
        )
        stratum = Stratum(kind, rule, physics, heard, SELECTS[rule][number])
        found[stratum] = found.get(stratum, 0) + count
    return list(found.items())


def _parse_rule_shares(text: str) -> dict[SelectionRule, float]:
    """Parse RULE=SHARE,… into the shares above 0."""
    found: dict[SelectionRule, float] = {}
    for part in text.split(","):
        name, equals, share = part.strip().partition("=")
        rule = next((rule for rule in RULES if rule == name), None)
        if rule is None:
            raise Problem(f"--rules {text}: there is no rule {name!r}, {choices_hint(RULES)}")
        if rule in found:
            raise Problem(f"--rules {text}: {rule} is named twice")
        found[rule] = _parse_share(f"--rules {text}", share) if equals else 1.0
    if abs(sum(found.values()) - 1) > ROUNDED:
        raise Problem(f"--rules {text}: the shares add up to {sum(found.values()):g}, make it 1")
    return {rule: share for rule, share in found.items() if share}


def _parse_sweep(text: str) -> tuple[str, list[str]]:
    name, _, values = text.partition("=")
    option = name.strip().replace("-", "_")
    found = [value.strip() for value in values.split(",") if value.strip()]
    if option not in SWEPT or not found:
        raise Problem(f"--sweep {text}: write OPTION=VALUE,VALUE, {choices_hint(SWEPT)}")
    if len(set(found)) < len(found):
        raise Problem(f"--sweep {text}: a value is named twice")
    return option, found


def _with_values(recipe: SampleRecipe, named: dict[str, str]) -> SampleRecipe:
    """Return the recipe with these values; `related` stands for both kinds."""
    both = (
        {"related_control": named["related"], "related_test": named["related"]} if "related" in named else {}
    )
    values = {
        **msgspec.to_builtins(recipe),
        **both,
        **{name: value for name, value in named.items() if name != "related"},
    }
    try:
        return msgspec.convert(values, SampleRecipe, strict=False)
    except msgspec.ValidationError as trouble:
        told = str(trouble).partition(" - at")[0]
        raise Problem(
            f"--sweep {' '.join(f'{name}={value}' for name, value in named.items())}: {told.lower()}"
        ) from None


def _parse_share(where: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise Problem(f"{where}: {text!r} is no share, give a number from 0 to 1")
    return value
