#!/usr/bin/env python3
"""An object store for tests: objects are files of the folder "objects". It writes its port to the file "port", and a line
for each request to "requests": METHOD STATUS NAME.

    objectstore.py PORT s3|basic|open [CERTIFICATE KEY]      PORT: 0 for any

s3: every request has to be signed (AWS signature version 4) for the bucket "bucket" in the region "here-1"; the signature is
computed here from Amazon's description. basic: it has to say who asks. The file "mode" says what else becomes of requests:
see MODES."""
import base64, datetime, hashlib, hmac, http.server, os, ssl, sys, threading, time, urllib.parse

ID, SECRET, TOKEN, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "a/session+token=", "here-1"
port, kind, files = int(sys.argv[1]), sys.argv[2], sys.argv[3:5]
lock = threading.Lock()

MODES = {
    "fine": "as a store does",
    "silent": "nothing is answered while the mode lasts",
    "fails": "500 to everything",
    "refuses": "403 to everything",
    "full": "507 to every PUT",
    "moved": "302 to every GET, to where a good answer would be",
    "truncated": "a GET's answer ends in its middle",
    "oversize": "a GET's answer is larger than any entry, and says so",
    "endless": "a GET's answer never ends, in chunks",
    "endless-head": "the head of a GET's answer never ends",
    "empty": "a GET's answer is empty",
    "garbage": "a GET's answer is no entry",
    "trickles": "a GET's answer is no entry, and comes byte by byte while the mode lasts",
    "no-http": "what comes is not HTTP",
}


def mode():
    try:
        with open("mode") as f:
            return f.read().strip()
    except FileNotFoundError:
        return "fine"


def sha(data):
    return hashlib.sha256(data).hexdigest()


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def fault_of_signature(method, path, headers, body):
    """What is wrong with a request's signature; None if nothing is."""
    scheme, _, rest = headers.get("Authorization", "").partition(" ")
    if scheme != "AWS4-HMAC-SHA256":
        return "it is not signed"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    access, day, region, service, end = parts["Credential"].split("/")
    when = headers.get("x-amz-date", "")
    if (access, region, service, end) != (ID, REGION, "s3", "aws4_request"):
        return "its scope is " + parts["Credential"]
    at = datetime.datetime.strptime(when, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    if abs((datetime.datetime.now(datetime.timezone.utc) - at).total_seconds()) > 900 or not when.startswith(day):
        return "its time is " + when
    names = parts["SignedHeaders"].split(";")
    needed = {"host", "x-amz-date", "x-amz-content-sha256"} | {n.lower() for n in headers.keys() if n.lower().startswith("x-amz-")}
    if names != sorted(names) or not needed <= set(names):
        return "its signed headers are " + parts["SignedHeaders"]
    if headers.get("x-amz-security-token", TOKEN) != TOKEN:
        return "its token is another"
    if headers["x-amz-content-sha256"] != sha(body):
        return "its digest is not that of the body"
    url = urllib.parse.urlsplit(path)
    canonical = "\n".join([method, urllib.parse.quote(urllib.parse.unquote(url.path), safe="/-_.~"), url.query,
                           *[f"{n}:{' '.join(headers[n].split())}" for n in names], "", ";".join(names), sha(body)])
    scope = f"{day}/{region}/{service}/{end}"
    text = "\n".join(["AWS4-HMAC-SHA256", when, scope, sha(canonical.encode())])
    key = ("AWS4" + SECRET).encode()
    for step in (day, region, service, end):
        key = sign(key, step)
    return None if hmac.new(key, text.encode(), hashlib.sha256).hexdigest() == parts["Signature"] else "its signature is wrong"


class Store(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def note(self, status):
        with lock, open("requests", "a") as f:
            f.write(f"{self.command} {status} {self.path}\n")

    def answer(self, status, data=b"", headers={}):
        self.note(status)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def refuse(self, status, code, why):
        self.answer(status, f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{why}</Message></Error>'.encode())

    def fault(self, body):
        """What is wrong with who asks."""
        if kind == "s3":
            return fault_of_signature(self.command, self.path, self.headers, body)
        if kind == "basic" and self.headers.get("Authorization") != "Basic " + base64.b64encode(b"me:secret:word").decode():
            return "it does not say who asks"
        return None

    def flood(self, head, piece):
        """Sends HEAD, then PIECE again and again until the other end has had enough."""
        self.note(200)
        self.close_connection = True
        self.wfile.write(head)
        while True:
            self.wfile.write(piece)

    def lie(self, now, data):
        """The GET's answer in modes that lie. False: it is not one of these."""
        if now == "moved":
            self.answer(302, headers={"Location": f"http://127.0.0.1:{self.server.server_port}/elsewhere{self.path}"})
        elif now == "truncated":
            self.note(200)
            self.close_connection = True
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(data) + 100) + data)
        elif now == "oversize":
            self.flood(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 65536)
        elif now == "endless":
            self.flood(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65536 + b"\r\n")
        elif now == "endless-head":
            self.flood(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 1000 + b"\r\n")
        elif now == "no-http":
            self.flood(b"", b"SSH-2.0-none\r\n")
        elif now == "trickles":
            self.note(200)
            self.close_connection = True
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n")
            while mode() == now:
                self.wfile.write(b"x")
                time.sleep(0.05)
        elif now in ("empty", "garbage"):
            self.answer(200, b"" if now == "empty" else b"nonsense" * 100)
        else:
            return False
        return True

    def serve(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        now, fault = mode(), self.fault(body)
        while now == "silent":
            time.sleep(0.01)
            now = mode()
        if fault:
            with lock, open("faults", "a") as f:
                f.write(f"{self.command} {self.path}: {fault}\n")
            return self.refuse(403, "SignatureDoesNotMatch", fault)
        if now in ("fails", "refuses"):
            return self.refuse(500 if now == "fails" else 403, "InternalError" if now == "fails" else "AccessDenied", "no")
        name = "objects/" + urllib.parse.quote(self.path.replace("/elsewhere", "").lstrip("/"), safe="")
        if self.command == "PUT":
            if now == "full":
                return self.refuse(507, "InsufficientStorage", "no")
            with open(f"{name}.{threading.get_ident()}", "wb") as f:
                f.write(body)
            os.rename(f.name, name)
            return self.answer(200)
        is_there = os.path.exists(name)
        data = open(name, "rb").read() if is_there else b""
        if "/" + "0" * 64 in self.path or not self.lie(now, data):  # whoever asks whether it is up is told the truth
            self.answer(200, data) if is_there else self.refuse(404, "NoSuchKey", "no")

    do_GET = do_HEAD = do_PUT = serve

    def log_message(self, *args):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *args):
        pass


os.makedirs("objects", exist_ok=True)
server = Server(("127.0.0.1", port), Store)
if files:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
with open("port.new", "w") as f:
    f.write(f"{server.server_port}\n")
os.rename("port.new", "port")
server.serve_forever()
