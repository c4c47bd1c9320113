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
port=$((20000 + $$ % 20000))
systemd-socket-activate -l "127.0.0.1:$port" "$bin/smd" >"$work/log" 2>&1 &
pids=$!
await 10 grep -q Listening "$work/log"
curl -fs -m 20 --data-binary @docs/examples/list.ll "http://127.0.0.1:$port/v1/compile" >"$work/answer" ||
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
s.settimeout(20)
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
assert smd.wait(20) == 0
os.remove(path)
os.rmdir(folder)
END

echo "== a metrics page that promtool takes"
"$bin/smd" --port 0 --port-file "$work/port" >"$work/log" 2>&1 &
pids=$!
await 20 test -f "$work/port"
url=http://127.0.0.1:$(cat "$work/port")
curl -fs --data-binary @docs/examples/list.ll "$url/v1/compile" >/dev/null
curl -fs "$url/metrics" | promtool check metrics || fail "promtool complains"
kill "$pids"
wait "$pids"
pids=
