"""Finds replies of language models in the logs of a run and those beside it: a call is paid for once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from groundling.core.player import Player
from groundling.core.values import Problem, Role
from groundling.players import CONTROLS
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.reply_book import ReplyBook, ReusingPlayer
from groundling.runs.budget import BudgetedModel
from groundling.runs.run_folder import RunFolder
from groundling.runs.shards import SHARDS, whole_run_folder

_CALL = b'"call":"'
"""What every reply of a language model has in its line."""


class _LoggedReply(Struct, gc=False):
    episode: str
    role: Role
    text: str
    detail: msgspec.Raw


def reuse_logged_replies(folder: RunFolder, game: str, players: Mapping[Role, Player]) -> dict[Role, Player]:
    """Return the players of a run, with language models that use the replies that they have already given in
    this run, or in the same seat in another run of the same game in the same parent folder."""
    book, name = ReplyBook(), folder.path.resolve().name
    models = add_logged_replies(book, folder, game, players)
    return {**players, **{role: ReusingPlayer(player, book, name) for role, player in models.items()}}


def add_logged_replies(
    book: ReplyBook, folder: RunFolder, game: str, players: Mapping[Role, Player]
) -> dict[Role, ChatPlayer | BudgetedModel]:
    """Add the replies that language models have already given to a book, and return the models."""
    models = {
        role: player for role, player in players.items() if isinstance(player, ChatPlayer | BudgetedModel)
    }
    if models:
        facts = {role: dict(player.info.facts) for role, player in models.items()}
        for run, roles in _runs_of_models(folder, game, facts):
            _read_replies(book, run, roles)
    return models


def _runs_of_models(
    folder: RunFolder, game: str, facts: Mapping[Role, Mapping[str, str]]
) -> Iterator[tuple[RunFolder, set[Role]]]:
    """Yield the run and those beside it, for a control also the same control of the runs beside its own, with
    the seats in which the same models sit."""
    here = folder.path.resolve()
    yield RunFolder(here), set(facts)
    parent = whole_run_folder(here).parent
    beside = [*parent.glob("*/run.toml"), *parent.glob(f"*/{SHARDS}/*/run.toml")]
    if here.name in CONTROLS:
        beside += here.parent.parent.glob(f"*/{here.name}/run.toml")
    for path in sorted(beside):
        run = RunFolder(path.parent)
        try:
            plan = run.read_about()["plan"]
        except (Problem, OSError):  # the run that is played does not need the others
            continue
        there = plan.get("players", {})
        roles = {role for role, known in facts.items() if there.get(role) == known}
        if plan.get("game") == game and roles and run.path != here:
            yield run, roles


def _read_replies(book: ReplyBook, run: RunFolder, roles: set[Role]) -> None:
    """Add the replies of these seats. Lines that are broken or not written to the end are left out."""
    if not run.log_path.exists():
        return
    decode = msgspec.json.Decoder(_LoggedReply).decode
    with run.log_path.open("rb") as lines:
        for line in lines:
            if _CALL not in line:
                continue
            try:
                reply = decode(line)
                if reply.role in roles:
                    book.add_reply(f"{run.path.name}/{reply.episode}", reply.text, reply.detail)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
