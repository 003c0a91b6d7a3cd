"""Assigns every phrase of a message to the piece that it is about."""

from __future__ import annotations

import re

from groundling.boards.scene import CATEGORY
from groundling.games.codraw.players.grammar.fact_collector import FactCollector
from groundling.games.codraw.players.grammar.facts import DiscourseState, Fact
from groundling.games.codraw.players.grammar.lookahead import PLACE_RULES
from groundling.games.codraw.players.grammar.phrases import ParsedMessage, Phrase

_LOOSE = ("front", "behind", "in", "on", "next", "above", "below", "over", "level")
_THEN = {
    "under": "below",
    "underneath": "below",
    "beneath": "below",
    "in front": "front",
    "on front": "front",
}
_THEN |= dict.fromkeys(("nearby", "beside", "next to"), "next")
_SMALL = ("food", "toy", "clothing")
_SIDE_ALONE = re.compile(r"(?:is |are |on |at |in |to |the |just |more )*(left|right)(?: hand)?(?: side)?")


def read_message_facts(memory: DiscourseState, message: ParsedMessage) -> list[Fact]:
    """Return the facts of a message, and update the discourse state."""
    return MessageReader(memory, message).collect_facts()


class MessageReader(FactCollector):
    def __init__(self, memory: DiscourseState, message: ParsedMessage) -> None:
        super().__init__(memory, message)
        self.waiting: list[Phrase] = []
        """Phrases for the piece that comes next."""
        self.fresh = False
        """Whether a subject was named since the last full stop."""
        self.denied = False
        self.moving = False

    def collect_facts(self) -> list[Fact]:
        for number, phrase in enumerate(self.phrases):
            self._take_phrase(number, phrase)
        for phrase in self.waiting:
            self.record_phrase(phrase, self.subjects)
        self.memory.focus = list(self.subjects)
        return self.facts

    def _take_phrase(self, number: int, phrase: Phrase) -> None:
        rule = phrase.rule
        match rule:
            case "place" | "edge" | "face" if part := self.ahead.preceding_part(number):
                self.record_part_side(phrase, part)
            case "piece":
                self._take_piece(number, phrase)
            case "stop":
                self.fresh, self.thing, self.denied, self.moving = False, None, False, False
            case "next one":
                self.thing = None
                if self.subjects and self.ahead.leads_to_piece(number)[0]:
                    self._queue_phrase("after", phrase, {"kind": self.subjects[-1]})
            case "comma":
                self.thing = None
            case "shift":
                self._take_shift(number, phrase)
            case "not":
                self.denied = True
            case "move":
                self.moving = True
            case "then":
                self._take_relative(number, phrase)
            case "then beside":
                self._take_beside(number, phrase)
            case "inhand" | "onhead":
                self.record_on_body(phrase)
            case "hold" | "wear" | "is" | "adverb" | "word" | "listing":
                self.record_words(phrase)
            case "swap":
                self.record_swap(phrase)
            case "size" | "trait" | "flip" | "remove" | "bigger" | "smaller" if self.ahead.is_before_piece(
                number
            ):
                self.waiting.append(phrase)
            case _ if rule in PLACE_RULES:
                self._take_place(number, phrase)
            case _ if rule != "join":
                self.record_phrase(phrase, self.subjects)

    def _queue_phrase(self, rule: str, phrase: Phrase, said: dict[str, str]) -> None:
        self.waiting.append(Phrase(rule, phrase.start, phrase.end, {**phrase.said, **said}))

    # pieces

    def _take_piece(self, number: int, phrase: Phrase) -> None:
        mention = self.ahead.mention_at(number)
        kinds = self.resolve_mention(int(phrase.said["number"]))
        if mention.how == "absent":
            self.subjects, self.thing, self.waiting = [], None, []
        if not kinds or (mention.owner and not self.denied and mention.how != "part"):
            return
        if self.denied:
            self.facts += [Fact(kind, "denied") for kind in kinds]
            self.denied = False
            return
        if mention.how == "part":
            self.facts.append(Fact(kinds[0], "named"))
            self.note_kinds(kinds)
            self.subjects = self.subjects if set(kinds) <= set(self.subjects) else kinds
            return
        before = self.phrases[number - 1].rule if number else ""
        last = self.ahead.last_rule(number)
        if last in ("hold", "wear") and self.current_holder() and CATEGORY[kinds[0]] in ("animal", *_SMALL):
            self.record_holding(kinds)
        elif (
            last == "piece"
            and before in ("join", "comma")
            and mention.how != "pronoun"
            and self._continues_list(kinds)
        ):
            self.facts += [Fact(kind, "named") for kind in kinds]
            self.subjects = [*self.subjects, *kinds]
        elif (
            self.thing is not None
            and before == "join"
            and CATEGORY[kinds[0]] in _SMALL
            and self.current_holder()
        ):
            self.record_holding(kinds)
        else:
            self._switch_subject(kinds)
        self.note_kinds(kinds)
        self.fresh = True
        waiting, self.waiting = self.waiting, []
        for earlier in waiting:
            self.record_phrase(earlier, [self.thing] if self.thing else self.subjects)

    def _continues_list(self, kinds: list[str]) -> bool:
        """Tell whether the kinds continue a list of subjects: "a boy and a girl are…"."""
        return self.thing is None and self.fresh and not self.waiting and not set(kinds) & set(self.subjects)

    def _switch_subject(self, kinds: list[str]) -> None:
        if kinds != self.subjects:
            self.previous = self.subjects
        self.subjects, self.thing, self.placed = kinds, None, False
        self.facts += [Fact(kind, "named") for kind in kinds]

    # where they are

    def _take_place(self, number: int, phrase: Phrase) -> None:
        last = self.phrases[number - 1] if number else None
        side = _plain_side(phrase)
        text = phrase.said["text"]
        if side and last and "anchor" in last.said and last.rule in _LOOSE:
            said = {"text": text, "side": side, "anchor": last.said["anchor"]}
            self._assign_place(number, Phrase("aside", phrase.start, phrase.end, said))
            phrase = Phrase("place", phrase.start, phrase.end, {"text": text, "after": True})
        elif (side and self.record_seat(number, phrase, side)) or (
            side
            and self.thing
            and last
            and last.rule == "piece"
            and self.record_hand_side(self.thing, phrase, side)
        ):
            return
        self._assign_place(number, phrase)

    def _assign_place(self, number: int, phrase: Phrase) -> None:
        """Assign a place to the piece that follows, or to the current subject."""
        leads, through_is = self.ahead.leads_to_piece(number)
        before = self.phrases[number - 1].rule if number else "stop"
        if not self.fresh:
            later = leads or self.ahead.has_piece_later(number, not self.seen)
        elif before in ("comma", "join", "stop"):
            later = leads
        else:
            later = leads and (self.placed or through_is)
        if later:
            self.waiting.append(phrase)
        elif self.thing and before == "piece" and phrase.rule in ("on", "in", "above", "next"):
            self.record_phrase(phrase, [self.thing])
        else:
            self.record_phrase(phrase, self.subjects)

    def _take_shift(self, number: int, phrase: Phrase) -> None:
        """ "Up a bit" moves a piece after a verb of moving, "higher" always; else "left" is a place."""
        way = phrase.said["way"]
        if way in ("raise", "lower", "drop") and self.ahead.is_before_piece(number):
            self.waiting.append(phrase)
        elif (
            self.moving
            or way in ("higher", "lower")
            or re.search(r"more|over|further|farther", phrase.said.get("bit", ""))
        ):
            self.record_phrase(phrase, self.subjects)
        elif way in ("left", "right"):
            self._take_place(number, Phrase("place", phrase.start, phrase.end, {"text": phrase.said["text"]}))
        else:
            self.record_words(phrase)

    def _take_relative(self, number: int, phrase: Phrase) -> None:
        """ "Below is a…" relates to what was named last; "a boy below" to what was named before the boy."""
        how = _THEN.get(phrase.said["how"], phrase.said["how"])
        leads = self.ahead.leads_to_piece(number)[0]
        near = ([self.thing] if self.thing else self.subjects) if leads else self.previous
        if near and leads:
            self._queue_phrase(how, phrase, {"kind": near[-1]})
        elif near:
            self.record_phrase(
                Phrase(how, phrase.start, phrase.end, {"text": phrase.said["text"], "kind": near[-1]}),
                self.subjects,
            )

    def _take_beside(self, number: int, phrase: Phrase) -> None:
        """ "To the right is a…" relates to what was named last, or to the canvas."""
        leads, _ = self.ahead.leads_to_piece(number)
        near = self.subjects if leads else self.previous
        if not near or ("on " in phrase.said["text"] and "amount" not in phrase.said):
            self._take_place(number, Phrase("place", phrase.start, phrase.end, {"text": phrase.said["text"]}))
        elif leads:
            self._queue_phrase("then beside", phrase, {"kind": near[-1]})
        else:
            self.record_phrase(
                Phrase("then beside", phrase.start, phrase.end, {**phrase.said, "kind": near[-1]}),
                self.subjects,
            )


def _plain_side(phrase: Phrase) -> str:
    """Return left or right if the phrase states nothing else."""
    if phrase.rule == "aside":
        return str(phrase.said["side"])
    found = _SIDE_ALONE.fullmatch(phrase.said["text"]) if phrase.rule in ("place", "edge") else None
    return found[1] if found and "amount" not in phrase.said else ""
