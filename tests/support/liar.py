#!/usr/bin/env python3
"""A proxy that lies about what a server answers. It writes its port to the file "port".

    liar.py PORT SERVER SCRIPT     PORT: 0 for any; SERVER: a port of 127.0.0.1; SCRIPT: what becomes of artifacts"""
import hashlib, http.client, http.server, os, sys

port, server, script = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
first = None  # the first artifact's headers and body


class Liar(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        global first
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        there = http.client.HTTPConnection("127.0.0.1", server)
        there.request(self.command, self.path, body or None, {k: v for k, v in self.headers.items() if k.lower() != "host"})
        answer = there.getresponse()
        data, headers = answer.read(), dict(answer.getheaders())
        if headers.get("Content-Type") == "application/vnd.smd.artifact":
            first = first or (headers, data)
            this = headers.get("X-Smd-Key")
            if script == "no-signature":
                headers.pop("X-Smd-Signature", None)
            elif script == "other-signature":
                headers["X-Smd-Signature"] = first[0]["X-Smd-Signature"]
            elif script.startswith("replay"):
                headers, data = dict(first[0]), first[1]
                if script == "replay-as-this":
                    headers["X-Smd-Key"] = this
            elif script == "code":  # `ret`'s constant, and the artifact's own digest made right again
                at = data.find(b"\xb8\x01\x00\x00\x00")
                data = bytearray(data)
                data[at + 1] = 2
                data = bytes(data[:32] + hashlib.sha256(data[:32] + data[64:]).digest() + data[64:])
        self.send_response(answer.status)
        for name, value in headers.items():
            if name.lower() not in ("content-length", "connection", "date", "transfer-encoding"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST

    def log_message(self, *args):
        pass


proxy = http.server.ThreadingHTTPServer(("127.0.0.1", port), Liar)
with open("port.new", "w") as f:
    f.write(f"{proxy.server_port}\n")
os.rename("port.new", "port")
proxy.serve_forever()
