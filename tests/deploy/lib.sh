# lib.sh - what the tests of the deployment share. Sourced, with the repository's root as working directory.

fail() { echo "$*" >&2; exit 1; }

# debian_base FOLDER: a minimal Debian of this machine's release, made once.
debian_base() {
    [ ! -f "$1/.whole" ] || return 0
    rm -rf "$1"
    mkdir -p "$1"
    debootstrap --variant=minbase bookworm "$1" >"$1.log" 2>&1 || fail "debootstrap failed: $(tail -n 5 "$1.log")"
    touch "$1/.whole"
}

# await SECONDS COMMAND...: until the command succeeds.
await() {
    tries=$(($1 * 10))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "waited in vain for: $*"
        sleep 0.1
    done
}
