"""Instance files: one instance a line, each complete in itself, so that they can be cut and joined with any tool."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from ..core.pack import Pack, load
from ..core.values import CANARY, Instance, Problem, Recipe

SECRET = ".secret"
"""The ending of the file that keeps a fresh set's private seed."""


def make_instances(pack: Pack, recipe: Recipe, *, origin: str = "") -> list[Instance]:
    """New instances, marked with where they come from."""
    if recipe.n < 1:
        raise Problem(f"n is {recipe.n}: make at least 1")
    made = load(pack.make)(recipe)
    return [msgspec.structs.replace(instance, origin=origin or f"seed {recipe.seed}", canary=CANARY) for instance in made]


def make_fresh(pack: Pack, recipe: Recipe) -> tuple[list[Instance], Recipe]:
    """Instances from a seed that nobody has seen. They carry only its hash; the recipe with the seed is to be kept."""
    private = msgspec.structs.replace(recipe, seed=secrets.randbits(128))
    return make_instances(pack, private, origin=f"sha256:{seed_hash(private.seed)}"), private


def seed_hash(seed: int) -> str:
    return sha256(str(seed).encode()).hexdigest()


def encode_instances(instances: Sequence[Instance]) -> bytes:
    return b"".join(msgspec.json.encode(instance) + b"\n" for instance in instances)


def secret_path(path: Path) -> Path:
    return path.with_name(path.name + SECRET)


def reveal(pack: Pack, path: Path) -> int:
    """The seed of a fresh set, once it is proved to be the one: the same bytes come out of it again."""
    try:
        recipe = msgspec.json.decode(secret_path(path).read_bytes(), type=load(pack.recipe))
    except msgspec.MsgspecError as trouble:
        raise Problem(f"{secret_path(path)} is not the recipe of a fresh set of {pack.name}: {trouble}") from None
    again = make_instances(pack, recipe, origin=f"sha256:{seed_hash(recipe.seed)}")
    if encode_instances(again) != path.read_bytes():
        raise Problem(f"{path} did not come from the seed in {secret_path(path)}: one of the two was changed")
    return recipe.seed


def read_instances(pack: Pack, path: Path) -> list[Instance]:
    decoder = msgspec.json.Decoder(load(pack.game).Instance)
    instances: list[Instance] = []
    seen: set[str] = set()
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            instance = decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as trouble:
            raise Problem(f"{path}:{number} is not an instance of {pack.name} ({trouble}): mend or remove the line") from None
        if instance.id in seen or "#" in instance.id:
            raise Problem(f"{path}:{number} has id {instance.id!r}: ids are unique and hold no '#', rename it")
        seen.add(instance.id)
        instances.append(instance)
    if not instances:
        raise Problem(f"{path} holds no instances: make some with groundling make {pack.name} -o {path}")
    return instances
