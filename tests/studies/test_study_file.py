"""Mistakes in a study file: one line each, with the place."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from groundling.core.values import Problem
from groundling.studies.study import Study
from groundling.studies.study_checks import find_forbidden_changes, find_study_mistakes
from groundling.studies.study_file import StudyFiles, read_study, read_study_files, study_schema

HEAD = 'title = "t"\ncontact = "c"\nconsent = "consent.md"\nprivacy = { programs = true }\n'
STIMULI = '[stimuli.s]\ngame = "reference"\nrecipe = { n = 4 }\n'
SEATS = '{ giver = "person", follower = "gold" }'


def stage(name: str, more: str = "", seats: str = SEATS) -> str:
    task = f'task = {{ kind = "game", game = "reference", seats = {seats} }}\n'
    return f'[[stages]]\nname = "{name}"\n{task}{more}\n'


def questions(asked: str, kind: str = "questionnaire") -> str:
    return f'[[stages]]\nname = "q"\ntask = {{ kind = "{kind}", questions = [{asked}] }}\n'


WORK = stage("work", 'items = "s"')
PRACTICE = stage("practice", 'items = "s"\npass_mark = 0.5')
GROUP = '[groups.g]\nstage = "practice"\nby = "rank"\n'
PAIR_SEATS = '{ giver = "person", follower = "person" }'


def read_text(folder: Path, text: str) -> Study:
    (folder / "study.toml").write_text(text)
    return read_study(folder)


def test_every_misspelling_is_named_in_its_own_line(tmp_path: Path) -> None:
    text = (
        'titel = "t"\ncontact = "c"\nconsent = "consent.md"\n'
        '[[stages]]\nname = "a"\nminuts = 3\nmost = 0\ntask = { kind = "judge" }\n'
        '[[stages]]\nname = "b"\n'
    )
    with pytest.raises(Problem) as found:
        read_text(tmp_path, text)
    assert str(found.value).splitlines() == [
        "study.toml: the file: there is no key titel: did you mean title?",
        "study.toml: stages.a: there is no key minuts: did you mean minutes?",
        "study.toml: stages.a.most: 0: expected int >= 1",
        "study.toml: stages.a.task: there is no task kind 'judge': "
        "choose from annotate, draw, game, questionnaire, quiz",
        "study.toml: stages.b: the key task is missing: add it",
        "study.toml: the file: the key title is missing: add it",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            stage("a", 'items = "b"') + stage("b", 'items = "a"'),
            "stages.a: stages need each other in a circle (a → b → a): break it",
        ),
        (
            '[groups.g]\nstage = "b"\nby = "administrator"\n' + stage("b", 'items = "s"\ngroup = "g"'),
            "stages.b: stages need each other in a circle (b → b): break it",
        ),
        (
            '[groups.g]\nstage = "x"\n' + WORK,
            "groups.g: nobody can enter it, as there is no stage 'x': choose from work",
        ),
        (
            '[groups.g]\nstage = "work"\n' + WORK,
            'groups.g: nobody can enter it, as stage work has no pass_mark: add one, or by = "administrator"',
        ),
        (
            stage("work", 'items = "s"\ngroup = "g"'),
            "stages.work: no person may do it, as there is no group 'g': the study has none",
        ),
        (
            stage("work", 'items = "s"', '{ giver = "gold", follower = "gold" }'),
            'stages.work: no person may do it, as no seat is "person": give people a seat',
        ),
        (
            "[recruiting]\nplaces = 2\n" + stage("work", 'items = "s"\nanswers = 3'),
            "stages.work: an item needs 3 different people, but there are at most 2: "
            "raise places, or ask for fewer answers",
        ),
        (
            stage("work", 'items = "t"'),
            "stages.work: items: there are no stimuli and no stage 't': choose from s, work",
        ),
        (
            stage("work", 'items = "s"', '{ giver = "person" }'),
            "stages.work: seats: reference has the seats giver, follower: name each of them",
        ),
        (
            stage("work", 'items = "s"\npass_mark = 0.5'),
            "stages.work: two people must confirm the gold of its items: "
            "add gold_confirmed_by to the stimuli, or name a stage in gold",
        ),
        (GROUP + PRACTICE, 'groups.g: by = "rank" needs most and candidates: add them'),
        (
            GROUP + "most = 3\ncandidates = 2\n" + PRACTICE,
            "groups.g: 2 candidates are fewer than 3 people: raise candidates",
        ),
        (
            GROUP
            + 'most = 3\ncandidates = 4\n[groups.h]\nstage = "practice"\nby = "administrator"\n'
            + PRACTICE,
            'groups.g: stage practice leads into another group, too: a stage with by = "rank" has only one',
        ),
        (
            '[groups.g]\nstage = "practice"\nby = "administrator"\ncandidates = 4\n' + PRACTICE,
            'groups.g: candidates is for by = "rank": remove it',
        ),
        (
            GROUP + "most = 3\ncandidates = 4\n" + stage("practice", 'items = "s"'),
            "stages.practice: two people must confirm the gold of its items: "
            "add gold_confirmed_by to the stimuli, or name a stage in gold",
        ),
        (
            stage("work", 'items = "s"\ngold = "other"\npass_mark = 0.5'),
            "stages.work: gold: there is no stage 'other': choose from work",
        ),
        (
            WORK + stage("practice", 'items = "s"\ngold = "work"\npass_mark = 0.5'),
            "stages.practice: gold: an item needs two people who agree: ask for two answers in stage work",
        ),
        (
            WORK + stage("practice", 'items = "work"\ngold = "work"\npass_mark = 0.5'),
            "stages.practice: gold: stage work has other items: give both stages the same",
        ),
        (
            stage("work", 'items = "s"\nanswers = 2\nnever = []')
            + stage("practice", 'items = "s"\ngold = "work"\npass_mark = 0.5'),
            "stages.practice: gold: the author of an item could confirm it: "
            'add "author" to never in stage work',
        ),
        (
            stage("work", 'items = "s"\nanswers = 2', PAIR_SEATS)
            + stage("practice", 'items = "s"\ngold = "work"\npass_mark = 0.5'),
            "stages.practice: gold: stage work must be a game with one person, who works on the items alone",
        ),
        (
            stage("work", 'items = "s"\nanswers = 2') + stage("practice", 'items = "s"\ngold = "work"'),
            "stages.practice: gold is for a stage with a score to pass: remove it, or add a pass_mark",
        ),
        (
            '[groups.g]\nstage = "practice"\n'
            + stage("work", 'items = "s"\ngroup = "g"\nanswers = 2')
            + stage("practice", 'items = "s"\ngold = "work"\npass_mark = 0.5'),
            "stages.practice: stages need each other in a circle (practice → work → practice): break it",
        ),
        (
            stage("work", 'items = "s"\nscore = "tokens"'),
            "stages.work: score: reference has no measure 'tokens' from 0 to a top: "
            "choose from recited, success",
        ),
        (
            questions('{ text = "?" }') + 'score = "success"\n',
            "stages.q: score is a measure of a game: remove it",
        ),
        (
            stage("work", 'items = "s"\npay = 1.0'),
            "stages.work.pay: 1.00 for 15 minutes is 4.00 USD an hour, less than 8.00: raise it, "
            "correct expected_minutes, or set pay.floor",
        ),
        (
            questions('{ text = "Choose blue.", choices = ["red"], attention = true }'),
            "stages.q: the attention check “Choose blue.” has no answer: add the right one",
        ),
        (
            questions('{ text = "Choose blue.", choices = ["red"], attention = true, answer = "blue" }'),
            "stages.q: the answer 'blue' is not among the choices: choose from red",
        ),
        (
            questions('{ text = "Write blue.", attention = true, answer = "blue", optional = true }'),
            "stages.q: the attention check “Write blue.” is optional: remove optional",
        ),
        (
            questions('{ text = "Write blue.", answer = "blue" }'),
            "stages.q: the answer of “Write blue.” is not used: add attention = true, or remove it",
        ),
        (
            questions('{ text = "?", choices = ["a", "b"], answer = "a", attention = true }', "quiz"),
            "stages.q: all questions of the quiz are attention checks: add one that is scored",
        ),
        (WORK + WORK, "stages.work: two stages have this name: rename one"),
    ],
)
def test_a_study_that_cannot_run_is_refused(text: str, line: str, tmp_path: Path) -> None:
    study = read_text(tmp_path, HEAD + text.partition("[[")[0] + STIMULI + "".join(text.partition("[[")[1:]))
    assert f"study.toml: {line}" in find_study_mistakes(study)


def test_a_study_without_mistakes_has_none(tmp_path: Path) -> None:
    (tmp_path / "consent.md").write_text("I agree.")
    study = read_text(tmp_path, HEAD + STIMULI + WORK)
    files, mistakes = read_study_files(tmp_path, study)
    assert [*find_study_mistakes(study), *mistakes] == []
    assert len(files.items["s"]) == 4


@pytest.mark.parametrize(
    ("stimuli", "told"),
    [
        ('file = "x.jsonl"', "x.jsonl cannot be read: make it with groundling make GAME -o x.jsonl"),
        ('data = "x"', "data is 'x': write PATH@SPLIT"),
        ("", "give one of file, data, recipe and table"),
        ("recipe = { many = 4 }", "the recipe has no field many: choose from"),
        ('file = "bad.jsonl"', "bad.jsonl:1 is not an instance"),
        ('file = "twice.jsonl"', "two instances have one id: rename one"),
    ],
)
def test_stimuli_that_cannot_be_read_are_named(stimuli: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("{}\n")
    (tmp_path / "twice.jsonl").write_text('{"id":"a"}\n{"id":"a"}\n')
    study = read_text(tmp_path, f'{HEAD}[stimuli.s]\ngame = "reference"\n{stimuli}\n{WORK}')
    _, mistakes = read_study_files(tmp_path, study)
    assert mistakes[0] == "study.toml: consent: consent.md cannot be read: write the text into that file"
    assert mistakes[1].startswith(f"study.toml: stimuli.s: {told}")


def read_files(folder: Path, text: str) -> StudyFiles:
    (folder / "consent.md").write_text("I agree.")
    return read_study_files(folder, read_text(folder, text))[0]


def test_instances_must_not_change_under_a_running_study(tmp_path: Path) -> None:
    text = f'{HEAD}[stimuli.s]\ngame = "reference"\nfile = "s.jsonl"\n{WORK}'
    (tmp_path / "s.jsonl").write_text('{"id":"a"}\n')
    running = read_files(tmp_path, text)
    (tmp_path / "s.jsonl").write_text('{"id":"a","set":"x"}\n')
    assert find_forbidden_changes(running, read_files(tmp_path, text)) == [
        "study.toml: stimuli.s: its instances have changed while the study runs: "
        "restore the file, or begin a new study"
    ]


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        ("[recruiting]\nplaces = 3\n", "[recruiting]\nplaces = 4\n", True),
        ("[recruiting]\nplaces = 3\n", "[recruiting]\nplaces = 2\n", False),
        ("", "[recruiting]\npaused = true\n", True),
        ("", "[pay]\nbase = 1.0\n", False),
        ("", "seed = 5\n", False),
        ("", 'contact = "d"\n', True),
    ],
)
def test_only_some_things_may_change_while_a_study_runs(
    before: str, after: str, allowed: bool, tmp_path: Path
) -> None:
    head = HEAD.replace('contact = "c"\n', "") if "contact" in after else HEAD
    running = read_files(tmp_path, HEAD + before + STIMULI + WORK)
    now = read_files(tmp_path, head + after + STIMULI + WORK)
    assert (find_forbidden_changes(running, now) == []) is allowed


def test_the_schema_describes_every_key() -> None:
    schema = msgspec.json.decode(msgspec.json.encode(study_schema()))
    assert set(schema["$defs"]["Study"]["properties"]) == set(Study.__struct_fields__)
    assert schema["$defs"]["GameTask"]["properties"]["kind"] == {"enum": ["game"]}
