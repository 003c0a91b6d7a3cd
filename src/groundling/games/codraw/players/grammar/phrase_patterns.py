"""The longer phrase patterns: moves, directions, hands, the horizon, edges and places."""

from __future__ import annotations

from groundling.games.codraw.players.grammar.patterns import (
    ADVERBS,
    AMOUNT,
    HORIZON,
    LIMB,
    NAMED,
    NUMBER,
    PART,
    PARTS,
    SIDE,
    WHOLE,
    many,
    maybe,
    more,
    one,
    then,
)

_PIECE = r"@\d+"
_BIT = many(
    "a very just slightly little bit tiny tad more over further farther closer about half smidge some to the "
    "hair be even way all of"
)
_VERTICAL = r"up|down|higher|lower|forward|back"
_SO_MUCH = (
    "about by just maybe like around another an a the little bit slightly tad more some few hair tiny smidge "
    "very so"
)
SHIFT = (
    rf"{AMOUNT}(?P<bit>{_BIT})(?P<way>(?:{_VERTICAL})\b"
    f"(?! {one('of on in_the at left_corner right_corner corner part half leg hand arm left right')})|"
    r"(?:left|right)(?= (?:a |just |about |so |\d|by |more|little|slightly|some|and |then|till|until|"
    "to the edge|maybe|like)|$| [.,]))"
    f"(?:(?: and| ,| then)*(?P<bit2>{more('to the a over little bit slightly more')}) "
    r"(?P<way2>up|down|left|right)\b"
    f"(?! {one('hand arm leg foot corner of edge side')}))?"
    f"(?P<tail>{more(_SO_MUCH)})"
    f"(?: (?P<amount2>{NUMBER}) (?P<unit2>inch|cm|finger))?"
)
_LOOKING = one(
    "facing faces faced face faing facin looking looks look pointing points pointed point turned turning "
    "heading headed flying flies aimed towards? running kicking walking runs going reaching angled sitting "
    "sits hands arms legs feet leg tilted leaning slanted slants bent directed goes"
)
FACE = (
    f"(?:(?P<what>hole|mouth|nose|point|tip|bill|opening|door|thumb|bolt|ladder|brim) {maybe('is are in')})?"
    f"{maybe('is are')}{maybe('both all also')}{_LOOKING}{then('off out up down over in slightly')}"
    rf"{then('to towards? at')}{then('the my your his her our')}{then('far')} {SIDE}\b"
    rf"(?! (?:hand|arm|foot|leg)\b){more('side direction way edge')}(?! of)"
)
LOOK_AT = (
    f"{maybe('is are')}{maybe('both all')}(?:{one('facing faces face watching chasing watches')}"
    f"{more('up down over out right')}"
    rf"{more('at to towards? in for')}|"
    + one(
        "looking looks look pointing points staring stares gazing turned running runs reaching walking "
        "flying kicking heading throwing moving pointed"
    )
    + f"{more('up down over out right away')}(?: {one('at to towards? for in_direction_of')})+)"
    rf"{then('the a')} {NAMED}\b(?! 's)"
)
IN_HANDS = (
    f"{maybe('is are')}{maybe('being')}{maybe('held')}"
    rf"{one('in on at by under above near to touching over with')} {maybe('the a')}(?:@(?P<anchor>\d+) 's )?"
    f"{maybe('the')}(?P<hand>left|right|other|raised|upper|lower|front|back|one|both|open|outstretched|top|"
    f"bottom|up|behind|rear|extended|far|first|bent|same|straight|lifted|forward)?{then('hand')} ?"
    rf"{one('hands? arms? fingers? palms? paws? elbows? finger_tips')}\b(?! side| corner)(?: of (?:the )?@"
    r"(?P<anchor2>\d+))?"
)
HAND = (
    r"(?:@(?P<anchor>\d+) 's )?(?P<hand>left|right|other|raised|upper|lower) (?:hand|arm)\b"
    "(?! side| corner| edge| up| out| raised| in | is | on | touch| cut| down| at | above| below| over|"
    " reach| holding| to )"
)
ON_HEAD = (
    f"{maybe('is are')}{maybe('placed')}{one('on on_top_of above over atop in')} {many('the top_of')}"
    rf"(?:@(?P<anchor>\d+) 's )?{one('heads? hair face eyes nose')}\b(?: of (?:the )?@(?P<anchor2>\d+))?"
    "(?! (?:at|above|below|on|of) (?:the )?(?:horizon|grass|sky))"
)
ON_HORIZON = (
    r"(?:(?:@(?P<owner>\d+) 's )?"
    + many(
        "the his her only top_of bottom_of tip_of left right lower upper middle_of just back front both of"
    )
    + f"(?P<part>{PART}|tops?|bottom|half|middle|center|rest|most){more('part half tips? level line')}"
    r"(?: of (?:the |her |his |it |its )?(?:@\d+|head|hair|trunk|shorts|tree|body|eyes|neck)"
    "(?: part| half| tips?| level| line)*)* )?"
    f"{many('is are goes go comes being also which that should_be sits starts begins stands')}{AMOUNT}"
    "(?P<adverb>"
    + many(
        "just slightly right little bit a tiny barely almost way about half halfway directly even all "
        "completely mostly partly well totally line lined up smidge tad approximately exactly only nearly "
        "midway hair not w"
    )
    + ")(?P<how>"
    + one(
        "at on above below over under touching touches touch crosses crossing across level_with level_w "
        "even_with in_line_with with aligned_with aligns_with lines_up_with line_up_with in to by near from "
        "past meets meet meeting hits hitting through along the_same_level_as reaches reaching beneath up_to "
        "close_to covering level hit into along_with inside beyond underneath next_to equal_to overlaps "
        "overlapping of"
    )
    + rf") (?:the )?{one(HORIZON)}\b"
)
_OUTSIDE = one(
    "screen page edge frame canvas picture scene image side pic left right top bottom map field view sight "
    "bounds"
)
CUT = (
    "(?P<before>"
    + many(
        "half halfway most mostly parts? partly partially some little bit a an the of its it is are "
        f"slightly barely also just almost tiny about only and {NUMBER} % percent quarters? thirds? three "
        "one two top bottom left right upper lower sides? edges? corner very end rear far portion be being "
        rf"will should lot much gets bushy main points have has been {PARTS} @\d+_'s inch"
    )
    + f")(?:cuts?|cutoff|cropped|crop|chopped|clipped|trimmed|sliced|off (?:of )?(?:the )?{_OUTSIDE}|out of "
    f"(?:the )?{_OUTSIDE}|missing|not {one('visible showing seen shown in')}|offscreen|outside (?:of )?"
    f"(?:the )?{_OUTSIDE}|disappear(?:s|ing)?|not be (?:seen|visible)|gone|hidden|can not see|ca not see|"
    r"hanging off)\b(?P<after>"
    + more(
        "off out by at on from of in to into the a an its and(?=_(?:the_)?(?:left|right|top|bottom|sides?|"
        "upper|lower|just)) bit little tiny slightly half screen page frame canvas picture scene image pic "
        f"border sides? edges? corner hand left right top bottom upper lower very just about {NUMBER} "
        "% inch only part it some most alot lot quarter third far both margin tip"
    )
    + ")"
)
VISIBLE = (
    f"(?:{many('can could only you just we i to')}(?:see|seeing) {many('only about just the a')})?"
    f"(?P<share>half|most|part|{NUMBER}(?: %)?|three quarters|quarter|two thirds|third|some|majority)"
    f"(?: of)?{more(f'it the a {_PIECE} its is are body only left right top bottom lower upper side')} "
    rf"{one('visible showing shows? seen in_view shown on_screen in_the_frame peeking')}\b"
)
WHOLLY = (
    f"{one('fully completely entirely totally whole all entire everything 100_%')}(?: of)?(?: "
    f"it)?{more(f'is are thing body {_PIECE}')}"
    "(?: all)? "
    + one(
        "visible showing seen shown in_view on_screen in_frame in_the_frame on_the_screen on_page on_canvas "
        "in there"
    )
    + r"\b"
)
EDGE = (
    rf"{AMOUNT}{many('is are very it')}"
    "(?P<adverb>"
    + many("almost nearly not just barely close_to to really super quite slightly about right practically")
    + ")(?P<how>"
    + one(
        "touching touches touch close_to close near near_to next_to against up_against right_against from "
        "off off_of away_from to of in_from up_from down_from over_from above below hugging flush_with "
        "reaching reaches in aligned_with meeting on at along by up_to"
    )
    + f") {maybe('the')}{maybe('very far')}(?P<edges>"
    f"{one('left right top bottom upper lower side edge corner')}(?:{then('hand')}(?: side| edge| border|"
    f" margin| line| frame| corner| of (?:the )?{one(WHOLE)}| of (?:the )?(?:left|right|top|bottom)| and|"
    r" the| top| bottom| left| right| upper| lower| screen| page| to)*))\b(?! of (?:the )?@)(?! (?:hand|"
    r"foot|leg|arm|eye|ear|shoe)\b)"
)
_PLACES = "far top upper bottom lower left right middle mid center centered corner edge side sky grass ground"
_NOT_LIMB = (
    rf"(?! {one('hand arm foot leg knee elbow shoulder eye ear')}\b(?! side| corner| edge| border| margin))"
)
PLACE = (
    many(
        "on in at to towards? near from over up down around the a an very far all way just about of it is "
        "extreme along slightly more little bit almost close off dead"
    )
    + one(
        f"{_PLACES} background foreground low high halfway half_way midway leftmost rightmost horizontally "
        "vertically field air front back lawn the_blue the_green in_blue in_green"
    )
    + rf"\b(?! (?:{LIMB}|arms|legs|feet)\b(?! side| corner| edge| border| margin| part))"
    rf"(?:{more('of in on at to and the very a from up down way between more my your')} "
    + one(
        f"{_PLACES} hand most {WHOLE} part half third quadrant area section portion horizontally vertically "
        "level quarter green air blue"
    )
    + rf"{_NOT_LIMB})*(?! {PART}\b)"
)
BEING = many(
    "sitting standing sits stands sat seated perched laying lying going resting riding down climbing playing"
)
LEANING = (
    f"(?: hand)? {one('side end edge corner part')}(?: of (?:it|"
    f"table))?{more('is being slightly pointing points a_bit a_little tilted')} "
)
TO_SIDE = (
    f"{ADVERBS}{maybe('to on at in off towards?')}{maybe('the')}{maybe('immediate far very front back')}"
    f"{SIDE}"
)
ANY_SIZE = (
    "small smallest tiny tiniest mini sm medium med large largest big biggest huge lg lrg giant medum median "
    "lge"
)
NO_SIZES = (
    "bit part smile amount space portion gap sliver distance grin mouth spaces piece corner area toothy open "
    "smiling teeth toe"
)
"""Nouns that an adjective of size belongs to instead of the piece."""
HOLDING = (
    "holding holds hold held carrying carries grabbing has have having clutching gripping catching eating "
    "drinking got flying"
)
LIMBS = (
    many("both with one two the a is are left right back front other his her")
    + f"{one('arms? hands? legs? foot feet knees? elbows?')}(?! (?:side|corner)) "
    + many("is are both one straight all held pointing sticking kept slightly placed")
    + one(
        "up out down raised outstretched stretched extended spread folded kicked curled bent tucked crossed "
        "cross lifted open in_(?:the_)?air in_front on_(?:her_|his_|the_)?hips? "
        "at_(?:her_|his_|the_)?sides? behind forward apart reaching reached waving over_head overhead "
        r"to_(?:the_)?sides? on_@\d+_hips? at_@\d+_sides? on_side above together out_front in_hips? "
        "crisscross criss_crossed wide under kicking"
    )
    + r"\b"
    + more(
        "up out in front the_air air straight to_(?:the_)?sides? side sides of him her forward and_down high "
        "wide back behind other legged"
    )
    + rf"(?:{more('to towards? pointing facing reaching')}(?: the)? {SIDE}\b(?! of| hand| corner)(?: side)?)?"
)
"""Positions of arms and legs."""
TRAITS = (
    one(
        "happy sad angry mad surprised shocked scared smiling smiles? crying cries frown(?:ing|s)? "
        "upset worried afraid unhappy smiley tongue teeth toothy grin(?:ning|s)? laughing excited "
        "amazed tears? grumpy cheerful startled frightened surprise shock shocking anger happily gasping "
        "joyful yelling screaming furious sitting sits sit sat seated standing stands stand running runs run "
        "kicking kicks kick kicked waving waves wave jumping jumps walking walks kneeling kneels kneel "
        "crossed cross legged indian style yoga cheering dancing skipping meditating hopping jogging cheery "
        "ran raised raising crisscross"
    )
    + r"\b"
)
"""Expressions and poses."""
