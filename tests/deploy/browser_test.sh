#!/bin/sh
# The page of build/release's daemon in Chromium: tests/browser/page_test.mjs. Screenshots are left in build/browser/shots.
set -eu
cd "$(dirname "$0")/../.."
work=build/browser
daemon=

finish() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
}
trap finish EXIT
trap 'exit 130' INT TERM

echo "== packages of npm, by the lock file"
mkdir -p "$work/shots"
cp tests/browser/package.json tests/browser/package-lock.json tests/browser/page_test.mjs "$work/"
(cd "$work" && npm ci --no-audit --no-fund --loglevel=error)

echo "== the daemon"
rm -f "$work/port"
rm -rf "$work/cache"
build/release/bin/smd --port 0 --port-file "$work/port" --cache-dir "$work/cache" >"$work/log" 2>&1 </dev/null &
daemon=$!
tries=3000
while [ ! -s "$work/port" ]; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] && kill -0 $daemon || { cat "$work/log"; exit 1; }
    sleep 0.1
done

echo "== the documents' pictures"
mkdir -p "$work/pictures"
node server/page/pictures.mjs "http://127.0.0.1:$(cat "$work/port")" "$work/pictures"
diff -r docs/pictures "$work/pictures"

echo "== page_test.mjs"
cd "$work"
SMD=http://127.0.0.1:$(cat port) ZEAL=../release/bin/zeal SHOTS=$PWD/shots timeout 7200 node page_test.mjs >results 2>&1 || { cat results; exit 1; }
cat results
passed=$(grep -c '^ok ' results)
echo "[figures] $passed tests of the page"
[ "$passed" -ge 20 ]
