#!/usr/bin/python3
"""Three smd with a queue of jobs behind deploy/nginx.conf: one is killed, one is stopped, and nobody notices.

    nginx_test.py SMD        SMD: the daemon's program

Every answer must be 200 and hold what was asked for, that of a large module too, whose server is killed meanwhile; equal
requests with a key go to one server; each job is found, whoever is asked; operators' routes are closed."""
import http.client, json, os, re, signal, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(__file__))
from balancing import ask, free_ports, is_busy, module, ready, write_large_module

folder = tempfile.TemporaryDirectory()
*ports, front, redis_port = free_ports(5)
with open(folder.name + "/key", "w") as f:
    f.write("0" * 64)
os.chmod(folder.name + "/key", 0o600)


def start(port):
    return subprocess.Popen([sys.argv[1], "--port", str(port), "--workers", "1", "--drain-grace-s", "2", "--job-queue",
                             f"redis://127.0.0.1:{redis_port}", "--mac-key", folder.name + "/key"], stdout=subprocess.DEVNULL)


def compiles(name, **headers):
    r, body = ask(front, "POST", "/v1/compile?safepoints=none&opt=0", module(name), **headers)
    if r.status != 200 or [f["name"] for f in json.loads(body)["stackmap"]["functions"]] != [name]:
        sys.exit(f"{name}: {r.status}: {body[:300]}")
    return r.getheader("X-Smd-Cache")


def job(n):
    begun, _ = ask(front, "POST", "/v1/jobs?safepoints=none", module(f"job{n}"))
    for _ in range(100):  # a server that is being stopped does not wait
        done, body = ask(front, "GET", begun.getheader("Location") + "?wait=60")
        if done.status != 202:
            break
        time.sleep(0.1)
    if (begun.status, done.status) != (202, 200) or json.loads(body)["stackmap"]["functions"][0]["name"] != f"job{n}":
        sys.exit(f"job {n}: {begun.status}, then {done.status}: {body[:300]}")


def large_request():
    """libsmclient does not repeat it: nginx does."""
    path = folder.name + "/large.ll"
    write_large_module(path)
    return subprocess.Popen([os.path.dirname(sys.argv[1]) + "/smc", "compile", "-s", f"http://127.0.0.1:{front}", "--quiet",
                             "--safepoints", "none", "--deadline", "300000", "-o", folder.name + "/large.o", path])


processes = []
try:
    processes.append(subprocess.Popen(["redis-server", "--port", str(redis_port), "--dir", folder.name, "--appendonly", "yes",
                                       "--save", ""], stdout=subprocess.DEVNULL))
    servers = [start(p) for p in ports]
    processes += servers
    for p in ports:
        ready(p)
    text = open("deploy/nginx.conf").read().replace("127.0.0.1:8199", f"127.0.0.1:{front}")
    for i, p in enumerate(ports):
        text = text.replace(f"127.0.0.1:820{i + 1}", f"127.0.0.1:{p}")
    text = text.replace("/run/nginx.pid", folder.name + "/pid").replace("/dev/stdout", folder.name + "/access")
    for kind in "client_body", "proxy", "fastcgi", "uwsgi", "scgi":  # where it keeps files, and who it is
        text = text.replace("http {\n", f"http {{\n    {kind}_temp_path {folder.name}/{kind};\n", 1)
    open(folder.name + "/nginx.conf", "w").write(("user root;\n" if os.geteuid() == 0 else "") + text)
    processes.append(subprocess.Popen(["nginx", "-c", folder.name + "/nginx.conf", "-g", "daemon off;"]))
    ready(front)
    for path in "/metrics", "/v1/manifest", "/v1/modules/0", "/dashboard":
        if ask(front, "GET", path)[0].status != 403:
            sys.exit(f"clients can ask for {path}")
    found = [compiles(f"repeated{n % 20}", X_Smd_Key=f"{n % 20:064x}") for n in range(60)]
    if found[20:] != ["memory"] * 40:
        sys.exit(f"equal requests were compiled again: {found}")
    for n in range(12):
        job(n)
    for n in range(20):
        compiles(f"before{n}")
    smc = large_request()
    victim = None
    while victim is None and smc.poll() is None:
        victim = next((i for i, p in enumerate(ports) if is_busy(p)), None)
    if victim is None:
        sys.exit("nobody was seen at work on the large request")
    servers[victim].kill()
    for n in range(20):
        compiles(f"without{n}")
    if smc.wait(600) != 0 or not os.path.getsize(folder.name + "/large.o"):
        sys.exit(f"a large request did not survive its server: smc ended with {smc.returncode}")
    stopped = (victim + 1) % 3
    servers[stopped].send_signal(signal.SIGTERM)
    for n in range(20, 40):
        compiles(f"without{n}")
        job(n)
    if servers[stopped].wait(200) != 0:
        sys.exit(f"the stopped server ended with {servers[stopped].returncode}")
    print("behind nginx: 0 answers lost, one server killed, one stopped")
finally:
    for p in reversed(processes):
        p.send_signal(signal.SIGTERM)  # nginx ends its own
    for p in processes:
        try:
            p.wait(60)
        except subprocess.TimeoutExpired:
            p.kill()
