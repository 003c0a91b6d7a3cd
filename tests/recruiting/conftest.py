"""The fake services, reached through the environment as the real ones are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.recruiting.fake_mturk import FakeMturk
from tests.recruiting.fake_prolific import TOKEN, FakeProlific
from tests.recruiting.recruiting_helpers import RecruitedStudy

from groundling.bridges import prolific


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProlific]:
    fake = FakeProlific()
    with fake.serve() as url:
        monkeypatch.setenv("PROLIFIC_URL", url)
        monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
        monkeypatch.setattr(prolific, "LONGEST_WAIT", 0.01)
        yield fake


@pytest.fixture
def turk(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeMturk]:
    fake = FakeMturk()
    with fake.serve() as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_MTURK", url)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a-key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a-secret")
        monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
        yield fake


@pytest.fixture
def study(tmp_path: Path) -> RecruitedStudy:
    return RecruitedStudy(tmp_path)
