"""How far something has come can be read in a log too."""

from __future__ import annotations

import pytest

from groundling.progress import LOG_INTERVAL, LogProgressBar, progress_bar


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_where_no_bar_can_be_drawn_a_line_is_told_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    bar = LogProgressBar(clock)
    for minute in range(3):
        for second in range(60):
            clock.now = 60 * minute + second
            bar.set_progress("loss 1.5", int(clock.now) * 10, 3000)
    assert LOG_INTERVAL == 60
    assert capsys.readouterr().err == "600 of 3,000 loss 1.5\n1,200 of 3,000 loss 1.5\n"


def test_steps_add_up_and_an_unknown_end_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    bar = LogProgressBar(clock)
    bar.set_progress("codraw", 2, 10)
    clock.now = LOG_INTERVAL
    bar.advance_by(3)
    clock.now = 2 * LOG_INTERVAL
    bar.set_progress("reading the dialogs", 0, 0)
    assert capsys.readouterr().err == "5 of 10 codraw\nreading the dialogs\n"


@pytest.mark.parametrize("shown", [False, True])
def test_what_is_soon_done_leaves_no_lines(shown: bool, capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(shown) as bar:
        bar.set_progress("codraw", 0, 10)
        bar.advance_by(10)
    assert capsys.readouterr() == ("", "")
