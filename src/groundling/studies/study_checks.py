"""Find what is wrong with a study before people come, and what may change while it runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from groundling.core.pack import Pack, choices_hint, find, load
from groundling.core.setting_fields import read_live_settings
from groundling.core.values import Problem
from groundling.studies.annotation_checks import find_annotation_mistakes, find_item_mistakes
from groundling.studies.consent_checks import find_consent_mistakes
from groundling.studies.partner_checks import check_after_each, check_partners
from groundling.studies.pay_checks import find_pay_mistakes
from groundling.studies.recruiting import CODED_ENDS, find_code_faults, list_services
from groundling.studies.study import (
    PERSON,
    DrawTask,
    FormQuestion,
    GameTask,
    QuestionnaireTask,
    QuizTask,
    Study,
    StudyGroup,
    StudyStage,
)
from groundling.studies.study_file import STUDY_FILE, StudyFiles, read_study, read_study_files

NEVER_WORDS = ("author", "seen", "met")
LANGUAGES = ("de", "en")
"""The languages in which the pages of participants are written."""
EDITABLE = ("title", "contact", "consent", "instructions", "debriefing", "recruiting", "privacy")
"""What may change while a study runs. Of recruiting, places may only grow; data may only be kept for less
long than people agreed to."""


def read_checked_study(folder: Path) -> tuple[StudyFiles | None, list[str]]:
    """Read a study, with a line for each mistake. There is no study where its file cannot be read."""
    try:
        study = read_study(folder)
    except Problem as trouble:
        return None, str(trouble).splitlines()
    files, mistakes = read_study_files(folder, study)
    items = (f"{STUDY_FILE}: {told}" for told in find_item_mistakes(study, files.tables))
    return files, [*find_study_mistakes(study), *mistakes, *items]


def read_usable_study(folder: Path) -> StudyFiles:
    """Read a study without mistakes. Raises Problem with the first one."""
    files, mistakes = read_checked_study(folder)
    if files is None or mistakes:
        more = f" ({len(mistakes)} mistakes: groundling study check {folder})" if len(mistakes) > 1 else ""
        raise Problem(f"{mistakes[0]}{more}")
    return files


def find_study_mistakes(study: Study) -> list[str]:
    """A line for every mistake, with the place in the file."""
    found = [*_check_names(study), *_check_groups(study), *_check_circles(study), *find_pay_mistakes(study)]
    for stage in study.stages:
        found += [f"stages.{stage.name}: {told}" for told in _check_stage(study, stage)]
    if study.recruiting.service not in (services := list_services()):
        found.append(
            f"recruiting.service: there is no {study.recruiting.service!r}: {choices_hint(services)}"
        )
    found += [*_check_languages(study), *_check_returning(study), *find_consent_mistakes(study)]
    return [f"{STUDY_FILE}: {line}" for line in found]


def _check_languages(study: Study) -> Iterator[str]:
    for language in dict.fromkeys((study.language, *study.languages)):
        if language not in LANGUAGES:
            yield f"language: there are no words in {language!r}: {choices_hint(LANGUAGES)}"
    if study.languages and study.language not in study.languages:
        yield f"languages: the language {study.language!r} is not among them: add it"


def _check_returning(study: Study) -> Iterator[str]:
    """Completion codes, and the addresses to which people return."""
    for table, values in (("codes", study.recruiting.codes), ("redirects", study.recruiting.redirects)):
        for outcome in sorted({*values} - {*CODED_ENDS}):
            yield f"recruiting.{table}: there is no outcome {outcome!r}: {choices_hint(CODED_ENDS)}"
    yield from find_code_faults(study.recruiting.codes)
    for outcome, address in study.recruiting.redirects.items():
        if not address.startswith(("https://", "http://")):
            yield f"recruiting.redirects.{outcome}: {address!r} is no address: begin it with https://"


def _check_names(study: Study) -> Iterator[str]:
    names = [stage.name for stage in study.stages]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"stages.{name}: two stages have this name: rename one"
    for name in sorted(set(names) & set(study.stimuli)):
        yield f"stages.{name}: stimuli have the same name: rename one"
    for name in sorted(set(NEVER_WORDS) & set(study.groups)):
        yield f"groups.{name}: the word means something else in never: rename the group"


def _check_groups(study: Study) -> Iterator[str]:
    for name, group in study.groups.items():
        for other in sorted({*group.disjoint} - {*study.groups}):
            yield f"groups.{name}.disjoint: there is no group {other!r}: {choices_hint(study.groups)}"
        stage = study.stage_named(group.stage)
        if stage is None:
            names = [each.name for each in study.stages]
            yield (
                f"groups.{name}: nobody can enter it, as there is no stage {group.stage!r}: "
                f"{choices_hint(names)}"
            )
        elif name in group.disjoint or name in stage.never:
            yield f"groups.{name}: nobody can enter it, as it bars its own people: remove it from the list"
        elif stage.group in study.groups and study.are_disjoint(name, stage.group):
            yield (
                f"groups.{name}: nobody can enter it, as stage {stage.name} is for the group {stage.group}, "
                "which is disjoint from it: change one of them"
            )
        elif group.by != "score" and study.returning == "block":
            yield (
                f'groups.{name}: nobody can enter it, as returning = "block" keeps people out after the '
                'decision: use "resume"'
            )
        elif group.by == "score" and stage.pass_mark is None:
            yield (
                f"groups.{name}: nobody can enter it, as stage {stage.name} has no pass_mark: "
                'add one, or by = "administrator"'
            )
        for told in _check_rank(study, group):
            yield f"groups.{name}: {told}"


def _check_rank(study: Study, group: StudyGroup) -> Iterator[str]:
    if group.by != "rank":
        if group.candidates is not None:
            yield 'candidates is for by = "rank": remove it'
        return
    if group.most is None or group.candidates is None:
        yield 'by = "rank" needs most and candidates: add them'
    elif group.candidates < group.most:
        yield f"{group.candidates} candidates are fewer than {group.most} people: raise candidates"
    if len(study.groups_entered_by(group.stage)) > 1:
        yield f'stage {group.stage} leads into another group, too: a stage with by = "rank" has only one'


def _check_circles(study: Study) -> Iterator[str]:
    """Stages that need each other: by their items, or by the stage that leads into their group."""
    needs = {
        stage.name: {
            stage.items,
            stage.gold,
            study.groups[stage.group].stage if stage.group in study.groups else "",
        }
        for stage in study.stages
    }
    for start in needs:
        path = _find_circle(needs, start)
        if path and start == min(path):
            yield f"stages.{start}: stages need each other in a circle ({' → '.join(path)}): break it"


def _find_circle(needs: Mapping[str, set[str]], start: str) -> list[str]:
    """A path from a stage back to itself, or nothing."""
    paths, seen = [[start]], {start}
    while paths:
        path = paths.pop(0)
        for after in sorted(needs.get(path[-1], ())):
            if after == start:
                return [*path, start]
            if after in needs and after not in seen:
                seen.add(after)
                paths.append([*path, after])
    return []


def _check_stage(study: Study, stage: StudyStage) -> Iterator[str]:
    yield from _check_items(study, stage)
    yield from find_annotation_mistakes(study, stage)
    yield from _check_people(study, stage)
    if stage.busiest_share == 0:
        yield "busiest_share is 0: no person may do it"
    match stage.task:
        case GameTask():
            yield from _check_game(stage, stage.task)
        case QuizTask(questions=questions):
            if stage.pass_mark is None:
                yield "a quiz needs a pass_mark: add one"
            if all(question.attention for question in questions):
                yield "all questions of the quiz are attention checks: add one that is scored"
        case QuestionnaireTask(questions=form):
            for each in form:
                yield from _check_form_question(each)
                if each.answer and not each.attention:
                    yield f"the answer of “{each.text}” is not used: add attention = true, or remove it"
                if each.attention and each.optional:
                    yield f"the attention check “{each.text}” is optional: remove optional"
        case DrawTask(game=game):
            yield from _check_pack(game)
    for question in stage.questions:
        if question.attention and not question.answer:
            yield f"the attention check “{question.text}” has no answer: add the right one"
        elif question.answer and question.choices and question.answer not in question.choices:
            hint = choices_hint(question.choices)
            yield f"the answer {question.answer!r} is not among the choices: {hint}"
    if stage.score and not isinstance(stage.task, GameTask):
        yield "score is a measure of a game: remove it"
    if stage.conditions and not isinstance(stage.task, GameTask):
        yield "conditions are settings of a game: remove them"
    yield from check_after_each(study, stage)
    if stage.partners and not isinstance(stage.task, GameTask):
        yield "partners are for a game: remove them"
    if stage.vary == "tasks" and len(stage.person_seats) > 1:
        yield 'vary = "tasks" needs a task of one person: use "people"'


def _check_form_question(question: FormQuestion) -> Iterator[str]:
    kind, text = question.answer_kind, question.text
    if kind in ("choice", "several") and not question.choices:
        yield f"“{text}” has no choices: add them"
    if kind not in ("choice", "several") and question.choices:
        yield f"“{text}” has choices, but its kind is {kind}: remove one of them"
    if any("\n" in choice for choice in question.choices):
        yield f"“{text}”: a choice has a line break: write it in one line"
    if question.asks_partner and len(question.choices) != 2:
        yield f"“{text}” asks who the partner was: give two choices, a person first and a program second"
    if question.ends and (kind != "scale" or len(question.ends) != 2):
        yield f"“{text}”: ends are the two labels of a scale: correct or remove them"
    if (question.least, question.most) != (None, None) and kind != "number":
        yield f"“{text}”: least and most are for numbers: remove them"
    if question.least is not None and question.most is not None and question.least > question.most:
        yield f"“{text}”: least is more than most: change one of them"


def _check_items(study: Study, stage: StudyStage) -> Iterator[str]:
    names = [*study.stimuli, *(each.name for each in study.stages)]
    if stage.items and stage.items not in names:
        yield f"items: there are no stimuli and no stage {stage.items!r}: {choices_hint(names)}"
    if stage.items and stage.blank_items:
        yield "it has both items and blank_items: remove one"
    if stage.condition_items:
        if stage.items or stage.blank_items:
            yield "it has condition_items and other items: remove one"
        if set(stage.condition_items) != set(stage.conditions):
            yield "condition_items does not name the same conditions as conditions: name each of them"
        for name in sorted(set(stage.condition_items.values()) - set(study.stimuli)):
            yield f"condition_items: there are no stimuli {name!r}: {choices_hint(study.stimuli)}"
    if isinstance(stage.task, QuizTask | QuestionnaireTask):
        if stage.has_items:
            yield "a quiz or questionnaire has no items: remove them"
    elif not stage.has_items:
        yield "it has no items: name stimuli or a stage in items, or give blank_items"
    source = study.stage_named(stage.items)
    if source and not source.has_items:
        yield f"items: stage {source.name} has no answers that could be items: name another"
    yield from _check_gold(study, stage)


def _check_gold(study: Study, stage: StudyStage) -> Iterator[str]:
    """Practice is scored against gold that two people have confirmed, in a stage or before the study. A rank
    may also compare people with the authors of what they work on."""
    groups = [study.groups[name] for name in study.groups_entered_by(stage.name)]
    is_scored = stage.pass_mark is not None or any(group.by == "rank" for group in groups)
    if not stage.gold:
        stimuli, source = study.stimuli.get(stage.items), study.stage_named(stage.items)
        is_confirmed = stimuli is not None and len({*stimuli.gold_confirmed_by}) >= 2
        if stage.pass_mark is None and source is not None:
            return
        if is_scored and stage.has_items and not is_confirmed:
            yield (
                "two people must confirm the gold of its items: add gold_confirmed_by to the stimuli, "
                "or name a stage in gold"
            )
        return
    source = study.stage_named(stage.gold)
    if not is_scored:
        yield "gold is for a stage with a score to pass: remove it, or add a pass_mark"
    if source is None:
        yield f"gold: there is no stage {stage.gold!r}: {choices_hint(each.name for each in study.stages)}"
    elif source.items != stage.items or not source.has_items:
        yield f"gold: stage {source.name} has other items: give both stages the same"
    elif not isinstance(source.task, GameTask) or len(source.person_seats) != 1:
        yield f"gold: stage {source.name} must be a game with one person, who works on the items alone"
    elif source.answers == 1 and stage.items in study.stimuli:
        yield f"gold: an item needs two people who agree: ask for two answers in stage {source.name}"
    elif "author" not in source.never:
        yield f'gold: the author of an item could confirm it: add "author" to never in stage {source.name}'


def _check_people(study: Study, stage: StudyStage) -> Iterator[str]:
    """Whether enough people may do the stage."""
    if stage.group and stage.group not in study.groups:
        hint = choices_hint(study.groups) if study.groups else "the study has none"
        yield f"no person may do it, as there is no group {stage.group!r}: {hint}"
    for name in stage.never:
        if name not in (*NEVER_WORDS, *study.groups):
            yield f"never: there is no {name!r}: {choices_hint((*NEVER_WORDS, *study.groups))}"
    if stage.group and stage.group in stage.never:
        yield f"no person may do it, as it is for the group {stage.group} and bars it: change one of them"
    seats = max(len(stage.person_seats_in(name)) for name in stage.partners or ("",))
    places = study.recruiting.places
    if not seats:
        yield f'no person may do it, as no seat is "{PERSON}": give people a seat'
    most = study.groups[stage.group].most if stage.group in study.groups else None
    people = min((number for number in (most, places) if number is not None), default=None)
    if people is not None and stage.answers * max(seats, 1) > people:
        yield (
            f"an item needs {stage.answers * seats} different people, but there are at most {people}: "
            "raise places, or ask for fewer answers"
        )


def _check_game(stage: StudyStage, task: GameTask) -> Iterator[str]:
    yield from (told := list(_check_pack(task.game)))
    if told:
        return
    pack = find(task.game)
    if set(task.seats) != set(pack.roles):
        yield f"seats: {task.game} has the seats {', '.join(pack.roles)}: name each of them"
    for name, settings in {"": {}, **stage.conditions}.items():
        try:
            read_live_settings(pack, {**task.settings, **settings})
        except Problem as trouble:
            yield f"{f'conditions.{name}' if name else 'settings'}: {trouble}"
    if stage.score:
        yield from _check_measure(pack, stage.score)
    yield from check_partners(stage, task, pack)
    if task.machine_partner and len(stage.person_seats) < 2:
        yield "machine_partner is for a game of several people: remove it"


def _check_measure(pack: Pack, name: str) -> Iterator[str]:
    """A score is a measure from 0 to a known top, of which it is given as a share."""
    usable = [each.name for each in load(pack.measures) if each.low == 0 and each.high and not each.category]
    if name not in usable:
        yield f"score: {pack.name} has no measure {name!r} from 0 to a top: {choices_hint(usable)}"


def _check_pack(game: str) -> Iterator[str]:
    try:
        find(game)
    except Problem as trouble:
        yield f"game: {trouble}"


def find_forbidden_changes(old: StudyFiles, new: StudyFiles) -> list[str]:
    """A line for every change that must not be made while the study runs."""
    before, after = _name_parts(old.study), _name_parts(new.study)
    found = [
        f"{name} has changed while the study runs: change it back, or begin a new study"
        for name in {**before, **after}
        if name not in EDITABLE and before.get(name) != after.get(name)
    ]
    places, now = old.study.recruiting.places, new.study.recruiting.places
    if now is not None and (places is None or now < places):
        found.append("recruiting.places may only grow while the study runs: raise it")
    for key in ("ids_days", "data_days"):
        days, later = getattr(old.study.privacy, key), getattr(new.study.privacy, key)
        if days is not None and (later is None or later > days):
            found.append(f"privacy.{key} may only become less while the study runs: set at most {days}")
    if old.study.recruiting.service != new.study.recruiting.service:
        found.append("recruiting.service has changed while the study runs: change it back")
    found += [
        f"{name}: its instances have changed while the study runs: restore the file, or begin a new study"
        for name, digest in old.digests.items()
        if name.startswith("stimuli.") and new.digests.get(name, digest) != digest
    ]
    return [f"{STUDY_FILE}: {line}" for line in found]


def _name_parts(study: Study) -> dict[str, Any]:
    """The keys of a study file with their values. Stages, stimuli and groups have a key each."""
    parts: dict[str, Any] = msgspec.to_builtins(study)
    stages = parts.pop("stages")
    parts["order of stages"] = [stage["name"] for stage in stages]
    parts |= {f"stages.{stage['name']}": stage for stage in stages}
    for kind in ("stimuli", "groups"):
        parts |= {f"{kind}.{name}": part for name, part in parts.pop(kind).items()}
    return parts
