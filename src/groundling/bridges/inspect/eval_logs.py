"""Reads Inspect's logs of our tasks as runs, and exports runs as logs."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from groundling.core.events import Transcript
from groundling.core.values import Problem
from groundling.runs.stored_run import Run


class EvalRun(Run, frozen=True):
    """A run in an `.eval` file."""

    @property
    def scores_path(self) -> Path:
        return self.path.with_suffix(".scores.parquet")

    def read_about(self) -> Mapping[str, Any]:
        return _read_header(self.path)

    def read_transcripts(self) -> Iterator[Transcript]:
        from inspect_ai.log import read_eval_log_samples

        from groundling.bridges.inspect.sample_store import stopped_transcript, stored_transcript

        game = self.make_game()
        for sample in read_eval_log_samples(
            str(self.path), all_samples_required=False, resolve_attachments=True
        ):
            found = stored_transcript(sample.store, type(game))
            if found is not None:
                limit = sample.limit.type if sample.limit else ""
                error = sample.error.message if sample.error else ""
                yield stopped_transcript(found, game, limit=limit, error=error)


@cache
def _read_header(path: Path) -> dict[str, Any]:
    from inspect_ai.log import read_eval_log

    try:
        log = read_eval_log(str(path), header_only=True)
    except FileNotFoundError:
        raise Problem(f"{path} does not exist: give a log that inspect eval wrote") from None
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError) as trouble:
        why = " ".join(str(trouble).split())
        raise Problem(f"{path} cannot be read as a log of Inspect ({why}): copy the file again") from None
    about = log.eval.metadata or {}
    if "game" not in about or "settings" not in about:
        raise Problem(
            f"{path} is a log of {log.eval.task}, not of a game: "
            "give one that inspect eval groundling/GAME wrote"
        )
    roles = {
        role: model.model
        for role, model in (log.eval.model_roles or {}).items()
        if not isinstance(model, list)
    }
    epochs, dataset = log.eval.config.epochs or 1, log.eval.dataset
    planned = len(dataset.sample_ids) if dataset.sample_ids else dataset.samples or 0  # --limit takes some
    version = log.eval.packages.get("inspect_ai", "")
    return {
        "groundling": about.get("groundling"),
        "created": log.eval.created,
        "source": f"{dataset.name}, played by Inspect {version}".strip(),
        "episodes": planned * epochs,
        "plan": {
            "game": about["game"],
            "settings": about["settings"],
            "seats": {
                **roles,
                **dict.fromkeys(about.get("main_model", ()), log.eval.model),
                **about.get("seats", {}),
            },
            "repeat": epochs,
            "strata": about.get("strata", {}),
            "selection": "limit",
            **{
                key: log.eval.task_args[key]
                for key in ("strict", "retries", "seed")
                if log.eval.task_args.get(key) is not None
            },
        },
    }


def export_run(run: Run, path: Path) -> int:
    """Write a run as a log for `inspect view`, and return the number of episodes."""
    from groundling.bridges.inspect.eval_export import write_eval_file

    return write_eval_file(run, path)
