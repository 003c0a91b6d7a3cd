import json
import os
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from tests.helpers import session

from groundling.core.events import AnyEvent, Closed, Failed, Replied, encode_event_json
from groundling.core.pack import find
from groundling.core.values import Problem
from groundling.runs import event_log as event_log
from groundling.runs.event_log import EventLog, cut_torn_log_tail, read_log_transcripts, whole_log_lines

game = type(find("reference").new())


@pytest.fixture
def events(tmp_path: Path) -> list[AnyEvent]:
    session(tmp_path / "source", limit=3).play_missing(1)
    return [
        event for t in read_log_transcripts(tmp_path / "source" / "log.jsonl", game) for event in t.events
    ]


def test_what_was_appended_is_read_back(tmp_path: Path, events: list[AnyEvent]) -> None:
    with EventLog(tmp_path / "log") as log:
        for event in events:
            log.append_event(event)
    assert [event for t in read_log_transcripts(tmp_path / "log", game) for event in t.events] == events


def test_episodes_may_be_mixed(tmp_path: Path, events: list[AnyEvent]) -> None:
    mixed = sorted(events, key=lambda event: [e for e in events if e.episode == event.episode].index(event))
    (tmp_path / "log").write_bytes(b"".join(encode_event_json(event) + b"\n" for event in mixed))
    found = list(read_log_transcripts(tmp_path / "log", game))
    assert [event for t in found for event in t.events] == events


def test_an_episode_is_acknowledged_only_once_it_is_synced(
    tmp_path: Path, events: list[AnyEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append((tmp_path / "log").read_bytes()))
    told: list[tuple[str, int]] = []
    with EventLog(tmp_path / "log", lambda episodes: told.extend((e, len(synced)) for e in episodes)) as log:
        for event in events:
            log.append_event(event)
    assert [episode for episode, _ in told] == [e.episode for e in events if isinstance(e, Closed)]
    for episode, syncs in told:
        assert (
            f'"closed","reason":"finished","result":{{"score":1.0}},"episode":"{episode}"'.encode()
            in synced[syncs - 1]
        )


def test_waiting_for_the_sync_is_short(tmp_path: Path, events: list[AnyEvent]) -> None:
    told = threading.Event()
    with EventLog(tmp_path / "log", lambda episodes: told.set()) as log:
        for event in events:
            log.append_event(event)
        assert told.wait(60)
    assert event_log.SYNC_SECONDS < 0.1


def test_a_writer_that_gets_no_turn_is_given_one(tmp_path: Path, events: list[AnyEvent]) -> None:
    """Without a pause in sight, what was appended is on disk within the time promised."""
    told: list[float] = []
    with EventLog(tmp_path / "log", lambda episodes: told.append(time.monotonic())) as log:
        start = time.monotonic()
        while time.monotonic() - start < 0.5:
            for event in events:
                log.append_event(event)
        end = time.monotonic()
    waits = [after - before for before, after in pairwise([start, *(t for t in told if t < end), end])]
    assert len(waits) >= 4, "half a second of events cannot be one group"


def test_two_processes_cannot_write_the_same_log(tmp_path: Path) -> None:
    with EventLog(tmp_path / "log"), pytest.raises(Problem, match="another process"):
        EventLog(tmp_path / "log")


@pytest.mark.parametrize(
    "tail", [b'{"type":"clo', b"\0" * 20, b"\0" * 10 + b"\n" + b'{"type":"mo\0\n{"type":']
)
def test_a_torn_tail_is_dropped_and_nothing_else(tmp_path: Path, events: list[AnyEvent], tail: bytes) -> None:
    whole = b"".join(encode_event_json(event) + b"\n" for event in events)
    path = tmp_path / "log"
    path.write_bytes(whole + tail)
    assert b"".join(line for _, line in whole_log_lines(path)) == whole
    cut_torn_log_tail(path)
    assert path.read_bytes() == whole


def test_whole_lines_after_a_torn_one_are_never_thrown_away(tmp_path: Path, events: list[AnyEvent]) -> None:
    path = tmp_path / "log"
    data = encode_event_json(events[0]) + b"\n\0\0\0\n" + encode_event_json(events[1]) + b"\n"
    path.write_bytes(data)
    for read in (
        lambda: list(read_log_transcripts(path, game)),
        lambda: cut_torn_log_tail(path),
        lambda: EventLog(path).close(),
    ):
        with pytest.raises(Problem, match="log:2 is torn, and whole lines follow"):
            read()
    assert path.read_bytes() == data


def test_a_log_that_is_cut_at_any_byte_can_still_be_read(tmp_path: Path, events: list[AnyEvent]) -> None:
    whole = b"".join(encode_event_json(event) + b"\n" for event in events)
    path = tmp_path / "log"
    for end in range(0, len(whole), 37):
        path.write_bytes(whole[:end])
        found = [event for t in read_log_transcripts(path, game) for event in t.events]
        assert found == events[: whole[:end].count(b"\n")]


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path, events: list[AnyEvent]) -> None:
    path = tmp_path / "log"
    path.write_bytes(encode_event_json(events[0]) + b"\n{}\n" + encode_event_json(events[1]) + b"\n")
    with pytest.raises(Problem, match="log:2 is not an event"):
        list(read_log_transcripts(path, game))


def test_an_event_of_an_episode_that_was_never_opened_is_named(
    tmp_path: Path, events: list[AnyEvent]
) -> None:
    path = tmp_path / "log"
    path.write_bytes(encode_event_json(events[1]) + b"\n")
    with pytest.raises(Problem, match="was not opened"):
        list(read_log_transcripts(path, game))


def test_a_disk_that_fills_stops_the_run_and_keeps_what_was_there(
    tmp_path: Path, events: list[AnyEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    with EventLog(tmp_path / "log") as log:
        log.append_event(events[0])

    def full(file: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    told: list[str] = []
    log = EventLog(tmp_path / "log", told.extend)
    log.append_event(events[1])
    with pytest.raises(OSError, match="No space left"):  # noqa: PT012 - it may take a moment until the writer has seen it
        for _ in range(1000):
            time.sleep(0.005)
            log.append_event(Failed(episode="x", at=0, role="giver", boundary="b", message="m"))
    with pytest.raises(OSError, match="No space left"):
        log.close()
    assert told == []
    assert (tmp_path / "log").read_bytes() == encode_event_json(events[0]) + b"\n"


def test_a_short_write_is_continued(
    tmp_path: Path, events: list[AnyEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, bytes(data[:7])))
    with EventLog(tmp_path / "log") as log:
        for event in events:
            log.append_event(event)
    assert (tmp_path / "log").read_bytes() == b"".join(encode_event_json(event) + b"\n" for event in events)


def test_an_event_that_is_no_json_stops_the_run(tmp_path: Path, events: list[AnyEvent]) -> None:
    odd = Replied(episode=events[0].episode, at=0, role="giver", text="", detail={"odd": object()})
    log = EventLog(tmp_path / "log")
    log.append_event(events[0])
    log.append_event(odd)
    with pytest.raises(TypeError, match="object"):
        log.close()


def test_a_lone_surrogate_is_logged_as_a_question_mark(tmp_path: Path, events: list[AnyEvent]) -> None:
    odd = Replied(episode=events[0].episode, at=0, role="giver", text="", detail={"odd": "a\ud800"})
    with EventLog(tmp_path / "log") as log:
        for event in (events[0], odd):
            log.append_event(event)
    first, second = (tmp_path / "log").read_bytes().splitlines()
    assert first == encode_event_json(events[0])
    assert json.loads(second)["detail"] == {"odd": "a?"}
