"""A client: compile, batch, tiers, jobs, stackmap."""

from __future__ import annotations

import base64
import json
import os
import time
import urllib.parse
import warnings
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from ._http import Failure, Reply, ask
from ._stackmap import Stackmap

DEFAULT = "http://127.0.0.1:8199"
WAIT_MAX = 60  # seconds that a server lets a request for a job wait

Module = Union[str, bytes]


class CompileWarning(UserWarning):
    """A module compiled, and is perhaps not what was meant."""


class Answer:
    """What a compile gave.

    object       the object file, or None where emit does not name obj
    stackmap     a Stackmap: every safepoint, and where each live pointer is
    key          names this answer in the server's cache
    target       the target triple that it was compiled for
    pipeline     the passes that ran
    reproduce    a shell command that makes the same object with LLVM's tools
    diagnostics  warnings, as dictionaries
    cache        where the server had it from: "compiled", "memory", "disk", "shared", "store", "flight"; None in a batch
    ir, asm, disasm, remarks, modern, stages, links, lines
                 what emit named, otherwise None
    json         all of it, as it came
    """

    ir: Optional[str]
    asm: Optional[str]
    disasm: Optional[str]
    modern: Optional[str]
    remarks: Optional[list[dict[str, Any]]]
    stages: Optional[list[dict[str, Any]]]
    links: Optional[list[Any]]
    lines: Optional[list[Any]]

    def __init__(self, answer: Mapping[str, Any], cache: Optional[str] = None) -> None:
        self.json = answer
        self.cache = cache
        self.key: str = answer["key"]
        self.target: str = answer["target"]
        self.pipeline: str = answer["pipeline"]
        self.reproduce: Optional[str] = answer.get("reproduce")
        self.diagnostics: list[dict[str, Any]] = answer["diagnostics"]
        self.stackmap = Stackmap(answer["stackmap"])
        self.object: Optional[bytes] = base64.b64decode(answer["obj"]) if "obj" in answer else None
        for part in ("ir", "asm", "disasm", "remarks", "modern", "stages", "links", "lines"):
            setattr(self, part, answer.get(part))

    def __repr__(self) -> str:
        size = f", {len(self.object)} bytes of object" if self.object is not None else ""
        return f"<smd answer {self.key[:12]} for {self.target}{size}, {self.stackmap!r}>"

    def _repr_html_(self) -> str:
        return self.stackmap._repr_html_()


def _text(value: Any) -> str:
    """An option's value as the server reads it: True is "true", a list "a,b", an empty one "none"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(sorted(map(str, value))) or "none"
    return str(value)


def _bytes(module: Module) -> bytes:
    return module.encode() if isinstance(module, str) else bytes(module)


def _form(module: Module, options: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON form of a compile."""
    text = {"ir": module} if isinstance(module, str) else {"bitcode": base64.b64encode(module).decode()}
    return {**text, "options": {name: _text(value) for name, value in options.items()}}


def _answer(answer: Mapping[str, Any], cache: Optional[str] = None) -> Answer:
    """The answer, whose warnings are shown as Python's are (the module warnings turns them off, or into errors)."""
    made = Answer(answer, cache)
    for d in made.diagnostics:
        if d["severity"] == "warning":
            warnings.warn(d["message"], CompileWarning, stacklevel=3)
    return made


class Job:
    """A compile that a server does while its client does something else. From Client.submit."""

    def __init__(self, client: Client, server: str, path: str) -> None:
        self._client = client
        self._server = server
        self.path = path

    def _look(self, wait: int) -> Optional[Reply]:
        """The reply of a job that has ended; None if it has not after WAIT seconds."""
        reply = self._client._ask(f"{self.path}?wait={wait}", servers=[self._server], more_time=wait)
        return None if reply.status == 202 else reply

    def done(self) -> bool:
        """True if there is a result, or a failure."""
        try:
            return self._look(0) is not None
        except Failure as failure:
            return failure.code != "job_not_found"

    def result(self, timeout: Optional[float] = None) -> Answer:
        """Waits for the answer, TIMEOUT seconds at most (None: as long as it takes). TimeoutError if it is not there by
        then; Failure as compile raises it, with the code job_not_found if the server no longer knows the job."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = WAIT_MAX if until is None else max(0, min(WAIT_MAX, int(until - time.monotonic() + 0.999)))
            reply = self._look(left)
            if reply:
                return _answer(reply.json())
            if until is not None and time.monotonic() >= until:
                raise TimeoutError(f"{self._server}{self.path}: not done after {timeout} s")

    def cancel(self) -> None:
        """Gives the job up, or its result."""
        self._client._ask(self.path, servers=[self._server], method="DELETE")

    def __repr__(self) -> str:
        return f"<smd job {self._server}{self.path}>"


class Client:
    """Servers that compile.

    url      http://host:port, or several of them separated by commas; SMD_SERVER by default, else
             http://127.0.0.1:8199. The first that answers is used
    token    is sent as a bearer token
    timeout  seconds that an answer may take
    retries  how often all servers are asked again when none of them answers, or all are busy (429, 503)

    Every method may be called from any thread. A method raises Failure if a server says what is wrong, and Unreachable
    if none answers.
    """

    def __init__(self, url: Optional[str] = None, token: Optional[str] = None, timeout: float = 120, retries: int = 2) -> None:
        named = url or os.environ.get("SMD_SERVER") or DEFAULT
        self.urls = [u.strip().rstrip("/") for u in named.split(",") if u.strip()]
        self.token = token
        self.timeout = timeout
        self.retries = retries

    def _ask(self, path: str, body: Optional[bytes] = None, *, method: Optional[str] = None, content_type: Optional[str] = None,
             servers: Optional[Sequence[str]] = None, more_time: float = 0) -> Reply:
        headers = {"Accept": "application/json"}
        if content_type:
            headers["Content-Type"] = content_type
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return ask(servers or self.urls, path, body=body, method=method or ("GET" if body is None else "POST"),
                   headers=headers, timeout=self.timeout + more_time, retries=self.retries)

    def _post_module(self, path: str, module: Module, options: Mapping[str, Any]) -> Reply:
        query = urllib.parse.urlencode({name: _text(value) for name, value in options.items()})
        return self._ask(f"{path}?{query}", _bytes(module), content_type="application/octet-stream")

    def compile(self, module: Module, **options: Any) -> Answer:
        """Compiles IR (str) or bitcode (bytes).

        Options are those of docs/api.md by name: opt=2, target="aarch64-linux-gnu", safepoints=["entry"],
        emit=["obj", "ir"]. Warnings of the compiler are shown as Python's (CompileWarning)."""
        reply = self._post_module("/v1/compile", module, options)
        return _answer(reply.json(), reply.headers.get("X-Smd-Cache"))

    def batch(self, modules: Sequence[Union[Module, tuple[Module, Mapping[str, Any]]]],
              **options: Any) -> list[Union[Answer, Failure]]:
        """Compiles up to 1,000 modules with one request: modules, or pairs of a module and options of its own. OPTIONS
        are for all of them. Gives an Answer or a Failure for each, in the same order; nothing is raised for a module."""
        pairs = [(m, {}) if isinstance(m, (str, bytes)) else m for m in modules]
        forms = [_form(module, {**options, **own}) for module, own in pairs]
        reply = self._ask("/v1/batch", json.dumps(forms).encode(), content_type="application/json")
        return [Failure(r["status"], r) if "code" in r else _answer(r) for r in reply.json()["results"]]

    def submit(self, module: Module, **options: Any) -> Job:
        """Begins a compile, and gives a Job at once."""
        reply = self._post_module("/v1/jobs", module, options)
        return Job(self, reply.server, reply.headers["Location"])

    def tiers(self, module: Module, levels: Sequence[int] = (0, 2), **options: Any) -> Iterator[Answer]:
        """Compiles at several levels with one upload: gives the answer of the lowest level first, then the others as
        they are done. A level that the server has no place for is compiled by a request of its own."""
        reply = self._post_module("/v1/compile", module, {**options, "tiers": levels})
        yield _answer(reply.json(), reply.headers.get("X-Smd-Cache"))
        later = dict(item.strip().split("=", 1) for item in reply.headers.get("X-Smd-Tiers", "").split(",") if "=" in item)
        for level in sorted(set(levels))[1:]:
            path = later.get(str(level))
            yield Job(self, reply.server, path).result() if path else self.compile(module, **options, opt=level)

    def stackmap(self, object_file: bytes) -> Stackmap:
        """The stackmap of an object file from elsewhere."""
        reply = self._ask("/v1/stackmap", bytes(object_file), content_type="application/octet-stream")
        return Stackmap(reply.json()["stackmap"])

    def capabilities(self) -> dict[str, Any]:
        """What the server can do: targets, strategies, options with their values, limits."""
        capable: dict[str, Any] = self._ask("/v1/capabilities").json()
        return capable

    def __repr__(self) -> str:
        return f"<smd client of {', '.join(self.urls)}>"


def compile(module: Module, **options: Any) -> Answer:
    """Client().compile(module, ...)"""
    return Client().compile(module, **options)


def stackmap(object_file: bytes) -> Stackmap:
    """Client().stackmap(object_file)"""
    return Client().stackmap(object_file)


def capabilities() -> dict[str, Any]:
    """Client().capabilities()"""
    return Client().capabilities()
