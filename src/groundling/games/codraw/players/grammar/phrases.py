"""The phrases of a message, from left to right: what is said of a piece, without yet knowing of which.

The text has its pieces as `@0`, `@1`…. At every word the rules are tried in order and the first that fits takes its words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .feelings import LIMBS, TRAITS
from .names import Mention, available, mentions
from .text import words

SIZES = {
    **dict.fromkeys("small smallest tiny little mini tiniest smalls smal sm".split(), 2),
    **dict.fromkeys("medium med mid midsize middle normal average mediums medum median regular".split(), 1),
    **dict.fromkeys("large big huge largest biggest lg lrg giant full lge bigg humongous".split(), 0),
}

_SIZE = r"(?:small(?:est)?|tiny|mini|sm|med(?:ium)?|large(?:st)?|big(?:gest)?|huge|lg|lrg|giant|full size)"
_ADJECTIVE = (
    rf"(?:{_SIZE}|size|sized|happy|sad|angry|mad|surprised|shocked|scared|smiling|crying|frowning|yellow|red|blue|green|white|"
    r"black|orange|brown|purple|pink|other|first|second|little|very|same|sitting|running|kicking|standing)"
)
_ART = r"(?:(?:the|a|an|this|these|where|both|of|all) )*"
_THE = r"(?:(?:the|a|an|its|it 's|their) )?"
_PART = (
    r"(?:head|heads|hair|face|hands?|arms?|legs?|foot|feet|knees?|shoulders?|chest|waist|neck|chin|mouth|lips?|eyes?|eyebrows?|"
    r"ears?|nose|snout|elbows?|armpits?|belly|stomach|tummy|hips?|shorts|pants|shirt|dress|skirt|butt|bottom half|body|torso|back|"
    r"tail|trunk|stump|base|leaves|leaf|branch|branches|root|roots|tip|point|peak|string|strings|handles?|seat|seats|"
    r"poles?|bars?|wheels?|basket|roof|front|beak|bill|paws?|wrist|fingers?|shoes?|toes?|pigtails?|ponytail|braids?|tongue|"
    r"thumb|flames?|rays?|spikes?|thigh|shins?|ankle|forehead|crotch|collar|brim|rope|cheeks?|claws?|heels?|"
    r"red part|red parts|orange part|green part|bush part|leafy part|red tops?|red pole)"
)
_SIDE = r"(?:left|right|top|bottom|upper|lower|middle|center|front|back|far)"
_WHOLE = r"(?:screen|page|picture|pic|scene|frame|image|canvas|field|photo|border|background|edge|sky|grass|box)"
_ADVERB = (
    r"(?:(?:just|directly|right|immediately|slightly|little|bit|a|tiny|barely|almost|way|very|a little|about|around|nearly|"
    r"only|straight|partly|partially|maybe|like|mostly|exactly|still|also|far|is|are|small|tad|smidge|further) )*"
)
_AMOUNT = r"(?:(?P<amount>\d+(?:\.\d+)?) (?P<unit>inch|cm|finger) (?:or so |away |more |apart |down |up )*)?"
_INNER = (
    r"(?:(?:(?:the |its |his |her )?(?P<inner>left|right|top|bottom|upper|lower|middle|center|front|back|far)(?: (?P<inner2>left|right|center|middle|most))?(?: hand)?"
    r"(?: half| side| part| corner| edge| end| portion| leg| swing| section| area| pole| bench| tip| hand| foot| most| arm| knee| orange| branch| leaves| bush| triangle| bottom)* of |"
    r"(?:the|its|his|her) (?P<inner3>left|right)(?: side| corner| end| part)? ))?"
)
_ANCHOR = rf"{_ART}{_INNER}{_ART}(?:{_ADJECTIVE} )*@(?P<anchor>\d+)(?: 's)?(?: (?P<near>left|right|front|back|other|raised|kicking))?(?: (?P<apart>{_PART}))?\b"


class Phrase(Struct, frozen=True, gc=False):
    rule: str
    start: int
    end: int
    said: dict[str, Any] = {}

    def get(self, name: str) -> Any:
        return self.said.get(name)


class Message(Struct, frozen=True, gc=False):
    text: str
    mentions: tuple[Mention, ...]
    phrases: tuple[Phrase, ...]


def within(message: Message, palette: frozenset[str]) -> Message:
    return replace(message, mentions=tuple(available(mention, palette) for mention in message.mentions))


_LR = r"(?P<side>left|right)"
_BIT = r"(?:(?:a|very|just|slightly|little|bit|tiny|tad|more|over|further|farther|closer|about|half|smidge|some|to|the|hair|be|even|way|little|all|way|of) )*"
_OF_PAGE = rf"(?: (?:of|on|in|at|from|to) (?:the |your |my )?(?:very )?{_WHOLE})*"
_EDGES = r"(?:(?:the|and|,|very|far|of|hand|side|sides|edge|edges|corner|top|bottom|left|right|upper|lower|on|at|both) ?)"

_RULES: tuple[tuple[str, str], ...] = (
    ("stop", r"[.!?;:]"),
    ("comma", r","),
    ("listing", r"(?:from |going |starting |working )*(?:from |on )?(?:the )?(?P<side>left|right) (?:side )?to (?:the )?(?:left|right)\b"),
    ("trait", LIMBS),
    # turned round, taken away, changed
    ("flip", r"(?:flip(?:ped)?|mirror(?:ed)?|reverse[sd]?|turn(?:ed)? (?:@\d+ |the |her |him )*(?:around|the other way))\b"),
    ("otherway", r"(?:face |facing |look(?:ing)? |to )?(?:the )?(?:other|opposite|wrong) (?:way|direction)\b"),
    ("swap", r"(?:switch|swap|exchange)(?: the| places| of| positions)* @(?P<one>\d+)(?: (?:and|with)(?: the)? @(?P<two>\d+))?"),
    ("remove", r"(?:remove|delete|erase|take (?:out|away|off)|get rid of|drop)(?= (?:the |that |@))"),
    ("not", r"(?:there is no|no|not|instead of|rather than|without|is not|are not|never said)(?= (?:a |an |the )?@)"),
    ("word", r"(?:not|no)\b"),
    ("shift", r"(?:please )?(?P<way>lower|raise|drop)(?= (?:the |both |)@)"),
    ("move", r"(?:move[ds]?|movie|moving|bring|shift|scoot|push|pull|nudge|drag|bump|adjust)\b"),
    ("bigger", rf"(?:(?P<steps>2|two) sizes? )?(?:bigger|larger|increase|enlarge)\b(?! than)"),
    ("smaller", rf"(?:(?P<steps>2|two) sizes? )?(?:smaller|shorter|reduce|shrink|decrease)\b(?! than)"),
    ("shift", rf"{_AMOUNT}(?P<bit>{_BIT})(?P<way>(?:up|down|higher|lower|forward|back)\b(?! (?:of|on|in the|at|left corner|right corner|corner|part|half|leg|hand|arm|left|right))|(?:left|right)(?= (?:a |just |about |so |\d|by |more|little|slightly|some|and |then|till|until|to the edge|maybe|like)|$| [.,]))(?:(?: and| ,| then)*(?P<bit2>(?: (?:to|the|a|over|little|bit|slightly|more))*) (?P<way2>up|down|left|right)\b(?! (?:hand|arm|leg|foot|corner|of|edge|side)))?(?P<tail>(?: (?:about|by|just|maybe|like|around|another|an|a|the|little|bit|slightly|tad|more|some|few|hair|tiny|smidge|very|so))*)(?: (?P<amount2>\d+(?:\.\d+)?) (?P<unit2>inch|cm|finger))?"),
    # which way it looks
    ("eachother", r"(?:facing|face|looking|look|faces|towards?|looks|holding hands)(?: at| to| towards?)* (?:each other|one another|eachother|ea other|@\d+ other)"),
    ("away", rf"(?:facing|faces|looking|looks|turned|running|runs|walking|moving) (?:away|opposite|other way)(?: (?:from|of|to|side))?(?: (?:the )?@(?P<anchor>\d+))?"),
    ("face", rf"(?:(?P<what>hole|mouth|nose|point|tip|bill|opening|door|thumb|bolt|ladder|brim) (?:is |are |in )?)?(?:is |are )?(?:both |all |also )?(?:facing|faces|faced|face|faing|facin|looking|looks|look|pointing|points|pointed|point|turned|turning|heading|headed|flying|flies|aimed|towards?|running|kicking|walking|runs|going|reaching|angled|sitting|sits|hands|arms|legs|feet|leg|tilted|leaning|slanted|slants|bent|directed|goes)(?: off| out| up| down| over| in| slightly)?(?: to| toward| towards| at)?(?: the| my| your| his| her| our)?(?: far)? {_LR}\b(?! (?:hand|arm|foot|leg)\b)(?: side| direction| way| edge)*(?! of)"),
    ("face", rf"{_LR} (?:facing|faced|side facing|face)\b"),
    ("lookat", rf"(?:is |are )?(?:both |all )?(?:(?:facing|faces|face|watching|chasing|watches)(?: up| down| over| out| right)*(?: at| to| toward| towards| in| for)*|(?:looking|looks|look|pointing|points|staring|stares|gazing|turned|running|runs|reaching|walking|flying|kicking|heading|throwing|moving|pointed)(?: up| down| over| out| right| away)*(?: at| to| toward| towards| for| in direction of)+)(?: the| a)? (?:{_ADJECTIVE} )*@(?P<anchor>\d+)\b(?! 's)"),
    ("lookat", rf"(?:towards?)(?: the| a)? (?:{_ADJECTIVE} )*@(?P<anchor>\d+)\b(?! 's)"),
    ("forward", r"(?:facing|looking|faces|looks) (?:forward|us|front|me|straight|camera|the front|you|out|at us|at me|at you)"),
    ("lookcenter", r"(?:facing|faces|looking|looks|pointing|pointed|points)(?: to| toward| towards| at)?(?: the)? (?:center|middle|inside|in|inward|inwards)\b"),
    # hands and heads
    ("inhand", rf"(?:is |are )?(?:being )?(?:held )?(?:in|on|at|by|under|above|near|to|touching|over|with) (?:the |a )?(?:@(?P<anchor>\d+) 's )?(?:the )?(?P<hand>left|right|other|raised|upper|lower|front|back|one|both|open|outstretched|top|bottom|up|behind|rear|extended|far|first|bent|same|straight|lifted|forward|same)?(?: hand)? ?(?:hands?|arms?|fingers?|palms?|paws?|elbows?|finger tips)\b(?! side| corner)(?: of (?:the )?@(?P<anchor2>\d+))?"),
    ("inhand", rf"(?:@(?P<anchor>\d+) 's )?(?P<hand>left|right|other|raised|upper|lower) (?:hand|arm)\b(?! side| corner| edge| up| out| raised| in | is | on | touch| cut| down| at | above| below| over| reach| holding| to )"),
    ("onhead", rf"(?:is |are )?(?:placed )?(?:on|on top of|above|over|atop|in) (?:the |top of )*(?:@(?P<anchor>\d+) 's )?(?:head|heads|hair|face|eyes|nose)\b(?: of (?:the )?@(?P<anchor2>\d+))?(?! (?:at|above|below|on|of) (?:the )?(?:horizon|grass|sky))"),
    ("wear", r"(?:wearing|wears|wear|weari?ng|dressed in|worn by|has on|have on|with)(?= (?:the |a |an |his |her |both )*(?:(?:\w+) )?(?:@))(?=.*)"),
    ("hold", r"(?:holding|holds|hold|held|carrying|carries|grabbing|has|have|having|clutching|gripping|catching|eating|drinking|got|flying)\b"),
    # the horizon
    ("horizon", rf"(?:(?:@(?P<owner>\d+) 's )?(?:(?:the|his|her|only|top of|bottom of|tip of|left|right|lower|upper|middle of|just|back|front|both|of) )*(?P<part>{_PART}|top|bottom|tops|half|middle|center|tip|rest|most)(?: part| half| tips?| level| line| of (?:the |her |his |it |its )?(?:@\d+|head|hair|trunk|shorts|tree|body|eyes|neck))* )?(?:(?:is|are|goes|go|comes|being|also|which|that|should be|sits|starts|begins|stands) )*{_AMOUNT}(?P<adverb>(?:(?:just|slightly|right|little|bit|a|tiny|barely|almost|way|about|half|halfway|directly|even|all|completely|mostly|partly|well|totally|right|line|lined|up|smidge|tad|approximately|exactly|only|nearly|half way|midway|hair|not|w) )*)(?P<how>at|on|above|below|over|under|touching|touches|touch|crosses|crossing|across|level with|level w|even with|in line with|with|aligned with|aligns with|lines up with|line up with|in|to|by|near|from|past|meets|meet|meeting|hits|hitting|through|along|the same level as|reaches|reaching|beneath|up to|close to|covering|level|hit|into|along with|inside|beyond|underneath|next to|equal to|overlaps|overlapping|of) (?:the )?(?:horizon(?:tal)?(?: line| level)?|skyline|sky ?line|sky line|grass ?line|green line|blue line|line of (?:the )?horizon|horizon|grass horizon|edge of (?:the )?grass|grass level|top of (?:the )?(?:grass|green)|green horizon|horizons|ground line|grass top|midline|grass edge|hor)\b"),
    # off the edge
    ("whole", r"(?:fully|completely|entirely|totally|whole|all|entire|everything|100 %)(?: of)?(?: it)?(?: (?:is|are|thing|body|@\d+))*(?: all)? (?:visible|showing|seen|shown|in view|on screen|in frame|in the frame|on the screen|on page|on canvas|in|there)\b"),
    ("whole", r"(?:no|nothing|not|none)(?: (?:part|is|being|parts|it|of|edges?))* (?:cut|cuts|hidden|cropped|covered|cut off)\b(?: off)?"),
    ("cut", rf"(?P<before>(?:(?:half|halfway|most|mostly|part|parts|partly|partially|some|some of|little|bit|a|an|the|of|its|it|is|are|slightly|barely|also|just|almost|tiny|about|only|and|\d+(?:\.\d+)?|%|percent|quarter|third|thirds|quarters|three|one|two|top|bottom|left|right|upper|lower|hand|side|sides|edge|edges|corner|very|tip|end|back|front|rear|far|portion|right side|be|being|will|should|a lot|lot|much|gets|bushy|main|point|points|have|has|been|{_PART}|@\d+ 's|inch) )*)(?:cut|cuts|cutoff|cropped|crop|chopped|clipped|trimmed|sliced|off (?:of )?(?:the )?(?:screen|page|edge|frame|canvas|picture|scene|image|side|pic|left|right|top|bottom|map|field)|out of (?:the )?(?:screen|page|frame|picture|canvas|scene|image|view|sight|edge|pic|bounds)|missing|not (?:visible|showing|seen|shown|in)|offscreen|outside (?:of )?(?:the )?(?:screen|frame|picture|page|canvas|edge|scene|image)|disappear(?:s|ing)?|not be (?:seen|visible)|gone|hidden|can not see|ca not see|hanging off)\b(?P<after>(?: (?:off|out|by|at|on|from|of|in|to|into|the|a|an|its|and|bit|little|tiny|slightly|half|screen|page|frame|canvas|picture|scene|image|pic|border|side|sides|edge|edges|corner|hand|left|right|top|bottom|upper|lower|very|just|about|\d+(?:\.\d+)?|%|inch|only|part|it|some|most|of it|alot|a lot|quarter|third|far|both|margin|tip))*)"),
    ("visible", r"(?:(?:can |could |only |you |just |we |i |to )*(?:see|seeing) (?:only |about |just |the |a )*)?(?P<share>half|most|part|\d+(?:\.\d+)?(?: %)?|three quarters|quarter|two thirds|third|some|majority)(?: of)?(?: (?:it|the|a|@\d+|its|is|are|body|only|left|right|top|bottom|lower|upper|side))* (?:visible|showing|shows?|seen|in view|shown|on screen|in the frame|peeking)\b"),
    # with respect to another piece
    ("between", rf"(?:in )?(?:the )?(?:middle )?(?:in )?(?:between|betwen|inbetween|middle of|center of) {_ART}(?:{_ADJECTIVE} )*@(?P<anchor>\d+)(?: 's)?(?: {_PART})? and (?:the |a )*(?:{_ADJECTIVE} )*@(?P<anchor2>\d+)(?: 's)?(?: {_PART})?"),
    ("between", rf"(?:in )?(?:between|inbetween) (?:the )?(?:two )?@(?P<anchor>\d+)(?: 's)?"),
    ("corner", rf"{_AMOUNT}{_ADVERB}(?:to|on|at|in|near|by|off)? ?(?:the )?(?:far )?(?P<vert>upper|top|bottom|lower|above|below|down|front|back) ?(?:and |to the )?(?P<side>left|right)(?: hand)?(?: (?:side|corner|part|edge|end|tip|front|leg|of))* (?:of|from) {_ANCHOR}"),
    ("beside", rf"{_AMOUNT}{_ADVERB}(?:to|on|at|in|off|towards?)? ?(?:the )?(?:immediate |far |very |front |back )?{_LR}(?: hand)?(?: most)?(?P<sided> side| corner| edge| end| part| half| portion| tip| leg| swing)*(?: of| from| to)(?: to)? {_ANCHOR}"),
    ("beside", rf"{_ADVERB}(?:to|on|at|in) (?:the )?@(?P<anchor>\d+)(?: 's)? {_LR}(?: side)?\b(?! (?:hand|arm|foot|leg|knee|elbow|shoulder|eye|ear|paw|shoe|fingers?))"),
    ("above", rf"{_AMOUNT}{_ADVERB}(?:up )?(?:above|over|higher than|on top of|over top of|over the top of) (?:the )?(?:top of )?{_ANCHOR}"),
    ("below", rf"{_AMOUNT}{_ADVERB}(?:down )?(?:below|under|underneath|beneath|bellow|blow|lower than|undern?eath of|down from|at the bottom of|at bottom of) {_ANCHOR}"),
    ("front", rf"{_AMOUNT}{_ADVERB}(?:in|on|at|to)? ?(?:the )?(?:front|foreground)(?: side)?(?: of)? {_ANCHOR}"),
    ("behind", rf"{_AMOUNT}{_ADVERB}(?:hiding |hidden |partially hidden |standing )?(?:behind|behin|in back of|in the back of|covered by|hidden by|behind of|blocked by|in back) {_ANCHOR}"),
    ("over", rf"{_ADVERB}(?:covering|covers|cover|overlapping|overlaps|overlap|blocking|blocks|hiding|hides|obscuring|obscures) (?:up )?(?:(?:a|some|part|parts|half|most|little|bit|the|of|all|slight|tiny|small|portion|entire|\d+(?:\.\d+)?) )*{_ANCHOR}"),
    ("next", rf"{_AMOUNT}{_ADVERB}(?:next to|beside|besides|near|near to|close to|by|alongside|adjacent to|touching|touches|touch|against|along|away from|away|from|closer to|apart from|next|with) {_ANCHOR}"),
    ("level", rf"{_ADVERB}(?:(?:at|on|same|the|even|in|is|are|align|aligned|lines?|lined|parallel|level|up) )*(?:level|line|height|even|aligned|aligns|lined|lines up|parallel|lines) (?:with|as|than|to|up with) (?:the )?{_ANCHOR}"),
    ("on", rf"{_ADVERB}(?:(?:sitting|standing|sits|stands|sat|seated|perched|going|laying|lying|resting|riding|down|climbing) )*(?:on|onto|upon|atop|top of|at|up) {_ANCHOR}"),
    ("in", rf"{_ADVERB}(?:(?:sitting|standing|sits|stands|sat|seated|perched|playing|laying|lying) )*(?:in|inside|inside of|into|within) {_ANCHOR}"),
    ("edge", rf"{_AMOUNT}(?:(?:is|are|very|it) )*(?P<adverb>(?:(?:almost|nearly|not|just|barely|close to|to|really|super|quite|slightly|about|not quite|right|practically) )*)(?P<how>touching|touches|touch|close to|close|near|near to|next to|against|up against|right against|from|off|off of|away from|to|of|in from|up from|down from|over from|above|below|hugging|flush with|reaching|reaches|in|aligned with|meeting|on|at|along|by|up to) (?:the )?(?:very |far )?(?P<edges>(?:left|right|top|bottom|upper|lower|side|edge|corner)(?:(?: hand)?(?: side| edge| border| margin| line| frame| corner| of (?:the )?{_WHOLE}| of (?:the )?(?:left|right|top|bottom)| and| the| top| bottom| left| right| upper| lower| screen| page| to top| to bottom| to left| to right| to the right| to the left)*))\b(?! of (?:the )?@)(?! (?:hand|foot|leg|arm|eye|ear|shoe)\b)"),
    ("then beside", rf"(?:and |just |directly |then )*{_AMOUNT}(?:(?:just|directly|a|little|bit|slightly|immediately|over|then|further|farther|more) )*(?:(?:to|on|towards?|at) )?(?:the )?(?:far |immediate )?(?P<side>left|right)(?: side| hand side)?(?= (?:is|are|there|sits|stands|we|you)\b)"),
    ("then beside", rf"{_AMOUNT[:-1]}(?:(?:to|on|towards?|over) )?(?:the )?(?P<side>left|right)\b(?! (?:hand|edge|side|of|corner|arm|foot|leg|border))"),
    ("then", r"(?:right |directly |just |and |slightly |almost |standing )*(?P<how>below|under|underneath|beneath|above|behind|next|beside|in front|next to|on front|nearby)(?= (?:is|are|there|a|,|large|small|big|medium|with|facing|\.|and|looking|head)\b| ?[,.]|$)"),
    # how it looks
    ("size", r"(?P<size>small|smallest|medium|med|mid|middle|large|largest|big|biggest|normal|regular|full|huge|average|smal|tiny)(?: |-)(?:sized?|in size|szie)\b"),
    ("size", r"sized?(?: is| :| -)? (?P<size>small(?:est)?|medium|med|large(?:st)?|big(?:gest)?|normal)\b"),
    ("size", r"(?P<size>small|smallest|tiny|tiniest|mini|sm|medium|med|large|largest|big|biggest|huge|lg|lrg|giant|medum|median|lge)\b(?! (?:bit|part|smile|amount|space|portion|gap|sliver|distance|grin|mouth|spaces|piece|corner|area|toothy|open|smiling|teeth|triangle|blank|toe))"),
    ("size", r"(?P<size>little|middle|mid|regular size|full)(?= (?:@\d))"),
    ("trait", TRAITS),
    ("inhand", r"in (?P<hand>left|right)(?= (?:and|,|\.)|$)"),
    ("aside", r"(?:and |but |then |just )*(?:a |slightly |just |very )*(?:little|bit|slightly|tad|smidge|hair|slight)(?: bit)?(?: more)?(?: to| towards?| on)?(?: the)? (?P<side>left|right)\b(?: side)?(?! (?:hand|arm|foot|leg))(?! of)"),
    # where on the canvas
    ("adverb", r"(?<!the )(?<!on )(?<!to )(?<!far )(?<!top )(?<!bottom )(?<!upper )(?<!lower )(?<!at )(?<!in )(?<!center )(?<!middle )right (?=in |on |at |next|where|after|before|there|now|under|by |below|above|behind|beside)"),
    ("tilt", r"(?P<side>left|right)(?: hand)? (?:side|end|edge|corner|part)(?: of (?:it|table))?(?: is| being| slightly| pointing| points| a bit| a little| tilted)* (?:up|higher|high|raised|upward|elevated)\b(?! (?:than|to|on|the))"),
    ("tilt2", r"(?P<side>left|right)(?: hand)? (?:side|end|edge|corner|part)(?: of (?:it|table))?(?: is| being| slightly| pointing| points| a bit| a little| tilted)* (?:down|lower|low)\b(?! (?:than|to|on|the))"),
    ("place", rf"(?:(?:on|in|at|to|towards?|near|from|over|up|down|near|around|the|a|an|very|far|all|way|just|about|of|it|is|extreme|along|slightly|more|little|bit|almost|close|off|dead) )*(?:far|top|upper|bottom|lower|left|right|middle|mid|center|centered|corner|edge|side|sky|grass|ground|background|foreground|low|high|halfway|half way|midway|leftmost|rightmost|horizontally|vertically|field|air|front|back|lawn|the blue|the green|in blue|in green)\b(?! (?:hand|arm|foot|leg|knee|elbow|shoulder|eye|ear|paw|shoe|fingers?|arms|legs|feet)\b(?! side| corner| edge| border| margin| part))(?:(?: of| in| on| at| to| and)*(?: the| to| very| a| from| up| down| way| between| more| my| your)*(?: (?:far|top|upper|bottom|lower|left|right|hand|middle|mid|center|centered|corner|edge|side|most|sky|grass|ground|{_WHOLE}|part|half|third|quadrant|area|section|portion|horizontally|vertically|level|quarter|green|air|blue)(?! (?:hand|arm|foot|leg|knee|elbow|shoulder|eye|ear)\b(?! side| corner| edge| border| margin)))+)*(?! (?:{_PART})\b)"),
    ("hand", rf"(?:(?:@(?P<anchor>\d+) 's )|(?:the |his |her |other |with ))?(?:left|right|front|back|other|one|raised|both)? ?{_PART}\b"),
    ("next one", r"(?:and )?(?:then|after that|followed by|next comes|next is|next)\b(?! (?:to|it is done|we|done|i|you|check|all))"),
    ("join", r"(?:and|also|plus|&|then|n)\b"),
    ("is", r"(?:is|are|there|goes|'s|was|be|should|needs|need)\b"),
    ("piece", r"@(?P<number>\d+)"),
)
RULES = tuple((name, re.compile(pattern)) for name, pattern in _RULES)
_WORD = re.compile(r"\S+")


@lru_cache(maxsize=4096)
def read(message: str) -> Message:
    """A message as its phrases."""
    text, found = mentions(words(message))
    phrases: list[Phrase] = []
    at = 0
    while at < len(text):
        for rule, pattern in RULES:
            match = pattern.match(text, at)
            if match and match.end() > at:
                said = {name: value for name, value in match.groupdict().items() if value is not None}
                said["text"] = match[0]
                phrases.append(Phrase(rule, at, match.end(), said))
                at = match.end()
                break
        else:
            word = _WORD.match(text, at)
            assert word
            phrases.append(Phrase("word", at, word.end(), {"text": word[0]}))
            at = word.end()
        while at < len(text) and text[at] == " ":
            at += 1
    return Message(text, tuple(found), tuple(phrases))
