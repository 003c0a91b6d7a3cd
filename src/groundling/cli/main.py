"""The command `groundling`. Errors are printed in one line with exit status 2; an incomplete run exits 1."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer
from typer import Argument, Option
from typer.core import TyperGroup

from groundling import __version__
from groundling.cli.merge import merge_command
from groundling.cli.options import SetOption
from groundling.cli.serve import serve_command
from groundling.cli.study import study_app
from groundling.cli.verbs import add_broken_command, add_verb
from groundling.core.pack import find, installed_entry_points, installed_packs, load, load_pack
from groundling.core.values import Problem
from groundling.files import file_error_advice

COMMANDS = "groundling.commands"
BUILT = {"tournament": "groundling.cli.tournament:tournament_command"}
"""Commands with many options, which are built when they are wanted."""
GameOption: TypeAlias = Annotated[
    str, Option(metavar="GAME", help="The game of the run: NAME, FILE.py or PACKAGE:PACK.")
]
LabelsOption: TypeAlias = Annotated[
    list[str] | None,
    Option(help="Labels of instances or steps from a file, as a facet of this name.", metavar="NAME=FILE"),
]
ORDER = (
    *("make", "play", "score", "verify", "show", "note", "report", "compare", "agree", "cross", "fresh"),
    *("tournament", "rank", "blame", "leaderboard", "serve", "study", "data", "train", "check", "games"),
)
"""The order of work, in which --help lists the commands."""


class WithCommands(TyperGroup):
    """Our commands, and the Typer apps of the entry-point group `groundling.commands`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return our commands in the order of work, then the others."""
        own = [*super().list_commands(ctx), *BUILT]
        known = [name for name in ORDER if name in own]
        return [*known, *(name for name in own if name not in ORDER), *installed_entry_points(COMMANDS)]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:  # which Typer would turn into an exit without a word
            raise typer.Abort from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in BUILT:
            built = typer.Typer(add_completion=False, rich_markup_mode=None)
            built.command(cmd_name)(load(BUILT[cmd_name])())
            return typer.main.get_command(built)
        own, brought = super().get_command(ctx, cmd_name), installed_entry_points(COMMANDS)
        if own is not None or cmd_name not in brought:
            return own
        one = typer.Typer(add_completion=False, rich_markup_mode=None)
        try:
            one.add_typer(load(brought[cmd_name].value), name=cmd_name)
        except Problem as trouble:
            add_broken_command(one, cmd_name, trouble)
            return typer.main.get_command(one)
        return typer.main.get_group(one).get_command(ctx, cmd_name)


app = typer.Typer(
    name="groundling",
    cls=WithCommands,
    help="Games in which one player sees what the other cannot, and only words close the gap.",
    epilog="groundling --version prints the version.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


add_verb(app, "make", "Make new instances of a game.", "groundling.cli.make:make_command")
add_verb(app, "play", "Play a game's instances and write a log.", "groundling.cli.play:play_command")
add_verb(app, "cross", "Play every speaker with every listener.", "groundling.cli.cross:cross_command")
add_verb(app, "fresh", "Compare a published set with fresh sets.", "groundling.cli.fresh:fresh_command")
add_verb(app, "train", "Train a player on recorded games.", "groundling.cli.train:train_command", "trainer")
data = typer.Typer(
    help="Import, check and split published data.", rich_markup_mode=None, no_args_is_help=True
)
app.add_typer(data, name="data")
app.command("serve")(serve_command)
app.command("merge")(merge_command)
app.add_typer(study_app, name="study")
DATA_VERBS = {
    "import": "Convert published data to instances and recorded games.",
    "stats": "Compare figures recomputed from the data with the published ones.",
    "split": "Make new splits.",
    "sample": "Choose a stratified sample of instances and recorded games.",
    "labels": "Write the labels of the data, by people and by rules, as a long table.",
    "items": "Write parts of the data, such as steps, as items to annotate.",
}
for verb, about in DATA_VERBS.items():
    add_verb(data, verb, about, f"groundling.cli.data:{verb}_command", "source")


@data.command("steps")
def write_steps(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Runs of any game.")],
    unit: Annotated[
        str, typer.Option(help="What an item is: a step, an episode or an image.", metavar="NAME")
    ] = "step",
    out: Annotated[Path, typer.Option("-o", "--out", help="The file to write.")] = Path("items.jsonl"),
) -> None:
    """Write what was said and done in runs as a table of items to annotate in a study."""
    from groundling.cli.data import write_run_items

    write_run_items(runs, unit, out)


@data.command("export")
def export_data(
    runs: Annotated[list[str], Argument(metavar="RUN...", help="Runs of one game.")],
    out: Annotated[Path, Option("-o", "--out", help="The file to write; its extension sets the format.")],
) -> None:
    """Write runs as other files: FILE.eval for inspect view, FILE.jsonl in the published format."""
    from groundling.cli.data import export_data_runs

    export_data_runs(runs, out)


@app.callback(invoke_without_command=True)
def print_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command("games")
def list_games() -> None:
    """List the games, their seats and players."""
    from groundling.players import SHARED
    from groundling.report.text_table import print_text

    for name, point in installed_packs().items():
        try:
            pack = load_pack(point.value)
        except Problem as trouble:  # a broken package must not hide the other games
            print_text(f"{name}: cannot be loaded, {trouble}", "  ")
            continue
        print_text(f"{name}: {pack.about}", "  ")
        print_text(f"  board    {pack.board} ({pack.shape})", " " * 11)
        print_text(f"  seats    {', '.join(pack.roles)}", " " * 11)
        print_text(f"  players  {', '.join(sorted(pack.players))}", " " * 11)
    print_text(f"players in any game: {', '.join(sorted(SHARED))}, and language models", "  ")


@app.command("score")
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


@app.command("verify")
def verify_command(
    runs: Annotated[list[str], Argument(help="Runs or folders of runs.", metavar="DIR...")],
    game: GameOption = "",
) -> None:
    """Check that the logs of runs are undamaged.

    Every episode is replayed, and checksums and sums are compared."""
    from groundling.cli.run_commands import verify_runs

    raise typer.Exit(0 if verify_runs(runs, game) else 1)


@app.command("compare")
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


@app.command("rank")
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
    """Print the abilities of givers and followers, with ranks and groups.

    Abilities are estimated from all pairs of a game without self-play; intervals resample instances."""
    from groundling.cli.rank import rank_runs

    rank_runs(runs, by or (), equal, game, sets or (), seed, out, all_pairs=all_pairs, mixed=mixedlm)


@app.command("blame")
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
    """Split what a run lost into what the words did not say and what the listener did not understand.

    The words are replayed to players that cost nothing, and the words of a reference speaker to the
    listener. The file blame.json is written beside the run; reports show it."""
    from groundling.cli.blame import blame_run

    blame_run(run, panel or (), reference, clauses, limit, game, exchange=exchange, asks_models=asks_models)


@app.command("agree")
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


@app.command("report")
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


@app.command("leaderboard")
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
    """Write the results of a tournament as a page with tables, plots and episodes.

    The same numbers are written beside it as JSON and CSV. A folder also has a report of each pair."""
    from groundling.cli.leaderboard import print_leaderboard_schema, write_leaderboard

    if schema:
        print_leaderboard_schema()
        return
    if folder is None:
        raise Problem("leaderboard of which tournament? groundling leaderboard DIR")
    write_leaderboard(folder, out, prices, episodes)


@app.command("show", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
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


@app.command("note")
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


@app.command("check")
def check_pack(
    game: Annotated[
        str, Argument(metavar="GAME", help="The name of an installed game, FILE.py or PACKAGE:PACK.")
    ],
) -> None:
    """Check a game against the laws that hold for all games.

    The parts of the game that are derived are listed too."""
    from groundling.core.check import LAWS, check_game
    from groundling.core.derived import list_derived
    from groundling.report.text_table import print_text

    pack = find(game)
    found = check_game(pack)
    broken = {breach.law for breach in found}
    for name, law in LAWS.items():
        verdict = "BROKEN  " if name in broken else "left out" if law.trusts & broken else "ok      "
        print_text(f"{verdict} {name}: {law.about}", " " * 9)
    for name, advice in list_derived(pack).items():
        print_text(f"derived  {name}: {advice}", " " * 9)
    for breach in found:
        print(f"{breach.law}: {breach.message}", file=sys.stderr)
    raise typer.Exit(1 if found else 0)


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments == ["--version"]:  # as a Typer option it would slow down every command
        print(f"groundling {__version__}")
        return 0
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot encode ▢ prints a question mark
    try:
        command = typer.main.get_command(app)
        status = command.main(args=arguments, prog_name="groundling", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except Problem as trouble:
        return _print_problem(str(trouble))
    except typer.TyperException as trouble:
        message = trouble.format_message() if hasattr(trouble, "format_message") else str(trouble)
        if message.startswith("Usage: "):  # the help of a group without a subcommand
            print(message, file=sys.stderr)
            return 2
        context = getattr(trouble, "ctx", None)
        path = context.command_path if context else "groundling"
        return _print_problem(f"{' '.join(message.split())} (see {path} --help)")
    except (KeyboardInterrupt, typer.Abort):
        print("stopped", file=sys.stderr)
        return 130
    except (BrokenPipeError, SystemExit):  # a reader such as head has closed the pipe; Typer then exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as trouble:
        return _print_problem(file_error_advice(trouble))


def _print_problem(message: str) -> int:
    print(f"groundling: {message}", file=sys.stderr)
    return 2
