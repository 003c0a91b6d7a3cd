"""Instruction texts as plain words: numbers as figures, synonyms as one word, spelling mended.

What comes out is a string of words with single spaces between. Ordinals are written `#3` (`#-2` counted from the end), numbers
`3`, the six headings and the four plain directions `@up`, `@up-left`, `@right`…; punctuation stands alone.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty"
).split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
_NUMBERS = {word: str(n) for n, word in enumerate(_UNITS) if n} | {word: f"#{n}" for n, word in enumerate(_ORDINALS) if n}

_SAME = {
    "tile": "hexagon hex cell spot dot square space box block piece hexagone hextile circle_tile pixel",
    "tiles": "hexagons hexes cells spots dots squares spaces boxes blocks pieces hexs pixels",
    "twelfth": "twelveth twelth",
    "eighth": "eigth",
    "column": "col collumn coloumn colomn columned columnar",
    "columns": "cols collumns coloumns colomns",
    "row": "rows_",
    "purple": "pink violet lilac lavender magenta purples pinks",
    "blue": "blues",
    "red": "reds",
    "green": "greens",
    "orange": "oranges",
    "yellow": "yellows",
    "black": "blacks",
    "erase": "uncolor unpaint unfill erasing",
    "blank": "empty clear uncolored uncoloured unpainted unfilled unshaded untouched colorless bare vacant",
    "paint": "color colour shade colouring coloring painting fill filling shading highlight recolor recolour pain",
    "painted": "colored coloured shaded",
    "filled": "solid",
    "hollow": "outlined",
    "diamond": "rhombus rhomb lozenge",
    "diamonds": "rhombuses",
    "touching": "adjacent neighboring neighbouring bordering contiguous adjoining touches touch borders border abutting",
    "surrounding": "surround surrounds encircle encircling encircles enclosing circling",
    "below": "beneath underneath under",
    "skip": "skipping skips",
    "leave": "leaving leaves",
    "start": "starting starts begin beginning begins commencing commence",
    "end": "ending ends finish finishing",
    "repeat": "copy duplicate replicate recreate reproduce repeating copying duplicating replicating recreating redo",
    "mirror": "mirroring mirrored mirrors reflect reflection reflecting reflected",
    "connect": "connecting connects join joining joins link linking",
    "extend": "extending extends",
    "continue": "continuing continues",
    "alternate": "alternating alternates alternatively alternately",
    "topmost": "uppermost highest upmost",
    "bottommost": "lowest lowermost downmost",
    "middle": "center centre central centered centred",
    "edge": "side_ border_",
    "using": "use",
    "grid": "board",
    "thru": "though_",
    "shape": "figure object design_",
    "shapes": "figures objects",
    "flower": "rosette daisy",
    "flowers": "rosettes daisies",
    "ring": "circle loop",
    "rings": "circles loops",
    "bowtie": "bowties bone bones dogbone dogbones",
    "locate": "look focus find",
    "move": "moving go going moves goes head heading",
    "make": "create creates form forms draw draws build construct makes",
    "making": "creating forming drawing building constructing",
    "add": "adding put place putting placing",
    "outwards": "outward",
    "upwards": "upward ascending ascend rising ascends climbing",
    "downwards": "downward descending descend falling descends",
    "rightwards": "rightward",
    "leftwards": "leftward",
    "triangle": "pyramid triad",
    "triangles": "pyramids triads",
    "diagonal": "diagonaly diagonially diagnol slanted slanting tangent",
    "diagonals": "diagnols",
}
_CANON = {other: word for word, others in _SAME.items() for other in others.split()}
_COLOURS = ("white", "black", "yellow", "green", "red", "blue", "purple", "orange")
_TARGETS = sorted(
    {word for word in [*_SAME, *_CANON, *_NUMBERS, *_COLOURS] if len(word) > 3 and "_" not in word}
    | set("leftmost rightmost every other except remaining diagonally vertical horizontal previous directly bottom".split())
)
_PLAIN = frozenset(
    """about above across actually after again against aligned all along already also another around away back base because been
    before being between both bigger body branch brown button center check clockwise closed color colors compressed core corner
    corners could counting count cross curve curved dark each either empty entire even ever exact exactly example existing face
    facing feet figure final finally first following follow forth found frame from full further given gray grey hand have head
    heads height here hold horizontally idea image immediate inner inside instead intersect into inverse just keep kind large
    larger lastly length letter light like line lined lines little locate located long longer look lower main many mark match
    maze meet mentioned midway more most mountain much must near need next nine none note notice number numbered odd once only
    opposite order original otherwise outer outline outside over oval pair pairs parallel part parts pattern patterns peak petal
    petals picture point pointed pointing points position process quarter reach reached remain remainder remains rest reverse
    reversed rhombus right room rotate same section sections segment sequence series set seven shaped share should show side
    sided sides similar single size skinny small smaller solid some space spacing spiral stair stars stem step steps sticks still
    stop straight stripe stripes symmetry tail take that their them then there these they thick thing think this those though
    through time times tip together total toward towards trio trios turn turning twice twin type until upper upside using
    vertically very wall wave wavy ways well were what when where which while whole wide width wings with within without work
    working worm would your zigzag bird stick fish sort tree trees flow hose tiny tail lake house door roof tower eyes mouth
    lips smile nose snake bright brings stack stacked rings ring fold folded holds hole holes shift shifted invert inverted ends
    fills hits hit runs form forms clear clean leaf leaves paints whites word words cut same color pour
    bottom bottoms rows bound bounded crown groups group column even odds wing wings seen clover heart hearts spring wheel shell
    letters bar bars swap swapped spread angle angles ladder caterpillar caterpillars butterfly dice dive card cards fine lane
    plane phase phases tie ties bow bows created drawn made connected placed extended repeated previously playing sharing
    continuous direct spaced spacer centrally immediately closest leaning""".split()
)

_TOKEN = re.compile(r"\d+|[a-z]+(?:'(?:s|t|re|ll|ve|d)\b)?|[^\w\s]")


@cache
def _spelt(word: str) -> str:
    """A word of ours for a slip of the pen."""
    if word in _CANON or word in _NUMBERS or word in _SAME or word in _COLOURS or word in _PLAIN or len(word) < 5:
        return word
    close = get_close_matches(word, _TARGETS, 1, 0.85)
    return close[0] if close and close[0][0] == word[0] else word


@cache
def _canonical(word: str) -> str:
    word = _spelt(word.removesuffix("'s"))
    word = _CANON.get(word, word)
    return _NUMBERS.get(word, word)


def _rules(table: str) -> list[tuple[re.Pattern[str], str]]:
    rules = []
    for row in table.strip().splitlines():
        left, _, right = row.partition("=>")
        rules.append((re.compile(rf"(?<!\S){left.strip()}(?!\S)"), right.strip()))
    return rules


_COLOUR = "(" + "|".join(_COLOURS) + ")"

# What is rewritten before words are told apart: joined and parted words.
_EARLY = [
    (re.compile(pattern), put)
    for pattern, put in (
        ("[‘’`]", "'"),
        ("[“”]", '"'),
        ("[–—]", "-"),
        (r"(\d+)\s?(?:st|nd|rd|th)\b", r"#\1"),
        (r"\b(left|right|top|bottom|upper|lower|outer|inner|up|down|center|outter)[\s-]+most\b", r"\1most"),
        (r"\bmost (top|bottom|left|right)\b", r"\1most"),
        (r"\b(top|bottom|left|right|upper|lower|up|down)[-/](top|bottom|left|right|upper|lower|up|down)", r"\1 \2"),
        (r"\b(up|down|top|bottom|upper|lower)(left|right)\b", r"\1 \2"),
        (r"\bzig[\s-]*zag", "zigzag"),
        (r"\bfill (an?) (\w+ )?hexagon\b", r"paint \1 filled \2hexagon"),
        (
            r"\bhexagon(?= (?:outline|of radius|ring|shape|with (?:its|a|the) (?:cent|mid)|whose cent|that has its cent|cent(?:er|re)ed))",
            "hexring",
        ),
        (r"\b(filled|solid|hollow|full|large|big|bigger|larger)((?: \w+)?) hexagon\b", r"\1\2 hexring"),
        (r"\bbow[\s-]*tie", "bowtie"),
        (r"\bdog[\s-]*bone", "bowtie"),
        (r"\bin[\s-]between\b", "between"),
        (r"\binbetween\b", "between"),
        (r"\beach other\b", "each-other"),
        (r"\b(odd|even)[\s-]number(?:ed)?\b", r"\1"),
        (r"(?<=\d)\s*(?:-+)\s*(?=#?\d)", " to "),
        (r"(?<=[a-z])-(?=[a-z])", " "),
        (r"\bno\.", "number"),
        (r"\s-+\s", " , "),
    )
]

# What is rewritten afterwards, in order.
_WORD = "|".join(_COLOURS)
_LATE = _rules(
    rf"""
    paint (?:in|out|up)(?! (?:the )?(?:columns?|rows?|alternate)) => paint
    (?:to|till|until|through|thru|thought|though|trough|&|thur)(?= (?:the )?\#?-?\d) => to
    (?:the )?(?:paint|painted) {_COLOUR}(?= |$)(?! (?:the|all|every|each|tiles?|it|them|in|on|\#|\d)) => \1
    (?:the )?{_COLOUR} (?:paint|painted)(?! (?:the|all|every|each|a|an|it|them|in|on|tiles?|\#|\d|these|those|this)) => \1
    next (?:to|from|before) (?:the )?(?:last|end) => #-2
    \#(\d+) (?:to|from|before) (?:the )?(?:last|end) => #-\1
    \#(\d+) (?:last) => #-\1
    penultimate => #-2
    \#(\d+) (?:to|from)(?: the)? (left|right)(?:most)? (column|row) => #\1 \3 from the \2
    last => #-1
    next to (?:the )?\#1 => #2
    odd numbered => odd
    even numbered => even
    (?:number|numbers|numbered)(?= \#?\d) =>
    very(?= (?:top|bottom|\#|left|right|far|middle|edge)) =>
    far(?= (?:left|right)) =>
    (?:a|an)(?= \d) =>
    tile tile => tile
    tile tiles => tiles
    all but => all tiles except
    (?:excluding|besides|apart from|other than|except for) => except
    (?:uncolor|unpaint|unfill|clear(?= the)|erasing|remove) => erase
    through to => to
    row (\d+)(?: ,| and| ,? in| of)*(?: the)? column (\d+) => tile \1 in column \2
    column (\d+)(?: ,| and| ,? in)*(?: the)? row (\d+)(?! from) => tile \2 in column \1
    (\#\d+) column( from (?:the )?(?:left|right))?(?: ,| and| ,? in)*(?: the)? (\#\d+) row(?: down)?( from (?:the )?(?:top|bottom))? => \3 tile\4 in the \1 column\2
    (\#\d+) row( from (?:the )?(?:top|bottom))(?: ,| and| ,? in| of)*(?: the)? (\#\d+) column => \1 tile\2 in the \3 column
    (?:these|the following|following)(?: \d+)? tiles {_COLOUR} : => \1 :
    (?:these|the following|following)(?: \d+)? tiles : => :
    (?:the )?tile (?:located |found |situated |that is |positioned )*(?:at|in|on)(?: the)?(?= (?:the )?\#-?\d+ tile) =>
    (?:a |the )?(?:border|outline|perimeter) of (a|an|the)(?! (?:grid|board|page)) => \1 hollow
    until there are (\d+)(?: of them)? => , \1 tiles in all
    alternate (?:between|in|with|among|from)(?: the colors?)?(?= {_COLOUR}) => alternate
    to the (left|right)(?: ,| straight)?(?: along| within| in)(?: the| that| this)?(?: same)? row => \1wards
    to the (left|right) , 1 tile (?:a|per|in each) column ,(?: staying| always)? in the same row => \1wards
    (\d+) tiles (?:on|to|along|per|for|in)(?: each| every| a| all| any| both)? (?:of its )?sides? => size \1
    (\d+) tiles a side => size \1
    (?:a )?side lengths? (?:of )?(\d+)(?: tiles)? => size \1
    each side (?:is |being |of |has |with )?(\d+) tiles(?: long)? => size \1
    (left|right)most (?:tile|point|corner|tip) (?:is|at|on|being) => \1 corner is
    everything => all tiles
    (ring|flower|hexring)(s?(?: \S+){0, 8}?) (?:its |the )?(top|bottom)(?:most)? tile (?:is |being |located |should be )*(?:in|at|on)(?= (?:the )?(?:\#-?\d+ tile|\#-?\d+ column|column \d|tile \d|top|bottom)) => \1\2 anchor\3
    (tiles?) in a (?:straight |vertical |diagonal )?(?:row|line)(?! of) => \1
    until (?:you reach )?(?:the )?(?:top|bottom) row => until the edge
    until (?:you reach )?(?:the )?(?:leftmost|rightmost|last|first|\#1|\#-1) column => until the edge
    (\d+) tiles (?:altogether|overall|total) => \1 tiles in all
    (\d+) in (?:total|all) => \1 tiles in all
    (?:in turn|by turns|taking turns|one after the other) => alternate
    from column (\d+) to(?: column)? (\d+) => in columns \1 to \2
    from the \#(\d+)(?: column)? to the \#(\d+) column(?! from) => in columns \1 to \2
    (?:from )?(?:the )?left to (?:the )?right => 
    (?:from )?(?:the )?top to (?:the )?bottom => 
    (?:from )?(?:the )?bottom to (?:the )?top => upwards
    (?:from )?(?:the )?right to (?:the )?left => leftwards
    complete(?= (?:a|an|another)) => make
    neighboring => touching
    count (?:over )?(up|down) (\d+)(?: tiles?)?(?= from) => count \2 tiles \1
    (?:border|outline|frame) of => ring of
    in line => 
    {_COLOUR} \#1(?= ,|$) => 
    (?:making|make) (?:off|on|upon)(?: of| from)? => from
    (?:set|group|bunch|cluster|stack) of (\d+)(?: {_COLOUR})? tiles? => \1 \2 tiles
    pairs? of(?: {_COLOUR})? tiles => 2 \1 tiles
    trios? of(?: {_COLOUR})? tiles => 3 \1 tiles
    (?:is|are|be|looks?|will be|should be) (?:exactly )?(?:the )?(?:same|identical|just) (?:as|to|like) => repeat from
    the (\d+)(?= (?:directly |right )?(?:above|below|to the)) => the \1 tiles
    (the )?(next|following) (\d+)(?= (?:{_WORD}|above|below|down|up|in|with|,)) => the next \3 tiles
    do (?:exactly )?(?:the )?same(?: thing)? => repeat it
    do (?:this|that|it)(?: again)? => repeat it
    (?:make|paint) (columns? [\d ,and]+|the \#\d+ column) (?:the )?(?:same|identical|just) (?:as|like|to) => \1 repeat from
    (?:the )?(?:top|\#1|upper) half(?: of)? => the top 5 tiles of
    (?:the )?(?:bottom|\#2|lower|other|\#-1) half(?: of)? => the bottom 5 tiles of
    vertical row => column
    vertical rows => columns
    (the|that|this|each|every|another|next|other|top|bottom|topmost|bottommost|\#-?\d+|rightmost|leftmost|middle|{_WORD}) 1(?! (?:tile|more|row|column|blank|at)) => \1 tile
    ones => tiles
    """
)


def plain(text: str) -> str:
    """The text in our own words, ready to be read in phrases."""
    text = text.lower()
    for pattern, put in _EARLY:
        text = pattern.sub(put, text)
    text = " ".join(_canonical(token) if token[0].isalpha() else token for token in _TOKEN.findall(text))
    text = re.sub(r"# (\d+)", r"#\1", text) if "#" in text else text
    for late, put in _LATE:
        text = late.sub(put, text)
    return " ".join(text.split())
