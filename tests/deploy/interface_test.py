#!/usr/bin/python3
"""openapi.yaml is what the daemon does: the document is sound, and every answer of every route is of its schema; a client that
is made of nothing but it compiles the example. Run in the project's folder.

    interface_test.py SMD       SMD: the daemon's program"""
import json, os, re, subprocess, sys, tempfile, time, urllib.error, urllib.parse, urllib.request
import jsonschema, yaml

sys.path.insert(0, "tests/support")
from openapi import Wrong, api, at, check, holds, operations, resolved

LIST = open("docs/examples/list.ll", "rb").read()
ROOTS = open("docs/examples/roots.ll", "rb").read()
MODULES = ["docs/examples/list.ll"] + [f"tests/compiler/{name}.ll" for name in (
    "slots/listed_behind_a_branch", "tags/value_with_a_type", "undefined/parts_seen_by_safepoints", "stackobjects/are_accessed_as_references")]
seen = {}
sys.excepthook = lambda kind, e, trace: sys.exit(f"interface: {e}") if kind is Wrong else sys.__excepthook__(kind, e, trace)


def walk(node):
    if isinstance(node, dict):
        yield node
        for child in node.values():
            yield from walk(child)
    elif isinstance(node, list):
        for child in node:
            yield from walk(child)


# The document is sound.
check(api["openapi"].startswith("3.1"), "is no OpenAPI 3.1")
for node in walk(api):
    if isinstance(node.get("$ref"), str):
        at(node["$ref"])
names = [o.get("operationId") for _, _, o, _ in operations()]
check(all(names) and len(set(names)) == len(names), "operations have a name of their own each", names)
for path, method, operation, item in operations():
    where = f"{method} {path}"
    declared = {(p["name"], p["in"]) for p in map(resolved, operation.get("parameters", []) + item.get("parameters", []))}
    for name in re.findall(r"{(\w+)}", path):
        check((name, "path") in declared, where, "does not declare", name)
    check(operation["responses"], where, "has no answers")
    for status, response in operation["responses"].items():
        check(re.fullmatch(r"[1-5]\d\d|default", str(status)), where, status)
        check("description" in resolved(response), where, status, "has no description")
        for media in resolved(response).get("content", {}).values():
            if "schema" in media:
                jsonschema.Draft202012Validator.check_schema(media["schema"])


def ask(method, path, body=None, **headers):
    """Asks, and holds the answer against the document. What it holds, and its headers."""
    request = urllib.request.Request(url + path, body, {k.replace("_", "-"): v for k, v in headers.items()}, method=method)
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as e:
        answer = e
    data, status, kind = answer.read(), str(answer.status), (answer.headers["Content-Type"] or "").split(";")[0]
    p = holds(method, path, status, kind, {h.lower() for h in answer.headers}, data)
    seen.setdefault((p, method.lower()), set()).add(status)
    value = json.loads(data) if kind.endswith("json") else data
    return value, answer.headers


class Generated:
    """A client that knows nothing but the document: a method for each operation."""

    def __init__(self):
        for path, method, operation, _ in operations():
            setattr(self, operation["operationId"], self.made(path, method, operation))

    def made(self, path, method, operation):
        parameters = [resolved(p) for p in operation.get("parameters", [])]

        def call(body=None, **arguments):
            check(set(arguments) <= {p["name"] for p in parameters}, "no such parameter")
            query = {k: v for k, v in arguments.items() if any(p["name"] == k and p["in"] == "query" for p in parameters)}
            filled = re.sub(r"{(\w+)}", lambda m: arguments[m[1]], path)
            return ask(method.upper(), filled + ("?" + urllib.parse.urlencode(query) if query else ""), body)[0]

        return call


def check_steps(path, steps):
    """The module after each step is one that LLVM takes, and has statepoints from the rewrite on."""
    module = open(path, "rb").read()
    answers = [client.compile(module, opt="0", safepoints="none", emit="stages", after=",".join(half))
               for half in (steps[0::2], steps[1::2])]
    shown = {s["stage"]: s["ir"] for answer in answers for s in answer["stages"]}
    for i, step in enumerate(steps):
        check(step in shown, path, "is not shown after", step)
        verified = subprocess.run(["opt-19", "-passes=verify", "-disable-output"], input=shown[step], text=True, capture_output=True)
        check(verified.returncode == 0, path, "after", step, verified.stderr)
        check("@llvm.experimental.gc.statepoint" in shown[step] or i < steps.index("rewrite_statepoints"), path, step)
    check("@llvm.experimental.gc.relocate" not in shown[steps[0]], path, "is rewritten before the rewrite")


folder = tempfile.TemporaryDirectory(prefix="smd-interface-")
port = folder.name + "/port"
os.mkdir(folder.name + "/cache", 0o700)
daemon = subprocess.Popen([sys.argv[1], "--port", "0", "--port-file", port, "--workers", "1", "--cache-dir", folder.name + "/cache"],
                          stdout=subprocess.DEVNULL)
try:
    while not os.path.exists(port):
        check(daemon.poll() is None, "the daemon does not start")
        time.sleep(0.02)
    url = "http://127.0.0.1:" + open(port).read().strip()
    client = Generated()
    everything = client.compile(LIST, opt="2", emit="obj,ir,asm,disasm,remarks,stages,links")
    check([s["stage"] for s in everything["stages"]] == ["parse", "optimize", "place", "rewrite"], "stages")
    steps = [s["name"] for s in client.capabilities()["steps"]]
    for name in MODULES:
        check_steps(name, steps)
    check(all(s in client.compile(LIST, emit="stages", after="none_such")["detail"] for s in steps), "all steps are named")
    check(len(everything["links"]) == len(everything["stackmap"]["functions"]), "links")
    key = everything["key"]
    for target in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
        client.compile(ROOTS, target=target)
    for wrong in (b"define oops", b"", b"define void @f() {\n  ret i32 1\n}\n"):
        check(ask("POST", "/v1/compile", wrong)[0]["code"], "a problem")
    for query in ("opt=9", "nothing=1", "target=pdp11", "deadline_ms=0"):
        ask("POST", f"/v1/compile?{query}", LIST)
    for accept in ("application/octet-stream", "multipart/mixed", "application/vnd.smd.artifact", "text/plain"):
        data, headers = ask("POST", "/v1/compile", LIST, Accept=accept)
        check(headers["Content-Type"].startswith(accept), accept)
    ask("POST", "/v1/compile", json.dumps({"ir": LIST.decode(), "options": {"opt": "1"}}).encode(), Content_Type="application/json")
    obj, _ = ask("POST", "/v1/compile", LIST, Accept="application/octet-stream")
    check(ask("POST", "/v1/stackmap", obj)[0]["stackmap"]["functions"], "stackmap")
    ask("POST", "/v1/stackmap", b"no object")
    ask("POST", "/v1/batch", json.dumps([{"ir": LIST.decode()}, {"ir": "oops"}]).encode(), Content_Type="application/json")
    job, _ = ask("POST", "/v1/jobs?opt=3", LIST)
    ask("GET", f"/v1/jobs/{job['id']}?wait=30")
    ask("DELETE", f"/v1/jobs/{job['id']}")
    ask("GET", f"/v1/jobs/{job['id']}")
    ask("GET", f"/v1/artifacts/{key}")
    ask("GET", "/v1/artifacts/" + "0" * 64)
    ask("GET", "/v1/progress/" + "0" * 64)
    ask("POST", "/v1/compile?startup=interface", b"define void @f() { ret void }")
    ask("GET", "/v1/stream?startup=interface")
    ask("DELETE", "/v1/stream?startup=interface")
    ask("POST", "/v1/artifacts/find-missing", json.dumps({"keys": [key, "0" * 64]}).encode(), Content_Type="application/json")
    ask("GET", "/v1/manifest?since=0")
    ask("GET", "/v1/modules/" + key)
    ask("GET", "/v1/dead-jobs")
    ask("POST", "/v1/dead-jobs/" + "0" * 32)
    slow = client.slowest()["compiles"]
    check(slow and slow == sorted(slow, key=lambda c: -c["run_us"]), "the slowest come first")
    check(any(c["key"] == key for c in slow) or len(slow) == 16, "the example's compile is among them")
    check(all(sum(c["stages"].values()) <= c["run_us"] for c in slow), "stages take no longer than the whole")
    past = ask("GET", "/v1/history")[0].decode()
    check(past.startswith("# now ") and "\n# at " in past and "\nprocess_start_time_seconds " in past, "a reading from the start on")
    for path in ("/v1/capabilities", "/livez", "/readyz", "/metrics", "/openapi.yaml", "/", "/dashboard"):
        ask("GET", path)
    ask("GET", "/", Accept="text/html")
    ask("GET", "/page/nothing")
    served, _ = ask("GET", "/openapi.yaml")
    check(yaml.safe_load(served) == api, "the daemon serves another document")
finally:
    daemon.terminate()
    daemon.wait()

missed = [f"{m} {p}" for p, m, _, _ in operations() if (p, m) not in seen and m != "head"]
check(not missed, "nothing was asked of", missed)
print(f"{len(names)} operations, {sum(map(len, seen.values()))} kinds of answers are as the document says")
