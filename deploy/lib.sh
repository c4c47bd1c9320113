# lib.sh - what the scripts of deploy/ share. Sourced, with the repository's root as working directory.

say() { printf '%s\n' "$*" >&2; }
die() { say "$0: $*"; exit 1; }

# Installs the packages of the lists that are not there. Asks no package server when nothing is missing.
install_packages() {
    missing=
    for package in $(sed 's/#.*//' "$@"); do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    [ "$(id -u)" = 0 ] || die "these packages are missing; install them as root: apt-get install$missing"
    say "installing:$missing"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    policy=/usr/sbin/policy-rc.d made= # while it is there no package starts a service
    [ -e $policy ] || { printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy && made=$policy; }
    # shellcheck disable=SC2086 # a list of words
    if ! { apt-get update && apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        rm -f ${made:+"$made"}
        die "the packages could not be installed (whole log: $log)"
    fi
    rm -f "$log" ${made:+"$made"}
}

# build PRESET [TARGET ...]: configures when that was never done, and builds. Silent unless something fails.
build() {
    preset=$1
    shift
    log=build/$preset.log
    mkdir -p build
    if ! { [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset"; } >"$log" 2>&1 ||
        ! ninja -C "build/$preset" "$@" >>"$log" 2>&1; then
        tail -n 40 "$log" >&2
        die "the $preset build failed (whole log: $log)"
    fi
}
