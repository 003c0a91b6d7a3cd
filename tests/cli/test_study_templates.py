"""Every template of every game passes the check, and its pilot ends with the study complete."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from groundling.cli.main import main
from groundling.core.pack import installed_packs
from groundling.studies.pilot import BotHabits, PilotRun
from groundling.studies.ranking import candidate_scores
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
    assert (study.groups["verifiers"].by, study.groups["verifiers"].candidates) == ("rank", 27)


@pytest.mark.slow
def test_the_pilot_of_hexagons_in_the_docs_gives_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bots on a server are not quite the same each time: only what follows from the template is compared."""
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "studies.md").read_text()
    _, _, rest = page.partition("## From a template to a data set")
    commands = [line for line in rest.split("```")[1].splitlines() if line]
    assert len(commands) == 8
    for line in commands:
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
    told = capsys.readouterr().out
    assert stage_counts(told) == stage_counts(rest)
    assert "complete: yes" in told
    for row in (r"^round I .* (12 / 304) .* (4 / 101)$", r"^round II .* (9 / 193) .* (3 / 63)$"):
        assert re.search(row, told, re.MULTILINE), row
        assert re.search(row, rest, re.MULTILINE), row


def stage_counts(text: str) -> dict[str, list[str]]:
    """By stage, the numbers that follow from the template: items, answers and wanted."""
    names = "pilot|round-1|verify-1|drawings|round-2|verify-2"
    found = re.findall(rf"^({names}) +(\d+) +(\d+) +(\d+) +0 +0 +[\d.]+$", text, re.MULTILINE)
    assert len(found) == 6
    return {name: counts for name, *counts in found}


def test_only_verifiers_verify_and_never_what_they_wrote_themselves(tmp_path: Path) -> None:
    run = run_pilot(new_study(tmp_path / "study", "hexagons", "--scale", "0.1"), 100)
    for event in run.events:
        if isinstance(event, TaskAssigned) and event.stage in ("verify-recruitment", "verify-1", "verify-2"):
            (verifier,) = event.seats.values()
            source, _, _ = event.items[0].partition("/")
            assert verifier not in run.state.tasks[source].assigned.seats.values()
            groups = run.state.people[verifier].groups
            assert "verifiers" in groups
            assert "instructors" not in groups


def test_candidates_of_the_hexagons_template_are_questioned_and_practise_and_the_best_verify(
    tmp_path: Path,
) -> None:
    state = run_pilot(new_study(tmp_path / "study", "hexagons", "--scale", "0.1"), 100).state
    done = {name: set(person.accepted) for name, person in state.people.items()}
    for stages, recruitment in (
        ({"writing-questions", "writing-practice"}, "instructor-recruitment"),
        ({"painting-questions", "painting-practice"}, "verifier-recruitment"),
    ):
        candidates = state.stages[recruitment].people
        assert candidates
        assert all(stages <= done[name] for name in candidates)
    scores = candidate_scores(state, "verifiers")
    chosen = [scores[name] for name in scores if "verifiers" in state.people[name].groups]
    refused = [scores[name] for name in scores if "verifiers" not in state.people[name].groups]
    assert len(chosen) == 8
    assert refused
    assert max(refused) <= min(chosen)


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
        (["x", "DIR"], "there is no template 'x': choose from codraw, codraw-machine, director, hexagons"),
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
