"""Runs know no game: what holds for the reference game holds for games of another shape."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.core.broken import GUESSER, TELLER, Acting, Guess, GuessGame, Secret, good, with_game

from groundling.core.events import Transcript
from groundling.core.pack import Pack
from groundling.core.player import Reply
from groundling.core.values import Problem, Settings
from groundling.runs.event_log import read_log_transcripts
from groundling.runs.scoring import EpisodeScorer
from groundling.runs.session import RunSession, new_session_plan, prepare_session


def session(pack: Pack, folder: Path, seats: dict[str, str]) -> RunSession:
    from groundling.core.pack import load

    plan = new_session_plan(
        pack, load(pack.builtin)(), None, settings=Settings(), source="built in", seats=seats
    )
    return prepare_session(pack, plan, folder)


def played(at_table: RunSession) -> list[Transcript]:
    at_table.play_missing(2)
    return list(read_log_transcripts(at_table.folder.log_path, type(at_table.game)))


def test_controls_go_on_where_the_partner_takes_longer_than_it_took(tmp_path: Path) -> None:
    """Gold needs one guess; a guesser that is told nothing needs more, and the control must not give up on
    it."""
    wrong = Acting(lambda ask: Reply(moves=(Guess(ask.view.limit),)))
    pack = replace(good, players={**good.players, "wrong": lambda seat: wrong})
    for control in ("silent", "shuffled"):
        found = played(session(pack, tmp_path / control, {TELLER: control, GUESSER: "wrong"}))
        assert {t.status for t in found} == {"played"}
        assert max(len(list(t.event_moves())) for t in found) == 4


def test_instances_of_one_game_may_have_different_seats(tmp_path: Path) -> None:
    def seats(self: Any, instance: Secret) -> tuple[str, ...]:
        return (TELLER, GUESSER) if instance.number > 3 else (GUESSER,)

    def turn(self: Any, state: Any) -> str | None:
        return GuessGame.turn(self, state) if state.secret.number > 3 or state.heard else GUESSER

    pack = with_game(seats=seats)
    at_table = session(pack, tmp_path, {TELLER: "gold", GUESSER: "gold"})
    assert at_table.players.keys() == {TELLER, GUESSER}
    with pytest.raises(Problem, match="seat teller is empty"):
        session(pack, tmp_path, {GUESSER: "gold"})
    alone = with_game(seats=lambda self, instance: (GUESSER,))
    assert session(alone, tmp_path, {GUESSER: "gold"}).players.keys() == {GUESSER}


def test_measures_are_distinguished_by_name_and_not_by_their_order(tmp_path: Path) -> None:
    def shuffled(game: Any, transcript: Transcript) -> Any:
        from tests.core.broken import score

        scores = score(game, transcript)
        return replace(scores, episode=dict(reversed(scores.episode.items())))

    pack = replace(good, score=shuffled)
    (first, *_) = played(session(pack, tmp_path, {TELLER: "gold", GUESSER: "gold"}))
    scorer = EpisodeScorer(pack, pack.new())
    row = dict(zip(scorer.columns, scorer.episode_row(first), strict=False))
    assert (row["success"], row["guesses"]) == (1, 1)
