"""Writes a run as a log for `inspect view`, with the scores that our task would give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from inspect_ai import score
from inspect_ai.event import Event, InfoEvent, ModelEvent, SpanBeginEvent, SpanEndEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalError, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import GenerateConfig, ModelConfig, ModelOutput, ModelUsage

from groundling import __version__
from groundling.bridges.inspect.sample_store import TRANSCRIPT_KEY, event_to_json
from groundling.bridges.inspect.scoring import game_scores, scoring_metrics
from groundling.bridges.inspect.table_solver import solver_event_messages, solver_event_output
from groundling.bridges.inspect.task_builder import build_task_sample
from groundling.core.events import Failed, Moved, Refused, Replied, Transcript
from groundling.core.pack import Pack, command_name
from groundling.runs.stored_run import Run


def write_eval_file(run: Run, path: Path) -> int:
    log = _make_eval_log(run)
    pack = run.find_pack()
    scorer, metrics = game_scores(command_name(pack)), scoring_metrics(pack)
    scored = score(log, scorer, metrics=metrics, action="overwrite", display="none", copy=False)
    scored.eval.model_roles = _model_roles(run)  # not before scoring, which would load the models
    draft = path.with_name(f"{path.stem}.part.eval")
    try:
        write_eval_log(scored, str(draft))
        draft.replace(path)
    except OSError as trouble:
        trouble.filename = str(path)
        raise
    return len(log.samples or [])


def _make_eval_log(run: Run) -> EvalLog:
    about, pack = run.read_about(), run.find_pack()
    plan = about["plan"]
    strata = plan.get("strata", {})
    samples = [_make_eval_sample(pack, transcript, strata) for transcript in run.read_transcripts()]
    ids = list(dict.fromkeys(sample.id for sample in samples))
    seats: Mapping[str, str] = plan.get("seats", {})
    return EvalLog(
        status="success" if len(samples) == about["episodes"] else "error",
        eval=EvalSpec(
            created=_utc_text(about.get("created")),
            task=f"groundling/{pack.name}",
            task_version=__version__,
            dataset=EvalDataset(
                name=f"{pack.name} ({about.get('source')})", samples=len(ids), sample_ids=ids
            ),
            model="none/none",
            config=EvalConfig(epochs=max((sample.epoch for sample in samples), default=1)),
            packages={"groundling": __version__},
            metadata={
                "groundling": __version__,
                "game": pack.name,
                "settings": plan["settings"],
                "seats": dict(seats),
                "strata": strata,
            },
        ),
        samples=samples,
    )


def _model_roles(run: Run) -> dict[str, ModelConfig | list[ModelConfig]]:
    seats: Mapping[str, str] = run.read_about()["plan"].get("seats", {})
    ours = f"groundling/{run.find_pack().name}"
    return {
        role: ModelConfig(model=spec if "/" in spec else f"{ours}/{spec}") for role, spec in seats.items()
    }


def _make_eval_sample(
    pack: Pack, transcript: Transcript, strata: Mapping[str, Mapping[str, int]]
) -> EvalSample:
    opened, last = transcript.opened, transcript.events[-1]
    name, _, repeat = opened.episode.partition("#")
    shown = build_task_sample(pack, pack.new(opened.settings), opened.instance, strata)
    failed = (
        f"{last.role} could not answer ({last.boundary}): {last.message}" if isinstance(last, Failed) else ""
    )
    return EvalSample(
        id=name,
        epoch=int(repeat or 1),
        input=shown.input,
        target=shown.target,
        metadata=shown.metadata or {},
        messages=[message for event in transcript.events for message in solver_event_messages(event)],
        output=solver_event_output(last),
        store={TRANSCRIPT_KEY: [event_to_json(event) for event in transcript.events]},
        events=list(_inspect_events(transcript)),
        started_at=_utc_text(opened.at),
        completed_at=_utc_text(last.at),
        total_time=last.at - opened.at,
        error=EvalError(message=failed, traceback="", traceback_ansi="") if failed else None,
    )


def _inspect_events(transcript: Transcript) -> Iterator[Event]:
    """Yield each reply as an agent span with one model event."""
    seats = transcript.opened.seats
    for number, event in enumerate(transcript.events):
        if isinstance(event, Replied):
            span, at = f"{event.role}-{number}", datetime.fromtimestamp(event.at, UTC)
            asked = datetime.fromtimestamp(transcript.events[number - 1].at, UTC)
            output = ModelOutput.from_content(seats[event.role], event.text)
            output.usage = ModelUsage(
                **{key: n for key, n in event.usage.items() if key in ModelUsage.model_fields}
            )
            yield SpanBeginEvent(id=span, span_id=span, name=event.role, type="agent", timestamp=asked)
            yield ModelEvent(
                model=seats[event.role],
                role=event.role,
                input=[],
                tools=[],
                tool_choice="none",
                config=GenerateConfig(),
                output=output,
                span_id=span,
                timestamp=at,
            )
            yield SpanEndEvent(id=span, span_id=span, timestamp=at)
        elif isinstance(event, Refused | Moved):
            yield InfoEvent(
                source="groundling",
                data=event_to_json(event),
                timestamp=datetime.fromtimestamp(event.at, UTC),
            )


def _utc_text(at: object) -> str:
    when = (
        at
        if isinstance(at, datetime)
        else datetime.fromtimestamp(at if isinstance(at, int | float) else 0, UTC)
    )
    return at if isinstance(at, str) else when.isoformat()
