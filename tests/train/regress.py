"""Something small to learn: a line, with dropout. As a program, it trains in the folder it is given, and
tells each step."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from groundling.train import training_loop
from groundling.train.devices import rank_and_world_size
from groundling.train.training_plan import TrainingPlan


class Line:
    """Learns y = 3x - 1 from numbers by lot, with dropout."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(1, 8), nn.Dropout(0.3), nn.Linear(8, 1))

    def groups(self) -> Iterable[tuple[float, Iterable[nn.Parameter]]]:
        return [(1.0, self.model.parameters())]

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        x = torch.rand(4, 1)
        lost = (self.model(x) - 3 * x + 1).square().mean()
        return lost, {"root": lost.sqrt()}

    def measure(self, model: nn.Module) -> Mapping[str, float]:
        x = torch.linspace(0, 1, 11)[:, None]
        return {"closeness": -(model(x) - 3 * x + 1).square().mean().item()}


PLAN = TrainingPlan(
    seed=3, steps=60, batches=2, rate=1e-2, warmup=5, average=0.9, every=3, clip=1.0, weight_decay=0.01
)


def main(folder: Path) -> None:
    training_loop.CHECKPOINT_SECONDS = 0
    found = training_loop.train_task(
        Line(), PLAN, folder, told=lambda what, done, of: print(done, flush=True)
    )
    if rank_and_world_size()[0] == 0:
        torch.save(found.state, folder / "best.pt")


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(Path(sys.argv[1]))
