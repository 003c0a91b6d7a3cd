"""The independent check of a sample: read the printed English, look from both sides, and compare. It uses
nothing of the generator."""

from __future__ import annotations

from groundling.games.director.players.request_reader import find_request_cells, read_request
from groundling.games.director.rules import Sample


def verdict(sample: Sample, distractor: str = "strict") -> str | None:
    """What is wrong with a sample, if anything."""
    shelf = sample.shelf
    meaning = read_request(sample.words, shelf, sample.terms)
    if meaning.unknown or meaning.names:
        return f"not understood: {meaning.unknown + meaning.names}"
    seen, everything = (
        find_request_cells(meaning, shelf, shelf.open),
        find_request_cells(meaning, shelf, shelf.cells),
    )
    if seen != [sample.target]:
        return "ambiguous" if len(seen) > 1 else "wrong"
    if (everything != seen) != (sample.kind == "test"):
        return f"no {sample.kind}"
    if (
        sample.kind == "test"
        and distractor != "any"
        and (sample.target in everything) != (distractor == "tie")
    ):
        return f"not {distractor}"
    if not set(sample.rivals) <= shelf.hidden or (
        sample.kind == "test" and not set(everything) & set(sample.rivals)
    ):
        return "the rivals are others"
    alone = read_request(sample.plain, shelf, sample.terms)
    return (
        None
        if find_request_cells(alone, shelf, shelf.cells) == everything and alone.who is None
        else "other words alone"
    )
