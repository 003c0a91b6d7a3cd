"""The laws about what is hidden from a seat: what `hide` must change, and what no view may give away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from groundling.core.evidence import Evidence, evidence_bytes, is_same_evidence
from groundling.core.pack import DERIVED
from groundling.core.trials import trial_text_variants
from groundling.core.values import Instance, Role


def check_hiding_law(e: Evidence) -> Iterator[str]:
    """`hide` changes the instance for every seat that has a secret; a seat without one is shown all that
    others are."""
    pool, seated, secret, several = [], set(), set(), False
    for instance in e.instances:
        seats = e.game.seats(instance)
        seated |= set(seats)
        several |= len(seats) > 1
        pool.append(instance)
        for role in seats:
            other = e.hidden_instance(instance, role)
            if isinstance(other, type(instance)):
                secret.add(role)
                pool.append(other)
                if evidence_bytes(other) == evidence_bytes(instance):
                    yield f"{instance.id}: hide changes nothing for {role}"
            elif other is not None:
                kinds = type(other).__name__, type(instance).__name__
                yield f"{instance.id}: hide gives a {kinds[0]} for {role}, not a {kinds[1]}"
    if several and e.pack.hide == f"{DERIVED}:hide":
        yield "the pack has no hide: add hide(instance, role, rng), which changes what the role must not know"
    elif several and not secret:
        yield f"hide gives None for all of {', '.join(sorted(seated))}: then there is nothing to talk about"
    for role in sorted(seated - secret):
        yield from _check_unhidden(e, role, pool)


def check_secrecy_law(e: Evidence) -> Iterator[str]:
    """A seat's views, and the complaints it gets, are the same whatever is hidden from it, up to its last
    turn."""
    for episode in e.episodes:
        instance, moves = episode.opened.instance, list(episode.transcript.event_moves())
        for role in e.game.seats(instance):
            other = e.hidden_instance(instance, role)
            if other is None:
                continue
            last = max(
                (number for number, (who, _) in enumerate(moves) if who == role), default=len(moves) - 1
            )
            both = zip(
                e.replay_states(instance, moves[:last]), e.replay_states(other, moves[:last]), strict=False
            )
            for number, (here, there) in enumerate(both):
                views = e.game.view(here, role), e.game.view(there, role)
                if not is_same_evidence(*views):
                    leak = _describe_difference(*views)
                    yield f"{episode.label}: after {number} moves {role}'s view gives away {leak}"
                    break
                if e.game.turn(here) == e.game.turn(there) == role:
                    texts = trial_text_variants(e.try_write(moves[number][1:]))
                    apart = [
                        text
                        for text in texts
                        if e.try_say(here, role, text)[1] != e.try_say(there, role, text)[1]
                    ]
                    if apart:
                        heard = f"what {role} hears to {apart[0]!r}"
                        yield f"{episode.label}: after {number} moves {heard} gives the hidden away"
                        break


def _check_unhidden(e: Evidence, role: Role, pool: list[Instance]) -> Iterator[str]:
    """Find two instances that look alike to this seat, for which nothing is hidden, but not to another."""
    seen: dict[bytes, tuple[str, bytes]] = {}
    for instance in pool:
        seats, state = e.game.seats(instance), e.game.start(instance)
        if role in seats:
            own = evidence_bytes((seats, e.game.view(state, role)))
            everyones = evidence_bytes([e.game.view(state, seat) for seat in seats])
            where, before = seen.setdefault(own, (instance.id, everyones))
            if before != everyones:
                apart = f"{where} from {instance.id}"
                yield f"hide gives None for {role}, who cannot tell {apart}, though another seat can"
                return


def _describe_difference(one: Any, other: Any) -> str:
    fields = [
        name
        for name in getattr(one, "__struct_fields__", ())
        if getattr(one, name) != getattr(other, name, None)
    ]
    return f"in {', '.join(fields)}: {one!r} or {other!r}"
