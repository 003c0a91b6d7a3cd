"""Writes docs/prompts.md, the prompts of every game as language models get them: `make prompts`.

`python docs/prompts.py GAME SEAT` prints one prompt instead, with `--instance ID`, `--wording NAME`,
`--language en|de` and `--setting KEY=VALUE`; `--turn N` prints the message of the seat's Nth turn."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from groundling.core.game import AnyGame
from groundling.core.pack import Pack, find, installed_packs, load, resolve_settings
from groundling.core.player import Ask
from groundling.core.values import Instance, Problem, Role
from groundling.players.chat.messages import build_messages
from groundling.players.chat.preview import preview_asks
from groundling.players.chat.prompts import list_wordings, load_prompt, prompt_hints

PAGE = Path(__file__).parent / "prompts.md"
HEAD = """# Prompts

What language models are told, as it is sent for one built-in instance of each game, in the default wording.
`make prompts` writes this page, and a test checks that it is current. `groundling play GAME … --dry-run`
prints the first prompts of a run, `groundling show RUN EPISODE --prompts` all messages of an episode.
`--prompts NAME` chooses another wording, `language=de` in a seat the German ones, and a `.md` file a prompt
of your own ([commands](commands.md)). What was said before comes from players by rules, those that are the
partners of people in the browser.

No prompt shows an answer that could be right: forms have placeholders in angle brackets, or list all choices,
and worked examples are about things that the game does not have.
"""


def new_game(pack: Pack, role: Role, instance: Instance, given: Mapping[str, str] = {}) -> AnyGame:
    """Return a game of language models in which this role has a seat: with the default settings, else with
    those of games in the browser."""
    kind = load(pack.game).Settings
    for settings in ({}, pack.live.settings):
        chosen = msgspec.convert({**settings, **given}, kind, strict=False)
        game = pack.new(resolve_settings(pack, chosen, pack.roles))
        if role in game.seats(instance):
            return game
    raise Problem(f"{pack.name} has no seat {role!r} with these settings")


def render_prompt(
    pack: Pack, game: AnyGame, role: Role, ask: Ask, wording: str = "", language: str = "en"
) -> str:
    """Return the message that is to be answered, as text."""
    prompt = load_prompt(pack, role, language, wording or pack.wordings.default)
    return build_messages(ask, prompt, load(pack.draw), "text", prompt_hints(pack, game))[-1].text


def page_lines() -> Iterator[str]:
    yield HEAD
    ours = [name for name, point in installed_packs().items() if point.value.startswith("groundling.")]
    for name in ours:
        pack = find(name)
        instance = load(pack.builtin)()[0]
        yield f"## {name}\n"
        yield "| wording | what it has |\n|---|---|"
        for wording, about in pack.wordings.about.items():
            default = " (default)" if wording == pack.wordings.default else ""
            yield f"| `{wording}`{default} | {about} |"
        if pack.wordings.unlisted:
            names = ", ".join(f"`{name}`" for name in pack.wordings.unlisted)
            yield f"\n{names} are the texts of earlier versions, for runs that were begun with them."
        german = list_wordings(pack, pack.roles[0], "de")
        yield f"\nIn German: {', '.join(f'`{name}`' for name in german)}.\n"
        for role in pack.roles:
            yield from seat_lines(pack, role, instance)


def seat_lines(pack: Pack, role: Role, instance: Instance) -> Iterator[str]:
    game = new_game(pack, role, instance)
    changed = {
        name: value
        for name, value in msgspec.to_builtins(game.settings).items()
        if value != getattr(load(pack.game).Settings(), name)
    }
    with_settings = ", ".join(f"`{name}={value}`" for name, value in changed.items())
    yield f"### {pack.name}: {role}\n"
    yield f"Instance `{instance.id}`{f', with {with_settings}' if with_settings else ''}."
    asks = preview_asks(pack, game, instance, partners=pack.live.partners)
    for number, ask in enumerate(asks[role][:2], 1):
        yield f"\nThe {'first' if number == 1 else 'second'} message:\n"
        yield f"```text\n{render_prompt(pack, game, role, ask)}\n```"
    yield ""


def render_page() -> str:
    return "\n".join(page_lines())


def print_prompt(given: argparse.Namespace) -> None:
    pack = find(given.game)
    instances: dict[str, Any] = {instance.id: instance for instance in load(pack.builtin)()}
    instance = instances[given.instance] if given.instance else next(iter(instances.values()))
    game = new_game(pack, given.seat, instance, dict(pair.split("=", 1) for pair in given.setting))
    asks = preview_asks(pack, game, instance, partners=pack.live.partners)
    ask = asks[given.seat][given.turn - 1]
    print(render_prompt(pack, game, given.seat, ask, given.wording, given.language))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?")
    parser.add_argument("seat", nargs="?")
    parser.add_argument("--instance", default="")
    parser.add_argument("--wording", default="")
    parser.add_argument("--language", default="en")
    parser.add_argument("--setting", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--turn", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.game:
        print_prompt(arguments)
    else:
        PAGE.write_text(render_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
