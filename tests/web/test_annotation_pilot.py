"""Bots with known confusion rates annotate, over a server and in many simulations, and statistics find the
rates."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from groundling.cli import main
from groundling.core.annotation_item import AnnotationItem
from groundling.scores.agreement import alpha
from groundling.scores.dawid_skene import dawid_skene
from groundling.scores.label_file import parse_label_file
from groundling.studies.annotation_bots import confuse_values, true_values
from groundling.studies.annotation_schema import AnnotationField
from groundling.studies.pilot import BotHabits
from groundling.studies.study_checks import read_usable_study
from groundling.web.studies.server_pilot import pilot_on_server

pytestmark = pytest.mark.slow
LEVEL = AnnotationField(name="level", kind="ordered", labels=("0", "1", "2", "3"))
RATE = 0.15
STUDY = """
title = "Levels"
contact = "a@example.org"
consent = "consent.md"
[pay]
floor = 0
[stimuli.items]
table = "items.csv"
[[stages]]
name = "levels"
items = "items"
answers = 3
most = 20
minutes = 60
[stages.task]
kind = "annotate"
in_a_row = 20
fields = [{ name = "level", kind = "ordered", labels = ["0", "1", "2", "3"] }]
[[stages]]
name = "settle"
items = "levels"
never = ["author"]
most = 20
minutes = 60
task = { kind = "annotate", adjudicate = true, in_a_row = 20 }
"""


def annotate(items: list[AnnotationItem], random: Random, annotators: int) -> list[list[Any]]:
    """What bots say about items, as whole numbers."""
    return [
        [int(confuse_values((LEVEL,), item, random, RATE)["level"]) for _ in range(annotators)]
        for item in items
    ]


def new_items(name: str, count: int) -> list[AnnotationItem]:
    return [AnnotationItem(id=f"{name}/{number}", text=f"Text {number}") for number in range(count)]


def true_alpha(metric: str) -> float:
    """Of very many items that two bots annotate."""
    found = alpha(annotate(new_items("many", 100_000), Random(0), 2), metric, resamples=1).value
    assert found is not None
    return found


def test_bots_on_a_server_confuse_labels_at_their_rate_and_statistics_tell_it(tmp_path: Path) -> None:
    folder, items = tmp_path / "levels", new_items("served", 200)
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY)
    (folder / "consent.md").write_text("Yes?")
    rows = [f"{item.id},{item.text}" for item in items]
    (folder / "items.csv").write_text("\n".join(["id,text", *rows]) + "\n")
    calm = BotHabits(decline=0, leave=0, fall_silent=0, arrive_twice=0, be_careless=0, slip=RATE)
    study = read_usable_study(folder).study
    state = pilot_on_server(folder, study, tmp_path / "p.db", 4, 1, calm, 60, lambda done: None)
    assert state.complete
    out = tmp_path / "out"
    assert main(["study", "export", str(folder), "--db", str(tmp_path / "p.db"), "-o", str(out)]) == 0
    raw = parse_label_file("raw", (out / "labels" / "levels-level.csv").read_bytes())
    truth = {item.id: int(true_values((LEVEL,), item)["level"]) for item in items}
    said = [
        (label, truth[item])
        for item, row in zip(raw.items, raw.ratings, strict=True)
        for label in row
        if label is not None
    ]
    assert len(said) == 600
    wrong = sum(label != right for label, right in said) / len(said)
    assert abs(wrong - RATE) < 4 * (RATE * (1 - RATE) / 600) ** 0.5
    found = alpha(raw.ratings, "nominal")
    assert (found.low or 1) <= true_alpha("nominal") <= (found.high or 0)
    estimate = dawid_skene(raw.ratings)
    rates = 1 - estimate.confusion[:, range(4), range(4)].mean(axis=1)
    assert np.abs(rates - RATE).max() < 0.1
    settled = list(csv.DictReader((out / "labels" / "levels-level.settled.csv").open()))
    assert {row["settled_by"] for row in settled} == {"all", "adjudication"}
    right = sum(int(row["label"]) == truth[row["item"]] for row in settled) / len(settled)
    assert right > 1 - RATE


def test_intervals_hold_the_true_agreement_of_bots_about_as_often_as_stated() -> None:
    for metric in ("nominal", "gwet-ordinal"):
        truth, held = true_alpha(metric), 0
        for number in range(500):
            ratings = annotate(new_items(str(number), 446), Random(number), 2)
            found = alpha(ratings, metric, seed=number)
            held += (found.low or -1) <= truth <= (found.high or -1)
        print(f"{metric}, 446 items, two bots: {held / 500:.3f}")
        assert 0.92 <= held / 500 <= 0.98
