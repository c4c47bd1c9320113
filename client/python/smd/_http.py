"""Requests to servers: one after another until one answers, and again where a server says later."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
import zlib
from email.message import Message
from typing import Any, Mapping, Optional, Sequence

ANSWER_MAX = 1 << 31
AGAIN = (429, 503)  # refused for now; every request may be sent again, as equal ones have one result


class Unreachable(OSError):
    """No server answers."""


class Failure(Exception):
    """A server says what is wrong.

    code         a word of docs/api.md: "parse_error", "invalid_option", ...
    http         the status
    option       the option that is wrong, or None
    diagnostics  dictionaries with severity and message, and line, column, function where they are known
    """

    def __init__(self, http: int, problem: Mapping[str, Any]) -> None:
        self.http = http
        self.code: str = problem.get("code", "unknown")
        self.option: Optional[str] = problem.get("option")
        self.diagnostics: list[dict[str, Any]] = problem.get("diagnostics", [])
        lines = [f"{self.code}: {problem.get('detail') or problem.get('title', '')}"]
        for d in self.diagnostics:
            place = f"{d['line']}:{d.get('column', 1)}: " if d.get("line") else ""
            lines.append(f"  {d['severity']}: {place}{d['message']}")
        super().__init__("\n".join(lines))


class Reply:
    """An answer: status, headers, body, and the server that gave it."""

    def __init__(self, status: int, headers: Message, body: bytes, server: str) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        self.server = server

    def json(self) -> Any:
        return json.loads(self.body)


def _inflated(body: bytes, headers: Message) -> bytes:
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(body, ANSWER_MAX) if headers.get("Content-Encoding") == "gzip" else body


def _problem(error: urllib.error.HTTPError) -> Failure:
    text = _inflated(error.read(ANSWER_MAX), error.headers)
    try:
        problem = json.loads(text)
    except ValueError:
        problem = {"code": "unknown", "detail": text[:200].decode("utf-8", "replace")}
    return Failure(error.code, problem)


def _pause(error: Optional[urllib.error.HTTPError], turn: int) -> float:
    """Seconds until the next turn: what the server says, else twice as long each time; at most ten."""
    said = error.headers.get("Retry-After", "") if error else ""
    return min(float(said) if said.isdigit() else 0.1 * 2.0**turn, 10.0)


def ask(servers: Sequence[str], path: str, *, timeout: float, retries: int, method: str = "GET", body: Optional[bytes] = None,
        headers: Mapping[str, str] = {}) -> Reply:
    """Sends a request to each of SERVERS in turn until one takes it; then, after a pause, again, RETRIES times at most."""
    unreachable = Unreachable("no server is named")
    for turn in range(retries + 1):
        refusal = None
        for server in servers:
            request = urllib.request.Request(server + path, data=body, method=method,
                                             headers={"Accept-Encoding": "gzip", **headers})
            try:
                with urllib.request.urlopen(request, timeout=timeout) as answer:
                    return Reply(answer.status, answer.headers, _inflated(answer.read(ANSWER_MAX), answer.headers), server)
            except urllib.error.HTTPError as error:
                if error.code not in AGAIN:
                    raise _problem(error) from None
                refusal = error
            except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
                unreachable = Unreachable(f"{server}: {getattr(error, 'reason', error)}")
        if turn < retries:
            time.sleep(_pause(refusal, turn))
    if refusal:
        raise _problem(refusal)
    raise unreachable
