"""What questions or a peek gain: the same pair plays the same real games in several ways."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from msgspec import Struct

from groundling.core.events import AnyEvent, Moved, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Seat, find, load
from groundling.core.player import Player, player_info
from groundling.core.table import play
from groundling.core.values import Problem, Role, Say
from groundling.games.codraw.instance import DRAWER, TELLER, CodrawInstance
from groundling.games.codraw.moves import Finish
from groundling.games.codraw.neural.evaluation.text_tables import NONE
from groundling.games.codraw.players.questions import TOPICS, parse_question
from groundling.games.codraw.recorded.dialogs import WHOLE
from groundling.games.codraw.recorded.transcripts import load_instances
from groundling.games.codraw.score import cluster
from groundling.games.codraw.text_table import format_table
from groundling.scores.comparison import compare_pairs

BUILT_IN = {TELLER: "template", DRAWER: "grammar"}
"""Players that can be seated without weights."""
NO_PEEK = {"peek": "no"}
"""Options of a Teller that does not peek."""
ASK_OPTIONS = {f"ask={topics}": {"ask": topics} for topics in (*TOPICS, "all")}
PEEK_OPTIONS = {f"peek=end,mend={mend}": {"peek": "end", "mend": mend} for mend in ("steps", "anew")}


class TrialPair(Struct, frozen=True):
    """Two players, in one of the ways in which they can play."""

    way: str
    players: dict[Role, Player]


class TrialOutcome(Struct, frozen=True):
    """The games of a pair, one per scene."""

    pair: TrialPair
    games: tuple[Transcript, ...]

    @property
    def similarity(self) -> list[float]:
        return [game.result.score if game.result else 0.0 for game in self.games]

    def spoken_texts(self, role: Role) -> list[str]:
        return [
            move.text
            for game in self.games
            for who, move in game.moves()
            if who == role and isinstance(move, Say)
        ]

    @property
    def mean_questions(self) -> float:
        """Questions per game."""
        return sum(parse_question(text) is not None for text in self.spoken_texts(DRAWER)) / len(self.games)

    @property
    def mean_messages(self) -> float:
        """Messages of the Teller per game."""
        return len(self.spoken_texts(TELLER)) / len(self.games)


def run_trials(
    drawer: str,
    tellers: Sequence[str],
    data: Path,
    part: str,
    limit: int | None,
    *,
    peek: bool,
    told: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Iterator[str]:
    """Yield the table of what each topic gains over no questions, or what each way to correct gains over no
    peek."""
    told("reading the dialogs", 0, 0)
    parks = list(islice(load_instances(data, part, WHOLE), limit))
    if not parks:
        raise Problem(f"{data} has no dialogs of {part}: choose another split")
    game = find("codraw").new()
    groups = [_trial_pairs(game, drawer, teller, peek=peek) for teller in tellers]
    clusters = [cluster(park) for park in parks]
    rows, aborted, before = [], 0, 0

    def report_game(what: str, before: int, many: int) -> None:
        told(what, before + many, len(parks) * sum(map(len, groups)))

    for teller, pairs in zip(tellers, groups, strict=True):
        without: TrialOutcome | None = None
        for pair in pairs:
            tell = partial(report_game, f"{teller}, {pair.way}", before)
            found = TrialOutcome(
                pair, _play_scenes(game, parks, pair, without.games if without else (), tell)
            )
            before += len(parks)
            aborted += sum(one.status != "played" for one in found.games)
            without = without or found
            rows.append((teller, *_format_cells(found, without, clusters)))
    yield from format_table(("teller", "", "similarity", "difference", "questions", "messages"), rows)
    scenes = f"{len(parks):,} scenes of {part} in {len(set(clusters)):,} clusters"
    yield f"{scenes}; {drawer} draws ({groups[0][0].players[DRAWER].name}); differences are from"
    yield (
        "the first row of the same Teller, scene by scene, and their 95 % intervals resample clusters; "
        "questions of the"
    )
    yield "Drawer and messages of the Teller a game"
    if aborted:
        yield f"{aborted:,} games were aborted, and count 0"
    for teller, pairs in zip(tellers, groups, strict=True):
        yield from _overlap_warnings(parks, teller, pairs[0].players)


def _trial_pairs(game: AnyGame, drawer: str, teller: str, *, peek: bool) -> list[TrialPair]:
    """Return the pairs to compare, the baseline first."""
    speaks, draws = _seat_player(game, TELLER, teller, NO_PEEK), _seat_player(game, DRAWER, drawer)
    usual = TrialPair("peek=no" if peek else "ask=no", {TELLER: speaks, DRAWER: draws})
    if peek:
        return [
            usual,
            *(
                TrialPair(way, {TELLER: _seat_player(game, TELLER, teller, how), DRAWER: draws})
                for way, how in PEEK_OPTIONS.items()
            ),
        ]
    return [
        usual,
        *(
            TrialPair(way, {TELLER: speaks, DRAWER: _seat_player(game, DRAWER, drawer, how)})
            for way, how in ASK_OPTIONS.items()
        ),
    ]


def _seat_player(game: AnyGame, role: Role, who: str, options: dict[str, str] | None = None) -> Player:
    """Seat a player as `groundling play` does."""
    codraw, built_in = find("codraw"), who == BUILT_IN[role]
    if not built_in and not Path(who).is_dir():
        raise Problem(
            f"{who} is neither {BUILT_IN[role]} nor a folder: "
            f"give the folder of a {role.capitalize()}'s weights"
        )
    name = who if built_in else "weights"
    seat = Seat(codraw, game, role, name, "" if built_in else who, dict(options or {}))
    player = load(codraw.players[name])(seat)
    if seat.options:
        raise Problem(
            f"{who} cannot have {','.join(f'{key}={value}' for key, value in seat.options.items())}"
        )
    return player


def _play_scenes(
    game: AnyGame,
    parks: Sequence[CodrawInstance],
    pair: TrialPair,
    before: Sequence[Transcript],
    ended: Callable[[int], None],
) -> tuple[Transcript, ...]:
    """Play all scenes at once, because trained players answer in batches. Games differ only after the Teller
    would finish, so each resumes the earlier game at that point."""

    done = 0

    async def play_scene(number: int) -> Transcript:
        nonlocal done
        park = parks[number]
        so_far = _events_before_finish(before[number]) if before else ()
        new = play(game, park, pair.players, seed=0, clock=lambda: 0.0, so_far=so_far)
        found = Transcript((*so_far, *[event async for event in new]))
        done += 1
        ended(done)
        return found

    async def play_all() -> tuple[Transcript, ...]:
        return tuple(await asyncio.gather(*(play_scene(number) for number in range(len(parks)))))

    return asyncio.run(play_all())


def _events_before_finish(game: Transcript) -> tuple[AnyEvent, ...]:
    """Return the events before the Teller first finished; none, if it never did."""
    for number, event in enumerate(game.events):
        if (
            isinstance(event, Moved)
            and event.role == TELLER
            and any(isinstance(move, Finish) for move in event.moves)
        ):
            return game.events[: number - 1]
    return ()


def _format_cells(found: TrialOutcome, without: TrialOutcome, clusters: Sequence[str]) -> tuple[str, ...]:
    difference = NONE
    if found is not without:
        gained = compare_pairs(found.pair.way, without.similarity, found.similarity, clusters)
        difference = f"{gained.difference:+.3f} [{gained.low:+.3f}, {gained.high:+.3f}]"
    mean = f"{np.mean(found.similarity):.3f}"
    return found.pair.way, mean, difference, f"{found.mean_questions:.2f}", f"{found.mean_messages:.1f}"


def _overlap_warnings(
    parks: Sequence[CodrawInstance], teller: str, players: dict[Role, Player]
) -> Iterator[str]:
    """Yield warnings about players that learned from these scenes or from the same games."""
    seen = {role: player_info(player).learned_from for role, player in players.items()}
    played = {park.id for park in parks}
    for role, known in seen.items():
        if many := len(known & played):
            yield f"the {role.capitalize()} of the rows of {teller} has learned from {many:,} of these scenes"
    if many := len(seen[TELLER] & seen[DRAWER]):
        yield (
            f"{teller} and the Drawer have both learned from the same {many:,} games: "
            "a codebook can pass for communication"
        )
