"""Models from a local GGUF file, which need no key and work offline."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import SHUT_RDWR
from typing import Any
from urllib.parse import urlsplit

from groundling.core.pack import Seat
from groundling.core.player import Unable
from groundling.core.values import Problem, missing_extra
from groundling.players.chat.chat_model import ModelAnswer, read_count_option, read_sampling
from groundling.players.chat.messages import PromptMessage
from groundling.players.chat.token_estimate import estimate_prompt_tokens

MAGIC = b"GGUF"
LOADING_OPTIONS = {"context": "8192", "parallel": "2", "threads": "0"}
"""Options of a seat with their defaults. 0: the model's own context, one request at a time, all cores."""
_servers: dict[tuple[str, int, int, int], Any] = {}
"""Loaded models, shared by all seats."""


class GgufModel:
    def __init__(self, seat: Seat) -> None:
        path = Path(seat.arg)
        if not seat.arg:
            raise Problem(f"gguf needs a file: {seat.role}=gguf:PATH")
        with path.open("rb") as file:
            if file.read(4) != MAGIC:
                raise Problem(f"{path} is not a GGUF file: give a model file that llama.cpp can load")
        self.name = f"gguf:{path.name}"
        self.sampling = {"max_tokens": 512, **read_sampling(seat), "file": _file_fingerprint(path)}
        self._server = _load_server(
            path, *(read_count_option(seat, name, default) for name, default in LOADING_OPTIONS.items())
        )

    async def answer(self, conversation: list[PromptMessage], seed: int) -> ModelAnswer:
        if any(message.picture for message in conversation):
            raise Unable("picture", f"{self.name} reads no pictures: seat it with see=text")
        body = {key: value for key, value in self.sampling.items() if key != "file"}
        body |= {"messages": _to_chat_dicts(conversation), "seed": seed % 2**31}
        connection = self._connect()
        try:
            reply = await asyncio.to_thread(_post, connection, "/v1/chat/completions", body)
        except (HTTPException, OSError) as trouble:
            raise Unable("provider", f"{self.name}: {trouble!r}") from None
        finally:  # after Ctrl-C, llama.cpp gives up a request whose connection was closed
            _close(connection)
        if not reply.get("choices"):
            error = reply.get("error", reply)
            raise Unable("provider", f"{self.name}: {error.get('message', error)}")
        choice, usage = reply["choices"][0], reply.get("usage", {})
        names = {
            "input_tokens": "prompt_tokens",
            "output_tokens": "completion_tokens",
            "total_tokens": "total_tokens",
        }
        counts = {key: usage[name] for key, name in names.items() if name in usage}
        message = choice["message"]
        detail = {"stop": choice.get("finish_reason"), "fingerprint": reply.get("system_fingerprint")}
        return ModelAnswer(
            message.get("content") or "", message.get("reasoning_content") or "", counts, detail
        )

    def count_prompt_tokens(self, conversation: Sequence[PromptMessage]) -> int:
        """Count with the model's own chat template and tokenizer."""
        connection, messages = self._connect(), _to_chat_dicts(conversation)
        try:
            prompt = _post(connection, "/apply-template", {"messages": messages})["prompt"]
            return len(_post(connection, "/tokenize", {"content": prompt, "add_special": True})["tokens"])
        except KeyError:  # the template refuses these messages, and so will the call
            return estimate_prompt_tokens(conversation)
        finally:
            _close(connection)

    def _connect(self) -> HTTPConnection:
        connection = HTTPConnection(urlsplit(self._server.listening_address).netloc)
        connection.connect()
        return connection


def _post(connection: HTTPConnection, path: str, body: dict[str, Any]) -> Any:
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    return json.load(connection.getresponse())


def _close(connection: HTTPConnection) -> None:
    """Close the connection, also while another thread waits for its reply."""
    if connection.sock:
        with suppress(OSError):
            connection.sock.shutdown(SHUT_RDWR)
    connection.close()


def _to_chat_dicts(conversation: Sequence[PromptMessage]) -> list[dict[str, str]]:
    return [{"role": message.author, "content": message.text} for message in conversation]


def _load_server(path: Path, context: int, parallel: int, threads: int) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise missing_extra("local") from None
    parallel = parallel or 1
    key = (str(path.resolve()), context, parallel, threads)
    if key not in _servers:
        params = xllamacpp.CommonParams()
        params.model.path = key[0]
        params.n_ctx, params.n_parallel, params.verbosity = context * parallel, parallel, -1
        for cores in (params.cpuparams, params.cpuparams_batch):
            cores.n_threads, cores.poll = (threads or -1, 0)  # polling threads stall each other
        try:
            _servers[key] = xllamacpp.Server(params)
        except RuntimeError as trouble:
            raise Problem(f"{path} cannot be loaded ({trouble}): is it a whole GGUF model?") from None
    return _servers[key]


def _file_fingerprint(path: Path) -> str:
    """A hash of the file's size and first mebibyte, as reading gigabytes takes too long."""
    with path.open("rb") as file:
        return sha256(f"{path.stat().st_size}/".encode() + file.read(1 << 20)).hexdigest()[:16]
