"""Our players as models of Inspect: `--model-role giver=groundling/image/rule`, or any
`groundling/<game>/<player>`.

They play only in our tasks. `groundling/image/script:FILE` answers from a file, for offline tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from groundling.bridges.inspect.table_solver import TableSetup, current_ask
from groundling.core.player import Player
from groundling.core.values import Problem, Role
from groundling.players.player_specs import make_players_from_specs
from groundling.runs.run import read_run_recordings


class GroundlingModel(ModelAPI):
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - Inspect's own signature
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._game, _, self._spec = model_name.partition("/")
        self._players: dict[tuple[int, Role], Player] = {}

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - Inspect's own signature
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        try:
            table, ask = current_ask.get()
        except LookupError:
            raise RuntimeError(
                f"groundling/{self.model_name} plays only in the tasks groundling/{self._game}"
            ) from None
        reply = await self.seat_player(table, ask.role).act(ask)
        text = table.game.write(reply.moves) if reply.moves is not None else reply.text or ""
        output = ModelOutput.from_content(self.model_name, text)
        output.usage = ModelUsage(
            **{key: count for key, count in reply.usage.items() if key in ModelUsage.model_fields}
        )
        return output

    def seat_player(self, table: TableSetup, role: Role) -> Player:
        """Make the player here: only a TableSetup has the game's settings and instances."""
        key = id(table), role
        if key not in self._players:
            if self._game != table.pack.name:
                raise Problem(
                    f"groundling/{self.model_name} is a player of {self._game or 'no game'}, "
                    f"this is {table.pack.name}"
                )
            seats = {role: self._spec}
            found = make_players_from_specs(
                table.pack, table.game, seats, table.instances, lambda path: read_run_recordings(Path(path))
            )
            self._players[key] = found[role]
        return self._players[key]


@modelapi(name="groundling")
def groundling() -> type[ModelAPI]:
    return GroundlingModel
