"""The narrator's open wordings, which authors of executors may read. `narrator_heldout.py` has others for the
same keys."""

from __future__ import annotations

WORDINGS: dict[str, tuple[str, ...]] = {
    # Where
    "place": (
        "the {nth} tile in the {mth} column",
        "the {nth} tile of column {column}",
        "the {third} tile from the top in the {fifth} column from the left",
        "the {from_bottom} tile from the bottom in the {mth} column",
        "the {nth} tile from the top in the {from_right} column from the right",
        "row {row}, column {column}",
    ),
    "way up": ("straight up", "upwards"),
    "way down": ("straight down", "downwards"),
    "way up-right": ("diagonally up and to the right", "up-right", "towards the upper right"),
    "way up-left": ("diagonally up and to the left", "up-left", "towards the upper left"),
    "way down-right": ("diagonally down and to the right", "down-right", "towards the lower right"),
    "way down-left": ("diagonally down and to the left", "down-left", "towards the lower left"),
    "way right": ("to the right along the row", "to the right, one tile a column, staying in the same row"),
    "way left": ("to the left along the row", "to the left, one tile a column, staying in the same row"),
    "every 2": ("every other tile", "every second tile"),
    "every 3": ("every third tile",),
    "every 4": ("every fourth tile",),
    # Tiles
    "tile": (
        "Paint {place} {colour}",
        "Color {place} {colour}",
        "In the {mth} column, paint the {nth} tile {colour}",
        "In column {column}, color the {nth} tile from the top {colour}",
        "Make {place} {colour}",
    ),
    "tiles": (
        "In the {mth} column, paint the {ordinals} tiles {colour}",
        "In column {column}, color tiles {numbers} {colour}",
        "Paint the {ordinals} tiles of the {mth} column {colour}",
        "In the {from_right} column from the right, paint the {ordinals} tiles from the top {colour}",
    ),
    "tile below": (
        "Paint the tile below it {colour}",
        "Paint the next tile down {colour}",
        "Color the tile directly below {colour}",
    ),
    "scattered": ("Paint these tiles {colour}: {places}", "Color the following tiles {colour}: {places}"),
    # Lines
    "upright line": (
        "In the {mth} column, paint tiles {first} to {last} {colour}",
        "Starting at {place}, paint a vertical line of {count} {colour} tiles going {way}",
        "In column {column}, color the {first_nth} through {last_nth} tiles {colour}",
        "Paint a {colour} line of {four} tiles from {place} {way}",
    ),
    "slanting line": (
        "Starting at {place}, paint a diagonal line of {count} {colour} tiles going {way}",
        "Draw a {colour} diagonal line from {place} to {end}",
        "From {place}, paint {four} tiles {colour} going {way}",
    ),
    "level line": (
        "Paint the {nth} tile of each column from the {first_nth} to the {last_nth} {colour}",
        "In row {row}, paint the tiles in columns {first} to {last} {colour}",
        "Starting at {place}, paint {count} tiles {colour} going {way}",
    ),
    "column": (
        "Paint the whole {mth} column {colour}",
        "Color all tiles of column {column} {colour}",
        "Fill the {from_right} column from the right with {colour}",
    ),
    "row": (
        "Paint the {nth} tile of every column {colour}",
        "Paint the whole {nth} row {colour}",
        "Color all of row {row} {colour}",
    ),
    "dotted": (
        "Starting at {place} and going {way}, paint {every} {colour}, {count} tiles in all",
        "Going {way} from {place}, color {every} {colour} until there are {four} of them",
    ),
    "alternating": (
        "Starting at {place} and going {way}, paint {count} tiles, alternating {colours}",
        "Paint a line of {four} tiles from {place} going {way}, alternating between {colours}",
    ),
    "alternating spaced": (
        "Starting at {place} and going {way}, paint {every}, {count} tiles in all, alternating {colours}",
    ),
    "sequence": (
        "Starting at {place} and going {way}, paint {count} tiles in this order: {colours}",
        "Going {way} from {place}, color the tiles in the following order: {colours}",
    ),
    "sequence spaced": (
        "Starting at {place} and going {way}, paint {every} in this order: {colours}",
        "Going {way} from {place}, color {every} in the following order: {colours}",
    ),
    # Objects
    "flower": (
        "Paint the six tiles around {place} {colour}, leaving that tile itself as it is",
        "Make a {colour} flower with its center at {place}, without painting the center",
        "Color all tiles adjacent to {place} {colour}",
    ),
    "dot": (
        "Paint {place} and all six tiles around it {colour}",
        "Make a solid {colour} flower with its center at {place}, center included",
    ),
    "ring": (
        "Paint a {colour} ring of radius {radius} around {place}: all tiles that are exactly {two} steps "
        "away from it",
        "Make a {colour} hexagon outline with its center at {place} and a radius of {radius}",
    ),
    "disc": (
        "Paint a solid {colour} hexagon of radius {radius} around {place}: all tiles at most {two} steps "
        "away from it",
        "Make a filled {colour} hexagon with its center at {place} and a radius of {radius}",
    ),
    "triangle": (
        "Paint a solid {colour} triangle that points {facing}, with its tip at {place} and {side} tiles on "
        "each side",
        "Make a filled {colour} triangle with sides of {three} tiles, whose {facing} corner is {place}",
    ),
    "triangle outline": (
        "Paint the outline of a {colour} triangle that points {facing}, with its tip at {place} and {side} "
        "tiles on each side",
        "Make a hollow {colour} triangle with sides of {three} tiles, whose {facing} corner is {place}",
    ),
    "rhombus": (
        "Paint a solid {colour} diamond with {side} tiles on each side, whose left corner is {place}",
        "Make a filled {colour} rhombus with sides of {three} tiles and its left tip at {place}",
    ),
    "rhombus outline": (
        "Paint the outline of a {colour} diamond with {side} tiles on each side, whose left corner is "
        "{place}",
        "Make a hollow {colour} rhombus with sides of {three} tiles and its left tip at {place}",
    ),
    # What was just drawn
    "what one": ("this", "what you just painted"),
    "what steps": ("what you painted in the last {three} steps", "the shape from the last {steps} steps"),
    "what all": ("the whole pattern so far", "everything you have painted so far"),
    "what row": ("this whole row", "all of these together"),
    # Copies
    "offset right": ("{steps} columns to the right",),
    "offset left": ("{steps} columns to the left",),
    "offset up": ("{steps} tiles up",),
    "offset down": ("{steps} tiles down",),
    "offset up-right": ("{steps} tiles diagonally up-right",),
    "offset up-left": ("{steps} tiles diagonally up-left",),
    "offset down-right": ("{steps} tiles diagonally down-right",),
    "offset down-left": ("{steps} tiles diagonally down-left",),
    "repeat": (
        "Repeat {what} {three} more times, each time {offset}",
        "Make {more} more copies of {what}, each {offset} from the last, so that there are {total} in all",
    ),
    "repeat once": ("Repeat {what} once more, {offset}", "Make one more copy of {what}, {offset}"),
    "repeat until": (
        "Keep repeating {what}, each time {offset}, for as long as the copy fits on the board",
        "Repeat {what} again and again, each time {offset}, until the next copy would run off the board",
    ),
    "again": ("Draw {what} {three} more times, so that what lies on {place} comes to lie on {places}",),
    "again once": ("Draw {what} once more, so that what lies on {place} comes to lie on {places}",),
    "so that": ("What lies on {place} comes to lie on {places}", "Each copy moves {place} to {places}"),
    "cycle": (
        "The copies take turns in color: {colours}",
        "Alternate the colors {colours} from copy to copy",
    ),
    "cycles": ("The colors change from copy to copy: {cycles}",),
    "instead": ("what is {first} in the first one goes through {colours}",),
    "shifted colours": (
        "Move the colors on by one each time",
        "Each time the colors start one later in their order",
    ),
    "longer": (
        "Repeat this line {three} more times, each time {offset} and {grows} tile longer, always going {way}",
        "Add {more} more such lines, each {offset} from the last and longer by {grows}, all going {way}",
    ),
    # Symmetry
    "rotate": (
        "Rotate {what} about {centre} by {degrees} degrees, again and again, until there are {six} copies "
        "all the way around",
        "Copy {what} {times} times around {centre}, turned by {degrees} degrees each",
    ),
    "half turn": ("Copy {what} upside down: turned by 180 degrees about the middle of the board",),
    "mirror": ("Mirror {what} across {axis}", "Reflect {what} over {axis}, keeping both halves"),
    "axis vertical": ("the vertical line through the {mth} column", "the vertical axis through {centre}"),
    "axis horizontal": ("the horizontal line through {centre}", "the horizontal axis through {centre}"),
    "axis rising": ("the diagonal line through {centre} that rises to the right",),
    "axis falling": ("the diagonal line through {centre} that falls to the right",),
    "axis steep-rising": ("the steep line through {centre} that rises to the right",),
    "axis steep-falling": ("the steep line through {centre} that falls to the right",),
    # Growth
    "layers": (
        "Surround all this with a layer one tile wide, then that with another, {three} layers in all, in the "
        "colors {colours}",
        "Add {times} rings around it, one outside the other, from the inside out in {colours}",
    ),
    "growth": (
        "Now {three} times over, paint every white tile that touches {touched}; the colors are {colours}",
        "Let it grow {times} times: each time find all white tiles that touch {touched} and paint them; the "
        "colors are {colours}, in this order",
    ),
    "touched one": ("exactly one painted tile",),
    "touched one or three": ("exactly one or exactly three painted tiles",),
    "spiral": (
        "From the end of that line turn {degrees} degrees {side} and paint another line, {grows}, and go on "
        "like this until there are {total} lines",
        "Continue as a spiral: at the end of each line turn {degrees} degrees {side} and draw the next one, "
        "{grows}; {total} lines in all",
    ),
    "each longer": ("each {steps} tiles longer than the one before (corner tiles belong to both lines)",),
    "every third longer": (
        "with every third line one tile longer than those before (corner tiles belong to both lines)",
    ),
    "spiral colours": ("The lines alternate between {colours}; each corner has the later color",),
    "spiral thirds": (
        "After every three lines the color changes: {colours}; each corner has the later color",
    ),
    # Conditions
    "line until": ("Starting at {place}, paint a {colour} line going {way}, {far}",),
    "dotted line until": ("Starting at {place} and going {way}, paint every other tile {colour}, {far}",),
    "alternating line until": (
        "Starting at {place} and going {way}, paint a line that alternates between {colours}, {far}",
    ),
    "as far": ("In every copy, whatever went on until it was stopped goes on anew as far as it can",),
    "always": ("{colour} every time",),
    "columns": ("Paint every {parity}-numbered column {colour}", "Color all {parity} columns {colour}"),
    "rows": ("Paint every {parity}-numbered row {colour}", "Color all tiles in {parity} rows {colour}"),
    "for each": ("For {which}: {deeds}", "At {which}, {deeds}"),
    "each tile": ("every {colour} tile", "each tile that is {colour}"),
    "each tile column": ("every {colour} tile in an {parity} column",),
    "each tile row": ("every {colour} tile in an {parity} row",),
    "each heart": ("every tile with {colour} tiles all around it", "the center of each {colour} flower"),
    "each of column": ("every tile of the {mth} column that is in an {parity} row",),
    "each of row": ("every tile of the {nth} row that is in an {parity} column",),
    "each white of row": ("every white tile of the {nth} row that is in an {parity} column",),
    "paint it": ("paint it {colour}", "make it {colour}"),
    "paint around it": ("paint the six tiles around it {colour}",),
    "paint near it": ("paint {spots} {colour}",),
    "spot up": ("the tile above it",),
    "spot down": ("the tile below it",),
    "spot up-right": ("the tile to its upper right",),
    "spot up-left": ("the tile to its upper left",),
    "spot down-right": ("the tile to its lower right",),
    "spot down-left": ("the tile to its lower left",),
    "spot right": ("the tile right of it in the same row",),
    "spot left": ("the tile left of it in the same row",),
    "further": ("the tile {two} steps {way} from it",),
    "line from it": ("draw a {colour} line {way} from the tile next to it, {far}",),
    "line with it": ("draw a {colour} line {way} that starts with it, {far}",),
    "dotted line from it": (
        "paint every other tile {way} {colour}, beginning with the one next to it, {far}",
    ),
    "dotted line with it": ("paint every other tile {way} {colour}, beginning with it, {far}",),
    "alternating line from it": (
        "draw a line {way} from the tile next to it that alternates between {colours}, {far}",
    ),
    "alternating line with it": (
        "draw a line {way} that starts with it and alternates between {colours}, {far}",
    ),
    "far": ("{count} tiles long",),
    "far edge": ("as far as the edge of the board",),
    "far painted": ("until it meets a painted tile or the edge of the board",),
    "far colour": ("until it meets a {colour} tile or the edge of the board",),
}
