#!/usr/bin/python3
"""The documents say what the code says, neither more nor less. Run in the project's folder; each table of the code is
read from its source, each of the documents from its text."""
import glob, json, os, re, subprocess, sys
import yaml

wrong = []


def read(path):
    return open(path, encoding="utf-8").read()


def rows(path, pattern, least):
    """What PATTERN finds in the source; LEAST guards against a pattern that has stopped to fit."""
    found = re.findall(pattern, read(path), re.S)
    if len(found) < least:
        sys.exit(f"{path}: only {len(found)} rows were found; this test no longer reads it")
    return found


def section(path, title):
    """The text behind a heading, up to the next one."""
    parts = re.split(r"^#+ +(.*)$", read(path), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))[title]


def column(text, pattern, n=0):
    """The words that fit PATTERN in the N-th column of a text's tables."""
    lines = [l.split("|")[1 + n] for l in text.splitlines() if l.startswith("| ") and not l.startswith("| ---")]
    return [w for l in lines for w in re.findall(pattern, l)]


def same(what, code, document, where):
    for x in sorted(set(code) - set(document), key=str):
        wrong.append(f"{what} {x} is not in {where}")
    for x in sorted(set(document) - set(code), key=str):
        wrong.append(f"{what} {x} of {where} is not in the code")


# The CPUs that a misspelt one is compared with are LLVM's.
for array, processor in (("x86_64", "x86-64"), ("aarch64", "aarch64")):
    ours = rows("core/target/cpu_names.c", array + r"\[\] = \{(.*?)\}", 1)[0]
    help = subprocess.run(["llc-19", "-march=" + processor, "-mcpu=help"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    theirs = re.findall(r"^  (\S+) +- Select", (help.stdout + help.stderr).split("Available features")[0], re.M)
    same("CPU", theirs, re.findall(r'"([^"]+)"', ours), "core/target/cpu_names.c")

api = yaml.safe_load(read("proto/openapi.yaml"))

# Options: names, defaults, bounds, words.
OPTION = r'\{"(\w+)", (TEXT|CHOICE|SET|INT_OR|INT|BOOL)\((.*?)\), "([^"]*)", ([01]),\s*"'
options = {name: (kind, args, default) for name, kind, args, default, _ in rows("proto/options/options.c", OPTION, 20)}
parameters = api["components"]["parameters"]
same("option", options, parameters, "openapi.yaml")
table = section("docs/api.md", "Options")
same("option", options, column(table, r"`(\w+)`"), "docs/api.md")
for name, (kind, args, default) in options.items():
    schema = parameters.get(name, {}).get("schema", {})
    words = re.findall(r"[\w-]+", args.split('"')[1]) if '"' in args else []
    bounds = [int(x) for x in args.split(",")[1:3]] if kind.startswith("INT") else []
    said = schema.get("default")
    if (str(said).lower() if kind in ("INT", "INT_OR", "BOOL") else said) != default:
        wrong.append(f"option {name}: openapi.yaml says default {said}, not {default}")
    if kind == "CHOICE" and schema.get("enum") != words:
        wrong.append(f"option {name}: openapi.yaml has {schema.get('enum')}, not {words}")
    if kind == "INT_OR" and schema.get("pattern") != f"^{words[0]}$":
        wrong.append(f"option {name}: openapi.yaml does not have its word {words[0]}")
    if bounds and [schema.get("minimum"), schema.get("maximum")] != bounds:
        wrong.append(f"option {name}: openapi.yaml does not have its bounds {bounds}")
    line = next((l for l in table.splitlines() if l.startswith(f"| `{name}`")), "")
    said = words + [" to ".join(map(str, bounds))] * bool(bounds) + [f"`{default}`"] * bool(default)
    for word in said:
        if word not in line:
            wrong.append(f"option {name}: docs/api.md does not have {word}")
for path in ("/v1/compile", "/v1/jobs"):
    taken = [p["$ref"].rsplit("/", 1)[1] for p in api["paths"][path]["post"]["parameters"] if "$ref" in p]
    same("option", options, taken, "openapi.yaml at " + path)

# Error codes, with their HTTP status.
codes = {name: http for name, http in rows("proto/wire/status.h", r'X\(\d+, \w+, "(\w+)", (\d+), "', 40) if name != "ok"}
same("code", codes, api["components"]["schemas"]["Code"]["enum"], "openapi.yaml")
errors = section("docs/api.md", "Errors")
inside = re.findall(r"`(\w+)`", re.search(r"faults inside smd[^.]*\.", errors).group())
same("code", codes, column(errors, r"`(\w+)`") + inside, "docs/api.md")
for code, http in re.findall(r"^\| `(\w+)` \| (\d+) \|", errors, re.M):
    if codes.get(code) != http:
        wrong.append(f"code {code}: docs/api.md says {http}, not {codes.get(code)}")
for code, http in column(section("docs/operations.md", "Errors"), r"`(\w+)`[^`]*?(\d{3})?(?=,|\s*$)"):
    if code not in codes or http and codes[code] != http:
        wrong.append(f"code {code} {http} of docs/operations.md is none")

# The key of an empty module.
if re.search(r'key_with\(NULL, NULL, key\);\s+cr_assert_str_eq\(key, "(\w+)"', read("tests/unit/key_test.c"))[1] not in read("docs/api.md"):
    wrong.append("docs/api.md has not the key of tests/unit/key_test.c")

# Routes.
routes = rows("server/routes/routes.c", r'\{"(GET|POST|PUT|DELETE)", "(/[^"]*)"', 10)
normal = lambda path: re.sub(r"(?<=.)(\{\w+\}|KEY|ID)$", "", path.split("?")[0])
routes = {(method, path) for method, path in routes}
same("route", routes, {(m.upper(), normal(p)) for p, ms in api["paths"].items() for m in ms if m != "parameters"},
     "openapi.yaml")
told = set()
for line in read("docs/api.md").split("## ")[0].splitlines():
    methods = re.findall(r"`(GET|POST|PUT|DELETE)`?|`(GET|POST|PUT|DELETE) ", line.split("|")[1] if "|" in line else "")
    paths = re.findall(r"(?:^|[ `])(/[^ `,]*)", line.split("|")[1] if methods or "| `/" in line else "")
    told |= {((m[0] or m[1]), normal(p)) for m in methods or [("GET", "")] for p in paths}
same("route", routes, told, "docs/api.md")

# Headers.
HEADER = r'(?:reply_header\([^,]*|MHD_add_response_header\([^,]*|request_header\([^,]*), "([\w-]+)"'
headers = {h for path in glob.glob("server/**/*.c", recursive=True) for h in re.findall(HEADER, read(path))}
if len(headers) < 15:
    sys.exit("server: this test no longer finds the headers")
same("header", headers, column(section("docs/api.md", "Headers"), r"`([\w-]+)`"), "docs/api.md")
described = {h for h in headers if re.search(rf"^ *{h}: \{{", read("proto/openapi.yaml"), re.M)}
answered = {h for path in glob.glob("server/**/*.c", recursive=True) for h in
            re.findall(r'(?:reply_header|MHD_add_response_header)\([^,]*, "([\w-]+)"', read(path))} - {"Content-Type"}
same("header", answered, described | ({"Location"} if "headers: { Location:" in read("proto/openapi.yaml") else set()),
     "openapi.yaml")

# Metrics.
metrics = {m for path in glob.glob("server/**/*.[ch]", recursive=True) for m in re.findall(r'"((?:smd|process)_[a-z0-9_]+)"', read(path))}
metrics |= {m for m in re.findall(r"# TYPE (\w+) ", read("server/ops/metrics.c") + read("server/routes/capabilities.c"))}
watch = section("docs/operations.md", "Watch it")
if len(metrics) < 20:
    sys.exit("server/ops/metrics.h: this test no longer finds the metrics")
same("metric", metrics, column(watch, r"`((?:smd|process)_[a-z0-9_]+)"), "docs/operations.md")

# Settings.
SETTING = r'\{"(\w+)", (?:TEXT|INT|BOOL), (?:AT|LIVE)\(\w+\), [^"]*"([^"]*)", "'
settings = dict(rows("server/ops/settings.c", SETTING, 30))
told = re.findall(r"^\| `(\w+)`[ *]* \| [^|]* \| (?:`([^`]*)`|empty) \|", section("docs/operations.md", "Settings"), re.M)
same("setting", settings.items(), told, "docs/operations.md")
bound = lambda text: eval(text, {}) if re.fullmatch(r"[\d <]+", text) else sys.exit(f"server/ops/settings.c: bound {text}")
pages = {}
for name, kind, live, low, high, default, text in rows(
        "server/ops/settings.c", r'\{"(\w+)", (\w+), (AT|LIVE)\(\w+\), ([^"]*?), ([^",]*?), "([^"]*)", "([^"]*)"\}', len(settings)):
    values = {"TEXT": "text", "BOOL": "boolean"}.get(kind) or f"{bound(low)} to {bound(high)}"
    pages[name] = f"{values}, default {default or 'empty'}{', reload' * (live == 'LIVE')}: {text}".lower()
manual = {name: f"{values}: {text}".lower() for name, values, text in
          re.findall(r'^\.BR (\w+) " \((.*)\)"\n(.*)\.$', read("server/smd.json.5"), re.M)}
same("setting", pages.items(), manual.items(), "smd.json.5")
example = {k for k in json.loads(read("deploy/smd.json")) if not k.startswith("_")}
for name in sorted(example - set(settings)):
    wrong.append(f"setting {name} of deploy/smd.json is not in the code")

# Exit statuses of smc.
statuses = set(re.findall(r"EXIT_\w+ = (\d+)", read("client/smc/smc.h")))
flags = set(rows("server/ops/settings.c", r'\{"--([\w-]+)", SETTINGS_', 5)) | {"config"}
same("flag", flags, re.findall(r'^\.(?:B|BI) "?--([\w-]+)', read("server/smd.8").split(".SH FLAGS")[1].split(".SH")[0], re.M), "smd.8")
manual = read("client/smc/smc.1").split(".SH EXIT STATUS")[1].split(".SH")[0]
same("exit status", statuses, re.findall(r"^\.B (\d+)$", manual, re.M), "smc.1")
same("exit status", statuses, column(section("docs/client.md", "Exit status"), r"^ *(\d+)"), "docs/client.md")

# Commands of smc.
commands = {c for path in glob.glob("client/smc/*.c") for c in re.findall(r'\.name = "([a-z-]+)"', read(path))}
if len(commands) < 8:
    sys.exit("client/smc/*.c: this test no longer finds the commands")
manual = read("client/smc/smc.1").split(".SH COMMANDS")[1].split(".SH")[0]
same("command", commands, re.findall(r'^\.TP\n\.BI? "?([a-z-]+)', manual, re.M), "smc.1")
same("command", commands, commands & set(re.findall(r"smc ([a-z-]+)", section("docs/client.md", "smc"))), "docs/client.md")

# Flags of smc; the compile options are those of the server.
flags = {f for path in glob.glob("client/smc/*.c") for f in re.findall(r'\{"([a-z-]+)", (?:\'.\'|0), FLAG_', read(path))}
if len(flags) < 25:
    sys.exit("client/smc/*.c: this test no longer finds the flags")
manual = read("client/smc/smc.1").split(".SH FLAGS")[1].split(".SH")[0]
same("flag", flags | {"deadline-ms"}, re.findall(r"(?<![\w-])--([a-z-]+)", manual), "smc.1")

def anchors(path):
    """What links to a heading of the document end with."""
    titles = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", read(path), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


# Files that documents name, and headings in them.
for path in ["README.md", "CONTRIBUTING.md"] + glob.glob("docs/**/*.md", recursive=True):
    folder = os.path.dirname(path)
    for link, anchor in re.findall(r"\]\(([^)# ]*)(?:#([^)]*))?\)", read(path)):
        there = os.path.normpath(os.path.join(folder, link)) if link else path
        if "://" in link:
            continue
        if not glob.glob(there):
            wrong.append(f"{path}: there is no {link}")
        elif anchor and anchor not in anchors(there):
            wrong.append(f"{path}: {there} has no heading for #{anchor}")
    for name in re.findall(r"`((?:core|server|client|proto|tests|deploy|docs)/[\w./-]+\.\w+)`", read(path)):
        if not glob.glob(name) and "NAME" not in name and not name.endswith(".rst"):  # those are LLVM's
            wrong.append(f"{path}: there is no {name}")

# Tests that are named as `suite/test` are there.
named = {}
for path in glob.glob("tests/**/*_test.c", recursive=True):
    for suite, name in re.findall(r"^(?:Test|ParameterizedTest)\((?:[^,()]*\*\w+, )?(\w+), (\w+)", read(path), re.M):
        named.setdefault(suite, set()).add(name)
for path in ("docs/operations.md", "docs/security.md"):
    for suite, name in re.findall(r"`([a-z_]+)/([a-z_0-9]+)`", read(path)):
        if suite in named and suite not in ("server", "tests", "deploy") and name not in named[suite]:
            wrong.append(f"{path}: there is no test {suite}/{name}")

# What LLVM's documents ask: each row has a state, each yes a test; the tests are there, and the counts are right.
asked = read("docs/documents.md")
states, total = {}, 0
for title, text in zip(*[iter(re.split(r"^## +(.*)$", asked, flags=re.M)[1:])] * 2):
    if title == "Counts":
        continue
    for ids, state, evidence in re.findall(r"^\| ([SGP]\d[\w. ]*) \| .* \| (\w+) \| (.*) \|$", text, re.M):
        total += 1
        states.setdefault(title, []).append(state)
        tests = re.findall(r"`(tests/\S+\.\w+|[a-z0-9]+/\w+\.c):(\w+)`", evidence)
        texts = re.findall(r"`(?:tests/)?(compiler/[\w/-]+\.ll)`", evidence)
        if state not in ("yes", "partly", "no"):
            wrong.append(f"docs/documents.md: {ids} has the state {state}")
        if state == "yes" and not tests and not texts:
            wrong.append(f"docs/documents.md: {ids} names no test")
        for path, name in tests:
            path = path if path.startswith("tests/") else "tests/" + path
            begin = r"^(?:Test\(|ParameterizedTest\([\w ]+\*\w+, )\w+, "
            if not glob.glob(path) or not re.search(begin + name + r"\b", read(path), re.M):
                wrong.append(f"docs/documents.md: {ids} names {path}:{name}, which is no test")
        for path in texts:
            if not glob.glob("tests/" + path):
                wrong.append(f"docs/documents.md: {ids} names tests/{path}, which is no test")
if total != 266:
    wrong.append(f"docs/documents.md has {total} rows, not 266")
for title, *said in re.findall(r"^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|$", section("docs/documents.md", "Counts"), re.M):
    of = states.get(title) or sum(states.values(), [])
    if [of.count(x) for x in ("yes", "partly", "no")] != [int(x) for x in said]:
        wrong.append(f"docs/documents.md: the counts of {title} are others")

if wrong:
    sys.exit("documents and code differ:\n  " + "\n  ".join(wrong))
print(f"{len(options)} options, {len(codes)} codes, {len(routes)} routes, {len(headers)} headers, {len(metrics)} metrics, "
      f"{len(settings)} settings, {len(statuses)} exit statuses are as documented")
