#!/bin/sh
# Fills a folder with the libraries of another release of Debian or Ubuntu, and with the
# libraries that these need, for `touchstone run --root FOLDER`. It installs nothing,
# writes nothing outside the folder, and needs no privileges.
# usage: roots.sh SUITE [FOLDER]        (bookworm, trixie, sid, noble …)
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
. tools/packages.sh
fail() {
    echo "roots: $*" >&2
    exit 1
}
suite=${1:-}
[ -n "$suite" ] || fail "usage: make roots SUITE=sid (or trixie, bookworm, noble …)"
root=${2:-roots/$suite}
case $suite in
*[!a-z0-9.-]*) fail "no suite is called $suite" ;;
esac
for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || fail "no $tool here: only Debian and its kin have it"
done
mkdir -p "$root"
root=$(cd -- "$root" && pwd)
state=$root/.apt
mkdir -p "$state/lists/partial" "$state/archives/partial" "$state/preferences"
# The list of installed packages is empty, so that apt also fetches the libraries on which a
# package depends.
: >"$state/status"

# Runs apt with its own state folder and its own list of sources.
apt() {
    command=$1
    shift
    "$command" -q -o Dir::Etc::sourcelist="$state/suite.sources" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::Etc::preferencesparts="$state/preferences" -o Dir::Etc::preferences=/dev/null \
        -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User= -o Acquire::Languages=none \
        -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false \
        -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false "$@"
}
sources() {
    for suites in "$@"; do
        printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main %s\nSigned-By: %s\n\n' \
            "${suites%% *}" "${suites#* }" "$more" "$keys"
    done >"$state/suite.sources"
}
keys=/usr/share/keyrings/debian-archive-keyring.gpg more=
case $suite in
jammy | noble | plucky | questing | resolute)
    # Debian's newest release, sid, has a package with Ubuntu's keys.
    ubuntu=/usr/share/keyrings/ubuntu-archive-keyring.gpg
    if ! [ -f "$ubuntu" ]; then
        sources "${DEBIAN_MIRROR:-http://deb.debian.org/debian} sid"
        mkdir -p "$state/keys"
        (apt apt-get update && cd "$state/keys" && apt apt-get download ubuntu-keyring) \
            >"$state/log" 2>&1 || fail "no keys of Ubuntu's archive: $(tail -n 1 "$state/log")"
        for package in "$state"/keys/*.deb; do dpkg-deb -x "$package" "$state/keys"; done
        ubuntu=$state/keys$ubuntu
    fi
    keys=$ubuntu more=universe
    mirror=${MIRROR:-http://archive.ubuntu.com/ubuntu}
    sources "$mirror $suite $suite-updates $suite-security"
    ;;
*)
    [ -f "$keys" ] || fail "no keys of Debian's archive: install debian-archive-keyring"
    mirror=${MIRROR:-http://deb.debian.org/debian}
    case $suite in
    sid | unstable | experimental) sources "$mirror $suite" ;;
    *) sources "$mirror $suite $suite-updates" \
        "${SECURITY_MIRROR:-http://deb.debian.org/debian-security} $suite-security" ;;
    esac
    ;;
esac
echo "roots: reading the lists of $suite" >&2
apt apt-get update >"$state/log" 2>&1 || fail "apt-get update: $(grep '^[EW]:' "$state/log" | head -n 1)"
apt apt-cache pkgnames | sort -u >"$state/available"
needed apt packages | choose "$state/available" >"$state/chosen" 2>"$state/unknown"
sed -n "s/^no package: /roots: $suite has no package /p" "$state/unknown" >&2
[ -s "$state/chosen" ] || fail "$suite has none of the libraries"
# Package names contain no spaces: one word for each name.
# shellcheck disable=SC2046
set -- $(cat "$state/chosen")
echo "roots: fetching $*" >&2
# If one package cannot be fetched, the others are still fetched.
apt apt-get install -y --no-install-recommends --download-only "$@" >"$state/log" 2>&1 ||
    for package in "$@"; do
        apt apt-get install -y --no-install-recommends --download-only "$package" \
            >"$state/log" 2>&1 ||
            echo "roots: not fetched: $package: $(grep '^E:' "$state/log" | head -n 1)" >&2
    done
# Unpacks to a new folder first, so that a tree never changes while it is measured.
rm -rf "$root/.new"
mkdir "$root/.new"
for package in "$state"/archives/*.deb; do
    [ -f "$package" ] || fail "nothing was fetched; see $state/log"
    dpkg-deb -x "$package" "$root/.new"
done
find "$root" -mindepth 1 -maxdepth 1 ! -name .new ! -name .apt -exec rm -rf -- {} +
for new in "$root"/.new/*; do mv -- "$new" "$root/"; done
rmdir "$root/.new"

# For each version of a C++ library, the shim between worker and library must be compiled. The
# tree may also contain headers of its C library, which do not fit this system's compiler. So
# this folder gives the compiler only the headers of Botan, Crypto++ and NTL.
mkdir "$state/include"
for headers in botan-2 botan-3 cryptopp NTL; do
    [ ! -d "$root/usr/include/$headers" ] || ln -s "$root/usr/include/$headers" "$state/include/"
done
# Quotes a path for the shell that reads the compiler flags.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }
# shim ADAPTER WITHOUT NAME...: builds the adapter's shim if the tree has a file of one of these
# names. WITHOUT is the text that tells the user the consequence of a failed build.
shim() {
    adapter=$1 without=$2
    shift 2
    for name; do
        library=$(find "$root" -name "$name" | head -n 1)
        [ -z "$library" ] || break
    done
    [ -n "$library" ] || return 0
    lib=$(dirname "$library")
    CPPFLAGS="-isystem $(quoted "$state/include")" LDFLAGS="-L$(quoted "$lib")" OUT=$lib \
        make --no-print-directory --silent -C "lab/adapters/$adapter" clean all ||
        echo "roots: the shim for $adapter was not built; $without" >&2
}
shim cryptopp "its library will be shown as absent" libcryptopp.so libcrypto++.so
shim ntl "its library will be shown as absent" libntl.so
shim botan "its C interface alone is measured" libbotan-3.so libbotan-2.so
rm -rf "$state"
echo "roots: $root" >&2
