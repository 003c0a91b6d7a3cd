"""clembench's image game for clemcore, after its published rules and no more: what we measure is the
framework. The players always give the same replies, so that all rounds are played."""

from __future__ import annotations

import re
from typing import Any

from clemcore.clemgame import DialogueGameMaster, GameBenchmark, GameScorer, ParseError, Player
from clemcore.clemgame.metrics import BENCH_SCORE, METRIC_ABORTED, METRIC_LOSE, METRIC_SUCCESS


class Giver(Player):
    def _custom_response(self, context: dict[str, Any]) -> str:
        return "Command: Put X in all cells"


class Follower(Player):
    def _custom_response(self, context: dict[str, Any]) -> str:
        return "▢ P O T ▢\n▢ S ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢\n▢ ▢ ▢ ▢ ▢\n▢ D A M ▢"


def evaluate(target: str, drawn: str) -> tuple[float, float, float]:
    pairs = list(zip(target.split(), drawn.split(), strict=True))
    both = sum(a == b != "▢" for a, b in pairs)
    precision = both / max(1, sum(b != "▢" for _, b in pairs))
    recall = both / max(1, sum(a != "▢" for a, _ in pairs))
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return round(100 * precision), round(100 * recall), round(100 * f1)


class ImageGameMaster(DialogueGameMaster):
    def _on_setup(self, **instance: Any) -> None:
        self.instance = instance
        self.rounds = 2 * instance["grid_dimension"] ** 2
        names = ("player_1_terminate_pattern", "player_1_response_pattern")
        self.done, self.said_well = (re.compile(instance[name], re.IGNORECASE) for name in names)
        self.drawn_well = re.compile(instance["player_2_response_pattern"])
        self.giver, self.follower = Giver(self.player_models[0]), Follower(self.player_models[1])
        parts = (instance[name] for name in ("player_1_prompt_header", "target_grid", "player_1_question"))
        self.add_player(self.giver, initial_context="\n".join(parts))
        self.add_player(self.follower, initial_prompt=instance["player_2_prompt_header"])

    def _parse_response(self, player: Player, response: str) -> str:
        if player is self.giver and self.done.match(response):
            self.log_to_self("found terminate pattern", response)
            return ""
        if not (self.said_well if player is self.giver else self.drawn_well).match(response):
            raise ParseError("invalid format", response)
        self.log_to_self("found instruction" if player is self.giver else "found grid", response)
        return response

    def _on_parse_error(self, error: ParseError) -> None:
        self.log_to_self("invalid format", error.reason)
        self.state.abort()

    def _advance_game(self, player: Player, parsed_response: str) -> None:
        if not parsed_response:
            self.state.failed()
        elif player is self.giver:
            self.set_context_for(self.follower, parsed_response)
        else:
            self.set_context_for(self.giver, self.instance["player_1_question"])
            if evaluate(self.instance["target_grid"], parsed_response)[2] >= 99:
                self.state.succeed()
            elif self.current_round >= self.rounds - 1:
                self.state.failed()

    def _on_after_game(self) -> None:
        for metric in (METRIC_ABORTED, METRIC_LOSE, METRIC_SUCCESS):
            wanted = {METRIC_ABORTED: "aborted", METRIC_LOSE: "failure", METRIC_SUCCESS: "success"}[metric]
            self.log_key(metric, int(self.state.outcome.value == wanted))


class ImageGameScorer(GameScorer):
    def compute_round_score(self, round_idx: int, round_events: list[dict[str, Any]]) -> None:
        for event in round_events:
            said = event["action"]["content"]
            if event["action"]["type"] == "found instruction":
                self.log_round_score(round_idx, "Generated Expression Length", len(said))
                self.log_round_score(round_idx, "Generated Expression Number of Tokens", len(said.split(" ")))
            elif event["action"]["type"] == "found grid":
                found = evaluate(self.game_instance["target_grid"], said)
                for name, value in zip(("Precision", "Recall", "F1"), found, strict=True):
                    self.log_round_score(round_idx, name, value)

    def compute_episode_scores(self, interactions: dict[str, Any]) -> None:
        last, changed, before = (0.0, 0.0, 0.0), [], "▢ " * 25
        for event in (event for events in interactions["turns"] for event in events):
            if event["action"]["type"] == "found grid":
                drawn = event["action"]["content"]
                last = evaluate(self.game_instance["target_grid"], drawn)
                changed.append(sum(a != b for a, b in zip(before.split(), drawn.split(), strict=True)))
                before = drawn
        self.log_episode_score(BENCH_SCORE, last[2])
        self.log_episode_score("Average Changed Cell Count", sum(changed) / max(1, len(changed)))


class ImageGameBenchmark(GameBenchmark):
    def create_game_master(self, experiment: dict[str, Any], player_models: list[Any]) -> ImageGameMaster:
        return ImageGameMaster(self.game_spec, experiment, player_models)

    def create_game_scorer(self, experiment: dict[str, Any], game_instance: dict[str, Any]) -> GameScorer:
        return ImageGameScorer(self.game_name, experiment, game_instance)
