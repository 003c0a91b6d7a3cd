"""`groundling data publish` and `groundling archive`."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from groundling.cli.options import GameOption
from groundling.cli.study_review import read_review, write_review
from groundling.core.values import Problem
from groundling.files import write_output, write_whole_file
from groundling.publish.dataset_record import make_template
from groundling.publish.folder import check_free, publish_material
from groundling.publish.material import each_instance, gather_material
from groundling.report.text_table import count_noun, print_text
from groundling.studies.study_texts import scrub_text


def publish_command(
    runs: Annotated[
        list[str],
        Argument(metavar="RUN...", help="Runs, exports of studies, or files of instances with --game."),
    ],
    out: Annotated[Path | None, Option("-o", "--out", help="The folder to write.")] = None,
    about: Annotated[
        Path, Option(help="The record of what the data set is; a template is written where it is missing.")
    ] = Path("dataset.toml"),
    review: Annotated[
        Path | None, Option(help="Write the texts of people into this file, to be read first.")
    ] = None,
    reviewed: Annotated[Path | None, Option(help="The file with the texts that were read.")] = None,
    game: Annotated[
        str, Option(metavar="GAME", help="The game of the runs: NAME, FILE.py or PACKAGE:PACK.")
    ] = "",
) -> None:
    """Write runs, studies or instances as a data set to give to others.

    Parquet by split, a card for Hugging Face, Croissant, Psych-DS, CITATION.cff and .zenodo.json are made
    from one record."""
    if review:
        print(write_review(review, gather_material(runs, game).list_texts(), scrub_text))
        return
    if out is None:
        raise Problem("there is no folder to write into: give one with -o")
    check_free(out)
    material = gather_material(runs, game)
    if not about.exists():
        sets = sorted({instance.set for _, instance, _ in each_instance(material)})
        write_whole_file(about, make_template(material.has_people, bool(material.labels), sets).encode())
        raise Problem(f"{about} was missing, so a template was written: fill it in, then repeat the command")
    texts = list(material.list_texts())
    if texts and not reviewed:
        raise Problem(
            f"nobody has read the {count_noun(len({text.id for text in texts}), 'text')} of people that "
            "would be published: write them into a file with --review FILE, read it, and give --reviewed FILE"
        )
    material.replace_texts(read_review(reviewed, texts) if reviewed else {})
    read = sorted({text.id for text in material.list_texts()})
    digest = sha256("\n".join(read).encode()).hexdigest() if read else ""
    written = publish_material(material, about, out, digest)
    for (table, split), count in written.counts.items():
        print(f"{out}: {table}, {split}: {count_noun(count, 'row')}")
    if written.left_out:
        print(f"left out: {count_noun(written.left_out, 'episode')} not played to the end")
    if written.erased:
        print(f"left out: {count_noun(written.erased, 'game')} of people who were erased")
    print_text(f"{out}: SHA-256 of its checksums {written.digest}", "  ")


def archive_command(
    runs: Annotated[list[str], Argument(help="Runs.", metavar="RUN...")],
    out: Annotated[Path, Option("-o", "--out", help="The file to write.")] = Path("archive.tar"),
    game: GameOption = "",
) -> None:
    """Write all that is needed to check a result into one file.

    The plan, log, scores, versions, prompts, cards of weights and the report; groundling verify reads it."""
    from groundling.publish.archive import archive_files, write_archive_bytes

    files = archive_files(runs, game)
    content = write_archive_bytes(files)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_output(out, content)
    print(f"{out}: {count_noun(len(files), 'file')}, {len(content) / 1e6:.1f} MB")
    print(f"SHA-256 {sha256(content).hexdigest()}")
    print_text("it holds the logs as they are: data publish makes what is given to others", "  ")
