"""Conditions: keys in an order without a period, and what each kind of key determines."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.games.hexagons.families.sampling import (
    ProgramDraft,
    ProgramSampler,
    indent_sampled_block,
    join_sampled_statements,
)


def has_condition_period(order: Sequence[str]) -> bool:
    """Whether an order repeats itself or is a palindrome, so that one could draw it without looking at the
    keys."""
    count = len(order)
    repeats = any(
        all(a == b for a, b in zip(order, order[n:], strict=False)) for n in range(1, count // 2 + 1)
    )
    return repeats or list(order) == list(order)[::-1]


def sample_condition_keys(pen: ProgramSampler, colours: list[str], count: int) -> list[str]:
    while True:
        found = [pen.sample_one(*colours) for _ in range(count)]
        if not has_condition_period(found) and all(found.count(colour) > 1 for colour in colours):
            return found


def _space_keys(order: list[str], gap: int) -> str:
    return " ".join(f"{key}{' -' * (gap - 1)}" for key in order)


def draft_conditions_curtain(pen: ProgramSampler) -> ProgramDraft:
    """Bars that hang from keys, which determine their colour and length."""
    a, b, c, d = pen.sample_colours(4)
    gap, count, first = pen.sample_one((2, 9, 1), (2, 8, 2), (3, 6, 2))
    order = sample_condition_keys(pen, [a, b], count)
    row, way = pen.sample_one((1, "down"), (10, "up"), (2, "down"), (9, "up"))
    one, two = pen.choose_some(range(3, 9), 2)
    return ProgramDraft(
        join_sampled_statements(
            f"paint {_space_keys(order, gap)} line {row},{first} right {gap * (count - 1) + 1}",
            indent_sampled_block(f"at board where {a}", f"paint {c} line (here {way} 1) {way} {one}"),
            indent_sampled_block(f"at board where {b}", f"paint {d} line (here {way} 1) {way} {two}"),
        )
    )


def draft_conditions_hearts(pen: ProgramSampler) -> ProgramDraft:
    """Flowers in random order whose petals determine the colour of the heart."""
    a, b, c, d = pen.sample_colours(4)
    across, down, right, below = pen.sample_one((4, 3, 4, 3), (4, 2, 4, 5), (6, 2, 3, 4), (4, 2, 5, 4))
    order = sample_condition_keys(pen, [a, b], across * down)
    centres = [
        f"{(2 if down == 3 else 3) + below * i},{2 + right * j}" for i in range(down) for j in range(across)
    ]
    return ProgramDraft(
        join_sampled_statements(
            indent_sampled_block(f"at {' '.join(centres)} with c = {' '.join(order)}", "paint c flower here"),
            indent_sampled_block(f"at board where touching 6 {a}", f"paint {c} here"),
            indent_sampled_block(f"at board where touching 6 {b}", f"paint {d} here"),
        )
    )


def draft_conditions_branches(pen: ProgramSampler) -> ProgramDraft:
    """A stem whose tiles determine the direction of each branch."""
    a, b, c, *more = pen.sample_colours(3, 4)
    order = sample_condition_keys(pen, [a, b], 9)
    while has_condition_period(order[:5]):
        order = sample_condition_keys(pen, [a, b], 9)
    size = pen.sample_size(3, 5)
    stem, one, two = pen.sample_one(
        (f"{_space_keys(order[:5], 2)} line 1,{pen.sample_between(7, 12)} down 9", "down-left", "down-right"),
        (f"{_space_keys(order[:5], 2)} line 2,{pen.sample_between(7, 12)} down 9", "up-left", "up-right"),
        (f"{_space_keys(order, 2)} line {pen.sample_between(5, 6)},1 right 17", "up", "down"),
        (f"{_space_keys(order, 2)} line 10,1 up-right 17", "up", "down-right"),
    )
    size = min(size, 4) if two == "down" else size
    return ProgramDraft(
        join_sampled_statements(
            f"paint {stem}",
            indent_sampled_block(f"at board where {a}", f"paint {c} line (here {one} 1) {one} {size}"),
            indent_sampled_block(
                f"at board where {b}", f"paint {more[0] if more else c} line (here {two} 1) {two} {size}"
            ),
        )
    )


def draft_conditions_forms(pen: ProgramSampler) -> ProgramDraft:
    """Keys that determine the shape around them."""
    a, b, c, *more = pen.sample_colours(3, 4)
    across, down, right, below = pen.sample_one((4, 2, 4, 5), (4, 3, 4, 3), (5, 2, 4, 4), (4, 3, 5, 3))
    order = sample_condition_keys(pen, [a, b], across * down)
    centres = [
        f"{(2 if down == 3 else 3) + below * i},{2 + right * j}" for i in range(down) for j in range(across)
    ]
    one, two = pen.sample_one(
        ("flower here", "(here up 1) (here down 1)"),
        (
            "(here up-left 1) (here up-right 1) (here down 1)",
            "(here down-left 1) (here down-right 1) (here up 1)",
        ),
        ("(here up-left 1) (here down-right 1)", "(here up-right 1) (here down-left 1)"),
        ("flower here", "(here left 1) (here right 1)"),
        ("(here up 1) (here down 1)", "(here up-left 1) (here up-right 1)"),
        ("flower here", "(here up-left 1) (here up-right 1) (here down 1)"),
    )
    return ProgramDraft(
        join_sampled_statements(
            indent_sampled_block(f"at {' '.join(centres)} with c = {' '.join(order)}", "paint c here"),
            indent_sampled_block(f"at board where {a}", f"paint {c} {one}"),
            indent_sampled_block(f"at board where {b}", f"paint {more[0] if more else c} {two}"),
        ),
        parts=len(order),
    )


def draft_conditions_slope(pen: ProgramSampler) -> ProgramDraft:
    """Keys along a diagonal that determine the colour of a line from each to the edge."""
    a, b, c, d = pen.sample_colours(4)
    start, way, out = pen.sample_one(
        ("1,1", "down-right", "down"),
        ("1,1", "down-right", "up"),
        ("10,1", "up-right", "down"),
        ("10,1", "up-right", "up"),
        ("1,2", "down", "down-right"),
        ("1,3", "down", "up-right"),
    )
    order = sample_condition_keys(pen, [a, b], 5 if way == "down" else 9)
    return ProgramDraft(
        join_sampled_statements(
            f"paint {_space_keys(order, 2)} line {start} {way} until edge",
            indent_sampled_block(f"at board where {a}", f"paint {c} line (here {out} 1) {out} until edge"),
            indent_sampled_block(f"at board where {b}", f"paint {d} line (here {out} 1) {out} until edge"),
        )
    )


def draft_conditions_pennants(pen: ProgramSampler) -> ProgramDraft:
    """Keys on a line that determine the shape that hangs from each."""
    a, b, c, d, e = pen.sample_colours(5)
    order = sample_condition_keys(pen, [a, b], 5)
    row = pen.sample_between(1, 3)
    one, two = pen.sample_one(
        ("triangle (here down 1) down 3", "line (here down 1) down 4"),
        ("disc (here down 2) 1", "line (here down 1) down 3"),
        ("flower (here down 2)", "disc (here down 2) 1"),
        ("line (here down 1) down 5", "(here down 2)"),
        ("line (here down 1) down 2", "line (here down 1) down 6"),
    )
    return ProgramDraft(
        join_sampled_statements(
            f"paint {e} row {row}",
            indent_sampled_block(f"at {row},2", f"paint {_space_keys(order, 4)} line here right 17"),
            indent_sampled_block(f"at board where {a}", f"paint {c} {one}"),
            indent_sampled_block(f"at board where {b}", f"paint {d} {two}"),
        )
    )


IDEAS = (
    draft_conditions_curtain,
    draft_conditions_hearts,
    draft_conditions_branches,
    draft_conditions_forms,
    draft_conditions_slope,
    draft_conditions_pennants,
)
