#!/bin/sh
# deploy/fleet: what one server has compiled the others have; one that is paused or killed is not missed, nor is Redis; a job
# outlives the server that took it; nothing is left.
set -eu
. tests/deploy/lib.sh

state=$PWD/build/fleet
port=$((10000 + $$ * 101 % 20000)) # below those that clients get: one could connect to itself
url=http://127.0.0.1:$port
out=$(mktemp)
export SMD_SHARED_WAIT_MS=60000 SMD_SHARED_CLAIM_MS=60000 # on any machine
trap './deploy/fleet --stop >/dev/null; rm -f "$out"' EXIT

# module NUMBER: on stdout.
module() { printf 'define i32 @f() {\n  ret i32 %d\n}\n' "$1"; }

# from URL NUMBER: where the answer to a compile of that module comes from.
from() { module "$2" | curl -sS --fail-with-body -o "$out" -w '%header{x-smd-cache}' --data-binary @- "$1/v1/compile" || fail "$(cat "$out")"; }

# pid NUMBER: of the process that was started so many before it.
pid() { sed -n "$1p" "$state/pids"; }

./deploy/fleet 3 --port "$port" >"$out" 2>&1 || fail "$(cat "$out")"
grep -q 'answer at http' "$out" || fail "$(cat "$out")"
servers=$(for i in 1 2 3; do echo "http://127.0.0.1:$(cat "$state/smd$i.port")"; done)
first=$(echo "$servers" | head -n 1)

[ "$(from "$first" 1)" = compiled ] || fail "the first server has not compiled"
for _ in $(seq 600); do
    ! curl -s "$first/metrics" | grep -qE '^smd_shared_written_total [1-9]' || break
    sleep 0.1
done
shared=0
for server in $servers; do
    where=$(from "$server" 1)
    [ "$where" != compiled ] || fail "$server has compiled what another had"
    [ "$where" != shared ] || shared=$((shared + 1))
done
[ "$shared" = 2 ] || fail "$shared of two others had it from Redis"

# A machine that is busy is asked again.
# shellcheck disable=SC2086 # a word each
until build/release/bin/smc doctor $servers >"$out"; do
    ! grep WRONG "$out" | grep -qv 'it answers in' || fail "$(cat "$out")"
done

# A job is taken by one server and answered by others.
add() { module "$2" | curl -sS --fail-with-body -o /dev/null -w '%header{location}' --data-binary @- "$1/v1/jobs"; }
job=$(add "$first" 100)
for server in $servers $url; do
    [ "$(curl -sS -o "$out" -w '%{http_code}' "$server$job?wait=60")" = 200 ] || fail "$server: $(cat "$out")"
done

# A server that stands still: until a health check finds it, requests wait for it; from then on all go elsewhere.
kill -STOP "$(pid 4)"
row=0
for i in $(seq 200 299); do
    if module "$i" | curl -s --max-time 10 -o "$out" --fail-with-body --data-binary @- "$url/v1/compile"; then row=$((row + 1)); else row=0; fi
    [ "$row" -lt 20 ] || break
done
[ "$row" = 20 ] || fail "no 20 answers in a row beside a server that stands still"
job=$(add "$first" 101)
[ "$(curl -sS -o "$out" -w '%{http_code}' "$url$job?wait=60")" = 200 ] || fail "$(cat "$out")"
kill -CONT "$(pid 4)"

job=$(add "$first" 102)
kill -9 "$(pid 3)"
[ "$(curl -sS -o "$out" -w '%{http_code}' "$url$job?wait=60")" = 200 ] || fail "$(cat "$out")"
for i in $(seq 2 31); do from "$url" "$i" >/dev/null; done
kill -9 "$(pid 1)" # Redis
for i in $(seq 32 51); do from "$url" "$i" >/dev/null; done

left=$(cat "$state/pids")
./deploy/fleet --stop >/dev/null
for pid in $left; do
    ! tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$state/" || fail "process $pid is left"
done

! ./deploy/fleet 0 2>"$out" || fail "a fleet of no server"
grep -q "'0' is no number of servers" "$out" || fail "$(cat "$out")"
echo "fleet: three servers, one paused, one of them and Redis killed, every answer and every job there"
