#!/bin/sh
# Installs libsmclient into an empty folder and uses it from there as others will.
#
#     install_test.sh BUILD-FOLDER SOURCE-FOLDER CMAKE
# shellcheck disable=SC2046 # what pkg-config says are words
set -eu
build=$1 source=$2 cmake=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

DESTDIR='' "$cmake" --install "$build" --prefix "$work/usr" --component library >"$work/log"
DESTDIR='' "$cmake" --install "$build" --prefix "$work/usr" --component headers >>"$work/log"
library=$(find "$work/usr" -name 'libsmclient.so.*.*.*')
[ -f "$library" ] || fail "no library: $(cat "$work/log")"

echo "== everything lies within the prefix"
DESTDIR='' "$cmake" --install "$build" --prefix "$work/all" >"$work/everything"
[ "$(grep -cE '^-- (Installing|Up-to-date): ' "$work/everything")" -gt 20 ] || fail "not everything was installed"
! grep -E '^-- (Installing|Up-to-date): ' "$work/everything" | grep -vF ": $work/all/" || fail "that is outside"

echo "== exports: what smclient.map lists, which is what the header declares"
nm -D --defined-only "$library" | sed 's/^.* [A-Z] //; s/@.*//' | grep -v '^SMCLIENT_' | sort >"$work/exported"
sed -n 's/^    \([a-z_]*\);$/\1/p' "$source/client/smclient.map" | sort >"$work/listed"
diff "$work/exported" "$work/listed" || fail "the exports differ from smclient.map"
cc -E -P "$work/usr/include/smclient.h" | tr -s ' \n' ' ' | tr ';' '\n' |
    sed -n 's/^.*__visibility__\{0,1\}.*[ *]\(sm_[a-z_]*\)(.*$/\1/p; s/^.*visibility("default").*[ *]\(sm_[a-z_]*\)(.*$/\1/p' |
    sort -u >"$work/declared"
grep -v '^__' "$work/listed" | diff - "$work/declared" || fail "smclient.map differs from the header"

echo "== no symbol of other libraries' in the archive, no type of theirs in the header"
archive=$(find "$work/usr" -name libsmclient.a)
for a in "$archive" "${archive%.a}-loader.a"; do
    [ -z "$(nm --defined-only -g "$a" | sed -n 's/^.* [A-Z] //p' | grep -v '^sm_' | grep -v '__jit_debug_')" ] ||
        fail "$a defines names that are not sm_*"
done
! grep -nE 'curl|CURL|json_t|LLVM[A-Z]|MHD_' "$work/usr/include/smclient.h" || fail "the header has a foreign type"

echo "== soname, size"
readelf -d "$library" | grep -q 'SONAME.*\[libsmclient.so.0\]' || fail "wrong soname"
if [ -z "${SMD_SANITIZED:-}" ]; then
    strip -o "$work/stripped" "$library"
    size=$(stat -c %s "$work/stripped")
    [ "$size" -lt 344064 ] || fail "the stripped library has $size bytes"
    echo "[figures] libsmclient.so, stripped: $size bytes"
fi

echo "== the header alone, in C99 and C++"
echo '#include <smclient.h>' >"$work/alone.c"
cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$work/usr/include" "$work/alone.c"
c++ -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$work/usr/include" "$work/alone.c"

echo "== a program by pkg-config, shared and static, and by find_package"
cat >"$work/user.c" <<'END'
#include <smclient.h>
#include <stdio.h>
int main(void) {
    sm_loader *loader = sm_loader_new(NULL, NULL);
    printf("%d %s %d\n", sm_version(), sm_target_host()->cpu, loader != NULL);
    sm_loader_free(loader);
    return sm_version() != SM_VERSION;
}
END
PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name smclient.pc)")
export PKG_CONFIG_PATH
flags=${SMD_SANITIZED:+-fsanitize=$SMD_SANITIZED,undefined}
cc $flags -o "$work/shared" "$work/user.c" $(pkg-config --cflags --libs smclient)
LD_LIBRARY_PATH=$(dirname "$library") "$work/shared"
pkg-config --print-requires-private smclient | grep -qx libcurl || fail "smclient.pc does not say what the archive needs"
cc $flags -o "$work/static" "$work/user.c" $(pkg-config --cflags smclient) "$archive" \
    $(pkg-config --libs libcurl jansson libcrypto libzstd) -lpthread
"$work/static"
# Debian's libcurl cannot be linked statically, as Kerberos is not there; the loader alone needs nothing.
if [ -z "$flags" ]; then
    cc -static -o "$work/whole" "$work/user.c" $(pkg-config --static --cflags --libs smclient-loader)
    "$work/whole"
fi
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(user C)' 'find_package(smclient 0.1 REQUIRED)' \
    'foreach(kind smclient static loader)' 'add_executable(user-${kind} user.c)' \
    'target_link_libraries(user-${kind} PRIVATE smclient::${kind})' 'endforeach()' >"$work/CMakeLists.txt"
"$cmake" -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_C_FLAGS="$flags" >"$work/log" 2>&1 &&
    "$cmake" --build "$work/build" >>"$work/log" 2>&1 || fail "find_package: $(cat "$work/log")"
for kind in smclient static loader; do "$work/build/user-$kind"; done
