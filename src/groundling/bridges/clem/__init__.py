"""The bridge to clembench: its instances, its scoring and its table.

`source` reads its instance files (`groundling data import clembench`). `replay` scores replies exactly as its
own code does, quirks included, so that numbers can be compared with published ones; `to_clembench` and
`clembench_replies` convert one of our episodes. docs/bridges.md lists where its rules
differ from ours."""

from groundling.bridges.clem.conversion import clembench_replies, to_clembench
from groundling.bridges.clem.replay import NoScores, replay
from groundling.core.source import DataTerms, Source

source = Source(
    name="clembench",
    about="instances of its reference game and image game, every version and language",
    terms=DataTerms(
        licence="MIT",
        shared=True,
        note="keep its notice: Copyright (c) 2023 clp-research",
        cite="Chalamalasetti et al. 2023, clembench, EMNLP 2023",
    ),
    parts="groundling.bridges.clem.instance_files:list_instance_file_parts",
    read="groundling.bridges.clem.instance_files:read_instance_file_part",
)

__all__ = ["NoScores", "clembench_replies", "replay", "source", "to_clembench"]
