#!/usr/bin/python3
"""Damaged TLS records: flipped, cut, sent twice, of other lengths, types and versions, in pieces, at every step of the
handshake and behind it. Whatever a client sends, smd goes on: between two hundred of them a good client is served, and at
the end smd drains and ends with 0.

    tls_records_test.py FOLDER [COUNT [SEED]]     FOLDER: where smd is"""
import collections, os, random, signal, socket, ssl, subprocess, sys, tempfile, time

FOLDER = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PATIENCE_S = 60    # for what smd has to do
SILENCE_S = 0.05   # a client that damages and hears nothing for so long leaves
EACH = 50          # between two good clients
MODULE = b"define void @f() {\n ret void\n}\n"
REQUESTS = [b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"POST /v1/compile HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s" % (len(MODULE), MODULE),
            b"POST /v1/compile HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
            % (len(MODULE), MODULE)]


def damaged(records):
    """These bytes, with one fault."""
    b, at = bytearray(records), random.randrange(len(records))
    fault = random.randrange(9)
    if fault == 0:
        b[at] ^= 1 << random.randrange(8)
    elif fault == 1:
        del b[at:]
    elif fault == 2:
        b *= 2
    elif fault == 3:
        b[at:at] = random.randbytes(random.randint(1, 40))
    elif fault == 4:
        b[3:5] = random.choice([b"\0\0", b"\0\1", b"\x40\1", b"\x41\0", b"\xff\xff"])  # the length
    elif fault == 5:
        b[0] = random.choice([0, 20, 21, 22, 23, 24, 255])  # the type
    elif fault == 6:
        b[1:3] = random.choice([b"\0\0", b"\3\0", b"\3\1", b"\3\4"])  # the version
    elif fault == 7:
        b[:0] = REQUESTS[0]
    else:
        b = bytearray(random.randbytes(random.randint(1, 300)))
    return bytes(b)


def context():
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    c.check_hostname, c.verify_mode = False, ssl.CERT_NONE
    c.minimum_version = c.maximum_version = random.choice([ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
    return c


class Client:
    """One that damages this part of what it sends."""

    def __init__(self, port, part):
        self.socket, self.part = socket.create_connection(("127.0.0.1", port)), part
        self.socket.settimeout(SILENCE_S if part else PATIENCE_S)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context().wrap_bio(self.incoming, self.outgoing)

    def flush(self):
        bytes_ = self.outgoing.read()
        if bytes_ and random.random() < self.part:
            bytes_ = damaged(bytes_)
        while bytes_:
            n = random.choice([1, 5, 6, 100, len(bytes_), len(bytes_)])
            self.socket.sendall(bytes_[:n])
            bytes_ = bytes_[n:]

    def step(self, is_open):
        """Shakes hands, or asks and reads. What came: 'open', 'answer' or nothing."""
        if not is_open:
            self.tls.do_handshake()
            self.flush()
            return "open"
        self.tls.write(random.choice(REQUESTS))
        self.flush()
        return "answer" if self.tls.read(65536).startswith(b"HTTP/1.1 ") else ""

    def go(self):
        """How far it came."""
        came = "nothing"
        try:
            for _ in range(12):
                try:
                    came = self.step(came != "nothing") or came
                except ssl.SSLWantReadError:
                    self.flush()
                    bytes_ = self.socket.recv(65536)
                    if not bytes_:
                        break
                    self.incoming.write(bytes_)
                if came == "answer" and random.random() < 0.5:
                    break
        except ssl.SSLError:
            came += ", an alert"
        except OSError:  # silence, or a connection that smd has closed
            pass
        self.socket.close()
        return came


def is_served(port):
    c = context()
    with c.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)) as s:
        s.sendall(REQUESTS[1])
        return s.recv(100).startswith(b"HTTP/1.1 200")


def main():
    random.seed(SEED)
    came = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="smd-tls-") as folder:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem", "-subj", "/CN=localhost"],
                       check=True, capture_output=True)
        with open(f"{folder}/log", "w+b") as log:
            smd = subprocess.Popen([f"{FOLDER}/smd", "--port", "0", "--port-file", f"{folder}/port", "--tls-certificate",
                                    f"{folder}/certificate.pem", "--tls-key", f"{folder}/key.pem", "--cache-dir",
                                    f"{folder}/cache", "--tls-handshake-s", "60"], stdout=log, stderr=log)
            try:
                until = time.monotonic() + PATIENCE_S
                while not os.path.exists(f"{folder}/port") and smd.poll() is None and time.monotonic() < until:
                    time.sleep(0.02)
                with open(f"{folder}/port", encoding="ascii") as f:
                    port = int(f.read())
                for n in range(COUNT):
                    part = random.choice([0, 0.15, 0.4, 0.8])
                    end = Client(port, part).go()
                    assert part or end == "answer", f"a client that damages nothing ended with {end}"
                    came[end] += 1
                    if n % EACH == 0:
                        assert is_served(port), "a good client is not served"
                smd.send_signal(signal.SIGTERM)
                status = smd.wait(PATIENCE_S)
            finally:
                smd.kill()
                smd.wait()
            log.seek(0)
            assert status == 0, f"smd ended with {status}: {log.read()[-2000:]!r}"
    for what, count in sorted(came.items()):
        print(f"{count:6} clients: {what}")
    print("Synthesis: Tested: 1 | Passing: 1 | Failing: 0")


main()
