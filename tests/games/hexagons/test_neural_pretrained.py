"""Executors over pretrained models, shown with tiny ones made on the spot."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from tests.games.hexagons.procedures import TINY_TILES, train, write_published

torch = pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]' to run these")

from groundling.cli import main  # noqa: E402
from groundling.games.hexagons.neural import load_writer_network  # noqa: E402
from groundling.games.hexagons.neural.generator import Generator  # noqa: E402
from groundling.games.hexagons.neural.model_factory import load_executor_model  # noqa: E402
from groundling.games.hexagons.neural.procedures import BLANK  # noqa: E402
from groundling.games.hexagons.neural.situations import Situation  # noqa: E402
from groundling.games.hexagons.neural.smollm2 import ELSEWHERE  # noqa: E402
from groundling.train.ternary import is_ternary  # noqa: E402

os.environ.setdefault("HF_HUB_OFFLINE", "1")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("data"))


def play(data: Path, folder: Path, out: Path, options: str = "") -> int:
    words = [
        "play",
        "hexagons",
        "--data",
        str(data),
        "--split",
        "dev",
        "--seat",
        f"executor=weights:{folder}{options}",
    ]
    return main([*words, "-o", str(out)])


def write_gguf(file: Path) -> None:
    """A model of SmolLM2's kind with two layers of random weights."""
    gguf = pytest.importorskip("gguf")
    from tokenizers.pre_tokenizers import ByteLevel

    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    pieces = [*marks, *sorted(ByteLevel.alphabet()), "re"]
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_vocab_size(len(pieces))
    writer.add_embedding_length(64)
    writer.add_block_count(2)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_feed_forward_length(96)
    writer.add_rope_freq_base(10000.0)
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(pieces)
    writer.add_token_types([3] * len(marks) + [1] * (len(pieces) - len(marks)))
    writer.add_token_merges(["r e"])
    shapes = {"attn_q": (64, 64), "attn_k": (32, 64), "attn_v": (32, 64), "attn_output": (64, 64)}
    shapes |= {"ffn_gate": (96, 64), "ffn_up": (96, 64), "ffn_down": (64, 96)}
    writer.add_tensor("token_embd.weight", (torch.randn(len(pieces), 64) * 0.1).numpy())
    writer.add_tensor("output_norm.weight", torch.ones(64).numpy())
    for layer in range(2):
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{name}.weight", torch.ones(64).numpy())
        for name, shape in shapes.items():
            writer.add_tensor(f"blk.{layer}.{name}.weight", (torch.randn(*shape) * 0.1).numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize(("more", "ternary"), [((), True), (("--then-epochs", "1"), False)])
def test_what_is_learned_over_smollm2_is_saved_and_played(
    more: tuple[str, ...],
    ternary: bool,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_gguf(tmp_path / "tiny.gguf")
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "tiny.gguf"))
    small = {"answer": 8, "ternary": ternary}
    folder = train("hexagons-generator", data, tmp_path / "out", "--model", "smollm2", *more, settings=small)
    assert (folder / "weights.safetensors").stat().st_size < (tmp_path / "tiny.gguf").stat().st_size / 2
    assert play(data, folder, tmp_path / "run") == 0
    write_gguf(tmp_path / "other.gguf")
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "other.gguf"))
    capsys.readouterr()
    from groundling.games.hexagons.neural import player

    player._load_player.cache_clear()
    assert play(data, folder, tmp_path / "again") == 2
    err = capsys.readouterr().err
    assert "is not the SmolLM2 that these weights belong to" in err
    assert err.count("\n") == 1


def test_a_difference_to_smollm2_writes_instructions(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "tiny.gguf")
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "tiny.gguf"))
    more = ("--model", "smollm2", "--writes", "words")
    folder = train("hexagons-generator", data, tmp_path / "out", *more, settings={"answer": 8})
    writer, info = load_writer_network(folder, draws=1, seed=0)
    situation = Situation((), (BLANK, "4" + BLANK[1:]), ("paint red 1,1",))
    assert writer(situation) == writer(situation)
    assert info.facts["model"] == "hexagons-smollm2"


def test_the_best_of_several_programs_is_the_same_in_every_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "tiny.gguf")
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "tiny.gguf"))
    more = ("--model", "smollm2", "--notation", "program")
    small = {"answer": 40}
    folder = train("hexagons-generator", data, tmp_path / "out", *more, settings=small)
    for name in ("one", "other"):
        assert play(data, folder, tmp_path / name, ",draws=3") == 0
    logs = ((tmp_path / name / "log.jsonl").read_text() for name in ("one", "other"))
    one, other = (sorted(re.sub(r'"at":[\d.]+', "", log).splitlines()) for log in logs)
    assert one == other


@pytest.mark.parametrize("layers", [1, 2])
def test_all_of_smollm2_or_some_of_its_layers_are_learned_and_kept_as_a_ternary_difference(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layers: int
) -> None:
    write_gguf(tmp_path / "tiny.gguf")
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "tiny.gguf"))
    more = ("--model", "smollm2")
    folder = train("hexagons-generator", data, tmp_path / "out", *more, settings={"layers": layers})
    model, card, _ = load_executor_model(folder)
    assert isinstance(model, Generator)
    assert card.settings["llama"]["ternary"]
    changes = {name: value for name, value in model.state_dict().items() if name.endswith(".change")}
    assert len(changes) == 7 * layers
    assert all(is_ternary(value) for value in changes.values())
    assert any(value.any() for value in changes.values())
    # a model computes the same with its differences apart and added
    tokens = torch.tensor([[3, 4, 5, 6]])
    with torch.no_grad():
        apart = model.llama(tokens)
        model.round_changes(True)
        model.llama.add_changes()
        rounded = model.llama(tokens)
        model.merge_differences()
        together = model.llama(tokens)
    assert torch.allclose(apart, rounded, atol=1e-5)
    assert torch.allclose(apart, together, atol=1e-2)


@pytest.mark.parametrize("layers", [0, 3])
def test_layers_that_smollm2_does_not_have_are_told(
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    layers: int,
) -> None:
    write_gguf(tmp_path / "tiny.gguf")
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "tiny.gguf"))
    words = ["train", "hexagons-generator", "--data", str(data), "-o", str(tmp_path / "out")]
    assert main([*words, "--model", "smollm2", "--settings", f'{{"layers": {layers}}}']) == 2
    assert f"has 2 layers, not {layers}: give 1 to 2" in capsys.readouterr().err


def test_a_picture_is_not_smollm2(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("gguf")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    monkeypatch.setenv(ELSEWHERE, str(tmp_path / "picture.png"))
    assert main(["train", "hexagons-generator", "--data", str(data), "-o", str(tmp_path / "out")]) == 2
    err = capsys.readouterr().err
    assert "picture.png is not SmolLM2 in the GGUF format" in err
    assert err.count("\n") == 1


def save_tokenizer(folder: Path) -> int:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = [
        "<pad>",
        "</s>",
        "<unk>",
        "<s>",
        "red",
        "blue",
        "green",
        "tile",
        "the",
        "column",
        "none",
        ",",
        ":",
        "=>",
    ]
    words += [str(number) for number in range(20)]
    cut = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    cut.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cut.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    marks = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "bos_token": "<s>"}
    fast: Any = PreTrainedTokenizerFast
    fast(tokenizer_object=cut, **marks).save_pretrained(folder)
    return len(words)


def save_model(folder: Path, kind: str) -> Path:
    """A Hugging Face model with random weights."""
    transformers: Any = pytest.importorskip("transformers")
    folder.mkdir()
    words = save_tokenizer(folder)
    if kind == "encoder":
        shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
        model = transformers.BertModel(
            transformers.BertConfig(vocab_size=words, max_position_embeddings=64, **shape)
        )
    else:
        shape = {"d_model": 32, "d_kv": 16, "d_ff": 32, "num_layers": 1, "num_heads": 2}
        ends = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
        model = transformers.T5ForConditionalGeneration(
            transformers.T5Config(vocab_size=words, **shape, **ends)
        )
    model.save_pretrained(folder)
    return folder


@pytest.mark.parametrize(
    ("kind", "trainer"), [("encoder", "hexagons-classifier"), ("seq2seq", "hexagons-generator")]
)
def test_any_model_of_hugging_face_can_be_trained_and_played(
    kind: str, trainer: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = save_model(tmp_path / "base", kind)
    more = ["--model", kind, "--base", str(base)]
    folder = train(
        trainer, data, tmp_path / "out", *more, settings=TINY_TILES if kind == "encoder" else {"answer": 8}
    )
    assert play(data, folder, tmp_path / "run") == 0
    assert "planned 2 = played 2" in capsys.readouterr().out


def test_a_file_that_is_no_model_is_reported_in_one_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    words = [
        "train",
        "hexagons-generator",
        "--data",
        str(data),
        "-o",
        str(tmp_path / "out"),
        "--model",
        "seq2seq",
    ]
    assert main([*words, "--base", str(tmp_path / "picture.png")]) == 2
    err = capsys.readouterr().err
    assert "picture.png cannot be loaded as a Hugging Face model" in err
    assert err.count("\n") == 1
