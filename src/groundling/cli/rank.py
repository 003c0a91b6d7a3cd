"""`groundling rank DIR...` prints the abilities of players in tournaments and runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec
from typer import Argument, Option

from groundling.cli.options import GameOption, SetOption
from groundling.core.pack import Pack
from groundling.core.values import Problem
from groundling.files import write_output
from groundling.report.text_table import print_table, print_text
from groundling.runs.tournament_folder import TournamentPair


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
    from groundling.report.ability_facets import FacetPairs
    from groundling.report.ability_ranking import GameRanking, rank_game
    from groundling.report.ability_table import agreement_lines
    from groundling.runs.pair_scores import find_pair_runs, score_game_pairs

    if out and out.suffix != ".json":
        raise Problem(f"{out} is not a .json file: write -o FILE.json")
    if equal is not None and not equal > 0:
        raise Problem("--equal is the largest difference that does not matter: give a number above 0")
    pairs, chosen, facets = find_pair_runs(runs, game), sets or [], dict[str, FacetPairs]()

    def note_for(pack: Pack, pair: TournamentPair) -> Any:
        return facets.setdefault(pack.name, FacetPairs(pack, chosen)).note_run(pair)

    rankings: list[GameRanking] = []
    for found in score_game_pairs(pairs, game, chosen, note_for if by else None):
        rankings.append(ranking := rank_game(found, equal, seed))
        tables = [facets[found.pack.name].facet_table(facet, seed) for facet in by or ()]
        _print_ranking(ranking, equal, all_pairs=all_pairs or equal is not None)
        if mixedlm:
            _print_mixed_check(ranking, found)
        for table in tables:
            print()
            print_table(table)
    for line in agreement_lines(rankings):
        print_text(line, "  ")
    if out:
        write_output(out, msgspec.json.format(msgspec.json.encode([*map(ranking_data, rankings)]), indent=1))
        print(f"written to {out}")


def _print_ranking(ranking: Any, margin: float | None, *, all_pairs: bool) -> None:
    from groundling.report import ability_table

    for seat in ranking.seats:
        print_table(ability_table.ability_table(ranking, seat))
        print()
        if all_pairs and len(seat.fit.players) > 1:
            print_table(ability_table.difference_table(ranking, seat, margin))
            print()
    for line in (
        *ability_table.special_pair_lines(ranking),
        *ability_table.power_lines(ranking),
        *ability_table.ability_notes(ranking),
    ):
        print_text(line, "  ")


def _print_mixed_check(ranking: Any, found: Any) -> None:
    from groundling.report.ability_ranking import pair_scores_of
    from groundling.scores.mixed_check import check_mixed_model

    played = pair_scores_of(found.pack, ranking.measure, found.episodes)
    for seat, check in zip(ranking.seats, check_mixed_model(played, ranking.fit), strict=True):
        ours, other = check.errors
        print_text(
            f"{seat.role}: in a linear mixed model (statsmodels) no score relative to the mean differs by "
            f"more than {check.farthest:.3f}; mean standard error {ours:.3f} here, {other:.3f} there",
            "  ",
        )


def ranking_data(ranking: Any) -> dict[str, Any]:
    """Return a game's abilities and tests as JSON data."""
    return {
        "game": ranking.pack.name,
        "measure": ranking.measure.name,
        "link": "chance-logit" if ranking.is_choice else "identity",
        "episodes": ranking.episodes,
        "instances": ranking.instances,
        "clusters": ranking.fit.cells.clusters,
        "seats": {
            seat.role: {
                "players": seat.fit.players,
                "differences": seat.ranks.differences,
                "ranks": seat.ranks.ranks,
                "groups": seat.ranks.groups,
                "power": seat.power,
            }
            for seat in ranking.seats
        },
        "pairs": ranking.special,
    }
