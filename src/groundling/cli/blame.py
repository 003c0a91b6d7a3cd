"""`groundling blame RUN` prints what words and listeners lost, by substitution."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Option

from groundling.cli.options import GameOption
from groundling.cli.run_reading import open_read_run
from groundling.core.values import Problem
from groundling.progress import progress_bar
from groundling.report.text_table import count_noun, print_table, print_text
from groundling.runs.blame_file import RunBlame, write_blame
from groundling.runs.blame_replay import BlamePanel, blame_transcripts, scored_transcripts


def blame_command(
    run: Annotated[str, Argument(metavar="RUN", help="A run, or recorded games.")],
    panel: Annotated[
        list[str] | None,
        Option(help="Who hears the words again; repeat for more. Default: the game's.", metavar="PLAYER"),
    ] = None,
    reference: Annotated[
        str, Option(help="Whose words are compared; default: the game's.", metavar="PLAYER")
    ] = "",
    clauses: Annotated[
        str, Option(help="Episodes of which clauses are deleted one at a time, or all.", metavar="N|all")
    ] = "20",
    exchange: Annotated[
        bool, Option("--exchange", help="Exchange clauses for those of another episode.")
    ] = False,
    limit: Annotated[int | None, Option(min=1, help="Only the first N episodes.", metavar="N")] = None,
    asks_models: Annotated[
        bool, Option("--ask-models", help="Ask a language model that listened, at its cost.")
    ] = False,
    game: GameOption = "",
) -> None:
    """Tell whether the words or the listener lost the score.

    What a run lost is split into what the words did not say and what the listener did not understand. The
    words are replayed to players that cost nothing, and the words of a reference speaker to the listener.
    The file blame.json is written beside the run; reports show it."""
    from groundling.report.blame_table import blame_lines, blame_table

    if clauses != "all" and not clauses.isdecimal():
        raise Problem(f"--clauses {clauses} is neither a number of episodes nor all: write --clauses 20")
    folder = open_read_run(run, game)
    folder.read_about()
    heard = BlamePanel(folder, panel or (), reference, asks_models=asks_models)
    transcripts = scored_transcripts(folder, heard)[:limit]
    with progress_bar() as bar:
        bar.set_progress("episodes", 0, len(transcripts))
        episodes = blame_transcripts(
            heard,
            transcripts,
            clauses=None if clauses == "all" else int(clauses),
            exchange=exchange,
            on_done=bar.advance_by,
        )
    found = RunBlame(heard.measure, heard.members, heard.reference, exchange, episodes)
    path = write_blame(folder, found)
    print_table(blame_table(run, found))
    for line in blame_lines(found, heard.speaker, heard.listener, heard.unasked):
        print_text(line, "  ")
    print(f"{count_noun(len(episodes), 'episode')} in {path}")
