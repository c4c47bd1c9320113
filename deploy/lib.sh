# lib.sh - what the scripts of deploy/ share. Sourced, with the repository's root as working directory.
#
# What is going on is said on stderr, while it goes on: in place on a terminal, in a few lines where it is kept as a log.

began=$(date +%s)

say() { printf '%s\n' "$*" >&2; }
die() { say "$0: $*"; exit 1; }

# What the script's own first comment says.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; }

# The time since the script began.
elapsed() {
    seconds=$(($(date +%s) - began))
    [ $seconds -lt 60 ] && echo "$seconds s" || echo "$((seconds / 60)) min $((seconds % 60)) s"
}

on_terminal() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }

# One line that the next one replaces; nothing in a log.
in_place() { ! on_terminal || printf '\r\033[K%.*s' 79 "$*" >&2; }

# "N/M …": shown in place on a terminal, otherwise when another tenth has been reached. $tenth is the caller's.
progress() {
    count=${1%% *}
    in_place "  $1"
    ! on_terminal && [ $((10 * ${count%/*} / ${count#*/})) -gt "$tenth" ] || return 0
    tenth=$((10 * ${count%/*} / ${count#*/}))
    say "  $1"
}

# The packages of the lists that are not installed; without those that are optional and not to be had here, and those
# whose program is there from elsewhere ("# unless PROGRAM is there").
missing_packages() {
    for package in $(sed 's/#.*//' "$@"); do
        program=$(sed -n "s/^$package *# unless \([^ ]*\) is there.*/\1/p" "$@")
        [ -z "$program" ] || ! command -v "$program" >/dev/null || continue
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=
        [ "$status" = installed ] || ! is_to_be_had "$package" "$@" || printf ' %s' "$package"
    done
}

# is_to_be_had PACKAGE LIST...: as far as is known before apt-get has its lists.
is_to_be_had() {
    package=$1
    shift
    ! grep -q "^$package *# optional" "$@" || [ -z "$(find /var/lib/apt/lists -name '*Packages*' -print -quit)" ] ||
        apt-cache show "$package" 2>/dev/null | grep -q .
}

say_how_by_hand() {
    say "Without the tests, and with -D SMD_UPGRADE=OFF where there is no LLVM 14, smd is built by"
    say "  cmake --preset release -D SMD_TESTS=OFF -D SMD_WERROR=OFF && ninja -C build/release"
}

# On a system that has no packages of Debian's.
say_what_is_needed() {
    say "$0 installs Debian 12's packages, and this system has no apt-get. What is needed goes by these names there:"
    sed -n '/^[a-z]/s/^/  /p' "$@" >&2
    say_how_by_hand
    exit 1
}

# Shows what apt-get says on its status channel: "dlstatus:…:PERCENT:TEXT", "pmstatus:PACKAGE:PERCENT:TEXT".
show_packages() {
    tenth=-1 before=
    while IFS=: read -r kind _ percent text; do
        case $kind in dlstatus) kind=download ;; pmstatus) kind=install ;; *) continue ;; esac
        [ "$kind" = "$before" ] || tenth=-1
        before=$kind
        percent=${percent%.*}
        progress "${percent:-0}/100 $kind: $text"
    done
    in_place ""
}

# apt_install FOLDER LIST...: installs what is missing of the lists; the log and the status of apt-get are in FOLDER.
apt_install() {
    apt_folder=$1
    shift
    export DEBIAN_FRONTEND=noninteractive
    policy=/usr/sbin/policy-rc.d # while it is there no package starts a service
    if [ ! -e $policy ]; then
        trap 'rm -f $policy' EXIT
        trap 'exit 130' INT
        trap 'exit 143' TERM HUP
        printf '#!/bin/sh\nexit 101\n' >$policy && chmod +x $policy
    fi
    say "  the lists of packages"
    apt-get update >"$apt_folder/log" 2>&1 </dev/null || return 1
    missing=$(missing_packages "$@") # now it is known what there is
    # shellcheck disable=SC2086 # a list of words
    { apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 -o APT::Status-Fd=3 $missing \
        3>&1 >>"$apt_folder/log" 2>&1 </dev/null || touch "$apt_folder/failed"; } | show_packages
    [ ! -e "$apt_folder/failed" ]
}

# What the build leaves out by itself.
is_only_the_page() {
    for package in $1; do
        case $package in esbuild | libjs-codemirror) ;; *) return 1 ;; esac
    done
}

system_name() { sed -n 's/^PRETTY_NAME="*\([^"]*\).*/\1/p' /etc/os-release; }

# install_packages LIST...: installs what is missing of these lists. Asks no package server when nothing is.
install_packages() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || say_what_is_needed "$@"
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" != 0 ]; then
        is_only_the_page "$missing" ||
            die "these packages are missing; install them as root: apt-get install --no-install-recommends$missing"
        say "smd is built without its page: only root can install$missing"
        return 0
    fi
    say "== install$missing"
    folder=$(mktemp -d)
    if ! (apt_install "$folder" "$@"); then
        tail -n 20 "$folder/log" >&2
        unknown=$(sed -n 's/^E: \(Unable to locate package\|Package .\) *\([^ ]*\).*/\2/p' "$folder/log" | tr '\n' ' ')
        [ -z "$unknown" ] || say_how_by_hand
        [ -z "$unknown" ] || die "$(system_name) has no ${unknown% }; $0 needs the packages of Debian 12"
        die "the packages could not be installed (whole log: $folder/log)"
    fi
    rm -rf "$folder"
}

# The value of an option in a build that is configured; nothing otherwise.
configured() { sed -n "s/^$2:[A-Z]*=//p" "build/$1/CMakeCache.txt" 2>/dev/null || true; }

# configure PRESET [OPTION ...]: with these of the options SMD_TESTS and SMD_BENCH. A build that has more of them already
# keeps it, so that deploy/run and deploy/test share what they have compiled. Nothing is done when nothing has changed.
configure() {
    preset=$1 flags=
    shift
    home=$(configured "$preset" CMAKE_HOME_DIRECTORY)
    if [ ! -f "build/$preset/build.ninja" ] || [ "$(readlink -f "$home")" != "$(pwd -P)" ]; then # never, or it was copied
        flags="--fresh -D SMD_TESTS=OFF -D SMD_BENCH=OFF"
        # Warnings are errors for the compiler that the project is tested with; another one may have more of them.
        grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || flags="$flags -D SMD_WERROR=OFF"
        command -v llvm-config-14 >/dev/null || flags="$flags -D SMD_UPGRADE=OFF"
    elif command -v llvm-config-14 >/dev/null && [ "$(configured "$preset" SMD_UPGRADE)" != ON ]; then
        flags="-D SMD_UPGRADE=ON" # it was installed since
    elif command -v esbuild >/dev/null && configured "$preset" ESBUILD | grep -q NOTFOUND; then
        flags="-D SMD_PAGE=ON" # likewise
    fi
    for option in "$@"; do
        [ "$(configured "$preset" "$option")" = ON ] && [ -z "$flags" ] || flags="$flags -D $option=ON"
    done
    command -v llvm-config-14 >/dev/null ||
        say "  there is no LLVM 14 here: built without smd-upgrade, smd does not read IR of LLVM 3.7 to 14"
    [ -n "$flags" ] || return 0
    say "== configure build/$preset"
    mkdir -p build
    # shellcheck disable=SC2086 # a list of words
    if ! cmake --preset "$preset" $flags >"build/$preset.log" 2>&1; then
        rm -f "build/$preset/build.ninja"
        tail -n 30 "build/$preset.log" >&2
        die "build/$preset cannot be configured (whole log: build/$preset.log)"
    fi
}

# Takes what ninja says where it has no terminal: all of it into the log, the counts to whoever watches.
show_build() {
    tenth=0
    while IFS= read -r line; do
        printf '%s\n' "$line" >>"$1"
        case $line in "["[0-9]*/[0-9]*"] "*) ;; *) continue ;; esac
        count=${line%%]*} step=${line#*] }
        progress "${count#[} $step"
    done
}

# build PRESET [TARGET ...]: what configure has prepared.
build() {
    preset=$1
    shift
    log=build/$preset.log
    say "== build build/$preset${*:+: $*}"
    if on_terminal; then
        NINJA_STATUS='  [%f/%t] ' ninja -C "build/$preset" "$@" >&2 || die "the $preset build failed"
        return 0
    fi
    rm -f "$log" "$log.failed"
    { NINJA_STATUS='[%f/%t] ' ninja -C "build/$preset" "$@" 2>&1 || touch "$log.failed"; } | show_build "$log"
    if [ -e "$log.failed" ]; then
        rm -f "$log.failed"
        { sed -n '/^FAILED/,$p' "$log" | grep . || cat "$log"; } | head -n 60 >&2
        die "the $preset build failed (whole log: $log)"
    fi
}
