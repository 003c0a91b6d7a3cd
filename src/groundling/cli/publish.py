"""`groundling data publish` and `groundling archive`, and what `groundling verify` prints on archives."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from groundling.cli.study_review import read_review, write_review
from groundling.core.values import Problem, missing_extra
from groundling.files import write_output, write_whole_file
from groundling.publish.dataset_record import make_template
from groundling.publish.folder import check_free, publish_material
from groundling.publish.material import each_instance, gather_material
from groundling.report.text_table import count_noun, print_text
from groundling.studies.study_texts import scrub_text


def publish_runs(
    names: Sequence[str], out: Path | None, about: Path, review: Path | None, reviewed: Path | None, game: str
) -> None:
    if review:
        print(write_review(review, gather_material(names, game).list_texts(), scrub_text))
        return
    if out is None:
        raise Problem("there is no folder to write into: give one with -o")
    check_free(out)
    material = gather_material(names, game)
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


def archive_runs(names: Sequence[str], out: Path, game: str) -> None:
    try:
        from groundling.publish.archive import archive_files, write_archive_bytes
    except ImportError:
        raise missing_extra("score") from None
    files = archive_files(names, game)
    content = write_archive_bytes(files)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_output(out, content)
    print(f"{out}: {count_noun(len(files), 'file')}, {len(content) / 1e6:.1f} MB")
    print(f"SHA-256 {sha256(content).hexdigest()}")
    print_text("it holds the logs as they are: data publish makes what is given to others", "  ")


def verify_archives(names: Sequence[str], game: str) -> bool:
    """Print what is off in archives; return whether nothing is."""
    from groundling.publish.archive import verify_archive

    problems = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            for checked in verify_archive(Path(name), Path(folder), game):
                for line in (*map(str, checked.findings), str(checked)):
                    print_text(line.replace(f"{folder}/", f"{name}/"), "  ")
                problems += len(checked.findings)
        told = "the scores follow from the logs" if not problems else count_noun(problems, "problem")
        print_text(f"{name}: SHA-256 {sha256(Path(name).read_bytes()).hexdigest()}; {told}", "  ")
    return not problems
