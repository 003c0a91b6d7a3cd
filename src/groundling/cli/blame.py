"""`groundling blame RUN` prints what words and listeners lost, by substitution."""

from __future__ import annotations

from collections.abc import Sequence

from groundling.cli.run_commands import open_read_run
from groundling.core.values import Problem, missing_extra
from groundling.progress import progress_bar
from groundling.report.text_table import count_noun, print_table, print_text
from groundling.runs.blame_file import RunBlame, write_blame
from groundling.runs.blame_replay import BlamePanel, blame_transcripts, scored_transcripts


def blame_run(
    name: str,
    panel: Sequence[str] = (),
    reference: str = "",
    clauses: str = "20",
    limit: int | None = None,
    game: str = "",
    *,
    exchange: bool = False,
    asks_models: bool = False,
) -> None:
    try:
        from groundling.report.blame_table import blame_lines, blame_table
    except ImportError:
        raise missing_extra("score") from None
    if clauses != "all" and not clauses.isdecimal():
        raise Problem(f"--clauses {clauses} is neither a number of episodes nor all: write --clauses 20")
    run = open_read_run(name, game)
    run.read_about()
    heard = BlamePanel(run, panel, reference, asks_models=asks_models)
    transcripts = scored_transcripts(run, heard)[:limit]
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
    path = write_blame(run, found)
    print_table(blame_table(name, found))
    for line in blame_lines(found, heard.speaker, heard.listener, heard.unasked):
        print_text(line, "  ")
    print(f"{count_noun(len(episodes), 'episode')} in {path}")
