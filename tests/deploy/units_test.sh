#!/bin/sh
# The systemd units: verified, and the daemon started by a socket as they have it.
#
#     units_test.sh BIN-FOLDER
set -eu
cd "$(dirname "$0")/../.."
. tests/deploy/lib.sh
bin=$1
work=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || true; rm -rf "$work"' EXIT

echo "== systemd-analyze verify"
for unit in smd.service smd.socket; do
    sed "s,/usr/bin/smd,$bin/smd," deploy/systemd/$unit >"$work/$unit"
done
systemd-analyze verify "$work/smd.service" "$work/smd.socket" >"$work/said" 2>&1 || fail "$(cat "$work/said")"
grep -i smd "$work/said" && fail "systemd-analyze complains"
score=$(systemd-analyze security --offline=true "$work/smd.service" 2>/dev/null | sed -n 's/.*exposure level for .*: \([0-9.]*\).*/\1/p')
echo "[figures] systemd-analyze security: exposure $score of 10"
[ "$(printf '%.0f' "$score")" -le 3 ] || fail "the unit is exposed: $score"

echo "== the example configuration"
"$bin/smd" --config deploy/smd.json --check-config

echo "== started by its socket"
port=$((10000 + $$ * 101 % 20000)) # below those that clients get: one could connect to itself
systemd-socket-activate -l "127.0.0.1:$port" "$bin/smd" >"$work/log" 2>&1 &
pids=$!
await 300 grep -q Listening "$work/log"
curl -fs -m 300 --data-binary @docs/examples/list.ll "http://127.0.0.1:$port/v1/compile" >"$work/answer" ||
    fail "$(cat "$work/log")"
grep -q '"stackmap"' "$work/answer"
kill "$pids"
wait "$pids" || fail "it did not end with 0: $(cat "$work/log")"
pids=

echo "== it tells its manager"
python3 - "$bin/smd" <<'END'
import os, signal, socket, subprocess, sys, tempfile
folder = tempfile.mkdtemp()
path = folder + "/notify"
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(path)
s.settimeout(200)
smd = subprocess.Popen([sys.argv[1], "--port", "0"], env=dict(os.environ, NOTIFY_SOCKET=path), stdout=subprocess.DEVNULL)
def expect(word):
    while True:
        got = s.recv(4096).decode()
        if got.startswith(word):
            return got
expect("READY=1")
expect("WATCHDOG=1")
smd.send_signal(signal.SIGHUP)
assert "MONOTONIC_USEC=" in expect("RELOADING=1")
expect("READY=1")
smd.send_signal(signal.SIGTERM)
expect("STOPPING=1")
assert smd.wait(200) == 0
os.remove(path)
os.rmdir(folder)
END

echo "== restarts behind a socket lose no request"
python3 - "$bin/smd" <<'END'
import http.client, os, signal, socket, sys, tempfile, threading, time
listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
port = listener.getsockname()[1]
notes = tempfile.NamedTemporaryFile()
log = notes.fileno()

def start(*flags):
    pid = os.fork()
    if pid == 0:
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)
        os.dup2(log, 1)
        os.execve(sys.argv[1], [sys.argv[1], "--workers", "2", *flags], dict(os.environ, LISTEN_FDS="1", LISTEN_PID=str(os.getpid())))
    return pid

def stop(pid):
    os.kill(pid, signal.SIGTERM)
    status = os.waitpid(pid, 0)[1]
    assert status == 0, status

answers, going = [], True
def client(number):
    i = 0
    while going:
        i += 1
        c = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
        try:
            c.request("POST", "/v1/compile?opt=0", "define i32 @f() { ret i32 %d%d }" % (number, i))
            answers.append(c.getresponse().status)
        except Exception as e:
            answers.append(repr(e))
        c.close()

smd = start()
threads = [threading.Thread(target=client, args=(n,)) for n in range(1, 5)]
for t in threads:
    t.start()
for _ in range(4):
    seen = len(answers)
    while len(answers) < seen + 15:
        time.sleep(0.01)
    stop(smd)
    smd = start()
seen = len(answers)
while len(answers) < seen + 5:
    time.sleep(0.01)
going = False
for t in threads:
    t.join()
stop(smd)

def warnings():
    return open(notes.name).read().count('"listen_not_used"')

assert warnings() == 5, "the settings name another port than the socket's, and the log does not say so"
smd = start("--port", str(port))
c = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
c.request("GET", "/livez")
assert c.getresponse().status == 200
stop(smd)
assert warnings() == 5, "the settings name the socket's address"
lost = [a for a in answers if a != 200]
print("[figures] restarts behind a socket: %d requests, %d lost" % (len(answers), len(lost)))
assert len(answers) > 50 and not lost, lost[:3]
END

echo "== a metrics page that promtool takes"
"$bin/smd" --port 0 --port-file "$work/port" >"$work/log" 2>&1 &
pids=$!
await 300 test -f "$work/port"
url=http://127.0.0.1:$(cat "$work/port")
curl -fs --data-binary @docs/examples/list.ll "$url/v1/compile" >/dev/null
curl -fs "$url/metrics" | promtool check metrics || fail "promtool complains"
kill "$pids"
wait "$pids"
pids=
