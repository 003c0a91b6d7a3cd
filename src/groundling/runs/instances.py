"""Making, reading and choosing instances; instance files hold one JSON object per line."""

from __future__ import annotations

import secrets
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct

from groundling.core.events import Transcript
from groundling.core.pack import Pack, choices_hint, command_name, load
from groundling.core.source import find_source, read_splits
from groundling.core.values import CANARY, Instance, Problem, Recipe
from groundling.runs.published_data import is_published, name_data, published_source

SECRET = ".secret"
"""The suffix of the file that keeps the private seed of a fresh set."""
DATA_ORIGIN = "data "
"""The prefix of the origin of instances that were imported from published data."""


def make_instances(pack: Pack, recipe: Recipe, *, origin: str = "") -> list[Instance]:
    """Make new instances and mark them with their origin."""
    if recipe.n < 1:
        raise Problem(f"n is {recipe.n}: make at least 1")
    made = load(pack.make)(recipe)
    return [
        msgspec.structs.replace(instance, origin=origin or f"seed {recipe.seed}", canary=CANARY)
        for instance in made
    ]


def make_fresh_instances(pack: Pack, recipe: Recipe) -> tuple[list[Instance], Recipe]:
    """Make instances from a private seed, whose hash they hold, and return them with the recipe."""
    private = msgspec.structs.replace(recipe, seed=secrets.randbits(128))
    return make_instances(pack, private, origin=f"sha256:{hash_instances_seed(private.seed)}"), private


def hash_instances_seed(seed: int) -> str:
    return sha256(str(seed).encode()).hexdigest()


def mark_data_instances(reader: str, instances: Sequence[Instance]) -> list[Instance]:
    """Write the reader of published data into the instances that do not say where they come from."""
    return [
        one if one.origin else msgspec.structs.replace(one, origin=f"{DATA_ORIGIN}{reader}")
        for one in instances
    ]


def encode_instances(instances: Sequence[Instance]) -> bytes:
    return b"".join(msgspec.json.encode(instance) + b"\n" for instance in instances)


def hash_instances(instances: Sequence[Instance]) -> str:
    return sha256(encode_instances(instances)).hexdigest()


def instances_seed_path(path: Path) -> Path:
    return path.with_name(path.name + SECRET)


def reveal_instances_seed(pack: Pack, path: Path) -> int:
    """Return the private seed of a fresh set after checking that it reproduces the same bytes."""
    published = path.read_bytes()
    if not instances_seed_path(path).exists():
        raise Problem(f"{path} has no private seed beside it: only a set made with --fresh can be revealed")
    try:
        recipe = msgspec.json.decode(instances_seed_path(path).read_bytes(), type=load(pack.recipe))
    except msgspec.MsgspecError as trouble:
        raise Problem(
            f"{instances_seed_path(path)} is not the recipe of a fresh set of {pack.name}: {trouble}"
        ) from None
    again = make_instances(pack, recipe, origin=f"sha256:{hash_instances_seed(recipe.seed)}")
    if encode_instances(again) != published:
        raise Problem(
            f"{path} did not come from the seed in {instances_seed_path(path)}: one of the two was changed"
        )
    return recipe.seed


def read_instances(pack: Pack, path: Path) -> list[Instance]:
    decoder = msgspec.json.Decoder(load(pack.game).Instance)
    instances: list[Instance] = []
    for number, line in enumerate(path.read_bytes().removeprefix(BOM_UTF8).splitlines(), 1):
        if line.strip():
            try:
                instances.append(decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
                raise Problem(
                    f"{path}:{number} is not an instance of {pack.name} ({trouble}): correct or remove it"
                ) from None
    if not instances:
        raise Problem(
            f"{path} holds no instances: make some with groundling make {command_name(pack)} -o {path}"
        )
    check_instance_ids(str(path), instances)
    return instances


class InstanceSelection(Struct, frozen=True):
    instances: list[Instance]
    source: str
    """A human-readable description of their origin."""
    data: str = ""
    """The name of the reader of published data."""
    recorded: Iterable[Transcript] = ()
    """Recorded games of these instances, and possibly of others."""


def choose_instances(
    pack: Pack, file: Path | None, data: Path | None, part: str, splits: Path | None
) -> InstanceSelection:
    """Choose what is played: a file of instances, published data or a part of it, or the built-in set. With a
    file of splits, `part` names one of them."""
    if file and data:
        raise Problem(f"both {file} and --data {data} are given: play one of them")
    if (part or splits) and not data:
        raise Problem(f"{part or splits} is about published data: add --data PATH")
    if file:
        return InstanceSelection(read_instances(pack, file), str(file))
    if data is None:
        return InstanceSelection(load(pack.builtin)(), "built in")
    wanted = _read_split_ids(splits, part) if splits else None
    if not data.exists():
        raise Problem(f"--data {data} does not exist: give the folder or file of the data")
    reader = published_source(pack) if is_published(data) else find_source(pack.name)
    found = reader.read_collections(data, "" if splits else part)
    instances = [
        instance for one in found for instance in one.instances if wanted is None or instance.id in wanted
    ]
    if not instances:
        raise Problem(
            f"{data} has none of the instances that {splits} puts into {part}: make the splits from this data"
        )
    source = f"{data}, {part or 'all parts'}" + (f" of {splits}" if splits else "")
    if is_published(data) and len({instance.id for instance in instances}) < len(instances):
        raise Problem(f"the parts of {data} have instances of the same ids: choose one with --split")
    recorded = chain.from_iterable(one.transcripts for one in found)
    return InstanceSelection(instances, source, name_data(reader, data), recorded)


def _read_split_ids(splits: Path, part: str) -> set[str]:
    found = read_splits(str(splits), splits.read_bytes())
    if part not in found:
        raise Problem(f"{splits} has no split {part!r}: {choices_hint(found)}")
    return set(found[part])


def check_instance_ids(where: str, instances: Sequence[Instance]) -> None:
    """Check that ids can name episodes and that set names can label rows of tables."""
    seen: set[str] = set()
    for instance in instances:
        if instance.id in seen:
            raise Problem(f"{where} has two instances with the id {instance.id!r}: rename one of them")
        if not instance.id.isprintable() or not instance.id or "#" in instance.id:
            raise Problem(
                f"{where} has an instance with id {instance.id!r}: "
                "an id is printable, not empty, and holds no '#', rename it"
            )
        if not instance.set.isprintable() or instance.set == "all":
            raise Problem(
                f"{where} has a set called {instance.set!r}: give it another, printable name than 'all'"
            )
        seen.add(instance.id)
