"""The options of every command that plays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from msgspec import Struct
from typer import Option

from groundling.cli.options import SetOption, check_option_bounds
from groundling.runs.budget import SpendingBudget
from groundling.runs.playing import make_session_budget
from groundling.runs.session import RunSession
from groundling.runs.shards import read_shard

ControlsOption: TypeAlias = Annotated[
    bool,
    Option("--controls", help="Then play the controls: without words, and with another instance's words."),
]


class PlayOptions(Struct, frozen=True):
    jobs: Annotated[
        int | None, Option(help="Episodes played in parallel; default: chosen for the players.")
    ] = None
    repeat: Annotated[int, Option(help="Number of times each instance is played.")] = 1
    limit: Annotated[
        int | None, Option(help="Play N instances, in rotation over sets and categories.", metavar="N")
    ] = None
    sample: Annotated[
        int | None, Option(help="Play N random instances, spread in the same way; see --seed.", metavar="N")
    ] = None
    only: SetOption = None
    retries: Annotated[int, Option(help="Retries after an invalid reply.")] = 1
    seed: Annotated[int, Option(help="Random seed for stochastic players.")] = 0
    prompts: Annotated[str, Option(help="The prompt wording for language models; all: each in turn.")] = ""
    max_tokens_total: Annotated[
        int | None, Option(help="Make no call that could exceed this number of tokens in total.")
    ] = None
    max_cost: Annotated[
        float | None, Option(help="Make no call that could exceed this cost in dollars in total.")
    ] = None
    prices: Annotated[
        Path | None, Option(help="File with the models' prices for a million tokens (TOML, JSON, YAML).")
    ] = None
    no_reuse: Annotated[
        bool,
        Option(
            "--no-reuse",
            help="Ask language models again what they have answered in a run of the same folder.",
        ),
    ] = False
    shard: Annotated[
        str,
        Option(
            help="Play part I of N into DIR/shards/I-of-N; other processes play the others.", metavar="I/N"
        ),
    ] = ""
    workers: Annotated[
        str, Option(help="Play on workers: processes=N, ray, or ray://HOST:PORT.", metavar="WHERE")
    ] = ""
    dry_run: Annotated[
        bool,
        Option(
            "--dry-run", help="Print what would be played, its cost and the first prompts, without playing."
        ),
    ] = False

    def __post_init__(self) -> None:
        check_option_bounds(
            jobs=(self.jobs, 1),
            repeat=(self.repeat, 1),
            retries=(self.retries, 0),
            max_tokens_total=(self.max_tokens_total, 1),
            max_cost=(self.max_cost, 0),
        )

    def plan_fields(self) -> dict[str, Any]:
        """The options that decide which episodes a run plans."""
        return {
            "limit": self.limit,
            "sample": self.sample,
            "sets": self.only or (),
            "seed": self.seed,
            "repeat": self.repeat,
            "retries": self.retries,
            "shard": read_shard(self.shard),
        }

    def make_budget(self, sessions: Sequence[RunSession]) -> SpendingBudget:
        """Return the budget that these runs and their controls share, with what they have spent so far."""
        return make_session_budget(
            sessions,
            tokens=self.max_tokens_total,
            cost=self.max_cost,
            prices=self.prices,
            shard=read_shard(self.shard),
        )
