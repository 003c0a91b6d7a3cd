"""Games as environments of PettingZoo, in which agents act one after another (AEC)."""

from __future__ import annotations

from typing import Any

from groundling.core.values import missing_extra

try:
    from gymnasium import error, spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError:
    raise ImportError(str(missing_extra("pettingzoo"))) from None

from groundling.bridges.seat_spaces import RENDER_MODES, Acting, SeatSpaces, check_render_mode
from groundling.bridges.stepping import EpisodeStepper, make_stepper
from groundling.core.pack import Pack
from groundling.core.values import Role


class GameEnv(AECEnv[Role, dict[str, Any], Any]):
    """Each free seat is an agent. All agents get the same reward: these games are played together."""

    def __init__(self, stepper: EpisodeStepper, acting: Acting = "numbers", render_mode: str | None = None):
        check_render_mode(render_mode)
        super().__init__()
        self.stepper, self.render_mode = stepper, render_mode
        name = f"groundling_{stepper.pack.name}_v0"
        self.metadata = {"render_modes": list(RENDER_MODES), "name": name, "is_parallelizable": False}
        self.possible_agents = list(stepper.free)
        self.agents: list[Role] = []
        self._seats = {role: SeatSpaces(stepper, role, acting) for role in stepper.free}

    def observation_space(self, agent: Role) -> spaces.Space[dict[str, Any]]:
        return self._seats[agent].observation_space

    def action_space(self, agent: Role) -> spaces.Space[Any]:
        return self._seats[agent].action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode of a random instance, or of the one with the id in `options["instance"]`."""
        self.stepper.open_episode(seed, (options or {}).get("instance"))
        opened = self.stepper.replay.opened
        self.agents = [role for role in self.possible_agents if role in opened.seats]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._describe_turn(None, None)

    def observe(self, agent: Role) -> dict[str, Any]:
        return self._seats[agent].observe_view(self.stepper.replay.view(agent))

    def step(self, action: Any) -> None:
        if not self.agents:
            raise error.ResetNeeded("the episode is over: call reset() before the next step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        reply = self._seats[agent].read_action(self.stepper.replay.view(agent), action)
        gained, complaint = self.stepper.take_reply(reply)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, gained)
        if complaint is not None:
            self.rewards[agent] += self.stepper.options.illegal_reward
        self._accumulate_rewards()
        self._describe_turn(agent, complaint)

    def _describe_turn(self, agent: Role | None, complaint: str | None) -> None:
        """Tell whose turn it is, and what each agent may know beside its observation."""
        stepper = self.stepper
        self.agent_selection = stepper.role or self.agents[0]
        over, failed = bool(stepper.ending), stepper.failed
        self.terminations = dict.fromkeys(self.agents, over and not failed)
        self.truncations = dict.fromkeys(self.agents, failed)
        self.infos = {
            role: self._seats[role].describe_turn(complaint if role == agent else None)
            for role in self.agents
        }

    def render(self) -> Any:
        """Show what the agent whose turn it is sees."""
        if self.render_mode is None:
            raise error.UnsupportedMode(f"give env() a render_mode: {', '.join(RENDER_MODES)}")
        agent = self.agent_selection
        return self._seats[agent].render_view(self.stepper.replay.view(agent), self.render_mode)

    def close(self) -> None:
        self.stepper.close()


class CheckedGameEnv(OrderEnforcingWrapper[Role, dict[str, Any], Any]):
    """Raises an error where PettingZoo's methods are called in the wrong order."""

    def last(self, observe: bool = True) -> Any:
        """Return what `GameEnv.last` does. The inherited method would look up every attribute twice."""
        return self.env.last(observe) if self._has_reset else super().last(observe)


def raw_env(
    game: str | Pack, *, acting: Acting = "numbers", render_mode: str | None = None, **options: Any
) -> GameEnv:
    """Make the environment without the checks of `env`."""
    return GameEnv(make_stepper(game, options), acting, render_mode)


def env(
    game: str | Pack, *, acting: Acting = "numbers", render_mode: str | None = None, **options: Any
) -> CheckedGameEnv:
    """Make the environment of a game: its name, FILE.py or PACKAGE:PACK. With acting="text", listeners write
    too. Options are those of StepOptions and the settings of the game."""
    return CheckedGameEnv(raw_env(game, acting=acting, render_mode=render_mode, **options))
