"""Properties are tried on the same examples every time, so that one commit has one verdict: on a few, or on
more with HYPOTHESIS_PROFILE=long; `make fuzz` looks for new ones."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("quick", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("long", derandomize=True, deadline=None, max_examples=150)
settings.register_profile(
    "fuzz", max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
