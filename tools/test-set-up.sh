#!/bin/bash
# Runs `make dist` on a copy of this repository. The copy's path has every character that broke
# the build before: spaces, quotes, umlauts, a colon, an ampersand. The environment has CDPATH,
# a strict umask, a POSIX locale, a compiler of two words and a configured target folder.
# Stand-ins replace the compilers and write a small file where they are told to, so that the
# test takes a minute; the real cargo builds only a small program. The script prints each failed
# check, and ends with 1 if any check failed. Programs for other shells are in single quotes,
# which shellcheck must allow.
# shellcheck disable=SC2016
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 1
repository=$PWD
cargo=${CARGO:-cargo}
work=$(mktemp -d) || exit 1
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
failures=0 checks=0
# usage: check TEXT COMMAND…
check() {
    text=$1
    shift
    checks=$((checks + 1))
    "$@" >"$work/check" 2>&1 || {
        echo "set-up: FAILED: $text" >&2
        sed 's/^/    /' "$work/check" >&2
        failures=$((failures + 1))
    }
}

odd="$work/O'Brien & söhne/a \"b\":c \$HOME"
mkdir -p "$odd/repository" "$odd/prec" "$odd/elsewhere/lab" "$work/bin"
touch "$odd/prec/keep"
git ls-files -z --cached --others --exclude-standard -- Makefile Cargo.toml tools vectors/README.md \
    'lab/adapters/*/adapter.toml' 'lab/adapters/*/Cargo.toml' 'lab/adapters/*/Makefile' \
    lab/adapters/java lab/adapters/go lab/adapters/cryptopp lab/adapters/botan/shim crates/libcrypt/include \
    crates/libcrypt/link crates/touchstone-capi/include crates/touchstone-capi/touchstone.pc.in \
    crates/strongbox-capi/include crates/strongbox-capi/strongbox.pc.in |
    tar --null --files-from=- -cf - | tar -xf - -C "$odd/repository" || exit 1
mkdir -p "$odd/repository/vectors"

# --- stand-ins ---
stand_in() {
    cat >"$work/bin/$1"
    chmod 755 "$work/bin/$1"
}
# Writes the files that a build leaves in a configured target folder, and prints cargo's
# messages.
stand_in cargo <<'CARGO'
#!/bin/sh
[ "$1" != --version ] || { echo "cargo ${FAKE_VERSION:-1.95.0} (stand-in)"; exit 0; }
out="$FAKE_TARGET/x86_64-unknown-linux-gnu/release"
mkdir -p "$out"
artifact() {
    path=$(printf '%s' "$out/$2" | sed 's/["\\]/\\&/g')
    printf '{"reason":"compiler-artifact","package_id":"path+file:///crates/%s#1","%s":%s}\n' \
        "$2" "$1" "$([ "$1" = executable ] && echo "\"$path\"" || echo "[\"$path.d\",\"$path\"]")"
}
case $1 in
build)
    for name in touchstone touchstone-crypt strongbox $FAKE_ADAPTERS; do
        printf '#!/bin/sh\n# %s\n[ "$1" != man ] || mkdir -p "$2"\n' "$FAKE_MARK" >"$out/$name"
        chmod 700 "$out/$name"
        artifact executable "$name"
    done
    echo "$FAKE_MARK" >"$out/libtouchstone_capi.so"
    echo "$FAKE_MARK" >"$out/libtouchstone_strongbox_capi.so"
    # A real archive with one function of the header, so that static.sh has symbols to
    # sort.
    printf 'const char mark[] = "%s";\nconst char *touchstone_version(void) { return mark; }\n' \
        "$FAKE_MARK" >"$out/capi.c"
    cc -ffunction-sections -c -o "$out/capi.o" "$out/capi.c" &&
        rm -f "$out/libtouchstone_capi.a" && ar rc "$out/libtouchstone_capi.a" "$out/capi.o"
    for name in libtouchstone_capi.so libtouchstone_capi.a libtouchstone_strongbox_capi.so; do
        artifact filenames "$name"
    done
    ;;
rustc)
    # Defines every function that symbols.c calls.
    cc -c -o "$out/symbols.o" crates/libcrypt/link/symbols.c 2>/dev/null
    nm -u "$out/symbols.o" | sed -n 's/.* \(touchstone_.*\)/void \1(void) {}/p' >"$out/stubs.c"
    cc -fPIC -c -o "$out/stubs.o" "$out/stubs.c" && rm -f "$out/libtouchstone_libcrypt.a" &&
        ar rc "$out/libtouchstone_libcrypt.a" "$out/stubs.o"
    artifact filenames libtouchstone_libcrypt.a
    ;;
esac
CARGO
# Stand-in for compilers and Maven: writes the file after the option -o, or a file whose name it
# knows.
stand_in compiler <<'COMPILER'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
    version) echo "go version go1.26.0" ; exit 0 ;;
    -E) cat >/dev/null; exit 0 ;;
    -o | --file) echo made >"$2" ;;
    -DoutputDirectory=.) echo made >bcprov-jdk18on-1.86.jar ;;
    esac
    shift
done
COMPILER
for name in g++ go javac jar mvn; do ln -s compiler "$work/bin/$name"; done

adapters=$(cd "$odd/repository/lab/adapters" && for toml in */Cargo.toml; do
    [ ! -f "$toml" ] || printf 'touchstone-adapter-%s ' "${toml%/Cargo.toml}"; done)
dist() {
    (cd "$odd/repository" && umask 077 && env PATH="$work/bin:$PATH" LC_ALL=C \
        CDPATH="$odd/elsewhere:." CC="env cc" CARGO=cargo FAKE_MARK="$1" \
        FAKE_ADAPTERS="$adapters" FAKE_TARGET="$odd/a target" make --no-print-directory "${2-dist}")
}
d=$odd/repository/dist
check "make lab ends well" dist first lab
check "it makes the lab's command" test -e "$d/bin/touchstone"
check "it leaves strongbox out" test ! -e "$d/bin/strongbox"
check "make dist ends well" dist first
mv "$work/check" "$work/said"
check "it says nothing about make" sh -c '! grep "^make" "$1"' - "$work/said"
check "a second one, too" dist second
for file in bin/touchstone bin/touchstone-crypt bin/strongbox lib/libtouchstone.a lib/libtouchstone.so \
    lib/libstrongbox.so lib/touchstone/adapters/openssl/touchstone-adapter-openssl; do
    check "$file is of this build" grep -q second "$d/$file"
done
for file in lib/touchstone/adapters/cryptopp/libtouchstone-cryptopp.so \
    lib/touchstone/adapters/go/touchstone-adapter-go \
    lib/touchstone/adapters/java/worker.jar lib/touchstone/adapters/java/bcprov.jar \
    lib/touchstone/adapters/java/touchstone-adapter-java \
    lib/libcrypt/libcrypt.so.1 lib/libcrypt/libtouchstone-crypt.so \
    include/touchstone.h include/strongbox.h lib/pkgconfig/touchstone.pc lib/pkgconfig/strongbox.pc share/man/man1; do
    check "there is $file" test -e "$d/$file"
done
# Asks pkg-config about a library, in the folder of its file: the folder's path cannot be written
# in PKG_CONFIG_PATH, because it has a colon.
described() {
    (cd "$d/lib/pkgconfig" && PKG_CONFIG_PATH=. pkg-config "$1" "$2" | tee /dev/stderr | grep -q -x -e "$3 *")
}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
for name in touchstone strongbox; do
    if command -v pkg-config >/dev/null; then
        check "$name.pc has the version" described --modversion "$name" "$version"
        check "$name.pc names the library" described --libs-only-l "$name" "-l$name"
    else
        echo "SKIPPED: pkg-config is not installed: $name.pc" >&2
    fi
done
check "others may read all of it" sh -c \
    '[ -z "$(find "$1" ! -type l \( -type d ! -perm -0055 -o -type f ! -perm -0044 \))" ]' - "$d"
check "nothing but dist is new" sh -c \
    'cd "$1" && ls | grep -v -x -e Makefile -e Cargo.toml -e tools -e vectors -e lab -e crates -e dist; [ $? = 1 ]' \
    - "$odd/repository"
check "nothing is beside the repository" test "$(cd "$odd" && echo *)" = "a target elsewhere prec repository"
for adapter in cryptopp go java; do
    check "$adapter is cleaned" env OUT="$odd/prec ious/$adapter" \
        make --silent -C "$odd/repository/lab/adapters/$adapter" clean
done
check "cleaning leaves other folders alone" test -f "$odd/prec/keep"

# --- a Rust that is too old, or none ---
old() {
    (cd "$odd/repository" && PATH="$work/bin:$PATH" FAKE_VERSION=$1 CARGO=$2 \
        make --silent dist 2>&1 | grep -v '^make' >"$work/old")
    [ "$(wc -l <"$work/old")" = 1 ] && grep -q "Rust 1.95 or newer is needed" "$work/old"
}
check "an older Rust is told in one line" old 1.85.0 cargo
check "so is none" old 1.95.0 no-such-cargo
check "1.100 is newer than 1.95" env PATH="$work/bin:$PATH" FAKE_VERSION=1.100.0 CARGO=cargo \
    "$odd/repository/tools/toolchain.sh"

# --- packages: names that are gone, alternatives, patterns ---
(cd "$repository" && . tools/packages.sh && needed apt packages packages.build) >"$work/needed"
check "manifests name packages" grep -q -x 'libcrypto++-dev' "$work/needed"
chosen() {
    # shellcheck disable=SC1091
    . "$repository/tools/packages.sh"
    printf '%s\n' libssl3t64 libbotan-3-9 libbotan-3-13 libbotan-3-dev g++ libcrypto++-dev |
        sort >"$work/names"
    printf '%s\n' 'libssl3t64 | libssl3' 'libbotan-3-[0-9]* | libbotan-2-19' 'libcrypto++-dev' \
        'libipsec-mb2 | libipsec-mb1' | choose "$work/names" 2>"$work/unknown" | tr '\n' ' ' >"$work/chosen"
    cat "$work/chosen" "$work/unknown"
    [ "$(cat "$work/chosen")" = "libssl3t64 libbotan-3-13 libcrypto++-dev " ] &&
        [ "$(cat "$work/unknown")" = "no package: libipsec-mb2 | libipsec-mb1" ]
}
check "the newest alternative is chosen and an unknown name blocks nothing" chosen

# --- the real cargo's messages, with a configured target folder and a configured target ---
real() {
    # cargo itself does not allow a colon in the path.
    odd="$work/O'Brien & söhne/a \"b\" c \$HOME"
    mkdir -p "$odd/small/src" "$odd/small/.cargo"
    printf '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n' \
        >"$odd/small/Cargo.toml"
    echo 'fn main() { println!("small"); }' >"$odd/small/src/main.rs"
    printf '[build]\ntarget-dir = "../configured"\n' >"$odd/small/.cargo/config.toml"
    host=$("$cargo" -vV | sed -n 's/^host: //p')
    # shellcheck disable=SC1091
    (. "$repository/tools/cargo.sh" && cd "$odd/small" && unset CARGO_TARGET_DIR &&
        CARGO=$cargo && export CARGO_BUILD_TARGET="$host" && build "$work/messages" build --release &&
        path=$(built "$work/messages" small) && echo "$path" && [ "$("$path")" = small ] &&
        [ "$path" -ef "$odd/configured/$host/release/small" ] &&
        ! built "$work/messages" absent)
}
check "cargo's messages tell where a program is" real

echo "set-up: $((checks - failures)) of $checks checks passed" >&2
[ "$failures" = 0 ]
