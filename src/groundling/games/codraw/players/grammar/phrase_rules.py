"""The rules for phrases, as patterns tried in this order at every word of a message."""

from __future__ import annotations

import re

from groundling.games.codraw.players.grammar.patterns import (
    ADJECTIVES,
    ADVERBS,
    AMOUNT,
    AMOUNT_,
    ANCHOR,
    ARTICLES,
    LIMB,
    NAMED,
    NUMBER,
    PART,
    SIDE,
    many,
    maybe,
    more,
    one,
    then,
)
from groundling.games.codraw.players.grammar.phrase_patterns import (
    ANY_SIZE,
    BEING,
    CUT,
    EDGE,
    FACE,
    HAND,
    HOLDING,
    IN_HANDS,
    LEANING,
    LIMBS,
    LOOK_AT,
    NO_SIZES,
    ON_HEAD,
    ON_HORIZON,
    PLACE,
    SHIFT,
    TO_SIDE,
    TRAITS,
    VISIBLE,
    WHOLLY,
)

_RULES: tuple[tuple[str, str], ...] = (
    ("stop", r"[.!?;:]"),
    ("comma", r","),
    (
        "listing",
        f"{many('from going starting working')}{maybe('from on')}{maybe('the')}{SIDE} (?:side )?to (?:the )?"
        r"(?:left|right)\b",
    ),
    ("trait", LIMBS),
    # turned round, taken away, changed
    (
        "flip",
        r"(?:flip(?:ped)?|mirror(?:ed)?|reverse[sd]?|turn(?:ed)? (?:@\d+ |the |her |him )*"
        r"(?:around|the other way))\b",
    ),
    (
        "otherway",
        r"(?:face |facing |look(?:ing)? |to )?(?:the )?(?:other|opposite|wrong) (?:way|direction)\b",
    ),
    (
        "swap",
        rf"(?:switch|swap|exchange){more('the places of positions')} @(?P<one>\d+)(?: (?:and|with)(?: the)? @"
        r"(?P<two>\d+))?",
    ),
    ("remove", r"(?:remove|delete|erase|take (?:out|away|off)|get rid of|drop)(?= (?:the |that |@))"),
    (
        "not",
        "(?:there is no|no|not|instead of|rather than|without|is not|are not|never said)"
        "(?= (?:a |an |the )?@)",
    ),
    ("word", r"(?:not|no)\b"),
    ("shift", r"(?:please )?(?P<way>lower|raise|drop)(?= (?:the |both |)@)"),
    ("move", rf"{one('move[ds]? movie moving bring shift scoot push pull nudge drag bump adjust')}\b"),
    ("bigger", r"(?:(?P<steps>2|two) sizes? )?(?:bigger|larger|increase|enlarge)\b(?! than)"),
    ("smaller", r"(?:(?P<steps>2|two) sizes? )?(?:smaller|shorter|reduce|shrink|decrease)\b(?! than)"),
    ("shift", SHIFT),
    # which way it looks
    (
        "eachother",
        rf"{one('facing face looking look faces towards? looks holding_hands')}{more('at to towards?')} "
        r"(?:each other|one another|eachother|ea other|@\d+ other)",
    ),
    (
        "away",
        f"{one('facing faces looking looks turned running runs walking moving')} (?:away|opposite|other way)"
        r"(?: (?:from|of|to|side))?(?: (?:the )?@(?P<anchor>\d+))?",
    ),
    ("face", FACE),
    ("face", rf"{SIDE} (?:facing|faced|side facing|face)\b"),
    ("lookat", LOOK_AT),
    ("lookat", rf"towards?{then('the a')} {NAMED}\b(?! 's)"),
    (
        "forward",
        "(?:facing|looking|faces|looks) "
        f"{one('forward us front me straight camera the_front you out at_us at_me at_you')}",
    ),
    (
        "lookcenter",
        rf"{one('facing faces looking looks pointing pointed points')}{then('to towards? at')}(?: the)? "
        rf"{one('center middle inside in inwards?')}\b",
    ),
    # hands and heads
    ("inhand", IN_HANDS),
    ("inhand", HAND),
    ("onhead", ON_HEAD),
    (
        "wear",
        "(?:wearing|wears|wear|weari?ng|dressed in|worn by|has on|have on|with)"
        r"(?= (?:the |a |an |his |her |both )*(?:\w+ )?@)",
    ),
    ("hold", rf"{one(HOLDING)}\b"),
    ("horizon", ON_HORIZON),
    # off the edge
    ("whole", WHOLLY),
    (
        "whole",
        rf"(?:no|nothing|not|none){more('parts? is being it of edges?')} (?:cuts?|hidden|cropped|covered)\b"
        "(?: off)?",
    ),
    ("cut", CUT),
    ("visible", VISIBLE),
    # with respect to another piece
    (
        "between",
        f"(?:in )?(?:the )?(?:middle )?(?:in )?{one('between betwen inbetween middle_of center_of')} "
        rf"{ARTICLES}{NAMED}(?: 's)?(?: {PART})? and {many('the a')}{many(ADJECTIVES)}@(?P<anchor2>\d+)"
        f"(?: 's)?(?: {PART})?",
    ),
    ("between", r"(?:in )?(?:between|inbetween) (?:the )?(?:two )?@(?P<anchor>\d+)(?: 's)?"),
    (
        "corner",
        f"{AMOUNT}{ADVERBS}(?:to|on|at|in|near|by|off)? ?(?:the )?(?:far )?(?P<vert>upper|top|bottom|lower|"
        f"above|below|down|front|back) ?(?:and |to the )?{SIDE}{then('hand')}"
        f"{more('side corner part edge end tip front leg of')} (?:of|from) {ANCHOR}",
    ),
    (
        "beside",
        f"{AMOUNT}{TO_SIDE}{then('hand')}{then('most')}(?P<sided> side| corner| edge| end| part| half|"
        f" portion| tip| leg| swing)*(?: of| from| to)(?: to)? {ANCHOR}",
    ),
    ("beside", rf"{ADVERBS}(?:to|on|at|in) (?:the )?@(?P<anchor>\d+)(?: 's)? {SIDE}(?: side)?\b(?! {LIMB})"),
    (
        "above",
        f"{AMOUNT}{ADVERBS}(?:up )?{one('above over higher_than on_top_of over_(?:the_)?top_of')} (?:the )?"
        f"(?:top of )?{ANCHOR}",
    ),
    (
        "below",
        rf"{AMOUNT}{ADVERBS}(?:down )?"
        + one(
            "below under underneath beneath bellow blow lower_than undern?eath_of down_from "
            "at_(?:the_)?bottom_of"
        )
        + f" {ANCHOR}",
    ),
    (
        "front",
        rf"{AMOUNT}{ADVERBS}(?:in|on|at|to)? ?(?:the )?(?:front|foreground)(?: side)?(?: of)? {ANCHOR}",
    ),
    (
        "behind",
        f"{AMOUNT}{ADVERBS}{maybe('hiding hidden partially_hidden standing')}"
        f"{one('behind behin in_back_of in_the_back_of covered_by hidden_by behind_of blocked_by in_back')} "
        f"{ANCHOR}",
    ),
    (
        "over",
        f"{ADVERBS}(?:covering|covers|cover|overlapping|overlaps|overlap|blocking|blocks|hiding|hides|"
        "obscuring|obscures) (?:up )?"
        f"{many(f'a some parts? half most little bit the of all slight tiny small portion entire {NUMBER}')}"
        f"{ANCHOR}",
    ),
    (
        "next",
        rf"{AMOUNT}{ADVERBS}"
        + one(
            "next_to besides? near near_to close_to by alongside adjacent_to touching touches touch against "
            "along away_from away from closer_to apart_from next with"
        )
        + f" {ANCHOR}",
    ),
    (
        "level",
        f"{ADVERBS}{many('at on same the even in is are align aligned lines? lined parallel level up')}"
        "(?:level|line|height|even|aligned|aligns|lined|lines up|parallel|lines) "
        f"(?:with|as|than|to|up with) (?:the )?{ANCHOR}",
    ),
    ("on", rf"{ADVERBS}{BEING}(?:on|onto|upon|atop|top of|at|up) {ANCHOR}"),
    ("in", rf"{ADVERBS}{BEING}(?:in|inside|inside of|into|within) {ANCHOR}"),
    ("edge", EDGE),
    (
        "then beside",
        f"{many('and just directly then')}{AMOUNT}"
        f"{many('just directly a little bit slightly immediately over then further farther more')}"
        f"{maybe('to on towards? at')}(?:the )?{maybe('far immediate')}{SIDE}(?: side| hand side)?"
        r"(?= (?:is|are|there|sits|stands|we|you)\b)",
    ),
    (
        "then beside",
        rf"{AMOUNT_}{maybe('to on towards? over')}(?:the )?{SIDE}\b"
        f"(?! {one('hand edge side of corner arm foot leg border')})",
    ),
    (
        "then",
        rf"{many('right directly just and slightly almost standing')}"
        r"(?P<how>below|under|underneath|beneath|above|behind|next|beside|in front|next to|on front|nearby)"
        r"(?= (?:is|are|there|a|,|large|small|big|medium|with|facing|\.|and|looking|head)\b| ?[,.]|$)",
    ),
    # how it looks
    (
        "size",
        "(?P<size>small|smallest|medium|med|mid|middle|large|largest|big|biggest|normal|regular|full|huge|"
        r"average|smal|tiny)(?: |-)(?:sized?|in size|szie)\b",
    ),
    ("size", r"sized?(?: is| :| -)? (?P<size>small(?:est)?|medium|med|large(?:st)?|big(?:gest)?|normal)\b"),
    (
        "size",
        rf"(?P<size>{one(ANY_SIZE)})\b(?! "
        rf"{one(NO_SIZES)})",
    ),
    ("size", r"(?P<size>little|middle|mid|regular size|full)(?= @\d)"),
    ("trait", TRAITS),
    ("inhand", r"in (?P<hand>left|right)(?= (?:and|,|\.)|$)"),
    (
        "aside",
        f"{many('and but then just')}{many('a slightly just very')}(?:little|bit|slightly|tad|smidge|hair|"
        rf"slight)(?: bit)?(?: more)?{then('to towards? on')}(?: the)? {SIDE}\b(?: side)?(?! "
        "(?:hand|arm|foot|leg))(?! of)",
    ),
    # where on the canvas
    (
        "adverb",
        "(?<!the )(?<!on )(?<!to )(?<!far )(?<!top )(?<!bottom )(?<!upper )(?<!lower )(?<!at )(?<!in )"
        "(?<!center )(?<!middle )right (?=in |on |at |next|where|after|before|there|now|under|by |below|"
        "above|behind|beside)",
    ),
    ("tilt", rf"{SIDE}{LEANING}(?:up|higher|high|raised|upward|elevated)\b(?! (?:than|to|on|the))"),
    ("tilt2", rf"{SIDE}{LEANING}(?:down|lower|low)\b(?! (?:than|to|on|the))"),
    ("place", PLACE),
    (
        "hand",
        r"(?:(?:@(?P<anchor>\d+) 's )|(?:the |his |her |other |with ))?(?:left|right|front|back|other|one|"
        rf"raised|both)? ?{PART}\b",
    ),
    (
        "next one",
        r"(?:and )?(?:then|after that|followed by|next comes|next is|next)\b"
        "(?! (?:to|it is done|we|done|i|you|check|all))",
    ),
    ("join", r"(?:and|also|plus|&|then|n)\b"),
    ("is", r"(?:is|are|there|goes|'s|was|be|should|needs|need)\b"),
    ("piece", r"@(?P<number>\d+)"),
)
RULES = tuple((name, re.compile(pattern)) for name, pattern in _RULES)
