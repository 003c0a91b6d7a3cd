"""Matrices in bytes: nearly what they are in full, and each row for itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from torch import Tensor, nn  # noqa: E402

from groundling.train.devices import has_fast_int8  # noqa: E402
from groundling.train.int8_linear import Int8Linear, quantize_linear_layers  # noqa: E402

CPU = torch.device("cpu")
pytestmark = pytest.mark.skipif(not has_fast_int8(CPU), reason="this CPU is no quicker in bytes")


@pytest.fixture(autouse=True)
def seeded() -> Iterator[None]:
    torch.manual_seed(0)
    with torch.inference_mode():
        yield


def unlike(found: Tensor, exact: Tensor) -> float:
    """The mean error, as a part of what is usual."""
    return float((found - exact).abs().mean() / exact.abs().mean())


@pytest.mark.parametrize("rows", [1, 3, 40])
@pytest.mark.parametrize("form", [(16, 48), (48, 16), (20, 7)])
def test_it_multiplies_nearly_as_exactly(form: tuple[int, int], rows: int) -> None:
    whole = nn.Linear(*form)
    whole.weight *= torch.logspace(-3, 3, form[1])[:, None]
    given = torch.randn(2, rows, form[0])
    found = Int8Linear(whole.weight, whole.bias)(given)
    most = given.norm(dim=-1, keepdim=True) * whole.weight.norm(dim=1)
    assert ((found - whole(given)).abs() < 0.01 * most).all(), "small weights too"


def test_what_is_whole_in_a_byte_stays_exact() -> None:
    weight, given = (torch.randint(-126, 127, form).float() for form in ((5, 32), (4, 32)))
    weight[:, 0] = given[:, 0] = 127
    found = Int8Linear(weight, torch.zeros(5))(given)
    assert torch.allclose(found, given @ weight.T, rtol=1e-6)


def test_a_row_is_the_same_whatever_stands_beside_it() -> None:
    given = torch.randn(100, 32) * torch.logspace(-2, 4, 100)[:, None]
    linear = Int8Linear(torch.randn(24, 32), torch.randn(24))
    alone = torch.cat([linear(row[None]) for row in given])
    assert torch.equal(linear(given), alone)


def test_nothing_comes_of_nothing() -> None:
    bias = torch.randn(3)
    assert torch.equal(Int8Linear(torch.zeros(3, 16), bias)(torch.zeros(2, 16)), bias.expand(2, 3))


def test_all_of_a_network_is_changed_but_what_does_not_multiply() -> None:
    inner = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
    whole = nn.Sequential(nn.Linear(32, 32), nn.LayerNorm(32), inner, nn.LayerNorm(32)).eval()
    given = torch.randn(3, 6, 32)
    exact = whole(given)
    quantize_linear_layers(whole)
    assert not any(isinstance(part, nn.Linear) for part in whole.modules())
    assert sum(isinstance(part, Int8Linear) for part in whole.modules()) == 3
    assert unlike(whole(given), exact) < 0.03
