"""Recorded dialogs as games, and what `replay` makes of them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from tests.boards.scenes import PARK, released

from groundling.boards.scene import Put, Scene
from groundling.cli.main import main
from groundling.core.events import Moved
from groundling.core.pack import Seat, find, load
from groundling.core.replay import replay_transcript
from groundling.core.source import find_source
from groundling.core.values import Problem, Say
from groundling.games.codraw.instance import CodrawInstance
from groundling.games.codraw.moves import Agree, Close, Finish, Peek, Wait
from groundling.games.codraw.recorded.dialogs import DialogPolicy
from groundling.games.codraw.recorded.transcripts import (
    AS_RECORDED,
    PERSON,
    instance_to_transcript,
    load_transcript_instances,
    recorded_replies,
)
from groundling.games.codraw.rules import DRAWER, TELLER, CodrawGame, CodrawSettings, State
from groundling.games.codraw.score import score
from groundling.games.codraw.similarity import similarity
from groundling.runs.run_folder import RunFolder
from groundling.runs.session import RunSession, new_session_plan, prepare_session

from .recorded import MORE, SUN, lines


def parks(path: Path, split: str = "") -> list[CodrawInstance]:
    return [park for part in find_source("codraw").read_collections(path, split) for park in part.instances]  # type: ignore[misc]


@pytest.fixture
def long(tmp_path: Path) -> CodrawInstance:
    return parks(lines(tmp_path), "train")[0]


def recite(
    park: CodrawInstance, role: str, settings: CodrawSettings | None = None, **options: str
) -> list[object]:
    pack = find("codraw")
    seat = Seat(pack, pack.new(settings), role, "replay", options=options)
    return [reply.moves for reply in recorded_replies(seat)(park)]


def seated(
    folder: Path, found: list[CodrawInstance], settings: CodrawSettings | None = None, **seats: str
) -> RunSession:
    pack = find("codraw")
    plan = new_session_plan(
        pack, found, None, settings=settings or CodrawSettings(), source="data", seats=seats
    )
    session = prepare_session(pack, plan, folder)
    session.play_missing(4)
    return session


def test_a_dialog_becomes_an_instance_with_its_scene_palette_and_words(long: CodrawInstance) -> None:
    assert (long.id, long.set, long.number, long.target) == ("train_00007", "train", 7, PARK)
    assert long.palette == ("sun", "oak tree", "Mike", "Jenny", "crown", "beach ball")
    assert [turn.seat for turn in long.recorded] == ["drawer", *["teller", "drawer"] * 4]
    assert load(find("codraw").cluster)(long) == "prompt 0"


def test_a_dialog_becomes_a_game_in_which_the_drawer_opened_and_both_finished(long: CodrawInstance) -> None:
    played = instance_to_transcript(long)
    moved = [(event.role, event.moves) for event in played.events if isinstance(event, Moved)]
    assert moved[0] == (TELLER, (Wait(),))
    assert moved[1] == (DRAWER, (Say("ready"),))
    assert moved[3] == (DRAWER, (Put(SUN.pieces[0]), Say("ok")))
    assert moved[6] == (TELLER, (Peek(), Close(), Say("a crown on his head")))
    assert moved[-3:] == [(DRAWER, (Say(""),)), (TELLER, (Finish(),)), (DRAWER, (Agree(),))]
    assert played.opened.seats == {TELLER: PERSON, DRAWER: PERSON}
    assert played.status == "played"
    state: State = replay_transcript(CodrawGame(AS_RECORDED), played)
    assert state.canvas == PARK


@pytest.mark.parametrize("start", ["carry", "stored"])
@pytest.mark.parametrize("opening", ["drawer", "silence"])
@pytest.mark.parametrize("until", ["end", "peek"])
def test_however_it_is_read_it_replays(tmp_path: Path, start: Any, opening: Any, until: Any) -> None:
    policy = DialogPolicy(blank="empty", start=start, opening=opening, until=until)
    for park in load_transcript_instances(lines(tmp_path), "", policy):
        state: State = replay_transcript(CodrawGame(AS_RECORDED), instance_to_transcript(park))
        assert state.seat is None
        assert state.canvas == {"train_00007": PARK if until == "end" else MORE, "val_00018": SUN}[park.id]


def test_its_score_is_that_of_the_end_and_of_the_peek(long: CodrawInstance) -> None:
    scores = score(CodrawGame(AS_RECORDED), instance_to_transcript(long))
    assert scores.episode["similarity"] == 5
    assert scores.episode["unaided"] == similarity(PARK, MORE)
    assert [turn["similarity"] for turn in scores.turns] == [
        *(0.0, similarity(PARK, SUN), similarity(PARK, MORE)),
        *(5.0, 5.0, 5.0),
    ]


def test_replay_says_all_that_is_not_empty_peeks_where_people_did_and_finishes(long: CodrawInstance) -> None:
    said = ["big sun in the left corner", "boy , girl , tree and a ball", "a crown on his head", "done"]
    finish = [(Finish(),), (Finish(),)]
    both = [(Say(said[0]),), (Say(said[1]),), (Peek(), Close(), Say(said[2])), (Say(said[3]),), *finish]
    assert recite(long, TELLER) == both
    assert recite(long, TELLER, CodrawSettings(peeks=0)) == [*((Say(text),) for text in said), *finish]
    assert recite(long, TELLER, until="peek") == [*both[:2], *finish]


def test_replay_as_drawer_draws_and_answers_what_people_did(long: CodrawInstance) -> None:
    moves = recite(long, DRAWER)
    assert len(moves) == 5
    assert moves[0] == (Put(SUN.pieces[0]), Say("ok"))
    assert moves[1][-1] == Say("where is the ball")  # type: ignore[index]
    assert moves[3:] == [(Say("ok"),), (Agree(),)]
    assert len(recite(long, DRAWER, until="peek")) == 3
    assert recite(long, DRAWER, CodrawSettings(silent=True))[1][-1] == Say("ok")  # type: ignore[index]


def test_until_is_the_end_or_the_peek(long: CodrawInstance) -> None:
    with pytest.raises(Problem, match="until=never"):
        recite(long, TELLER, until="never")


def test_people_played_again_draw_what_they_drew(tmp_path: Path) -> None:
    found = parks(lines(tmp_path))
    session = seated(tmp_path / "run", found, teller="replay", drawer="replay")
    states = [replay_transcript(session.game, played) for played in session.folder.read_transcripts()]
    assert {state.park.id: state.canvas for state in states} == {"train_00007": PARK, "val_00018": SUN}
    early = seated(tmp_path / "early", found, teller="replay,until=peek", drawer="replay,until=peek")
    states = [replay_transcript(early.game, played) for played in early.folder.read_transcripts()]
    assert {state.park.id: state.canvas for state in states} == {"train_00007": MORE, "val_00018": SUN}


def test_a_script_ends_with_any_drawer(tmp_path: Path) -> None:
    for number, settings in enumerate(
        (CodrawSettings(), CodrawSettings(silent=True, peeks=0), CodrawSettings(opens="drawer"))
    ):
        session = seated(
            tmp_path / f"{number}", parks(lines(tmp_path)), settings, teller="replay", drawer="random"
        )
        assert session.read_summary().played == 2


def test_a_scene_that_is_cut_short_is_named_with_its_dialog(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = lines(tmp_path)
    text = gzip.decompress(file.read_bytes()).decode()
    file.write_bytes(gzip.compress(text.replace(PARK.text(), PARK.text()[:-8], 1).encode()))
    assert main(["data", "import", "codraw", str(file), "-o", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert "train_00007" in told
    assert "cut short" in told
    assert not (tmp_path / "out").exists()


def test_an_imported_part_is_a_run_as_any_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["data", "import", "codraw", str(lines(tmp_path)), "--split", "train", "-o", str(out)]) == 0
    folder = RunFolder(out / "train")
    assert folder.make_game().settings == AS_RECORDED
    (played,) = folder.read_transcripts()
    assert played == instance_to_transcript(parks(tmp_path, "train")[0])
    assert main(["score", str(out / "train")]) == 0
    assert "person → person" in capsys.readouterr().out


@pytest.mark.no_cover
@pytest.mark.slow
def test_every_published_dialog_replays_under_the_rules_and_ends_where_people_ended() -> None:
    mean = {}
    for part in find_source("codraw").read_collections(released()):
        results = [played.result for played in part.transcripts]
        assert all(results)
        mean[part.name] = sum(result.score for result in results if result) / len(results)
    assert mean["val"] == pytest.approx(4.1969, abs=5e-5)
    assert mean["train"] == pytest.approx(4.2050, abs=5e-5)


@pytest.mark.no_cover
@pytest.mark.slow
def test_published_scripts_are_replayed_as_a_whole_and_gold_reaches_the_top_of_every_published_scene(
    tmp_path: Path,
) -> None:
    found = parks(released(), "val")
    again = seated(tmp_path / "replay", found, teller="replay", drawer="replay").read_summary()
    assert again.played == 1002
    assert again.score == pytest.approx(4.1969, abs=5e-5)
    unaided = [
        score(CodrawGame(AS_RECORDED), instance_to_transcript(park)).episode["unaided"] or 0.0
        for park in found
    ]
    assert sum(unaided) / len(unaided) == pytest.approx(3.953, abs=5e-4)
    gold = seated(tmp_path / "gold", found, teller="gold", drawer="gold").read_summary()
    top = load(find("codraw").top)
    assert gold.score == pytest.approx(sum(map(top, found)) / len(found))


def test_nothing_said_is_nothing_drawn(long: CodrawInstance) -> None:
    assert similarity(long.target, Scene()) == load(find("codraw").chance)(long) == 0
