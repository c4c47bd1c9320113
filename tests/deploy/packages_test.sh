#!/bin/sh
# Builds the Debian packages, installs them into a minimal Debian, uses them there, and removes them.
set -eu
cd "$(dirname "$0")/../.."
. tests/deploy/lib.sh
work=$(mktemp -d)
root=$work/root
leave_no_trace "$work"

echo "== packages"
cmake --preset package >"$work/log" && ninja -C build/package >>"$work/log" || fail "$(tail -n 30 "$work/log")"
(cd build/package && cpack -G DEB -B "$work/debs") >"$work/log" 2>&1 || fail "$(cat "$work/log")"
ls "$work/debs"/*.deb >"$work/list"
[ "$(wc -l <"$work/list")" = 4 ] || fail "there are not four packages: $(cat "$work/list")"

echo "== installed"
debian_base "$root"
debs_from_cache "$root"
cp "$work/debs"/*.deb docs/examples/list.ll "$root/root/"
in_root() { enter "$root" "$1"; }
in_root 'apt-get update && apt-get install -y --no-install-recommends /root/*.deb' >"$work/log" 2>&1 || fail "$(tail -n 20 "$work/log")"
in_root 'getent passwd smd' >/dev/null || fail "there is no user smd"
in_root 'smd --config /etc/smd/smd.json --check-config && smc --version' || fail "what is installed does not run"
in_root 'mkdir -p /var/cache/smd && chown smd:smd /var/cache/smd
    su -s /bin/sh smd -c "smd --config /etc/smd/smd.json --port 0 --port-file /tmp/port >/tmp/log 2>&1 & echo \$! >/tmp/pid"
    for i in $(seq 100); do [ -f /tmp/port ] && break; sleep 0.1; done
    SMD_SERVER=http://127.0.0.1:$(cat /tmp/port) smc explain /root/list.ll
    kill $(cat /tmp/pid); while [ -e /proc/$(cat /tmp/pid) ]; do sleep 0.1; done' >"$work/log" 2>&1 || fail "$(cat "$work/log" "$root/tmp/log")"
grep -q '4 safepoints' "$work/log" || fail "$(cat "$work/log" "$root/tmp/log")"
[ -n "$(ls "$root/var/cache/smd")" ] || fail "nothing was kept in /var/cache/smd"

echo "== removed"
in_root 'apt-get purge -y smd smc libsmclient0 libsmclient-dev' >"$work/log" 2>&1 || fail "$(tail -n 20 "$work/log")"
left=$(cd "$root" && find usr/bin usr/lib etc var/cache usr/share/man usr/include \( -name 'smd*' -o -name 'smc*' -o -name 'libsmclient*' \) | grep -v '^etc/.*-$' || true)
[ -z "$left" ] || fail "left behind: $left"
