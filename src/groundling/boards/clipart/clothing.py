"""Clip art of hats and glasses. At the size of a person, hats fit the head and glasses the eyes."""

from __future__ import annotations

from groundling.boards.clipart.paint import (
    BLACK,
    BLUE,
    BRICK,
    BROWN,
    CREAM,
    GLASS,
    NAVY,
    ORANGE,
    PLUM,
    RED,
    SLATE,
    STEEL,
    TEAL,
    VIOLET,
    WHITE,
    YELLOW,
)
from groundling.boards.clipart.parts import (
    ClipartDrawing,
    clipart_gloss,
    clipart_line,
    clipart_shade,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_rotated_group,
    svg_shape,
)


def draw_star_cap() -> str:
    return (
        svg_shape("M44 33C56 32 70 36 76 44C64 45 50 44 40 41Z", NAVY)
        + svg_shape("M3 37C2 16 16 4 33 4C51 4 61 16 61 34Q34 46 3 37Z", BLUE)
        + clipart_line("M33 4C24 12 20 26 22 40", 1.5, NAVY)
        + svg_disc(33, 4, 2.5, NAVY)
        + svg_shape(
            "M43 12L46 19L54 19.5L48 24.5L50 32L43 28L37 32L38.5 24.5L33 19.5L40.5 19Z",
            WHITE,
            'stroke-width="1.4"',
        )
    )


def draw_crown() -> str:
    upright = (
        svg_shape("M5 46L1 14L17 26L24 6L35 24L47 6L53 26L69 14L65 46Z", YELLOW)
        + svg_shape("M5 40H65V50H5Z", ORANGE)
        + svg_flat_group(
            *(svg_disc(x, 45, 3, TEAL) for x in (14, 35, 56)),
            *(svg_disc(x, 45, 2.4, RED) for x in (24.5, 45.5)),
        )
        + "".join(svg_disc(x, y, 3, RED) for x, y in ((2, 13), (24, 6), (47, 6), (68, 13)))
        + clipart_gloss("M8 38L6 22L14 29L13 38Z")
    )
    return svg_rotated_group(-14, 35, 29, f'<g transform="translate(3.5 3) scale(.9)">{upright}</g>')


def draw_chef_hat() -> str:
    return (
        svg_shape(
            "M20 46C6 46 1 36 3 27C5 17 15 12 23 15C28 4 40 2 47 4"
            "C58 0 68 6 70 15C80 13 88 21 87 30C87 40 80 46 71 46L70 56H20Z",
            WHITE,
        )
        + clipart_line("M32 46C33 36 31 30 28 25M46 46V26M58 46C57 36 60 30 63 25", 1.8, SLATE)
        + svg_shape("M18 52Q45 46 73 52L72 71Q45 77 19 71Z", CREAM)
        + clipart_shade("M62 49L73 52L72 71L61 74Z")
    )


def draw_pirate_hat() -> str:
    return (
        svg_shape(
            "M3 26C14 26 20 14 30 7Q45 -2 60 7C70 14 76 26 87 26C86 34 84 38 82 40Q45 30 8 40C6 38 4 34 3 26"
            "Z",
            BLACK,
        )
        + clipart_line("M8 39Q45 29 82 39", 3, YELLOW)
        + svg_shape("M72 30C64 20 66 8 78 2C82 12 84 22 76 31Z", RED, 'stroke-width="1.6"')
        + clipart_line("M77 6Q73 18 74 30", 1.4)
        + clipart_line("M34 18L56 29M56 18L34 29", 3.5, WHITE)
        + svg_flat_group(svg_shape("M37 14C37 2 53 2 53 14C53 19 50 20 50 25H40C40 20 37 19 37 14Z", WHITE))
        + svg_flat_group(
            svg_disc(41.5, 14, 2.7, BLACK),
            svg_disc(48.5, 14, 2.7, BLACK),
            svg_shape("M45 17L46.5 20H43.5Z", BLACK),
        )
    )


def draw_winter_hat() -> str:
    return (
        svg_shape("M6 36C6 18 18 10 34 10C52 10 63 20 64 34Q36 44 6 36Z", TEAL)
        + clipart_line("M17 18L20 36M28 12L30 37M40 11V37M51 15L49 36", 2, CREAM)
        + svg_shape("M4 33Q35 40 65 31Q69 33 68 42Q36 53 5 46Q1 40 4 33Z", RED)
        + clipart_line("M15 37L14 47M26 38V49M37 39L38 49M48 37L50 47M58 35L60 44", 1.5, BRICK)
        + svg_disc(33, 9, 7.5, CREAM)
        + clipart_shade("M39 6A7.5 7.5 0 0 1 28 15Q36 15 39 6Z")
    )


def draw_propeller_cap() -> str:
    return (
        svg_shape("M2 37C3 19 16 11 33 11V37Z", RED)
        + svg_shape("M33 11C50 11 63 19 64 37H33Z", TEAL)
        + svg_shape("M14 37C15 20 24 12 33 11C42 12 51 20 52 37Z", YELLOW)
        + svg_shape("M25 37C26 22 29 14 33 11C37 14 40 22 41 37Z", BLUE)
        + svg_shape("M2 33Q33 38 64 33V38Q33 41 2 38Z", NAVY, 'stroke-width="1.4"')
        + clipart_line("M33 11V6", 2.5)
        + svg_shape(
            "M33 6C24 0 12 0 10 4C9 8 22 9 33 6ZM33 6C42 12 54 11 56 7C57 3 44 2 33 6Z",
            ORANGE,
            'stroke-width="1.5"',
        )
        + svg_flat_group(svg_disc(33, 6, 2.4, BLACK))
    )


def draw_wizard_hat() -> str:
    return (
        svg_oval(46, 64, 42, 10, PLUM)
        + svg_shape(
            "M17 62C24 44 26 34 22 26C18 16 10 12 3 3C22 4 44 10 52 22C62 36 66 50 73 61Q46 72 17 62Z", VIOLET
        )
        + svg_shape("M18 58Q46 68 71 56L74 62Q46 73 16 63Z", YELLOW)
        + svg_flat_group(
            svg_shape("M38 22L40 27L45 27.5L41 31L42.5 36L38 33L33.5 36L35 31L31 27.5L36 27Z", YELLOW),
            svg_shape("M52 38L53.5 42L58 42.5L54.5 45L56 49L52 47L48 49L49.5 45L46 42.5L50.5 42Z", YELLOW),
            svg_disc(34, 48, 2.5, YELLOW),
            svg_disc(27, 15, 2, YELLOW),
        )
    )


def draw_viking_helmet() -> str:
    return (
        svg_shape("M14 34C2 28 0 12 8 2C10 14 16 18 24 20ZM62 34C74 28 76 12 68 2C66 14 60 18 52 20Z", CREAM)
        + clipart_line("M5 18L11 16M9 26L16 22M71 18L65 16M67 26L60 22", 1.5, BROWN)
        + svg_shape("M12 42C10 20 24 10 38 10C52 10 66 20 64 42Z", STEEL)
        + svg_shape("M40 10H49L51 42H41Z", ORANGE)
        + svg_shape("M8 38H68V49H8Z", ORANGE)
        + svg_flat_group(*(svg_disc(x, 43.5, 2.2, CREAM) for x in (15, 27, 39, 50, 62)))
        + clipart_gloss("M18 36C18 24 24 18 32 14V36Z")
    )


def draw_glasses() -> str:
    return (
        clipart_line("M2 8L20 10", 2.5, BRICK)
        + f'<g fill="{GLASS}" fill-opacity=".6" stroke="{BRICK}" stroke-width="3">'
        '<circle cx="29" cy="11" r="9"/>'
        '<circle cx="51" cy="11" r="9"/></g>'
        + clipart_line("M38 10Q40 7 42 10", 3, BRICK)
        + clipart_line("M25 12L30 7M47 12L52 7", 1.5, WHITE)
    )


def draw_clipart_sunglasses() -> str:
    return (
        clipart_line("M2 3.5H18", 3.5, BLACK)
        + svg_shape("M18 2.5H39Q40 14 29 14Q18 14 18 2.5ZM42 2.5H60Q61 14 51 14Q42 14 42 2.5Z", BLACK)
        + clipart_line("M18 3.5H60", 3, BLACK)
        + clipart_gloss("M21 5H28L23 9ZM45 5H51L47 9Z", 0.55)
    )


DRAWINGS = {
    "star cap": ClipartDrawing(78, 46, draw_star_cap),
    "crown": ClipartDrawing(70, 54, draw_crown, 1.8),
    "chef hat": ClipartDrawing(90, 76, draw_chef_hat),
    "pirate hat": ClipartDrawing(90, 42, draw_pirate_hat),
    "winter hat": ClipartDrawing(70, 50, draw_winter_hat),
    "propeller cap": ClipartDrawing(66, 40, draw_propeller_cap, 1.8),
    "wizard hat": ClipartDrawing(90, 76, draw_wizard_hat),
    "viking helmet": ClipartDrawing(76, 52, draw_viking_helmet),
    "glasses": ClipartDrawing(62, 22, draw_glasses),
    "sunglasses": ClipartDrawing(62, 16, draw_clipart_sunglasses, 1.5),
}
