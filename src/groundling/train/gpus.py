"""Where to compute: which device, in which precision, and together with which others (`torchrun`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch import distributed, nn


def device() -> torch.device:
    """This process's GPU, or the CPU, where LSTMs run faster without oneDNN, and many padded rows without torch's short cut for
    attention."""
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
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
    """Whether this is a CPU that multiplies matrices in half precision (bfloat16) by units made for that: many times as fast.
    Without them it may be much slower than full precision."""
    able: dict[str, object] = getattr(torch.cpu, "get_capabilities", dict)()
    return where.type == "cpu" and bool(able.get("amx_bf16"))


def mixed(where: torch.device) -> AbstractContextManager[object]:
    """Half precision where it is fast: on a GPU. Some CPUs take many times as long for it."""
    return torch.autocast("cuda", torch.bfloat16) if where.type == "cuda" else nullcontext()


def join() -> tuple[int, int]:
    """Which of how many processes this one is. Under `torchrun` they get to know each other."""
    many = int(os.environ.get("WORLD_SIZE", "1"))
    if many > 1 and not distributed.is_initialized():
        distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return int(os.environ.get("RANK", "0")), many


def share_gradients(model: nn.Module) -> None:
    """The mean over all processes, each of which has seen a batch of its own."""
    if not distributed.is_available() or not distributed.is_initialized():
        return
    many = distributed.get_world_size()
    for parameter in model.parameters():
        if parameter.grad is not None:
            distributed.all_reduce(parameter.grad)
            parameter.grad /= many
