"""Scores of the director task: success, and the kind of mistake."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import msgspec

from groundling.boards.shelf import parse_shelf_cell
from groundling.core.events import Replied, Transcript
from groundling.core.pack import Measure, Scores
from groundling.core.values import Say
from groundling.games.director.cell_replies import cells_in_reply
from groundling.games.director.players.phrase_table import Who
from groundling.games.director.players.policies import POLICIES, policy_candidate_cells, policy_meaning
from groundling.games.director.players.request_reader import RequestMeaning, find_request_cells, read_request
from groundling.games.director.request import answers
from groundling.games.director.rules import (
    DIRECTOR,
    PARTICIPANT,
    DirectorGame,
    ParticipantView,
    Pick,
    Sample,
    State,
)
from groundling.scores.token_count import count_tokens

Mistake: TypeAlias = Literal[
    "hidden_distractor", "wrong_frame", "wrong_selection", "wrong_item", "empty_cell", "unreadable"
]
MISTAKES: dict[Mistake, str] = {
    "hidden_distractor": "picked something that fits the request and that the director cannot see",
    "wrong_frame": "picked the item meant if left and right were swapped",
    "wrong_selection": "picked something that fits but for the superlative",
    "wrong_item": "picked something that does not fit",
    "empty_cell": "picked a cell that is empty, or not there",
    "unreadable": "never named one cell",
}
assert tuple(MISTAKES) == get_args(Mistake)

MEASURES = (
    Measure("success", "1 if the cell was picked that was meant, else 0", 0, 1),
    *(Measure(name, f"1 if the participant {about}", 0, 1) for name, about in MISTAKES.items()),
    Measure("words", "words and punctuation marks that the director said, all turns", 0),
    Measure("questions", "how often the participant asked back", 0),
    Measure(
        "unique_director",
        "1 if the first request fits only the target among the items that the director sees",
        0,
        1,
    ),
    Measure("unique_participant", "1 if it fits only the target of all items, also hidden ones", 0, 1),
)


def score(game: DirectorGame, transcript: Transcript) -> Scores:
    sample: Sample = transcript.opened.instance
    numbers: dict[str, float | None] = dict.fromkeys((measure.name for measure in MEASURES), None)
    result, moves = transcript.result, transcript.event_moves()
    numbers["success"] = result.score if result else 0.0
    picked = next((move.cell for _, move in moves if isinstance(move, Pick)), None)
    said = [(role, move.text) for role, move in moves if isinstance(move, Say)]
    first = next((text for role, text in said if role == DIRECTOR), None)
    meaning = _parse_request(first, sample) if first is not None else None
    if game.settings.mode == "two-player":
        numbers["words"] = sum(count_tokens(text) for role, text in said if role == DIRECTOR)
        numbers["questions"] = sum(role == PARTICIPANT for role, _ in said)
        if meaning:
            for side, cells in (("director", sample.shelf.open), ("participant", sample.shelf.cells)):
                numbers[f"unique_{side}"] = float(
                    find_request_cells(meaning, sample.shelf, cells) == [sample.target]
                )
    numbers |= dict.fromkeys(MISTAKES, 0.0)
    if picked is not None and not numbers["success"]:
        numbers[_classify_mistake(game, sample, picked, meaning)] = 1.0
    elif picked is None and transcript.status == "aborted":
        numbers[_classify_missing_pick(transcript, sample)] = 1.0
    return Scores(
        numbers,
        facets=score_sample_facets(sample) | _pick_offset(game.right_cells(sample), picked),
        baselines=score_policy_baselines(game, sample),
    )


def _parse_request(text: str, sample: Sample) -> RequestMeaning | None:
    """Read what the director said; None where not all of it is understood."""
    meaning = read_request(text, sample.shelf, sample.terms)
    return None if meaning.unknown or meaning.is_empty else meaning


def _classify_mistake(
    game: DirectorGame, sample: Sample, picked: str, meaning: RequestMeaning | None
) -> Mistake:
    shelf = sample.shelf
    if picked not in shelf.items:
        return "empty_cell"
    if game.settings.mode == "two-player":
        if meaning is None:
            return "hidden_distractor" if picked in shelf.hidden else "wrong_item"
        straight = find_request_cells(meaning, shelf, shelf.cells)
        other: Who = "you" if meaning.who == "me" else "me"
        turned = frozenset(
            find_request_cells(meaning, shelf, shelf.open, who=other)
            + find_request_cells(meaning, shelf, shelf.cells, who=other)
        )
        turned = turned if meaning.is_sideways else frozenset()
        fits = picked in find_request_cells(meaning, shelf, shelf.cells, ways=False)
    else:
        request = sample.request
        straight = list(answers(shelf, request, "participant"))
        flipped = msgspec.structs.replace(
            request, frame=DIRECTOR if request.frame == PARTICIPANT else PARTICIPANT
        )
        turned = answers(shelf, flipped, "director") | answers(shelf, flipped, "participant")
        fits = request.tags <= shelf.items[picked].tags
    alone = game.settings.mode == "inventory"
    if picked in straight and picked in shelf.hidden and not alone:
        return "hidden_distractor"
    if picked in turned and not alone:
        return "wrong_frame"
    if fits:
        return "hidden_distractor" if picked in shelf.hidden and not alone else "wrong_selection"
    return "wrong_item"


def _classify_missing_pick(transcript: Transcript, sample: Sample) -> Mistake:
    """Classify a game without a pick: the participant's last reply named a cell off the shelf, or none."""
    last = [
        event.text for event in transcript.events if isinstance(event, Replied) and event.role == PARTICIPANT
    ][-1:]
    cells = {cell for text in last for _, _, cell in cells_in_reply(text)}
    return "empty_cell" if len(cells) == 1 and not cells & set(sample.shelf.cells) else "unreadable"


def score_sample_facets(sample: Sample) -> dict[str, str]:
    """The facets by which scores can be broken down."""
    shelf, request = sample.shelf, sample.request
    everything = answers(shelf, request, "participant")
    rivalry = "wins" if sample.target not in everything else "ties" if len(everything) > 1 else "none"
    fitting = sum(request.tags <= item.tags for item in shelf.items.values())
    return {
        "kind": sample.kind,
        "rule": sample.rule,
        "physics": "physics" if sample.physics else "no physics",
        "frame": request.frame,
        "fill": f"{len(shelf.items) / (shelf.columns * shelf.rows):.2f}",
        "competitors": str(fitting - 1),
        "distractor": rivalry,
    }


def _pick_offset(right: frozenset[str], picked: str | None) -> dict[str, str]:
    """The offset of the pick from the nearest right cell: columns rightwards, rows downwards."""
    if picked is None:
        return {}
    across, down = parse_shelf_cell(picked)
    x, y = min(
        map(parse_shelf_cell, right), key=lambda place: (abs(across - place[0]) + abs(down - place[1]), place)
    )
    return {"dx": f"{across - x:+d}", "dy": f"{down - y:+d}"}


def score_policy_baselines(game: DirectorGame, sample: Sample) -> dict[str, float]:
    """The expected score of each policy on this sample. With a player as director there is none."""
    if game.settings.mode == "two-player":
        return {}
    view = game.view(game.start(sample), PARTICIPANT)
    assert isinstance(view, ParticipantView)
    meaning, right = policy_meaning(view), game.right_cells(sample)
    found = {}
    for name, policy in POLICIES.items():
        cells = policy_candidate_cells(policy, meaning, view)
        found[name] = sum(cell in right for cell in cells) / len(cells)
    return found


def top(instance: Sample) -> float:
    return 1.0


def chance(instance: Sample) -> float:
    """The chance of a random pick among the items that the director sees."""
    return 1 / len(instance.shelf.seen("director"))


def cluster(instance: Sample) -> str:
    """Twins and mirrors share a cluster: the same items except rivals, and the same request."""
    shelf = instance.shelf
    names = sorted(item.name for cell, item in shelf.items.items() if cell not in instance.rivals)
    return "|".join((f"{shelf.columns}x{shelf.rows}", ",".join(instance.request.tags), ",".join(names)))


def category(instance: Sample) -> str:
    return f"{instance.kind}, {instance.rule}"


def outcome(game: DirectorGame, state: State) -> tuple[str, str]:
    shelf = state.sample.shelf
    meant = ", ".join(f"{cell} {shelf.items[cell].name}" for cell in sorted(game.right_cells(state.sample)))
    picked = state.picked
    if picked is None:
        return meant, ""
    return meant, f"{picked} {shelf.items[picked].name}" if picked in shelf.items else f"{picked} (empty)"
