#!/bin/sh
# Builds the image from a minimal Debian, runs it as an operator would, and drives it from outside: no Docker engine, no
# network but the host's.
#
#     image_test.sh SMC          SMC: the client's program
set -eu
cd "$(dirname "$0")/../.."
. tests/deploy/lib.sh
smc=$PWD/$1
work=$(mktemp -d)
name=smd-test-$$
port=$((10000 + $$ * 101 % 20000)) # below those that clients get: one could connect to itself
server=http://127.0.0.1:$port
trap 'podman rm -f -t 0 "$name" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

echo "== the image"
debian_base "$work/base"
container=$(buildah from scratch)
buildah add -q "$container" "$work/base" / >/dev/null
buildah commit -q "$container" localhost/debian:bookworm-slim >/dev/null
buildah rm "$container" >/dev/null
copy_tree "$work/tree"
buildah bud --isolation chroot --format docker --build-arg BASE=localhost/debian:bookworm-slim \
    -f deploy/Containerfile -t localhost/smd "$work/tree" >"$work/log" 2>&1 || fail "$(tail -n 30 "$work/log")"
own=$(podman image inspect localhost/smd --format '{{.Size}}')
base=$(podman image inspect localhost/debian:bookworm-slim --format '{{.Size}}')
echo "[figures] image: $((own / 1000000)) MB, $(((own - base) / 1000000)) MB more than its base"

echo "== it runs unprivileged, read-only, without capabilities"
mkdir "$work/cache"
chown 10001:10001 "$work/cache"
start() {
    podman run -d --name "$name" --network host --runtime runc --cgroup-manager cgroupfs --memory 2g --pids-limit 256 \
        --read-only --cap-drop all --security-opt no-new-privileges --ulimit nofile=1024:20000 --ulimit nproc=4096:4096 \
        -e SMD_INSECURE=on -e SMD_PORT="$port" -e SMD_ADMIN_LISTEN="127.0.0.1:$((port + 1))" -e SMD_DRAIN_GRACE_S=1 -v "$work/cache:/var/cache/smd" localhost/smd >/dev/null 2>"$work/log" ||
        fail "$(cat "$work/log")"
    await 300 curl -fs "$server/readyz"
}
start
await 120 podman healthcheck run "$name"
[ "$(podman exec "$name" id -u)" = 10001 ] || fail "it runs as another user"
! podman exec "$name" sh -c 'touch /usr/bin/x' 2>/dev/null || fail "its root can be written"
! curl -fs "$server/metrics" >"$work/metrics" || fail "clients can read the metrics"
curl -fs "http://127.0.0.1:$((port + 1))/metrics" >"$work/metrics"
for layer in no_new_privs rlimits seccomp; do
    grep -qx "smd_sandbox_layer{layer=\"$layer\"} 1" "$work/metrics" || fail "the sandbox has no $layer"
done
promtool check metrics <"$work/metrics" || fail "promtool does not like the metrics"

echo "== it compiles, for curl and for libsmclient, what the tools give"
curl -fs -H 'Accept: application/octet-stream' -o "$work/curl.o" --data-binary @docs/examples/list.ll \
    "$server/v1/compile?opt=1&name=list.ll"
"$smc" compile -s "$server" -O1 docs/examples/list.ll -o "$work/smc.o"
opt-19 -S -passes='default<O1>,function(place-safepoints),rewrite-statepoints-for-gc' docs/examples/list.ll |
    llc-19 -O1 --relocation-model=pic -filetype=obj -o "$work/llc.o"
cmp "$work/smc.o" "$work/curl.o"
"$smc" stackmap -c "$work/llc.o" >"$work/llc.json"
"$smc" stackmap -c "$work/smc.o" | cmp - "$work/llc.json"

echo 'define void @f(i8* %p) { ret void }' | curl -fs --data-binary @- -o /dev/null "$server/v1/compile" || fail "typed pointers are not taken"

echo "== a worker killed inside it is not noticed"
podman exec "$name" sh -c 'for p in /proc/[0-9]*; do
    read -r comm <"$p/comm"; [ "$comm" != smd-worker ] || kill -9 "${p#/proc/}"; done' || true
"$smc" compile -s "$server" -O2 docs/examples/list.ll -o "$work/after.o" || fail "no compile after that"

echo "== stopped under load it drains"
for client in 1 2 3 4; do
    i=0
    while [ $i -lt 400 ]; do
        i=$((i + 1))
        code=0
        echo "define i32 @f() { ret i32 $client$i }" | curl -s -m 300 -o /dev/null -w '%{http_code} ' --data-binary @- \
            "$server/v1/compile?cache=bypass" || code=$?
        echo "$code"
        [ $code = 0 ] || [ $code = 7 ] || break
        [ $code = 0 ] || sleep 0.05
    done >"$work/client.$client" &
done
enough() { [ "$(cat "$work"/client.* | grep -c '^200 0$')" -gt 20 ]; }
await 300 enough
podman stop -t 120 "$name" >/dev/null 2>&1
wait
[ "$(podman inspect "$name" --format '{{.State.ExitCode}}')" = 0 ] || fail "it did not end with 0"
cat "$work"/client.* | sort | uniq -c
! cat "$work"/client.* | grep -vE '^(200 0|503 0|000 7)$' || fail "a request was lost"
podman logs "$name" 2>&1 | grep -q '"event":"stopped"' || fail "the log does not say that it stopped"
podman rm "$name" >/dev/null 2>&1

echo "== the volume keeps what was compiled"
start
curl -fsi --data-binary @docs/examples/list.ll "$server/v1/compile?opt=1&name=list.ll" | grep -qi '^X-Smd-Cache: disk' ||
    fail "it does not come from disk"
podman stop -t 120 "$name" >/dev/null 2>&1
