"""Episodes of runs as items to annotate: what was said step by step, whole episodes, or the images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeAlias, get_args

from groundling.core.annotation_item import AnnotationItem, ItemPicture
from groundling.core.events import SCORED, Moved, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load
from groundling.core.replay import EpisodeReplay, replay_events
from groundling.core.values import Role, Say

ItemUnit: TypeAlias = Literal["step", "episode", "image"]
UNITS: tuple[ItemUnit, ...] = get_args(ItemUnit)


def list_run_items(
    pack: Pack, game: AnyGame, transcripts: Iterable[Transcript], unit: ItemUnit
) -> Iterator[AnnotationItem]:
    """Items whose ids are those of instances, and of steps ID-STEP. They do not tell who played."""
    make: Callable[[Pack, AnyGame, Transcript], Iterable[AnnotationItem]]
    make = {"step": _step_items, "episode": _episode_items, "image": _image_items}[unit]
    for transcript in transcripts:
        if transcript.status in SCORED:
            yield from make(pack, game, transcript)


def _said(event: object, role: Role = "") -> list[str]:
    """What a seat, or any seat, says in an event."""
    if not isinstance(event, Moved) or event.role != (role or event.role):
        return []
    return [move.text for move in event.moves if isinstance(move, Say)]


def _step_items(pack: Pack, game: AnyGame, transcript: Transcript) -> Iterator[AnnotationItem]:
    """What the speaker said, with what the other seat saw before it and before the next step."""
    draw, instance = load(pack.draw), transcript.opened.instance
    other = next((role for role in reversed(game.seats(instance)) if role != pack.speaker), pack.speaker)
    steps: list[tuple[str, Any]] = []
    view: Any = None
    for event, sitting in replay_events(game, transcript):
        steps += [(text, view) for text in _said(event, pack.speaker)]
        view = sitting.view(other)
    views = [*(before for _, before in steps[1:]), view]
    for number, ((text, before), after) in enumerate(zip(steps, views, strict=True), 1):
        yield AnnotationItem(
            id=f"{instance.id}-{number}",
            text=text,
            before=tuple(said for said, _ in steps[: number - 1]),
            pictures=(
                ItemPicture(title="Before", svg=draw(before).picture),
                ItemPicture(title="After", svg=draw(after).picture),
            ),
            cluster=load(pack.cluster)(instance),
        )


def _episode_items(pack: Pack, game: AnyGame, transcript: Transcript) -> Iterator[AnnotationItem]:
    """All that was said, with the judge's picture of the end, or what each seat saw then."""
    instance, said = transcript.opened.instance, list[str]()
    sitting: EpisodeReplay | None = None
    for event, sitting in replay_events(game, transcript):  # noqa: B007 - the last one is needed
        said += _said(event)
    assert sitting is not None
    if pack.report.judge:
        pictures = [("", load(pack.report.judge)(game, sitting.state).picture)]
    else:
        pictures = [(role, load(pack.draw)(sitting.view(role)).picture) for role in game.seats(instance)]
    yield AnnotationItem(
        id=instance.id,
        text="\n".join(said),
        pictures=tuple(ItemPicture(title=title, svg=svg) for title, svg in pictures),
        cluster=load(pack.cluster)(instance),
    )


def _image_items(pack: Pack, game: AnyGame, transcript: Transcript) -> Iterator[AnnotationItem]:
    """The instance as the gallery shows it, or as the first seat sees it."""
    instance, gallery = transcript.opened.instance, pack.live.gallery
    if gallery is not None and gallery.picture is not None:
        svg = load(gallery.picture)(instance)
    else:
        svg = load(pack.draw)(game.view(game.start(instance), game.seats(instance)[0])).picture
    yield AnnotationItem(
        id=instance.id, pictures=(ItemPicture(svg=svg),), cluster=load(pack.cluster)(instance)
    )
