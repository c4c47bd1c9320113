"""Calls to a server."""

import base64
import http.client
import json
import os
import urllib.error
import urllib.parse
import urllib.request

from ._stackmap import Stackmap

DEFAULT = "http://127.0.0.1:8199"
ANSWER_MAX = 1 << 31


class Unreachable(OSError):
    """No server answers."""


class Failure(Exception):
    """The server says what is wrong: code (a word of docs/api.md), http (a status), diagnostics (with line and column)."""

    def __init__(self, http, problem):
        self.http = http
        self.code = problem.get("code", "unknown")
        self.option = problem.get("option")
        self.diagnostics = problem.get("diagnostics", [])
        lines = [f"{self.code}: {problem.get('detail') or problem.get('title', '')}"]
        for d in self.diagnostics:
            place = f"{d['line']}:{d.get('column', 1)}: " if d.get("line") else ""
            lines.append(f"  {d['severity']}: {place}{d['message']}")
        super().__init__("\n".join(lines))


class Answer:
    """What a compile gave. object and stackmap; ir, asm, disasm, remarks, stages, links where they were asked for with
    emit, otherwise None; json has all of it as it came."""

    def __init__(self, answer, cache):
        self.json = answer
        self.cache = cache
        self.key = answer["key"]
        self.target = answer["target"]
        self.pipeline = answer["pipeline"]
        self.reproduce = answer.get("reproduce")
        self.diagnostics = answer["diagnostics"]
        self.stackmap = Stackmap(answer["stackmap"])
        self.object = base64.b64decode(answer["obj"]) if "obj" in answer else None
        for part in ("ir", "asm", "disasm", "remarks", "modern", "stages", "links"):
            setattr(self, part, answer.get(part))

    def __repr__(self):
        size = f", {len(self.object)} bytes of object" if self.object is not None else ""
        return f"<smd answer {self.key[:12]} for {self.target}{size}, {self.stackmap!r}>"

    def _repr_html_(self):
        return self.stackmap._repr_html_()


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(sorted(map(str, value))) or "none"
    return str(value)


class Client:
    """A server. URL: http://host:port; TOKEN is sent as bearer token; TIMEOUT in seconds."""

    def __init__(self, url=None, token=None, timeout=120):
        self.url = (url or os.environ.get("SMD_SERVER", DEFAULT).split(",")[0]).rstrip("/")
        self.token = token
        self.timeout = timeout

    def _ask(self, path, body=None, accept="application/json", content_type=None):
        request = urllib.request.Request(self.url + path, data=body, headers={"Accept": accept})
        if content_type:
            request.add_header("Content-Type", content_type)
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return answer.read(ANSWER_MAX), answer.headers
        except urllib.error.HTTPError as error:
            text = error.read(ANSWER_MAX)
            try:
                problem = json.loads(text)
            except ValueError:
                problem = {"code": "unknown", "detail": text[:200].decode("utf-8", "replace")}
            raise Failure(error.code, problem) from None
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            raise Unreachable(f"{self.url}: {getattr(error, 'reason', error)}") from None

    def compile(self, module, **options):
        """Compiles IR (str) or bitcode (bytes). Options by name: opt=2, target="aarch64-linux-gnu",
        safepoints=["entry"], emit=["obj", "ir"]."""
        query = urllib.parse.urlencode({name: _text(value) for name, value in options.items()})
        body = module.encode() if isinstance(module, str) else bytes(module)
        data, headers = self._ask(f"/v1/compile?{query}", body, content_type="application/octet-stream")
        return Answer(json.loads(data), headers.get("X-Smd-Cache"))

    def stackmap(self, object_file):
        """The stackmap of an object file (bytes) from elsewhere."""
        data, _ = self._ask("/v1/stackmap", bytes(object_file), content_type="application/octet-stream")
        return Stackmap(json.loads(data)["stackmap"])

    def capabilities(self):
        return json.loads(self._ask("/v1/capabilities")[0])

    def __repr__(self):
        return f"<smd client of {self.url}>"


def compile(module, **options):
    """Client().compile(module, …)"""
    return Client().compile(module, **options)


def stackmap(object_file):
    """Client().stackmap(object_file)"""
    return Client().stackmap(object_file)


def capabilities():
    """Client().capabilities()"""
    return Client().capabilities()
