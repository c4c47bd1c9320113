#!/usr/bin/python3
"""Each allocation and each system call of smd fails once: at its start, with requests, when it reloads, and when it drains.
It refuses to start, and says why, or it goes on and serves; no signal ends it, and it does not hang. The same with smc and
libsmclient: they give what they give without a failure, or they fail and say why.

    failing_test.py FOLDER [EACH]     FOLDER: where smd and libfailing.so are. Of the places that can fail each
                                      EACHth is tried; 1: all of them"""
import concurrent.futures, gzip, http.client, json, os, re, signal, subprocess, sys, tempfile, time

FOLDER, EACH = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 25
PATIENCE_S = 120
MODULE = b"define i32 @f() { ret i32 1 }\n"


class Died(Exception):
    pass


class Daemon:
    """A smd in a folder of its own, with these variables in its environment."""

    def __init__(self, **variables):
        self.folder = tempfile.TemporaryDirectory(prefix="smd-failing-")
        self.path = self.folder.name
        os.mkdir(f"{self.path}/profiles")
        self.log = open(f"{self.path}/log", "w+b")
        with open(f"{self.path}/tokens", "w") as f:
            json.dump({"tokens": [{"name": "me", "user": os.getuid(), "scopes": ["compile", "admin", "metrics"]}]}, f)
        os.chmod(f"{self.path}/tokens", 0o600)
        arguments = ["--listen", f"unix:{self.path}/socket", "--port-file", f"{self.path}/port", "--workers", "1",
                     "--cache-dir", f"{self.path}/cache", "--crash-dir", f"{self.path}/crashes", "--tokens",
                     f"{self.path}/tokens", "--profiles", f"{self.path}/profiles", "--admission", "two",
                     "--drain-timeout-s", "5", "--request-timeout-s", "10", "--job-ttl-s", "600"]
        self.process = subprocess.Popen([f"{FOLDER}/smd", *arguments], stdout=self.log, stderr=self.log,
                                        env={**os.environ, "LD_PRELOAD": f"{FOLDER}/libfailing.so", **variables})

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.log.close()
        self.folder.cleanup()

    def words(self):
        with open(f"{self.path}/log", errors="replace") as f:
            return f.read()

    def starts(self):
        """Whether it serves; otherwise it has ended."""
        until = time.monotonic() + PATIENCE_S
        while not os.path.exists(f"{self.path}/port"):
            if self.process.poll() is not None:
                return False
            if time.monotonic() > until:
                raise Died("it neither starts nor ends")
            time.sleep(0.005)
        return True

    def ask(self, method, path, body=None, **headers):
        """The status of an answer, or 0 if the connection was closed without one; and the body."""
        c = Connection(f"{self.path}/socket")
        try:
            c.request(method, path, body, headers)
            answer = c.getresponse()
            return answer.status, answer.read()
        except TimeoutError:
            raise Died(f"{method} {path} is not answered")
        except (OSError, http.client.HTTPException):
            if self.process.poll() is not None:
                raise Died(f"it ended while it was asked {method} {path}")
            return 0, b""
        finally:
            c.close()


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE_S)
        self.path = path

    def connect(self):
        import socket
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(PATIENCE_S)
        self.sock.connect(self.path)


def use(d):
    """Requests of several kinds, and a reload in between."""
    large = MODULE + b"; " + b"x" * 100000 + b"\n"
    text = {"Content-Type": "text/plain"}
    d.ask("POST", "/v1/compile", MODULE, **text)
    d.ask("POST", "/v1/compile", MODULE, Accept="application/vnd.smd.artifact", **text)
    d.ask("POST", "/v1/compile?explain=true", gzip.compress(large), **{"Content-Encoding": "gzip"})
    d.ask("POST", "/v1/compile", json.dumps({"ir": MODULE.decode(), "options": {"opt": 1}}).encode(),
          **{"Content-Type": "application/json"})
    d.ask("POST", "/v1/compile", b"this is no module", **text)
    d.ask("POST", "/v1/compile?split=functions", MODULE, **text)
    d.process.send_signal(signal.SIGHUP)
    d.ask("POST", "/v1/batch", json.dumps([{"ir": MODULE.decode()}] * 2).encode(), **{"Content-Type": "application/json"})
    status, body = d.ask("POST", "/v1/jobs", MODULE, **text)
    if status == 202:
        try:
            d.ask("GET", f"/v1/jobs/{json.loads(body)['id']}?wait=5")
        except ValueError:
            raise Died(f"a job is taken, and the answer is {body}")
    key = re.search(rb'"key":"([0-9a-f]{64})', d.ask("POST", "/v1/compile", MODULE, **text)[1])
    if key:
        d.ask("GET", f"/v1/artifacts/{key[1].decode()}")
    for path in "/metrics", "/v1/manifest", "/v1/capabilities", "/v1/slowest", "/readyz", "/nowhere":
        d.ask("GET", path)


def settle(d):
    """What failed once has no consequences: a new module compiles."""
    for i in range(3):
        status, body = d.ask("POST", f"/v1/compile?deadline_ms={PATIENCE_S * 1000}",
                             MODULE + b"; %d\n" % i, **{"Content-Type": "text/plain"})
        if status == 200:
            return
    raise Died(f"it serves no more: {status} {body[:300]}")


def drain(d):
    d.process.send_signal(signal.SIGTERM)
    try:
        return d.process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        raise Died("it does not end")


def run(**variables):
    """Starts, uses and ends a daemon. What is wrong, as text; "" if nothing is."""
    d = Daemon(**variables)
    try:
        if not d.starts():
            said = [line for line in d.words().splitlines() if line.strip()]
            if d.process.returncode != 1 or not said:
                return f"it ended with {d.process.returncode} at its start, and said {said[-2:]}"
            return ""
        use(d)
        settle(d)
        status = drain(d)
        return f"it ended with {status}" if status else ""
    except Died as e:
        return f"{e}; it ended with {d.process.poll()}"
    finally:
        d.end()


def try_place(place):
    number, what = place
    for times in (1, 2):
        wrong = run(FAIL_AT=f"{number}:{times}")
        if wrong:
            return f"{what} at {number}:{times}: {wrong}"
    return ""


def run_smc(url, arguments, **variables):
    """Status, output and complaints of smc; Died if a signal ends it, or it does not end."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/m.ll", "wb") as f:
            f.write(MODULE.replace(b"@f", b"@main"))
        try:
            p = subprocess.run([f"{FOLDER}/smc", *arguments, "--server", url], cwd=folder, capture_output=True,
                               timeout=PATIENCE_S, env={**os.environ, "LD_PRELOAD": f"{FOLDER}/libfailing.so", **variables})
        except subprocess.TimeoutExpired:
            raise Died("it does not end")
    if p.returncode < 0:
        raise Died(f"signal {-p.returncode} ended it")
    said = [line for line in p.stderr.decode(errors="replace").splitlines() if not line.startswith("failing:")]
    return p.returncode, p.stdout, said


COMMANDS = (["compile", "m.ll", "-o", "-"], ["run", "m.ll"], ["explain", "m.ll"], ["capabilities"])


def try_smc(url, command, right, place):
    """smc gives what it gives without a failure, or it fails and says why."""
    number, what = place
    try:
        status, output, said = run_smc(url, command, FAIL_AT=f"{number}:1")
        if (status, output) == right or (status not in (0, right[0]) and said):
            return ""
        return f"smc {command[0]}, {what} at {number}: status {status}, {output[:100]}, {said[-2:]}"
    except Died as e:
        return f"smc {command[0]}, {what} at {number}: {e}"


def find_places(run_it):
    """The places that are come to when RUN_IT is called with a file to list them in."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):  # threads come to some by chance
            wrong = run_it(f"{folder}/places")
            assert not wrong, wrong
        with open(f"{folder}/places") as f:
            found = sorted({tuple(line.split()) for line in f})
    assert len(found) > 10, "the library is not in place"
    return found


def report(what, places, tried, results):
    """Prints what is wrong, and the figures. Gives how many are wrong."""
    wrong, kinds = 0, {}
    for w in results:
        if w:
            wrong += 1
            print(w, flush=True)
    for _, kind in places:
        kinds[kind] = kinds.get(kind, 0) + 1
    print(f"{what}: {len(places)} places can fail ({', '.join(f'{n} {k}' for k, n in sorted(kinds.items()))}); "
          f"{len(tried)} were tried, {wrong} are wrong", flush=True)
    return wrong


all_wrong = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    d = Daemon()
    try:
        assert d.starts(), d.words()
        url = f"unix:{d.path}/socket"
        for command in COMMANDS:
            right = run_smc(url, command)[:2]
            places = find_places(lambda file: run_smc(url, command, FAIL_LIST=file)[:2] != right)
            tried = places[::EACH]
            all_wrong += report(f"smc {command[0]}", places, tried,
                                pool.map(lambda place: try_smc(url, command, right, place), tried))
        drain(d)
    finally:
        d.end()
    places = find_places(lambda file: run(FAIL_LIST=file))
    tried = places[::EACH]
    all_wrong += report("smd", places, tried, pool.map(try_place, tried))
sys.exit(all_wrong > 0)
