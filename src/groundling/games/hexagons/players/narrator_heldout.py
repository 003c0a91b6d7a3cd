"""Held-out wordings, to measure how well an executor understands sentences that it was not written for. They
cover the same keys as `narrator_open.py`. Do not read them when you write the parser or another executor that
reads English."""

from __future__ import annotations

WORDINGS: dict[str, tuple[str, ...]] = {
    # Where
    "place": (
        "the {nth} hexagon from the top of the {mth} column from the left",
        "column {column}, row {row}",
        "the {third} hex down in column {column}",
        "tile {row} in column {column}",
        "the {nth} tile from the top in the {mth} column",
        "the {from_bottom} hexagon up from the bottom of the {from_right} column from the right",
    ),
    "way up": ("up", "vertically upward"),
    "way down": ("down", "vertically downward"),
    "way up-right": ("up and right", "in the upper-right direction", "diagonally up-right"),
    "way up-left": ("up and left", "in the upper-left direction", "diagonally up-left"),
    "way down-right": ("down and right", "in the lower-right direction", "diagonally down-right"),
    "way down-left": ("down and left", "in the lower-left direction", "diagonally down-left"),
    "way right": ("rightward in the same row", "to the right in that row"),
    "way left": ("leftward in the same row", "to the left in that row"),
    "every 2": ("every other hexagon", "each second tile"),
    "every 3": ("every third hexagon",),
    "every 4": ("every fourth hexagon",),
    # Tiles
    "tile": (
        "Fill {place} with {colour}",
        "Use {colour} for {place}",
        "In column {column}, make the {nth} hexagon {colour}",
        "Count to the {mth} column and fill in the {third} tile with {colour}",
        "Put {colour} on {place}",
    ),
    "tiles": (
        "In column {column}, fill the {ordinals} hexagons with {colour}",
        "Column {column}: make tiles {numbers} {colour}",
        "Use {colour} to fill in the {ordinals} tiles from the top of the {mth} column",
        "Color the {ordinals} hexes in the {fifth} column from the left {colour}",
    ),
    "tile below": (
        "Fill in the hexagon right under that one with {colour}",
        "Make the tile beneath it {colour}",
        "Then go one tile down and paint that {colour}",
    ),
    "scattered": ("Make each of these tiles {colour}: {places}", "Fill {places} with {colour}"),
    # Lines
    "upright line": (
        "Fill in tiles {first} through {last} of column {column} with {colour}",
        "In the {mth} column from the left, make the {first_nth} to {last_nth} hexagons {colour}",
        "Begin with {place} and color {four} tiles in a row {colour}, moving {way}",
        "Draw a vertical {colour} line that is {count} tiles long and starts from {place}, going {way}",
    ),
    "slanting line": (
        "Make a {colour} diagonal that is {count} hexagons long, beginning on {place} and running {way}",
        "Connect {place} and {end} with a straight {colour} line",
        "Begin at {place} and move {way}, coloring {four} hexagons {colour}",
    ),
    "level line": (
        "Fill in the {nth} hexagon of columns {first} through {last} with {colour}",
        "In the {nth} row, color everything from column {first} to column {last} {colour}",
        "Begin with {place} and color {count} tiles {colour}, moving {way}",
    ),
    "column": (
        "Fill in the entire {mth} column with {colour}",
        "Make every hexagon in column {column} {colour}",
        "The {mth} column from the left should be all {colour}",
    ),
    "row": (
        "Fill in the entire {nth} row with {colour}",
        "In every column, make the {nth} hexagon {colour}",
        "Make row {row} {colour} from end to end",
    ),
    "dotted": (
        "From {place}, moving {way}, fill {every} with {colour} for a total of {count}",
        "Make {count} {colour} tiles by coloring {every} from {place} on, moving {way}",
    ),
    "alternating": (
        "Color {count} tiles from {place} on, moving {way}, and switch between {colours}",
        "Make a line that is {count} hexagons long, beginning on {place} and running {way}, with colors "
        "alternating {colours}",
    ),
    "alternating spaced": (
        "From {place}, moving {way}, color {every} for a total of {count}, switching between {colours}",
    ),
    "sequence": (
        "Beginning with {place} and moving {way}, the colors of the tiles are {colours}",
        "From {place} on, moving {way}, use these colors one after the other: {colours}",
    ),
    "sequence spaced": (
        "Beginning with {place} and moving {way}, color {every} with these colors one after the other: "
        "{colours}",
    ),
    # Objects
    "flower": (
        "Draw a {colour} flower around {place}, keeping the middle unpainted",
        "Surround {place} with six {colour} hexagons",
        "Fill every tile that touches {place} with {colour}, but not that tile itself",
    ),
    "dot": (
        "Fill {place} with {colour}, and the six hexagons that touch it as well",
        "Draw a {colour} flower whose middle, {place}, is {colour} too",
    ),
    "ring": (
        "Draw a {colour} circle of radius {radius} around {place}, one tile thick, and leave its inside "
        "alone",
        "Make {colour} all the hexagons whose distance from {place} is exactly {radius}",
    ),
    "disc": (
        "Draw a full {colour} circle of radius {radius} around {place}",
        "Make {colour} all the hexagons whose distance from {place} is {radius} or less",
    ),
    "triangle": (
        "Draw a full {colour} triangle pointing to the {facing}; its tip is {place} and its sides are {side} "
        "tiles long",
        "Fill a triangle with {colour} that has {three} tiles a side and the corner on its {facing} at "
        "{place}",
    ),
    "triangle outline": (
        "Draw an empty {colour} triangle pointing to the {facing}; its tip is {place} and its sides are "
        "{side} tiles long",
        "Draw just the border of a triangle in {colour} that has {three} tiles a side and the corner on its "
        "{facing} at {place}",
    ),
    "rhombus": (
        "Draw a full {colour} rhombus lying on its side; its leftmost tile is {place} and its sides are "
        "{side} tiles long",
        "Fill a diamond with {colour} that has {three} tiles a side and its leftmost corner at {place}",
    ),
    "rhombus outline": (
        "Draw an empty {colour} rhombus lying on its side; its leftmost tile is {place} and its sides are "
        "{side} tiles long",
        "Draw just the border of a diamond in {colour} that has {three} tiles a side and its leftmost corner "
        "at {place}",
    ),
    # What was just drawn
    "what one": ("that", "the shape you just drew"),
    "what steps": (
        "the result of the previous {steps} steps",
        "the figure drawn in the previous {three} steps",
    ),
    "what all": ("all that is on the board", "the entire drawing"),
    "what row": ("the entire row of copies", "that whole group"),
    # Copies
    "offset right": ("{steps} columns further right",),
    "offset left": ("{steps} columns further left",),
    "offset up": ("{steps} hexagons higher",),
    "offset down": ("{steps} hexagons lower",),
    "offset up-right": ("{steps} hexagons further in the upper-right direction",),
    "offset up-left": ("{steps} hexagons further in the upper-left direction",),
    "offset down-right": ("{steps} hexagons further in the lower-right direction",),
    "offset down-left": ("{steps} hexagons further in the lower-left direction",),
    "repeat": (
        "Duplicate {what} {more} times, moving {offset} for every copy",
        "There should be {total} of these: draw {what} {three} more times, always {offset}",
    ),
    "repeat once": ("Draw {what} again, {offset}", "Duplicate {what} one time, {offset}"),
    "repeat until": (
        "Duplicate {what} until you run out of room, moving {offset} for every copy",
        "As long as there is room for it, draw {what} again {offset}",
    ),
    "again": ("Duplicate {what} {three} times: the copies have on {places} what the first has on {place}",),
    "again once": ("Duplicate {what} one time: the copy has on {places} what the first has on {place}",),
    "so that": ("The copies have on {places} what the first has on {place}",),
    "cycle": (
        "Use {colours} in turn, starting over after the last",
        "From one copy to the next switch colors: {colours}",
    ),
    "cycles": ("Switch colors from one copy to the next: {cycles}",),
    "instead": ("where the first has {first}, use {colours} in turn",),
    "shifted colours": ("Begin with the next color every time",),
    "longer": (
        "Draw {more} more lines like it, {offset} every time, running {way} and longer by {grows} than the "
        "previous one",
        "Next to it come {three} further lines, {offset} every time, each running {way} with {grows} more "
        "hexagon than the one before",
    ),
    # Symmetry
    "rotate": (
        "With {centre} as the pivot, draw {what} {times} times in a circle, {degrees} degrees apart",
        "Spin {what} around {centre} in steps of {degrees} degrees until it is back where it was, painting "
        "at every step",
    ),
    "half turn": ("Spin {what} by half a turn around the board's middle and draw it there too",),
    "mirror": (
        "Draw the mirror image of {what}, with {axis} as the mirror",
        "Flip {what} over {axis} and draw that as well",
    ),
    "axis vertical": ("the {mth} column", "an upright line through {centre}"),
    "axis horizontal": ("a level line through {centre}",),
    "axis rising": ("the diagonal through {centre} running from the lower left to the upper right",),
    "axis falling": ("the diagonal through {centre} running from the upper left to the lower right",),
    "axis steep-rising": ("the steep line through {centre} running from the lower left to the upper right",),
    "axis steep-falling": ("the steep line through {centre} running from the upper left to the lower right",),
    # Growth
    "layers": (
        "Draw {times} borders around the shape, each around the last, using {colours} from the inside "
        "outwards",
        "Wrap the shape in {three} layers of hexagons; going outwards they are {colours}",
    ),
    "growth": (
        "Do this {times} times, with the colors {colours}: fill in each white hexagon that has {touched} "
        "next to it, deciding which before you paint any",
    ),
    "touched one": ("just one painted hexagon",),
    "touched one or three": ("just one or just three painted hexagons",),
    "spiral": (
        "Go on in a spiral: after every line make a {degrees} degree turn {side} and draw another from "
        "there, {grows}, for a total of {total} lines",
    ),
    "each longer": (
        "which is {steps} tiles longer than the previous one, the shared corner counted in both",
    ),
    "every third longer": ("where every third one grows by a tile, the shared corner counted in both",),
    "spiral colours": ("Switch between {colours} with every line, the corner going to the new one",),
    "spiral thirds": ("Switch between {colours} with every third line, the corner going to the new one",),
    # Conditions
    "line until": ("Run a {colour} line from {place}, moving {way}, {far}",),
    "dotted line until": (
        "Run a dotted {colour} line (one painted, one not) from {place}, moving {way}, {far}",
    ),
    "alternating line until": (
        "Run a line from {place}, moving {way}, that switches between {colours}, {far}",
    ),
    "as far": (
        "The lines and rows in a copy need not be as long as in the first: each runs as far as it can",
    ),
    "always": ("nothing but {colour}",),
    "columns": (
        "Fill in each column with an {parity} number, using {colour}",
        "All {parity}-numbered columns should be {colour}",
    ),
    "rows": (
        "Fill in each row with an {parity} number, using {colour}",
        "All {parity}-numbered rows should be {colour}",
    ),
    "for each": ("Wherever there is {which}, {deeds}", "Look at {which} in turn and {deeds}"),
    "each tile": ("a {colour} hexagon",),
    "each tile column": ("a {colour} hexagon in an {parity}-numbered column",),
    "each tile row": ("a {colour} hexagon in an {parity}-numbered row",),
    "each heart": ("a hexagon that touches six {colour} ones", "a hexagon surrounded by {colour}"),
    "each of column": ("a hexagon of column {column} whose row number is {parity}",),
    "each of row": ("a hexagon of row {row} whose column number is {parity}",),
    "each white of row": ("a white hexagon of row {row} whose column number is {parity}",),
    "paint it": ("fill it with {colour}", "turn it {colour}"),
    "paint around it": ("surround it with {colour}",),
    "paint near it": ("fill {spots} with {colour}",),
    "spot up": ("the hexagon directly above",),
    "spot down": ("the hexagon directly below",),
    "spot up-right": ("its neighbor on the upper right",),
    "spot up-left": ("its neighbor on the upper left",),
    "spot down-right": ("its neighbor on the lower right",),
    "spot down-left": ("its neighbor on the lower left",),
    "spot right": ("its neighbor on the right with the same row number",),
    "spot left": ("its neighbor on the left with the same row number",),
    "further": ("the hexagon {steps} away from it, {way}",),
    "line from it": ("run a {colour} line {way}, beginning just after it, {far}",),
    "line with it": ("run a {colour} line {way}, beginning on it, {far}",),
    "dotted line from it": (
        "run a dotted {colour} line (one painted, one not) {way}, beginning just after it, {far}",
    ),
    "dotted line with it": (
        "run a dotted {colour} line (one painted, one not) {way}, beginning on it, {far}",
    ),
    "alternating line from it": (
        "run a line {way}, switching between {colours}, beginning just after it, {far}",
    ),
    "alternating line with it": ("run a line {way}, switching between {colours}, beginning on it, {far}",),
    "far": ("for {count} hexagons",),
    "far edge": ("all the way to the border of the board",),
    "far painted": ("stopping before the first painted hexagon or at the border of the board",),
    "far colour": ("stopping before the first {colour} hexagon or at the border of the board",),
}
