"""Games as servers of OpenEnv: reset, step and state over WebSocket or HTTP.

    python -m groundling.bridges.openenv reference --seat giver=gold --port 8000

The caller takes the seats for which no player is given, and is shown what a language model would be."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from groundling.core.values import Problem, missing_extra

try:
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
    from pydantic import Field
except ImportError:
    told = str(missing_extra("openenv"))
    raise (SystemExit(told) if __name__ == "__main__" else ImportError(told)) from None

from groundling import __version__
from groundling.bridges.stepping import EpisodeStepper, make_stepper
from groundling.core.pack import find, load
from groundling.core.player import Reply
from groundling.players.chat.messages import build_messages
from groundling.players.chat.prompts import load_prompt, prompt_hints


class GameAction(Action):
    """A reply in the words of a player."""

    text: str
    role: str | None = Field(default=None, description="the seat that speaks; it must be its turn")


class GameObservation(Observation):
    """What the seat whose turn it is has to know."""

    role: str | None = Field(description="the seat whose turn it is; None when the episode is over")
    prompt: str = Field(description="what a language model in that seat is told now")
    view: str = Field(description="the board and the words so far")
    illegal: str | None = Field(default=None, description="why the last reply was refused")
    score: float | None = Field(default=None, description="the score when the episode is over")


class GameEnvironment(Environment[GameAction, GameObservation, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, stepper: EpisodeStepper) -> None:
        super().__init__()
        self._stepper, pack = stepper, stepper.pack
        self._draw, self._hints = load(pack.draw), prompt_hints(pack, stepper.game)
        wording = pack.wordings.default
        self._prompts = {role: load_prompt(pack, role, "en", wording) for role in stepper.free}
        self._state = State()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **options: Any
    ) -> GameObservation:
        """Begin an episode: of a random instance, or of the one whose id is given as `instance`."""
        self._stepper.open_episode(seed, options.get("instance"))
        opened = self._stepper.replay.opened
        self._state = State(episode_id=episode_id or opened.episode, step_count=0)
        return self._observe(next(iter(self._prompts)), 0.0, None)

    def step(self, action: GameAction, timeout_s: float | None = None, **options: Any) -> GameObservation:
        stepper = self._stepper
        role = stepper.role if hasattr(stepper, "replay") else None
        if role is None:
            raise ValueError("no episode is being played: send reset before the next step")
        if action.role not in (None, role):
            raise ValueError(f"it is the turn of {role}, not of {action.role}: leave out role, or wait")
        gained, complaint = stepper.take_reply(Reply(text=action.text))
        self._state.step_count += 1
        return self._observe(role, gained + (stepper.options.illegal_reward if complaint else 0.0), complaint)

    def _observe(self, before: str, reward: float, complaint: str | None) -> GameObservation:
        """Show the seat whose turn it is what it may know; at the end, the seat that moved last."""
        stepper = self._stepper
        ask = stepper.referee.make_ask(stepper.role or before)
        messages = build_messages(ask, self._prompts[ask.role], self._draw, "text", self._hints)
        over = bool(stepper.ending)
        return GameObservation(
            done=over,
            reward=reward,
            role=stepper.role,
            prompt="" if over else messages[-1].text,
            view=self._draw(ask.view).text,
            illegal=complaint,
            score=stepper.value if over and not stepper.failed else None,
            metadata={"instance": stepper.replay.opened.instance.id, "ending": stepper.ending},
        )

    @property
    def state(self) -> State:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        pack = self._stepper.pack
        return EnvironmentMetadata(
            name=f"groundling-{pack.name}", description=pack.about, version=__version__
        )

    def close(self) -> None:
        self._stepper.close()


def make_app(game: str, *, sessions: int = 16, **options: Any) -> Any:
    """Make the ASGI application. Options are those of StepOptions and the settings of the game. Every session
    has an environment of its own, so `log` is not among them."""
    if options.get("log") is not None:
        raise Problem("sessions cannot share a log: leave out log")
    make: Callable[[], GameEnvironment] = lambda: GameEnvironment(make_stepper(game, options))  # noqa: E731
    make()  # tells what is wrong before the server starts
    return create_app(make, GameAction, GameObservation, env_name=game, max_concurrent_envs=sessions)


def main(arguments: Sequence[str] | None = None) -> None:
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m groundling.bridges.openenv", description=__doc__)
    parser.add_argument("game", help="a game: NAME, FILE.py or PACKAGE:PACK")
    parser.add_argument("--seat", action="append", default=[], metavar="ROLE=PLAYER")
    parser.add_argument("--set", action="append", default=[], metavar="SETTING=VALUE", dest="settings")
    parser.add_argument("--instances", help="a file made by groundling make")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args(arguments)
    try:
        find(given.game)
        seats, settings = (
            dict(pair.partition("=")[::2] for pair in pairs) for pairs in (given.seat, given.settings)
        )
        app = make_app(given.game, seats=seats, instances=given.instances, **settings)
    except Problem as trouble:
        sys.exit(str(trouble))
    uvicorn.run(app, host=given.host, port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
