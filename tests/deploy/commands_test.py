#!/usr/bin/python3
"""The commands of README.md and of the guides are run as they stand there, and do what is said; the members of answers
are those that docs/api.md names. Run in the project's folder.

    commands_test.py BUILD-FOLDER

They are typed in a folder that looks like the project's, against a daemon on a port of its own."""
import glob, json, os, re, subprocess, sys, tempfile, time, urllib.error, urllib.request

DOCUMENTS = ["README.md", "docs/start.md", "docs/pictures.md", "docs/collector.md", "docs/client.md", "docs/compiler.md", "docs/api.md",
             "docs/page.md", "docs/comparison.md", "docs/operations.md", "docs/security.md", "docs/performance.md", "docs/testing.md",
             "docs/stackmap.md", "docs/compact.md"] + sorted(glob.glob("docs/compiler/*.md"))

COMPILER_TEST = "advice/modules_that_define_nothing.ll"

# What a command begins with or has in it -> exit status, and what it writes. Those of no status are run by other tests:
# tests/deploy/fresh_test.sh runs ./deploy/run, everybody ./deploy/test, tests/e2e daemons with Redis and plugins. Valgrind
# and perf, which count, are not there everywhere; what perf counts runs without it.
EXPECTED = [
    (r"^module\(\) ", 0, "SMDARTF1.*SMDARTF1"),
    (r"^\./deploy/", None, ""),
    (r"build/fuzzer", None, ""),  # minutes, and needs clang
    (r"^tests/e2e/failing_test", None, ""),
    (r"^printf .* > mine\.ll$", 0, ""),
    (r"@mine\.ll ", 0, "1 function, 1 safepoint, 1 live pointer"),
    (r"emit=obj,ir,links", 0, r'"links":\[\[\{"line":[0-9]+,"roots":\[\[0,0\]\]\}'),
    (r"emit=stages&after=", 0, '"stage":"place".*"stage":"see_through".*"stage":"regions_mark".*"stage":"rewrite"'),
    (r"^PYTHONPATH=", 0, "backedge-poll to collect"),
    (r"--leave-out 0 ", 0, "the root was needed"),
    (r"Accept: text/plain", 0, "2 functions, 4 safepoints, 4 live pointers (x86-64, llvm-v3)"),
    (r"target=aarch64.*emit=", 0, '"target":"aarch64-unknown-linux-gnu".*"disasm":'),
    (r"@docs/examples/edit.ll", 0, ""),
    (r"^sed .*incremental=", 0, r"X-Smd-Parts: ([0-9]+); taken=(?!0)[0-9]+\s*$"),
    (r"tiers=0,2", 0, r"X-Smd-Tiers: 2=/v1/jobs/[0-9a-f]{32}"),
    (r"octet-stream' -o list\.o", 0, ""),
    (r"@list\.o .*/v1/stackmap", 0, '"format":"llvm-v3"'),
    (r"/v1/capabilities$", 0, '"gc_registers".*"default":"0".*"min":0,"max":32'),
    (r"oops", 0, '"code":"parse_error".*"line":1,"column":20'),
    (r"smc explain .*-O0 --remat=false.*frames.ll", 0, "derived from"),
    (r"smc explain .*/frames.ll", 0, "deopt value"),
    (r"smc explain .*/stacks.ll", 0, "reference in alloca 0"),
    (r"smc explain .*/pins.ll", 0, "pinned"),
    (r"smc explain .*gc-registers=8.*/derived.ll", 0, "r14 +derived from rbx"),
    (r"smc explain ", 0, r"rsp\+8 | pointer "),
    (r"--(token-file|trusted-keys|signature|ca-file)", None, ""),
    (r"smc token .*--jwt ", 0, r"^\s*$"),
    (r"smc token .* new .*--scopes", 0, r"^[0-9A-Za-z_.-]{20,}\s*$"),
    (r"smc token .* list", 0, "ci"),
    (r"smc token .* revoke", 0, ""),
    (r"smc token ", None, ""),
    (r"smc compile ", 0, ""),
    (r"smc upgrade ", 0, "define ptr addrspace(1) @test1(ptr addrspace(1) %obj)"),
    (r"smc stackmap --sizes ", 0, "compact"),
    (r"smc stackmap ", 0, '"arch": "aarch64"'),
    (r"smc run .* first second$", 2, "first\nsecond\n"),
    (r"smc top --once$", 0, "workers "),
    (r"smc (doctor|jobs) ", None, ""),
    (r"smc status http://[0-9.:]*$", 0, "Nothing is wrong"),
    (r"smc capabilities$", 0, "x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu"),
    (r"smc prewarm ", 0, " compiled, .* were there"),
    (r"^openssl ", 0, ""),
    (r"^curl .*idp\.example", None, ""),
    (r"^smc bundle ", None, ""),
    (r"^smd --(jwt|shared|store|job-queue|gc-plugins|config|listen|tokens|tls|sign|mac|otlp)", None, ""),
    (r"^(valgrind|callgrind_annotate) ", None, ""),
    (r"smd-bench module ", 0, ""),
    (r"^smd-worker --compile \S+ .*(--keep=|--kept=|emit=modern)", 0, ""),
    (r"compiler_test ", 0, "Failing: 0 "),
    (r"^cmake --install ", 0, "Install"),
    (r"^cc (-static )?runtime\.c ", 0, ""),
    (r"bin/moving ", 0, ""),
    (r"bin/zeal --text ", 0, r"22100 \(151 collections, 151 frames, 197 roots, 197 moved; 4 of 10 records\)"),
    (r"bin/zeal --every ", 0, r"22100 \(\d+ collections"),
]


def blocks(path):
    """Indented lines that follow each other."""
    block = []
    for line in [*open(path, encoding="utf-8"), ""]:
        if line.startswith("    "):
            block.append(line[4:])
        elif block:
            yield block
            block = []


def commands(path):
    """The indented lines that are commands, without their remarks; a block that defines a function is one command."""
    for block in blocks(path):
        for command in ["".join(block)] if re.match(r"\w+\(\) ", block[0]) else block:
            if re.match(r"(\./|build/|(curl|echo|printf|smc|cc|cmake|sed|openssl|smd|smd-\w+|perf|valgrind|callgrind_annotate) |PYTHONPATH=|\w+\(\) )", command):
                command = re.sub(r"^perf stat -e instructions:u ", "", command, flags=re.M)
                yield re.sub(r" +# .*", "", command.rstrip("\n")).replace(" FILE", " tests/compiler/" + COMPILER_TEST)


def expected(command):
    for pattern, status, text in EXPECTED:
        if re.search(pattern, command):
            return status, text
    sys.exit(f"'{command}': this test does not know what it gives")


def run(command, folder, environment):
    status, text = expected(command)
    if status is None:
        return 0
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = done.stdout.decode(errors="replace")
    found = text in said or re.search(text, said, re.S)
    if done.returncode != status or not found:
        sys.exit(f"'{command}' gave {done.returncode}, not {status} and '{text}': {said[:4000]}")
    return 1


def answer(url, body=None, **headers):
    try:
        return json.load(urllib.request.urlopen(urllib.request.Request(url, body, headers)))
    except urllib.error.HTTPError as e:
        return json.load(e)


def check_members(url):
    """The members of what a client is answered, and of a problem, stand in docs/api.md."""
    spans = re.findall(r"`([^`]*)`", open("docs/api.md", encoding="utf-8").read())
    told = {word for span in spans for word in re.findall(r"\w+", span)}
    words = [o for o in answer(url + "/v1/capabilities")["options"] if o["name"] == "emit"][0]["values"]
    module = open("docs/examples/polls.ll", "rb").read()
    query = "/v1/compile?poll=call:stop&emit=" + ",".join(words)
    for what, members in {
        "a compile": answer(url + query, module),
        "a problem": answer(url + "/v1/compile?opt=9", module),
        "a module's problem": answer(url + "/v1/compile", b"oops"),
        "a diagnostic": answer(url + "/v1/compile", b"define void @f() {\n  oops\n}\n")["diagnostics"][0],
        "capabilities": answer(url + "/v1/capabilities"),
        "a stackmap": answer(url + "/v1/stackmap", open(sys.argv[1] + "/bin/smc", "rb").read()),
        "a manifest": answer(url + "/v1/manifest"),
        "a job": answer(url + "/v1/jobs", module),
    }.items():
        unknown = sorted(set(members) - told)
        if unknown or len(members) < 2:
            sys.exit(f"{what} has members that docs/api.md does not name: {', '.join(unknown)}")


build = os.path.realpath(sys.argv[1])
with tempfile.TemporaryDirectory(prefix="smd-commands-") as folder:
    for name in ("client", "docs", "tests", "README.md"):
        os.symlink(os.path.realpath(name), f"{folder}/{name}")
    os.mkdir(folder + "/build")
    os.symlink(build, folder + "/build/release")
    with open(folder + "/runtime.c", "w") as source:
        source.write("#include <smclient.h>\nint main(void) { return sm_version() != SM_VERSION; }\n")
    port = folder + "/port"
    daemon = subprocess.Popen([build + "/bin/smd", "--port=0", "--port-file", port, "--workers=1", "--cache-dir",
                               folder + "/cache"], stdout=subprocess.DEVNULL)
    try:
        while not os.path.exists(port):
            if daemon.poll() is not None:
                sys.exit("the daemon does not start")
            time.sleep(0.02)
        url = "http://127.0.0.1:" + open(port).read().strip()
        libraries = re.search(r"^CMAKE_INSTALL_LIBDIR:\w+=(.*)$", open(build + "/CMakeCache.txt").read(), re.M)[1]
        environment = dict(os.environ, SMD_SERVER=url, PATH=build + "/bin:" + os.environ["PATH"], DESTDIR="",
                           PKG_CONFIG_PATH=f"{folder}/prefix/{libraries}/pkgconfig", TERM="dumb")
        check_members(url)
        count = 0
        for path in sorted(DOCUMENTS, key=lambda p: p == "README.md"):  # README's last: its library is installed then
            for command in commands(path):
                command = re.sub(r"http://(127\.0\.0\.1|old|new|OLD|NEW):8199", url, command)
                count += run(command.replace("/usr/local", folder + "/prefix"), folder, environment)
    finally:
        daemon.terminate()
        daemon.wait()
if count < 60:
    sys.exit(f"only {count} commands were found in {DOCUMENTS}")
print(f"{count} commands do what the documents say")
