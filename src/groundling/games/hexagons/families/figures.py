"""Recognisable figures, each composed of a few shapes around `here`."""

from __future__ import annotations

from groundling.games.hexagons.families.sampling import ProgramSampler, join_lines


def _place_below(steps: int) -> str:
    return f"(here down {steps})" if steps else "here"


def sun_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    radius = pen.size(1, 2)
    rays = " ".join(
        f"(here {way} {radius + 2})"
        for way in ("up", "up-right", "down-right", "down", "down-left", "up-left")
    )
    return join_lines(f"paint {a} disc here {radius}", f"paint {b} {rays}")


def cherries_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    stem = pen.size(3, 4)
    return join_lines(
        f"paint {b} line here down-left {stem}",
        f"paint {b} line here down-right {stem}",
        f"paint {a} disc (here down-left {stem} down 1) 1",
        f"paint {a} disc (here down-right {stem} down 1) 1",
    )


def lollipop_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    return join_lines(
        f"paint {a} ring here 2",
        f"paint {b} flower here",
        f"paint {a} here",
        f"paint {c} line (here down 3) down {pen.size(3, 4)}",
    )


def fir_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    top = pen.size(1, 3)
    arms = [
        f"paint {a} line {_place_below(2 * n)} {way} {n + 2}"
        for n in range(top + 1)
        for way in ("down-left", "down-right")
    ]
    return join_lines(
        *arms,
        f"paint {b} line (here down 1) down {2 * top + 2} where white",
        f"paint {pen.one_of(a, b)} here",
    )


def fish_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    side = pen.size(3, 4)
    return join_lines(
        f"paint {b} triangle here down-left 3",
        f"paint {a} rhombus here up-right {side}",
        f"paint {c} (here right {2 * side - 4})",
    )


def kite_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    side = pen.size(3, 4)
    return join_lines(
        f"paint {a} rhombus here up-right {side}",
        f"paint {b} line here right {2 * side - 1}",
        f"paint {c} line (here down-left 1) down-left {pen.between(3, 4)}",
    )


def boat_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    sail = pen.size(3, 5)
    return join_lines(
        f"paint {b} line here up {sail + 1}",
        f"paint {a} triangle (here right 1 up 1) up {sail}",
        f"paint {c} line (here left 3 down 1) right 8",
        f"paint {c} line (here left 2 down 2) right 6",
    )


def flag_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    high, wide = pen.one_of(2, 3), pen.size(4, 6)
    return join_lines(
        f"paint {c} line here up 8",
        f"paint {a} rhombus (here up {7 - high} up-right 1) up {high} x {wide}",
        f"paint {b} line (here up {8 - high} up-right 1) up-right {wide}" if high == 3 else "",
    )


def key_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    shaft = pen.size(5, 8)
    way, tooth = pen.one_of(("down-right", "down"), ("up-right", "up"), ("up-right", "down-right"))
    return join_lines(
        f"paint {a} ring here {pen.one_of(1, 2)}",
        f"paint {b} line (here {way} 2) {way} {shaft}",
        f"paint {b} line (here {way} {shaft + 1}) {tooth} 3",
        f"paint {b} line (here {way} {shaft - 1}) {tooth} {pen.one_of(2, 3)}",
    )


def dumbbell_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    way, length = pen.one_of("down-right", "up-right"), pen.size(4, 7)
    return join_lines(
        f"paint {a} disc here {pen.one_of(1, 1, 2)}",
        f"paint {a} disc (here {way} {length + 3}) 1",
        f"paint {b} line (here {way} 2) {way} {length} where white",
    )


def umbrella_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    size = pen.size(4, 6)
    canopy = [
        f"paint {colour} line {_place_below(n)} {way} {size}"
        for n, colour in enumerate((a, b, a))
        for way in ("down-left", "down-right")
    ]
    return join_lines(
        *canopy, f"paint {c} line (here down 3) down 4", f"paint {c} line (here down 7) up-left 2"
    )


def anchor_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    shaft = pen.size(4, 6)
    return join_lines(
        f"paint {b} flower here",
        f"paint {a} line (here down 2) down {shaft}",
        f"paint {a} line (here down {shaft + 1}) up-left 3",
        f"paint {a} line (here down {shaft + 1}) up-right 3",
        f"paint {a} (here down 3 down-left 1) (here down 3 down-right 1)" if shaft > 4 else "",
    )


def tulip_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    stem = pen.size(3, 5)
    return join_lines(
        f"paint {a} line here up 3",
        f"paint {a} line here up-left 2",
        f"paint {a} line here up-right 2",
        f"paint {a} (here up-left 1 up 1) (here up-right 1 up 1) (here up-left 1 up 2) (here up-right 1 up "
        "2)",
        f"paint {b} line (here down 1) down {stem}",
        f"paint {b} line (here down {stem}) up-left 3",
        f"paint {b} line (here down {stem}) up-right 3" if pen.between(0, 1) else "",
    )


def spectacles_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    glass = pen.one_of("white", c)
    return join_lines(
        f"paint {a} ring here 2",
        f"paint {a} ring (here right 6) 2",
        f"paint {b} (here right 3)",
        f"paint {b} line (here up-left 3) up-left 2",
        f"paint {b} line (here right 6 up-right 3) up-right 2",
        f"paint {glass} disc here 1" if glass != "white" else "",
        f"paint {glass} disc (here right 6) 1" if glass != "white" else "",
    )


def turtle_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    return join_lines(
        f"paint {b} disc here 1",
        f"paint {a} ring here 2",
        f"paint {c} (here up-left 3) (here down-left 3) (here up-right 3) (here down-right 3)",
        f"paint {c} line (here right 3) right {pen.between(1, 2)}",
        f"paint {c} (here left 3)",
    )


def jewel_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    return join_lines(f"paint {a} ring here 2", f"paint {b} rhombus (here up 3 left 2) up-right 3")


def bee_figure(pen: ProgramSampler) -> str:
    a, b, c = pen.colours(3)
    return join_lines(
        f"paint {a} line (here left 2) down 2",
        f"paint {b} line (here left 1 up 1) down 3",
        f"paint {a} line (here up 1) down 4",
        f"paint {b} line (here right 1 up 1) down 3",
        f"paint {a} line (here right 2) down 2",
        f"paint {c} line (here up 2) up-left 3",
        f"paint {c} line (here up 2) up-right 3",
    )


def house_figure(pen: ProgramSampler) -> str:
    return _house_of_width(pen, 3)


def cottage_figure(pen: ProgramSampler) -> str:
    return _house_of_width(pen, 2)


def _house_of_width(pen: ProgramSampler, wide: int) -> str:
    a, b, c = pen.colours(3)
    walls = [f"paint {a} line (here {way} {n}) down 4" for n in range(1, wide) for way in ("left", "right")]
    return join_lines(
        f"paint {a} line here down 4",
        *walls,
        f"paint {b} line (here up {wide - 1}) down-left {wide + 1}",
        f"paint {b} line (here up {wide - 1}) down-right {wide + 1}",
        f"paint {c} line (here down 2) down 2",
    )


def arrow_figure(pen: ProgramSampler) -> str:
    a, b = pen.colours(2)
    length = pen.size(6, 9)
    way, left, right = pen.one_of(
        ("up-right", "down", "up-left"),
        ("down-right", "up", "down-left"),
        ("up-right", "left", "down"),
        ("down-right", "left", "up"),
    )
    return join_lines(
        f"paint {a} line here {way} {length}",
        f"paint {b} line (here {way} {length}) {left} 4",
        f"paint {b} line (here {way} {length}) {right} 4",
    )


FIGURES = (
    sun_figure,
    cherries_figure,
    lollipop_figure,
    fir_figure,
    fish_figure,
    kite_figure,
    boat_figure,
    flag_figure,
    key_figure,
    dumbbell_figure,
    umbrella_figure,
    anchor_figure,
    tulip_figure,
    spectacles_figure,
    turtle_figure,
    jewel_figure,
    bee_figure,
    house_figure,
    cottage_figure,
    arrow_figure,
)
