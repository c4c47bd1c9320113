#!/usr/bin/python3
"""What smd tells a collector of OpenTelemetry's (the setting otlp), by a collector that checks each message.

    traces_test.py FOLDER       FOLDER: where smd is, unless TEST_BIN_DIR says it

The checks are of opentelemetry/proto/trace/v1/trace.proto in the JSON of protocol buffers: no member that it does not have,
ids in hexadecimal and of their length, 64 bits as text."""
import http.client, http.server, json, os, re, subprocess, sys, tempfile, threading, time

SMD = os.environ.get("TEST_BIN_DIR", sys.argv[1]) + "/smd"
PATIENCE_S = 60
wrong = []


def check(ok, what):
    if not ok:
        wrong.append(what)


class Collector(http.server.BaseHTTPRequestHandler):
    """Keeps the spans that it is told, and answers as `status` says."""
    spans, messages, status, hangs = [], 0, 200, threading.Event()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Collector.messages += 1
        check(self.path == "/otel/v1/traces", f"it is posted to {self.path}")
        check(self.headers["Content-Type"] == "application/json", f"as {self.headers['Content-Type']}")
        if Collector.status == 0:
            Collector.hangs.wait(PATIENCE_S)
        if Collector.status == 200:
            Collector.spans += read_message(json.loads(body))
        self.send_response(Collector.status or 503)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def members(what, value, needed, others=()):
    check(set(needed) <= set(value) <= set(needed) | set(others), f"{what} has the members {sorted(value)}")
    return value


def read_attributes(what, attributes):
    found = {}
    for a in attributes:
        members(f"an attribute of {what}", a, ["key", "value"])
        (kind, value), = a["value"].items()
        check(kind == "stringValue" and isinstance(value, str) or
              kind == "intValue" and isinstance(value, str) and value.isdigit(), f"{what}: {a}")
        check(a["key"] not in found, f"{what}: {a['key']} twice")
        found[a["key"]] = value
    return found


def read_message(message):
    spans = []
    for resource in members("the message", message, ["resourceSpans"])["resourceSpans"]:
        of = read_attributes("the resource", members("it", resource, ["resource", "scopeSpans"])["resource"]["attributes"])
        check(of["service.name"] == "smd" and of["service.version"] and of["service.instance.id"], f"the resource: {of}")
        for scope in resource["scopeSpans"]:
            members("a scope", scope, ["scope", "spans"])
            for s in scope["spans"]:
                members("a span", s, ["traceId", "spanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano"],
                        ["parentSpanId", "attributes", "status"])
                check(re.fullmatch("[0-9a-f]{32}", s["traceId"]) and s["traceId"].strip("0"), f"traceId {s['traceId']}")
                for name in ("spanId", "parentSpanId"):
                    check(re.fullmatch("[0-9a-f]{16}", s.get(name, "1" * 16)) and s.get(name, "1").strip("0"), f"{name} of {s}")
                check(s["kind"] in (1, 2), f"kind {s['kind']}")
                s["from"], s["until"] = int(s["startTimeUnixNano"]), int(s["endTimeUnixNano"])
                check(s["from"] <= s["until"] and abs(s["until"] / 1e9 - time.time()) < 3600, f"times of {s}")
                s["attributes"] = read_attributes(s["name"], s.get("attributes", []))
                spans.append(s)
    return spans


def await_that(what, is_so):
    for _ in range(PATIENCE_S * 50):
        found = is_so()
        if found:
            return found
        time.sleep(0.02)
    sys.exit(f"no {what}; {len(Collector.spans)} spans of {Collector.messages} messages; wrong so far: {wrong}")


def ask(method, path, body=None, **headers):
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    c.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
    answer = c.getresponse()
    return answer.status, answer.read().decode()


def spans_of(request):
    """The request's own span, and those in it, by name; empty while the collector has none."""
    own = [s for s in Collector.spans if s["attributes"].get("smd.request.id") == request]
    check(len(own) <= 1, f"{request} has {len(own)} spans")
    return {**{s["name"]: s for s in Collector.spans if own and s["traceId"] == own[0]["traceId"]}, "own": own[0]} if own else {}


def total(result):
    text = ask("GET", "/metrics")[1]
    return int(re.search(rf'^smd_traces_total{{result="{result}"}} (\d+)$', text, re.M)[1])


collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=collector.serve_forever, daemon=True).start()
folder = tempfile.TemporaryDirectory()
log = open(folder.name + "/log", "w+")
smd = subprocess.Popen([SMD, "--port=0", f"--port-file={folder.name}/port", "--workers=1", "--otlp-sample=100",
                        f"--otlp=http://127.0.0.1:{collector.server_port}/otel/"], stdout=log)
port = int(await_that("port", lambda: os.path.exists(folder.name + "/port") and open(folder.name + "/port").read()))
module = ('declare void @g()\ndefine void @gc.safepoint_poll() {\n  ret void\n}\n'
          'define void @f() gc "statepoint-example" {\n  call void @g()\n  ret void\n}\n')
trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"

# A compile, as a part of a client's trace: every step has a span that lies in its parent.
status, _ = ask("POST", "/v1/compile", module, traceparent=f"00-{trace}-{parent}-01", X_Request_Id="compile")
check(status == 200, f"the compile: {status}")
found = await_that("compile", lambda: spans_of("compile"))
own = found["own"]
check(own["traceId"] == trace and own["parentSpanId"] == parent and own["kind"] == 2, f"its place: {own}")
check(own["name"] == "POST /v1/compile" and own["attributes"]["http.route"] == "/v1/compile" and
      own["attributes"]["http.response.status_code"] == "200" and own["attributes"]["smd.cache"] == "compiled" and
      len(own["attributes"]["smd.key"]) == 64, f"it says {own}")
check("status" not in own, "it is said to have failed")
for name, up in (("receive", "POST /v1/compile"), ("look up", "POST /v1/compile"), ("queue", "POST /v1/compile"),
                 ("compile", "POST /v1/compile"), ("parse", "compile"), ("rewrite", "compile"), ("emit", "compile")):
    check(name in found, f"there is no span {name} in {sorted(found)}")
    span, above = found.get(name, own), found.get(up, own)
    check(span is own or span["parentSpanId"] == above["spanId"], f"{name} is in another span than {up}")
    check(above["from"] <= span["from"] and span["until"] <= above["until"], f"{name} is not within {up}")
check(len({s["spanId"] for s in Collector.spans}) == len(Collector.spans), "two spans have one id")

# A hit has no compile; an own trace, as the client has none; the log has it.
ask("POST", "/v1/compile", module, X_Request_Id="hit")
hit = await_that("hit", lambda: spans_of("hit"))
check(hit["own"]["attributes"]["smd.cache"] == "memory" and "compile" not in hit and "look up" in hit, f"the hit: {sorted(hit)}")
check("parentSpanId" not in hit["own"] and hit["own"]["traceId"] != trace, "the hit is in the trace before")
lines = await_that("line in the log", lambda: [l for l in map(json.loads, open(log.name)) if l.get("id") == "hit"])
check(lines[0]["trace"] == hit["own"]["traceId"], f"the log says {lines[0]}")

def parts_of(request, part, count):
    """The spans of the request's parts, each with the names of those in it; empty while the collector lacks some."""
    own = [s for s in Collector.spans if s["attributes"].get("smd.request.id") == request]
    parts = [s for s in Collector.spans if own and s["name"] == part and s.get("parentSpanId") == own[0]["spanId"]]
    if len(parts) < count:
        return []
    for p in parts:
        check(p["traceId"] == own[0]["traceId"] and p["kind"] == 1 and own[0]["from"] <= p["from"], f"a part: {p}")
        p["in it"] = [s for s in Collector.spans if s.get("parentSpanId") == p["spanId"]]
        check(all(p["from"] <= s["from"] and s["until"] <= p["until"] for s in p["in it"]), f"spans of {p} are not within it")
    return parts


# Each item of a batch is a part of it, and so is a job of the request that began it; other requests have none.
forms = [{"ir": module}, {"ir": module + "; another"}, {"ir": "nonsense"}, {"no": "form"}]
status, body = ask("POST", "/v1/batch", json.dumps(forms), X_Request_Id="batch", Content_Type="application/json")
check(status == 200, f"the batch: {status} {body[:200]}")
items = await_that("items of the batch", lambda: parts_of("batch", "item", 4))
said = sorted((p["attributes"]["smd.code"], p["attributes"].get("smd.cache", ""), {s["name"] for s in p["in it"]} >= {"queue", "compile"}) for p in items)
check(said == [("invalid_json", "", False), ("ok", "compiled", True), ("ok", "memory", False), ("parse_error", "", True)], f"the items: {said}")
status, body = ask("POST", "/v1/jobs", module + "; a job", X_Request_Id="stored", traceparent=f"00-{trace}-{parent}-01")
check(status == 202, f"the job: {status}")
job, = await_that("job", lambda: parts_of("stored", "job", 1))
check(job["traceId"] == trace and job["attributes"]["smd.cache"] == "compiled" and len(job["attributes"]["smd.key"]) == 64 and
      {s["name"] for s in job["in it"]} >= {"queue", "compile"}, f"the job: {job}")
check(not parts_of("compile", "item", 1) and not parts_of("compile", "job", 1), "a compile has parts")

# What failed says so; what the client does not want is not told; what is no traceparent counts for nothing.
ask("POST", "/v1/compile", "nonsense", X_Request_Id="wrong")
check(await_that("error", lambda: spans_of("wrong"))["own"]["attributes"]["smd.code"] == "parse_error", "the error's code")
ask("POST", "/v1/compile", module, traceparent=f"00-{trace}-{parent}-00", X_Request_Id="unwanted")
for i, header in enumerate((f"00-{'0' * 32}-{parent}-01", f"00-{trace}-{'0' * 16}-01", f"ff-{trace}-{parent}-01", f"00-{trace}-{parent}-01-x",
                            f"00-{trace.upper()}-{parent}-01", f"00-{trace}-{parent}-0", "00", "")):
    ask("GET", "/livez", traceparent=header, X_Request_Id=f"odd{i}")
    check(await_that("odd header", lambda: spans_of(f"odd{i}"))["own"]["traceId"] != trace, f"'{header}' counts")
ask("GET", "/livez", traceparent=f"01-{trace}-{parent}-01-later", X_Request_Id="later")
check(await_that("later version", lambda: spans_of("later"))["own"]["traceId"] == trace, "a later version does not count")
check(not spans_of("unwanted"), "a request that is not sampled is told")

# A collector that refuses, and one that hangs: nobody waits, what is lost is counted, and it is told again afterwards.
Collector.status = 500
ask("GET", "/livez")
await_that("loss", lambda: total("lost") > 0)
Collector.status = 0
before = Collector.messages
for i in range(3000):
    if ask("GET", "/livez")[0] != 200:
        sys.exit("smd waits for its collector")
    if Collector.messages > before and i > 100:
        break
Collector.status = 200
Collector.hangs.set()
ask("GET", "/livez", X_Request_Id="again")
await_that("span after the loss", lambda: spans_of("again"))
check(total("taken") > 0, "nothing was taken")

# What waits when smd stops is told.
ask("GET", "/livez", X_Request_Id="last")
smd.terminate()
check(smd.wait(PATIENCE_S) == 0, "smd has not ended well")
check(spans_of("last"), "the last request was not told")
said = [json.loads(line) for line in open(log.name)]
check(len([l for l in said if l["event"] == "traces_lost"]) == 1 and
      len([l for l in said if l["event"] == "traces_taken"]) == 1, "the log has not one line for each turn")

# A collector that is none.
for url in ("localhost:4318", "ftp://127.0.0.1", "http://"):
    done = subprocess.run([SMD, "--port=0", f"--otlp={url}", "--check-config"], capture_output=True, text=True)
    check(done.returncode == 1 and "otlp: " in done.stderr, f"{url}: {done.stderr}")

print(*wrong, sep="\n")
print(f"[figures] traces: {len(Collector.spans)} spans in {Collector.messages} messages")
sys.exit(1 if wrong else 0)
