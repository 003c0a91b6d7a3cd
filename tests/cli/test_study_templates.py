"""Every template of every game passes the check, and its pilot ends with the study complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from groundling.cli.main import main
from groundling.core.pack import installed_packs
from groundling.studies.pilot import BotHabits, PilotRun
from groundling.studies.study_checks import read_checked_study
from groundling.studies.study_events import TaskAssigned

TEMPLATES = [
    *(("live", game) for game in installed_packs()),
    *((name, name) for name in ("hexagons", "director", "reference")),
    *((f"hexagons-{name}", "hexagons") for name in ("consolidation", "levels", "phenomena")),
]


def new_study(folder: Path, *given: str) -> Path:
    assert main(["study", "new", given[0], str(folder), *given[1:]]) == 0
    return folder


def run_pilot(folder: Path, people: int) -> PilotRun:
    files, mistakes = read_checked_study(folder)
    assert mistakes == []
    assert files is not None
    run = PilotRun(files, 1, BotHabits(), 60.0, 0.0)
    run.add_people(people)
    run.run_queue()
    return run


@pytest.mark.parametrize(("template", "game"), TEMPLATES)
def test_a_pilot_of_a_template_ends_with_the_study_complete(template: str, game: str, tmp_path: Path) -> None:
    run = run_pilot(new_study(tmp_path / "study", template, "--game", game, "--scale", "0.1"), 100)
    assert run.state.complete
    assert not run.state.active
    assert any(task.counted for task in run.state.tasks.values())


@pytest.mark.slow
@pytest.mark.parametrize(("template", "game"), TEMPLATES)
def test_a_pilot_of_a_whole_template_ends_with_the_study_complete(
    template: str, game: str, tmp_path: Path
) -> None:
    assert run_pilot(new_study(tmp_path / "study", template, "--game", game), 300).state.complete


def test_the_hexagons_template_has_the_numbers_of_the_paper(tmp_path: Path) -> None:
    files, _ = read_checked_study(new_study(tmp_path / "study", "hexagons"))
    assert files is not None
    study = files.study
    assert len(files.items["pool"]) == 101
    assert len(files.items["recruitment"]) == 17
    assert [study.groups[name].most for name in ("instructors", "verifiers")] == [28, 16]
    assert study.are_disjoint("instructors", "verifiers")
    for name, answers, pay in (("round-1", 3, 1.50), ("verify-1", 2, 0.50), ("verify-2", 2, 0.50)):
        stage = study.stage_named(name)
        assert stage is not None
        assert (stage.answers, stage.pay) == (answers, pay)
    drawings, recruitment = study.stage_named("drawings"), study.stage_named("instructor-recruitment")
    assert drawings is not None
    assert drawings.blank_items == 63
    assert recruitment is not None
    assert (recruitment.most, recruitment.round) == (3, 0)


def test_only_verifiers_verify_and_never_what_they_wrote_themselves(tmp_path: Path) -> None:
    run = run_pilot(new_study(tmp_path / "study", "hexagons", "--scale", "0.1"), 100)
    for event in run.events:
        if isinstance(event, TaskAssigned) and event.stage in ("verify-recruitment", "verify-1", "verify-2"):
            (verifier,) = event.seats.values()
            source, _, _ = event.items[0].partition("/")
            assert verifier not in run.state.tasks[source].assigned.seats.values()
            assert run.state.people[verifier].groups == {"verifiers"}


def test_nobody_meets_two_twins_of_the_director_task_and_all_twins_are_met_equally_often(
    tmp_path: Path,
) -> None:
    from groundling.studies.study_file import make_study_stimuli

    folder = new_study(tmp_path / "study", "director", "--scale", "0.2")
    run = run_pilot(folder, 100)
    stimuli = run.state.study.stimuli
    groups = {
        instance.id: instance.group
        for name, about in stimuli.items()
        for instance in make_study_stimuli(folder, name, about)
    }
    assert len(groups) == 48
    stage = run.state.stages["shelves"]
    assert {item.done for item in stage.items.values()} == {stage.stage.answers}
    for person in run.state.people.values():
        met = [groups[item] for item in person.met.get("shelves", ())]
        assert len(set(met)) == len(met)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["DIR"], "give a template and a folder: groundling study new live DIR"),
        (["x", "DIR"], "there is no template 'x': choose from director, hexagons, hexagons-consolidation"),
        (
            ["hexagons", "DIR", "--game", "image"],
            "image has no template 'hexagons': choose from labels, live",
        ),
        (["live", "DIR", "--game", "chess"], "there is no game 'chess'"),
        (["live", "."], ". is not empty: choose another folder"),
    ],
)
def test_what_cannot_be_begun_is_refused_in_one_line(
    given: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "something").touch()
    assert main(["study", "new", *given]) == 2
    found = capsys.readouterr().err
    assert found.startswith(f"groundling: {told}")
    assert found.count("\n") == 1
    assert not (tmp_path / "DIR").exists()
