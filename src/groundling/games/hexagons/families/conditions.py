"""Conditions: keys in an order without a period, and what each kind of key determines."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.games.hexagons.families.sampling import ProgramDraft, ProgramSampler, block, draft_program


def has_condition_period(order: Sequence[str]) -> bool:
    """Whether an order repeats itself or is a palindrome, so that nobody needs the keys to draw it."""
    count = len(order)
    repeats = any(
        all(a == b for a, b in zip(order, order[n:], strict=False)) for n in range(1, count // 2 + 1)
    )
    return repeats or list(order) == list(order)[::-1]


def sample_condition_keys(pen: ProgramSampler, colours: list[str], count: int) -> list[str]:
    while True:
        found = [pen.one_of(*colours) for _ in range(count)]
        if not has_condition_period(found) and all(found.count(colour) > 1 for colour in colours):
            return found


def _space_keys(order: list[str], gap: int) -> str:
    return " ".join(f"{key}{' -' * (gap - 1)}" for key in order)


def draft_conditions_curtain(pen: ProgramSampler) -> ProgramDraft:
    """Bars that hang from keys, which determine their colour and length."""
    a, b, c, d = pen.colours(4)
    gap, count, first = pen.one_of((2, 9, 1), (2, 8, 2), (3, 6, 2))
    order = sample_condition_keys(pen, [a, b], count)
    row, way = pen.one_of((1, "down"), (10, "up"), (2, "down"), (9, "up"))
    one, two = pen.some_of(range(3, 9), 2)
    return draft_program(
        f"paint {_space_keys(order, gap)} line {row},{first} right {gap * (count - 1) + 1}",
        block(f"at board where {a}", f"paint {c} line (here {way} 1) {way} {one}"),
        block(f"at board where {b}", f"paint {d} line (here {way} 1) {way} {two}"),
    )


def draft_conditions_hearts(pen: ProgramSampler) -> ProgramDraft:
    """Flowers in random order whose petals determine the colour of the heart."""
    a, b, c, d = pen.colours(4)
    across, down, right, below = pen.one_of((4, 3, 4, 3), (4, 2, 4, 5), (6, 2, 3, 4), (4, 2, 5, 4))
    order = sample_condition_keys(pen, [a, b], across * down)
    centres = [
        f"{(2 if down == 3 else 3) + below * i},{2 + right * j}" for i in range(down) for j in range(across)
    ]
    return draft_program(
        block(f"at {' '.join(centres)} with c = {' '.join(order)}", "paint c flower here"),
        block(f"at board where touching 6 {a}", f"paint {c} here"),
        block(f"at board where touching 6 {b}", f"paint {d} here"),
    )


def draft_conditions_branches(pen: ProgramSampler) -> ProgramDraft:
    """A stem whose tiles determine the direction of each branch."""
    a, b, c, *more = pen.colours(3, 4)
    order = sample_condition_keys(pen, [a, b], 9)
    while has_condition_period(order[:5]):
        order = sample_condition_keys(pen, [a, b], 9)
    size = pen.size(3, 5)
    stem, one, two = pen.one_of(
        (f"{_space_keys(order[:5], 2)} line 1,{pen.between(7, 12)} down 9", "down-left", "down-right"),
        (f"{_space_keys(order[:5], 2)} line 2,{pen.between(7, 12)} down 9", "up-left", "up-right"),
        (f"{_space_keys(order, 2)} line {pen.between(5, 6)},1 right 17", "up", "down"),
        (f"{_space_keys(order, 2)} line 10,1 up-right 17", "up", "down-right"),
    )
    size = min(size, 4) if two == "down" else size
    return draft_program(
        f"paint {stem}",
        block(f"at board where {a}", f"paint {c} line (here {one} 1) {one} {size}"),
        block(f"at board where {b}", f"paint {more[0] if more else c} line (here {two} 1) {two} {size}"),
    )


def draft_conditions_forms(pen: ProgramSampler) -> ProgramDraft:
    """Keys that determine the shape around them."""
    a, b, c, *more = pen.colours(3, 4)
    across, down, right, below = pen.one_of((4, 2, 4, 5), (4, 3, 4, 3), (5, 2, 4, 4), (4, 3, 5, 3))
    order = sample_condition_keys(pen, [a, b], across * down)
    centres = [
        f"{(2 if down == 3 else 3) + below * i},{2 + right * j}" for i in range(down) for j in range(across)
    ]
    one, two = pen.one_of(
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
    return draft_program(
        block(f"at {' '.join(centres)} with c = {' '.join(order)}", "paint c here"),
        block(f"at board where {a}", f"paint {c} {one}"),
        block(f"at board where {b}", f"paint {more[0] if more else c} {two}"),
        parts=len(order),
    )


def draft_conditions_slope(pen: ProgramSampler) -> ProgramDraft:
    """Keys along a diagonal that determine the colour of a line from each to the edge."""
    a, b, c, d = pen.colours(4)
    start, way, out = pen.one_of(
        ("1,1", "down-right", "down"),
        ("1,1", "down-right", "up"),
        ("10,1", "up-right", "down"),
        ("10,1", "up-right", "up"),
        ("1,2", "down", "down-right"),
        ("1,3", "down", "up-right"),
    )
    order = sample_condition_keys(pen, [a, b], 5 if way == "down" else 9)
    return draft_program(
        f"paint {_space_keys(order, 2)} line {start} {way} until edge",
        block(f"at board where {a}", f"paint {c} line (here {out} 1) {out} until edge"),
        block(f"at board where {b}", f"paint {d} line (here {out} 1) {out} until edge"),
    )


def draft_conditions_pennants(pen: ProgramSampler) -> ProgramDraft:
    """Keys on a line that determine the shape that hangs from each."""
    a, b, c, d, e = pen.colours(5)
    order = sample_condition_keys(pen, [a, b], 5)
    row = pen.between(1, 3)
    one, two = pen.one_of(
        ("triangle (here down 1) down 3", "line (here down 1) down 4"),
        ("disc (here down 2) 1", "line (here down 1) down 3"),
        ("flower (here down 2)", "disc (here down 2) 1"),
        ("line (here down 1) down 5", "(here down 2)"),
        ("line (here down 1) down 2", "line (here down 1) down 6"),
    )
    return draft_program(
        f"paint {e} row {row}",
        block(f"at {row},2", f"paint {_space_keys(order, 4)} line here right 17"),
        block(f"at board where {a}", f"paint {c} {one}"),
        block(f"at board where {b}", f"paint {d} {two}"),
    )


IDEAS = (
    draft_conditions_curtain,
    draft_conditions_hearts,
    draft_conditions_branches,
    draft_conditions_forms,
    draft_conditions_slope,
    draft_conditions_pennants,
)
