"""Games on one instance side by side: what was said in each round, what came of it, and the score."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence

from msgspec import Struct

from groundling.boards.picture import svg_document, text_at, wrap_text
from groundling.core.events import Closed, Moved, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load
from groundling.core.replay import EpisodeReplay, replay_events
from groundling.core.result_tables import Column, TableRow, TextTable
from groundling.core.values import Role, Say
from groundling.runs.cross_play import cross_play_roles
from groundling.runs.side_by_side import SideGame, SidePlan

_GAP, _TOP, _LINE, _WORDS, _BOARD, _TEXT = 20.0, 64.0, 17.0, 230.0, 260.0, 300.0
_GREY = "#6b7280"
_LETTERS = 6.9
"""The width of a letter in the font of the words."""
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


class SideRound(Struct, frozen=True):
    """What the speaker said, the board when the next round began, and the main score then."""

    words: str
    board: str
    score: float | None


class SideColumn(Struct, frozen=True):
    label: str
    rounds: list[SideRound]
    score: float | None
    """The final score; None if the game has not ended."""
    ended: str
    """Why the game has no score; empty if it has one."""


def side_columns(pack: Pack, game: AnyGame, games: Sequence[SideGame]) -> list[SideColumn]:
    return [_read_column(pack, game, one.label, one.transcript) for one in games]


def _read_column(pack: Pack, game: AnyGame, label: str, transcript: Transcript) -> SideColumn:
    speaker, listener = cross_play_roles(pack)
    main = load(pack.measures)[0].name
    turns = [turn.get(main) for turn in load(pack.score)(game, transcript).turns]
    rounds: list[SideRound] = []
    words, score, answers = "", None, 0
    last: EpisodeReplay | None = None
    for event, replay in replay_events(game, transcript):
        if isinstance(event, Moved):
            said = " ".join(move.text for move in event.moves if isinstance(move, Say))
            if event.role == speaker and said:
                if words and last is not None:
                    rounds.append(SideRound(words, board_picture(pack, game, last, listener), score))
                words = said
            if event.role == listener and replay.awaited_role != listener:
                score = turns[answers] if answers < len(turns) else None
                answers += 1
        last = replay
    if words and last is not None:
        rounds.append(SideRound(words, board_picture(pack, game, last, listener), score))
    end = transcript.events[-1]
    result = end.result.score if isinstance(end, Closed) and end.result else None
    return SideColumn(label, rounds, result, "" if result is not None else transcript.status)


def board_picture(pack: Pack, game: AnyGame, replay: EpisodeReplay, role: Role) -> str:
    """Draw what a seat has made: its board alone where the game can draw that, else its view."""
    if pack.report.made:
        return str(load(pack.report.made)(replay.state))
    return load(pack.draw)(replay.view(role)).picture


def target_picture(pack: Pack, game: AnyGame, transcript: Transcript) -> str:
    """Draw what the speaker sees at the beginning, or the target alone where the game can draw that."""
    if pack.report.target:
        return str(load(pack.report.target)(transcript.opened.instance))
    speaker, _ = cross_play_roles(pack)
    _, replay = next(iter(replay_events(game, transcript)))
    return load(pack.draw)(replay.view(speaker)).picture


def side_table(pack: Pack, columns: Sequence[SideColumn], plan: SidePlan, title: str) -> TextTable:
    """Return the scores of each round and at the end as a table; words of speakers follow it as text."""
    main = load(pack.measures)[0].name
    rows = []
    for at in range(max(len(column.rounds) for column in columns)):
        scores = [column.rounds[at].score if at < len(column.rounds) else None for column in columns]
        rows.append(TableRow((f"round {at + 1}",), tuple(map(_format_score, scores))))
    rows.append(TableRow(("end",), tuple(_format_end(column) for column in columns)))
    return TextTable(
        f"{title}: {main}", (plan.role,), tuple(Column(column.label) for column in columns), tuple(rows)
    )


def side_words(columns: Sequence[SideColumn]) -> Iterator[str]:
    """Yield the words of each speaker, one line a message."""
    for column in columns:
        yield f"{column.label}:"
        yield from (f"  {number}. {one.words}" for number, one in enumerate(column.rounds, 1))


def _format_score(score: float | None) -> str:
    return "" if score is None else f"{score:.2f}"


def _format_end(column: SideColumn) -> str:
    return column.ended if column.score is None else f"{column.score:.2f}"


def draw_side_by_side(
    columns: Sequence[SideColumn], target: str, title: str, measure: str, *, listeners: bool
) -> str:
    """Draw listeners as boards round by round beside the words that all of them heard, or speakers as their
    words, with the target on top."""
    wide = _BOARD if listeners else _TEXT
    starts = [_GAP + _WORDS + _GAP + number * (wide + _GAP) for number in range(len(columns))]
    body, y = [text_at(title, _GAP, 26, 15)], _TOP
    picture, tall = _place_picture(target, _GAP, y, _WORDS)
    body.append(picture)
    top = y
    for start, column in zip(starts, columns, strict=True):
        body += _text_lines(column.label, start, y - 6, wide, fill=_GREY)
    for at in range(max(len(column.rounds) for column in columns)):
        rounds = [column.rounds[at] if at < len(column.rounds) else None for column in columns]
        used = _LINE
        if listeners:
            heard = next((one.words for one in rounds if one), "")
            left = max(y, top + tall + 2 * _LINE) if at == 0 else y
            lines = _text_lines(f"{at + 1}. {heard}", _GAP, left + _LINE, _WORDS)
            body += lines
            used = (left - y) + len(lines) * _LINE + _LINE
        for start, one in zip(starts, rounds, strict=True):
            if one is None:
                continue
            if listeners:
                picture, height = _place_picture(one.board, start, y, wide)
                score = f"{measure} {one.score:.2f}" if one.score is not None else ""
                body += [picture, text_at(score, start, y + height + _LINE, 12, fill=_GREY)]
                used = max(used, height + 2 * _LINE)
            else:
                lines = _text_lines(f"{at + 1}. {one.words}", start, y + _LINE, wide)
                body += lines
                used = max(used, (len(lines) + 0.6) * _LINE)
        y += used + (_GAP / 2 if listeners else 0)
    for start, column in zip(starts, columns, strict=True):
        body.append(text_at(f"{measure} at the end: {_format_end(column)}", start, y + _LINE, 12, fill=_GREY))
    y = max(y, top + tall) + 2 * _LINE
    return svg_document(starts[-1] + wide + _GAP, y, "".join(body), title, zoom=1.5)


def _text_lines(text: str, x: float, y: float, wide: float, **style: str) -> list[str]:
    lines = wrap_text(text, int(wide / _LETTERS))
    return [text_at(line, x, y + number * _LINE, 12, **style) for number, line in enumerate(lines)]


def _place_picture(svg: str, x: float, y: float, wide: float) -> tuple[str, float]:
    """Embed a document, as wide as given, and return it with its height. As an image its ids stay its own."""
    size = _SIZE.search(svg)
    tall = wide * float(size[2]) / float(size[1]) if size else wide
    place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{tall:g}"'
    data = b64encode(svg.encode()).decode()
    return f'<image {place} href="data:image/svg+xml;base64,{data}"/>', tall
