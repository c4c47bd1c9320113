#!/bin/sh
# The first command on a new machine: deploy/run in a minimal Debian, which has neither git nor a compiler, by root and by
# a user who may not install anything. What it prints to be typed next is typed.
set -eu
cd "$(dirname "$0")/../.."
. tests/deploy/lib.sh
work=$(mktemp -d)
leave_no_trace "$work"
root=$work/root
began=$(date +%s)

# inside COMMANDS: in the fresh Debian, in the copy of the tree. Some functions are at hand there.
cat >"$work/functions" <<'END'
set -eu
cd /src/smd
fail() { echo "$*"; exit 1; }
expect() { grep -qF -- "$2" "$1" || fail "'$2' was not said: $(cat "$1")"; }
refuse() { ! grep -qF -- "$2" "$1" || fail "'$2' was said: $(cat "$1")"; }
visitor() { su visitor -c "cd /home/visitor/smd && $*"; }
url_of() { sed -n 's/^smd listens on //p' "$1"; }
# The command that was printed, without its remark.
printed() { sed -n "s/^    \(.*\)/\1/p" /tmp/said | grep -F -- "$1" | sed 's/     #.*//'; }
run() { ./deploy/run "$@" >/tmp/said 2>&1 || fail "$(cat /tmp/said)"; }
END
inside() {
    enter "$root" "$(cat "$work/functions"; echo "$1")" >"$work/log" 2>&1 && return 0
    debs_to_cache "$root" || true # the next try is quicker
    fail "$(tail -n 60 "$work/log")"
}

echo "== a minimal Debian, the tree copied in, two users"
debian_base "$root"
debs_from_cache "$root"
copy_tree "$root/src/smd"
enter "$root" 'useradd --create-home visitor && cp -r /src/smd /home/visitor/ && chown -R visitor: /home/visitor'
! enter "$root" 'command -v git || command -v cc' || fail "it is not minimal"

echo "== a user who may not install is told what to install, and nothing is done"
inside '
    ! visitor ./deploy/run --port 0 >/tmp/said 2>&1 || fail "it was a success: $(cat /tmp/said)"
    expect /tmp/said "install them as root: apt-get install"
    for package in $(sed "s/#.*//" deploy/packages.txt); do expect /tmp/said " $package"; done
    [ ! -e /home/visitor/smd/build/release ] || fail "it has begun to build"'

echo "== root: everything from nothing"
first=$(date +%s)
inside '
    run --port 0
    expect /tmp/said "== install build-essential"
    expect /tmp/said "install: "
    expect /tmp/said "== configure build/release"
    grep -qE "^  [0-9]+/[0-9]+ Building" /tmp/said || fail "no counts of the build: $(cat /tmp/said)"
    expect /tmp/said "2 functions, 4 safepoints"
    expect /tmp/said "Ready after"
    dpkg-query -W | cut -f1 >/tmp/packages
    for package in git criterion qemu aarch64 clang-19 haproxy prometheus; do refuse /tmp/packages "$package"; done

    # What is to be typed next.
    eval "$(printed curl | grep target=aarch64)" >/tmp/answer
    expect /tmp/answer "\"stackmap\""
    eval "$(printed smc)" >/tmp/answer
    expect /tmp/answer "4 safepoints"
    eval "$(printed capabilities)" >/tmp/answer
    expect /tmp/answer "\"options\""
    cp /tmp/said /tmp/first
    date +%s >/tmp/second

    # All that is installed has been built.
    DESTDIR=/tmp/installed cmake --install build/release >/tmp/answer 2>&1 || fail "$(cat /tmp/answer)"
    [ -x /tmp/installed/usr/local/bin/smd ] && [ -e /tmp/installed/usr/local/include/smclient.h ] || fail "$(cat /tmp/answer)"
    date +%s >/tmp/second

    # A second time nothing is installed and nothing is built; the daemon is the same.
    cp /var/log/dpkg.log /tmp/dpkg.log
    cp build/run/pid /tmp/pid
    run --port 0
    refuse /tmp/said "== install"
    refuse /tmp/said "Building"
    refuse /tmp/said "== configure"
    cmp /var/log/dpkg.log /tmp/dpkg.log
    cmp build/run/pid /tmp/pid
    [ "$(url_of /tmp/said)" = "$(url_of /tmp/first)" ] || fail "it is another daemon"
    echo "$(($(date +%s) - $(cat /tmp/second))) s" >/tmp/quick

    # A port that somebody else has is named, with who has it; the daemon goes on.
    cp build/release/bin/smd build/release/bin/smd-worker /opt/
    /opt/smd --port 0 --port-file /tmp/other >/dev/null 2>&1 &
    for i in $(seq 3000); do [ ! -s /tmp/other ] || break; sleep 0.1; done
    ! ./deploy/run --port "$(cat /tmp/other)" >/tmp/said 2>&1 || fail "it took a port that is taken"
    expect /tmp/said "port $(cat /tmp/other) is taken by /opt/smd (process $!)"
    curl -fsS "$(url_of /tmp/first)/readyz" >/dev/null
    port=$(cat /tmp/other) # which goes with who wrote it
    kill $!

    # Onto another port; then stopped.
    for i in $(seq 3000); do [ "$(readlink /proc/$!/exe)" ] || break; sleep 0.1; done
    run --port "$port"
    curl -fsS "http://127.0.0.1:$port/readyz" >/dev/null
    ! curl -fsS "$(url_of /tmp/first)/readyz" 2>/dev/null || fail "the earlier one still runs"
    pid=$(cat build/run/pid)
    eval "$(printed "--stop")" >/tmp/said
    expect /tmp/said "smd is stopped"
    ! readlink "/proc/$pid/exe" || fail "it still runs"
    ! curl -fsS "http://127.0.0.1:$port/readyz" 2>/dev/null || fail "the port is still open"'
debs_to_cache "$root"
echo "[figures] fresh: from nothing to a compile $(($(cat "$root/tmp/second") - first)) s, a second time $(cat "$root/tmp/quick")"

echo "== a user where one package is missing, and where none is"
inside '
    apt-get remove -y ninja-build
    ! visitor ./deploy/run --port 0 >/tmp/said 2>&1 || fail "it was a success: $(cat /tmp/said)"
    grep -q "apt-get install --no-install-recommends ninja-build$" /tmp/said || fail "$(cat /tmp/said)"
    apt-get install -y ninja-build
    # What root has built is taken over where it lies; what is missing of it the user builds.
    chown -R visitor: /src/smd
    rm -r /home/visitor/smd build/release/bin/smd $(find build/release/server -path "*smd_routes*" -name "*.o")
    ln -s /src/smd /home/visitor/smd
    visitor ./deploy/run --port 0 >/tmp/said 2>&1 || fail "$(cat /tmp/said)"
    expect /tmp/said "Building"
    expect /tmp/said "2 functions, 4 safepoints"
    visitor ./deploy/run --stop >/tmp/said
    expect /tmp/said "smd is stopped"'

echo "== a system that lacks what is optional does without"
rm -r "$root/src/smd"
copy_tree "$root/src/smd"
inside '
    . deploy/lib.sh
    printf "%s\n" "no-such-reader # optional: nothing else needs it" "no-such-library # all need it" >/tmp/list
    [ "$(missing_packages /tmp/list)" = " no-such-library" ] || fail "missing: $(missing_packages /tmp/list)"
    mv /usr/bin/llvm-config-14 /tmp/
    (configure release) >/tmp/said 2>&1 || fail "$(cat /tmp/said)"
    expect /tmp/said "there is no LLVM 14 here"
    [ "$(configured release SMD_UPGRADE)" = OFF ] || fail "smd-upgrade is to be built without LLVM 14"
    mv /tmp/llvm-config-14 /usr/bin/
    (configure release) >/tmp/said 2>&1 || fail "$(cat /tmp/said)"
    [ "$(configured release SMD_UPGRADE)" = ON ] || fail "LLVM 14 is back, and smd-upgrade is not to be built"'

echo "== systems that are not Debian, or an older one, are told what is needed"
inside '
    mkdir /tmp/bin
    for program in sh dirname sed date readlink grep mkdir cat id find stat; do ln -s "$(command -v $program)" /tmp/bin/; done
    ! PATH=/tmp/bin ./deploy/run --port 0 >/tmp/said 2>&1 || fail "it was a success: $(cat /tmp/said)"
    expect /tmp/said "this system has no apt-get"
    expect /tmp/said "LLVM"
    ! ./deploy/run --nonsense >/tmp/said 2>&1 || fail "it was a success"
    for script in run test bench; do
        "./deploy/$script" --help >/tmp/said
        expect /tmp/said "./deploy/$script"
    done'
echo "[figures] fresh: $(($(date +%s) - began)) s in all"
