"""Plays ten games of instructors with executors on built-in images, and draws each as a strip: the target,
and boards after steps with what was said.

    python -m papers.hexagons.strips OUT.png|OUT.svg [--executors reader,…] [--questions 1]

All pairs of them take turns."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from itertools import cycle, product
from pathlib import Path

from papers.commands import report_problems
from papers.hexagons.pairs import play_games

from groundling.boards.hexes import Board, board_picture_size
from groundling.boards.picture import render_png, svg_document, text_at, wrap_text
from groundling.core.events import Transcript
from groundling.core.pack import find
from groundling.core.replay import replay_transcript
from groundling.games.hexagons.image import HexagonsImage
from groundling.games.hexagons.make import builtin
from groundling.games.hexagons.rules import EXECUTOR, INSTRUCTOR, HexagonsGame, HexagonsSettings, State
from groundling.games.hexagons.tile_scores import board_scores
from groundling.players.player_specs import make_player_from_spec

GAMES, SHOWN = 10, 5
"""Games in the picture, and steps of a game: the first ones and the last one."""
INSTRUCTORS = ("describer:weights/hexagons-describer", "narrator,level=3", "narrator,level=2")
_SIDE, _GAP, _HEAD, _LINE = 7.0, 14.0, 44.0, 12.0
_LETTERS, _MOST_LINES = 37, 12
_GREY, _BLUE = "#5b6470", "#1f4e79"


def choose_images(count: int) -> list[HexagonsImage]:
    """Images that are spread over the built-in families."""
    images = builtin()
    return [images[(number * len(images)) // count + number % 5] for number in range(count)]


def play_strip_games(executors: Sequence[str], questions: int) -> list[tuple[str, Transcript]]:
    """Each image is played by the next pair of players; a title and the transcript for each."""
    pack, game = find("hexagons"), HexagonsGame(HexagonsSettings(mode="live", questions=questions))
    images = choose_images(GAMES)
    painters = {
        spec: make_player_from_spec(pack, game, EXECUTOR, spec, images, lambda _: {}) for spec in executors
    }
    tellers = {
        spec: make_player_from_spec(pack, game, INSTRUCTOR, spec, images, lambda _: {})
        for spec in INSTRUCTORS
    }
    found = []
    for image, (teller, painter) in zip(images, cycle(product(INSTRUCTORS, executors)), strict=False):
        players = {INSTRUCTOR: tellers[teller], EXECUTOR: painters[painter]}
        (transcript,) = asyncio.run(play_games(game, players, [image]))
        found.append((f"{image.id}: {teller} → {painter}", transcript))
    return found


def game_panels(title: str, transcript: Transcript) -> tuple[str, list[tuple[str, Board, list[str]]]]:
    """The title with the score, and a heading, a board and what was said for each panel."""
    game = HexagonsGame(transcript.opened.settings)
    state: State = replay_transcript(game, transcript)
    target = state.image.target
    found = board_scores(target, state.board)
    asked = len(state.talk)
    told = f"{title}; {len(state.done)} steps, {asked} question{'s' * (asked != 1)}, F1 {100 * found.f1:.1f}"
    numbers = list(range(len(state.done)))
    if len(numbers) > SHOWN:
        numbers = [*numbers[: SHOWN - 1], numbers[-1]]
    panels = [("target", target, list[str]())]
    for number in numbers:
        lines = [state.said[number]]
        for one in state.talk:
            if one.step == number:
                lines += [f"Q: {one.question}", f"A: {one.answer}"]
        panels.append((f"after step {number + 1}", state.done[number].after, lines))
    return told, panels


def draw_strips(games: Sequence[tuple[str, Transcript]]) -> str:
    wide, high = board_picture_size(_SIDE)
    body, top = list[str](), _GAP
    for row, (title, transcript) in enumerate(games):
        told, panels = game_panels(title, transcript)
        body.append(text_at(told, _GAP, top + 14, 13, weight="bold"))
        most = 0
        for place, (head, board, lines) in enumerate(panels):
            left = _GAP + place * (wide + 2 * _GAP)
            body.append(text_at(head, left, top + _HEAD - 10, 11, fill=_GREY))
            body.append(board.svg(f"board-{row}-{place}", left, top + _HEAD, _SIDE))
            wrapped = [
                (part, line.startswith(("Q: ", "A: ")))
                for line in lines
                for part in wrap_text(line, _LETTERS)
            ]
            if len(wrapped) > _MOST_LINES:
                wrapped = [*wrapped[: _MOST_LINES - 1], ("…", False)]
            most = max(most, len(wrapped))
            body += [
                text_at(part, left, top + _HEAD + high + _LINE * (n + 1), 10, fill=_BLUE if talk else "#111")
                for n, (part, talk) in enumerate(wrapped)
            ]
        top += _HEAD + high + _LINE * most + 2 * _GAP
    across = _GAP + (SHOWN + 1) * (wide + 2 * _GAP)
    return svg_document(across, top, "".join(body), "Ten games of HEXAGONS", zoom=1)


@report_problems
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--executors", default="reader,parser,reader:weights/hexagons-reader-small")
    parser.add_argument("--questions", type=int, default=1)
    options = parser.parse_args()
    games = play_strip_games(options.executors.split(","), options.questions)
    picture = draw_strips(games)
    options.out.write_bytes(render_png(picture) if options.out.suffix == ".png" else picture.encode())
    for title, transcript in games:
        print(game_panels(title, transcript)[0])


if __name__ == "__main__":
    main()
