#!/bin/sh
# smclient.h through bindgen: its own tests of the layout of every struct, and a program in Rust that has a module compiled by
# build/release's daemon, loads it and calls it.
set -eu
cd "$(dirname "$0")/../.."
work=build/rust
daemon=
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work"

echo "== bindgen"
bindgen client/include/smclient.h --allowlist-item 'sm_.*' --allowlist-item 'SM_.*' -o "$work/bindings.rs" 2>/dev/null ||
    bindgen client/include/smclient.h --allowlist-function 'sm_.*' --allowlist-type 'sm_.*' --allowlist-var 'SM_.*' -o "$work/bindings.rs"
export BINDINGS="$PWD/$work/bindings.rs"
export LD_LIBRARY_PATH="$PWD/build/release/lib"

echo "== the layout of its structs"
rustc --edition 2018 --test -A warnings -L build/release/lib -l smclient -o "$work/layout" tests/rust/main.rs
"$work/layout" >"$work/tests"
grep "^test result: ok" "$work/tests"
[ "$(grep -c "^test .* ok$" "$work/tests")" -ge 10 ]

echo "== a runtime in Rust"
rustc --edition 2018 -A warnings -L build/release/lib -l smclient -o "$work/twice" tests/rust/main.rs
rm -f "$work/port"
build/release/bin/smd --port 0 --port-file "$work/port" >"$work/log" 2>&1 </dev/null &
daemon=$!
tries=3000
while [ ! -s "$work/port" ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] && kill -0 $daemon || { cat "$work/log"; exit 1; }
    sleep 0.1
done
[ "$(SMD_SERVER=http://127.0.0.1:$(cat "$work/port") "$work/twice")" = 42 ]
