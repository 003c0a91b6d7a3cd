"""Pictures of games of a run, as in the paper's Figure 8: the scene, and the canvas after each message."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from papers.codraw.game_strip import draw_game_strip
from papers.codraw.played import read_games

from groundling.boards.picture import render_png
from groundling.boards.scene import Scene, apply_changes
from groundling.core.events import Moved, Transcript
from groundling.core.values import Say
from groundling.files import write_whole_file
from groundling.games.codraw.instance import DRAWER, TELLER
from groundling.games.codraw.rules import DRAWS
from groundling.games.codraw.score import similarity
from groundling.runs.run_folder import RunFolder


def write_pictures(run: RunFolder, many: int, out: Path) -> Iterator[str]:
    """Draw games as SVG and PNG, chosen evenly by rank without the poorest and the best fifth."""
    ranked = sorted(read_games(run), key=lambda game: game.result.score if game.result else 0.0)
    names = run.read_about()["plan"]["seats"]
    out.mkdir(parents=True, exist_ok=True)
    for number in range(many):
        game = ranked[round((len(ranked) - 1) * (0.2 + 0.6 * number / max(many - 1, 1)))]
        steps = game_steps(game)
        final = steps[-1][2] if steps else 0.0
        title = f"{game.episode}: {names[TELLER]} tells, {names[DRAWER]} draws; similarity {final:.2f}"
        picture = draw_game_strip(game.opened.instance.target, steps, title)
        file = out / f"{game.episode}.svg"
        write_whole_file(file, picture.encode())
        write_whole_file(file.with_suffix(".png"), render_png(picture))
        yield f"{file.with_suffix('.png')}: {title}"


def game_steps(game: Transcript) -> list[tuple[str, Scene, float]]:
    """Return each message of the Teller, with the canvas after it and its similarity."""
    target, canvas, said = game.opened.instance.target, Scene(), ""
    steps = []
    for event in game.events:
        if not isinstance(event, Moved):
            continue
        canvas = apply_changes(canvas, [move for move in event.moves if isinstance(move, DRAWS)])
        texts = [move.text for move in event.moves if isinstance(move, Say)]
        if texts and event.role == TELLER:
            said = texts[0]
        elif texts and event.role == DRAWER:
            steps.append((said, canvas, similarity(target, canvas)))
    return steps
