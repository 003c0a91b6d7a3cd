"""Records phrases as facts about pieces: the subjects, what they hold and wear, hands and seats."""

from __future__ import annotations

import re

from groundling.boards.scene import CATEGORY, PEOPLE
from groundling.games.codraw.players.grammar.coreference import ReferenceResolver
from groundling.games.codraw.players.grammar.facts import DiscourseState, Fact
from groundling.games.codraw.players.grammar.lookahead import PLACE_RULES, Lookahead
from groundling.games.codraw.players.grammar.phrases import ParsedMessage, Phrase

_PERSONAL = ("trait", "eachother", "hand")
_ON_OR_IN = re.compile(r"(?:is |sitting |sits )?(?:on|in)\b")


class FactCollector(ReferenceResolver):
    def __init__(self, memory: DiscourseState, message: ParsedMessage) -> None:
        super().__init__(memory, message)
        self.phrases, self.ahead = message.phrases, Lookahead(message)
        self.placed = False
        """Whether this message has placed the subject."""

    def record_phrase(self, phrase: Phrase, whom: list[str]) -> None:
        if phrase.rule in _PERSONAL:
            whom = [kind for kind in whom if kind in PEOPLE] or self.last_person()
        if owner := phrase.said_value("owner"):
            whom = self.resolve_mention(int(owner)) or whom
        anchors: list[str] = [phrase.said["kind"]] if "kind" in phrase.said else []
        for name in ("anchor", "anchor2"):
            if (number := phrase.said_value(name)) and "kind" not in phrase.said:
                anchors += self.resolve_mention(int(number), besides=whom, anchor=True)
        if phrase.said_value("anchor") and not anchors:
            return
        for kind in anchors:
            if kind not in self.memory.known:
                self.facts.append(Fact(kind, "named"))
                self.note_kinds([kind])
        self.placed = self.placed or phrase.rule in PLACE_RULES
        if phrase.rule not in _PERSONAL:
            self.record_words(phrase)
        for kind in whom:
            others = tuple(anchor for anchor in anchors if anchor != kind)
            if others or not anchors:
                self.facts.append(Fact(kind, phrase.rule, phrase.said, others))

    def record_words(self, phrase: Phrase) -> None:
        """Record words about people, which may tell their pose and expression."""
        self.facts += [Fact(kind, "word", phrase.said) for kind in self.subjects if kind in PEOPLE]

    def record_holding(self, kinds: list[str]) -> None:
        holder = self.current_holder()
        for kind in kinds:
            rule = "worn" if CATEGORY[kind] == "clothing" else "held"
            self.facts += [Fact(kind, "named"), Fact(kind, rule, {}, (holder,) if holder else ())]
        self.thing = kinds[-1]

    def record_on_body(self, phrase: Phrase) -> None:
        """ "In her left hand", "on his head": record it for what was named last."""
        owner = phrase.said_value("anchor") or phrase.said_value("anchor2")
        whose = self.resolve_mention(int(owner)) if owner else []
        things = [self.thing] if self.thing else [kind for kind in self.subjects if kind not in PEOPLE]
        person = whose or self.last_person()
        rule = "inhand" if phrase.rule == "inhand" else "worn"
        self.facts += [Fact(kind, rule, phrase.said, tuple(person)) for kind in things if kind not in person]

    def record_swap(self, phrase: Phrase) -> None:
        kinds = [
            kind
            for name in ("one", "two")
            if name in phrase.said
            for kind in self.resolve_mention(int(phrase.said[name]))
        ]
        if len(kinds) == 2:
            self.facts.append(Fact(kinds[0], "swap", {}, (kinds[1],)))

    def record_part_side(self, phrase: Phrase, part: str) -> None:
        side = next((word for word in phrase.said["text"].split() if word in ("left", "right")), None)
        if side and self.subjects:
            self.facts.append(
                Fact(self.subjects[-1], "partside", {"side": side, "part": part, "text": phrase.said["text"]})
            )

    def record_hand_side(self, thing: str, phrase: Phrase, side: str) -> bool:
        """ "Holding a ball on the left" is a hand, not a place on the canvas."""
        holder = self.current_holder()
        if not holder or CATEGORY[thing] not in ("food", "toy"):
            return False
        self.facts.append(Fact(thing, "inhand", {"hand": side, "text": phrase.said["text"]}, (holder,)))
        return True

    def record_seat(self, number: int, phrase: Phrase, side: str) -> bool:
        """ "On the left swing" is a seat, not a place on the canvas."""
        follows = number + 1 < len(self.phrases) and self.phrases[number + 1].rule == "piece"
        if not follows or not _ON_OR_IN.match(phrase.said["text"]):
            return False
        if self.ahead.mention_at(number + 1).kinds != ("swing",) or "swing" not in self.memory.known:
            return False
        said = {"text": phrase.said["text"], "kind": "swing", "inner": side}
        self.record_phrase(Phrase("on", phrase.start, phrase.end, said), self.subjects)
        return True
