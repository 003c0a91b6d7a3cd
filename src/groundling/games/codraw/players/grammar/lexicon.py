"""The lexicon of mentions (in `vocabulary/`): names, misspellings, words for several kinds, and parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from groundling.boards.english.text_tables import read_table_entries
from groundling.boards.scene import KINDS, PEOPLE

_PRONOUNS = {
    **dict.fromkeys(("he", "him", "his", "himself"), "Mike"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "Jenny"),
}
_BOTH = (
    *("kids", "children", "people", "both kids"),
    *("boy and girl", "girl and boy", "mike and jenny", "jenny and mike"),
)


class Mention(Struct, frozen=True, gc=False):
    """One or several pieces that a text mentions, as far as the words alone tell."""

    kinds: tuple[str, ...]
    """The possible kinds, the most likely first."""
    how: str = "name"
    """One of name, family, part, pronoun, both, they, it, that, all; absent if there is no such clip art."""
    owner: bool = False
    """Whether it owns what follows, as in "her" or "the boy's"."""
    word: str = ""
    part: str = ""
    """The part that was named last, as in "a tree with a hole"."""


def _read_names(table: str) -> Iterator[tuple[str, list[str]]]:
    for key, lines in read_table_entries(__package__, f"vocabulary/{table}.txt"):
        yield key, [name.strip() for name in " ".join(lines).split(",")]


def _read_families() -> Iterator[tuple[str, tuple[tuple[str, ...], list[str]]]]:
    for name, (line,) in read_table_entries(__package__, "vocabulary/families.txt"):
        members, words = line.split(" = ")
        yield name, (tuple(members.split(", ")), words.split(", "))


FAMILIES = dict(_read_families())
"""By name: the kinds, and the words that may mean each of them."""


def _build_lexicon() -> dict[tuple[str, ...], Mention]:
    found: dict[tuple[str, ...], Mention] = {}
    for table, how in (("parts", "part"), ("names", "name")):
        for kind, names in _read_names(table):
            assert kind in KINDS
            for name in names:
                found[tuple(name.split())] = Mention(
                    (kind,), how, word=name, part=name if how == "part" else ""
                )
                if how == "name" and not name.endswith("s"):
                    plural = Mention((kind,), how, owner=kind in PEOPLE, word=name)
                    found.setdefault(tuple(f"{name}s".split()), plural)
    for kinds, names in FAMILIES.values():
        found |= {tuple(name.split()): Mention(kinds, "family", word=name) for name in names}
    for word, who in _PRONOUNS.items():
        found[(word,)] = Mention((who,), "pronoun", owner=word in ("his", "her", "hers"), word=word)
    found |= {tuple(phrase.split()): Mention(PEOPLE, "both", word=phrase) for phrase in _BOTH}
    found |= {
        (word,): Mention((), "they", owner=word == "their", word=word) for word in ("they", "them", "their")
    }
    return found | {(word,): Mention((), "it", owner=word == "its", word=word) for word in ("it", "its")}


LEXICON = _build_lexicon()
LONGEST = max(map(len, LEXICON))


def lexicon_family_name(kinds: Sequence[str]) -> str:
    """Return the general word for all of these."""
    return next(name for name, (family, _) in FAMILIES.items() if set(kinds) <= set(family))


def restrict_lexicon_mention(mention: Mention, palette: frozenset[str]) -> Mention:
    """Restrict a mention to the palette. A kind outside it was misnamed and is replaced by related ones."""
    if palette.issuperset(mention.kinds):
        return mention
    kinds = [kind for kind in mention.kinds if kind in palette]
    if not kinds:
        kin = [kind for family, _ in FAMILIES.values() if mention.kinds[0] in family for kind in family]
        kinds = [kind for kind in dict.fromkeys(kin) if kind in palette]
    how = "absent" if not kinds else "name" if mention.how == "family" and len(kinds) == 1 else mention.how
    return replace(mention, kinds=tuple(kinds), how=how)
