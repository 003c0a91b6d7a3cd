"""All that is needed to check a result in one tar file whose bytes depend on the runs only, and its check."""

from __future__ import annotations

import io
import tarfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from platform import python_version

import msgspec

from groundling import __version__
from groundling.core.code_files import FILE_SPEC
from groundling.core.values import Problem
from groundling.files import RUN_FILES
from groundling.publish.provenance import find_player_cards
from groundling.report.conversation import conversation_text
from groundling.report.html import render_html_report
from groundling.runs.run import open_run
from groundling.runs.scoring import score_run
from groundling.runs.stored_run import Run
from groundling.runs.verification import Finding, Verification
from groundling.runs.verify import find_runs, verify_run

MANIFEST, RUNS, SCORES = "MANIFEST.sha256", "runs", "scores"
PACKAGES = ("msgspec", "polars", "numpy", "scipy", "rapidfuzz", "torch", "inspect-ai", "xllamacpp")
SHOWN_EPISODES = 200
"""Episodes that the report can replay; all are in the log."""


def archive_files(names: Sequence[str], game: str = "") -> dict[str, bytes]:
    """Return the content of an archive by name."""
    runs = {Path(name).resolve().name: name for name in sorted(names, key=lambda name: Path(name).name)}
    if len(runs) < len(set(names)):
        raise Problem("two runs have folders of the same name: rename one of them")
    files: dict[str, bytes] = {}
    games: dict[str, list[str]] = {}
    for name, path in runs.items():
        run = open_run(path, game)
        for each in find_runs(Path(path), game):
            for finding in verify_run(each).findings:
                raise Problem(f"{finding}; only undamaged runs are archived")
        games.setdefault(run.find_pack().name, []).append(path)
        files |= {f"{RUNS}/{name}{place}": content for place, content in _run_files(run.path)}
        files |= dict(_score_files(name, run))
        files |= dict(_evidence_files(name, run))
    for played, paths in games.items():
        files[f"report-{played}.html"] = render_html_report(paths, SHOWN_EPISODES, game=game).encode()
    files["versions.json"] = msgspec.json.format(msgspec.json.encode(_find_versions()), indent=1)
    return files


def write_archive_bytes(files: dict[str, bytes]) -> bytes:
    """Return a tar file with a manifest: sorted, without times, owners or other traces of a machine."""
    lines = [f"{sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in [(MANIFEST, "".join(lines).encode()), *sorted(files.items())]:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def _run_files(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_file():
        yield "", path.read_bytes()
        return
    for file in sorted(path.rglob("*")):
        if file.name in RUN_FILES and file.is_file():
            yield f"/{file.relative_to(path).as_posix()}", file.read_bytes()


def _score_files(name: str, run: Run) -> Iterator[tuple[str, bytes]]:
    """Yield the scores of a run and its controls, computed from the logs."""
    for control, each in {"": run, **run.control_runs()}.items():
        table = score_run(each, control, lambda *_: None)
        title = f"{name}-{control}" if control else name
        yield f"{SCORES}/{title}.csv", b"" if table.is_empty() else table.drop("run").write_csv().encode()


def _evidence_files(name: str, run: Run) -> Iterator[tuple[str, bytes]]:
    """Yield what players were: prompts of language models, cards of weights, code that is not installed."""
    about, pack, rules = run.read_about(), run.find_pack(), run.make_game()
    for transcript in run.read_transcripts():
        with suppress(Problem):  # no language model replied in it
            yield f"prompts/{name}.txt", conversation_text(pack, rules, transcript).encode()
            break
    for role, card in find_player_cards(about).items():
        yield f"cards/{name}-{role}.json", card.read_bytes()
    for who, origin in about.get("origins", {}).items():
        found = FILE_SPEC.fullmatch(origin["code"])
        if found and (file := run.path / found["file"]).is_file():
            yield f"code/{name}-{who}.py", file.read_bytes()


def _find_versions() -> dict[str, str]:
    found = {"groundling": __version__, "python": python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def read_archive(path: Path) -> dict[str, bytes]:
    """Read an archive after checking it against its manifest. Raises Problem at the first difference."""
    try:
        with tarfile.open(path, "r:") as tar:
            files = dict(_read_members(path, tar))
    except (tarfile.TarError, EOFError) as trouble:
        raise Problem(f"{path} is not a whole archive ({trouble}): get it again") from None
    if MANIFEST not in files:
        raise Problem(f"{path} has no {MANIFEST}: it was not written by groundling archive")
    listed = {}
    for line in files.pop(MANIFEST).decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        listed[name] = digest
    for name in sorted(listed.keys() | files.keys()):
        if name not in files or name not in listed:
            what = "is missing" if name in listed else f"is not in {MANIFEST}"
            raise Problem(f"{path}: {name} {what}: the archive was changed")
        if sha256(files[name]).hexdigest() != listed[name]:
            raise Problem(f"{path}: {name} was changed: its SHA-256 is not the one in {MANIFEST}")
    return files


def _read_members(path: Path, tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tar:
        place = PurePosixPath(member.name)
        if not member.isfile() or place.is_absolute() or ".." in place.parts:
            raise Problem(f"{path} has {member.name!r}, which no archive has: do not trust it")
        content = tar.extractfile(member)
        assert content is not None
        yield member.name, content.read()


def _refuse_foreign_code(path: Path, files: dict[str, bytes]) -> None:
    """Raise Problem if a run would load its game from a file, which may be one of the archive's own."""
    for name, content in files.items():
        if name.endswith("/run.toml"):
            with suppress(tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError):  # reported later
                if code := tomllib.loads(content.decode()).get("origins", {}).get("game", {}).get("code"):
                    raise Problem(
                        f"{path}: {name.removesuffix('/run.toml')} was played with {code}, and no code of an "
                        "archive is run: read it under code/, then give the game with --game"
                    )


def verify_archive(path: Path, folder: Path, game: str = "") -> Iterator[Verification]:
    """Check the runs of an archive, unpacked into an empty folder, and compute their scores again. Code in
    the archive is not run: a game that is not installed is named by the user."""
    files = read_archive(path)
    if not game:
        _refuse_foreign_code(path, files)
    names = dict.fromkeys(PurePosixPath(name).parts[1] for name in files if name.startswith(f"{RUNS}/"))
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    for name in names:
        found = [verify_run(each) for each in find_runs(folder / RUNS / name, game)]
        yield from found
        if any(each.findings for each in found):
            continue
        for file, content in _score_files(name, open_run(folder / RUNS / name, game)):
            if files.get(file) != content:
                told = f"the scores computed from the log by groundling {__version__} are others"
                yield Verification(folder / file, [Finding(folder / file, told)])
