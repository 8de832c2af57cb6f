#!/bin/sh
# Builds a static library for C with only the given families and modes.
# usage: small.sh FEATURES OUTPUT, for example small.sh aes,gcm libtouchstone.a
set -eu
# shellcheck source=tools/cargo.sh
. "$(dirname "$0")/cargo.sh"
features=$1
output=$2
[ -n "$features" ] || {
    echo "small.sh: name the families and modes that the library is to have, as in" >&2
    echo "  make small FEATURES=aes,gcm" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build "$work/messages" rustc --profile small --package touchstone-capi --crate-type staticlib \
    --no-default-features --features "$features"
archive=$(built "$work/messages" libtouchstone_capi.a)
"$(dirname "$0")/static.sh" "$archive" "$output"
