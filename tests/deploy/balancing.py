"""What the tests of load balancers share: ports, modules, and waiting for a server."""
import http.client, os, socket, sys, time


def ready(port):
    for _ in range(2000):
        try:
            c = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            c.request("GET", "/readyz")
            if c.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit(f"nobody is ready on port {port}")


def module(name):
    return (f"declare void @g()\ndefine ptr addrspace(1) @{name}(ptr addrspace(1) %p) gc \"statepoint-example\" {{\n"
            "  call void @g()\n  ret ptr addrspace(1) %p\n}\n")


def free_ports(count):
    """Of those that clients do not get: one of them could take a killed server's. A test that is started at the same moment,
    and has the next process id, begins elsewhere."""
    free = []
    for port in range(10000 + os.getpid() * 101 % 20000, 32768):
        with socket.socket() as s:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                s.bind(("127.0.0.1", port))
                free.append(port)
            except OSError:
                pass
        if len(free) == count:
            return free
    sys.exit("there are no free ports")


def ask(port, method, path, body=None, **headers):
    """The answer of who listens on this port, and its body."""
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    c.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    r = c.getresponse()
    return r, r.read()


def is_busy(port):
    return 'smd_workers{state="busy"} 1' in ask(port, "GET", "/metrics")[1].decode()


def write_large_module(path):
    """One of more than a megabyte, which takes a while."""
    with open(path, "w") as f:
        f.write("; padding\n" * 100000 + "".join(module(f"large{n}") for n in range(6000)).replace("declare void @g()\n", ""))
        f.write("declare void @g()\n")
