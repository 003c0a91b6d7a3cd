"""Clip art of animals. Unflipped, they all look to the right."""

from __future__ import annotations

from groundling.boards.clipart.paint import (
    BARK,
    BLACK,
    BRICK,
    BROWN,
    CREAM,
    LEAF,
    ORANGE,
    PINE,
    PINK,
    RED,
    STEEL,
    TAN,
    WHITE,
    YELLOW,
)
from groundling.boards.clipart.parts import (
    ClipartDrawing,
    clipart_line,
    clipart_tube,
    draw_clipart_eyes,
    svg_disc,
    svg_flat_group,
    svg_oval,
    svg_shape,
)

_SANDY = "#e6c694"


def draw_bear() -> str:
    return (
        svg_shape("M62 108C40 96 22 76 14 36C8 22 18 12 30 14C42 16 46 26 44 38C50 60 62 76 78 84Z", BROWN)
        + svg_shape(
            "M118 108C140 96 156 76 164 36C170 22 160 12 148 14C136 16 132 26 134 38C128 60 118 76 102 84Z",
            BROWN,
        )
        + svg_shape(
            "M10 24L4 10L17 16ZM21 15L20 2L31 14ZM35 17L42 6L43 23Z"
            "M136 22L135 6L145 16ZM148 14L157 2L158 15ZM163 18L174 11L168 26Z",
            CREAM,
        )
        + svg_oval(30, 32, 9, 10, TAN)
        + svg_oval(150, 32, 9, 10, TAN)
        + svg_shape(
            "M46 220C40 238 28 240 26 248Q25 256 36 256H74Q84 256 82 240Z"
            "M132 220C138 238 150 240 152 248Q153 256 142 256H104Q94 256 96 240Z",
            BARK,
        )
        + svg_shape(
            "M56 96C36 130 32 190 42 232Q58 246 82 240L89 222L96 240Q120 246 136 232C146 190 144 130 122 96Z",
            BROWN,
        )
        + svg_shape("M66 122C54 150 54 196 70 214Q88 222 106 214C124 196 124 150 112 122Q90 110 66 122Z", TAN)
        + svg_disc(56, 44, 11, BROWN)
        + svg_disc(118, 40, 11, BROWN)
        + svg_flat_group(svg_disc(56, 44, 5, TAN), svg_disc(118, 40, 5, TAN))
        + svg_shape(
            "M46 74C46 50 66 36 90 36C114 36 130 50 130 74C132 98 116 116 92 116C66 116 46 98 46 74Z", BROWN
        )
        + svg_shape("M78 84C80 66 132 64 136 82C138 100 122 112 104 111C88 110 76 100 78 84Z", TAN)
        + svg_shape("M88 90Q108 98 128 88Q126 108 108 108Q92 106 88 90Z", BRICK)
        + svg_shape("M92 92L97 100L102 94ZM114 94L119 99L123 90Z", WHITE, 'stroke-width="1"')
        + svg_flat_group(svg_oval(108, 104, 8, 3.5, PINK))
        + svg_oval(118, 74, 9, 6, BLACK)
        + draw_clipart_eyes((78, 62), (104, 60), r=7)
        + clipart_line("M66 50L84 55M98 53L114 48", 4)
    )


def draw_cat() -> str:
    return (
        clipart_tube("M16 70C4 66 2 48 8 38Q12 30 16 34", 6, ORANGE)
        + svg_shape("M14 76C10 56 18 42 32 40C48 40 56 56 54 78Q34 82 14 76Z", ORANGE)
        + svg_shape("M32 50C40 50 44 62 42 78Q34 80 27 78C25 64 26 52 32 50Z", CREAM, 'stroke="none"')
        + clipart_line("M33 66V79M43 66V78M16 56L23 58M15 64L22 65", 1.8)
        + svg_shape("M18 20L19 3L33 12Q40 11 47 12L58 3L60 22C62 38 52 46 40 46C26 46 16 36 18 20Z", ORANGE)
        + svg_flat_group(
            svg_shape("M22 15L22 8L28 12ZM55 14L55 9L50 12Z", PINK), svg_oval(43, 36, 10, 7, CREAM)
        )
        + clipart_line("M34 13L35 19M40 12V18M46 13L45 19", 1.8, BRICK)
        + draw_clipart_eyes((33, 27), (50, 27), r=4.6)
        + svg_flat_group(svg_shape("M40 33H47L43.5 37Z", BRICK))
        + clipart_line("M43.5 37V39Q39 43 36 39M43.5 39Q48 43 51 39", 1.4)
        + clipart_line("M28 36L17 34M28 39L18 42M57 35L61 33", 1)
    )


def draw_dog() -> str:
    return (
        clipart_tube("M16 46C4 36 4 18 12 8", 7, TAN)
        + clipart_tube("M32 64V98M104 66L106 98", 11, BROWN)
        + svg_shape(
            "M12 52C14 38 40 40 62 42C80 42 92 34 104 40C116 48 116 66 106 74C90 82 56 72 36 76"
            "C18 76 10 66 12 52Z",
            TAN,
        )
        + svg_shape("M44 41C56 38 74 42 84 40C80 54 66 60 54 56C46 52 42 46 44 41Z", BROWN, 'stroke="none"')
        + clipart_tube("M22 66L18 98M88 68L90 98", 11, TAN)
        + clipart_tube("M30 100H37M105 100H112M16 100H24M89 100H97", 6, CREAM, 2.5)
        + svg_shape(
            "M88 30C88 10 104 2 118 6C128 8 130 16 131 22C138 22 141 28 140 33C138 42 126 44 116 44"
            "C100 46 88 42 88 30Z",
            TAN,
        )
        + svg_shape(
            "M120 26C128 20 140 22 140 32C138 42 126 44 118 43Q114 32 120 26Z", CREAM, 'stroke="none"'
        )
        + svg_oval(136, 25, 5, 4, BLACK)
        + clipart_line("M138 34Q130 40 122 36", 2)
        + svg_shape("M94 10C82 10 78 28 82 42Q90 48 97 38C100 28 102 16 94 10Z", BROWN)
        + draw_clipart_eyes((116, 18), r=5)
        + clipart_line("M90 46Q100 56 114 47", 5, RED)
        + svg_disc(104, 55, 4, YELLOW)
    )


def draw_duck() -> str:
    return (
        clipart_tube("M30 56V66M42 56V66", 2, ORANGE, 2)
        + svg_shape("M22 70L30 64L38 70ZM35 70L43 64L51 70Z", ORANGE, 'stroke-width="1.5"')
        + svg_shape("M42 34C44 28 42 22 44 16L60 22C58 30 60 36 58 44Z", PINE)
        + svg_shape("M2 22C8 30 20 30 34 30C44 30 56 28 60 36C64 50 52 60 36 60C18 60 4 50 2 22Z", STEEL)
        + svg_shape("M44 31C54 29 62 34 60 44C58 54 50 58 42 59C52 50 50 40 44 31Z", BROWN)
        + svg_shape("M8 32C20 34 34 36 44 38C40 52 22 54 12 44Q8 38 8 32Z", CREAM)
        + clipart_line("M18 42Q26 46 34 42", 1.5)
        + clipart_line("M44 27Q52 32 59 29", 4, WHITE)
        + svg_shape("M64 10Q75 13 75 18Q71 23 60 20Z", YELLOW)
        + svg_disc(54, 13, 10.5, PINE)
        + clipart_line("M66 17L73 18.5", 1.2)
        + draw_clipart_eyes((57, 11), r=4)
    )


def draw_owl() -> str:
    return (
        svg_shape("M4 8L14 11Q24 7 34 11L42 6Q44 16 41 24C46 44 38 60 24 60C10 60 2 44 6 24Q3 16 4 8Z", BROWN)
        + svg_shape("M20 30C34 28 38 40 34 54Q26 60 20 55C14 46 14 34 20 30Z", _SANDY)
        + clipart_line("M20 40L23 43L26 40L29 43L32 40M21 47L24 50L27 47L30 50", 1.5, BARK)
        + svg_shape("M6 27C1 38 4 50 12 55C18 46 16 34 6 27Z", BARK)
        + draw_clipart_eyes((19, 20), (34, 20), r=7.2)
        + svg_shape("M25 24L30 24L28 31Z", ORANGE, 'stroke-width="1.2"')
        + clipart_line("M18 61V64M23 61V64M28 61V64M33 60V63", 2.5, ORANGE)
    )


def draw_snake() -> str:
    bends = (
        ("M6 38C9 48 14 53 20 53", 4),
        ("M20 53C32 52 28 34 40 32", 7),
        ("M40 32C54 30 48 62 62 62C80 62 86 40 76 32C70 24 76 13 88 13", 10),
    )
    return (
        "".join(clipart_line(d, width + 3) for d, width in bends)
        + "".join(clipart_line(d, width, LEAF) for d, width in bends)
        + clipart_line(
            "M13 51L16 47M28 46L24 42M42 36L44 29M53 48L47 49M63 66L63 58M80 55L74 51M79 37L73 40M74 25"
            "L68 22",
            3,
            YELLOW,
        )
        + svg_shape("M78 18C74 8 84 2 93 4C102 6 104 14 99 19C93 25 82 26 78 18Z", LEAF)
        + clipart_line("M98 18L102 24M98 18L95 25", 1.8, RED)
        + draw_clipart_eyes((89, 10), r=4.4)
    )


DRAWINGS = {
    "bear": ClipartDrawing(178, 258, draw_bear, 2.5),
    "cat": ClipartDrawing(62, 82, draw_cat),
    "dog": ClipartDrawing(142, 106, draw_dog),
    "duck": ClipartDrawing(76, 72, draw_duck),
    "owl": ClipartDrawing(46, 66, draw_owl, 1.8),
    "snake": ClipartDrawing(104, 70, draw_snake),
}
