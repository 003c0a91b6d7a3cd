"""The flow of people through a study, from arrival to analysis, as text and as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import escape

from msgspec import Struct

from groundling.studies.study_records import ParticipantState
from groundling.studies.study_state import StudyState

FLOW_STEPS = ("arrived", "consented", "assigned", "finished", "analysed")
WIDTH, BOX, EXITS, STEP, LINE = 440, 160, 210, 80, 16


class FlowStep(Struct, frozen=True):
    name: str
    people: int
    exits: dict[str, int]
    """Those who went no further, by reason."""


def count_flow(state: StudyState) -> list[FlowStep]:
    """Everybody is in all steps up to the last that they reached, and in one exit after it."""
    exits: dict[str, Counter[str]] = {step: Counter() for step in FLOW_STEPS}
    for person in state.people.values():
        step, reason = _last_step(state, person)
        exits[step][reason] += 1
    steps, left = [], len(state.people)
    for step in FLOW_STEPS:
        out = dict(exits[step].most_common()) if step != "analysed" else {}
        steps.append(FlowStep(step, left, out))
        left -= sum(out.values())
    return steps


def _last_step(state: StudyState, person: ParticipantState) -> tuple[str, str]:
    """The last step that a person reached, and why they went no further."""
    reason = "erased" if person.erased else person.outcome or "taking part"
    if not person.consented:
        return "arrived", reason
    tasks = [state.tasks[name] for name in state.tasks_of.get(person.person, ())]
    work = [task for task in tasks if state.study.is_work(state.stages[task.assigned.stage].stage)]
    if not work:
        return "consented", reason
    if person.outcome != "finished":
        return "assigned", reason
    if person.erased or not any(task.counted for task in work):
        return "finished", "erased" if person.erased else "no answer counts"
    return "analysed", ""


def flow_text(steps: list[FlowStep]) -> str:
    lines = []
    for step in steps:
        lines.append(f"{step.name:<12}{step.people:>7,}")
        lines += [f"{'':12}{'':7}  - {count:,} {reason}" for reason, count in step.exits.items()]
    return "\n".join(lines) + "\n"


def flow_svg(title: str, steps: list[FlowStep]) -> str:
    """A column of boxes, with the exits beside them."""
    body = "".join(_flow_rows(steps))
    height = sum(_row_height(step) for step in steps) + 20
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="13" fill="currentColor">'
        f"<title>{escape(title)}: flow of people</title>{body}</svg>\n"
    )


def _row_height(step: FlowStep) -> int:
    return max(STEP, 50 + LINE * len(step.exits))


def _flow_rows(steps: list[FlowStep]) -> Iterator[str]:
    top, style = 10, 'fill="none" stroke="currentColor"'
    for step in steps:
        middle, down = 10 + BOX // 2, top + _row_height(step)
        yield f'<rect x="10" y="{top}" width="{BOX}" height="40" {style}/>'
        yield f'<text x="{middle}" y="{top + 25}" text-anchor="middle">{step.name}: {step.people:,}</text>'
        if step is not steps[-1]:
            yield f'<path d="M{middle} {top + 40}V{down}" {style}/>'
        if step.exits:
            side, height = top + 20, LINE * len(step.exits) + 12
            yield f'<path d="M{10 + BOX} {side}H{EXITS}" {style}/>'
            size = f'width="{WIDTH - EXITS - 10}" height="{max(40, height)}"'
            yield f'<rect x="{EXITS}" y="{top}" {size} {style}/>'
            for number, (reason, count) in enumerate(step.exits.items(), 1):
                place = f'x="{EXITS + 12}" y="{top + 4 + LINE * number}"'
                yield f"<text {place}>{count:,} {escape(reason)}</text>"
        top = down
