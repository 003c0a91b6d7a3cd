"""Finds the mentions of pieces in the tokens of a message."""

from __future__ import annotations

from collections.abc import Sequence
from string import digits

from msgspec.structs import replace

from groundling.games.codraw.players.grammar.lexicon import FAMILIES, LEXICON, LONGEST, Mention


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BODY = _word_set(
    "left right front back other raised upper lower head heads hair face hand hands arm arms leg legs foot "
    "feet knee knees shoulder shoulders chest waist neck chin mouth lips eye eyes eyebrows eyebrow ears ear "
    "nose elbow elbows armpit armpits belly stomach hip hips shorts pants shirt dress skirt butt body torso "
    "tail trunk tip top bottom paw paws wrist fingers finger shoe shoes toe toes pigtail pigtails ponytail "
    "tongue thumb thigh forehead lap kicking crossed side palm braid hole opening"
)
"""Words that follow an owner."""
_BEFORE_THAT = _word_set("under below above behind of to beside near underneath beneath by over with from")
_AFTER_THAT = _word_set("is are there , . a an and the in on boy girl at to large small medium big")
_BEFORE_TRUNK = _word_set(
    "of front behind covering covers touching beside to near by touches against over from on under"
)
_TRUNKS = (("tree", "trunk"), ("tree", "stump"), ("trees", "trunk"))
_THINGS = _word_set("items objects things pieces of figures")
_BEFORE_ALL = _word_set("move make bring shift with")
_AFTER_ALL = _word_set("is are should needs smaller bigger one down up large medium small larger")
_STARTS = _word_set(". , and then just please to also ; or")
_JOINTS = (
    ("with",),
    ("w",),
    ("that", "is"),
    ("which", "is"),
    ("has",),
    ("having",),
    ("that", "has"),
    ("is",),
)
_BETWEEN = _word_set("a the an red big small on it")


def find_mentions(words: Sequence[str]) -> tuple[str, list[Mention]]:
    """Return the text with every mention as `@0`, `@1`…, and the mentions."""
    finder = _MentionFinder(words)
    while finder.at < len(words):
        finder.take_next()
    return " ".join(finder.text), finder.found


class _MentionFinder:
    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.found: list[Mention] = []
        self.text: list[str] = []
        self.at = 0

    def take_next(self) -> None:
        """Consume one word, or all words of a mention."""
        special = next(
            (
                found
                for found in (self._match_that(), self._match_everything(), self._match_trunk())
                if found[0]
            ),
            None,
        )
        if self._is_verb():
            self._skip_word()
        elif special:
            self._add_mention(special[1], special[0])
        elif size := self._name_length():
            self._take_noun(size)
        else:
            self._skip_word()

    def _skip_word(self) -> None:
        self.text.append(self.words[self.at])
        self.at += 1

    def _word_ahead(self, ahead: int = 1) -> str:
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def _add_mention(self, mention: Mention, size: int) -> None:
        self.text.append(f"@{len(self.found)}")
        self.found.append(mention)
        self.at += size

    def _match_that(self) -> tuple[int, Mention]:
        """Match "under that is a…"."""
        there = self.words[self.at] in ("that", "this") and self.text[-1:] and self.text[-1] in _BEFORE_THAT
        return int(bool(there) and (not self._word_ahead() or self._word_ahead() in _AFTER_THAT)), Mention(
            (), "that", word="that"
        )

    def _match_everything(self) -> tuple[int, Mention]:
        """Match "move everything down"."""
        word = self.words[self.at]
        size = 1 if word == "everything" else 2 if word == "all" and self._word_ahead() in _THINGS else 0
        before = bool(self.text) and self.text[-1] in _BEFORE_ALL
        return size if size and (before or self._word_ahead(size) in _AFTER_ALL) else 0, Mention(
            (), "all", word="all"
        )

    def _match_trunk(self) -> tuple[int, Mention]:
        """Match "in front of the trunk", which refers to a tree."""
        word = self.words[self.at]
        size = 2 if (word, self._word_ahead()) in _TRUNKS else int(word in ("trunk", "stump"))
        near = any(word in _BEFORE_TRUNK for word in self.text[-2:])
        return size if near else 0, Mention(FAMILIES["tree"][0], "family", word="trunk")

    def _name_length(self) -> int:
        """Return the number of words from here on that form a name."""
        left = min(LONGEST, len(self.words) - self.at)
        return next((n for n in range(left, 0, -1) if tuple(self.words[self.at : self.at + n]) in LEXICON), 0)

    def _take_noun(self, size: int) -> None:
        end = self.at + size
        mention = _with_owner(LEXICON[tuple(self.words[self.at : end])], self.words[end : end + 2])
        last = f"@{len(self.found) - 1}"
        if self.found and self.text[-1] != last and (joined := self._join_mention(mention)):
            self.found[-1] = joined
            del self.text[self.text.index(last) + 1 :]
            self.at = end
        elif self.found and self.text[-1] == last and _is_same_thing(self.found[-1], mention):
            self.found[-1] = _merge_mentions(self.found[-1], mention)
            self.at = end
        else:
            self._add_mention(mention, size)
        if self.words[self.at : self.at + 1] in (["'s"], ["'"]):
            self.at += 1
            self.text.append("'s" if self.found[-1].owner else "is")
        elif self.found[-1].owner and mention.owner:
            self.text.append("'s")

    def _join_mention(self, mention: Mention) -> Mention | None:
        """Merge "a tree with a hole" or "a cloud that is raining": the second mention narrows the first."""
        last = self.found[-1]
        if last.how != "family" or mention.how not in ("name", "part") or mention.kinds[0] not in last.kinds:
            return None
        between = self.text[self.text.index(f"@{len(self.found) - 1}") + 1 :]
        if tuple(word for word in between if word not in _BETWEEN) not in _JOINTS:
            return None
        return Mention(
            mention.kinds, "name", word=last.word, part=mention.word if mention.how == "part" else ""
        )

    def _is_verb(self) -> bool:
        """Recognise "slide the girl left", "three steps up", "on the same plane"."""
        word, before = self.words[self.at], self.words[self.at - 1] if self.at else "."
        if word in ("slide", "swing"):
            after = [
                word for word in (self._word_ahead(1), self._word_ahead(2)) if word not in ("the", "your")
            ]
            known = LEXICON.get((after[0],)) if after else None
            return before in _STARTS and known is not None and known.how != "part"
        if word in ("step", "steps"):
            return before[0] in digits or before in ("few", "two", "three", "one")
        return word == "plane" and before == "same"


def _with_owner(mention: Mention, following: Sequence[str]) -> Mention:
    """Mark an owner: "her hand" and "the boy's hand", but not "next to her" and "the boy's on the left"."""
    if following[:1] in (["'s"], ["'"]) and mention.how != "part":
        owner = following[1:2] != [] and following[1] in _BODY
    elif mention.owner:
        owner = following[:1] != [] and following[0] in _BODY
    else:
        return mention
    return mention if owner == mention.owner else replace(mention, owner=owner)


def _is_same_thing(last: Mention, mention: Mention) -> bool:
    """Tell whether adjacent mentions are one thing: "tree oak", "sandbox mound"."""
    if not {last.how, mention.how} <= {"name", "family", "part"}:
        return False
    return mention.kinds[0] in last.kinds or last.kinds[0] in mention.kinds


def _merge_mentions(last: Mention, mention: Mention) -> Mention:
    if last.how == "family":
        return mention
    return replace(last, part=mention.word) if mention.how == "part" else last
