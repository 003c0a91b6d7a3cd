"""A Drawer that hears the whole dialog reads each message once, and makes of it what it would make of all of
it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from torch import Tensor, nn  # noqa: E402

from groundling.games.codraw.neural import reading_cache  # noqa: E402
from groundling.games.codraw.neural.layers import AnswerLayer, AttentionFunction, ReaderLayer  # noqa: E402
from groundling.games.codraw.neural.reading_cache import ReadingCache, WordNumbers  # noqa: E402
from groundling.games.codraw.neural.teller_generation import pad_generated_rows  # noqa: E402
from groundling.games.codraw.neural.transformer import (  # noqa: E402
    ReaderState,
    SceneGuess,
    TransformerDrawer,
    TransformerSettings,
)
from groundling.games.codraw.neural.vocabulary import END, START, UNKNOWN  # noqa: E402

CPU = torch.device("cpu")
KNOWN, WIDTH = 20, 32
LOOK: AttentionFunction = nn.functional.scaled_dot_product_attention
MIRROR = (0, 1, 2, 3, 5, 4, 7, 6, *range(8, KNOWN))
Said = tuple[WordNumbers, ...]
"""Messages."""

WORD = st.integers(4, KNOWN - 1) | st.just(UNKNOWN)
DIALOG: st.SearchStrategy[Said] = st.lists(
    st.lists(WORD, max_size=6).map(lambda said: (*said, END)), min_size=1, max_size=5
).map(tuple)
GAMES = st.lists(DIALOG, min_size=1, max_size=4)
SUN, TREE, DOG = (4, 5, 6, END), (7, 8, 5, END), (9, 10, 11, 12, END)


@pytest.fixture(autouse=True)
def nothing_is_learned() -> Iterator[None]:
    with torch.inference_mode():
        yield


def drawer(after: bool = False, longest: int = 40) -> TransformerDrawer:
    """Knows nothing, but what it guesses depends on all that it hears."""
    torch.manual_seed(1)
    form = TransformerSettings(
        words=KNOWN, width=WIDTH, heads=2, layers=2, deep=2, longest=longest, after=after, mirror=MIRROR
    )
    model = TransformerDrawer(form).eval()
    for part in (model.out.weight, model.through.weight, model.usual):
        nn.init.normal_(part)
    return model


def so_far(said: Said, messages: int | None = None) -> WordNumbers:
    return (START, *(word for message in said[:messages] for word in message))


def at_once(model: TransformerDrawer, dialogs: Sequence[WordNumbers], mirror: int = 0) -> SceneGuess:
    """What it guesses of whole dialogs, as likelihoods."""
    found = model(pad_generated_rows(dialogs, CPU), torch.full((len(dialogs),), mirror))
    return SceneGuess(
        found.target.sigmoid(), found.drawn.sigmoid(), found.xy, *(part.softmax(-1) for part in found[3:])
    )


def alike(one: SceneGuess, other: SceneGuess) -> bool:
    return all(torch.allclose(mine, theirs, atol=1e-5) for mine, theirs in zip(one, other, strict=True))


def same(one: SceneGuess, other: SceneGuess) -> bool:
    return all(torch.equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def only(guess: SceneGuess, row: int) -> SceneGuess:
    return SceneGuess(*(part[row : row + 1] for part in guess))


def made(model: TransformerDrawer, words: WordNumbers) -> list[Tensor]:
    """The keys and values of all words at each layer, where the whole dialog is heard at once."""
    found: list[Tensor] = []
    parts = [*(layer.own for layer in model.reader), *(layer.seen for layer in model.answerer)]
    hooks = [
        part.register_forward_hook(lambda *made: found.append(made[-1][0, :, -2 * WIDTH :]))  # type: ignore[union-attr]
        for part in parts
    ]
    at_once(model, [words])
    for hook in hooks:
        hook.remove()
    return found


def joined(heard: ReaderState) -> list[Tensor]:
    """The same of what was heard message by message."""
    return [torch.cat([part.transpose(0, 1).flatten(1) for part in both], 1) for both in heard.known]


def counted(model: TransformerDrawer, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The words that it will read."""
    read: list[int] = []
    hear: Callable[[Sequence[ReaderState], Sequence[WordNumbers]], list[ReaderState]] = model.read_messages

    def count(before: Sequence[ReaderState], messages: Sequence[WordNumbers]) -> list[ReaderState]:
        read.extend(word for message in messages for word in message)
        return hear(before, messages)

    monkeypatch.setattr(model, "read_messages", count)
    return read


@pytest.mark.parametrize("after", [False, True])
@settings(max_examples=15)
@given(DIALOG)
def test_what_is_said_later_changes_nothing_of_what_was_made_of_a_message(after: bool, said: Said) -> None:
    model = drawer(after)
    whole = made(model, so_far(said))
    heard = ReaderState()
    for turn, message in enumerate(said):
        (heard,) = model.read_messages([heard], [message if turn else (START, *message)])
        assert heard.words == len(so_far(said, turn + 1))
        for now, again, then in zip(joined(heard), made(model, so_far(said, turn + 1)), whole, strict=True):
            assert len(now) == heard.words
            assert torch.allclose(now, then[: heard.words], atol=1e-5)
            assert torch.allclose(again, then[: heard.words], atol=1e-5)


@pytest.mark.parametrize("after", [False, True])
def test_words_look_at_all_of_their_own_message_and_at_those_before_it(after: bool) -> None:
    model = drawer(after)
    dialogs = ((SUN, DOG), (TREE, DOG), (SUN, (*DOG[:-2], 13, END)))
    first, other, last = (made(model, so_far(said))[-1] for said in dialogs)
    place = len(so_far((SUN,)))
    assert not torch.allclose(first[place], other[place], atol=1e-3), "what was said before"
    assert not torch.allclose(first[place], last[place], atol=1e-3), "what comes later in it"
    assert torch.allclose(first[:place], last[:place], atol=1e-5)


@pytest.mark.parametrize("after", [False, True])
@settings(max_examples=15)
@given(GAMES)
def test_message_by_message_it_guesses_what_it_guesses_at_once(after: bool, games: list[Said]) -> None:
    model = drawer(after)
    readings = ReadingCache(model)
    for turn in range(max(len(said) for said in games)):
        dialogs = [so_far(said, turn + 1) for said in games]
        whole = at_once(model, dialogs)
        assert alike(readings.guess_scenes(dialogs), whole)
        assert alike(ReadingCache(model).guess_scenes(dialogs), whole)


def test_what_it_guesses_depends_on_what_was_said() -> None:
    guess = ReadingCache(drawer()).guess_scenes([so_far((SUN, TREE)), so_far((SUN, DOG))])
    assert not alike(only(guess, 0), only(guess, 1))


def test_what_stands_beside_a_dialog_to_fill_the_row_is_not_heard() -> None:
    model, unfinished = drawer(), [(START,), (START, 4, 5), (START, *SUN, 7)]
    guess = at_once(model, [*unfinished, so_far((SUN, TREE, DOG))])
    assert all(alike(only(guess, row), at_once(model, [words])) for row, words in enumerate(unfinished))


def test_a_message_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = drawer()
    read, readings = counted(model, monkeypatch), ReadingCache(model)
    said = (SUN, TREE, (END,), DOG, SUN)
    for turn in range(len(said)):
        for _ in range(2):
            readings.guess_scenes([so_far(said, turn + 1)])
            assert tuple(read) == so_far(said, turn + 1)


def test_games_in_which_the_same_was_said_get_the_same_answer_and_part_when_they_do() -> None:
    model = drawer()
    readings, begun = ReadingCache(model), so_far((SUN, TREE))
    guess = readings.guess_scenes([begun, begun])
    assert same(only(guess, 0), only(guess, 1))
    for said in ((SUN, TREE, DOG), (SUN, TREE, SUN), (SUN, TREE)):
        assert alike(readings.guess_scenes([so_far(said)]), at_once(model, [so_far(said)]))
    both = [so_far((SUN, TREE, TREE)), begun]
    assert alike(readings.guess_scenes(both), at_once(model, both)), "one goes on where the other is"


@pytest.mark.parametrize("most", [1, 3])
def test_a_dialog_that_was_forgotten_gets_the_same_answer_again(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialogs = [so_far((SUN, (word, END))) for word in range(4, 10)]
    monkeypatch.setattr(reading_cache, "REMEMBERED", most * len(dialogs[0]))
    model = drawer()
    read, readings = counted(model, monkeypatch), ReadingCache(model)
    first = [readings.guess_scenes([words]) for words in dialogs]
    assert len(readings._known) == most
    read.clear()
    assert same(readings.guess_scenes([dialogs[-1]]), first[-1])
    assert not read, "the last one was not forgotten"
    assert [
        same(readings.guess_scenes([words]), guess) for words, guess in zip(dialogs, first, strict=True)
    ] == [True] * 6
    assert len(read) == sum(map(len, dialogs))
    together = readings.guess_scenes(dialogs)
    assert all(alike(only(together, row), guess) for row, guess in enumerate(first))
    assert len(readings._known) == most


@pytest.mark.parametrize("mirror", [False, True])
def test_a_dialog_that_is_over_is_forgotten_and_no_other(
    mirror: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sun, tree, dog = (so_far((said,)) for said in (SUN, TREE, DOG))
    model = drawer()
    read, readings = counted(model, monkeypatch), ReadingCache(model, mirror)
    readings.guess_scenes([sun, tree])
    readings.forget_dialog(sun)
    readings.guess_scenes([dog])
    assert len(readings._known) == 2
    read.clear()
    readings.guess_scenes([tree, dog])
    assert not read
    readings.guess_scenes([sun])
    assert len(read) == len(sun)


def test_the_dialog_that_was_not_heard_of_for_longest_is_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sun, tree, dog = (so_far((said,)) for said in (SUN, TREE, DOG))
    monkeypatch.setattr(reading_cache, "REMEMBERED", len(sun) + len(dog))
    model = drawer()
    read, readings = counted(model, monkeypatch), ReadingCache(model)
    for words in (sun, tree, sun, dog, sun, tree):
        readings.guess_scenes([words])
    assert tuple(read) == (*sun, *tree, *dog, *tree)


@pytest.mark.parametrize("after", [False, True])
@settings(max_examples=15)
@given(DIALOG)
def test_of_a_dialog_that_is_too_long_the_end_is_heard(after: bool, said: Said) -> None:
    model = drawer(after, longest=9)
    readings, said = ReadingCache(model), (*said, SUN, DOG)
    for turn in range(len(said)):
        words = so_far(said, turn + 1)
        assert alike(readings.guess_scenes([words]), at_once(model, [words[-9:]]))


@pytest.mark.parametrize("after", [False, True])
@settings(max_examples=10)
@given(GAMES)
def test_what_it_guesses_in_the_mirror_is_turned_back(after: bool, games: list[Said]) -> None:
    model = drawer(after)
    readings = ReadingCache(model, mirror=True)
    for turn in range(max(len(said) for said in games)):
        dialogs = [so_far(said, turn + 1) for said in games]
        there = at_once(model, [tuple(MIRROR[word] for word in words) for words in dialogs], mirror=1)
        xy = torch.stack([1 - there.xy[..., 0], there.xy[..., 1]], -1)
        assert alike(readings.guess_scenes(dialogs), there._replace(xy=xy, flip=there.flip[..., [1, 0]]))


NAMES = {
    "self_attn.in_proj_": "own.",
    "self_attn.out_proj": "own_out",
    "multihead_attn.out_proj": "seen_out",
    "linear1": "think.0",
    "linear2": "think.3",
    "norm1": "norms.0",
    "norm2": "norms.1",
    "norm3": "norms.2",
}


def taken_from(theirs: nn.Module) -> dict[str, Tensor]:
    """The numbers of one of torch's layers, by our names."""
    found = {}
    for name, value in theirs.state_dict().items():
        if name.startswith(both := "multihead_attn.in_proj_"):
            end = name.removeprefix(both)
            found[f"ask.{end}"], found[f"seen.{end}"] = value[:WIDTH], value[WIDTH:]
        else:
            (old,) = (known for known in NAMES if name.startswith(known))
            found[NAMES[old] + name.removeprefix(old)] = value
    return found


def strange(layer: nn.Module) -> nn.Module:
    """No two of its numbers alike."""
    for part in layer.parameters():
        nn.init.normal_(part, std=0.3)
    return layer.eval()


@pytest.mark.parametrize("after", [False, True])
def test_layers_that_read_are_those_of_torch(after: bool) -> None:
    form: dict[str, Any] = {
        "activation": "gelu",
        "layer_norm_eps": 1e-12,
        "batch_first": True,
        "norm_first": not after,
    }
    theirs, ours = (
        strange(nn.TransformerEncoderLayer(WIDTH, 2, 3 * WIDTH, **form)),
        ReaderLayer(WIDTH, 2, 0.1, 3, after).eval(),
    )
    ours.load_state_dict(taken_from(theirs))
    row = torch.randn(2, 7, WIDTH)
    assert torch.allclose(ours(row, LOOK), theirs(row), atol=1e-4)


def test_layers_that_answer_are_those_of_torch() -> None:
    form: dict[str, Any] = {"activation": "gelu", "batch_first": True, "norm_first": True}
    theirs, ours = (
        strange(nn.TransformerDecoderLayer(WIDTH, 2, 2 * WIDTH, **form)),
        AnswerLayer(WIDTH, 2, 0.1, 2).eval(),
    )
    ours.load_state_dict(taken_from(theirs))
    row, beside = torch.randn(2, 7, WIDTH), torch.randn(2, 5, WIDTH)
    assert torch.allclose(
        ours(row, LOOK, lambda asked: LOOK(asked, *ours.project_keys(beside))), theirs(row, beside), atol=1e-4
    )


@pytest.mark.skipif(
    "onednn" not in torch.backends.quantized.supported_engines, reason="torch does not multiply bytes here"
)
@pytest.mark.parametrize("after", [False, True])
def test_in_bytes_an_answer_does_not_depend_on_who_else_asks(after: bool) -> None:
    model = drawer(after)
    model.to_byte_weights()
    lot = torch.Generator().manual_seed(2)
    games: list[Said] = [
        tuple(
            (*torch.randint(4, KNOWN, (number % 7,), generator=lot).tolist(), END)
            for _ in range(1 + number % 4)
        )
        for number in range(8)
    ]
    together = ReadingCache(model)
    for turn in range(4):
        dialogs = [so_far(said, turn + 1) for said in games]
        guess = together.guess_scenes(dialogs)
        for row, words in enumerate(dialogs):
            alone = ReadingCache(model).guess_scenes([words])
            assert same(only(guess, row), alone)
