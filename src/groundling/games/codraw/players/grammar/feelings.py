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
_OUT = r"(?:out|outstretched|extended|in front|on front|forward|reaching|stretched|straight|front|outward|ahead|spread|open)"

SIDE, UP, KICK, RUN, CROSSED, SITTING, WAVE = range(7)
ANGRY, WIDE, SMILE, SAD, SURPRISED = range(5)

_POSES: dict[str, dict[int, int]] = {
    rf"\b{_ARMS}{_GAP} {_UP}\b|\braised {_ARMS}|\bboth (?:arms? |hands? )?(?:up|raised)": {UP: 4},
    rf"\b{_ARM}{_GAP} {_UP}\b|\brais(?:ed?|ing) {_ARM}|\bone (?:arm |hand )?up\b": {WAVE: 3, CROSSED: 2},
    rf"\b(?:one|1|other) {_ARM}|\bother (?:is )?(?:down|on)": {WAVE: 2},
    rf"\b{_ARMS}{_GAP} {_OUT}\b|\boutstretched {_ARMS}|\b{_ARMS} to (?:the )?(?:front|left|right|side)\b": {SIDE: 3, CROSSED: 1},
    rf"\b{_ARM}{_GAP} {_OUT}\b|\b{_ARM} to (?:the )?(?:left|right)\b": {SIDE: 1, WAVE: 2},
    r"\breach(?:ing|es)?\b": {SIDE: 4},
    r"\bcatch(?:ing)?\b|\bthrow(?:ing)?\b|\bpushing\b|\bgrabbing\b": {SIDE: 2, WAVE: 1},
    r"\bstand(?:s|ing)?\b": {SIDE: 3, UP: 2, WAVE: 3, RUN: 2, KICK: 1},
    r"\bjump(?:s|ing)?\b|\bhopping\b|\bleaping\b": {UP: 6},
    r"\bcheer(?:ing|s)?\b|\bdancing\b|\byay\b|\bcelebrating\b": {UP: 5},
    r"\bair\b": {UP: 3, WAVE: 1},
    r"\bwav(?:e|es|ing)\b": {WAVE: 6},
    r"\bhips?\b|\bwaist\b": {WAVE: 3},
    r"\bkick(?:s|ed|ing)?\b": {KICK: 9},
    rf"\b(?:one )?{_LEG}{_GAP} (?:{_UP}|{_OUT}|kicked|kicking)\b|\braised (?:leg|foot)|\bone (?:leg|foot)\b": {KICK: 5},
    r"\brun(?:s|ning)?\b|\bran\b|\bjog(?:s|ging)?\b": {RUN: 9},
    r"\bwalk(?:s|ing)?\b|\bskipping\b|\bmarching\b": {RUN: 4, KICK: 3},
    r"\bbent\b|\bbend(?:ing)?\b": {RUN: 4},
    rf"\b{_ARMS} (?:at|by|on) (?:the |@ )?sides?\b": {RUN: 3},
    r"\bsit(?:s|ting|ed|e)?\b|\bsat\b|\bseated\b|\bsiting\b": {CROSSED: 6, SITTING: 7},
    r"\bcross(?:ed|ing)?\b|\bcriss\b|\bcrisscross\b|\bfolded\b": {CROSSED: 7},
    r"\blegged\b|\bstyle\b|\bindian\b|\byoga\b|\bmeditat(?:ing|ion)\b|\blotus\b": {CROSSED: 6},
    r"\bkneel(?:s|ing)?\b|\bknees\b(?! bent)|\bcurl(?:ed)?\b|\btucked\b|\bknelt\b": {CROSSED: 6},
    rf"\b{_LEGS}{_GAP} {_OUT}\b|\b(?:outstretched|stretched|straight) {_LEGS}\b|\b{_LEGS} to (?:the )?(?:left|right)\b": {SITTING: 7},
    r"\b(?:arms?|hands?) behind\b|\bleaning back\b": {SITTING: 4},
    r"\bslid(?:e|es|ing)\b|\bswinging\b|\bgoing down\b": {SITTING: 5},
    r"\b(?:lap|swing|seat|riding)\b": {SITTING: 2, CROSSED: 1},
    r"": {SIDE: 1},
}
"""For which poses what is said speaks, and how much. Who stands may do much with their arms."""

_FACES: dict[str, dict[int, int]] = {
    r"\bhapp(?:y|ily|iness)\b|\bcheer(?:y|ful|ing)\b|\bglad\b|\bjoy(?:ful)?\b|\bexcited\b|\bpleased\b": {WIDE: 5, SMILE: 5},
    r"\bsmil(?:e|es|ing|ey|ly|ling)\b": {WIDE: 5, SMILE: 6},
    r"\bteeth\b|\btooth(?:y)?\b|\bgrin(?:s|ning)?\b|\blaugh(?:s|ing)?\b|\btongue\b|\bvery happy\b": {WIDE: 5},
    r"\b(?:big|wide|open|large|huge|open mouth)(?: happy)? (?:smile|grin)\b": {WIDE: 4},
    r"\b(?:no|without|not|not showing|no showing) (?:teeth|tooth|mouth)\b|\bteeth (?:are |is )?not\b|\bclosed?\b": {SMILE: 9, WIDE: -5},
    r"\b(?:small|plain|regular|simple|slight|little|closed) smile\b": {SMILE: 5},
    r"\bsad(?:ly)?\b|\bunhappy\b|\bcr(?:y|ying|ies)\b|\btears?\b|\bfrown(?:s|ing|y)?\b|\bdepressed\b|\bdisappointed\b": {SAD: 9},
    r"\bupset\b": {SAD: 5, ANGRY: 4},
    r"\bangry\b|\bmad(?:ly)?\b|\bmean\b|\bgrumpy\b|\banger\b|\bfurious\b|\bangrily\b|\bpissed\b": {ANGRY: 10},
    r"\bsurpris(?:e|ed|ing)\b|\bshock(?:ed|ing)?\b|\bscared\b|\bstartled\b|\bafraid\b|\bamazed\b|\bfrightened\b": {SURPRISED: 9},
    r"\bawe\b|\bsuprised\b|\bastonished\b|\bterrified\b|\bgasp(?:ing)?\b|\bwow\b|\bscream(?:ing)?\b": {SURPRISED: 9},
    r"\boh?h?\b|\bround mouth\b|\bmouth (?:is |wide |are )*open(?:ed)?\b|\bopen(?:ed)? mouth\b|\bagape\b": {SURPRISED: 4},
    r"\bworr(?:y|ied)\b|\bconcerned\b|\bnervous\b|\bfrustrated\b|\bconfused\b": {SAD: 5, SURPRISED: 4},
    r"\bmouth(?:ed)?\b|\bshape\b": {SURPRISED: 2},
    r"\bnot (?:happy|smiling)\b": {WIDE: -9, SMILE: -9, ANGRY: 2},
    r"": {SMILE: 1},
}
_POSE_RULES = tuple((re.compile(pattern), votes) for pattern, votes in _POSES.items())
_FACE_RULES = tuple((re.compile(pattern), votes) for pattern, votes in _FACES.items())


def pose(texts: Iterable[str]) -> int:
    return _elected(_POSE_RULES, _plain(texts), 7)


def expression(texts: Iterable[str]) -> int:
    return _elected(_FACE_RULES, _plain(texts), 5)


def _elected(rules: Iterable[tuple[re.Pattern[str], dict[int, int]]], text: str, count: int) -> int:
    votes = [0] * count
    for pattern, found in rules:
        if pattern.search(text):
            for number, points in found.items():
                votes[number] += points
    return max(range(count), key=votes.__getitem__)


def _plain(texts: Iterable[str]) -> str:
    return re.sub(r"@\d+", "@", " ".join(texts))
