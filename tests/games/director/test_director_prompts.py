"""What language models are told, in every mode and wording."""

import pytest

from groundling.core.pack import find
from groundling.core.player import Ask
from groundling.core.values import Say
from groundling.games.director.draw import draw, prompt_hints
from groundling.games.director.make import builtin
from groundling.games.director.rules import DirectorGame, DirectorSettings, Mode
from groundling.players.chat.messages import build_messages
from groundling.players.chat.prompts import list_wordings, load_prompt

pack = find("director")
MODES: list[Mode] = ["classic", "inventory", "two-player"]
ALL = [
    (language, wording)
    for language in ("en", "de")
    for wording in list_wordings(pack, "participant", language)
]


def opening(mode: Mode, role: str, language: str, wording: str, questions: int = 1) -> str:
    game = DirectorGame(DirectorSettings(mode, questions))
    state = game.start(builtin()[0])
    if mode == "two-player" and role == "participant":
        state = game.play(state, "director", Say("the red book"))
    ask = Ask("e", role, game.view(state, role), (), None, 0)
    return build_messages(ask, load_prompt(pack, role, language, wording), draw, "text", prompt_hints)[0].text


def test_there_are_three_ways_to_say_what_a_panel_is() -> None:
    assert (
        list_wordings(pack, "participant", "en")
        == list_wordings(pack, "director", "en")
        == ["brief", "example", "plain"]
    )
    assert list_wordings(pack, "participant", "de") == list_wordings(pack, "director", "de") == ["plain"]


@pytest.mark.parametrize(("language", "wording"), ALL)
def test_the_participant_is_told_of_the_director_only_where_there_is_one(language: str, wording: str) -> None:
    told = {mode: opening(mode, "participant", language, wording) for mode in MODES}
    for mode in ("classic", "two-player"):
        assert any(word in told[mode] for word in ("director", "speaker", "Direktor")), mode
    assert not any(word in told["inventory"] for word in ("director", "speaker", "Direktor"))
    assert ("Say:" in told["two-player"], "Say:" in told["classic"], "Say:" in told["inventory"]) == (
        True,
        False,
        False,
    )
    assert "Say:" not in opening("two-player", "participant", language, wording, questions=0)


@pytest.mark.parametrize(("language", "wording"), ALL)
def test_the_director_is_shown_the_target_and_no_names_of_cells(language: str, wording: str) -> None:
    text = opening("two-player", "director", language, wording)
    assert "(the target)" in text
    assert "| panel" not in text
    assert "Say:" in text
