"""Texts to test a game's `read` with: texts from play, variants of them, and generated ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundling.core.evidence import Evidence, Point


def trial_text_variants(text: str) -> list[str]:
    """Return a text and the ways in which people and models alter it."""
    return [
        text,
        text.upper(),
        text.lower(),
        text.swapcase(),
        f"  {text}\n\n",
        text.replace(" ", "  "),
        text.replace(" ", "\n"),
        text.replace(" ", ""),
        f"Sure! Here it is:\n{text}",
        f"{text}\n\nI hope that this helps.",
        f"{text} 1 2 3",
        f"{text}\n{text}",
        f"```\n{text}\n```",
        f'"{text}"',
        text[: len(text) // 2],
        text[len(text) // 2 :],
        text[::-1],
        "",
    ]


def run_text_trials(e: Evidence, judge: Callable[[Point, str], str | None]) -> Iterator[str]:
    """Yield the judge's messages on texts from play and their variants. If there are none, yield its message
    on the simplest generated text that it objects to."""
    bent_texts = [(point, text) for point in e.turns for text in trial_text_variants(point.text)]
    found = [message for message in (judge(point, text) for point, text in bent_texts) if message]
    yield from found
    if found or not e.turns:
        return
    from hypothesis import HealthCheck, Phase, Verbosity, given, settings
    from hypothesis import strategies as st

    def texts(number: int) -> st.SearchStrategy[tuple[Point, str]]:
        point = e.turns[number]
        places = st.integers(0, len(point.text))
        spliced = st.builds(
            lambda a, b, new: point.text[:a] + new + point.text[b:], places, places, st.text()
        )
        return st.tuples(st.just(point), spliced | st.text())

    @settings(
        database=None,
        derandomize=True,
        deadline=None,
        max_examples=e.texts,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )
    @given(st.integers(0, len(e.turns) - 1).flatmap(texts))
    def trial(case: tuple[Point, str]) -> None:
        message = judge(*case)
        if message:
            found.append(message)
            raise AssertionError(message)

    try:
        trial()
    # hypothesis ends on the simplest case, or reports that the game is not deterministic
    except Exception:
        if not found:
            raise
        yield found[-1]
