"""Ternary matrices: rounded once and for all, packed without loss, and small."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling.train.ternary import is_ternary, pack_ternary, round_to_ternary, unpack_ternary  # noqa: E402
from groundling.train.training_plan import TrainingPlan  # noqa: E402
from groundling.train.weights import ModelCard, load_weights, round_weights, save_weights  # noqa: E402

SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 23))


@given(SHAPES, st.integers(0, 99))
def test_rounding_a_second_time_changes_nothing(shape: tuple[int, int], seed: int) -> None:
    rows = torch.randn(shape, generator=torch.Generator().manual_seed(seed))
    once = round_to_ternary(rows)
    assert is_ternary(once)
    assert torch.allclose(round_to_ternary(once), once, rtol=1e-5)
    # nearer to the matrix than nothing is
    assert (rows - once).square().sum() < rows.square().sum()


@given(SHAPES, st.integers(0, 99))
def test_packed_matrices_come_back(shape: tuple[int, int], seed: int) -> None:
    rows = round_to_ternary(torch.randn(shape, generator=torch.Generator().manual_seed(seed)))
    packed, step = pack_ternary(rows)
    assert torch.allclose(unpack_ternary(packed, step), rows, rtol=1e-3)


def test_a_row_of_zeros_stays_one() -> None:
    rows = torch.zeros(6, 4)
    assert torch.equal(round_to_ternary(rows), rows)
    assert torch.equal(unpack_ternary(*pack_ternary(rows)), rows)


def test_a_number_takes_less_than_a_bit_and_a_half() -> None:
    rows = round_to_ternary(torch.randn(400, 500, generator=torch.Generator().manual_seed(1)))
    packed, _ = pack_ternary(rows)
    assert 8 * len(packed) / rows.numel() < 1.45


def test_weights_are_loaded_as_they_were_rounded(tmp_path: Path) -> None:
    card = ModelCard(
        model="tiny",
        settings={},
        plan=TrainingPlan(),
        job={},
        data="",
        half="",
        seen=(),
        words=(),
        step=0,
        scores={},
        licence="",
    )
    state = {
        "change": round_to_ternary(torch.randn(7, 9)),
        "matrix": torch.randn(7, 9),
        "norm": torch.randn(9),
    }
    save_weights(tmp_path, state, card, bytes_each=1)
    _, loaded, _ = load_weights(tmp_path)
    rounded = round_weights(state, bytes_each=1)
    assert set(loaded) == set(state)
    assert all(torch.equal(loaded[name], rounded[name]) for name in state)
