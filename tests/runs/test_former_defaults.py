"""Runs that were begun with the defaults of an earlier version are resumed with them; settings such as `auto`
are resolved when a run is planned."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from groundling.core.pack import Pack, find, load, resolve_settings
from groundling.core.values import Problem
from groundling.games.codraw.rules import CodrawSettings
from groundling.games.director.rules import DirectorSettings
from groundling.players.chat.prompts import former_prompt_versions, list_wordings, load_prompt, reload_prompt
from groundling.runs.cross_play import cross_players
from groundling.runs.session import RunSession, new_session_plan, prepare_session

MODEL = "mockllm/model"
FORMER_TEXTS = {
    "codraw": "47dbaa8467b3ad0a",
    "director": "701505c107638105",
    "hexagons": "453c9562ec0529db",
    "image": "5466b329e09e911f",
    "reference": "b4e99e68ce949342",
}
"""A hash of all prompts of each game before they were last changed."""
GAMES = list(FORMER_TEXTS)


def former_version(pack: Pack) -> Pack:
    """The pack as it was before its defaults changed."""
    assert pack.former is not None
    return replace(pack, wordings=pack.former.wordings or pack.wordings, former=None)


def session(pack: Pack, folder: Path | None, seats: dict[str, str], settings: Any = None) -> RunSession:
    plan = new_session_plan(
        pack,
        load(pack.builtin)(),
        1,
        settings=settings or pack.new().settings,
        source="built in",
        seats=seats,
    )
    return prepare_session(pack, plan, folder)


def begin(run: RunSession) -> RunSession:
    run.folder.prepare_folder(run.asked)
    return run


def places_of(run: RunSession) -> str:
    settings = run.game.settings
    assert isinstance(settings, CodrawSettings)
    return settings.places


@pytest.mark.parametrize("folder", [Path("run"), None], ids=["named", "default"])
@pytest.mark.parametrize("spec", [MODEL, f"{MODEL},prompt=plain", f"{MODEL},prompt=all"])
def test_a_run_of_the_director_that_was_begun_with_a_former_wording_keeps_it(
    folder: Path | None, spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pack, seats = find("director"), {"participant": spec}
    old = begin(session(former_version(pack), folder, seats))
    again = session(pack, folder, seats)
    assert again.folder.path == old.folder.path
    assert again.asked.identity_fields() == old.asked.identity_fields()
    assert again.plan.facts["participant"]["prompt_hash"] == old.plan.facts["participant"]["prompt_hash"]


@pytest.mark.parametrize("folder", [Path("run"), None], ids=["named", "default"])
@pytest.mark.parametrize("game", GAMES)
def test_a_run_that_was_begun_with_former_prompts_keeps_them(
    game: str, folder: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pack = find(game)
    roles = pack.new().seats(load(pack.builtin)()[0])
    (before,) = former_prompt_versions(pack)
    for wording in (pack.wordings.default, "all"):
        seats = dict.fromkeys(roles, f"{MODEL},prompt={wording}")
        old = begin(session(before, folder and folder / wording, seats))
        again = session(pack, folder and folder / wording, seats)
        assert again.folder.path == old.folder.path
        assert again.plan.facts == old.plan.facts
        new = session(pack, tmp_path / "new" / wording, seats)
        for role in roles:
            assert new.plan.facts[role]["prompt_hash"] != old.plan.facts[role]["prompt_hash"]
            name, digest = f"en/{role}.{pack.wordings.default}", old.plan.facts[role]["prompt_hash"]
            if wording != "all":
                assert reload_prompt(pack, role, name, digest).hash == digest


@pytest.mark.parametrize("game", GAMES)
def test_former_prompts_are_never_changed(game: str) -> None:
    (before,) = former_prompt_versions(find(game))
    hashes = [
        load_prompt(before, role, language, wording).hash
        for language in ("de", "en")
        for role in before.roles
        for wording in list_wordings(before, role, language)
    ]
    assert sha256(" ".join(hashes).encode()).hexdigest()[:16] == FORMER_TEXTS[game]


def test_a_new_run_of_the_director_has_the_bare_wording(tmp_path: Path) -> None:
    pack = find("director")
    new = begin(session(pack, tmp_path / "new", {"participant": MODEL}))
    named = session(pack, tmp_path / "named", {"participant": f"{MODEL},prompt=bare"})
    assert new.plan.facts == named.plan.facts
    assert session(pack, tmp_path / "new", {"participant": MODEL}).plan.facts == new.plan.facts
    with pytest.raises(Problem, match="holds another run"):
        session(pack, tmp_path / "new", {"participant": f"{MODEL},prompt=visible-only"})


@pytest.mark.parametrize(
    ("seats", "places"),
    [
        ({"teller": MODEL, "drawer": MODEL}, "words"),
        ({"teller": MODEL, "drawer": "grammar"}, "numbers"),
        ({"teller": "template", "drawer": MODEL}, "numbers"),
        ({"teller": "template", "drawer": "grammar"}, "numbers"),
    ],
)
def test_places_are_words_where_both_seats_are_language_models(
    seats: dict[str, str], places: str, tmp_path: Path
) -> None:
    run = begin(session(find("codraw"), tmp_path / "run", seats))
    assert places_of(run) == places
    assert run.folder.read_about()["plan"]["settings"]["places"] == places
    for chosen in ("numbers", "words"):
        named = session(find("codraw"), tmp_path / chosen, seats, CodrawSettings(places=chosen))
        assert places_of(named) == chosen


@pytest.mark.parametrize("folder", [Path("run"), None], ids=["named", "default"])
def test_a_run_of_codraw_that_was_begun_with_numbers_keeps_them(
    folder: Path | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pack, seats = find("codraw"), {"teller": MODEL, "drawer": MODEL}
    old = begin(session(former_version(pack), folder, seats, CodrawSettings(places="numbers")))
    again = session(pack, folder, seats)
    assert again.folder.path == old.folder.path
    assert places_of(again) == "numbers"


def test_all_pairs_of_a_cross_have_the_same_places(tmp_path: Path) -> None:
    pack = find("codraw")
    plan = new_session_plan(
        pack, load(pack.builtin)(), 1, settings=CodrawSettings(), source="built in", seats={}
    )
    mixed = cross_players(pack, plan, {"teller": [MODEL, "template"], "drawer": [MODEL]}, tmp_path)
    assert [places_of(pair.session) for pair in mixed] == ["numbers", "numbers"]
    models = cross_players(pack, plan, {"teller": [MODEL], "drawer": [MODEL]}, tmp_path)
    assert [places_of(pair.session) for pair in models] == ["words"]
    assert not Path(models[0].session.folder.path).exists()


@pytest.mark.parametrize("wording", ["bare", "plain"])
def test_a_cross_that_was_begun_with_former_prompts_keeps_them(wording: str, tmp_path: Path) -> None:
    """`plain` has no text of another version."""
    pack = find("director")
    settings = DirectorSettings(mode="two-player")
    plan = new_session_plan(pack, load(pack.builtin)(), 1, settings=settings, source="built in", seats={})
    specs = {role: [f"{MODEL},prompt={wording}"] for role in pack.roles}
    version = former_prompt_versions(pack)[0] if wording == "bare" else pack
    (old,) = cross_players(version, plan, specs, tmp_path)
    begin(old.session)
    (again,) = cross_players(pack, plan, specs, tmp_path)
    assert again.session.folder.path == old.session.folder.path
    assert again.session.plan.facts == old.session.plan.facts


def test_a_pack_without_former_prompts_has_no_other_version() -> None:
    pack = replace(find("image"), former_prompts=("groundling.games.image:never",))
    assert former_prompt_versions(pack) == []


def test_a_game_with_nothing_to_resolve_keeps_its_settings() -> None:
    settings = find("image").new().settings
    assert resolve_settings(find("image"), settings, ["giver"]) is settings
