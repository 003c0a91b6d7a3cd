"""clembench's reference game, replayed: what its rules say, sentence by sentence."""

from __future__ import annotations

import re
from math import isnan

import pytest
from tests.bridges.clem.examples import old_reference, published, published_files, reference

from groundling.bridges.clem import NoScores, replay

SAID = "Expression: the top row is full"


def play(*replies: str, **fields: object) -> dict[str, float]:
    """The episode's scores; those of its one turn are the same lengths."""
    turns, episode = replay("referencegame", reference(**fields), replies)  # type: ignore[arg-type]
    lengths = {
        name: episode[name]
        for name in ("Generated Expression Length", "Generated Expression Number of Tokens")
    }
    assert [{name: str(value) for name, value in turn.items()} for turn in turns] == [
        {name: str(value) for name, value in lengths.items()}
    ]
    return episode


def outcome(episode: dict[str, float]) -> str:
    if episode["Aborted at Player 1"]:
        return "aborted at 1"
    if episode["Aborted at Player 2"]:
        return "aborted at 2"
    return "won" if episode["Success"] else "lost"


def test_the_right_label_wins_and_another_loses() -> None:
    assert play(SAID, "Answer: second") == {
        "Generated Expression Length": 31,
        "Generated Expression Number of Tokens": 6,
        "Aborted at Player 1": 0,
        "Aborted at Player 2": 0,
        "Aborted": 0,
        "Success": 1,
        "Lose": 0,
        "Main Score": 100,
    }
    lost = play(SAID, "Answer: third")
    assert (lost["Success"], lost["Lose"], lost["Main Score"], lost["Aborted"]) == (0, 1, 0, 0)


def test_aborted_at_the_giver_leaves_no_number_but_the_flags() -> None:
    episode = play("the top row is full")
    flags = {name: value for name, value in episode.items() if not isnan(value)}
    assert flags == {"Aborted at Player 1": 1, "Aborted at Player 2": 0, "Aborted": 1}
    assert len(episode) == 8


def test_aborted_at_the_follower_keeps_the_lengths() -> None:
    episode = play(SAID, "the second")
    flags = {name: value for name, value in episode.items() if not isnan(value)}
    assert flags == {
        "Generated Expression Length": 31,
        "Generated Expression Number of Tokens": 6,
        "Aborted at Player 1": 0,
        "Aborted at Player 2": 1,
        "Aborted": 1,
    }


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("expression: a full row", "won"),
        ("EXPRESSION:a full row", "won"),
        ("Expression:\n\na full row", "won"),
        ("Expression: a full row\n\n", "won"),
        (" Expression: a full row", "aborted at 1"),
        ("Sure! Expression: a full row", "aborted at 1"),
        ("Expression", "aborted at 1"),
        ("Expression:", "aborted at 1"),
        ("Expression: \n", "won"),
        ("Expression: a full row\nat the top", "aborted at 1"),
        ("Expression: a full row\n\nat the top", "aborted at 1"),
        ("Expression: a full row\n ", "aborted at 1"),
        ("", "aborted at 1"),
    ],
)
def test_the_giver_starts_with_the_tag_and_writes_one_line(said: str, told: str) -> None:
    assert outcome(play(said, "Answer: second")) == told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Answer: second", "won"),
        ("answer:SECOND", "won"),
        ("Answer:\nsecond", "won"),
        ("Answer: 2", "won"),
        ("Answer: 2nd", "won"),
        ("Answer: 23", "won"),
        ("Answer: 12", "lost"),
        ("Answer: secondly, it might be the first", "won"),
        ("Answer: second.\n\n", "won"),
        ("Answer: first or second", "lost"),
        ("Answer: the second", "aborted at 2"),
        ("Answer: two", "aborted at 2"),
        ("Answer: fourth", "aborted at 2"),
        ("Answer: second\nbecause it fits", "aborted at 2"),
        ("second", "aborted at 2"),
        ("**Answer: second**", "aborted at 2"),
    ],
)
def test_the_follower_is_taken_by_the_label_its_answer_starts_with(answer: str, told: str) -> None:
    assert outcome(play(SAID, answer)) == told


def test_in_liberal_mode_what_follows_is_ignored_for_that_player_alone() -> None:
    more = SAID + "\n\nI hope that this helps."
    assert outcome(play(more, "Answer: second", p1_mode="liberal")) == "won"
    assert outcome(play(more, "Answer: second", p2_mode="liberal")) == "aborted at 1"
    assert outcome(play(SAID, "Answer: second\nsurely", p2_mode="liberal")) == "won"
    assert outcome(play(SAID, "Answer: second\nsurely", p1_mode="liberal")) == "aborted at 2"
    assert outcome(play("no tag", "Answer: second", p1_mode="liberal")) == "aborted at 1"


def test_lengths_are_those_of_the_whole_reply() -> None:
    episode = play("Expression:  two  blanks.\n", "Answer: second")
    assert episode["Generated Expression Length"] == 26
    assert episode["Generated Expression Number of Tokens"] == 5


@pytest.mark.parametrize(
    ("tags", "labels", "replies", "told"),
    [
        (
            ("ausdruck:", "antwort:"),
            "erstes|zweites|drittes",
            ("Ausdruck: oben", "Antwort: Zweites Gitter"),
            "won",
        ),
        (("ausdruck:", "antwort:"), "erstes|zweites|drittes", ("Ausdruck: oben", "Antwort: 2"), "won"),
        (
            ("ausdruck:", "antwort:"),
            "erstes|zweites|drittes",
            ("Ausdruck: oben", "Antwort: second"),
            "aborted at 2",
        ),
        (
            ("ausdruck:", "antwort:"),
            "erstes|zweites|drittes",
            ("Expression: top", "Antwort: 2"),
            "aborted at 1",
        ),
        (("表現：", "答："), "1番目|2番目|3番目", ("表現：上の行", "答：2番目です"), "won"),
        (("ifade:", "cevap:"), "birinci|ikinci|üçüncü", ("İfade: üst", "Cevap: ikinci"), "won"),
        # A dotted capital I matches the pattern, but in small letters it is not the label.
        (("ifade:", "cevap:"), "birinci|ikinci|üçüncü", ("İfade: üst", "Cevap: İKİNCİ"), "lost"),
    ],
)
def test_tags_and_labels_are_those_of_the_instance(
    tags: tuple[str, str], labels: str, replies: list[str], told: str
) -> None:
    assert outcome(play(*replies, tags=tags, labels=labels)) == told


@pytest.mark.parametrize(
    "answer", ["Answer: second", "Answer: 2", "Answer: 12", "Answer: two", "answer: SECOND\n"]
)
def test_v0_9_and_v1_0_are_read_as_english_v1_6(answer: str) -> None:
    old, new = (
        replay("referencegame", instance, [SAID, answer]) for instance in (old_reference(), reference())
    )
    assert str(old) == str(new)


def test_what_comes_after_the_end_is_not_looked_at() -> None:
    assert play(SAID, "Answer: second", "Answer: first") == play(SAID, "Answer: second")


@pytest.mark.parametrize("replies", [[], [SAID]])
def test_a_game_that_is_not_over_has_no_scores(replies: list[str]) -> None:
    with pytest.raises(NoScores, match="end before the game"):
        replay("referencegame", reference(), replies)


@pytest.mark.parametrize(
    ("game", "instance", "told"),
    [
        ("taboo", reference(), "choose from imagegame, referencegame"),
        ("referencegame", {"game_id": 0}, "target_grid_name"),
        ("referencegame", reference(p1_mode="relaxed"), "relaxed"),
        ("referencegame", reference(player_1_response_pattern="^(?P<tag>"), "no regular expression"),
        (
            "referencegame",
            reference(player_2_response_pattern="^answer: (first|second)"),
            "no group 'remainder'",
        ),
        ("imagegame", reference(), "target_grid"),
    ],
)
def test_what_is_no_instance_is_refused(game: str, instance: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)) as refused:
        replay(game, instance, [SAID])
    assert not isinstance(refused.value, NoScores)


@published
def test_every_published_instance_is_won_and_lost_in_its_own_language() -> None:
    files = {name: found for name, found in published_files().items() if name.startswith("referencegame")}
    assert len(files) == 25
    assert sum(map(len, files.values())) == 36 + 40 + 90 + 11 * 180 + 11 * 90
    for name, instances in files.items():
        for instance in instances:
            names = instance["target_grid_name"]
            target = names if isinstance(names, str) else names[0]
            tags = [
                re.search(
                    r"<tag>\^?(.*?)\\s", instance.get(f"player_{player}_response_pattern", rf"<tag>{usual}\s")
                )[1]  # type: ignore[index]
                for player, usual in ((1, "expression:"), (2, "answer:"))
            ]
            said = f"{tags[0].capitalize()} X"
            for answer, success in ((target, 1), (_number(instance), 1), (_wrong(instance), 0)):
                _, episode = replay("referencegame", instance, [said, f"{tags[1].capitalize()} {answer}"])
                assert (episode["Aborted"], episode["Success"]) == (0, success), (name, answer)
            assert replay("referencegame", instance, [said, "?"])[1]["Aborted at Player 2"] == 1


def _number(instance: dict[str, str]) -> str:
    shown = [instance[f"player_2_{place}_grid"] for place in ("first", "second", "third")]
    return str(shown.index(instance["player_1_target_grid"]) + 1)


def _wrong(instance: dict[str, str]) -> str:
    return "1" if _number(instance) != "1" else "2"
