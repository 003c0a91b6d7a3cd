"""Lookahead: decides whether a phrase is about the piece named before or the one that follows."""

from __future__ import annotations

from groundling.games.codraw.players.grammar.lexicon import Mention
from groundling.games.codraw.players.grammar.phrases import ParsedMessage

SKIPPED_RULES = ("is", "size", "trait", "adverb", "word", "hand")
PLACE_RULES = frozenset(("place", "edge", "beside", "above", "below", "front", "behind", "next", "between"))
PLACE_RULES |= {"on", "in", "corner", "over", "level", "aside"}
_BACK_REFERENCES = ("part", "pronoun", "it")
"""Mentions that refer back."""
_ADJECTIVES = frozenset(("a", "an", "the", "colored", "looking", "face", "faced", "plain", "sized", "size"))
_ADJECTIVES |= {"yellow", "with", "both", "whole", "and", "very"}


class Lookahead:
    def __init__(self, message: ParsedMessage) -> None:
        self.phrases, self.mentions = message.phrases, message.mentions

    def mention_at(self, number: int) -> Mention:
        """Return the mention of a phrase of the rule "piece", which `number` must be."""
        return self.mentions[int(self.phrases[number].said["number"])]

    def leads_to_piece(self, number: int) -> tuple[bool, bool]:
        """Tell whether a piece follows without a break, and whether after "is" ("left of it is a…")."""
        through, near = False, True
        for later in range(number + 1, len(self.phrases)):
            rule = self.phrases[later].rule
            if rule == "piece":
                mention = self.mention_at(later)
                return mention.how != "part" and not mention.owner and (near or through), through
            if rule in ("comma", "stop", "join"):
                break
            if rule == "is":
                through = True
            elif rule not in SKIPPED_RULES and rule not in PLACE_RULES:
                near, through = False, False
        return False, through

    def has_piece_later(self, number: int, first: bool) -> bool:
        """Tell whether a new piece follows before the next full stop with only places between; in the
        first sentence of a message also after the stop."""
        for later in range(number + 1, len(self.phrases)):
            rule = self.phrases[later].rule
            if rule == "piece":
                return self.mention_at(later).how not in _BACK_REFERENCES
            if (
                rule not in SKIPPED_RULES
                and rule not in PLACE_RULES
                and rule not in ("comma", "whole", "cut")
            ):
                return rule == "stop" and first and self._has_piece_after_stop(number)
        return False

    def _has_piece_after_stop(self, number: int) -> bool:
        """ "Left side. A big boy…": a place alone, then a piece without a place before it."""
        stopped = False
        for later in range(number + 1, len(self.phrases)):
            rule = self.phrases[later].rule
            if rule == "piece":
                return stopped and self.mention_at(later).how not in _BACK_REFERENCES
            if rule == "stop":
                stopped = True
            elif rule not in ("size", "trait", "word", "is") and (stopped or rule not in PLACE_RULES):
                return False
        return False

    def is_before_piece(self, number: int) -> bool:
        """Tell whether the phrase is an adjective of the next piece."""
        about_it = self.phrases[number].rule not in ("size", "trait")
        for later in range(number + 1, len(self.phrases)):
            phrase = self.phrases[later]
            if phrase.rule == "piece":
                mention = self.mention_at(later)
                return (
                    not mention.owner
                    and mention.how != "part"
                    and (about_it or mention.how not in ("pronoun", "it"))
                )
            if phrase.rule == "word" and phrase.said["text"] in _ADJECTIVES:
                continue
            if phrase.rule not in ("size", "trait"):
                return False
        return False

    def preceding_part(self, number: int) -> str:
        """Return the part that was just named: "the hole is on the left" does not place the tree."""
        for earlier in range(number - 1, max(0, number - 3) - 1, -1):
            rule = self.phrases[earlier].rule
            if rule == "piece":
                return self.mention_at(earlier).part
            if rule not in ("is", "word"):
                break
        return ""

    def last_rule(self, number: int) -> str:
        """Return the rule of the phrase before, skipping adjectives."""
        idle = ("size", "trait", "word", "join", "comma", "is", "adverb", "hand")
        return next(
            (phrase.rule for phrase in reversed(self.phrases[:number]) if phrase.rule not in idle), ""
        )
