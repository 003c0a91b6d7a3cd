from typing import Any

from groundling.core.drawing import Drawing
from groundling.core.player import Ask, Turn
from groundling.core.prompt_hints import PromptHints
from groundling.players.chat.messages import UNSEEN, ViewFormat, build_messages
from groundling.players.chat.prompts import read_prompt

PROMPT = read_prompt("p.md", "# open\nOPEN {view}\n# turn\nTURN {board} + {news}\n# refused\nNO: {complaint}")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'


def draw(view: Any) -> Drawing:
    return Drawing(f"board {view}", SVG, "\n".join(f"word {n}" for n in range(view)))


def said(
    past: list[Turn], view: int, see: ViewFormat = "text", complaint: str | None = None
) -> list[tuple[str, str]]:
    ask = Ask("e", "giver", view, tuple(past), complaint, 0)
    return [(message.author, message.text) for message in build_messages(ask, PROMPT, draw, see)]


def test_the_first_message_opens() -> None:
    assert said([], 1) == [("user", "OPEN board 1\n\nword 0")]


def test_later_ones_bring_only_the_news() -> None:
    assert said([Turn(1, "a"), Turn(2, "b")], 4) == [
        ("user", "OPEN board 1\n\nword 0"),
        ("assistant", "a"),
        ("user", "TURN board 2 + word 1"),
        ("assistant", "b"),
        ("user", "TURN board 4 + word 2\nword 3"),
    ]


def test_a_refused_reply_is_followed_by_its_complaint_and_not_by_the_board_again() -> None:
    assert said([Turn(1, "a", "too short"), Turn(1, "aa", "too long"), Turn(1, "b")], 2) == [
        ("user", "OPEN board 1\n\nword 0"),
        ("assistant", "a"),
        ("user", "NO: too short"),
        ("assistant", "aa"),
        ("user", "NO: too long"),
        ("assistant", "b"),
        ("user", "TURN board 2 + word 1"),
    ]
    assert said([Turn(1, "a", "too short")], 1, complaint="too short")[-1] == ("user", "NO: too short")


def test_braces_in_what_people_say_are_only_text() -> None:
    assert said([Turn(1, "a", "{view} {0}")], 1)[-1] == ("user", "NO: {view} {0}")


def test_who_sees_pictures_gets_the_last_one_and_no_board_in_words() -> None:
    ask = Ask("e", "giver", 2, (Turn(1, "a"),), None, 0)
    found = build_messages(ask, PROMPT, draw, "image")
    assert [message.picture is not None for message in found] == [False, False, True]
    assert found[-1].text == f"TURN {UNSEEN} + word 1"
    both = build_messages(ask, PROMPT, draw, "both")
    assert both[-1].text == "TURN board 2 + word 1"
    assert both[-1].picture is not None


def test_after_a_refusal_the_picture_is_shown_again() -> None:
    ask = Ask("e", "giver", 1, (Turn(1, "a", "no"),), "no", 0)
    assert [message.picture is not None for message in build_messages(ask, PROMPT, draw, "image")] == [
        False,
        False,
        True,
    ]


def test_of_a_view_that_stands_alone_earlier_turns_are_not_told() -> None:
    def draw_last(view: Any) -> Drawing:
        return Drawing(f"board {view}", SVG, f"word {view}")

    def alone(view: Any) -> PromptHints:
        return PromptHints(alone=True)

    def told(past: tuple[Turn, ...], view: int) -> list[str]:
        return [
            message.text
            for message in build_messages(
                Ask("e", "giver", view, past, None, 0), PROMPT, draw_last, "text", alone
            )
        ]

    assert told((Turn(1, "a"), Turn(2, "b")), 3) == ["OPEN board 3\n\nword 3"]
    assert told((Turn(1, "a"), Turn(2, "bad", "no")), 2) == ["OPEN board 2\n\nword 2", "bad", "NO: no"]
    assert told((Turn(1, "bad", "no"), Turn(1, "a"), Turn(2, "b")), 3) == ["OPEN board 3\n\nword 3"]


def test_a_prompt_tells_how_the_reply_is_written_that_is_wanted() -> None:
    prompt = read_prompt(
        "p.md", "# open\n{board}: {reply}\n# reply one\nthe number {n}\n# reply two\ntwo of them"
    )
    ask = Ask("e", "giver", 1, (), None, 0)
    (message,) = build_messages(
        ask, prompt, lambda view: Drawing("B", SVG), "text", lambda view: PromptHints("one", {"n": "7"})
    )
    assert message.text == "B: the number 7"
