"""The prompts of clembench's instances as prompt files of ours, and the tags and labels that they want."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from groundling.core.values import Role
from groundling.games.image.rules import FOLLOWER, GIVER, INSTRUCTION
from groundling.games.reference.rules import ANSWER, EXPRESSION

WORDING = "clembench"
_HEADERS = ("player_1_prompt_header", "player_2_prompt_header")
_TOKENS = ("TARGET_EXPRESSION", "تعبير الهدف")
"""What the giver's expression replaces in the follower's prompt; in Arabic the token was translated too, so
that clembench itself would not show the expression."""
_TAG = re.compile(r"\^?(?:\(\?P<tag>)?\^?([^\\\s]+?[:：])")
_LABELS = re.compile(r"\(\?P<response>([^)]*?)\|1\|2\|3\)")


class ClemPrompts(Struct, frozen=True):
    """What an instance of ours keeps of clembench's."""

    prompts: Mapping[str, Mapping[Role, str]] = {}
    tags: Mapping[Role, str] = {}
    labels: tuple[str, ...] = ()


def read_reference_prompts(instance: Mapping[str, Any]) -> ClemPrompts:
    """Return nothing if the instance has no prompts."""
    if not all(isinstance(instance.get(name), str) for name in _HEADERS):
        return ClemPrompts()
    giver, follower = (instance[name] for name in _HEADERS)
    said = _find_tag(instance.get("player_1_response_pattern"), giver, EXPRESSION)
    answer = _find_tag(instance.get("player_2_response_pattern"), follower, ANSWER)
    token = next((token for token in _TOKENS if follower.count(token) == 1), None)
    if token is None:
        raise ValueError(f"the follower's prompt has no {_TOKENS[0]}")
    before, after = map(_escape_braces, follower.split(token))
    prompts = {
        GIVER: f"# open\n{_escape_braces(giver)}\n",
        FOLLOWER: f"# open\n{before}{{reply}}{after}\n\n# reply choose\n{said} {{expression}}\n",
    }
    names = _LABELS.search(instance.get("player_2_response_pattern") or "")
    labels = tuple(names[1].split("|")) if names else ()
    return ClemPrompts(
        {WORDING: prompts},
        _other_tags({GIVER: (said, EXPRESSION), FOLLOWER: (answer, ANSWER)}),
        labels if labels[:1] != ("first",) else (),
    )


def read_image_prompts(instance: Mapping[str, Any]) -> ClemPrompts:
    """Return nothing if the instance has no prompts."""
    question = instance.get("player_1_question")
    if not isinstance(question, str) or not all(isinstance(instance.get(name), str) for name in _HEADERS):
        return ClemPrompts()
    giver, follower, target, question = map(
        _escape_braces, (*(instance[name] for name in _HEADERS), instance["target_grid"].strip(), question)
    )
    tag = _find_tag(instance.get("player_1_response_pattern"), giver, INSTRUCTION)
    prompts = {
        GIVER: f"# open\n{giver}\n{target}\n{question}\n\n# turn\n{question}\n",
        FOLLOWER: f"# open\n{follower}\n\n{{reply}}\n\n# turn\n{{reply}}\n\n"
        f"# reply draw\n{tag} {{instruction}}\n",
    }
    return ClemPrompts({WORDING: prompts}, _other_tags({GIVER: (tag, INSTRUCTION)}))


def _find_tag(pattern: str | None, prompt: str, default: str) -> str:
    """Return the tag of a response pattern, in the case in which the prompt writes it."""
    found = _TAG.match(pattern or "")
    tag = found[1] if found else default
    written = re.search(re.escape(tag), prompt, re.IGNORECASE)
    return written[0] if written else tag


def _other_tags(tags: Mapping[Role, tuple[str, str]]) -> dict[Role, str]:
    return {role: theirs for role, (theirs, ours) in tags.items() if theirs.lower() != ours.lower()}


def _escape_braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
