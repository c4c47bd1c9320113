#!/bin/sh
# Builds the Debian packages, installs them into a minimal Debian, uses them there, upgrades and removes them.
set -eu
cd "$(dirname "$0")/../.."
. tests/deploy/lib.sh
work=$(mktemp -d)
root=$work/root
leave_no_trace "$work"

echo "== packages"
cmake --preset package >"$work/log" 2>&1 && ninja -C build/package >>"$work/log" || fail "$(tail -n 30 "$work/log")"
(cd build/package && cpack -G DEB -B "$work/debs") >"$work/log" 2>&1 || fail "$(cat "$work/log")"
found=$(for deb in "$work/debs"/*.deb; do dpkg-deb -f "$deb" Package; done | sort | xargs)
[ "$found" = "libsmclient-dev libsmclient0 smc smd smd-upgrade" ] || fail "the packages are $found"

echo "== lintian"
lintian --allow-root --fail-on error "$work/debs"/*.deb >"$work/log" 2>&1 || fail "$(cat "$work/log")"

in_root() { enter "$root" "$1" >"$work/log" 2>&1 || fail "$(tail -n 40 "$work/log" "$root/tmp/log" 2>&1)"; }

# with_smd COMMANDS: where smd runs as its user, at $SMD_SERVER.
with_smd() {
    in_root 'set -e
        rm -f /tmp/port
        su -s /bin/sh smd -c "smd --config /etc/smd/smd.json --port 0 --port-file /tmp/port >/tmp/log 2>&1 & echo \$! >/tmp/pid"
        for i in $(seq 3000); do [ ! -f /tmp/port ] || break; sleep 0.1; done
        export SMD_SERVER=http://127.0.0.1:$(cat /tmp/port)
        '"$1"'
        kill $(cat /tmp/pid); while [ -e /proc/$(cat /tmp/pid) ]; do sleep 0.1; done'
}

# How a module with typed pointers is answered.
typed='printf "define void @f(i8* %%p) {\n  ret void\n}\n" >/tmp/typed.ll
    curl -s -o /tmp/answer -w "%{http_code}" --data-binary @/tmp/typed.ll "$SMD_SERVER/v1/compile" >/tmp/status
    cat /tmp/status /tmp/answer'

echo "== installed"
debian_base "$root"
debs_from_cache "$root"
cp "$work/debs"/*.deb docs/examples/list.ll "$root/root/"
in_root 'apt-get update && apt-get install -y --no-install-recommends curl /root/*.deb'
debs_to_cache "$root"
in_root 'getent passwd smd' || fail "there is no user smd"
for page in man8/smd.8 man5/smd.json.5 man1/smc.1; do
    [ -e "$root/usr/share/man/$page" ] || [ -e "$root/usr/share/man/$page.gz" ] || fail "there is no $page"
done
for completion in bash-completion/completions/smc zsh/vendor-completions/_smc fish/vendor_completions.d/smc.fish; do
    [ -e "$root/usr/share/$completion" ] || fail "there is no $completion"
done
in_root 'smd --config /etc/smd/smd.json --check-config && smc --version' || fail "what is installed does not run"
in_root 'mkdir -p /var/cache/smd && chown smd:smd /var/cache/smd'
with_smd "smc explain /root/list.ll; $typed"
grep -q '4 safepoints' "$work/log" || fail "$(cat "$work/log" "$root/tmp/log")"
[ "$(cat "$root/tmp/status")" = 200 ] || fail "typed pointers are not taken: $(cat "$root/tmp/answer")"
[ -n "$(ls "$root/var/cache/smd")" ] || fail "nothing was kept in /var/cache/smd"

echo "== upgraded: what runs is restarted, by the policy of the system"
# There is no systemd in here; this tells what it is asked for.
mkdir -p "$root/run/systemd/system"
printf '#!/bin/sh\necho "$@" >>/tmp/systemctl\n' >"$root/usr/bin/systemctl"
chmod +x "$root/usr/bin/systemctl"
asked() { : >"$root/tmp/systemctl" && in_root "$1" && sort -u "$root/tmp/systemctl" | xargs; }
said=$(asked 'dpkg -i /root/smd_*.deb')
[ "$said" = "daemon-reload try-restart smd.service" ] || fail "systemctl was asked to: $said"
said=$(asked 'dpkg -i /root/smd-upgrade_*.deb')
[ "$said" = "try-restart smd.service" ] || fail "systemctl was asked to: $said"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
said=$(asked 'dpkg -i /root/smd_*.deb /root/smd-upgrade_*.deb')
[ "$said" = "daemon-reload" ] || fail "against the policy systemctl was asked to: $said"
rm "$root/usr/sbin/policy-rc.d"

echo "== without smd-upgrade"
said=$(asked 'apt-get remove -y smd-upgrade')
[ "$said" = "try-restart smd.service" ] || fail "systemctl was asked to: $said"
with_smd "$typed"
[ "$(cat "$root/tmp/status")" = 422 ] || fail "it was answered $(cat "$root/tmp/status" "$root/tmp/answer")"
grep -q '"no_upgrade"' "$root/tmp/answer" || fail "it was answered $(cat "$root/tmp/answer")"
said=$(asked 'dpkg -i /root/smd-upgrade_*.deb') # one that was not there before: the daemon learns of it
[ "$said" = "try-restart smd.service" ] || fail "systemctl was asked to: $said"

echo "== removed"
said=$(asked 'apt-get remove -y smd smc libsmclient0 libsmclient-dev')
case $said in *"--no-reload disable --now smd.service smd.socket"*) ;; *) fail "systemctl was asked to: $said" ;; esac
rm -r "$root/usr/bin/systemctl" "$root/run/systemd"
in_root 'dpkg --purge smd smd-upgrade'
left=$(cd "$root" && find usr/bin usr/lib etc var/cache usr/share/man usr/include \( -name 'smd*' -o -name 'smc*' -o -name 'libsmclient*' \) | grep -v '^etc/.*-$' || true)
[ -z "$left" ] || fail "left behind: $left"
