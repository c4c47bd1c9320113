#!/usr/bin/python3
"""Three smd with a Redis behind deploy/haproxy.cfg, under load by libsmclient and curl, while one fault follows another.

    faults_test.py SMD        SMD: the daemon's program

A row of the tables in docs/operations.md is a fault. Each has to show by its name in a metric and in a log, and to pass;
and no request may fail, as each has a server that lives."""
import os, random, re, signal, subprocess, sys, tempfile, threading, time

sys.path.insert(0, os.path.dirname(__file__))
from balancing import ask, free_ports, module, ready

smd, smc = sys.argv[1], os.path.dirname(sys.argv[1]) + "/smc"
folder = tempfile.TemporaryDirectory()
path = lambda name: f"{folder.name}/{name}"
*ports, front = free_ports(4)
url = f"http://127.0.0.1:{front}"
started, over = {}, threading.Event()
failed, done, faults = [], {"smc": 0, "curl": 0}, []


def start(name, *command, **environment):
    log = open(path(f"{name}.log"), "a")
    started[name] = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **environment})


def start_redis():
    start("redis", "redis-server", "--port", "0", "--unixsocket", path("redis"), "--save", "", "--maxmemory-policy", "allkeys-lru", "--maxmemory", "100mb")
    wait("Redis answers", lambda: redis("ping") == "PONG")


def start_server(i, salt):
    """Nothing is kept in a server's own memory, so that each repeat asks the shared tier."""
    start(f"smd{i + 1}", smd, "--port", str(ports[i]), "--workers", "1", "--drain-grace-s", "2", "--shared", "unix:" + path("redis"), "--mac-key",
          path("key"), "--shared-wait-ms", "1000", "--cache-memory-mib", "0", "--cache-salt", salt, "--trusted-proxies", "127.0.0.1")
    ready(ports[i])


def redis(*command):
    return subprocess.run(["redis-cli", "-s", path("redis"), *command], capture_output=True, text=True).stdout.strip()


def wait(what, condition):
    for _ in range(1200):
        if failed:
            sys.exit(f"{what}: a request failed: {failed[0]}")
        if condition():
            return
        time.sleep(0.1)
    sys.exit(f"waited in vain until {what}\n" + "".join(f"{n}: {logged(n)[-1500:]}\n" for n in started))


def logged(name):
    return open(path(f"{name}.log"), errors="replace").read()


def metric(i, sample):
    """0 also where nobody answers."""
    try:
        text = ask(ports[i], "GET", "/metrics")[1].decode()
    except OSError:
        return 0
    found = re.search(f"^{re.escape(sample)} (\\S+)$", text, re.M)
    return float(found[1]) if found else 0


def is_silent(i):
    """What a scrape finds (`up` is 0)."""
    return subprocess.run(["curl", "-s", "-m", "0.5", "-o", os.devnull, f"http://127.0.0.1:{ports[i]}/metrics"]).returncode != 0


def balancer_says(i, word):
    """How often."""
    return len(re.findall(f"Server compilers/smd{i + 1} is {word}", logged("haproxy")))


def by_smc(file, out):
    return subprocess.run([smc, "compile", "-s", url, "--retry", "--quiet", "--deadline", "300000", "--safepoints", "none", "-o", out, file],
                          capture_output=True, text=True)


def by_curl(file, out):
    return subprocess.run(["curl", "-sS", "--fail-with-body", "-H", "Accept: application/octet-stream", "-H", "Content-Type: text/plain", "-o", out,
                           "--data-binary", "@" + file, url + "/v1/compile?safepoints=none"], capture_output=True, text=True)


def load(number, tool, how):
    """Half of what is asked for was asked for before, by anybody."""
    chance, n = random.Random(number), 0
    file, out = path(f"{number}.ll"), path(f"{number}.o")
    while not over.is_set():
        name = f"everybodys{chance.randrange(40)}" if n % 2 else f"client{number}_{n}"
        with open(file, "w") as f:
            f.write(module(name))
        r = how(file, out)
        if r.returncode or name.encode() not in open(out, "rb").read():
            failed.append((tool, name, r.returncode, r.stderr, faults[-1:]))
        n += 1
        done[tool] += 1


def go_on(count):
    """Until so many more requests were answered, which began now or later but for those under way."""
    enough = sum(done.values()) + count + 4
    wait("requests are answered", lambda: sum(done.values()) >= enough)


def fault(name):
    print(f"{time.monotonic() - begun:5.1f} s: {name}", flush=True)
    faults.append(name)


def server_away(name, i, end, again):
    """One that does not answer: the load balancer says so, and a scrape finds nobody."""
    fault(name)
    down, up = balancer_says(i, "DOWN"), balancer_says(i, "UP")
    end()
    wait(f"{name}: HAProxy says so", lambda: balancer_says(i, "DOWN") > down)
    wait(f"{name}: a scrape finds nobody", lambda: is_silent(i))
    for n in range(10):  # the load's own may all wait for the one that is frozen
        r, _ = ask(front, "POST", "/v1/compile?safepoints=none", module(f"{name.replace(' ', '_')}{n}"))
        if r.status != 200:
            sys.exit(f"{name}: {r.status}")
    again()
    wait(f"{name}: it is back", lambda: balancer_says(i, "UP") > up)
    go_on(10)


def tier_fault(name, begin, end, sample, event):
    """One of Redis: a server counts it, and logs it by its name."""
    fault(name)
    sample = f"smd_shared_errors_total{{kind=\"{sample}\"}}"
    before = [(metric(i, sample), logged(f"smd{i + 1}").count(f'"{event}"')) for i in range(3)]
    begin()
    wait(f"{name}: {sample} and {event}", lambda: any(
        metric(i, sample) > count and logged(f"smd{i + 1}").count(f'"{event}"') > lines for i, (count, lines) in enumerate(before)))
    go_on(10)
    end()
    wait(f"{name}: the tier is back", lambda: all(metric(i, "smd_shared_up") == 1 for i in range(3)))
    go_on(10)


def upgrade(i):
    """The new version shares nothing with the old one, and takes its place."""
    fault(f"server {i + 1} is drained and upgraded")
    down, up = balancer_says(i, "DOWN"), balancer_says(i, "UP")
    server = started[f"smd{i + 1}"]
    server.send_signal(signal.SIGTERM)
    wait("it is drained", lambda: metric(i, 'smd_answers_total{code="draining"}') or server.poll() is not None)
    if server.wait(200) != 0 or '"event":"draining"' not in logged(f"smd{i + 1}").replace(" ", ""):
        sys.exit(f"the drained server ended with {server.returncode}: {logged(f'smd{i + 1}')[-1500:]}")
    wait("HAProxy says so", lambda: balancer_says(i, "DOWN") > down)
    start_server(i, "new")
    wait("it is back", lambda: balancer_says(i, "UP") > up)
    wait("it compiles", lambda: metric(i, 'smd_artifacts_total{from="compiled"}') > 0)


def send(name, number):
    return lambda: started[name].send_signal(number)


def kill(name):
    started[name].kill()
    started[name].wait()


ALTER = "for _, k in ipairs(redis.call('keys', 'smd:1:*')) do redis.call('setrange', k, 60, 'altered') end"
begun = time.monotonic()
try:
    with open(path("key"), "w") as f:
        os.chmod(f.name, 0o600)
        f.write(os.urandom(32).hex())
    start_redis()
    for i in range(3):
        start_server(i, "old")
    addresses = {f"SMD_{i + 1}": f"127.0.0.1:{p}" for i, p in enumerate(ports)}
    start("haproxy", "haproxy", "-db", "-f", "deploy/haproxy.cfg", SMD_BIND=f"127.0.0.1:{front}", **addresses)
    ready(front)
    clients = [threading.Thread(target=load, args=(i, *(("smc", by_smc), ("curl", by_curl))[i % 2]), daemon=True) for i in range(4)]
    for t in clients:
        t.start()
    wait("each has its share", lambda: all(metric(i, 'smd_artifacts_total{from="compiled"}') > 0 for i in range(3)))
    server_away("a server is killed", 0, lambda: kill("smd1"), lambda: start_server(0, "old"))
    server_away("a server is frozen", 1, send("smd2", signal.SIGSTOP), send("smd2", signal.SIGCONT))
    tier_fault("Redis is killed", lambda: kill("redis"), start_redis, "lost", "shared_lost")
    tier_fault("Redis is frozen", send("redis", signal.SIGSTOP), send("redis", signal.SIGCONT), "late", "shared_lost")
    tier_fault("Redis is full", lambda: redis("config", "set", "maxmemory-policy", "noeviction", "maxmemory", "1"),
               lambda: redis("config", "set", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb"), "write", "shared_write")
    tier_fault("entries are altered", lambda: redis("eval", ALTER, "0"), lambda: None, "damaged", "shared_damaged")
    for i in range(3):
        upgrade(i)
    go_on(10)
    over.set()
    for t in clients:
        t.join(300)
    if failed or any(t.is_alive() for t in clients):
        sys.exit(f"{len(failed)} of {done} requests failed, the first: {failed[:1]}")
    print(f"[figures] {len(faults)} faults behind a load balancer: {done['smc']} requests by libsmclient, {done['curl']} by curl; no request failed "
          f"that had a living server; {time.monotonic() - begun:.0f} s")
finally:
    over.set()
    for p in reversed(started.values()):
        p.kill()
        p.wait()
