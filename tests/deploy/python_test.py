#!/usr/bin/python3
"""client/python: the package smd against a daemon. Run in the project's folder.

    python_test.py SMD       SMD: the daemon's program"""
import asyncio, http.server, os, subprocess, sys, tarfile, tempfile, threading, time, unittest, xml.etree.ElementTree as ET, zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, "client/python")
import smd  # noqa: E402
from smd.aio import AsyncClient  # noqa: E402

LIST = open("docs/examples/list.ll", encoding="utf-8").read()
STACKS = open("docs/examples/stacks.ll", encoding="utf-8").read()
PINS = open("docs/examples/pins.ll", encoding="utf-8").read()
FRAMES = open("docs/examples/frames.ll", encoding="utf-8").read()


class Package(unittest.TestCase):
    def test_compile(self):
        answer = smd.compile(LIST, opt=2, emit=["obj", "ir"])
        self.assertEqual(answer.object[:4], b"\x7fELF")
        self.assertIn("gc.statepoint", answer.ir)
        self.assertEqual([f.name for f in answer.stackmap], ["cons", "sum"])
        self.assertEqual({s.reason for s in answer.stackmap["sum"].safepoints}, {"entry-poll", "backedge-poll"})
        again = smd.stackmap(answer.object)
        self.assertEqual(len(again.safepoints()), len(answer.stackmap.safepoints()))

    def test_places(self):
        point = smd.compile(FRAMES, safepoints="none", opt=0, remat=False).stackmap["visit"].safepoints[0]
        roots = {str(r) for r in point.roots}
        base = next(r.base for r in point.roots if r.is_derived)
        self.assertIn(str(base), {str(r.derived) for r in point.roots if not r.is_derived})
        self.assertEqual(len(roots), len(point.roots))
        self.assertEqual(len(point.deopt), 3)
        self.assertEqual(str(point.deopt[0]), "1")

    def test_pictures(self):
        point = smd.compile(FRAMES, safepoints="none", opt=0, remat=False).stackmap["visit"].safepoints[0]
        svg = ET.fromstring(point.svg())
        texts = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}text")]
        for r in point.roots:
            self.assertIn(f"rsp{r.derived.offset:+d}", texts)
        self.assertIn("derived", texts)
        self.assertIn("return address", texts)
        page = smd.compile(LIST)._repr_html_()
        ET.fromstring(f"<x>{page}</x>")
        self.assertEqual(page.count("<svg"), 4)

    def test_references_in_regions(self):
        point = smd.compile(STACKS, safepoints="none", target="x86_64-linux-gnu").stackmap["pair"].safepoints[0]
        self.assertEqual([str(r) for r in point.regions[0].references], ["[rsp+8]", "[rsp+16]"])
        texts = [t.text for t in ET.fromstring(point.svg()).iter("{http://www.w3.org/2000/svg}text")]
        self.assertEqual(texts[2:], ["rsp+16", "region 0: reference", "rsp+8", "region 0: reference"])
        self.assertIn("[rsp+8]: reference", point._repr_html_())
        many = smd.compile(STACKS.replace("[2 x", "[100 x"), safepoints="none", target="x86_64-linux-gnu").stackmap["pair"].safepoints[0]
        self.assertEqual(len(many.regions[0].references), 100)
        self.assertIn("region 0: 84 more, every 8 bytes", many.svg())

    def test_pins(self):
        point = smd.compile(PINS, safepoints="none", target="x86_64-linux-gnu").stackmap["fill"].safepoints[0]
        self.assertTrue(point.regions[0].pinned)
        self.assertIn(">pinned region 0: reference</text>", point.svg())
        self.assertIn("<td>pinned region 0</td><td><code>[rsp+16]: reference</code></td>", point._repr_html_())

    def test_frames_of_dynamic_size(self):
        ir = 'declare void @g(ptr)\ndefine ptr addrspace(1) @f(ptr addrspace(1) %p, i64 %n) gc "statepoint-example" {\n  %a = alloca i8, i64 %n\n  call void @g(ptr %a)\n  ret ptr addrspace(1) %p\n}\n'
        point = smd.compile(ir, safepoints="none", target="x86_64-linux-gnu").stackmap["f"].safepoints[0]
        self.assertEqual(point.roots[0].derived.register, "rbp")
        self.assertIn(f">rbp{point.roots[0].derived.offset:+d}</text>", point.svg())

    def test_it_is_installed_without_a_network(self):
        sys.path.insert(0, "client/python")
        import build_smd
        with tempfile.TemporaryDirectory() as to:
            wheel = os.path.join(to, build_smd.build_wheel(to))
            with zipfile.ZipFile(wheel) as z:
                names = z.namelist()
                recorded = [line.split(",")[0] for line in z.read(f"smd-{smd.__version__}.dist-info/RECORD").decode().splitlines()]
            self.assertEqual(sorted(names), sorted(recorded))
            told = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {wheel!r}); import smd; print(smd.__file__)"],
                                  capture_output=True, text=True, check=True, cwd=to).stdout
            self.assertTrue(told.startswith(wheel), told)
            with tarfile.open(os.path.join(to, build_smd.build_sdist(to))) as archive:
                self.assertIn(f"smd-{smd.__version__}/build_smd.py", archive.getnames())

    def test_names_are_escaped(self):
        ir = 'declare void @g()\ndefine ptr addrspace(1) @"<i>x"(ptr addrspace(1) %p) gc "statepoint-example" {\n  call void @g()\n  ret ptr addrspace(1) %p\n}\n'
        self.assertNotIn("<i>x", smd.compile(ir, safepoints="none")._repr_html_())

    def test_errors(self):
        with self.assertRaises(smd.Failure) as caught:
            smd.compile("define void @f() { oops }")
        self.assertEqual((caught.exception.code, caught.exception.http), ("parse_error", 422))
        self.assertEqual(caught.exception.diagnostics[0]["line"], 1)
        self.assertIn("1:20: ", str(caught.exception))
        with self.assertRaises(smd.Failure) as caught:
            smd.compile(LIST, optt=2)
        self.assertEqual(caught.exception.option, "optt")
        with self.assertRaises(smd.Unreachable):
            smd.Client("http://127.0.0.1:1").compile(LIST)

    def test_batch(self):
        fine, wrong, old = smd.Client().batch([LIST, "oops", (FRAMES, {"safepoints": "none", "opt": 0})], opt=2)
        self.assertEqual(fine.object, smd.compile(LIST, opt=2).object)
        self.assertEqual((wrong.code, wrong.http), ("parse_error", 422))
        self.assertEqual(old.object, smd.compile(FRAMES, safepoints="none", opt=0).object)
        with self.assertRaises(smd.Failure) as caught:
            smd.Client().batch([])
        self.assertEqual(caught.exception.code, "invalid_json")

    def test_jobs(self):
        job = smd.Client().submit(LIST, opt=3)
        self.assertEqual(job.result(timeout=600).object, smd.compile(LIST, opt=3).object)
        self.assertTrue(job.done())
        job.cancel()
        with self.assertRaises(smd.Failure) as caught:
            job.result()
        self.assertEqual(caught.exception.code, "job_not_found")
        self.assertFalse(job.done())
        failing = smd.Client().submit("oops")
        with self.assertRaises(smd.Failure) as caught:
            failing.result(timeout=600)
        self.assertEqual(caught.exception.code, "parse_error")
        self.assertTrue(failing.done())
        endless = smd.Client().submit("define i65536 @f(i65536 %a, i65536 %b) {\n  %c = udiv i65536 %a, %b\n  ret i65536 %c\n}\n")
        self.assertFalse(endless.done())
        with self.assertRaises(TimeoutError):
            endless.result(timeout=0.1)
        endless.cancel()

    def test_tiers(self):
        fast, optimised = smd.Client().tiers(LIST, [0, 2], safepoints="none")
        self.assertEqual(fast.object, smd.compile(LIST, safepoints="none", opt=0).object)
        self.assertEqual(optimised.object, smd.compile(LIST, safepoints="none", opt=2).object)

    def test_warnings(self):
        with self.assertWarnsRegex(smd.CompileWarning, "defines nothing"):
            smd.compile("; nothing")

    def test_long_answers_are_compressed(self):
        functions = "".join(f'define ptr addrspace(1) @f{i}(ptr addrspace(1) %p) gc "statepoint-example" {{\n  call void @g()\n  ret ptr addrspace(1) %p\n}}\n' for i in range(200))
        answer = smd.compile(f"declare void @g()\n{functions}", safepoints="none")
        self.assertEqual(len(answer.stackmap.functions), 200)

    def test_other_servers_are_asked(self):
        client = smd.Client("http://127.0.0.1:1, " + os.environ["SMD_SERVER"])
        self.assertEqual(client.submit(LIST).result().object, client.compile(LIST).object)

    def test_a_busy_server_is_asked_again(self):
        asked = []

        class Busy(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                busy = len(asked) < 3
                body = b'{"code":"overloaded","detail":"later"}' if busy else b'{"targets":[]}'
                self.send_response(503 if busy else 200)
                if busy:
                    self.send_header("Retry-After", "0")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Busy) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}"
            self.assertEqual(smd.Client(url).capabilities(), {"targets": []})
            self.assertEqual(len(asked), 3)
            asked.clear()
            with self.assertRaises(smd.Failure) as caught:
                smd.Client(url, retries=1).capabilities()
            self.assertEqual((caught.exception.code, len(asked)), ("overloaded", 2))
            server.shutdown()

    def test_asyncio(self):
        async def all_of_it():
            client = AsyncClient()
            a, b = await asyncio.gather(client.compile(LIST, opt=2), client.compile(LIST, opt=0))
            job = await client.submit(LIST, opt=2)
            levels = [answer.object async for answer in client.tiers(LIST, [0, 2])]
            return a.object, b.object, (await job.result()).object, levels

        optimised, fast, job, levels = asyncio.run(all_of_it())
        self.assertEqual(optimised, job)
        self.assertEqual(levels, [fast, optimised])

    def test_everything_says_what_it_is(self):
        for name in smd.__all__:
            self.assertTrue(getattr(smd, name).__doc__, name)
        for name in ("compile", "batch", "submit", "tiers", "stackmap", "capabilities"):
            self.assertTrue(getattr(smd.Client, name).__doc__, name)
            self.assertIn("return", getattr(smd.Client, name).__annotations__, name)

    def test_capabilities(self):
        self.assertIn("x86_64-unknown-linux-gnu", smd.capabilities()["targets"])


folder = tempfile.TemporaryDirectory(prefix="smd-python-")
port = folder.name + "/port"
daemon = subprocess.Popen([sys.argv.pop(1), "--port", "0", "--port-file", port, "--workers", "1"], stdout=subprocess.DEVNULL)
try:
    while not os.path.exists(port):
        if daemon.poll() is not None:
            sys.exit("the daemon does not start")
        time.sleep(0.02)
    os.environ["SMD_SERVER"] = "http://127.0.0.1:" + open(port).read().strip()
    unittest.main()
finally:
    daemon.terminate()
    daemon.wait()
