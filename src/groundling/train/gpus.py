"""Where to compute: which device, in which precision, and together with which others (`torchrun`)."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext

import torch
from torch import distributed, nn


def device() -> torch.device:
    """This process's GPU, or the CPU, where LSTMs run faster without oneDNN."""
    if torch.cuda.is_available():
        torch.backends.cuda.matmul.allow_tf32 = True
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.backends.mkldnn.set_flags(False)  # type: ignore[no-untyped-call]
    return torch.device("cpu")


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
