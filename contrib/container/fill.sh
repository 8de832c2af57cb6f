#!/bin/sh
# The steps of both container recipes, which run in a Debian system as root.
# usage: fill.sh build SOURCE TARGET [SUITE…]   builds the lab and its workers into TARGET, and a
#                                               tree of each other release into TARGET/roots/SUITE
#        fill.sh run SOURCE                     installs the libraries that the lab measures
# SOURCE is the repository. If DIST is set, the lab and its workers are those of SOURCE/DIST, and are
# not built again. Both verbs are for an image that is thrown away if they fail.
set -eu
unset CDPATH
[ $# -ge 2 ] || {
    echo "usage: fill.sh build SOURCE TARGET [SUITE…] | fill.sh run SOURCE" >&2
    exit 2
}
verb=$1
source=$2
shift 2
export DEBIAN_FRONTEND=noninteractive
cd "$source"
install() {
    apt-get update -q
    apt-get install -q -y --no-install-recommends "$@"
}
case $verb in
build)
    [ $# -ge 1 ] || {
        echo "fill.sh build: TARGET is missing" >&2
        exit 2
    }
    target=$1
    shift
    if [ -n "${DIST:-}" ]; then
        mkdir -p "$target"
        cp -R "$DIST/." "$target"
        # For trees: their keys, and shims for libraries in C++.
        [ $# -eq 0 ] || install make g++ ca-certificates debian-archive-keyring
    else
        install make gcc g++ git ca-certificates perl debian-archive-keyring
        # The headers of the libraries, for the workers in C++.
        tools/peers.sh
        make --no-print-directory dist DIST="$target"
    fi
    for suite; do
        tools/roots.sh "$suite" "$target/roots/$suite"
    done
    ;;
run)
    # ssh and git are for campaigns: hosts, and builds of a library's own source.
    install ca-certificates openssh-client git make gcc
    tools/peers.sh
    apt-get clean
    rm -rf /var/lib/apt/lists/*
    ;;
*)
    echo "fill.sh: no verb $verb" >&2
    exit 2
    ;;
esac
