#!/bin/sh
# Installs the packages that contain the libraries of the adapters, if this user may install
# packages and this distribution has them. Never fails, because the lab measures the libraries
# that it finds.
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 0
. tools/packages.sh

if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
    manager=apt
elif command -v rpm >/dev/null 2>&1 && command -v dnf >/dev/null 2>&1; then
    manager=dnf
else
    echo "peers: neither apt nor dnf is here; measuring the libraries that are" >&2
    exit 0
fi
installed() {
    case $manager in
    apt) dpkg-query -W -f '${Package} ${db:Status-Status}\n' | sed -n 's/ installed$//p' ;;
    dnf) rpm -qa --queryformat '%{NAME}\n' ;;
    esac
}
available() {
    case $manager in
    apt) apt-cache pkgnames ;;
    dnf) dnf -q repoquery --queryformat '%{name}\n' ;;
    esac
}
refresh() {
    [ "$manager" != apt ] || $as_root apt-get update -q
}
install() {
    case $manager in
    apt) $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "$@" ;;
    dnf) $as_root dnf install -q -y "$@" ;;
    esac
}

folder=$(mktemp -d) || exit 0
trap 'rm -rf "$folder"' EXIT
installed >"$folder/installed"
needed "$manager" packages packages.build | missing "$folder/installed" >"$folder/missing"
[ -s "$folder/missing" ] || exit 0
as_root='' may=yes
if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then as_root=sudo; else may=no; fi
fi
[ "$may" = no ] || refresh >"$folder/log" 2>&1 ||
    echo "peers: the lists of packages cannot be renewed; using those that are here" >&2
available 2>/dev/null | sort -u >"$folder/available"
choose "$folder/available" <"$folder/missing" >"$folder/chosen" 2>"$folder/unknown"
if [ -s "$folder/unknown" ]; then
    sed -n 's/^no package: /  /p' "$folder/unknown" >"$folder/names"
    echo "peers: this distribution has no package of these names:" >&2
    cat "$folder/names" >&2
fi
[ -s "$folder/chosen" ] || exit 0
# Package names contain no spaces: one word for each name.
# shellcheck disable=SC2046
set -- $(cat "$folder/chosen")
if [ "$may" = no ]; then
    echo "peers: some libraries are missing. To have them measured too, run:" >&2
    case $manager in
    apt) echo "  sudo apt-get install --no-install-recommends $*" >&2 ;;
    dnf) echo "  sudo dnf install $*" >&2 ;;
    esac
    exit 0
fi
echo "peers: installing $*" >&2
if ! install "$@" >"$folder/log" 2>&1; then
    # After a failure, each package is installed alone, so that one bad package does not
    # prevent the others.
    for package in "$@"; do
        install "$package" >"$folder/log" 2>&1 ||
            echo "peers: not installed: $package: $(tail -n 1 "$folder/log")" >&2
    done
fi
exit 0
