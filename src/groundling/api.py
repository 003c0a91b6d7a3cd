"""The Python API: what the commands do, with results as polars frames.

`import groundling` offers these functions. Their arguments have the names of the commands' options. What a
command would print as an error is raised as Problem."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundling.core.values import missing_extra

try:
    import polars as pl
except ImportError:
    raise missing_extra("score") from None

import msgspec

from groundling.core.pack import find, installed_packs, load_pack
from groundling.core.pack import load as load_lazy
from groundling.core.setting_fields import read_recipe_fields, read_settings
from groundling.core.values import Problem
from groundling.files import write_output
from groundling.players.player_specs import known_player_specs, read_seat_specs, with_prompt_specs
from groundling.report.episode import episode_text
from groundling.runs.instances import choose_instances, encode_instances, make_instances
from groundling.runs.playing import make_session_budget, play_session
from groundling.runs.run import find_run_episode, open_run
from groundling.runs.scoring import score_with_controls
from groundling.runs.scoring_table import choose_table_sets, join_scoring_tables, scan_scoring_table
from groundling.runs.session import (
    RunSession,
    check_session_controls,
    control_sessions,
    new_session_plan,
    prepare_session,
)

if TYPE_CHECKING:
    from groundling.report.score_table import ScoreRow
    from groundling.runs.stored_run import Run
    from groundling.scores.intervals import Estimate


def list_games() -> pl.DataFrame:
    """List the installed games with their seats and the players that can take them.

    Returns:
        A row for each game: `game`, `about`, `board`, `shape`, `seats` and `players`. A language model takes
        any seat as `PROVIDER/MODEL`.
    """
    rows = []
    for name, point in installed_packs().items():
        try:
            pack = load_pack(point.value)
        except Problem as trouble:  # a broken package must not hide the other games
            warnings.warn(f"{name} cannot be loaded: {trouble}", stacklevel=2)
            continue
        row = {"game": name, "about": pack.about, "board": pack.board, "shape": pack.shape}
        rows.append({**row, "seats": list(pack.roles), "players": known_player_specs(pack)})
    return pl.DataFrame(rows)


def make(game: str, out: str | Path, **recipe: Any) -> Path:
    """Make new instances of a game and write them to a file, one JSON object a line.

    Args:
        game: The name of a game, `FILE.py` or `PACKAGE:PACK`.
        out: The file to write.
        recipe: The options of `groundling make GAME`, such as `n=100, seed=7`.

    Returns:
        The file.
    """
    pack = find(game)
    chosen = read_recipe_fields(pack, recipe)
    if pack.data.folder and getattr(chosen, "name", ""):
        raise Problem("name makes a folder of files: use groundling make for it")
    for note in chosen.notes():
        warnings.warn(note, stacklevel=2)
    return _write_file(out, encode_instances(make_instances(pack, chosen)))


def play(
    game: str,
    instances: str | Path | None = None,
    *,
    seat: Mapping[str, str] | None = None,
    out: str | Path | None = None,
    data: str | Path | None = None,
    split: str = "",
    splits: str | Path | None = None,
    set: Sequence[str] = (),  # noqa: A002 - the name of the option
    limit: int | None = None,
    sample: int | None = None,
    repeat: int = 1,
    retries: int = 1,
    seed: int = 0,
    strict: bool = False,
    controls: bool = False,
    prompts: str = "",
    max_tokens_total: int | None = None,
    max_cost: float | None = None,
    prices: str | Path | None = None,
    no_reuse: bool = False,
    jobs: int | None = None,
    workers: str = "",
    **settings: Any,
) -> Path:
    """Play instances of a game and log the run, as `groundling play` does. The same call resumes a run.

    It can be called in a notebook, where an event loop is running. A warning says if episodes are errored or
    missing at the end.

    Args:
        game: The name of a game, `FILE.py` or `PACKAGE:PACK`.
        instances: A file of instances; by default, the built-in set is played.
        seat: The player for each seat, such as `{"giver": "gold", "follower": "openai/gpt-4o"}`.
        out: The run's folder; by default `runs/GAME-HASH`.
        data: A folder or file of published data to play instead of instances.
        split: The part of the data to play; by default all.
        splits: A file made by `groundling data split`; `split` chooses one of its splits.
        set: Only these sets.
        limit: The number of instances to play, in rotation over sets and categories.
        sample: The number of instances to draw at random, spread in the same way.
        repeat: The number of times that each instance is played.
        retries: The number of retries after an invalid reply.
        seed: The random seed for stochastic players.
        strict: Abort an episode at the first malformed reply.
        controls: Then play the controls: without words, and with another instance's words.
        prompts: The prompt wording for language models; `all` takes each in turn.
        max_tokens_total: Make no call that could exceed this number of tokens in total.
        max_cost: Make no call that could exceed this cost in dollars in total.
        prices: A file with the models' prices for a million tokens.
        no_reuse: Ask language models again what they have answered in a run of the same folder.
        jobs: The number of episodes played in parallel; by default chosen for the players.
        workers: Play on workers: `processes=N`, `ray`, or `ray://HOST:PORT`.
        settings: The game's own options, such as `turns=7` for `image`.

    Returns:
        The run's folder, for `score`, `load` and the other functions.
    """
    for name, value, least in (("jobs", jobs, 1), ("repeat", repeat, 1), ("retries", retries, 0)):
        if value is not None and value < least:
            raise Problem(f"{name} is {value}: must be at least {least}")
    pack = find(game)
    chosen = choose_instances(pack, _path(instances), _path(data), split, _path(splits))
    seats = read_seat_specs([f"{role}={player}" for role, player in (seat or {}).items()], pack)
    plan = new_session_plan(
        pack,
        chosen.instances,
        limit,
        sample=sample,
        sets=_names(set),
        settings=read_settings(pack, settings),
        source=chosen.source,
        data=chosen.data,
        seats=with_prompt_specs(seats, prompts),
        strict=strict,
        seed=seed,
        repeat=repeat,
        retries=retries,
    )
    session = prepare_session(pack, plan, _path(out))
    if controls:
        check_session_controls(session)
    budget = make_session_budget([session], tokens=max_tokens_total, cost=max_cost, prices=_path(prices))

    def play_all(some: RunSession) -> bool:
        play_session(some, jobs, budget, reuse=not no_reuse, workers=workers)
        return _warn_of_missing(some, budget.stopped)

    if play_all(session) and controls:
        for control in control_sessions(session):
            play_all(control)
    return session.folder.path


def load(*runs: str | Path, set: Sequence[str] = (), game: str = "") -> pl.DataFrame:  # noqa: A002
    """Load the episodes of runs and of their controls, with their scores.

    Args:
        runs: Folders of runs, or logs of Inspect AI.
        set: Only these sets.
        game: The game to read them with, instead of the one that they were played with.

    Returns:
        A row for each episode: `run`, `game`, `control`, `players`, `set`, `category`, `episode`, `cluster`,
        `status`, the game's measures, the strict and tolerant scores, refused replies and tokens.
    """
    contents = [content for run in _open_runs(runs, game) for _, _, content in score_with_controls(run)]
    tables = [scan_scoring_table(content) for content in contents]
    return choose_table_sets(join_scoring_tables(tables), _names(set)).collect()


def load_replies(*runs: str | Path, game: str = "") -> pl.DataFrame:
    """Load what players said in runs, without the controls.

    Args:
        runs: Folders of runs, or logs of Inspect AI.
        game: The game to read them with, instead of the one that they were played with.

    Returns:
        A row for each reply: `run`, `episode`, `set`, `reply` (its number in the episode), `role`, `player`,
        `text`, and `strict` and `tolerant`, what the readings of the text complain about.
    """
    rows = [
        {
            "run": str(run.path),
            "episode": one.episode,
            "set": one.opened.instance.set,
            "reply": number,
            "role": reply.role,
            "player": one.opened.seats[reply.role],
            "text": reply.text,
            "strict": reply.strict,
            "tolerant": reply.tolerant,
        }
        for run in _open_runs(runs, game)
        for one in run.read_transcripts()
        for number, reply in enumerate(one.reply_events(), 1)
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def score(
    *runs: str | Path,
    set: Sequence[str] = (),  # noqa: A002
    all: bool = False,  # noqa: A002
    game: str = "",
) -> pl.DataFrame:
    """Score runs and their controls from the transcripts; intervals resample clusters.

    Args:
        runs: Folders of runs, or logs of Inspect AI.
        set: Only these sets.
        all: Give all measures of the game, not only the main ones.
        game: The game to read them with, instead of the one that they were played with.

    Returns:
        The rows of the table that `groundling score` prints, one for each measure: `game`, `set`, `run`,
        `players`, `control`, `measure`, `mean`, `low` and `high` (the 95 % interval), `n`, `clusters`,
        `strict`, `tolerant`, `aborted`. In the rows of `chance` and of simple players, `control` is `chance`.
    """
    from groundling.report.score_table import score_rows

    packs = {run.find_pack().name: run.find_pack() for run in _open_runs(runs, game)}
    episodes = load(*runs, set=set, game=game)
    if episodes.is_empty():
        raise Problem(f"nothing has been played yet in {', '.join(map(str, runs))}: play it again")
    rows: list[dict[str, Any]] = []
    for name, pack in packs.items():
        measures = [(measure.name, measure.headline) for measure in load_lazy(pack.measures)]
        for row in score_rows(pack, episodes.filter(pl.col("game") == name)):
            rows += _score_dicts(name, row, measures, all_measures=all)
    return pl.DataFrame(rows, infer_schema_length=None)


def compare(
    a: str | Path,
    b: str | Path,
    *,
    set: Sequence[str] = (),  # noqa: A002
    game: str = "",
) -> pl.DataFrame:
    """Compare two runs, in pairs where they share instances.

    Args:
        a: A run, or one set of a run as `DIR@SET`.
        b: The other one.
        set: Only these sets.
        game: The game to read them with, instead of the one that they were played with.

    Returns:
        A row for each measure and set: `name`, `n` pairs, `clusters`, the means `a` and `b`, `difference`
        (b - a) with `low` and `high`, `p`, `holm` (p adjusted for all tests), `effect`, the smallest
        `detectable` difference, and whether the comparison is `paired`.
    """
    from groundling.report.comparison import compare_run_sides, read_comparison_side

    def open_one(path: str) -> Run:
        return next(_open_runs([path], game))

    sides = [read_comparison_side(str(name), open_one, _names(set)) for name in (a, b)]
    found, _ = compare_run_sides(*sides)
    return pl.DataFrame([msgspec.structs.asdict(one) for one in found], infer_schema_length=None)


def show(run: str | Path, episode: str, *, game: str = "") -> str:
    """Return an episode as text: what each seat saw and said, and the result.

    Args:
        run: The folder of a run, or a log of Inspect AI.
        episode: The name of the episode, as in the column `episode` of `load`.
        game: The game to read it with, instead of the one that it was played with.
    """
    (opened,) = _open_runs([run], game)
    found = find_run_episode(opened, str(run), episode)
    return episode_text(opened.find_pack(), opened.make_game(), found)


def write_report(
    *runs: str | Path,
    out: str | Path = "report.html",
    episodes: int | None = 200,
    seed: int = 0,
    set: Sequence[str] = (),  # noqa: A002
    game: str = "",
) -> Path:
    """Write runs of one game as one HTML file with scores, plots and replays, which works offline.

    Args:
        runs: Folders of runs, or logs of Inspect AI.
        out: The file to write.
        episodes: The number of episodes with a replay; None for all.
        seed: The random seed for the choice of episodes.
        set: Only these sets.
        game: The game to read them with, instead of the one that they were played with.

    Returns:
        The file.
    """
    from groundling.report.html import render_html_report

    names = [str(run.path) for run in _open_runs(runs, game)]
    return _write_file(out, render_html_report(names, episodes, seed, game, _names(set)).encode())


def _write_file(out: str | Path, content: bytes) -> Path:
    path = Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_output(path, content)
    return path


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _names(given: Sequence[str]) -> Sequence[str]:
    return [given] if isinstance(given, str) else given


def _open_runs(runs: Sequence[str | Path], game: str) -> Iterator[Run]:
    if not runs:
        raise Problem("no run is given: give folders made by play")
    for name in dict.fromkeys(map(Path, runs)):
        run = open_run(name, game)
        if warning := run.changed_code():
            warnings.warn(warning, stacklevel=3)
        yield run


def _warn_of_missing(session: RunSession, stopped: str) -> bool:
    """Warn of episodes without a result; return whether there are none."""
    summary = session.read_summary()
    if not summary.is_complete:
        why = stopped or (": ".join(summary.why) if summary.why else "")
        warnings.warn(
            f"{session.folder.path}: {summary.errored} episodes are errored and {summary.missing} missing"
            f"{f' ({why})' if why else ''}; the same call plays them",
            stacklevel=3,
        )
    return summary.is_complete


def _score_dicts(
    game: str, row: ScoreRow, measures: Sequence[tuple[str, bool]], *, all_measures: bool
) -> Iterator[dict[str, Any]]:
    """Yield a row for the main measure, and for others that are numbers."""
    from groundling.scores.intervals import Estimate

    same = {"game": game, "set": row.set, "run": row.run, "players": row.players, "control": row.control}
    (main, _), *others = measures
    more = {"strict": row.strict, "tolerant": row.tolerant, "aborted": row.aborted}
    yield {**same, "measure": main, **_estimate_dict(row.main), **more}
    for (name, headline), value in zip(others, row.others, strict=bool(row.others)):
        if isinstance(value, Estimate):
            yield {**same, "measure": name, **_estimate_dict(value)}
        elif isinstance(value, float) and (headline or all_measures):
            yield {**same, "measure": name, "mean": value}


def _estimate_dict(found: Estimate) -> dict[str, float | int | None]:
    numbers = msgspec.structs.asdict(found)
    return {name: None if value != value else value for name, value in numbers.items()}
