"""Annotation as a stage: labels and their mistakes, who gets which item, how items go from stage to stage."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.study_walk import PAIR, StudyWalk, make_stage, make_study

from groundling.core.annotation_item import AnnotationItem
from groundling.core.values import Problem
from groundling.studies.annotation_agreement import annotation_tables, measure_drift
from groundling.studies.annotation_bots import confuse_values, true_values
from groundling.studies.annotation_checks import find_item_mistakes
from groundling.studies.annotation_flow import settle_item
from groundling.studies.annotation_labels import ItemAnswer, read_item_answer, score_labels
from groundling.studies.annotation_schema import LABELLED, AnnotateTask, AnnotationField, TableColumns
from groundling.studies.assignment import PersonOutcome, TaskAssignment, assign_task
from groundling.studies.item_table import read_item_table
from groundling.studies.study import Study, StudyPay, StudyStage, StudyStimuli
from groundling.studies.study_checks import find_study_mistakes
from groundling.studies.study_decisions import TaskReport, end_task, exclude_person
from groundling.studies.study_state import fold_study

LEVEL = AnnotationField(name="level", kind="ordered", labels=("0", "1", "2-3"))
ERROR = AnnotationField(name="error", kind="choice", labels=("yes", "no"))
TYPE = AnnotationField(name="type", kind="choice", labels=("over", "under"), when={"error": ("yes",)})
MARKS = AnnotationField(name="marks", kind="spans", labels=("object", "place"))
KINDS = AnnotationField(name="kinds", kind="several", labels=("a", "b", "c"))
COUNT = AnnotationField(name="count", kind="count", most=5)
REMARK = AnnotationField(name="remark", kind="text", optional=True)
ITEM = AnnotationItem(id="i", text="the red tile", answers={"level": "1"})


def read(*fields: AnnotationField, skipped: str = "", **values: Any) -> dict[str, Any]:
    """What is stored of an answer."""
    raw = {name: msgspec.Raw(json.dumps(value).encode()) for name, value in values.items()}
    answer = ItemAnswer(values=raw, skipped=skipped)
    return read_item_answer(fields, ITEM, answer, lambda board, moves: board).values


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        (LEVEL, "4", "“level”: '4' is not in the schema: choose from 0, 1, 2-3"),
        (LEVEL, 3, "“level” cannot be read as ordered: reload the page"),
        (KINDS, ["a", "x"], "“kinds”: 'x' is not in the schema: choose from a, b, c"),
        (COUNT, 6, "“count”: 6 is not from 0 to 5: correct it"),
        (MARKS, [{"start": 4, "end": 13, "label": "place"}],
         "“marks”: the span 4 to 13 is outside a text of 12 characters: mark it again"),
        (MARKS, [{"start": 4, "end": 4, "label": "place"}],
         "“marks”: the span 4 to 4 is outside a text of 12 characters: mark it again"),
        (MARKS, [{"start": 0, "end": 3, "label": "thing"}],
         "“marks”: 'thing' is not in the schema: choose from object, place"),
    ],
)  # fmt: skip
def test_what_the_schema_does_not_allow_is_refused_in_one_line(
    field: AnnotationField, value: Any, told: str
) -> None:
    with pytest.raises(Problem) as trouble:
        read(field, **{field.name: value})
    assert str(trouble.value) == told


def test_every_field_that_is_asked_needs_an_answer() -> None:
    with pytest.raises(Problem, match="“type” has no answer: answer it, or skip the item"):
        read(ERROR, TYPE, error="yes")
    assert read(ERROR, TYPE, error="no") == {"error": "no"}
    assert read(ERROR, TYPE, error="no", type="over") == {"error": "no"}  # it was not asked any more
    assert read(LEVEL, REMARK, level="1", remark="  ") == {"level": "1"}
    assert read(LEVEL, skipped="no text") == {}
    with pytest.raises(Problem, match="there is no field 'colour' in the schema: reload the page"):
        read(LEVEL, level="1", colour="red")


def test_marks_may_overlap_and_are_kept_once_and_in_order() -> None:
    one = {"start": 4, "end": 12, "label": "object"}
    other = {"start": 0, "end": 7, "label": "object"}
    assert read(MARKS, marks=[one, other, one])["marks"] == [other, one]
    assert read(KINDS, kinds=["c", "a"])["kinds"] == ["a", "c"]


def test_known_answers_score_practice() -> None:
    labels = read_item_answer(
        (LEVEL,), ITEM, ItemAnswer(values={"level": msgspec.Raw(b'"1"')}), lambda board, moves: board
    )
    assert score_labels((LEVEL,), ITEM, labels) == 1.0
    assert score_labels((LEVEL,), msgspec.structs.replace(ITEM, answers={"level": "0"}), labels) == 0.0
    assert score_labels((LEVEL,), msgspec.structs.replace(ITEM, answers={}), labels) is None


# Who gets what
# ------------------------------------------------------------------------------------------------------------


def annotate(*fields: AnnotationField, **values: Any) -> AnnotateTask:
    return AnnotateTask(fields=fields, **{"in_a_row": 2, **values})


def annotation_study(**values: Any) -> Study:
    return make_study(
        make_stage("levels", annotate(LEVEL), answers=2, most=9, never=()),
        make_stage("settle", annotate(adjudicate=True), "levels", most=9, never=("author",)),
        make_stage("split", annotate(ERROR, only={"level": ("2-3",)}), "levels", answers=2, most=9, never=()),
        **values,
    )


def say(walk: StudyWalk, person: str, **labels: str) -> None:
    """Do the open task: `levels` says "0" of each item, unless told otherwise."""
    task = walk.state.people[person].task
    stage = walk.state.tasks[task].assigned.stage
    field, usual = ("error", "no") if stage == "split" else ("level", "0")
    said = {item: {field: labels.get(item, usual)} for item in walk.state.tasks[task].assigned.items}
    walk.now += 60
    walk.record(end_task(walk.state, task, {person: TaskReport("finished", labels=said)}, walk.now))


def work(walk: StudyWalk, person: str, stage: str = "levels", **labels: str) -> None:
    """Do all tasks of a stage."""
    if person not in walk.state.people:
        walk.enter(person)
    while True:
        decision = walk.step(person)
        if not isinstance(decision, TaskAssignment) or decision.assigned.stage != stage:
            return
        say(walk, person, **labels)


def usable(walk: StudyWalk, stage: str) -> set[str]:
    return {name for name, item in walk.state.stages[stage].items.items() if item.usable}


def two_annotators() -> StudyWalk:
    walk = StudyWalk(annotation_study())
    work(walk, "a", i0="2-3", i1="1", i2="2-3")
    work(walk, "b", i0="2-3", i1="2-3")
    return walk


def test_every_annotator_has_an_order_of_their_own_and_every_item_once() -> None:
    orders = []
    for person in "abcdefgh":
        walk = StudyWalk(annotation_study(), items=8)
        work(walk, person)
        orders.append(tuple(item for task in walk.state.tasks.values() for item in task.assigned.items))
        assert sorted(orders[-1]) == [f"i{number}" for number in range(8)]
    assert len(set(orders)) == len(orders)


def test_items_on_which_annotators_differ_go_to_a_third_person() -> None:
    walk = two_annotators()
    assert usable(walk, "settle") == {"i1", "i2"}
    assert usable(walk, "split") == {"i0"}
    assert walk.state.tasks[walk.state.people["b"].task].assigned.stage == "split"  # not to settle their own
    work(walk, "c", "settle", i1="2-3")
    assert usable(walk, "split") == {"i0", "i1"}
    settled = {
        item: settle_item(walk.state.study, walk.state.stages, "levels", item) for item in ("i0", "i1", "i2")
    }
    assert {item: (each.values["level"], each.by) for item, each in settled.items()} == {
        "i0": ("2-3", "all"), "i1": ("2-3", "adjudication"), "i2": ("0", "adjudication"),
    }  # fmt: skip


def test_when_an_annotator_is_excluded_others_annotate_again_and_later_stages_follow() -> None:
    walk = two_annotators()
    work(walk, "c", "settle", i1="2-3")
    walk.record(exclude_person(walk.state, "b", "test", walk.now))
    assert usable(walk, "settle") == usable(walk, "split") == set()
    work(walk, "d", i0="2-3", i1="1", i2="2-3")
    assert usable(walk, "settle") == set()
    assert usable(walk, "split") == {"i0", "i2"}
    assert fold_study(walk.events).stages["levels"].labels == walk.state.stages["levels"].labels


def test_without_adjudication_the_majority_counts_and_a_tie_settles_nothing() -> None:
    study = make_study(
        make_stage("levels", annotate(LEVEL), answers=3, most=9, never=()),
        make_stage("split", annotate(ERROR, only={"level": ("2-3",)}), "levels", most=9, never=()),
    )
    walk = StudyWalk(study)
    work(walk, "a", i0="2-3", i1="2-3")
    work(walk, "b", i0="2-3", i1="1")
    work(walk, "c", i0="1")
    assert usable(walk, "split") == {"i0"}


def test_a_skipped_item_is_answered_without_a_label() -> None:
    walk = StudyWalk(annotation_study(), items=2)
    work(walk, "a", i0="2-3")
    walk.enter("b")
    task = walk.state.people["b"].task
    report = TaskReport("finished", labels={"i1": {"level": "0"}})
    walk.record(end_task(walk.state, task, {"b": report}, walk.now))
    assert usable(walk, "settle") == set()
    assert usable(walk, "split") == {"i0"}
    assert walk.state.stages["levels"].missing_answers == 0


def test_drift_shows_an_annotator_who_becomes_worse() -> None:
    walk = StudyWalk(annotation_study(), items=12)
    work(walk, "a")
    walk.enter("b")
    for number in range(6):
        task = walk.state.tasks[walk.state.people["b"].task].assigned
        say(walk, "b", **dict.fromkeys(task.items, "0" if number < 3 else "1"))
        walk.step("b")
    found = {each.person: each for each in measure_drift(walk.state)}
    assert found["b"].shares == (1.0, 0.5, 0.0)
    assert found["b"].change == -1.0
    assert found["b"].items == 12
    assert [table.title for table in annotation_tables(walk.state)] == [
        "Annotated items",
        "Agreement of annotators",
        "Agreement with the others over time, in percent",
    ]


def test_drift_has_the_items_of_a_task_in_the_order_of_the_work() -> None:
    walk = StudyWalk(
        make_study(make_stage("levels", annotate(LEVEL, in_a_row=6), answers=2, never=())), items=6
    )
    work(walk, "a")
    walk.enter("b")
    order = walk.state.tasks[walk.state.people["b"].task].assigned.items
    say(walk, "b", **dict.fromkeys(order[4:], "1"))
    found = {each.person: each for each in measure_drift(walk.state)}
    assert found["b"].shares == (1.0, 1.0, 0.0)


@given(st.integers(0, 10_000))
def test_whatever_happens_the_stages_follow_from_the_labels_that_count(seed: int) -> None:
    random = Random(seed)
    walk = StudyWalk(annotation_study(), items=random.randint(1, 5))
    for _ in range(60):
        person = random.choice("abcdef")
        if random.random() < 0.05 and person in walk.state.people:
            walk.record(exclude_person(walk.state, person, "test", walk.now))
        elif person not in walk.state.people:
            walk.enter(person)
        elif walk.state.people[person].outcome is None:
            if walk.state.people[person].task:
                say(walk, person, **{f"i{number}": random.choice(LEVEL.labels) for number in range(5)})
            else:
                walk.step(person)
    levels = walk.state.stages["levels"]
    done = {item for item, each in levels.items.items() if each.done == 2}
    values = {item: {each["level"] for each in levels.labels[item].values()} for item in done}
    assert usable(walk, "settle") == {item for item, said in values.items() if len(said) > 1}
    for item, labels in levels.labels.items():
        assert len(labels) == levels.items[item].done
        assert {*walk.state.stages["settle"].labels.get(item, ())}.isdisjoint(labels)


# Mistakes in the file
# ------------------------------------------------------------------------------------------------------------


def mistakes(*stages: StudyStage, **values: Any) -> list[str]:
    stimuli = {"s": StudyStimuli(table="s.csv"), "games": StudyStimuli(game="reference", recipe={"n": 1})}
    found = find_study_mistakes(make_study(*stages, stimuli=stimuli, pay=StudyPay(floor=0), **values))
    return [line.removeprefix("study.toml: stages.") for line in found]


def one_field(**values: Any) -> StudyStage:
    return make_stage(
        "a", AnnotateTask(fields=(AnnotationField(**{"name": "f", "kind": "choice", **values}),))
    )


@pytest.mark.parametrize(
    ("stage", "told"),
    [
        (make_stage("a", AnnotateTask()), "a: it has no fields: write what annotators are asked"),
        (one_field(), "a: fields.f: choice needs labels: add them"),
        (one_field(labels=("x", "x")), "a: fields.f: a label is empty or twice there: correct it"),
        (one_field(labels=("x", "y|z")),
         "a: fields.f: a label has a line break or | in it: write it without"),
        (one_field(kind="count", labels=("x",)), "a: fields.f: labels are not for count: remove them"),
        (one_field(labels=("x", "y"), about={"z": ""}),
         "a: fields.f: about: there is no label 'z': choose from x, y"),
        (one_field(labels=("x", "y"), when={"g": ("x",)}),
         "a: fields.f: when: no earlier field 'g' has labels: move it up"),
        (one_field(kind="board"),
         "a: a field of the kind board needs stimuli of a game whose boards can be corrected: name the game"),
        (make_stage("a", annotate(LEVEL), "games"), "a: items: games is no table: give the stimuli a table"),
        (make_stage("a", PAIR), "a: items: s is a table: only a stage that annotates can take its items"),
        (make_stage("a", annotate(LEVEL, adjudicate=True)),
         "a: adjudicate and only are for the items of another stage: name it in items"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_stage_is_named(stage: StudyStage, told: str) -> None:
    assert mistakes(stage) == [told]


@pytest.mark.parametrize(
    ("task", "told"),
    [
        (annotate(adjudicate=True),
         "b: adjudicate: stage a has one annotator an item: ask for two answers there"),
        (annotate(ERROR, only={"type": ("x",)}),
         "b: only: stage a has no field 'type' with labels: choose from level"),
        (annotate(ERROR, only={"level": ("9",)}),
         "b: only.level: there is another label than 0, 1, 2-3: correct it"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_stage_that_follows_is_named(task: AnnotateTask, told: str) -> None:
    assert mistakes(make_stage("a", annotate(LEVEL)), make_stage("b", task, "a")) == [told]


# Tables
# ------------------------------------------------------------------------------------------------------------


def read_table(folder: Path, content: str, **columns: Any) -> dict[str, AnnotationItem]:
    (folder / "t.csv").write_text(content)
    return read_item_table(folder / "t.csv", TableColumns(**columns))


def test_a_table_has_the_columns_that_the_file_names(tmp_path: Path) -> None:
    (tmp_path / "one.svg").write_text("<svg/>")
    text = "nr,sentence,who,gold,picture,before\n1,Go.,ann,0,one.svg,Come.\n"
    found = read_table(
        tmp_path, text, id="nr", text="sentence", cluster="who", show=("nr",), answers={"level": "gold"}
    )
    assert found["1"].text == "Go."
    assert found["1"].cluster == "ann"
    assert found["1"].before == ("Come.",)
    assert found["1"].facts == {"nr": "1"}
    assert found["1"].answers == {"level": "0"}
    assert found["1"].pictures[0].file == "one.svg"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id,text\na,x\na,y\n", "t.csv has the item 'a' twice: keep one row for each item"),
        ("nr,text\na,x\n",
         "t.csv, row 1: there is no column 'id': name another in columns; it has nr, text"),
        ("id,text\na,\n", "t.csv, row 1 shows nothing: name its columns in columns"),
        ("id,picture\na,x.exe\n",
         "x.exe is no image that pages show: give .png, .jpg, .jpeg, .svg, .webp"),
        ("id,picture\na,../x.png\n", "../x.png is not in the folder of the table: put the image there"),
        ("id,text\n", "t.csv has no rows: add some"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_used_is_refused_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(Problem) as trouble:
        read_table(tmp_path, text)
    assert str(trouble.value) == told


@pytest.mark.parametrize(
    ("kind", "item", "told"),
    [
        ("choice", {"text": "x", "answers": {"f": "no"}}, ": “f”: 'no' is not in the schema"),
        ("several", {"text": "x", "answers": {"f": "a|c"}}, ": “f”: 'c' is not in the schema"),
        ("count", {"text": "x", "answers": {"f": "many"}}, "answer does not fit the schema: inv"),
        ("spans", {"text": "x", "answers": {"f": [{"start": 0, "end": 9, "label": "a"}]}}, "span 0 to 9"),
        ("spans", {"facts": {"a": "b"}, "answers": {"f": []}}, "has no text in which words can be marked"),
        ("board", {"text": "x", "answers": {"f": ""}}, "has no board to correct: add it as board"),
        ("text", {"text": "x", "board": "0", "answers": {"f": ""}}, "but no game shows it: name the game"),
        ("text", {"text": "x"}, "has no known answer: add one"),
    ],
)  # fmt: skip
def test_a_row_that_does_not_fit_its_stage_is_named(kind: Any, item: Any, told: str) -> None:
    field = AnnotationField(name="f", kind=kind, labels=("a", "b") if kind in LABELLED else ())
    stage = make_stage("a", annotate(field), pass_mark=0.5)
    study = make_study(stage, stimuli={"s": StudyStimuli(table="t.csv")})
    found = list(find_item_mistakes(study, {stage.items: {"i": AnnotationItem(id="i", **item)}}))
    assert len(found) == 1
    assert told in found[0]


# Bots
# ------------------------------------------------------------------------------------------------------------


def test_bots_say_something_else_at_the_rate_that_they_are_given() -> None:
    fields = (LEVEL, KINDS, COUNT, MARKS)
    items = [msgspec.structs.replace(ITEM, id=str(number)) for number in range(2000)]
    random = Random(1)
    said = [confuse_values(fields, item, random, 0.2) for item in items]
    for field in fields:
        wrong = sum(
            values[field.name] != true_values(fields, item)[field.name]
            for values, item in zip(said, items, strict=True)
        )
        assert 0.17 < wrong / len(items) < 0.23
    assert true_values((LEVEL,), ITEM) == {"level": "1"}


def test_an_annotator_without_any_item_left_is_finished() -> None:
    walk = StudyWalk(make_study(make_stage("levels", annotate(LEVEL), answers=2, most=9, never=())))
    work(walk, "a")
    assert isinstance(assign_task(walk.state, "a", walk.now), PersonOutcome)
