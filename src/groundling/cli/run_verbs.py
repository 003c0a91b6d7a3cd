"""The commands about finished runs, with their options. What they do is imported when they are called."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from typer import Argument, Option

from groundling.cli.options import SetOption
from groundling.core.values import Problem

GameOption: TypeAlias = Annotated[
    str, Option(metavar="GAME", help="The game of the run: NAME, FILE.py or PACKAGE:PACK.")
]
LabelsOption: TypeAlias = Annotated[
    list[str] | None,
    Option(help="Labels of instances or steps from a file, as a facet of this name.", metavar="NAME=FILE"),
]


def score_command(
    runs: Annotated[list[str], Argument(help="Folders made by groundling play.", metavar="DIR...")],
    manner: Annotated[
        str, Option("--as", help="Also print the tables of this benchmark or paper.", metavar="NAME")
    ] = "",
    by: Annotated[list[str] | None, Option(help="Also print the scores by this facet of the game.")] = None,
    labels: LabelsOption = None,
    game: GameOption = "",
    all_measures: Annotated[
        bool, Option("--all", help="Print all measures, not only the main ones.")
    ] = False,
    sets: SetOption = None,
) -> None:
    """Score runs from their transcripts and print the table.

    Scores that play has computed are taken if neither the log nor the code has changed since. The file
    scores.parquet is written into each run's folder."""
    from groundling.cli.run_commands import score_runs

    score_runs(runs, manner, by or (), game, all_measures=all_measures, sets=sets or (), labels=labels or ())


def verify_command(
    runs: Annotated[list[str], Argument(help="Runs, folders of runs, or archives.", metavar="DIR...")],
    game: GameOption = "",
) -> None:
    """Check that the logs of runs are undamaged.

    Every episode is replayed, and checksums and sums are compared."""
    from groundling.cli.run_commands import verify_runs

    raise typer.Exit(0 if verify_runs(runs, game) else 1)


def compare_command(
    runs: Annotated[
        list[str],
        Argument(metavar="A B", help="Two runs, or sets of runs as DIR@SET; any number with --over."),
    ],
    over: Annotated[
        str,
        Option(help="Compare the scores of each run over the values of this facet instead.", metavar="FACET"),
    ] = "",
    adjust: Annotated[
        list[str] | None,
        Option(help="Adjust --over for this facet, a number; default: the game's.", metavar="FACET"),
    ] = None,
    labels: LabelsOption = None,
    game: GameOption = "",
    sets: SetOption = None,
) -> None:
    """Compare two runs or two sets in pairs, B minus A.

    With --over, any number of runs are tested for scores that depend on a facet, such as the level of an
    instruction."""
    from groundling.cli.run_commands import compare_over, compare_runs

    if over:
        compare_over(runs, over, adjust or (), game, sets or (), labels or ())
        return
    if adjust or labels:
        raise Problem(f"--{'adjust' if adjust else 'labels'} belongs to --over: add --over FACET")
    if len(runs) != 2:
        raise Problem(f"compare takes two runs, not {len(runs)}; with --over FACET any number")
    compare_runs(runs[0], runs[1], game, sets or ())


def rank_command(
    runs: Annotated[list[str], Argument(help="A tournament, runs, or folders of runs.", metavar="DIR...")],
    by: Annotated[
        list[str] | None, Option(help="Also print abilities by this facet, such as set.", metavar="FACET")
    ] = None,
    equal: Annotated[
        float | None,
        Option(
            help="Test which players are equivalent: a difference that does not matter.", metavar="MARGIN"
        ),
    ] = None,
    all_pairs: Annotated[bool, Option("--all", help="Print all differences between players.")] = False,
    mixedlm: Annotated[
        bool, Option("--mixedlm", help="Compare with a linear mixed model (extra mixed).")
    ] = False,
    game: GameOption = "",
    sets: SetOption = None,
    seed: Annotated[int, Option(help="Random seed for resampling.")] = 0,
    out: Annotated[Path | None, Option("-o", "--out", help="Also write FILE.json.")] = None,
) -> None:
    """Print the abilities of players, with ranks and groups.

    Abilities are estimated from all pairs of a game without self-play; intervals resample instances."""
    from groundling.cli.rank import rank_runs

    rank_runs(runs, by or (), equal, game, sets or (), seed, out, all_pairs=all_pairs, mixed=mixedlm)


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
    from groundling.cli.blame import blame_run

    blame_run(run, panel or (), reference, clauses, limit, game, exchange=exchange, asks_models=asks_models)


def agree_command(
    file: Annotated[
        Path, Argument(metavar="FILE", help="A table of labels: CSV, TSV or JSONL, wide or long.")
    ],
    metric: Annotated[
        list[str] | None,
        Option(
            help="A metric of alpha, repeatable: nominal, ordinal, gwet-ordinal, interval, ratio, jaccard, "
            "masi; default: those that fit.",
            metavar="NAME",
        ),
    ] = None,
    order: Annotated[
        str, Option(help="The labels of an ordered scale, lowest first.", metavar="A,B,...")
    ] = "",
    cluster: Annotated[
        str, Option(help="The column with clusters of items that are not independent.", metavar="NAME")
    ] = "",
    annotators: Annotated[
        str, Option(help="The columns of a wide table that hold labels.", metavar="NAME,...")
    ] = "",
    item: Annotated[str, Option(help="The column with items.", metavar="NAME")] = "",
    annotator: Annotated[
        str, Option(help="The column with annotators of a long table.", metavar="NAME")
    ] = "",
    label: Annotated[str, Option(help="The column with labels of a long table.", metavar="NAME")] = "",
    missing: Annotated[str, Option(help="A missing label, beside empty cells.", metavar="TEXT")] = "",
    over_annotators: Annotated[
        bool, Option("--over-annotators", help="Resample annotators too; there must be five.")
    ] = False,
    resamples: Annotated[int, Option(help="Number of resamples.", metavar="N", min=100)] = 1000,
    seed: Annotated[int, Option(help="Random seed for resampling.")] = 0,
    out: Annotated[
        Path | None, Option("-o", "--out", help="Also write FILE.csv, or FILE.json with all confusions.")
    ] = None,
) -> None:
    """Print the agreement of annotators.

    Krippendorff's alpha, Fleiss' and Cohen's kappa, Gwet's AC1 and percent agreement have intervals that
    resample items or clusters of items."""
    from groundling.cli.agree import print_agreement

    print_agreement(
        file,
        {"item": item, "annotator": annotator, "label": label, "cluster": cluster},
        [name.strip() for name in annotators.split(",") if name.strip()],
        metric or (),
        order,
        missing,
        out,
        over_annotators=over_annotators,
        resamples=resamples,
        seed=seed,
    )


def report_command(
    runs: Annotated[
        list[str], Argument(help="Folders made by groundling play, all of one game.", metavar="DIR...")
    ],
    out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("report.html"),
    episodes: Annotated[
        str, Option(help="Number of episodes with a replay, or all.", metavar="N|all")
    ] = "200",
    seed: Annotated[int, Option(help="Random seed for the choice of episodes.")] = 0,
    game: GameOption = "",
    sets: SetOption = None,
) -> None:
    """Write one HTML file with scores, plots and replays."""
    from groundling.cli.report import write_report

    write_report(runs, out, episodes, seed, game, sets or ())


def leaderboard_command(
    folder: Annotated[
        Path | None, Argument(metavar="DIR", help="A folder made by groundling tournament.")
    ] = None,
    out: Annotated[
        Path,
        Option("-o", "--out", help="The page, or a folder for a web server.", metavar="PAGE.html|FOLDER"),
    ] = Path("leaderboard.html"),
    prices: Annotated[
        Path | None, Option(help="File with the models' prices for a million tokens (TOML, JSON, YAML).")
    ] = None,
    episodes: Annotated[
        int,
        Option(help="Episodes of each pair with a replay in its report, in a folder.", metavar="N", min=1),
    ] = 20,
    schema: Annotated[bool, Option("--schema", help="Print the JSON schema of the data.")] = False,
) -> None:
    """Write the results of a tournament as a page.

    The same numbers are written beside it as JSON and CSV. A folder also has a report of each pair."""
    from groundling.cli.leaderboard import print_leaderboard_schema, write_leaderboard

    if schema:
        print_leaderboard_schema()
        return
    if folder is None:
        raise Problem("leaderboard of which tournament? groundling leaderboard DIR")
    write_leaderboard(folder, out, prices, episodes)


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
    from groundling.cli.run_commands import show_run
    from groundling.cli.side_by_side import read_role_options, show_side_by_side

    run, episode, given = read_role_options([run, episode, *context.args])
    if given:
        show_side_by_side(run, episode, given, svg, game)
    else:
        show_run(run, episode, svg, game, prompts, sets or ())


def note_command(
    run: Annotated[str, Argument(metavar="DIR", help="A run.")],
    episode: Annotated[str, Argument(help="The episode; default: list all notes.")] = "",
    step: Annotated[
        int | None, Argument(help="The step, as replays and reports number it.", metavar="STEP")
    ] = None,
    text: Annotated[str, Argument(help="The note.", metavar="TEXT")] = "",
    out: Annotated[
        Path | None, Option("-o", "--out", help="Write all notes of the run as a CSV file.")
    ] = None,
    game: GameOption = "",
) -> None:
    """Keep a note on a step, in a file beside the run.

    Reports show notes and filter by them."""
    from groundling.cli.note import list_notes, note_step

    if episode:
        note_step(run, episode, step, text, game)
    if out or not episode:
        list_notes(run, out, game)


def merge_command(
    sources: Annotated[
        list[Path],
        Argument(help="Folders of shards, or single shards, of one run or tournament.", metavar="DIR..."),
    ],
    out: Annotated[Path, Option("-o", "--out", help="The folder to write.")],
) -> None:
    """Join the shards of a run or of a tournament to one folder.

    Shards of controls are joined, too. A run in shards can be scored as it is. Where a shard was played
    twice, one copy is taken, and what both have used is printed."""
    from groundling.report.cost_table import cost_line
    from groundling.report.text_table import count_noun, print_text
    from groundling.runs.merge_shards import merge_shards

    for run in merge_shards(sources, out):
        print(f"{run.path}: {count_noun(run.episodes, 'episode')} of {count_noun(run.shards, 'shard')}")
        for copy in run.twice:
            print_text(
                f"shard {copy.shard} was played twice: {copy.kept} is taken, not {copy.left_out}", "  "
            )
            for path, seats in copy.used.items():
                for role, used in seats.items():
                    print_text(f"used by {cost_line(role, str(path), used, None)}", "  ")


def archive_command(
    runs: Annotated[list[str], Argument(help="Runs.", metavar="RUN...")],
    out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("archive.tar"),
    game: GameOption = "",
) -> None:
    """Write all that is needed to check a result into one file.

    The plan, log, scores, versions, prompts, cards of weights and the report; groundling verify reads it."""
    from groundling.cli.publish import archive_runs

    archive_runs(runs, out, game)
