"""A study as a value, as `study.toml` writes it: stimuli, groups of people, stages, pay, recruiting."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from groundling.studies.annotation_schema import AnnotateTask, TableColumns
from groundling.studies.study_part import Amount, Count, Name, PartnerCondition, ReplyPace, Share, StudyPart

PERSON = "person"
AnswerKind: TypeAlias = Literal["choice", "several", "scale", "number", "text"]


class StudyStimuli(StudyPart, frozen=True):
    """Instances of a game: a file, a split of published data, or a recipe; or a table of items to annotate.
    One of the four."""

    game: Annotated[str, Meta(description="tables need none, unless they hold boards")] = ""
    file: str = ""
    table: Annotated[str, Meta(description="a table of items to annotate: CSV, TSV or JSONL")] = ""
    columns: Annotated[TableColumns, Meta(description="the columns of a table")] = TableColumns()
    data: Annotated[str, Meta(description="published data, as PATH@SPLIT")] = ""
    recipe: Annotated[
        dict[str, Any], Meta(description="fields of the game's recipe, such as n and seed")
    ] = {}
    n: Annotated[
        Count | None, Meta(description="of data: at most this number of instances, drawn at random")
    ] = None
    part: Annotated[
        str,
        Meta(
            pattern="^([1-9][0-9]*/[1-9][0-9]*)?$",
            description="of every group of instances only one, such as a twin: 1/4 is the first of four",
        ),
    ] = ""
    gold_confirmed_by: Annotated[
        tuple[str, ...], Meta(description="initials of those who checked the gold answers")
    ] = ()


class StudyGroup(StudyPart, frozen=True):
    """People who have passed a stage."""

    stage: Annotated[str, Meta(description="the stage that leads into the group")]
    by: Annotated[
        Literal["score", "rank", "administrator"],
        Meta(description="what decides: the pass mark, who is best, or the administrator"),
    ] = "score"
    disjoint: Annotated[tuple[str, ...], Meta(description="groups that share no person with it")] = ()
    most: Annotated[Count | None, Meta(description="people in it at most")] = None
    candidates: Annotated[
        Count | None, Meta(description='by = "rank": people who do the stage before the best are chosen')
    ] = None


class StudyQuestion(StudyPart, frozen=True):
    """A question with choices, or with free text where there are none."""

    text: str
    choices: tuple[str, ...] = ()
    answer: Annotated[str, Meta(description="the right answer")] = ""
    attention: Annotated[
        bool, Meta(description="an attention check: a wrong answer is a failure and no part of the score")
    ] = False

    def is_right(self, given: str) -> bool:
        return given.strip().casefold() == self.answer.strip().casefold()


class QuizQuestion(StudyQuestion, frozen=True):
    choices: tuple[str, ...]
    answer: Annotated[str, Meta(description="the right one of the choices")]


class FormQuestion(StudyQuestion, frozen=True):
    optional: bool = False
    asks_partner: Annotated[
        bool, Meta(description="it asks who the partner was; the choices: a person, then a program")
    ] = False
    kind: Annotated[
        AnswerKind | None,
        Meta(description="how it is answered; by default choice where it has choices, else text"),
    ] = None
    points: Annotated[int, Meta(ge=2, le=11, description="of a scale")] = 7
    ends: Annotated[tuple[str, ...], Meta(description="the labels of the two ends of a scale")] = ()
    least: Annotated[float | None, Meta(description="the smallest number")] = None
    most: Annotated[float | None, Meta(description="the largest number")] = None

    @property
    def answer_kind(self) -> AnswerKind:
        return self.kind or ("choice" if self.choices else "text")


class GameTask(StudyPart, frozen=True, tag="game", tag_field="kind"):
    """One game, or several in a row with the same people."""

    game: str
    seats: Annotated[dict[str, str], Meta(description='by role: "person", or a player')]
    settings: dict[str, Any] = {}
    in_a_row: Count = 1
    machine_partner: Annotated[
        str, Meta(description="the player that is offered to a person without a partner")
    ] = ""
    farewell: Annotated[str, Meta(description="what a program says before it ends the game")] = ""
    pace: Annotated[
        ReplyPace | None, Meta(description="how long programs take for a reply; none: as fast as they are")
    ] = None
    stand_in: Annotated[
        dict[str, str],
        Meta(description="by role: the player in a person's seat where the table plays without people"),
    ] = {}


class DrawTask(StudyPart, frozen=True, tag="draw", tag_field="kind"):
    """Draw a new image on a blank board of a game."""

    game: str


class QuizTask(StudyPart, frozen=True, tag="quiz", tag_field="kind"):
    questions: Annotated[tuple[QuizQuestion, ...], Meta(min_length=1)]
    attempts: Count = 2


class QuestionnaireTask(StudyPart, frozen=True, tag="questionnaire", tag_field="kind"):
    questions: Annotated[tuple[FormQuestion, ...], Meta(min_length=1)]


StageTask: TypeAlias = GameTask | DrawTask | QuizTask | QuestionnaireTask | AnnotateTask


class StageBonus(StudyPart, frozen=True):
    """What a person gets beside the pay of a task, for its score."""

    amount: Annotated[Amount, Meta(description="for the full score")]
    by: Annotated[
        Literal["score", "fixed"], Meta(description="score: the share of the score; fixed: all of it")
    ] = "score"
    least_score: Annotated[Share, Meta(description="the score from which on there is one")] = 0.0


class StudyStage(StudyPart, frozen=True):
    """What one task is, who may do it, and how often."""

    name: Name
    task: StageTask
    title: Annotated[str, Meta(description="what participants call it")] = ""
    instructions: Annotated[str, Meta(description="the file of a text that people read before it")] = ""
    practice: Annotated[bool, Meta(description="people are told that it is practice; it is no work")] = False
    items: Annotated[str, Meta(description="stimuli, or a stage whose finished answers are the items")] = ""
    blank_items: Annotated[int, Meta(ge=0, description="number of items without stimuli")] = 0
    answers: Annotated[
        int, Meta(ge=0, description="answers an item gets from different people; 0: any number")
    ] = 1
    group: Annotated[str, Meta(description="only these people")] = ""
    never: Annotated[
        tuple[str, ...],
        Meta(
            description="author: of the item; seen: who met what it was made from; met: who met the item "
            "itself in another stage; or names of groups"
        ),
    ] = ("author", "seen")
    minutes: Annotated[float, Meta(gt=0, description="time limit of a task")] = 30
    expected_minutes: Annotated[
        Annotated[float, Meta(gt=0)] | None,
        Meta(description="what a task usually takes; half of minutes where it is not given"),
    ] = None
    most: Annotated[Count, Meta(description="tasks that a person does at most")] = 1
    busiest_share: Annotated[
        Share, Meta(description="largest share of the stage's answers that one person gives")
    ] = 1.0
    pay: Annotated[Amount, Meta(description="for a finished task")] = 0.0
    bonus: StageBonus | None = None
    score: Annotated[
        str, Meta(description="the measure of the game that is the score; by default its main one")
    ] = ""
    gold: Annotated[
        str, Meta(description="a stage; items are used when two people agree on them, as it shows")
    ] = ""
    pass_mark: Annotated[
        Share | None, Meta(description="mean score below which a person does not pass the stage")
    ] = None
    least_seconds: Annotated[Amount, Meta(description="an answer given in less time does not count")] = 0.0
    least_messages: Annotated[
        int, Meta(ge=0, description="an answer with fewer messages of the person does not count")
    ] = 0
    wait_minutes: Annotated[float, Meta(gt=0, description="longest wait for a partner")] = 10
    round: Annotated[
        int | None, Meta(description="the round of published data that its answers belong to; none: left out")
    ] = None
    conditions: Annotated[
        dict[str, dict[str, Any]], Meta(description="the game's settings in each condition")
    ] = {}
    condition_items: Annotated[
        dict[str, str], Meta(description="in place of items: the stimuli that each condition has")
    ] = {}
    partners: Annotated[
        dict[Name, PartnerCondition],
        Meta(description="conditions that are partners: every item gets its answers from each of them"),
    ] = {}
    after_each: Annotated[
        str, Meta(description="a stage of games; the questionnaire follows each of its games that was played")
    ] = ""
    vary: Annotated[Literal["people", "tasks"], Meta(description="what a condition is drawn for")] = "people"

    @property
    def person_seats(self) -> tuple[str, ...]:
        """The seats that people take. Tasks of one person have one seat."""
        return self.person_seats_in("")

    def seats_in(self, condition: str) -> dict[str, str]:
        """Who takes the seats of the game in a condition."""
        assert isinstance(self.task, GameTask)
        partner = self.partners.get(condition)
        return {**self.task.seats, **partner.seats} if partner else self.task.seats

    def person_seats_in(self, condition: str) -> tuple[str, ...]:
        if not isinstance(self.task, GameTask):
            return (PERSON,)
        return tuple(role for role, who in self.seats_in(condition).items() if who == PERSON)

    def has_program_in(self, condition: str) -> bool:
        """Whether a partner that is a condition is a program."""
        return condition in self.partners and any(who != PERSON for who in self.seats_in(condition).values())

    def settings_in(self, condition: str) -> dict[str, Any]:
        assert isinstance(self.task, GameTask)
        return {**self.task.settings, **self.conditions.get(condition, {})}

    @property
    def is_blind(self) -> bool:
        """Whether people are not told who their partner is while they play."""
        return bool(self.partners)

    @property
    def pairs_people(self) -> bool:
        """Whether people have to wait for each other, in some condition."""
        return any(len(self.person_seats_in(name)) > 1 for name in self.partners or ("",))

    @property
    def usual_minutes(self) -> float:
        return self.minutes / 2 if self.expected_minutes is None else self.expected_minutes

    @property
    def questions(self) -> tuple[StudyQuestion, ...]:
        """What a quiz or a questionnaire asks; nothing for other tasks."""
        return self.task.questions if isinstance(self.task, QuizTask | QuestionnaireTask) else ()

    @property
    def has_items(self) -> bool:
        return bool(self.item_sources or self.blank_items)

    @property
    def item_sources(self) -> tuple[str, ...]:
        """The stimuli, or the stage, that its items come from."""
        return tuple(dict.fromkeys(filter(None, (self.items, *self.condition_items.values()))))

    @property
    def items_per_task(self) -> int:
        return self.task.in_a_row if isinstance(self.task, GameTask | AnnotateTask) else 1

    @property
    def tasks_per_person(self) -> int:
        return self.task.attempts if isinstance(self.task, QuizTask) else self.most


class StudyPay(StudyPart, frozen=True):
    """Amounts in units of the currency."""

    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")] = "USD"
    base: Annotated[
        Amount, Meta(description="for taking part, however it ended without the person's fault")
    ] = 0
    screened_out: Annotated[Amount, Meta(description="for who did not pass")] = 0
    waiting_minute: Annotated[Amount, Meta(description="for each minute in the waiting room")] = 0
    partner_left: Annotated[
        Share | Literal["prorated", "stayed"],
        Meta(
            description="where the partner left, or a program failed: a share of the task's pay; prorated: "
            "by time; stayed: all for at least three messages, else nothing"
        ),
    ] = "prorated"
    left: Annotated[
        Share | Literal["prorated"],
        Meta(description="where the person left the task: a share of its pay; prorated: by time"),
    ] = "prorated"
    outcomes: Annotated[dict[str, Amount], Meta(description="further amounts by outcome")] = {}
    floor: Annotated[
        Amount | None,
        Meta(description="least pay for an hour; by default 8 USD or 6 GBP, 0: the study may pay less"),
    ] = None


class StudyRecruiting(StudyPart, frozen=True):
    service: Annotated[str, Meta(description="how people come; link: by an address")] = "link"
    description: Annotated[str, Meta(description="what the service tells people about the study")] = ""
    options: Annotated[dict[str, Any], Meta(description="settings of the service")] = {}
    places: Annotated[Count | None, Meta(description="people who may take part")] = None
    a_day: Annotated[Count | None, Meta(description="people who may begin within 24 hours")] = None
    budget: Annotated[
        Amount | None, Meta(description="nobody new may take part if the study could then owe more than this")
    ] = None
    never_in: Annotated[
        tuple[str, ...], Meta(description="studies in the same database whose people may not take part")
    ] = ()
    remember_days: Annotated[
        Count, Meta(description="days for which other studies can know who took part in this one")
    ] = 365
    paused: Annotated[bool, Meta(description="take no new people")] = False
    codes: Annotated[
        dict[str, str],
        Meta(
            description="completion codes by outcome; else those of the service, or people see their own code"
        ),
    ] = {}
    redirects: Annotated[
        dict[str, str], Meta(description="addresses to return to by outcome; {code} is the completion code")
    ] = {}


class StudyPrivacy(StudyPart, frozen=True):
    """What the consent text says, and how long data is kept after a person's last visit."""

    programs: Annotated[bool, Meta(description="it says that partners may be programs")] = False
    providers: Annotated[
        tuple[str, ...], Meta(description="it names these providers of models, which get what people write")
    ] = ()
    ids_days: Annotated[
        Count | None, Meta(description="days after which ids of recruiting services are deleted")
    ] = None
    data_days: Annotated[Count | None, Meta(description="days after which people are erased")] = None


class Study(StudyPart, frozen=True):
    title: Annotated[str, Meta(min_length=1)]
    contact: Annotated[str, Meta(min_length=1, description="whom participants can write to")]
    consent: Annotated[str, Meta(min_length=1, description="the file of the text that people agree to")]
    stages: Annotated[tuple[StudyStage, ...], Meta(min_length=1)]
    instructions: Annotated[str, Meta(description="the file of a text that people read first")] = ""
    debriefing: Annotated[str, Meta(description="the file of a text that people read at the end")] = ""
    minimum_age: Annotated[Count | None, Meta(description="the age that people must state to have")] = None
    expected_minutes: Annotated[
        Count | None, Meta(description="how long taking part takes, as people are told")
    ] = None
    device: Annotated[Literal["any", "computer"], Meta(description="what people need, as they are told")] = (
        "any"
    )
    language: Annotated[str, Meta(description="of the page's words")] = "en"
    languages: Annotated[
        tuple[str, ...], Meta(description="languages from which people choose; TEXT.de.md is TEXT.md in de")
    ] = ()
    seed: Annotated[int, Meta(description="random seed of all draws")] = 0
    returning: Annotated[
        Literal["resume", "restart", "block"], Meta(description="what happens to a person who comes back")
    ] = "resume"
    idle_minutes: Annotated[
        float, Meta(gt=0, description="a person without a task who does nothing for this long has left")
    ] = 60
    away_seconds: Annotated[
        float, Meta(gt=0, description="a person who closes the page of a game for this long has left it")
    ] = 30
    attention_failures: Annotated[
        int, Meta(ge=0, description="failed attention checks after which one more excludes a person")
    ] = 1
    failed_attention: Annotated[
        Literal["screen out", "ask to return"],
        Meta(description="what happens to a person with too many failed attention checks"),
    ] = "screen out"
    stimuli: dict[Name, StudyStimuli] = {}
    groups: dict[Name, StudyGroup] = {}
    pay: StudyPay = StudyPay()
    privacy: StudyPrivacy = StudyPrivacy()
    recruiting: StudyRecruiting = StudyRecruiting()

    def stage_named(self, name: str) -> StudyStage | None:
        return next((stage for stage in self.stages if stage.name == name), None)

    def groups_entered_by(self, stage: str) -> list[str]:
        """The groups into which a stage leads."""
        return [name for name, group in self.groups.items() if group.stage == stage]

    def are_disjoint(self, one: str, other: str) -> bool:
        return other in self.groups[one].disjoint or one in self.groups[other].disjoint

    def follows_work(self, stage: StudyStage) -> bool:
        """Whether a stage comes after work, such as a questionnaire at the end."""
        return any(self.is_work(earlier) for earlier in self.stages[: self.stages.index(stage)])

    def is_work(self, stage: StudyStage) -> bool:
        """Whether a stage collects answers to items, rather than testing or asking people."""
        return (
            stage.has_items
            and stage.pass_mark is None
            and not stage.practice
            and not self.groups_entered_by(stage.name)
        )
