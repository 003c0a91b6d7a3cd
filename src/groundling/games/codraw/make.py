"""The generator of instances, each a scene with a palette, and the built-in set."""

from __future__ import annotations

from importlib.resources import files
from random import Random
from typing import Annotated

import msgspec
from msgspec import Meta

from groundling.core.values import CANARY, Recipe
from groundling.games.codraw.instance import CodrawInstance, choose_instance_palette
from groundling.games.codraw.scene_generation.generator import FEWEST, MOST, generate_scene

BUILTIN_SEED = 58
BUILTIN = 100


class SceneRecipe(Recipe, frozen=True, kw_only=True):
    n: Annotated[int, Meta(description="number of instances")] = BUILTIN
    pieces: Annotated[
        Annotated[int, Meta(ge=FEWEST, le=MOST)] | None,
        Meta(description=f"clip art pieces in a scene, {FEWEST} to {MOST}; default: as in people's scenes"),
    ] = None


def make(recipe: SceneRecipe) -> list[CodrawInstance]:
    """Generate distinct scenes."""
    rng = Random(recipe.seed)
    made: list[CodrawInstance] = []
    seen: set[str] = set()
    width = len(str(recipe.n))
    while len(made) < recipe.n:
        scene = generate_scene(rng, recipe.pieces)
        if scene.text() not in seen:
            seen.add(scene.text())
            name = f"made-{len(made) + 1:0{width}d}"
            made.append(
                CodrawInstance(
                    id=name, set="made", group=name, target=scene, palette=choose_instance_palette(scene, rng)
                )
            )
    return made


def make_codraw_builtin() -> list[CodrawInstance]:
    """Generate the content of builtin.jsonl."""
    parks = make(SceneRecipe(seed=BUILTIN_SEED, n=BUILTIN))
    return [msgspec.structs.replace(park, canary=CANARY, origin="built in") for park in parks]


def builtin() -> list[CodrawInstance]:
    return msgspec.json.Decoder(CodrawInstance).decode_lines(
        files(__package__).joinpath("builtin.jsonl").read_bytes()
    )
