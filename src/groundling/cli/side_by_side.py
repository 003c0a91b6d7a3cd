"""`groundling show RUN EPISODE --ROLEs PLAYER` shows the games of several players side by side."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from groundling.boards.picture import can_render_png, render_png
from groundling.cli.run_commands import open_read_run
from groundling.core.pack import load
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.report.side_by_side import (
    draw_side_by_side,
    side_columns,
    side_table,
    side_words,
    target_picture,
)
from groundling.report.text_table import count_noun, print_table, print_text
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.run import find_run_episode
from groundling.runs.side_by_side import picture_path, play_side_games, read_side_plan


def read_role_options(words: Sequence[str]) -> tuple[str, str, dict[str, list[str]]]:
    """Split the words of the command into run, episode, and the texts of each option, such as --drawers."""
    plain: list[str] = []
    given: dict[str, list[str]] = {}
    left = [word for word in words if word]
    while left:
        word = left.pop(0)
        if not word.startswith("--"):
            plain.append(word)
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if not equals:
            if not left or left[0].startswith("--"):
                raise Problem(f"--{name} needs a player: write --{name} PLAYER")
            value = left.pop(0)
        given.setdefault(name, []).append(value)
    if not plain or len(plain) > 2:
        raise Problem("give one run, and for one of its games the episode: groundling show DIR EPISODE")
    return plain[0], plain[1] if len(plain) > 1 else "", given


def show_side_by_side(name: str, episode: str, given: dict[str, list[str]], svg: str, game: str) -> None:
    """Play what is missing, print the scores and words, and write SVG and PNG."""
    run = open_read_run(name, game)
    pack, rules = run.find_pack(), run.make_game()
    speaker, listener = cross_play_roles(pack)
    known = {f"{role}s": role for role in (speaker, listener)}
    if unknown := next((option for option in given if option not in known), ""):
        raise Problem(f"show has no option --{unknown}: for {pack.name} there are --{' and --'.join(known)}")
    if not episode:
        raise Problem(f"--{next(iter(given))} needs an episode: groundling show {name} lists them")
    transcript = find_run_episode(run, name, episode)
    plan = read_side_plan(pack, {known[option]: texts for option, texts in given.items()})
    played: list[str] = []

    def note_player(text: str) -> None:
        print(f"playing {episode} with {plan.role} {text}", file=sys.stderr)
        played.append(text)

    games = play_side_games(run, transcript, plan, note_player)
    columns = side_columns(pack, rules, games)
    main = load(pack.measures)[0].name
    title = (
        f"{episode}, {'the same words to' if plan.role == listener else 'the words of'} several {plan.role}s"
    )
    print_table(side_table(pack, columns, plan, title))
    for line in side_words(columns if plan.role == speaker else columns[:1]):
        print_text(line, "     ")
    picture = draw_side_by_side(
        columns, target_picture(pack, rules, transcript), title, main, listeners=plan.role == listener
    )
    file = picture_path(run, transcript, plan)
    for path in (file, *([Path(svg) / file.name] if svg else [])):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole_file(path, picture.encode())
        if can_render_png():
            write_whole_file(path.with_suffix(".png"), render_png(picture))
    kinds = "SVG and PNG" if can_render_png() else "SVG"
    told = f"{count_noun(len(played), 'game')} played" if played else "nothing was played again"
    print_text(f"{told}; {kinds} in {file}", "  ")
