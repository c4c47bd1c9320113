#!/usr/bin/python3
"""The runs that the page draws (docs/examples/runs) are what client/examples/moving records today.

    record_test.py FOLDER [--write]     FOLDER: of the programs; --write: records them anew

Addresses differ from run to run: the first that is met is @0, the next @1, and so on."""
import json, os, platform, subprocess, sys, tempfile, time

RUNS = {"tree": 4, "array": 4, "copies": 4}
programs, folder = sys.argv[1], tempfile.TemporaryDirectory()
wrong = []


def without_addresses(value, seen):
    if isinstance(value, dict):
        return {k: without_addresses(v, seen) for k, v in value.items() if k not in ("sp", "at", "base")}
    if isinstance(value, list):
        return [without_addresses(v, seen) for v in value]
    if isinstance(value, str) and value.startswith("0x") and value != "0x0":
        return f"@{seen.setdefault(value, len(seen))}"
    return value


def check(ok, what):
    if not ok:
        wrong.append(what)


def check_run(name, run):
    """What any record is: every root leads into an object or is null, before as after, and all that is told of an object is so."""
    for n, c in enumerate(run["collections"]):
        def lies(value, when):  # a derived pointer may be one past the end
            return int(value, 16) == 0 or any(
                when in o and int(o[when], 16) <= int(value, 16) <= int(o[when], 16) + o["bytes"] for o in c["objects"])
        for f in c["frames"]:
            for r in f["roots"]:
                check(lies(r["before"], "before") and lies(r["after"], "after"), f"{name}, collection {n}: {r} leads nowhere")
                check(0 <= int(r["at"], 16) - int(f["sp"], 16) < 4096, f"{name}, collection {n}: {r} is not in its frame")
        for o in c["objects"]:
            check(all(lies(w, "before") for w in o["words"][:o["pointers"]]), f"{name}, collection {n}: {o}")
            check(o.get("after") != o["before"], f"{name}, collection {n}: an object has not moved")


def record(name, argument, server):
    run, obj = f"{folder.name}/{name}.json", f"{folder.name}/{name}.o"
    subprocess.run([programs + "/smc", "-s", server, "compile", "-O0", "--target=x86_64-linux-gnu", f"client/examples/programs/{name}.ll", "-o", obj],
                   check=True)
    subprocess.run([programs + "/moving", "--record", run, obj, str(argument)], check=True, stdout=subprocess.DEVNULL)
    return open(run).read()


if platform.machine() != "x86_64":
    sys.exit("the runs are of x86-64")
port_file = folder.name + "/port"
smd = subprocess.Popen([programs + "/smd", "--port=0", "--port-file=" + port_file, "--workers=1"], stdout=subprocess.DEVNULL)
try:
    while not os.path.exists(port_file) and smd.poll() is None:
        time.sleep(0.05)
    for name, argument in RUNS.items():
        text, kept = record(name, argument, "http://127.0.0.1:" + open(port_file).read().strip()), f"docs/examples/runs/{name}.json"
        if "--write" in sys.argv:
            open(kept, "w").write(text)
        check_run(name, json.loads(text))
        now, before = (without_addresses(json.loads(t), {}) for t in (text, open(kept).read()))
        check(now == before, f"{kept} is another run than the one of today: tests/client/record_test.py build/release/bin --write")
finally:
    smd.terminate()
    smd.wait()
full = subprocess.run([programs + "/moving", "--record", "/dev/full", f"{folder.name}/tree.o", "4"], capture_output=True, text=True)
check(full.returncode == 2 and "cannot be written" in full.stderr, f"a full disk: {full.returncode}, {full.stderr}")
print(*wrong[:20], sep="\n")
sys.exit(1 if wrong else 0)
