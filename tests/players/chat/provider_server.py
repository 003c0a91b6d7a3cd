"""An OpenAI-like server in a thread, whose next answers are scripted, faults and all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


class ProviderServer:
    """Answers "Answer: second" unless `script` has something else for the next request."""

    def __init__(self) -> None:
        self.script: list[Callable[[_Handler], None]] = []
        self.requests: list[dict[str, Any]] = []
        self.otherwise = send_completion()
        self.released = Event()
        """Ends the requests that are left without an answer."""
        self.url = ""

    def seat(self, role: str = "follower", /, **options: object) -> str:
        """The seat of a model that this server answers for."""
        given = "".join(f",{key}={value}" for key, value in options.items())
        return f"{role}=openai-api/scripted/model,base_url={self.url}{given}"


class _PatientServer(ThreadingHTTPServer):
    request_queue_size = 128
    """Of the usual 5, some are refused where many are asked at a time on a busy machine."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served: ProviderServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.served.requests.append(json.loads(body))
        script = self.served.script
        (script.pop(0) if script else self.served.otherwise)(self)

    def send_body(self, status: int, body: bytes, kind: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


Sender = Callable[[_Handler], None]


@contextmanager
def provider_server() -> Iterator[ProviderServer]:
    served = ProviderServer()
    http = _PatientServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"served": served}))
    http.daemon_threads = True
    served.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        served.released.set()
        http.shutdown()
        http.server_close()


def send_json(body: object, status: int = 200, **headers: str) -> Sender:
    data = json.dumps(body).encode()
    return lambda handler: handler.send_body(status, data, "application/json", **headers)


def send_text(text: str, kind: str = "text/html", status: int = 200) -> Sender:
    return lambda handler: handler.send_body(status, text.encode(), kind)


def send_completion(
    text: str = "Answer: second", finish: str = "stop", usage: dict[str, Any] | None = USAGE, **message: str
) -> Sender:
    said = {"role": "assistant", "content": text, **message}
    choice = {"index": 0, "finish_reason": finish, "message": said}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}
    return send_json(body if usage is None else {**body, "usage": usage})


def send_error(status: int, message: str = "no", **headers: str) -> Sender:
    return send_json({"error": {"message": message, "type": "x", "code": "x"}}, status, **headers)


def send_no_choices(handler: _Handler) -> None:
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted", "choices": []}
    send_json({**body, "usage": USAGE})(handler)


def drop_connection(handler: _Handler) -> None:
    handler.close_connection = True
    handler.connection.close()


def never_answer(handler: _Handler) -> None:
    handler.served.released.wait()
