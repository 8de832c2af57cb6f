#!/bin/sh
# Installs the Debian packages that the adapters name, as far as that is allowed
# here. Never fails: the lab measures what is there.
set -u
packages=$(sed -n 's/^debian *= *\[\(.*\)\]/\1/p' lab/adapters/*/adapter.toml |
    tr ',"' '\n\n' | sed 's/ //g' | sort -u)
command -v dpkg-query >/dev/null 2>&1 || {
    echo "peers: not a Debian system; measuring the libraries that are here" >&2
    exit 0
}
missing=
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "peers: some libraries are missing. To have them measured too, run:" >&2
    echo "  sudo apt-get install$missing" >&2
    exit 0
fi
echo "peers: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
{
    $as_root apt-get update -q &&
        $as_root apt-get install -q -y --no-install-recommends $missing
} >"$log" 2>&1 || {
    echo "peers: apt-get failed; measuring the libraries that are here. Its last words:" >&2
    tail -n 3 "$log" >&2
}
rm -f "$log"
exit 0
