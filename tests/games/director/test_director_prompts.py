"""What language models are told, in every mode and wording."""

import re

import pytest

from groundling.core.pack import find
from groundling.core.player import Ask
from groundling.core.values import Problem, Say
from groundling.games.director.draw import draw, prompt_hints
from groundling.games.director.make import builtin
from groundling.games.director.rules import DirectorGame, DirectorSettings, Mode
from groundling.players.chat.messages import build_messages
from groundling.players.chat.prompts import list_wordings, load_prompt, reload_prompt

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


INFERENCE = re.compile(
    "always asks|asks only|never ask|means something in another|does not know|only you see|bittet immer"
)
FORMER = {
    "en/director.brief": "dddb076193df20f7",
    "en/director.example": "170a06028a26e4c1",
    "en/director.plain": "dffa94deb94cae64",
    "en/participant.brief": "175c92a87db3607e",
    "en/participant.example": "65c7c99cfd830182",
    "en/participant.plain": "f0535808f273bab0",
    "de/director.plain": "d05acf1622352c7f",
    "de/participant.plain": "773b6d58e67c9701",
}


def test_the_default_does_not_tell_the_inference_that_is_tested() -> None:
    assert pack.wordings.default == "bare"
    for mode in ("classic", "two-player"):
        for language in ("en", "de"):
            assert not INFERENCE.search(opening(mode, "participant", language, "bare"))
            assert INFERENCE.search(opening(mode, "participant", language, "visible-only"))


def test_wordings_are_named_for_what_they_add() -> None:
    names = ["bare", "visible-only", "visible-only-brief", "visible-only-example"]
    for role in pack.roles:
        assert list_wordings(pack, role, "en") == names == list(pack.wordings.about)
        assert list_wordings(pack, role, "de") == ["bare", "visible-only"]


@pytest.mark.parametrize("name", FORMER)
def test_former_names_have_the_text_with_which_runs_were_begun(name: str) -> None:
    language, _, file = name.partition("/")
    role, wording = file.split(".")
    assert load_prompt(pack, role, language, wording).hash == FORMER[name]
    assert reload_prompt(pack, role, name, FORMER[name]).name == name
    with pytest.raises(Problem, match="was changed since it was used"):
        reload_prompt(pack, role, name, "0" * 16)
    assert wording not in list_wordings(pack, role, language)


def test_closed_cells_are_listed_as_closed_and_sizes_explained_to_the_director() -> None:
    shelf = builtin()[0].shelf
    text = opening("two-player", "director", "en", "bare")
    assert text.count("(closed)") == len(shelf.hidden) > 0
    assert "(size: 1 is the smallest, 5 the largest" in text


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
def test_panels_and_the_director_are_explained_before_the_shelf(language: str, wording: str) -> None:
    for mode in MODES:
        before, _, after = opening(mode, "participant", language, wording).partition("| back\n")
        assert after
        assert re.search(r"panel|boarded up", before, re.IGNORECASE)
        assert bool(re.search("the director |der Direktor", before, re.IGNORECASE)) == (mode != "inventory")


@pytest.mark.parametrize(("language", "wording"), ALL)
def test_the_director_is_shown_the_target_and_no_names_of_cells(language: str, wording: str) -> None:
    text = opening("two-player", "director", language, wording)
    assert "← the target" in text
    assert "| panel" not in text
    assert "Say:" in text
