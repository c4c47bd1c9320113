# lib.sh - what the tests of the deployment share. Sourced, with the repository's root as working directory.
#
# A minimal Debian is made once and kept, with the packages that were installed into it, in a folder that all clones on
# this machine share: $cache. It is safe to delete.

cache=${XDG_CACHE_HOME:-/var/cache}/smd-tests
release=bookworm

fail() { echo "$*" >&2; exit 1; }

# leave_no_trace FOLDER: whatever ends the script, the folder and what was entered of it go. What is mounted in there is
# mounted for those inside alone.
leave_no_trace() {
    trap 'kill -9 "${entered:-}" 2>/dev/null || true; rm -rf "'"$1"'"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
}

# Where this machine has Debian's packages from: lines of sources.list(5).
debian_sources() {
    apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        sed -n "s/^Debian \($release[^ ]*\) main \(.*\)/deb \2 \1 main/p" | sort -u
}

# debian_base FOLDER: a minimal Debian, asking for packages where and as this machine does.
debian_base() {
    mkdir -p "$cache" "$1"
    sources=$(debian_sources)
    mirror=$(echo "$sources" | sed -n "s/^deb \(.*\) $release main$/\1/p" | head -n 1)
    base=$cache/$release-minbase-$(dpkg --print-architecture).tar
    (
        flock 9 # one makes it, others wait
        [ ! -f "$base" ] || exit 0
        rm -rf "$cache/making" && mkdir "$cache/making"
        # What it mounts in there goes with it, even if it is killed.
        # shellcheck disable=SC2086 # no mirror, no word
        unshare --mount debootstrap --variant=minbase $release "$cache/making/root" $mirror \
            >"$cache/debootstrap.log" 2>&1 </dev/null ||
            fail "debootstrap failed: $(tail -n 5 "$cache/debootstrap.log")"
        rm -f "$cache/making/root/var/cache/apt/archives"/*.deb
        tar cf "$cache/making/tar" -C "$cache/making/root" . && mv "$cache/making/tar" "$base"
        rm -rf "$cache/making"
    ) 9>"$cache/lock" || exit 1
    tar xf "$base" -C "$1"
    [ -z "$sources" ] || echo "$sources" >"$1/etc/apt/sources.list"
    apt-config dump | grep -E '^Acquire::(https?::|Check-)' >"$1/etc/apt/apt.conf.d/90host" || true
    echo 'Acquire::Languages "none";' >"$1/etc/apt/apt.conf.d/90test"
    echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/test"
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
}

# debs_from_cache FOLDER, debs_to_cache FOLDER: the packages that were downloaded into this Debian's archives.
debs_from_cache() {
    mkdir -p "$cache/debs"
    (flock 9 && find "$cache/debs" -name '*.deb' -exec cp -t "$1/var/cache/apt/archives" {} +) 9>"$cache/lock"
}

debs_to_cache() {
    enter "$1" "apt-get autoclean" >/dev/null
    (
        flock 9
        find "$1/var/cache/apt/archives" -maxdepth 1 -name '*.deb' -exec cp -n -t "$cache/debs" {} +
        for deb in "$cache/debs"/*.deb; do # older versions
            [ -e "$1/var/cache/apt/archives/${deb##*/}" ] || rm -f "$deb"
        done
    ) 9>"$cache/lock"
}

# enter FOLDER COMMANDS: in a namespace of mounts and processes that ends with them, and with whoever runs this.
enter() {
    # shellcheck disable=SC2016 # for the inner shell
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child=KILL sh -c '
        mount -t proc proc "$1/proc" && exec chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
            DEBIAN_FRONTEND=noninteractive sh -c "$2"' - "$@" </dev/null &
    entered=$!
    if wait $entered; then entered=; else entered= && return 1; fi
}

# copy_tree FOLDER: what a clone would have, without asking git.
copy_tree() {
    mkdir -p "$1"
    sed 's,/$,,; s,^/,./,' .gitignore | tar c --exclude=./.git --exclude-from=- . | tar x --no-same-owner -C "$1"
    [ "$(find "$1" -type f | wc -l)" -gt 300 ] || fail "the copy of the tree is not whole"
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
