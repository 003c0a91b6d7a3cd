"""clembench's reference game for clemcore, after its published rules and no more: what we measure is the
framework. The players always give the same replies."""

from __future__ import annotations

import re
from typing import Any

from clemcore.clemgame import DialogueGameMaster, GameBenchmark, GameScorer, ParseError, Player
from clemcore.clemgame.metrics import BENCH_SCORE, METRIC_ABORTED, METRIC_LOSE, METRIC_SUCCESS


class Giver(Player):
    def _custom_response(self, context: dict[str, Any]) -> str:
        return "Expression: The one that looks like the target."


class Follower(Player):
    def _custom_response(self, context: dict[str, Any]) -> str:
        return "Answer: first"


class ReferenceGameMaster(DialogueGameMaster):
    def _on_setup(self, **instance: Any) -> None:
        self.instance = instance
        self.patterns = [re.compile(instance[f"player_{k}_response_pattern"], re.IGNORECASE) for k in (1, 2)]
        self.giver, self.follower = Giver(self.player_models[0]), Follower(self.player_models[1])
        self.add_player(self.giver, initial_context=instance["player_1_prompt_header"])
        self.add_player(self.follower)

    def _parse_response(self, player: Player, response: str) -> str:
        found = self.patterns[player is self.follower].match(response)
        if not found or found["remainder"]:
            raise ParseError("invalid format", response)
        return response if player is self.giver else found["response"].lower()

    def _on_parse_error(self, error: ParseError) -> None:
        self.log_to_self("invalid format", error.reason)
        self.state.abort()

    def _advance_game(self, player: Player, parsed_response: str) -> None:
        if player is self.giver:
            self.log_to_self("parse", parsed_response)
            prompt = self.instance["player_2_prompt_header"]
            self.set_context_for(self.follower, prompt.replace("TARGET_EXPRESSION", parsed_response))
            return
        right = parsed_response in self.instance["target_grid_name"]
        self.log_to_self("parse_correct" if right else "parse_wrong", parsed_response)
        (self.state.succeed if right else self.state.failed)()

    def _on_after_game(self) -> None:
        for metric in (METRIC_ABORTED, METRIC_LOSE, METRIC_SUCCESS):
            wanted = {METRIC_ABORTED: "aborted", METRIC_LOSE: "failure", METRIC_SUCCESS: "success"}[metric]
            self.log_key(metric, int(self.state.outcome.value == wanted))


class ReferenceGameScorer(GameScorer):
    def compute_round_score(self, round_idx: int, round_events: list[dict[str, Any]]) -> None:
        for event in round_events:
            if event["action"]["type"] == "parse":
                said = event["action"]["content"]
                self.log_round_score(round_idx, "Generated Expression Length", len(said))
                self.log_round_score(round_idx, "Generated Expression Number of Tokens", len(said.split(" ")))

    def compute_episode_scores(self, interactions: dict[str, Any]) -> None:
        self.log_episode_score(BENCH_SCORE, 100 * interactions[METRIC_SUCCESS])


class ReferenceGameBenchmark(GameBenchmark):
    def create_game_master(self, experiment: dict[str, Any], player_models: list[Any]) -> ReferenceGameMaster:
        return ReferenceGameMaster(self.game_spec, experiment, player_models)

    def create_game_scorer(self, experiment: dict[str, Any], game_instance: dict[str, Any]) -> GameScorer:
        return ReferenceGameScorer(self.game_name, experiment, game_instance)
