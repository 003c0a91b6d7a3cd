"""Selection of device and precision, and distributed training with `torchrun`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

import torch
from torch import distributed, nn

T = TypeVar("T")


def select_device() -> torch.device:
    """Return this process's GPU, or the CPU. On a CPU this disables oneDNN, without which LSTMs are faster,
    and the attention fast path, which is slow on padded rows."""
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        mine = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(mine)
        return mine
    torch.backends.mkldnn.set_flags(False)  # type: ignore[no-untyped-call]
    torch.backends.mha.set_fastpath_enabled(False)
    return torch.device("cpu")


@contextmanager
def set_onednn(on: bool) -> Iterator[None]:
    """Switch oneDNN on a CPU on or off: transformers are faster with it, LSTMs are slower."""
    before, *_ = torch.backends.mkldnn.set_flags(on)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        torch.backends.mkldnn.set_flags(before)  # type: ignore[no-untyped-call]


def has_fast_bfloat16(where: torch.device) -> bool:
    """Whether this is a CPU with matrix units for bfloat16 (AMX), where it is many times as fast. Without
    them it can be much slower than full precision."""
    able: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return where.type == "cpu" and bool(able.get("amx_bf16"))


def has_fast_int8(where: torch.device) -> bool:
    """Whether this is a CPU that multiplies int8 much faster than floats: ARM with dot products. Others were
    not measured."""
    able: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    ready = "onednn" in torch.backends.quantized.supported_engines
    return where.type == "cpu" and ready and able.get("architecture") == "arm64" and bool(able.get("dot"))


def max_networks_per_device() -> int:
    """Return how many networks may compute at the same time: 1 on a GPU, on one core, or if oneDNN, which is
    global, is switched between them; else 2, one for each seat of a game."""
    alone = (
        torch.cuda.is_available() or has_fast_bfloat16(torch.device("cpu")) or torch.get_num_threads() == 1
    )
    return 1 if alone else 2


def device_precision(where: torch.device) -> AbstractContextManager[object]:
    """Return an autocast context for bfloat16 on a GPU, and a null context on a CPU, where it can be slow."""
    return torch.autocast("cuda", torch.bfloat16) if where.type == "cuda" else nullcontext()


def rank_and_world_size() -> tuple[int, int]:
    """Return the rank of this process and the number of processes, as set by `torchrun`."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


@contextmanager
def device_process_group() -> Iterator[None]:
    """Join the process group of `torchrun`, if there are several processes."""
    if rank_and_world_size()[1] == 1:
        yield
        return
    distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield
    finally:
        distributed.destroy_process_group()


def sum_gradients_over_devices(model: nn.Module) -> None:
    """Sum the gradients over all processes, each of which had its own batches."""
    if rank_and_world_size()[1] == 1:
        return
    mine = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    row = torch.cat([grad.flatten() for grad in mine])
    distributed.all_reduce(row)
    for grad, total in zip(mine, torch.split(row, [grad.numel() for grad in mine]), strict=True):
        grad.copy_(total.view_as(grad))


def broadcast_between_devices(value: Callable[[], T]) -> T:
    """Compute a value in the first process and broadcast it to all."""
    rank, many = rank_and_world_size()
    if many == 1:
        return value()
    found = [value() if rank == 0 else None]
    distributed.broadcast_object_list(found)
    return found[0]  # type: ignore[return-value]
