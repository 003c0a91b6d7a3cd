"""Load prompts from `prompts/<language>/<seat>.<wording>.md` in a game's folder, or from a user's file.

A file has a section `# open` for the first message of a seat, `# turn` for later ones and `# refused` for
complaints. Where a game has several kinds of reply, `# reply KIND` says how to write one and `# about KIND`
what to know before; {reply} and {about} are replaced by the sections of the kind that is wanted. Other
fields: {view} is all that the seat sees, {board} only the board, {words} only what was said, {news} only what
was said since the seat's last turn, {complaint} why a reply was refused. A game may have more for its
`# reply` sections. The prompts of a game without such files are derived from its pack. Instances may carry
prompts of their own, of the same form. Texts of earlier versions stay in other folders of the game: runs that
were begun with them are resumed with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from groundling.core.derived import derive_hints, derive_prompt
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, choices_hint, load
from groundling.core.prompt_hints import PromptHints
from groundling.core.values import Instance, Problem, Role

FIELDS = {
    "open": {"view", "board", "words", "news", "about", "reply"},
    "turn": {"view", "board", "words", "news", "about", "reply"},
    "refused": {"complaint"},
}
KIND_FIELDS = ("about", "reply")
"""The fields with a section for each kind of reply."""
DERIVED_WORDING = "plain"
"""The only wording of a game without prompts of its own."""
_SECTION = re.compile(rf"^# ((?:(?:{'|'.join(KIND_FIELDS)}) )?\w+)\s*$", re.MULTILINE)


class Prompt(Struct, frozen=True):
    name: str
    hash: str
    open: str
    turn: str = "{view}"
    refused: str = "{complaint}"
    kinds: dict[str, str] = {}
    """The sections for kinds of reply, by title."""

    def fill_kind_fields(self, hints: PromptHints) -> dict[str, str]:
        """The fields that depend on the kind of reply that is expected."""
        return {field: self._fill_section(f"{field} {hints.section}", hints) for field in KIND_FIELDS}

    def _fill_section(self, title: str, hints: PromptHints) -> str:
        try:
            return self.kinds.get(title, "").format_map(hints.terms)
        except KeyError as unknown:
            raise Problem(
                f"prompt {self.name}, section {title} has an unknown field {{{unknown.args[0]}}}: "
                f"{choices_hint(hints.terms) if hints.terms else 'it has none'}"
            ) from None


def list_wordings(pack: Pack, role: Role, language: str) -> list[str]:
    """The wordings of a seat's prompts in a language, of which `all` plays each in turn."""
    return [name for name in _known_wordings(pack, role, language) if name not in pack.wordings.unlisted]


def _known_wordings(pack: Pack, role: Role, language: str) -> list[str]:
    if not pack.prompts and language == "en":
        return [DERIVED_WORDING]
    return sorted(
        file.name.split(".")[1]
        for file in _prompt_folder(pack, language).iterdir()
        if file.name.startswith(f"{role}.")
    )


def load_prompt(pack: Pack, role: Role, language: str, wording: str) -> Prompt:
    """Load a prompt by its wording, or from a .md file."""
    if wording.endswith(".md"):
        return read_prompt(wording, read_prompt_file(wording))
    known = _known_wordings(pack, role, language)
    if wording not in known:
        raise Problem(
            f"{pack.name} has no prompt {wording!r} for {role} in {language!r}, nor do all instances carry "
            f"one: {choices_hint(known)}, or give a .md file"
        )
    name = f"{language}/{role}.{wording}"
    if not pack.prompts:
        return read_prompt(name, derive_prompt(pack, role))
    return read_prompt(
        name, _prompt_folder(pack, language).joinpath(f"{role}.{wording}.md").read_text(encoding="utf-8")
    )


def read_prompt_file(path: str) -> str:
    """Read a text file of the user."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise Problem(f"{path} is not a text in UTF-8: save it as one") from None


CARRIED = "instance/"
"""The start of the names of prompts that instances carry."""


def carried_prompts(instances: Sequence[Instance], role: Role, wording: str) -> dict[str, Prompt]:
    """The prompts of that wording that instances carry, by the instance's id; none if some carry none."""
    texts = {one.id: one.prompts.get(wording, {}).get(role) for one in instances}
    if not all(texts.values()):
        return {}
    return {name: read_prompt(f"{CARRIED}{role}.{wording}", text or "") for name, text in texts.items()}


def no_hints(view: Any) -> PromptHints:
    return PromptHints()


def prompt_hints(pack: Pack, game: AnyGame) -> Callable[[Any], PromptHints]:
    """Return the game's function of what a prompt depends on, derived where the prompts are."""
    if pack.prompt_hints is not None:
        return load(pack.prompt_hints)
    return no_hints if pack.prompts else partial(derive_hints, pack, game)


def reload_prompt(pack: Pack, role: Role, name: str, digest: str, instance: Instance | None = None) -> Prompt:
    """Load the prompt that a log names; raise Problem if it is no longer the same."""
    language, _, file = name.partition("/")
    wording = name if name.endswith(".md") else file.removeprefix(f"{role}.")
    if name.startswith(CARRIED) and instance is not None:
        return carried_prompts([instance], role, wording)[instance.id]
    versions = [pack]
    if wording != name:
        versions += [
            version
            for version in former_prompt_versions(pack)
            if wording in _known_wordings(version, role, language)
        ]
    for version in versions:
        prompt = load_prompt(version, role, language, wording)
        if prompt.hash == digest:
            return prompt
    raise Problem(f"prompt {name} was changed since it was used: restore the text with hash {digest}")


def former_prompt_versions(pack: Pack) -> list[Pack]:
    """Return the pack with the texts of each earlier version that has any."""
    versions = [replace(pack, prompts=folder, former_prompts=()) for folder in pack.former_prompts]
    return [version for version in versions if _prompt_root(version).is_dir()]


def read_prompt(name: str, text: str) -> Prompt:
    head, *parts = _SECTION.split(text)
    sections = {title: body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}
    kinds = {title: sections.pop(title) for title in list(sections) if " " in title}
    strange = sorted(sections.keys() - FIELDS.keys())
    if head.strip() or strange or "open" not in sections:
        raise Problem(
            f"prompt {name} needs a section '# open', "
            "and may have '# turn', '# refused', '# about …' and '# reply …', nothing else"
        )
    for title, body in (sections | kinds).items():
        try:
            used = {field for _, field, _, _ in Formatter().parse(body) if field is not None}
        except ValueError as trouble:
            raise Problem(
                f"prompt {name}, section {title}: {trouble}; write a brace as {{{{ or }}}}"
            ) from None
        unknown = sorted(used - FIELDS.get(title, used))
        if unknown:
            raise Problem(
                f"prompt {name}, section {title} has an unknown field {{{unknown[0]}}}: "
                f"{choices_hint(FIELDS[title])}"
            )
    return Prompt(name, sha256(text.encode()).hexdigest()[:16], **sections, kinds=kinds)


def _prompt_folder(pack: Pack, language: str) -> Traversable:
    root = _prompt_root(pack) if pack.prompts else None
    languages = sorted(folder.name for folder in root.iterdir()) if root and root.is_dir() else []
    if root is None or language not in languages:
        has = choices_hint(languages) if languages else "give a .md file with prompt=FILE"
        raise Problem(f"{pack.name} has no prompts in language {language!r}: {has}")
    return root.joinpath(language)


def _prompt_root(pack: Pack) -> Traversable:
    package, _, folder = pack.prompts.partition(":")
    return files(package).joinpath(folder or "prompts")
