"""`groundling show` prints episodes of a run, or one beside the games of other players."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from groundling.boards.picture import can_render_png, render_png, replace_unprintable
from groundling.cli.options import GameOption, SetOption
from groundling.cli.run_reading import open_read_run
from groundling.core.events import LIMIT, Closed, Transcript
from groundling.core.pack import load
from groundling.core.values import Problem
from groundling.files import write_whole_file
from groundling.report.text_table import count_noun, print_table, print_text
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.run import find_run_episode
from groundling.runs.sampling import check_set_names
from groundling.runs.scoring import count_scoring_statuses, describe_scoring_counts, scoring_status
from groundling.runs.side_by_side import picture_path, play_side_games, read_side_plan
from groundling.runs.stored_run import Run


def show_command(
    context: typer.Context,
    run: Annotated[str, Argument(metavar="DIR", help="A folder made by groundling play.")],
    episode: Annotated[str, Argument(help="The episode to print; default: list all.")] = "",
    svg: Annotated[str, Option(help="Also write what each seat saw as SVG files into this folder.")] = "",
    game: GameOption = "",
    sets: SetOption = None,
    prompts: Annotated[
        bool, Option("--prompts", help="Print the messages to and from language models.")
    ] = False,
) -> None:
    """Print an episode: what each seat saw and said.

    With --ROLEs PLAYER, repeatable, such as --drawers grammar, show it beside the games of other players: the
    same words to several listeners, or several speakers on the same instance."""
    name, episode, given = _read_role_options([run, episode, *context.args])
    folder = open_read_run(name, game)
    if given:
        _show_side_by_side(folder, name, episode, given, svg)
    elif episode:
        _show_episode(folder, name, episode, svg, prompts=prompts)
    elif svg or prompts:
        option = f"--svg {svg}" if svg else "--prompts"
        raise Problem(
            f"{option.split()[0]} needs an episode: groundling show {name} EPISODE {option}; "
            "without it, all are listed"
        )
    else:
        _list_episodes(folder, sets or ())


def _list_episodes(folder: Run, sets: Sequence[str]) -> None:
    rules, statuses = folder.make_game(), []
    transcripts = list(folder.read_transcripts())
    check_set_names(sets, {transcript.opened.instance.set for transcript in transcripts})
    for transcript in transcripts:
        status, damage = scoring_status(rules, transcript)
        if not sets or transcript.opened.instance.set in sets:
            print(_episode_line(transcript, status, damage))
        statuses.append(status)
    print(describe_scoring_counts(count_scoring_statuses(statuses, folder.read_about()["episodes"])))


def _episode_line(transcript: Transcript, status: str, damage: str) -> str:
    last = transcript.events[-1]
    if damage:
        told = f"damaged: {replace_unprintable(damage)}"
    elif isinstance(last, Closed):
        reason = f"{status}: {last.reason.removeprefix(LIMIT)}"
        told = reason if last.result is None else f"played  {last.result.score:g}"
    else:
        told = status
    return f"{transcript.episode}  {told}"


def _show_episode(folder: Run, name: str, episode: str, svg: str, *, prompts: bool) -> None:
    from groundling.report.conversation import conversation_text
    from groundling.report.episode import episode_pictures, episode_text

    pack, rules = folder.find_pack(), folder.make_game()
    transcript = find_run_episode(folder, name, episode)
    if svg:
        Path(svg).mkdir(parents=True, exist_ok=True)
    text = conversation_text if prompts else episode_text
    print(text(pack, rules, transcript), end="")
    if damage := scoring_status(rules, transcript)[1]:
        print(f"[damaged: {replace_unprintable(damage)}]")
    if svg:
        for file, picture in episode_pictures(pack, rules, transcript).items():
            (Path(svg) / file).write_text(picture, encoding="utf-8")
        print(f"pictures in {svg}")


def _read_role_options(words: Sequence[str]) -> tuple[str, str, dict[str, list[str]]]:
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


def _show_side_by_side(run: Run, name: str, episode: str, given: dict[str, list[str]], svg: str) -> None:
    """Play what is missing, print the scores and words, and write SVG and PNG."""
    from groundling.report import side_by_side

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
    columns = side_by_side.side_columns(pack, rules, games)
    listeners = plan.role == listener
    title = f"{episode}, {'the same words to' if listeners else 'the words of'} several {plan.role}s"
    print_table(side_by_side.side_table(pack, columns, plan, title))
    for line in side_by_side.side_words(columns[:1] if listeners else columns):
        print_text(line, "     ")
    target, main = side_by_side.target_picture(pack, rules, transcript), load(pack.measures)[0].name
    picture = side_by_side.draw_side_by_side(columns, target, title, main, listeners=listeners)
    file = picture_path(run, transcript, plan)
    for path in (file, *([Path(svg) / file.name] if svg else [])):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole_file(path, picture.encode())
        if can_render_png():
            write_whole_file(path.with_suffix(".png"), render_png(picture))
    kinds = "SVG and PNG" if can_render_png() else "SVG"
    told = f"{count_noun(len(played), 'game')} played" if played else "nothing was played again"
    print_text(f"{told}; {kinds} in {file}", "  ")
