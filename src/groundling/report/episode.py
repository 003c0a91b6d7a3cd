"""One episode as text or pictures: what each seat saw and said, and the result."""

from __future__ import annotations

from collections.abc import Iterator

from groundling.boards.picture import replace_unprintable
from groundling.core.events import LIMIT, Closed, Failed, Moved, Opened, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, load
from groundling.core.replay import replay_events


def episode_text(pack: Pack, game: AnyGame, transcript: Transcript) -> str:
    """Format all events of an episode. A seat's view is printed when it is asked, unless it is unchanged."""
    return "\n".join(_episode_lines(pack, game, transcript)) + "\n"


def _episode_lines(pack: Pack, game: AnyGame, transcript: Transcript) -> Iterator[str]:
    draw = load(pack.draw)
    asked: dict[str, str] = {}

    def view_lines(role: str, view: object) -> Iterator[str]:
        text = draw(view).text
        if asked.get(role) != text:
            asked[role] = text
            yield f"\n[{role} sees]\n{text}"

    before = None
    for event, replay in replay_events(game, transcript):
        if isinstance(event, Opened):
            seats = ", ".join(f"{role}={name}" for role, name in event.seats.items())
            place = f" of set {event.instance.set}" if event.instance.set else ""
            yield f"{event.game} {event.episode}{place}: {seats}"
        elif isinstance(event, Replied):
            yield from view_lines(event.role, replay.view(event.role))
            yield f"\n[{event.role} replies] {replace_unprintable(event.text)}"
        elif isinstance(event, Moved):
            if isinstance(before, Replied):
                yield from _reading_lines(before)
            else:
                yield f"\n[{event.role} moves] {replace_unprintable(game.write(event.moves))}"
        elif isinstance(event, Refused):
            yield f"[refused] {event.complaint}"
        elif isinstance(event, Failed):
            yield f"\n[{event.role} failed: {event.boundary}] {event.message}"
        elif isinstance(event, Closed):
            result = event.result
            reason = event.reason.removeprefix(LIMIT)
            yield f"\n[{reason}] score {result.score:g}" if result else f"\n[{transcript.status}: {reason}]"
        before = event
    if transcript.status == "played":
        top = load(pack.top)(transcript.opened.instance)
        yield f"top score of this instance: {top:g}"


def _reading_lines(reply: Replied) -> Iterator[str]:
    """Say how a reply that was played was read."""
    if reply.strict is not None:
        yield f"  (taken, though strictly: {reply.strict})"
    for piece in reply.dropped:
        yield f"  (left out: {replace_unprintable(piece)})"


def episode_pictures(pack: Pack, game: AnyGame, transcript: Transcript) -> dict[str, str]:
    """Return the pictures of an episode by file name."""
    return {f"{name}.svg": svg for name, svg in episode_step_pictures(pack, game, transcript)}


def episode_step_pictures(pack: Pack, game: AnyGame, transcript: Transcript) -> Iterator[tuple[str, str]]:
    """Yield what each seat saw when it replied, and a judge's drawing, if any: names that sort, and SVGs."""
    draw = load(pack.draw)
    for number, (event, replay) in enumerate(replay_events(game, transcript)):
        if isinstance(event, Replied | Closed):
            roles = [event.role] if isinstance(event, Replied) else game.seats(transcript.opened.instance)
            for role in roles:
                yield f"{number:03d}-{role}", draw(replay.view(role)).picture
        if pack.report.judge and isinstance(event, Moved | Closed):
            yield f"{number:03d}-judge", load(pack.report.judge)(game, replay.state).picture
