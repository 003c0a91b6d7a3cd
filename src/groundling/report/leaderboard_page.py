"""The leaderboard as one self-contained HTML page that works offline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from groundling import __version__
from groundling.boards.plot import PlotGroup, PlotSeries
from groundling.report.leaderboard import (
    Leaderboard,
    LeaderboardEntry,
    LeaderboardEpisode,
    LeaderboardGame,
    LeaderboardPair,
    LeaderboardSeat,
    LeaderboardSkill,
    pair_key,
)
from groundling.report.page_parts import (
    content_policy,
    escape_text,
    fill_page_template,
    format_settings,
    join_page_scripts,
    plot_figure,
    read_page_file,
)
from groundling.report.plot_captions import estimate_point, plot_players
from groundling.report.report_data import shorten_report_paths
from groundling.report.score_table import format_score_interval, format_score_number
from groundling.report.sortable_table import (
    TableCell,
    count_cell,
    estimate_cells,
    money_cell,
    number_cell,
    render_sortable_table,
    share_cell,
)
from groundling.runs.run_folder import shorten_value

STYLES = ("common/tokens.css", "common/style.css", "common/plot.css", "report.css", "leaderboard.css")
SCRIPTS = ("lib/elements.js", "leaderboard.js")
SEATS = ("giver", "follower")


class LeaderboardFiles(Struct, frozen=True):
    """Where the page finds what is beside it, as relative addresses by what they are."""

    data: Mapping[str, str]
    reports: Mapping[str, str]
    """The reports of pairs by `pair_key`."""


def render_leaderboard(
    board: Leaderboard, episodes: Mapping[str, Sequence[LeaderboardEpisode]], beside: LeaderboardFiles
) -> str:
    style, script = "".join(map(read_page_file, STYLES)), join_page_scripts(*SCRIPTS)
    links = ", ".join(
        f'<a href="{escape_text(path)}" download>{escape_text(name)}</a>'
        for name, path in beside.data.items()
    )
    return fill_page_template(
        read_page_file("leaderboard.html"),
        policy=content_policy(style, script),
        version=__version__,
        title=escape_text(f"Leaderboard: {board.name}"),
        style=style,
        about=escape_text(_describe_board(board)),
        players="".join(_skill_table(board, seat) for seat in SEATS),
        games="".join(_game_section(board, game) for game in board.games),
        pairs="".join(_matrix(board, game) for game in board.games),
        cards="".join(map(_entry_card, board.entries)),
        created=board.created,
        files=f"The same as files: {links}." if links else "",
        data=_episode_data(board, episodes, beside),
        script=script,
    )


def _describe_board(board: Leaderboard) -> str:
    games = ", ".join(game.name for game in board.games)
    versions = ", ".join(board.versions)
    repeat = f", each instance {board.repeat} times" if board.repeat > 1 else ""
    return (
        f"{len(board.entries)} players in {len(board.pairs)} pairs over {games}{repeat}. "
        f"Played from {board.begun} to {board.ended} UTC with groundling {versions}"
        f"{f'; plan {board.plan[:12]}' if board.plan else ''}."
    )


def _name_cell(name: str) -> TableCell:
    return TableCell(f'<a href="#card-{escape_text(name)}">{escape_text(name)}</a>')


def _skill_table(board: Leaderboard, seat: str) -> str:
    """The players of one seat over all games, best first."""
    skills = sorted((one for one in board.skills if one.seat == seat), key=lambda one: -one.skill.mean)
    names = [game.name for game in board.games]
    scores = {(one.player, one.game): one.score.mean for one in board.seats if one.seat == seat}
    rows = [
        [
            _name_cell(one.player),
            *estimate_cells(one.skill),
            *(number_cell(scores.get((one.player, name))) for name in names),
            count_cell(one.tokens),
            money_cell(one.dollars),
            TableCell(_wordless_tag(one)),
        ]
        for one in skills
    ]
    head = ("player", "skill", "95 %", *names, "tokens", "cost", "mark")
    return render_sortable_table(f"As {seat}", head, rows, ("mark",))


def _wordless_tag(one: LeaderboardSkill) -> str:
    where = escape_text(", ".join(one.wordless))
    return f'<span class="tag bad">wins without words: {where}</span>' if one.wordless else ""


def _game_section(board: Leaderboard, game: LeaderboardGame) -> str:
    seats = [one for one in board.seats if one.game == game.name]
    tables = "".join(_seat_table(game, kind, [one for one in seats if one.seat == kind]) for kind in SEATS)
    plot = plot_players(f"players-{game.name}", _seat_groups(game, seats), game.measure, ranked=game.ranked)
    settings = format_settings(game.settings) or "none"
    told = f"{game.instances} instances ({game.source}); settings: {settings}."
    facts = f"{told} {game.measure}: {game.measure_about}."
    return (
        f'<div class="game"><h3 id="game-{escape_text(game.name)}">{escape_text(game.name)}</h3>'
        f'<p class="small">{escape_text(facts)}</p><div class="plots">{plot_figure(plot)}</div>{tables}'
        f"{_set_table(board, game)}</div>"
    )


def _seat_table(game: LeaderboardGame, kind: str, seats: Sequence[LeaderboardSeat]) -> str:
    is_follower = kind == "follower"
    has_recited = any(one.recited is not None for one in seats)
    extra = ("silent", "shuffled") if is_follower else ("recited",) if has_recited else ()
    head = (
        *("player", "partners", "n", game.measure, "95 %", "expected", "95 %"),
        *("played", "quality", *extra, "calls", "tokens", "seconds", "cost"),
    )
    rows = []
    for one in sorted(seats, key=lambda each: -each.score.mean):
        controls = [None if found is None else found.mean for found in (one.silent, one.shuffled)]
        more = controls if is_follower else [one.recited]
        rows.append(
            [
                _name_cell(one.player),
                count_cell(one.partners),
                count_cell(one.score.n),
                *estimate_cells(one.score),
                *estimate_cells(one.expected),
                share_cell(one.played),
                number_cell(one.quality),
                *(number_cell(value) for value in more[: len(extra)]),
                count_cell(one.usage.calls),
                count_cell(one.usage.total_tokens),
                count_cell(one.usage.seconds),
                money_cell(one.dollars),
            ]
        )
    role = game.follower if is_follower else game.giver
    return render_sortable_table(f"{game.name}, {role}", head, rows)


def _seat_groups(game: LeaderboardGame, seats: Sequence[LeaderboardSeat]) -> list[PlotGroup]:
    """Group players by seat, best first; followers also without words."""
    groups = []
    colours = {name: at for at, name in enumerate(sorted({one.player for one in seats}))}
    for kind, role in zip(SEATS, (game.giver, game.follower), strict=True):
        rows = []
        mine = [one for one in seats if one.seat == kind]
        for one in sorted(mine, key=lambda each: -(each.expected or each.score).mean):
            point = estimate_point(0, one.expected or one.score)
            rows.append(PlotSeries(one.player, colours[one.player], [point]))
            if one.silent is not None:
                silent = estimate_point(0, one.silent)
                rows.append(PlotSeries(f"{one.player}, silent", colours[one.player], [silent], control=True))
        groups.append(PlotGroup(role, rows, game.chance))
    return groups


def _set_table(board: Leaderboard, game: LeaderboardGame) -> str:
    mine = [one for one in board.sets if one.game == game.name]
    if not mine:
        return ""
    names = list(dict.fromkeys(one.set for one in mine))
    found = {(one.player, one.seat, one.set): one.score for one in mine}
    rows = [
        [
            _name_cell(player),
            TableCell(escape_text(seat)),
            *(
                number_cell(score.mean if (score := found.get((player, seat, name))) else None)
                for name in names
            ),
        ]
        for player, seat in dict.fromkeys((one.player, one.seat) for one in mine)
    ]
    return render_sortable_table(
        f"{game.name}, {game.measure} by set", ("player", "seat", *names), rows, ("seat",)
    )


def _matrix(board: Leaderboard, game: LeaderboardGame) -> str:
    """A heat map of a game's pairs, whose cells lead to their episodes."""
    pairs = {(one.giver, one.follower): one for one in board.pairs if one.game == game.name}
    givers = list(dict.fromkeys(giver for giver, _ in pairs))
    followers = list(dict.fromkeys(sorted(follower for _, follower in pairs)))
    head = "".join(f'<th scope="col">{escape_text(name)}</th>' for name in followers)
    body = "".join(
        f'<tr><th scope="row">{escape_text(giver)}</th>'
        + "".join(_matrix_cell(game, pairs.get((giver, follower))) for follower in followers)
        + "</tr>"
        for giver in givers
    )
    caption = escape_text(f"{game.name}: {game.measure}, {game.giver} by {game.follower}")
    corner = f'<th scope="col">{escape_text(game.giver)}</th>'
    return (
        f'<div class="scroll framed" tabindex="0" role="group" aria-label="{caption}"><table class="matrix">'
        f"<caption>{caption}</caption><thead><tr>{corner}{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def _matrix_cell(game: LeaderboardGame, pair: LeaderboardPair | None) -> str:
    if pair is None:
        return '<td><span class="none">·</span></td>'
    marks = "*" * bool(pair.shared) + "†" * bool(pair.known) + "‡" * pair.self_play
    share = min(1.0, max(0.0, pair.score.mean / (game.top or 1)))
    interval = format_score_interval(pair.score.low, pair.score.high, ".2f")
    mean = format_score_number(pair.score.mean, ".2f")
    place = escape_text(urlencode({"pair": pair_key(pair)}))
    kind = ' class="self"' if pair.self_play else ""
    return (
        f'<td><a href="#{place}" style="--share: {share:.3f}"{kind}>'
        f"<b>{mean}{marks}</b><small>{interval}</small></a></td>"
    )


def _entry_card(entry: LeaderboardEntry) -> str:
    shared = _shared_facts(entry.facts.values())
    terms = {
        "player": shorten_report_paths(entry.player),
        "provider": entry.provider,
        "seats": "; ".join(entry.facts),
        **{key: shorten_value(value) for key, value in shared.items()},
    }
    for place, facts in entry.facts.items():
        if own := [f"{key} {shorten_value(value)}" for key, value in facts.items() if key not in shared]:
            terms[place] = ", ".join(own)
    told = "".join(
        f"<dt>{escape_text(key)}</dt><dd>{escape_text(value)}</dd>" for key, value in terms.items()
    )
    name = escape_text(entry.name)
    return f'<div class="card" id="card-{name}"><h3>{name}</h3><dl class="facts">{told}</dl></div>'


def _shared_facts(places: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the facts that are the same in all places."""
    first, *others = places
    return {key: value for key, value in first.items() if all(other.get(key) == value for other in others)}


def _episode_data(
    board: Leaderboard, episodes: Mapping[str, Sequence[LeaderboardEpisode]], beside: LeaderboardFiles
) -> str:
    data: dict[str, Any] = {
        pair_key(pair): {
            "title": f"{pair.game}, {pair.giver} → {pair.follower}",
            "report": beside.reports.get(pair_key(pair), ""),
            "episodes": episodes.get(pair_key(pair), ()),
        }
        for pair in board.pairs
    }
    return msgspec.json.encode(data).decode().replace("<", "\\u003c")
