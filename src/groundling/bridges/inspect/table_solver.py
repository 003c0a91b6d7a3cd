"""The solver, which plays an episode. Seats without one of our players belong to the model role of the same
name, and seats without a role to the main model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from hashlib import blake2b
from time import time

from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Model,
    ModelOutput,
    get_model,
    model_roles,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, span
from msgspec import Struct

from groundling.bridges.inspect.sample_store import stopped_transcript, store_events
from groundling.bridges.inspect.tools import ToolUsingModel
from groundling.core.events import AnyEvent, Closed, Failed, Refused, Replied, Transcript
from groundling.core.game import AnyGame
from groundling.core.pack import Pack, Seat
from groundling.core.player import Ask, Player, Reply, Unable
from groundling.core.table import play
from groundling.core.values import Instance, Problem, Role
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.hosted_model import HostedModel

NO_LIMIT = "1000000"
"""Disables our time-outs and connection limits, since Inspect has its own."""


class ModelSettings(Struct, frozen=True):
    """How models are prompted, and how their replies are read."""

    see: str
    language: str
    wording: str
    strict: bool
    retries: int
    seed: int
    tools: bool = False


class TableSetup(Struct, frozen=True):
    pack: Pack
    game: AnyGame
    instances: Sequence[Instance]
    players: Mapping[Role, Player]
    """Our own players; the other seats are for models."""
    manner: ModelSettings

    def free_roles(self) -> list[Role]:
        """Return the seats that are left for models."""
        needed = {role for instance in self.instances for role in self.game.seats(instance)}
        return [role for role in self.pack.roles if role in needed and role not in self.players]


current_ask: ContextVar[tuple[TableSetup, Ask]] = ContextVar("asked")
"""The Ask for models that are our players: these do not read messages."""


def seat_solver_models(table: TableSetup) -> dict[Role, Model]:
    """Return the models of the free seats. The main model takes those without a role of their own, under the
    name of the seat, so that Inspect counts its usage by seat."""
    roles, given = table.free_roles(), set(model_roles())
    if unknown := sorted(given - set(roles)):
        why = (
            "one of our players sits there"
            if unknown[0] in table.players
            else f"there is no such seat in {table.pack.name}"
        )
        raise Problem(f"--model-role {unknown[0]}=… has no seat to take ({why}): leave it out")
    main, free = main_solver_model(), [role for role in roles if role not in given]
    if free and main is None:
        raise Problem(
            f"seat {free[0]} is empty: add --model-role {free[0]}=MODEL, --model MODEL for all empty seats, "
            f"or -T seats={free[0]}=PLAYER"
        )
    return {  # the solver calls this; the task only checks beforehand that no role is missing
        role: get_model(role=role, default=main)  # inspect-evals-lint: ignore[IEBP001] -- see above
        for role in roles
    }


def main_solver_model() -> Model | None:
    """Return the model of `--model`; None if there is none."""
    try:
        model = get_model()  # inspect-evals-lint: ignore[IEBP001] -- the same
    except ValueError:
        return None
    return None if str(model) == "none/none" else model


class InspectPlayer:
    """A player within Inspect: its turns are agent spans, and errors of models are passed on to Inspect."""

    def __init__(self, table: TableSetup, role: Role, player: Player) -> None:
        self.name = player.name
        self._table, self._role, self._player = table, role, player

    async def act(self, ask: Ask) -> Reply:
        token = current_ask.set((self._table, ask))
        try:
            async with span(self._role, type="agent"):
                reply = await self._player.act(ask)
                if not isinstance(self._player, ChatPlayer):  # a model has its own events
                    text = reply.text if reply.moves is None else self._table.game.write(reply.moves)
                    transcript().info(text or "", source=self.name)
                return reply
        except Unable as trouble:
            # Inspect handles limits and errors of providers: it ends, scores, retries or counts a sample
            if trouble.__cause__ is not None:
                raise trouble.__cause__ from None
            raise
        finally:
            current_ask.reset(token)


def seat_solver_players(table: TableSetup) -> dict[Role, Player]:
    players = dict(table.players)
    manner = table.manner
    for role, model in seat_solver_models(table).items():
        options = {"see": manner.see, "language": manner.language, "prompt": manner.wording}
        options |= {"timeout": NO_LIMIT, "connections": NO_LIMIT}
        seat = Seat(table.pack, table.game, role, str(model), options=options, instances=table.instances)
        players[role] = ChatPlayer(seat, (ToolUsingModel if manner.tools else HostedModel)(seat, model))
    return {role: InspectPlayer(table, role, player) for role, player in players.items()}


def table_solver(laid: TableSetup) -> Callable[[str, Mapping[str, str]], Solver]:
    instances = {instance.id: instance for instance in laid.instances}

    @solver(name="table")
    def play_at_table(game: str, seats: Mapping[str, str]) -> Solver:
        """Play an episode at a prepared table; the arguments are only for the log."""

        async def solve(state: TaskState, generate: Generate) -> TaskState:
            instance = instances[str(state.sample_id)]
            episode = instance.id if state.epoch == 1 else f"{instance.id}#{state.epoch}"
            there = seat_solver_players(laid)
            players = {role: there[role] for role in laid.game.seats(instance)}
            seed = blake2b(f"{laid.manner.seed}/{episode}".encode(), digest_size=6).digest()
            events: list[AnyEvent] = []
            happened = play(
                laid.game,
                instance,
                players,
                seed=int.from_bytes(seed, "big"),
                clock=time,
                episode=episode,
                retries=laid.manner.retries,
                strict=laid.manner.strict,
            )
            state.messages = []
            try:
                async for event in happened:
                    events.append(event)
                    store_events(state.store, events)
                    state.messages += solver_event_messages(event)
                    state.output = solver_event_output(event)
                    if isinstance(event, Failed):
                        raise RuntimeError(
                            f"{event.role} could not answer ({event.boundary}): {event.message}"
                        )
            except Exception as trouble:  # providers raise anything; Inspect decides what happens next
                limit = trouble.type if isinstance(trouble, LimitExceededError) else ""
                told = "" if limit else f"{type(trouble).__name__}: {trouble}"
                stopped = stopped_transcript(Transcript(tuple(events)), laid.game, limit=limit, error=told)
                store_events(state.store, stopped.events)
                state.output = solver_event_output(stopped.events[-1])
                raise
            state.completed = True
            return state

        return solve

    return play_at_table


def solver_event_messages(event: AnyEvent) -> list[ChatMessage]:
    """Return an event as messages, for readers of the log."""
    if isinstance(event, Replied):
        return [ChatMessageAssistant(content=f"[{event.role}] {event.text}")]
    if isinstance(event, Refused):
        return [ChatMessageUser(content=f"[refused, {event.role}] {event.complaint}")]
    return []


def solver_event_output(last: AnyEvent) -> ModelOutput:
    """Return the outcome as a model output, for readers of the log."""
    told = "unfinished"
    if isinstance(last, Closed):
        told = f"{last.reason}, score {last.result.score:g}" if last.result else last.reason
    return ModelOutput.from_content("groundling", told)
