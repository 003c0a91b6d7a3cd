"""A Drawer that starts from a reader which knows English. The reader here has the form of the real one, and
knows nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from msgspec.json import encode  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402
from torch import Tensor  # noqa: E402
from torch.nn import functional as F  # noqa: E402, N812

from groundling.boards.scene import KINDS  # noqa: E402
from groundling.core.values import Problem  # noqa: E402
from groundling.games.codraw.neural.dialog_pack import DialogPack  # noqa: E402
from groundling.games.codraw.neural.drawer_trainer import train_drawer  # noqa: E402
from groundling.games.codraw.neural.jobs import Job  # noqa: E402
from groundling.games.codraw.neural.pretrained import (  # noqa: E402
    HEADS,
    INNER,
    LAYERS,
    WIDTH,
    convert_pretrained_reader,
    load_pretrained_reader,
    pretrained_reader_settings,
    read_pretrained_vocabulary,
)
from groundling.games.codraw.neural.transformer import ReaderState, TransformerDrawer  # noqa: E402
from groundling.games.codraw.neural.vocabulary import MARKS, START  # noqa: E402


@pytest.fixture(scope="module")
def reader(dialogs: DialogPack, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    said = {word for message in (*dialogs.corpus.teller, *KINDS) for word in message.lower().split()}
    pieces = [*MARKS, *sorted(said | set("abcdefghijklmnopqrstuvwxyz") | {"never", "said"}), "##s"]
    (folder / "vocab.txt").write_text("\n".join(pieces))
    drawn = torch.Generator().manual_seed(1)

    def numbers(*shape: int) -> Tensor:
        found: Tensor = torch.randn(shape, generator=drawn) * 0.02
        return found

    state = {
        "embeddings.word_embeddings.weight": numbers(len(pieces), WIDTH),
        "embeddings.position_embeddings.weight": numbers(512, WIDTH),
        "embeddings.token_type_embeddings.weight": numbers(2, WIDTH),
        "embeddings.LayerNorm.weight": 1 + numbers(WIDTH),
        "embeddings.LayerNorm.bias": numbers(WIDTH),
    }
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        for part in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            state |= {f"{name}{part}.weight": numbers(WIDTH, WIDTH), f"{name}{part}.bias": numbers(WIDTH)}
        wide = INNER * WIDTH
        state |= {
            f"{name}intermediate.dense.weight": numbers(wide, WIDTH),
            f"{name}intermediate.dense.bias": numbers(wide),
        }
        state |= {
            f"{name}output.dense.weight": numbers(WIDTH, wide),
            f"{name}output.dense.bias": numbers(WIDTH),
        }
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            state |= {f"{name}{norm}.weight": 1 + numbers(WIDTH), f"{name}{norm}.bias": numbers(WIDTH)}
    save_file(state, folder / "model.safetensors")
    convert_pretrained_reader(folder, dialogs.corpus.teller, folder / "cut.safetensors")
    return folder / "cut.safetensors"


def test_only_words_that_are_needed_are_kept(reader: Path) -> None:
    words = read_pretrained_vocabulary(reader).words
    assert words[:4] == MARKS
    assert "said" not in words
    assert {"tree", "left", "##s"} <= set(words)


def started(reader: Path) -> TransformerDrawer:
    words = read_pretrained_vocabulary(reader)
    model = TransformerDrawer(pretrained_reader_settings(words)).eval()
    load_pretrained_reader(model, reader, words)
    return model


def test_all_of_the_reader_is_taken_over_and_nothing_that_reads_is_left_as_it_was(reader: Path) -> None:
    model = started(reader)
    now, stored = model.state_dict(), load_file(reader)
    stored["places.weight"] = stored["places.weight"][: model.longest]
    assert {
        name for name in now if name.startswith(("words.", "places.", "norm.", "reader."))
    } == stored.keys()
    assert all(torch.equal(now[name], value.float()) for name, value in stored.items())


@pytest.mark.parametrize("instead", [None, "reader.layers.0.self_attn.in_proj_weight"])
def test_a_reader_whose_parts_are_not_ours_is_not_taken_for_one(
    instead: str | None, reader: Path, tmp_path: Path
) -> None:
    words, stored = read_pretrained_vocabulary(reader), load_file(reader)
    taken = stored.pop("reader.0.own.weight")
    if instead is not None:
        stored[instead] = taken
    save_file(stored, file := tmp_path / "other.safetensors", {"words": encode(words.words).decode()})
    with pytest.raises(Problem, match="is no pretrained reader"):
        load_pretrained_reader(TransformerDrawer(pretrained_reader_settings(words)), file, words)


def test_a_message_is_read_as_the_model_read_it_that_it_was_cut_from(reader: Path) -> None:
    state = load_file(reader.parent / "model.safetensors")
    pieces = (reader.parent / "vocab.txt").read_text().split("\n")
    words = read_pretrained_vocabulary(reader)
    said = [START, *words.encode_message("a large tree on the left")]

    def times(name: str, row: Tensor) -> Tensor:
        return F.linear(row, state[f"{name}.weight"], state[f"{name}.bias"])

    def normed(name: str, row: Tensor) -> Tensor:
        return F.layer_norm(row, (WIDTH,), state[f"{name}.weight"], state[f"{name}.bias"], 1e-12)

    known = [pieces.index(words.words[word]) for word in said]
    row = (
        state["embeddings.word_embeddings.weight"][known]
        + state["embeddings.position_embeddings.weight"][: len(said)]
    )
    row = normed("embeddings.LayerNorm", row + state["embeddings.token_type_embeddings.weight"][0])
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}."
        heads = [times(f"{name}attention.self.{part}", row) for part in ("query", "key", "value")]
        asked, keys, values = (part.view(len(said), HEADS, -1).transpose(0, 1) for part in heads)
        seen = (asked @ keys.transpose(1, 2) / (WIDTH / HEADS) ** 0.5).softmax(-1) @ values
        looked = times(f"{name}attention.output.dense", seen.transpose(0, 1).flatten(1))
        row = normed(f"{name}attention.output.LayerNorm", row + looked)
        thought = times(f"{name}output.dense", F.gelu(times(f"{name}intermediate.dense", row)))
        row = normed(f"{name}output.LayerNorm", row + thought)

    model, found = started(reader), list[Tensor]()
    model.reader[-1].register_forward_hook(lambda *made: found.append(made[-1]))
    with torch.no_grad():
        model.read_messages([ReaderState()], [said])
    assert torch.allclose(found[0], row, atol=0.01)


@pytest.mark.parametrize("blind", [False, True])
def test_it_starts_with_numbers_for_every_kind_even_if_it_will_hear_no_words(
    blind: bool, reader: Path
) -> None:
    words = read_pretrained_vocabulary(reader, blind)
    model = TransformerDrawer(pretrained_reader_settings(words))
    load_pretrained_reader(model, reader, words)
    assert torch.isfinite(model.kinds).all()
    assert torch.isfinite(model.eval()(torch.tensor([[2, 3]]), torch.zeros(1, dtype=torch.long)).target).all()


@pytest.mark.slow
def test_it_learns_from_there(reader: Path, dialogs: DialogPack, tmp_path: Path) -> None:
    job = Job(name="minilm", model="minilm", batch=2, plan={"steps": 2, "every": 2, "warmup": 0})
    card = train_drawer(dialogs, job, tmp_path, where=torch.device("cpu"), pretrained=reader)
    assert card.step == 2
    assert card.words == read_pretrained_vocabulary(reader).words


def test_without_the_reader_it_says_what_is_missing(dialogs: DialogPack, tmp_path: Path) -> None:
    with pytest.raises(Problem, match="--pretrained"):
        train_drawer(dialogs, Job(name="minilm", model="minilm"), tmp_path, where=torch.device("cpu"))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("how", ["junk", "no words", "words alone"])
def test_what_is_no_reader_is_reported_in_one_line(how: str, dialogs: DialogPack, tmp_path: Path) -> None:
    (out := tmp_path / "out").mkdir()
    file = tmp_path / "reader.safetensors"
    if how == "junk":
        file.write_bytes(b"nothing of the kind")
    else:
        save_file(
            {"other": torch.zeros(2)},
            file,
            {"words": encode(MARKS).decode()} if how == "words alone" else None,
        )
    with pytest.raises(Problem, match="is no pretrained reader: make it with") as told:
        train_drawer(
            dialogs, Job(name="minilm", model="minilm"), out, where=torch.device("cpu"), pretrained=file
        )
    assert "\n" not in str(told.value)
    assert not list(out.iterdir())
