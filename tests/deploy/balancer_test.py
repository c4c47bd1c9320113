#!/usr/bin/python3
"""Three smd behind deploy/haproxy.cfg: one is killed, one is stopped, one comes back, and nobody notices.

    balancer_test.py SMD        SMD: the daemon's program

Clients with kept connections compile, half of them modules that nobody has compiled before. Every answer must be 200,
and hold what was asked for; each server must have done some of the work. Then the server that has a large request,
which HAProxy cannot send again, is killed: libsmclient does."""
import http.client, json, os, signal, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(__file__))
from balancing import ask, free_ports, is_busy, module, ready, write_large_module

SECONDS = 8
folder = tempfile.TemporaryDirectory()


def start(port):
    return subprocess.Popen([sys.argv[1], "--port", str(port), "--workers", "1", "--drain-grace-s", "2"],
                            stdout=subprocess.DEVNULL)


*ports, front = free_ports(4)
servers = [start(p) for p in ports]
balancer = None
wrong, done, over = [], [0], threading.Event()


def compile_on(client):
    c = http.client.HTTPConnection("127.0.0.1", front, timeout=300)
    n = 0
    while not over.is_set():
        name = f"client{client}_{n}" if n % 2 else "everybodys"
        c.request("POST", "/v1/compile?safepoints=none", module(name), {"Content-Type": "text/plain"})
        r = c.getresponse()
        body = r.read()
        functions = json.loads(body)["stackmap"]["functions"] if r.status == 200 else []
        if [f["name"] for f in functions] != [name]:
            wrong.append((r.status, body[:300]))
        n += 1
        done[0] += 1


def repeats():
    """Equal requests, on connections of their own: how many were compiled again."""
    again = 0
    for turn in range(3):
        for n in range(30):
            r, _ = ask(front, "POST", "/v1/compile?safepoints=none&opt=0", module(f"repeated{n}"))
            again += turn > 0 and r.getheader("X-Smd-Cache") != "memory"
            key = r.getheader("X-Smd-Key")
    for _ in range(3): # a client that knows the key finds what it had compiled
        named = module("named_by_key")
        r, _ = ask(front, "POST", "/v1/compile?safepoints=none&opt=0", named, X_Smd_Key=key)
        key = r.getheader("X-Smd-Key")
    found, _ = ask(front, "GET", f"/v1/artifacts/{key}")
    if found.status != 200:
        sys.exit(f"the server that is asked for a key is not the one that has it: {found.status}")
    return again


def jobs():
    """Each job is found at the server that took it, and so is each level of tiers."""
    for n in range(12):
        begun, _ = ask(front, "POST", "/v1/jobs?safepoints=none", module(f"job{n}"))
        done, body = ask(front, "GET", begun.getheader("Location") + "?wait=60")
        if (begun.status, done.status) != (202, 200) or json.loads(body)["stackmap"]["functions"][0]["name"] != f"job{n}":
            sys.exit(f"job {n}: {begun.status}, then {done.status}: {body[:300]}")
        first, _ = ask(front, "POST", "/v1/compile?safepoints=none&tiers=0,1,2", module(f"tiers{n}"))
        for level in first.getheader("X-Smd-Tiers").split(","):
            later, body = ask(front, "GET", level.split("=", 1)[1].strip() + "?wait=60")
            if later.status != 200:
                sys.exit(f"level {level}: {later.status}: {body[:300]}")
        gone, _ = ask(front, "DELETE", begun.getheader("Location"))
        if gone.status != 200:
            sys.exit(f"job {n} cannot be given up: {gone.status}")


def large_request_survives():
    """The server is killed that works on a request with a body larger than tune.bufsize."""
    path = folder.name + "/large.ll"
    write_large_module(path)
    smc = subprocess.Popen([os.path.dirname(sys.argv[1]) + "/smc", "compile", "-s", f"http://127.0.0.1:{front}", "--retry",
                            "--quiet", "--safepoints", "none", "--deadline", "300000", "-o", folder.name + "/large.o", path])
    victim = None
    while victim is None and smc.poll() is None:
        victim = next((i for i, p in enumerate(ports) if i != 1 and is_busy(p)), None)
    if victim is None:
        sys.exit("nobody was seen at work on the large request")
    servers[victim].kill()
    if smc.wait(600) != 0 or not os.path.getsize(folder.name + "/large.o"):
        sys.exit(f"a large request did not survive its server: smc ended with {smc.returncode}")
    lost = [line for line in open(log.name) if f"compilers/smd{victim + 1}" in line and "name=large.ll" in line
            and " 200 " not in line]
    print("a large request was " + ("lost by HAProxy, and sent again by libsmclient" if lost else "answered before its server was killed"))


def client(number):
    try:
        compile_on(number)
    except Exception as e:
        wrong.append((number, repr(e)))


def go_on(seconds):
    """So long, and until every server can have been asked."""
    enough = done[0] + 30
    time.sleep(seconds)
    for _ in range(2000):
        if done[0] >= enough or wrong:
            return
        time.sleep(0.1)


try:
    for p in ports:
        ready(p)
    addresses = {f"SMD_{i + 1}": f"127.0.0.1:{p}" for i, p in enumerate(ports)}
    log = open(folder.name + "/log", "w")
    balancer = subprocess.Popen(["haproxy", "-f", "deploy/haproxy.cfg"], stdout=log, stderr=log,
                                env=dict(os.environ, SMD_BIND=f"127.0.0.1:{front}", **addresses))
    ready(front)
    clients = [threading.Thread(target=client, args=(i,)) for i in range(6)]
    closed = http.client.HTTPConnection("127.0.0.1", front, timeout=100)
    closed.request("GET", "/v1/manifest")
    if closed.getresponse().status != 403:
        sys.exit("clients can ask for the manifest")
    compiled_again = repeats()
    if compiled_again > 15:  # by chance it would be 40; a server that is late with a check gives its share away for a while
        sys.exit(f"{compiled_again} of 60 repeats were compiled again")
    jobs()
    for t in clients:
        t.start()
    go_on(SECONDS / 4)
    servers[0].kill()
    go_on(SECONDS / 4)
    servers[1].send_signal(signal.SIGTERM)
    if servers[1].wait(200) != 0:
        sys.exit(f"the stopped server ended with {servers[1].returncode}")
    servers[0].wait()
    servers[0] = start(ports[0])
    go_on(SECONDS / 2)
    over.set()
    for t in clients:
        t.join(300)
    log.flush()
    said = open(log.name).read()
    if wrong:
        sys.exit(f"{len(wrong)} of {done[0]} answers were wrong, the first: {wrong[0]}\n{said[-2000:]}")
    for p in ports[0], ports[2]:
        ready(p)
    large_request_survives()
    for name in ("smd1", "smd2", "smd3"):
        if f"compilers/{name}" not in said:
            sys.exit(f"{name} was never asked\n{said[-2000:]}")
    again = sum("/v1/compile" in line and "+" in line.split('"')[0] for line in said.splitlines())
    print(f"[figures] behind a load balancer: {done[0]} compiles, {again} of them sent again, 0 lost; one server killed, one "
          "stopped, one started again")
finally:
    over.set()
    for p in servers + ([balancer] if balancer else []):
        p.kill()
        p.wait()
