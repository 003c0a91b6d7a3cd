"""How like somebody's language texts are."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st
from papers.codraw.ngrams import BEGIN, END, UNKNOWN, KneserNey, KnownNgrams

from groundling.scores.token_count import split_lower_words

TEXTS = [
    split_lower_words(text)
    for text in (
        "A big sun, top left.",
        "a big tree on the left",
        "the girl is on the right , next to the tree",
        "the boy is left of the girl .",
        "a small sun , top right .",
        "the dog is on the left",
    )
]
words = st.sampled_from(["a", "big", "sun", "the", "left", "boy", "zebra", ","])


def test_words_and_marks_are_separated_and_small() -> None:
    assert split_lower_words("It's 1/2 Big.") == ["it", "'", "s", "1", "/", "2", "big", "."]


@given(st.lists(st.lists(words, max_size=6), max_size=8), st.tuples(words, words, words), st.integers(1, 4))
def test_the_likelihoods_of_all_that_can_follow_add_up_to_1(
    texts: list[list[str]], before: tuple[str, ...], order: int
) -> None:
    model = KneserNey(texts, order)
    context = tuple(word if word in model.words else UNKNOWN for word in before)[: order - 1]
    for start in (context, (BEGIN,) * (order - 1)):
        assert isclose(sum(model.word_likelihood(start, word) for word in (*model.words, UNKNOWN, END)), 1.0)


def test_what_was_learned_from_is_likelier_than_the_same_words_backwards() -> None:
    model = KneserNey(TEXTS)
    forwards, backwards = model.perplexity(TEXTS), model.perplexity([text[::-1] for text in TEXTS])
    assert forwards is not None
    assert backwards is not None
    assert forwards < backwards / 2
    assert model.perplexity([]) is None


def test_words_that_were_never_heard_can_be_said_and_cost_more() -> None:
    model = KneserNey(TEXTS)
    known, unknown = (
        model.perplexity([split_lower_words(text)])
        for text in ("the sun is on the left", "wug blicket on dax")
    )
    assert known is not None
    assert unknown is not None
    assert 1 < known < unknown


def test_the_shares_of_known_runs_are_of_all_that_occur() -> None:
    known = KnownNgrams(TEXTS)
    assert known.known_shares(TEXTS) == (1.0, 1.0, 1.0, 1.0)
    assert known.known_shares([["a", "big", "zebra"]]) == (2 / 3, 1 / 2, 0.0, None)
