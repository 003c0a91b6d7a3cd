"""Where to compute: which device, in which precision, and together with which others (`torchrun`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

import torch
from torch import distributed, nn

T = TypeVar("T")


def device() -> torch.device:
    """This process's GPU, or the CPU, where LSTMs run faster without oneDNN, and many padded rows without
    torch's short cut for attention."""
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        mine = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
        torch.cuda.set_device(mine)
        return mine
    torch.backends.mkldnn.set_flags(False)  # type: ignore[no-untyped-call]
    torch.backends.mha.set_fastpath_enabled(False)
    return torch.device("cpu")


@contextmanager
def onednn(on: bool) -> Iterator[None]:
    """With or without it, on a CPU: transformers are the faster for it, LSTMs are not."""
    before, *_ = torch.backends.mkldnn.set_flags(on)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        torch.backends.mkldnn.set_flags(before)  # type: ignore[no-untyped-call]


def quick_halves(where: torch.device) -> bool:
    """Whether this is a CPU that multiplies matrices in half precision (bfloat16) by units made for that:
    many times as fast. Without them it may be much slower than full precision."""
    able: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return where.type == "cpu" and bool(able.get("amx_bf16"))


def quick_bytes(where: torch.device) -> bool:
    """Whether this is a CPU that multiplies whole numbers, a byte each, much faster than fractions: one of
    ARM's with dot products. Others were not measured."""
    able: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    ready = "onednn" in torch.backends.quantized.supported_engines
    return where.type == "cpu" and ready and able.get("architecture") == "arm64" and bool(able.get("dot"))


def networks_at_once() -> int:
    """How many may compute at the same time: one where it has all of a GPU or the only core, or where oneDNN,
    which is on or off for all, is switched between them; else the two of a game."""
    alone = torch.cuda.is_available() or quick_halves(torch.device("cpu")) or torch.get_num_threads() == 1
    return 1 if alone else 2


def mixed(where: torch.device) -> AbstractContextManager[object]:
    """Half precision where it is fast: on a GPU. Some CPUs take many times as long for it."""
    return torch.autocast("cuda", torch.bfloat16) if where.type == "cuda" else nullcontext()


def processes() -> tuple[int, int]:
    """Which of how many this one is; `torchrun` says so."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


@contextmanager
def joined() -> Iterator[None]:
    """Together with the other processes of `torchrun`, if there are some."""
    if processes()[1] == 1:
        yield
        return
    distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        yield
    finally:
        distributed.destroy_process_group()


def add_gradients(model: nn.Module) -> None:
    """Those of all processes, each of which has seen batches of its own."""
    if processes()[1] == 1:
        return
    mine = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    row = torch.cat([grad.flatten() for grad in mine])
    distributed.all_reduce(row)
    for grad, total in zip(mine, torch.split(row, [grad.numel() for grad in mine]), strict=True):
        grad.copy_(total.view_as(grad))


def from_first(value: Callable[[], T]) -> T:
    """Found by the first process, and the same for all."""
    rank, many = processes()
    if many == 1:
        return value()
    found = [value() if rank == 0 else None]
    distributed.broadcast_object_list(found)
    return found[0]  # type: ignore[return-value]
