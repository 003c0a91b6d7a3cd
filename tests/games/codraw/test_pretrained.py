"""A Drawer that starts from a reader which knows English. The reader here has the form of the real one, and knows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from msgspec.json import encode  # noqa: E402
from safetensors.torch import save_file  # noqa: E402
from tests.games.codraw import narrated  # noqa: E402

from groundling.boards.scene import KINDS  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.neural.jobs import Job  # noqa: E402
from groundling.games.codraw.neural.learn import train_drawer  # noqa: E402
from groundling.games.codraw.neural.packing import Pack  # noqa: E402
from groundling.games.codraw.neural.pretrained import (  # noqa: E402
    INNER,
    LAYERS,
    WIDTH,
    cut_down,
    settings,
    start_from,
    vocabulary,
)
from groundling.games.codraw.neural.transformer import TransformerDrawer  # noqa: E402
from groundling.games.codraw.neural.words import MARKS  # noqa: E402


@pytest.fixture(scope="module")
def dialogs(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return narrated.packed(tmp_path_factory.mktemp("narrated"))


@pytest.fixture(scope="module")
def reader(dialogs: Pack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    said = {word for message in (*dialogs.corpus.teller, *KINDS) for word in message.lower().split()}
    pieces = [*MARKS, *sorted(said | set("abcdefghijklmnopqrstuvwxyz") | {"never", "said"}), "##s"]
    (folder / "vocab.txt").write_text("\n".join(pieces))
    drawn = torch.Generator().manual_seed(1)

    def numbers(*shape: int) -> object:
        return torch.randn(shape, generator=drawn) * 0.02

    state = {
        "embeddings.word_embeddings.weight": numbers(len(pieces), WIDTH),
        "embeddings.position_embeddings.weight": numbers(512, WIDTH),
        "embeddings.token_type_embeddings.weight": numbers(2, WIDTH),
        "embeddings.LayerNorm.weight": torch.ones(WIDTH),
        "embeddings.LayerNorm.bias": torch.zeros(WIDTH),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            state |= {f"{name}{part}.weight": numbers(WIDTH, WIDTH), f"{name}{part}.bias": torch.zeros(WIDTH)}
        wide = INNER * WIDTH
        state |= {f"{name}intermediate.dense.weight": numbers(wide, WIDTH), f"{name}intermediate.dense.bias": torch.zeros(wide)}
        state |= {f"{name}output.dense.weight": numbers(WIDTH, wide), f"{name}output.dense.bias": torch.zeros(WIDTH)}
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            state |= {f"{name}{norm}.weight": torch.ones(WIDTH), f"{name}{norm}.bias": torch.zeros(WIDTH)}
    save_file(state, folder / "model.safetensors")
    cut_down(folder, dialogs.corpus.teller, folder / "cut.safetensors")
    return folder / "cut.safetensors"


def test_only_words_that_are_needed_are_kept(reader: Path) -> None:
    words = vocabulary(reader).words
    assert words[:4] == MARKS
    assert "said" not in words
    assert {"tree", "left", "##s"} <= set(words)


@pytest.mark.parametrize("blind", [False, True])
def test_it_starts_with_numbers_for_every_kind_even_if_it_will_hear_no_words(blind: bool, reader: Path) -> None:
    words = vocabulary(reader, blind)
    model = TransformerDrawer(settings(words))
    start_from(model, reader, words)
    assert torch.isfinite(model.kinds).all()
    assert torch.isfinite(model.eval()(torch.tensor([[2, 3]]), None, torch.zeros(1, dtype=torch.long)).target).all()


def test_it_learns_from_there(reader: Path, dialogs: Pack, tmp_path: Path) -> None:
    job = Job(name="minilm", model="minilm", batch=2, plan={"steps": 2, "every": 2, "warmup": 0})
    card = train_drawer(dialogs, job, tmp_path, where=torch.device("cpu"), pretrained=reader)
    assert card.step == 2
    assert card.words == vocabulary(reader).words


def test_without_the_reader_it_says_what_is_missing(dialogs: Pack, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="--pretrained"):
        train_drawer(dialogs, Job(name="minilm", model="minilm"), tmp_path, where=torch.device("cpu"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("how", ["junk", "no words", "words alone"])
def test_what_is_no_reader_is_told_of_in_one_line(how: str, dialogs: Pack, tmp_path: Path) -> None:
    (out := tmp_path / "out").mkdir()
    file = tmp_path / "reader.safetensors"
    if how == "junk":
        file.write_bytes(b"nothing of the kind")
    else:
        save_file({"other": torch.zeros(2)}, file, {"words": encode(MARKS).decode()} if how == "words alone" else None)
    with pytest.raises(Problem, match="is no pretrained reader: make it with") as told:
        train_drawer(dialogs, Job(name="minilm", model="minilm"), out, where=torch.device("cpu"), pretrained=file)
    assert "\n" not in str(told.value)
    assert not list(out.iterdir())
