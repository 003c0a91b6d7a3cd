from pathlib import Path

import pytest

from groundling.core.pack import Pack, find, installed_packs
from groundling.core.prompt_hints import PromptHints
from groundling.core.values import Problem
from groundling.players.chat.prompts import list_wordings, load_prompt, read_prompt

PACKS = [find(name) for name, point in installed_packs().items() if point.value.startswith("groundling.")]


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_seat_has_three_english_wordings_and_another_language(pack: Pack) -> None:
    for role in pack.roles:
        assert len(list_wordings(pack, role, "en")) >= 3
        assert list_wordings(pack, role, "de")
        prompts = [load_prompt(pack, role, "en", name) for name in list_wordings(pack, role, "en")]
        assert len({prompt.hash for prompt in prompts}) == len(prompts)
        for language in ("en", "de"):
            assert pack.wordings.default in list_wordings(pack, role, language)
        assert set(pack.wordings.about) == set(list_wordings(pack, role, "en")), "each is explained"


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_the_seats_have_the_same_wordings(pack: Pack) -> None:
    assert len({tuple(list_wordings(pack, role, "en")) for role in pack.roles}) == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("hello", "needs a section '# open'"),
        ("# turn\n{view}", "needs a section '# open'"),
        ("# open\n{view}\n# close\n", "needs a section '# open'"),
        ("# open\n{target}", r"unknown field {target}: choose from about, board, news, reply, view, words"),
        ("# open\n{complaint}", "unknown field {complaint}"),
        ("# open\n{view}\n# refused\n{view}", "unknown field {view}: choose from complaint"),
        ("# open\n{view", "write a brace as {{"),
        ("# open\n{}", "unknown field {}"),
        ("# open\n{view}\n# reply one\n{", "write a brace as {{"),
    ],
)
def test_a_prompt_that_cannot_be_filled_in_is_reported_in_one_line(text: str, why: str) -> None:
    with pytest.raises(Problem) as told:
        read_prompt("mine.md", text)
    assert why in str(told.value)
    assert "\n" not in str(told.value)


def test_braces_can_be_written() -> None:
    assert read_prompt("mine.md", "# open\n{{x}} {view}").open.format(view="V") == "{x} V"


def test_unknown_wordings_and_languages_are_reported_with_what_there_is(tmp_path: Path) -> None:
    pack = find("reference")
    with pytest.raises(Problem, match="choose from brief, example, plain"):
        load_prompt(pack, "giver", "en", "poem")
    with pytest.raises(Problem, match="choose from de, en"):
        load_prompt(pack, "giver", "xx", "plain")
    (tmp_path / "mine.md").write_text("# open\n{view}!")
    assert load_prompt(pack, "giver", "en", str(tmp_path / "mine.md")).open == "{view}!"


def test_the_kind_of_reply_that_is_wanted_is_reported_with_its_terms() -> None:
    prompt = read_prompt(
        "mine.md",
        "# open\n{about} {view} {reply}\n"
        "# about short\nhurry\n# reply long\nwrite {n} words\n# reply short\none word",
    )
    assert prompt.fill_kind_fields(PromptHints("long", {"n": "9"})) == {"about": "", "reply": "write 9 words"}
    assert prompt.fill_kind_fields(PromptHints("short")) == {"about": "hurry", "reply": "one word"}
    assert prompt.fill_kind_fields(PromptHints()) == {"about": "", "reply": ""}
    with pytest.raises(Problem, match=r"section reply long has an unknown field {n}: it has none"):
        prompt.fill_kind_fields(PromptHints("long"))


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_other_languages_have_wordings_that_english_has(pack: Pack) -> None:
    for role in pack.roles:
        assert set(list_wordings(pack, role, "de")) <= set(list_wordings(pack, role, "en"))
