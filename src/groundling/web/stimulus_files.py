"""Read the operator's stimuli: files of instances, recorded data, runs, and what people made in rooms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from groundling.core.events import Transcript
from groundling.core.pack import Pack, command_name, installed_entry_points
from groundling.core.values import Instance, Problem
from groundling.progress import progress_bar
from groundling.runs.instances import check_instance_ids, choose_instances, read_instances
from groundling.runs.run import GROUP as RUN_READERS
from groundling.runs.run import open_run
from groundling.web.episode_library import choose_unused_name
from groundling.web.game_catalog import GameCatalog
from groundling.web.made_instances import list_made_instances
from groundling.web.stimuli import BUILT_IN, DRAWN, StimulusSet, nearest_names_hint
from groundling.web.store_url import is_store_url, open_archive_url, store_url_name


def open_stimuli(given: Sequence[str], catalog: GameCatalog) -> tuple[StimulusSet, ...]:
    """Open sets given as GAME=FILE, GAME=PATH@SPLIT, GAME=RUN or GAME=STORE, or raise Problem."""
    sets: list[StimulusSet] = []
    with progress_bar(shown=bool(given)) as bar:
        for text in given:
            bar.set_progress(
                f"reading {text.rpartition('@')[2] if is_store_url(text) else text}", len(sets), len(given)
            )
            sets.append(_open_set(text, catalog, sets))
    return tuple(sets)


def _open_set(text: str, catalog: GameCatalog, others: Sequence[StimulusSet]) -> StimulusSet:
    """Open a set and name it after its split, or after its file or folder."""
    game, where, part = split_stimuli_option(text, catalog)
    pack = catalog.served[game]
    taken = {BUILT_IN, DRAWN, *(other.name for other in others if other.game == game)}
    path = Path(store_url_name(where) if is_store_url(where) else where)
    name = choose_unused_name(part or path.resolve().name.partition(".")[0], taken)
    if is_store_url(where):
        return StimulusSet(game, name, _read_room_stimuli(pack, where))
    return StimulusSet(game, name, *_read_stimuli(pack, path, part))


def split_stimuli_option(text: str, catalog: GameCatalog) -> tuple[str, str, str]:
    """The game, the path or store, and the split that a value of --instances names. Raises Problem where the
    game is not played here, else where there is no such path."""
    game, mark, where = text.partition("=")
    if not mark or not where:
        raise Problem(f"--instances {text} is not GAME=PATH: write it as in --instances hexagons=FILE.jsonl")
    if game not in catalog.served:
        raise Problem(
            f"--instances {game}=…: {game!r} is not played here{nearest_names_hint(game, catalog.served)}"
        )
    if is_store_url(where) or Path(where).exists():
        return game, where, ""
    path, at, part = where.rpartition("@")
    if not at or not Path(path).exists():
        raise Problem(
            f"{path if at else where} does not exist: give a file of instances, PATH@SPLIT of data, or a run"
        )
    return game, path, part


def _read_room_stimuli(pack: Pack, url: str) -> Sequence[Instance]:
    """What people made in the rooms of a server, such as procedures in mode `align` of HEXAGONS."""
    if found := list_made_instances(pack, open_archive_url(url)):
        return found
    raise Problem(f"games of {pack.name} have made nothing in {store_url_name(url)}: give another source")


def _read_stimuli(pack: Pack, path: Path, part: str) -> tuple[Sequence[Instance], Mapping[str, Transcript]]:
    readers = installed_entry_points(RUN_READERS)
    if not part and ((path / "run.toml").exists() or path.suffix.removeprefix(".") in readers):
        return _read_run_stimuli(pack, path)
    if part or path.is_dir():
        found = choose_instances(pack, None, path, part, None).instances
        check_instance_ids(str(path), found)
        return found, {}
    try:
        return read_instances(pack, path), {}
    except Problem as trouble:
        raise Problem(f"{trouble}; recorded data is given as {path}@SPLIT") from None


def _read_run_stimuli(pack: Pack, path: Path) -> tuple[Sequence[Instance], Mapping[str, Transcript]]:
    """The instances of a run, with the first finished game of each."""
    run = open_run(path, command_name(pack))
    if (name := str(run.read_about()["plan"]["game"])) != pack.name:
        raise Problem(f"{path} is a run of {name}, not of {pack.name}: write --instances {name}={path}")
    found: dict[str, Instance] = {}
    recordings: dict[str, Transcript] = {}
    for transcript in run.read_transcripts():
        instance = transcript.opened.instance
        if found.setdefault(instance.id, instance) != instance:
            raise Problem(
                f"{path} has two instances with the id {instance.id!r}: name the file of one of them"
            )
        if transcript.status == "played":
            recordings.setdefault(instance.id, transcript)
    if not found:
        raise Problem(f"{path} has no episodes yet: play some first")
    return list(found.values()), recordings


def check_stimuli_hidden(
    stimuli: Iterable[str], runs: Iterable[str], data: Iterable[str], catalog: GameCatalog
) -> None:
    """Refuse stimuli from a path that everybody can browse."""
    shown = [("--run", "", path) for path in runs]
    shown += [("--data", game, path) for game, _, path in (text.partition("=") for text in data)]
    for text in stimuli:
        game, where, _ = split_stimuli_option(text, catalog)
        if is_store_url(where):
            continue
        here = Path(where).resolve()
        for option, of, shown_path in shown:
            place = Path(shown_path).resolve()
            if of in ("", game) and (here.is_relative_to(place) or place.is_relative_to(here)):
                raise Problem(
                    f"--instances {text} is played, and {option} {shown_path} shows it to everybody: "
                    "leave out one of them, or add --gallery if people may see what they play"
                )
