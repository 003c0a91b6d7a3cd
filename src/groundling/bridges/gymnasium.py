"""One seat of a game as an environment of Gymnasium; players take the other seats."""

from __future__ import annotations

from typing import Any

from groundling.core.values import Problem, missing_extra

try:
    from gymnasium import Env, error
except ImportError:
    raise ImportError(str(missing_extra("gymnasium"))) from None

from groundling.bridges.seat_spaces import RENDER_MODES, Acting, SeatSpaces, check_render_mode
from groundling.bridges.stepping import EpisodeStepper, make_stepper
from groundling.core.pack import Pack


class SeatEnv(Env[dict[str, Any], Any]):
    """The agent has the seat that is left free."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES)}

    def __init__(self, stepper: EpisodeStepper, acting: Acting = "numbers", render_mode: str | None = None):
        check_render_mode(render_mode)
        if len(stepper.free) != 1:
            free = " and ".join(stepper.free) or "none"
            raise Problem(
                f"the agent needs one free seat, not {free}: give players for the others as seats=…"
            )
        self.stepper, self.role, self.render_mode = stepper, stepper.free[0], render_mode
        self._seat = SeatSpaces(stepper, self.role, acting)
        self.observation_space, self.action_space = self._seat.observation_space, self._seat.action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode of a random instance, or of the one with the id in `options["instance"]`."""
        super().reset(seed=seed)
        self.stepper.open_episode(seed, (options or {}).get("instance"))
        return self._observe(), self._seat.describe_turn(None)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        stepper = self.stepper
        if not hasattr(stepper, "replay") or stepper.ending:
            raise error.ResetNeeded("no episode is being played: call reset() before the next step()")
        reply = self._seat.read_action(stepper.replay.view(self.role), action)
        gained, complaint = stepper.take_reply(reply)
        if complaint is not None:
            gained += stepper.options.illegal_reward
        over, failed = bool(stepper.ending), stepper.failed
        return self._observe(), gained, over and not failed, failed, self._seat.describe_turn(complaint)

    def _observe(self) -> dict[str, Any]:
        return self._seat.observe_view(self.stepper.replay.view(self.role))

    def render(self) -> Any:
        if self.render_mode is None:
            raise error.UnsupportedMode(f"give env() a render_mode: {', '.join(RENDER_MODES)}")
        return self._seat.render_view(self.stepper.replay.view(self.role), self.render_mode)

    def close(self) -> None:
        self.stepper.close()


def env(
    game: str | Pack, *, acting: Acting = "numbers", render_mode: str | None = None, **options: Any
) -> SeatEnv:
    """Make the environment of the one seat that `seats` leaves free, as in seats={"giver": "gold"}. Options
    are those of StepOptions and the settings of the game."""
    return SeatEnv(make_stepper(game, options), acting, render_mode)
