#!/usr/bin/python3
"""What operators watch: the metrics, the alerts on them, the dashboard of them. Run in the project's folder.

    metrics_test.py SMD       SMD: the daemon's program"""
import json, os, re, subprocess, sys, tempfile, time, urllib.error, urllib.request
import yaml

CODES = set(re.findall(r'X\(\d+, \w+, "(\w+)"', open("proto/wire/status.h").read()))
LIST = open("docs/examples/list.ll", "rb").read()


def check(condition, *what):
    if not condition:
        sys.exit("metrics: " + " ".join(map(str, what)))


def ask(path, body=None):
    try:
        return urllib.request.urlopen(urllib.request.Request(url + path, body)).read().decode()
    except urllib.error.HTTPError as e:
        return e.read().decode()


def samples(text):
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in text.splitlines() if line[0] != "#"}


folder = tempfile.TemporaryDirectory(prefix="smd-metrics-")
port = folder.name + "/port"
daemon = subprocess.Popen([sys.argv[1], "--port", "0", "--port-file", port, "--workers", "1"], stdout=subprocess.DEVNULL)
try:
    while not os.path.exists(port):
        check(daemon.poll() is None, "the daemon does not start")
        time.sleep(0.02)
    url = "http://127.0.0.1:" + open(port).read().strip()
    ask("/v1/compile", LIST)
    ask("/v1/compile", LIST)
    ask("/v1/compile", b"define oops")
    ask("/nowhere")
    text = ask("/metrics")
    starts = {samples(ask("/metrics"))["process_start_time_seconds"] for _ in range(50)}
    stat = open(f"/proc/{daemon.pid}/stat").read().rpartition(")")[2].split()
    now = time.time()
finally:
    daemon.terminate()
    daemon.wait()

subprocess.run(["promtool", "check", "metrics"], input=text.encode(), check=True)
found = samples(text)
names = {re.match(r"\w+", s).group() for s in found}

# Every histogram can tell anything from 100 microseconds to the longest deadline.
bounds = {}
for s in found:
    m = re.match(r'(\w+)_bucket\{(.*?),?le="([^"]+)"\}', s)
    if m:
        bounds.setdefault((m[1], m[2]), []).append(float(m[3]))
check(len(bounds) > 8, "there are no histograms")
for name, list_ in bounds.items():
    check(list_[0] <= 1e-4 and list_[-2] >= 600 and list_[-1] == float("inf"), name, list_)
    check(all(b / a <= 2.51 for a, b in zip(list_, list_[1:-1])), name, "has a gap:", list_)

# Where the time of requests goes, and how compiles end.
for route, source, count in (("POST /v1/compile", "compiled", 2), ("POST /v1/compile", "memory", 1), ("none", "none", 1)):
    sample = f'smd_route_seconds_count{{route="{route}",from="{source}"}}'
    check(found.get(sample) == count, sample, found.get(sample))
check(found['smd_compiles_total{code="ok"}'] == 1 and found['smd_compiles_total{code="parse_error"}'] == 1, "outcomes")

# The process.
ticks = os.sysconf("SC_CLK_TCK")
boot = now - float(open("/proc/uptime").read().split()[0])
check(abs(found["process_start_time_seconds"] - (boot + int(stat[19]) / ticks)) < 5, "start time")
check(len(starts) == 1, "one process has one start", starts)
check(0 < found["process_cpu_seconds_total"] <= (int(stat[11]) + int(stat[12]) + 10) / ticks, "CPU time")
check(1 << 20 < found["process_resident_memory_bytes"] < 1 << 30, "memory")
check(3 < found["process_open_fds"] < found["process_max_fds"], "descriptors")

# Alerts and dashboard ask for what there is.
subprocess.run(["promtool", "test", "rules", "alerts_test.yaml"], cwd="deploy/prometheus", check=True)
subprocess.run(["promtool", "check", "rules", "alerts.yaml"], cwd="deploy/prometheus", check=True)
rules = [r for g in yaml.safe_load(open("deploy/prometheus/alerts.yaml"))["groups"] for r in g["rules"]]
dashboard = json.load(open("deploy/prometheus/grafana.json"))
asked = {r["alert"]: r["expr"] for r in rules}
asked |= {p["title"] + t["refId"]: t["expr"] for p in dashboard["panels"] for t in p["targets"]}
check(len(rules) >= 10 and len(asked) >= 20, "there are few alerts and panels")
for what, expression in asked.items():
    used = re.findall(r"\b(?:smd|process)_\w+", expression)
    check(used or what == "SmdDown", what, "asks for nothing")
    for name in used:
        check(name in names, what, "asks for", name + ", which there is not")
    for words in re.findall(r'\bcode=~?"([^"]*)"', expression):
        for code in words.split("|"):
            check(code in CODES, what, "asks for the code", code + ", which there is not")
    for name, label, value in re.findall(r'\b(smd_\w+)\{(\w+)="([^"]*)"', expression):
        if label not in ("code", "route"):  # those appear when they first happen
            check(any(s.startswith(name) and f'{label}="{value}"' in s for s in found), what, name, label, value)
tested = {t["alertname"] for f in yaml.safe_load(open("deploy/prometheus/alerts_test.yaml"))["tests"]
          for t in f["alert_rule_test"] if t["exp_alerts"]}
check(tested == {r["alert"] for r in rules}, "alerts that no test makes fire")
print(f"{len(names)} metrics, {len(rules)} alerts, {len(dashboard['panels'])} panels are in order")
