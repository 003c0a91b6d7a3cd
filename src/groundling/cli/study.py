"""`groundling study`: begin, check, pilot, watch and export studies with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

study_app = typer.Typer(
    help="Plan, pilot and export studies with people.", rich_markup_mode=None, no_args_is_help=True
)
FolderArgument: TypeAlias = Annotated[Path, typer.Argument(metavar="DIR", help="The folder with study.toml.")]
DbOption: TypeAlias = Annotated[
    str, typer.Option(help="The file or database that holds the study's log.", metavar="URL")
]

PersonArgument: TypeAlias = Annotated[str, typer.Argument(metavar="PERSON", help="The person's code.")]
GroupArgument: TypeAlias = Annotated[str, typer.Argument(metavar="GROUP", help="The group of the study.")]


@study_app.command("new")
def new_study(
    template: Annotated[
        str, typer.Argument(help="What to begin with: live, or a template of a game.", metavar="TEMPLATE")
    ],
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="The folder to create.", show_default=False)
    ] = None,
    game: Annotated[
        str, typer.Option(help="The game; default: the one that the template is named after.", metavar="GAME")
    ] = "",
    scale: Annotated[
        float, typer.Option(help="Multiply the numbers of people and items.", metavar="X", min=0.001)
    ] = 1.0,
) -> None:
    """Begin a study from a template: live, machine, labels, or one of a game, such as codraw."""
    from groundling.cli.study_templates import write_template

    write_template(template, folder, game, scale)


@study_app.command("check")
def check_study(
    folder: FolderArgument,
    db: Annotated[
        str, typer.Option(help="Also compare with the study that runs in this database.", metavar="URL")
    ] = "",
) -> None:
    """Name every mistake in a study, before people come.

    The exit status is 1 where there is one."""
    from groundling.cli.study_commands import check_study_folder

    raise typer.Exit(0 if check_study_folder(folder, db) else 1)


@study_app.command("schema")
def print_schema() -> None:
    """Print the JSON schema of study.toml."""
    from groundling.cli.study_commands import print_study_schema

    print_study_schema()


@study_app.command("simulate")
def simulate_study(
    folder: FolderArgument,
    people: Annotated[int, typer.Option(help="Number of bots that arrive.", metavar="N", min=1)] = 200,
    seed: Annotated[int, typer.Option(help="Random seed of the bots.", metavar="N")] = 0,
    per_hour: Annotated[float, typer.Option(help="Arrivals an hour.", metavar="X", min=0.01)] = 60.0,
    leave: Annotated[
        float, typer.Option(help="Share of bots that leave early.", metavar="X", min=0, max=1)
    ] = 0.136,
    server: Annotated[
        bool, typer.Option("--server", help="Start a server on a free port, and take part over HTTP.")
    ] = False,
    speed: Annotated[
        float, typer.Option(help="With --server: divide the time limits by this.", metavar="X", min=1)
    ] = 60.0,
    db: Annotated[
        str, typer.Option(help="The database of the pilot; default: DIR/pilot.db.", metavar="URL")
    ] = "",
) -> None:
    """Let bots walk through the study, and print what it would give.

    They walk in virtual time; with --server over HTTP and sockets, where the time limits of the study are
    divided by --speed."""
    from groundling.cli.study_commands import run_pilot, run_pilot_on_server

    if server:
        run_pilot_on_server(folder, people, seed, leave, speed, db)
    else:
        run_pilot(folder, people, seed, per_hour, leave, db)


@study_app.command("status")
def show_status(folder: FolderArgument, db: DbOption = "groundling.db") -> None:
    """Print how far a study is."""
    from groundling.cli.study_commands import print_study_status

    print_study_status(folder, db)


@study_app.command("recruit")
def recruit_people(
    folder: FolderArgument,
    action: Annotated[
        str,
        typer.Argument(
            metavar="ACTION",
            help="links, create, publish, pause, resume, places, status, approve, screen-out, return, reject "
            "or group.",
        ),
    ],
    value: Annotated[
        str, typer.Argument(metavar="[VALUE]", help="A number of links or places, a person or a group.")
    ] = "",
    db: DbOption = "groundling.db",
    url: Annotated[
        str, typer.Option(help="The address of the server, as people reach it.", metavar="URL")
    ] = "",
    people: Annotated[
        Path | None, typer.Option(help="With links: a file with a name in each line.", metavar="FILE")
    ] = None,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="With links: write them here.")] = None,
    reason: Annotated[str, typer.Option(help="With reject: what the person is told.", metavar="TEXT")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print each request; send nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before publishing or paying.")] = False,
    every: Annotated[
        float, typer.Option(min=0, help="With status: ask again at this interval.", metavar="MINUTES")
    ] = 0.0,
) -> None:
    """Invite people by links, or through Prolific or Mechanical Turk.

    The service's own status decides: `status` reads it, and brings the study's log up to it."""
    from groundling.cli.study_recruit import RecruitOrder, recruit_for_study

    order = RecruitOrder(action, value, url, people, out, dry_run, yes, reason, every)
    recruit_for_study(folder, db, order)


@study_app.command("table")
def print_results(
    folder: FolderArgument,
    db: DbOption = "groundling.db",
    file_format: Annotated[
        str, typer.Option("--format", help="text, html or csv.", metavar="FORMAT")
    ] = "text",
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The file for html and csv.")] = None,
) -> None:
    """Print the results of a study as its game tabulates them, with published figures beside."""
    from groundling.cli.study_table import print_study_tables

    print_study_tables(folder, db, file_format, out)


@study_app.command("pay")
def pay_study(
    folder: FolderArgument,
    db: DbOption = "groundling.db",
    file_format: Annotated[
        str, typer.Option("--format", help="The file's format: csv, prolific or mturk.", metavar="NAME")
    ] = "csv",
    out: Annotated[
        Path | None, typer.Option("-o", "--out", help="Write what is to be paid into this file.")
    ] = None,
    prepare: Annotated[
        str, typer.Option(help="Put all that is to be paid into a batch of this name.", metavar="BATCH")
    ] = "",
    settle: Annotated[str, typer.Option(help="Record that a batch was paid.", metavar="BATCH")] = "",
    cancel: Annotated[str, typer.Option(help="Record that a batch was not paid.", metavar="BATCH")] = "",
    send: Annotated[
        str, typer.Option(help="Pay all bonuses as a batch, through the study's service.", metavar="BATCH")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --send: print each request; send nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --send: do not ask first.")] = False,
) -> None:
    """Print what people are owed and what an hour gave them, and write files for recruiting services.

    What is in a batch is in no other file, so that nobody is paid twice."""
    from groundling.cli.study_pay import PayOrder, pay_study_folder
    from groundling.cli.study_send import send_bonuses

    if send:
        if prepare or settle or cancel:
            raise typer.BadParameter("--send does all steps: give it alone")
        send_bonuses(folder, db, send, dry_run, yes)
    pay_study_folder(folder, db, PayOrder(file_format, out, prepare, settle, cancel))


@study_app.command("export")
def export_study(
    folder: FolderArgument,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="The folder to write into.")] = None,
    db: DbOption = "groundling.db",
    form: Annotated[
        str,
        typer.Option(
            "--format", help="tables, or published: the format of the game's published data.", metavar="NAME"
        ),
    ] = "tables",
    exact_times: Annotated[
        bool, typer.Option("--exact-times", help="Write times; without it only days and durations.")
    ] = False,
    scrub: Annotated[
        bool, typer.Option("--scrub", help="Mark e-mail addresses, phone numbers and long numbers.")
    ] = False,
    review: Annotated[
        Path | None, typer.Option(help="Only write all texts, with what --scrub does, to be read.")
    ] = None,
    reviewed: Annotated[
        Path | None, typer.Option(help="The file of --review, with the texts to be written.")
    ] = None,
    person: Annotated[
        str, typer.Option(help="Only write what is stored of this person.", metavar="CODE")
    ] = "",
    data: Annotated[
        Path | None,
        typer.Option(help="With --format published: the data that was annotated.", metavar="PATH"),
    ] = None,
) -> None:
    """Write a study's tables, with a codebook and a flow diagram, and its games as runs.

    With --format published, write what was collected as data that `groundling data` reads. Where people
    annotated published data, name it with --data: it is written with their labels and corrections."""
    from groundling.cli.study_export import ExportOrder, export_study_folder

    order = ExportOrder(out, form, exact_times, scrub, review, reviewed, person, data)
    export_study_folder(folder, db, order)


@study_app.command("erase")
def erase_person(
    folder: FolderArgument,
    person: Annotated[
        str, typer.Argument(metavar="[PERSON]", help="The person's code, or a service's id of them.")
    ] = "",
    expired: Annotated[
        bool, typer.Option("--expired", help="Delete what is kept longer than [privacy] says.")
    ] = False,
    db: DbOption = "groundling.db",
) -> None:
    """Delete a person's ids, answers, messages and part in games, also while a server runs.

    Pay stays under the code. Prints what may remain elsewhere."""
    from groundling.cli.study_privacy import erase_in_study

    erase_in_study(folder, db, person, expired)


@study_app.command("pause")
def pause_recruiting(folder: FolderArgument, db: DbOption = "groundling.db") -> None:
    """Take no new people. Those who take part go on."""
    _decide(folder, db, "pause")


@study_app.command("resume")
def resume_recruiting(folder: FolderArgument, db: DbOption = "groundling.db") -> None:
    """Take new people again."""
    _decide(folder, db, "resume")


@study_app.command("places")
def add_places(
    folder: FolderArgument,
    number: Annotated[int, typer.Argument(metavar="N", help="Places to add.")],
    db: DbOption = "groundling.db",
) -> None:
    """Let more people take part."""
    _decide(folder, db, "places", number=number)


@study_app.command("message")
def send_message(
    folder: FolderArgument,
    person: Annotated[
        str, typer.Argument(metavar="[PERSON]", help="The person's code; default: all who take part now.")
    ] = "",
    text: Annotated[str, typer.Option(help="What they read on their page.", metavar="TEXT")] = "",
    db: DbOption = "groundling.db",
) -> None:
    """Show a text to a person, or to all who take part now."""
    _decide(folder, db, "message", person=person, text=text)


@study_app.command("qualify")
def qualify_person(
    folder: FolderArgument, person: PersonArgument, group: GroupArgument, db: DbOption = "groundling.db"
) -> None:
    """Take a person into a group."""
    _decide(folder, db, "qualify", person=person, group=group)


@study_app.command("refuse")
def refuse_person(
    folder: FolderArgument, person: PersonArgument, group: GroupArgument, db: DbOption = "groundling.db"
) -> None:
    """Do not take a person into a group."""
    _decide(folder, db, "refuse", person=person, group=group)


@study_app.command("choose")
def choose_group(folder: FolderArgument, group: GroupArgument, db: DbOption = "groundling.db") -> None:
    """Fill a group that people enter by rank with the best candidates so far."""
    _decide(folder, db, "choose", group=group)


@study_app.command("exclude")
def exclude_person(
    folder: FolderArgument,
    person: PersonArgument,
    reason: Annotated[str, typer.Option(help="Why; it is kept in the log.", metavar="TEXT")] = "",
    db: DbOption = "groundling.db",
) -> None:
    """End a person's participation. Their answers no longer count."""
    _decide(folder, db, "exclude", person=person, reason=reason)


@study_app.command("release")
def release_person(folder: FolderArgument, person: PersonArgument, db: DbOption = "groundling.db") -> None:
    """End a person's open task, or their wait for a partner. They get the next task."""
    _decide(folder, db, "release", person=person)


def _decide(folder: Path, db: str, what: str, **fields: object) -> None:
    from groundling.cli.study_people import decide_in_study

    decide_in_study(folder, db, what, **fields)
