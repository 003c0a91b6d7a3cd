"""How people stand and what face they make, from all that is said of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

LIMBS = (
    r"(?:(?:both|with|one|two|the|a|is|are|left|right|back|front|other|his|her) )*"
    r"(?:arms?|hands?|legs?|foot|feet|knees?|elbows?)(?! (?:side|corner)) (?:(?:is|are|both|one|straight|all|held|pointing|sticking|kept|slightly|placed) )*"
    r"(?:up|out|down|raised|outstretched|stretched|extended|spread|folded|kicked|curled|bent|tucked|crossed|cross|lifted|open|"
    r"in (?:the )?air|in air|in front|on (?:her |his |the )?hips?|at (?:her |his |the )?sides?|behind|forward|apart|reaching|reached|waving|over head|overhead|"
    r"to (?:the )?sides?|on @\d+ hips?|at @\d+ sides?|on side|above|together|out front|in hip|in hips|crisscross|criss crossed|wide|under|kicking)\b"
    r"(?: (?:up|out|in|front|the air|air|straight|to (?:the )?sides?|side|sides|of|him|her|forward|and down|high|wide|back|behind|other|legged))*"
    r"(?:(?: to| towards?| pointing| facing| reaching)*(?: the)? (?P<side>left|right)\b(?! of| hand| corner)(?: side)?)?"
)
TRAITS = (
    r"(?:happy|sad|angry|mad|surprised|shocked|scared|smiling|smiles?|crying|cries|frown(?:ing|s)?|upset|worried|afraid|"
    r"unhappy|smiley|tongue|teeth|toothy|grin(?:ning|s)?|laughing|excited|amazed|tears?|grumpy|cheerful|startled|frightened|"
    r"surprise|shock|shocking|anger|happily|gasping|joyful|yelling|screaming|furious|sitting|sits|sit|sat|seated|standing|stands|"
    r"stand|running|runs|run|kicking|kicks|kick|kicked|waving|waves|wave|jumping|jumps|walking|walks|kneeling|kneels|cross|crossed|"
    r"legged|indian|style|yoga|cheering|dancing|skipping|meditating|hopping|jogging|cheery|ran|raised|raising|crisscross|happily|kneel)\b"
)

_ARMS, _ARM = r"(?:arms|hands)", r"(?:arm|hand)"
_LEGS, _LEG = r"(?:legs|feet)", r"(?:leg|foot)"
_GAP = r"(?: (?:is|are|both|up|straight|all|held|stretched|sticking|right|left|pointing|high|spread|pointed|him|her|one|in))*"
_UP = r"(?:up|raised|in air|in the air|above|over|overhead|in sky|in the sky|high|lifted|upwards?)"
_OUT = r"(?:out|outstretched|extended|in front|on front|forward|reaching|stretched|straight|front|outward|ahead|spread|open|in fron)"

POSE_CUES = {
    "arms up": rf"\b{_ARMS}{_GAP} {_UP}\b|\braised {_ARMS}|\bboth (?:arms? |hands? )?(?:up|raised)",
    "arm up": rf"\b{_ARM}{_GAP} {_UP}\b|\braised? {_ARM}|\bone (?:arm |hand )?up\b|\braising {_ARM}",
    "one arm": rf"\bone {_ARM}|\b1 {_ARM}|\bother {_ARM}|\bother (?:is )?(?:down|on)",
    "both": rf"\bboth {_ARMS}|\bboth up|\bboth out",
    "arms out": rf"\b{_ARMS}{_GAP} {_OUT}\b|\boutstretched {_ARMS}|\b{_ARMS} to (?:the )?(?:front|left|right|side)\b",
    "arm out": rf"\b{_ARM}{_GAP} {_OUT}\b|\b{_ARM} to (?:the )?(?:left|right)\b",
    "arms": rf"\b{_ARMS}\b",
    "arms side": rf"\b{_ARMS} (?:at|to|by|on) (?:the |@ )?sides?\b|\b{_ARMS} down\b",
    "reaching": r"\breach(?:ing|es)?\b",
    "catch": r"\bcatch(?:ing)?\b|\bthrow(?:ing)?\b|\bpushing\b|\bgrabbing\b",
    "standing": r"\bstand(?:s|ing)?\b",
    "jumping": r"\bjump(?:s|ing)?\b|\bhopping\b|\bleaping\b",
    "cheering": r"\bcheer(?:ing|s)?\b|\bdancing\b|\bhands? raised\b|\byay\b|\bcelebrating\b",
    "waving": r"\bwav(?:e|es|ing)\b",
    "hip": r"\bhips?\b|\bwaist\b",
    "kicking": r"\bkick(?:s|ed|ing)?\b",
    "leg up": rf"\b(?:one )?{_LEG}{_GAP} (?:{_UP}|{_OUT}|kicked|kicking)\b|\braised (?:leg|foot)|\bone (?:leg|foot)\b",
    "running": r"\brun(?:s|ning)?\b|\bran\b|\bjog(?:s|ging)?\b",
    "walking": r"\bwalk(?:s|ing)?\b|\bskipping\b|\bmarching\b",
    "bent": r"\bbent\b|\bbend(?:ing)?\b",
    "position": r"\b(?:position|motion|posture|pose)\b",
    "sitting": r"\bsit(?:s|ting|ed|e)?\b|\bsat\b|\bseated\b|\bsiting\b",
    "cross": r"\bcross(?:ed|ing)?\b|\bcriss\b|\bcrisscross\b|\bfolded\b|\bcrossing\b",
    "legged": r"\blegged\b|\bstyle\b|\bindian\b|\byoga\b|\bmeditat(?:ing|ion)\b|\blotus\b",
    "kneeling": r"\bkneel(?:s|ing)?\b|\bknees\b(?! bent)|\bcurled\b|\btucked\b|\bknelt\b|\bcurl\b",
    "legs out": rf"\b{_LEGS}{_GAP} {_OUT}\b|\boutstretched legs\b|\bstretched {_LEGS}|\bstraight legs\b|\b{_LEGS} to (?:the )?(?:left|right)\b|\bstretched legs\b",
    "legs": rf"\b{_LEGS}\b",
    "behind": r"\b(?:arms?|hands?) behind\b|\bleaning back\b",
    "sliding": r"\bslid(?:e|es|ing)\b|\bswinging\b|\bgoing down\b",
    "ground": r"\bon (?:the )?(?:ground|grass|floor)\b",
    "holding": r"\bhold(?:s|ing)?\b",
    "up": r"\bup\b",
    "out": r"\bout\b",
    "air": r"\bair\b",
    "down": r"\bdown\b",
    "hand": rf"\b{_ARM}\b",
    "leg": rf"\b{_LEG}\b",
    "armpits": r"\barmpits?\b|\bunderarms?\b",
    "knees bent": r"\bknees? bent\b|\bbent knees?\b|\bbent legs?\b|\blegs? bent\b",
    "sits by": r"\b(?:lap|swing|seat|riding)\b",
}
EXPRESSION_CUES = {
    "happy": r"\bhapp(?:y|ily|iness)\b|\bcheer(?:y|ful|ing)\b|\bglad\b|\bjoy(?:ful)?\b|\bexcited\b|\bpleased\b",
    "smile": r"\bsmil(?:e|es|ing|ey|ly|ling)\b",
    "teeth": r"\bteeth\b|\btooth(?:y)?\b|\bgrin(?:s|ning)?\b|\bbig (?:happy )?smile\b|\blaugh(?:s|ing)?\b|\btongue\b|\bwide smile\b|\bopen (?:mouth )?smile\b|\bbig grin\b|\bhuge smile\b|\bvery happy\b|\blarge smile\b",
    "no teeth": r"\bno teeth\b|\bwithout teeth\b|\bnot showing\b|\bclosed\b|\bsmall smile\b|\bplain smile\b|\bno tooth\b|\bteeth not\b|\bregular smile\b|\bsimple smile\b|\bcloses?d? mouth\b|\bnot teeth\b|\bslight smile\b|\bno mouth\b",
    "showing": r"\bshow(?:s|ing)\b",
    "sad": r"\bsad(?:ly)?\b|\bunhappy\b|\bcry(?:ing)?\b|\bcries\b|\btears?\b|\bfrown(?:s|ing|y)?\b|\bupset\b|\bdepressed\b|\bdisappointed\b",
    "angry": r"\bangry\b|\bmad\b|\bmean\b|\bgrumpy\b|\banger\b|\bfurious\b|\bangrily\b|\bpissed\b|\bupset\b|\bhangry\b|\bmadly\b",
    "surprised": r"\bsurpris(?:e|ed|ing)\b|\bshock(?:ed|ing)?\b|\bscared\b|\bstartled\b|\bafraid\b|\bamazed\b|\bfrightened\b|\bawe\b|\bsuprised\b|\bastonished\b|\bterrified\b|\bgasp(?:ing)?\b|\bwow\b|\bscream(?:ing)?\b|\bsurprise\b",
    "o": r"\bo\b|\bo face\b|\bround mouth\b|\bohh?\b|\boh\b",
    "mouth open": r"\bmouth (?:is |wide |are )*open(?:ed)?\b|\bopen(?:ed)? mouth\b|\bmouth agape\b|\bagape\b",
    "worried": r"\bworr(?:y|ied)\b|\bconcerned\b|\bnervous\b|\bfrustrated\b|\bconfused\b",
    "mouth": r"\bmouth(?:ed)?\b|\bshape\b",
    "look": r"\blook\b|\bexpression\b",
    "not happy": r"\bnot (?:happy|smiling)\b",
}
_POSES = {name: re.compile(pattern) for name, pattern in POSE_CUES.items()}
_EXPRESSIONS = {name: re.compile(pattern) for name, pattern in EXPRESSION_CUES.items()}


def pose_cues(texts: Iterable[str]) -> list[str]:
    text = _plain(texts)
    return [name for name, pattern in _POSES.items() if pattern.search(text)]


def expression_cues(texts: Iterable[str]) -> list[str]:
    text = _plain(texts)
    return [name for name, pattern in _EXPRESSIONS.items() if pattern.search(text)]


def _plain(texts: Iterable[str]) -> str:
    return re.sub(r"@\d+", "@", " ".join(texts))
