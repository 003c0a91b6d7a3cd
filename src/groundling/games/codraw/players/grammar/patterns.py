"""Building blocks of phrase patterns: word lists, repetition, and references to pieces.

In a word list an underscore is a blank within one expression. No expression of a repeated list may be
composed of others of it, or matching would take exponential time."""

from __future__ import annotations


def one(words: str) -> str:
    """Match one of these."""
    return f"(?:{'|'.join(word.replace('_', ' ') for word in dict.fromkeys(words.split()))})"


def many(words: str) -> str:
    """Match any number of these, each followed by a blank."""
    return f"(?:{one(words)} )*"


def maybe(words: str) -> str:
    """Match one of these and a blank, or nothing."""
    return f"(?:{one(words)} )?"


def more(words: str) -> str:
    """Match any number of these, each preceded by a blank."""
    return rf"(?: {one(words)}(?!\w))*"


def then(words: str) -> str:
    """Match a blank and one of these, or nothing."""
    return rf"(?: {one(words)}(?!\w))?"


NUMBER = r"\d+(?:\.\d+)?"
SIDE = "(?P<side>left|right)"
SIZE = "small(?:est)? tiny mini sm med(?:ium)? large(?:st)? big(?:gest)? huge lg lrg giant full_size"
ADJECTIVES = (
    f"{SIZE} sized? happy sad angry mad surprised shocked scared smiling crying frowning yellow red blue "
    "green white black orange brown purple pink other first second little very same sitting running kicking "
    "standing"
)
PARTS = (
    "heads? hair face hands? arms? legs? foot feet knees? shoulders? chest waist neck chin mouth lips? eyes? "
    "eyebrows? ears? nose snout elbows? armpits? belly stomach tummy hips? shorts pants shirt dress skirt "
    "butt body torso back tail trunk stump base leaves leaf branch branches roots? tip point peak strings? "
    "handles? seats? poles? bars? wheels? basket roof front beak bill paws? wrist fingers? shoes? toes? "
    "pigtails? ponytail braids? tongue thumb flames? rays? spikes? thigh shins? ankle forehead crotch collar "
    "brim rope cheeks? claws? heels? red_parts? orange_part green_part bush_part leafy_part red_tops? "
    "red_pole"
)
PART = one(PARTS)
LIMB = one("hand arm foot leg knee elbow shoulder eye ear paw shoe fingers?")
WHOLE = "screen page picture pic scene frame image canvas field photo border background edge sky grass box"
ARTICLES = many("the a an this these where both of all")
ADVERBS = many(
    "just directly right immediately slightly little bit a tiny barely almost way very about around nearly "
    "only straight partly partially maybe like mostly exactly still also far is are small tad smidge further"
)
AMOUNT_ = f"(?P<amount>{NUMBER}) (?P<unit>inch|cm|finger) {many('or_so away more apart down up')}"
AMOUNT = f"(?:{AMOUNT_})?"
_INNER = (
    rf"(?:{maybe('the its his her')}(?P<inner>left|right|top|bottom|upper|lower|middle|center|front|back|far)"
    rf"(?: (?P<inner2>left|right|center|middle|most))?{then('hand')}"
    + more(
        "half side part corner edge end portion leg swing section area pole bench tip hand foot most arm "
        "knee orange branch leaves bush triangle bottom"
    )
    + rf" of |{one('the its his her')} (?P<inner3>left|right){then('side corner end part')} )?"
)
NAMED = rf"{many(ADJECTIVES)}@(?P<anchor>\d+)"
ANCHOR = (
    rf"{ARTICLES}{_INNER}{ARTICLES}{NAMED}(?: 's)?(?: (?P<near>left|right|front|back|other|raised|kicking))?"
    rf"(?: (?P<apart>{PART}))?\b"
)
"""Another piece, and the part of it."""
HORIZON = (
    "horizon(?:tal)?(?:_line|_level)? sky_?line grass_?line green_line blue_line line_of_(?:the_)?horizon "
    "grass_horizon edge_of_(?:the_)?grass grass_level top_of_(?:the_)?(?:grass|green) "
    "green_horizon horizons ground_line grass_top midline grass_edge hor"
)
