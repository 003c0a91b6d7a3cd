"""The bridge to verifiers under a name that `vf-eval` can find: it imports top-level modules only."""

from groundling.bridges.verifiers import GameHarness, GameTaskset, TwoSeatEnv

__all__ = ["GameHarness", "GameTaskset", "TwoSeatEnv"]
