"""A picture of a game in play: what both seats see in the middle of a game, and the message between them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from html import escape
from textwrap import wrap

from groundling.core.desk import Desk, Panel
from groundling.core.events import Moved, Transcript
from groundling.core.pack import Pack, load
from groundling.core.replay import replay_events
from groundling.core.table import play
from groundling.core.values import Instance, Role
from groundling.players.player_specs import language_model_seats, make_players_from_specs
from groundling.web.screen import make_live_game

WIDTH, HEIGHT = 480, 272
BUBBLE = 60
"""Height of the message above the boards."""
COLUMNS, LINES = 56, 2
"""The size of the message, in characters and lines."""
SHARE = 2 / 3
"""How much of the game has been played in the picture."""


def draw_game_picture(pack: Pack, instance: Instance) -> str:
    """Draw the instance in play, as an SVG. The game's own players play it, unless one is a language model,
    which would cost money: then the picture shows the beginning."""
    game = make_live_game(pack)
    partners = {role: pack.live.partners[role] for role in game.seats(instance)}
    if language_model_seats(partners):
        views = {role: game.view(game.start(instance), role) for role in partners}
    else:
        players = make_players_from_specs(pack, game, partners, [instance], lambda name: {})

        async def play_sample() -> Transcript:
            events = play(game, instance, players, seed=0, clock=lambda: 0.0)
            return Transcript(tuple([event async for event in events]))

        transcript = asyncio.run(play_sample())
        left = max(1, round(SHARE * sum(isinstance(event, Moved) for event in transcript.events)))
        for event, replay in replay_events(game, transcript):
            views = {role: replay.view(role) for role in partners}
            left -= isinstance(event, Moved)
            if not left:
                break
    desks: dict[Role, Desk] = {role: load(pack.live.desk)(view, True) for role, view in views.items()}
    said = [line.text for line in list(desks.values())[-1].talk if line.text]
    return _compose_picture({role: _main_panel(desk).svg for role, desk in desks.items()}, said[-1:])


def _main_panel(desk: Desk) -> Panel:
    """The panel in which the seat acts, else the first, such as the target."""
    return next((panel for panel in desk.panels if panel.name == "work"), desk.panels[0])


def _compose_picture(boards: dict[Role, str], said: Sequence[str]) -> str:
    top = BUBBLE + 6 if said else 6
    wide, high = (WIDTH - 6) / len(boards) - 6, HEIGHT - top - 24
    parts = [_message_bubble(said[0])] if said else []
    for number, (role, svg) in enumerate(boards.items()):
        left = 6 + number * (wide + 6)
        parts += [
            _nest_board(svg, number, f'x="{left:g}" y="{top}" width="{wide:g}" height="{high}"'),
            f'<text x="{left + wide / 2:g}" y="{HEIGHT - 8}" text-anchor="middle" font-size="13" '
            f'fill="#55606e">{escape(role)}</text>',
        ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def _message_bubble(text: str) -> str:
    lines = wrap(text, COLUMNS, max_lines=LINES, placeholder=" …")
    first = 27 if len(lines) == LINES else 37
    words = "".join(
        f'<text x="20" y="{first + 20 * number}">{escape(line)}</text>' for number, line in enumerate(lines)
    )
    side, middle = BUBBLE - 22, WIDTH / 4
    outline = (
        f"M14 6h{WIDTH - 28}a8 8 0 0 1 8 8v{side}a8 8 0 0 1 -8 8H{middle + 10:g}l-10 10 -10 -10"
        f"H14a8 8 0 0 1 -8 -8v-{side}a8 8 0 0 1 8 -8z"
    )
    return f'<path d="{outline}" fill="#e4edf5"/><g font-size="15" fill="#1c2430">{words}</g>'


def _nest_board(svg: str, number: int, place: str) -> str:
    """The drawing inside another one: placed there, and with ids of its own."""
    opening, rest = re.match(r"(<svg\b[^>]*)(>.*)", svg, re.DOTALL).groups()  # type: ignore[union-attr]
    opening = re.sub(r' (?:x|y|width|height|xmlns)="[^"]*"', "", opening)
    ids = "|".join(map(re.escape, re.findall(r'\bid="([^"]+)"', svg)))
    whole = f"{opening} {place}{rest}"
    return re.sub(rf'(\bid="|href="#|url\(#)({ids})(?=["\)])', rf"\g<1>b{number}-\2", whole) if ids else whole
