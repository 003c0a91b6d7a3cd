"""Blame by substitution: planted failures are named, and nobody is blamed for more than the loss."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from groundling.core.pack import find, load
from groundling.core.panel import find_clause_spans
from groundling.core.values import Problem
from groundling.runs.blame_file import EpisodeBlame, RunBlame, read_blame, write_blame
from groundling.runs.blame_replay import BlamePanel, blame_transcripts, scored_transcripts
from groundling.runs.instances import make_instances
from groundling.runs.run_folder import RunFolder
from groundling.runs.session import new_session_plan, prepare_session

SETTINGS: dict[str, dict[str, Any]] = {"director": {"mode": "two-player"}}


def played(game: str, count: int, folder: Path, seats: dict[str, str], **options: Any) -> RunFolder:
    """A run of fresh instances with these players."""
    pack = find(game)
    made = load(pack.recipe)(n=count, seed=3)
    instances = make_instances(pack, made)[:count]
    settings = load(pack.game).Settings(**(options or SETTINGS.get(game, {})))
    plan = new_session_plan(pack, instances, settings=settings, source="made", seats=seats)
    session = prepare_session(pack, plan, folder)
    session.play_missing(8)
    return session.folder


def blamed(run: RunFolder, clauses: int = 0, **fields: Any) -> list[EpisodeBlame]:
    panel = BlamePanel(run)
    found = scored_transcripts(run, panel)
    return blame_transcripts(
        panel, found, clauses=clauses, exchange=fields.get("exchange", False), on_done=lambda _: None
    )


def planted(game: str, count: int, folder: Path) -> dict[str, list[EpisodeBlame]]:
    """Episodes in which the giver speaks about another instance, and in which the follower is deaf."""
    pack = find(game)
    speaker, listener = pack.roles
    honest, reader = (pack.live.partners[role] for role in pack.roles)
    said = played(game, count, folder / "said", {speaker: honest, listener: reader})
    lying = {speaker: f"shuffled:{said.path}", listener: reader}
    deaf = {speaker: honest, listener: "random"}
    return {
        "words": blamed(played(game, count, folder / "lying", lying)),
        "listener": blamed(played(game, count, folder / "deaf", deaf)),
    }


@pytest.mark.parametrize(
    ("game", "count"),
    [
        ("reference", 40),
        ("director", 30),
        pytest.param("image", 30, marks=pytest.mark.slow),
        pytest.param("codraw", 12, marks=pytest.mark.slow),
        pytest.param("hexagons", 8, marks=pytest.mark.slow),
    ],
)
def test_a_giver_that_lies_and_a_follower_that_is_deaf_are_named(
    game: str, count: int, tmp_path: Path
) -> None:
    for guilty, found in planted(game, count, tmp_path).items():
        lost = [one for one in found if one.split.verdict != "no loss"]
        named = sum(one.split.verdict == guilty for one in lost)
        print(f"{game}, {guilty}: {named} of {len(lost)}")
        assert lost
        assert named >= 0.95 * len(lost)


def test_the_parts_add_up_to_the_loss(tmp_path: Path) -> None:
    for one in blamed(played("reference", 12, tmp_path / "run", {"giver": "gold", "follower": "random"})):
        split = one.split
        assert split.listener is not None
        assert math.isclose(split.score + split.words + split.listener + split.neither, 1)


def test_a_clause_that_the_reader_needs_has_credit(tmp_path: Path) -> None:
    found = blamed(played("image", 2, tmp_path / "run", {"giver": "rule", "follower": "rule"}), clauses=1)
    assert sum(len(one.clauses) > 0 for one in found) == 1
    credit = {clause.text: clause.credit for one in found for clause in one.clauses}
    assert max(credit.values()) > 0


def test_clauses_are_exchanged_for_those_of_another_episode(tmp_path: Path) -> None:
    run = played("image", 6, tmp_path / "run", {"giver": "rule", "follower": "rule"})
    deleted, exchanged = (blamed(run, 6, exchange=exchange) for exchange in (False, True))
    assert [len(one.clauses) for one in deleted] == [len(one.clauses) for one in exchanged]
    assert deleted != exchanged


def test_a_run_without_words_is_refused(tmp_path: Path) -> None:
    run = played("director", 2, tmp_path / "run", {"participant": "rule"}, mode="classic")
    with pytest.raises(Problem, match="has no words of the director: blame needs a run with words"):
        scored_transcripts(run, BlamePanel(run))


def test_a_language_model_that_listened_is_not_asked(tmp_path: Path) -> None:
    run = played("reference", 2, tmp_path / "run", {"giver": "gold", "follower": "rule"})
    text = run.about_path.read_text().replace('follower = "rule"', 'follower = "openai/gpt-4o"')
    run.about_path.write_text(text)
    panel = BlamePanel(RunFolder(run.path))
    assert panel.asked is None
    assert "--ask-models" in panel.unasked


def test_what_was_found_is_kept_beside_the_run(tmp_path: Path) -> None:
    run = played("reference", 2, tmp_path / "run", {"giver": "gold", "follower": "rule"})
    found = blamed(run, 1)
    write_blame(run, RunBlame("success", ["rule"], "gold", False, found))
    assert list(read_blame(run).values()) == found
    (run.path / "blame.json").write_text("{")
    with pytest.raises(Problem, match="repeat groundling blame"):
        read_blame(run)


@pytest.mark.parametrize(
    ("game", "text", "clauses"),
    [
        (
            "reference",
            "The top row is full, and the left column is empty. The middle has an X.",
            ["The top row is full,", "and the left column is empty.", "The middle has an X."],
        ),
        (
            "image",
            "Put an A in the first row, then put a B in the last column.",
            ["Put an A in the first row,", "then put a B in the last column."],
        ),
        (
            "codraw",
            "a tree on the left , sun in the right corner . boy below it",
            ["a tree on the left ,", "sun in the right corner .", "boy below it"],
        ),
        (
            "hexagons",
            "Paint the first column red. Paint the second column blue.",
            ["Paint the first column red.", "Paint the second column blue."],
        ),
    ],
)
def test_texts_are_cut_where_the_games_own_reader_cuts_them(game: str, text: str, clauses: list[str]) -> None:
    cut: Any = load(find(game).panel.clauses)
    assert [text[start:end].strip() for start, end in find_clause_spans(text, cut)] == clauses


def test_a_text_without_a_reader_is_cut_into_sentences() -> None:
    text = "One, two. Three?  Four"
    assert [text[start:end] for start, end in find_clause_spans(text)] == ["One, two. ", "Three?  ", "Four"]
