"""Games as environments of verifiers (v1): both seats are agents, `speaker` and `listener`.

    vf-eval groundling-verifiers --env.taskset.game reference --env.seats '{"giver": "gold"}' -m MODEL

An agent runs once for every turn, with the prompt that a language model gets from `groundling play`. The
score of the episode is the reward of all its runs. Players of ours take the seats in `seats`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from time import time
from typing import Any

from groundling.core.values import missing_extra

try:
    import verifiers.v1 as vf
    from openai import AsyncOpenAI
except ImportError:
    raise ImportError(str(missing_extra("verifiers"))) from None

from groundling.bridges.stepping import EpisodeRecorder, find_stepped_instances
from groundling.core.events import Closed, Failed
from groundling.core.pack import Seat, find, resolve_settings
from groundling.core.player import Player, Unable
from groundling.core.setting_fields import read_settings
from groundling.core.table import play
from groundling.core.values import Role
from groundling.players.chat.chat_model import ModelAnswer
from groundling.players.chat.chat_player import ChatPlayer
from groundling.players.chat.messages import PromptMessage
from groundling.players.player_specs import make_players_from_specs, read_seat_specs
from groundling.runs.run import read_run_recordings

__all__ = ["GameHarness", "GameTaskset", "TwoSeatEnv"]

AGENTS = ("speaker", "listener")
"""The names of the agents in the order of a game's seats."""


class InstanceData(vf.TaskData):
    """An instance by its id; the environment has its content, so that no agent can read it."""


class InstanceTask(vf.Task[InstanceData, vf.State, vf.TaskConfig]):
    """The score comes from the game and is recorded by the environment."""


class GameTasksetConfig(vf.TasksetConfig):
    game: str = "reference"
    """NAME, FILE.py or PACKAGE:PACK."""
    instances: Path | None = None
    """A file made by `groundling make`; the built-in set by default."""


class GameTaskset(vf.Taskset[InstanceTask, GameTasksetConfig]):
    def load(self) -> Iterator[InstanceTask]:
        instances, _ = find_stepped_instances(find(self.config.game), self.config.instances)
        for instance in instances:
            yield InstanceTask(InstanceData(id=instance.id, name=instance.id), self.config.task)


class GameHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the conversation of one turn to the model, in this process and without tools."""

    APPENDS_SYSTEM_PROMPT, EXECUTES_CODE, NEEDS_CONTAINER = True, False, False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: Mapping[str, str],
        data: Any,
    ) -> Any:
        messages: list[Any] = [{"role": message.role, "content": message.content} for message in data.prompt]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class AgentModel:
    """An agent of verifiers as a language model of ours."""

    sampling: Mapping[str, Any] = {}

    def __init__(self, agent: Any, runs: list[Any]) -> None:
        self._agent, self._runs = agent, runs
        self.name = str(agent.ctx.model)

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        prompt = [{"role": message.author, "content": message.text} for message in conversation]
        trace = await self._agent.run(vf.Task(vf.TaskData(prompt=prompt)))
        self._runs.append(trace)
        if not trace.ok:
            raise Unable("agent", str(trace.errors[-1].message if trace.errors else "the run failed"))
        return ModelAnswer(trace.last_reply)


class TwoSeatEnvConfig(vf.EnvConfig):
    speaker: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    listener: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    seats: dict[str, str] = {}
    """Players of ours by role, as for `--seat`; agents take the others."""
    settings: dict[str, Any] = {}
    """Settings of the game."""
    retries_after_refusal: int = 1
    log: Path | None = None
    """A folder for the episodes, which is then a run like any other."""


class TwoSeatEnv(vf.Env[TwoSeatEnvConfig]):
    def __init__(self, config: TwoSeatEnvConfig) -> None:
        super().__init__(config)
        self.pack = pack = find(config.taskset.game)
        self.instances, source = find_stepped_instances(pack, config.taskset.instances)
        specs = read_seat_specs([f"{role}={spec}" for role, spec in config.seats.items()], pack)
        free = [role for role in pack.roles if role not in specs]
        self.game = pack.new(resolve_settings(pack, read_settings(pack, config.settings), free))
        self.players = make_players_from_specs(
            pack, self.game, specs, self.instances, lambda name: read_run_recordings(Path(name))
        )
        self._by_id = {instance.id: instance for instance in self.instances}
        self._played: dict[str, int] = {}
        log = config.log
        self.recorder = EpisodeRecorder(log, pack, self.game.settings, source) if log else None

    def _seat_agent(self, role: Role, agents: Any, runs: list[Any]) -> Player:
        agent = getattr(agents, AGENTS[self.pack.roles.index(role)])
        seat = Seat(self.pack, self.game, role, "agent", instances=self.instances)
        return ChatPlayer(seat, AgentModel(agent, runs))

    async def run(self, task: Any, agents: Any) -> None:
        """Play the episode of one instance; the agents' runs join it one by one."""
        instance = self._by_id[task.data.id]
        self._played[instance.id] = count = self._played.get(instance.id, 0) + 1
        runs: list[Any] = []
        players = {
            role: self.players.get(role) or self._seat_agent(role, agents, runs)
            for role in self.game.seats(instance)
        }
        episode = instance.id if count == 1 else f"{instance.id}#{count}"
        retries = self.config.retries_after_refusal
        happened = play(
            self.game, instance, players, seed=count, clock=time, episode=episode, retries=retries
        )
        async for event in happened:
            if self.recorder is not None:
                self.recorder.append_event(event)
            if isinstance(event, Failed):
                raise RuntimeError(f"{event.role} could not answer ({event.boundary}): {event.message}")
            if isinstance(event, Closed):
                for trace in runs:
                    trace.record_reward("score", event.result.score if event.result else 0.0)

    async def stop(self) -> None:
        if self.recorder is not None:
            self.recorder.close()
