#!/bin/sh
# Builds an OCI image with the lab, its workers, the libraries of this Debian, and trees of other
# releases, without Docker and without a registry: the base comes from Debian's archive, and the
# lab from a distribution that `make dist` has filled. Needs buildah or podman, and mmdebstrap;
# as a normal user also uidmap and the user's lines in /etc/subuid and /etc/subgid.
# usage: container.sh DIST
# Environment: SUITES (the trees; none unless set), TAG (touchstone), BASE (an image to start
# from), OUT (a file, to which the image is written as an OCI archive).
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
fail() {
    echo "container: $1" >&2
    exit 1
}
dist=${1:-}
[ -x "$dist/bin/touchstone" ] || fail "no $dist/bin/touchstone: make dist builds it"
tag=${TAG:-touchstone}
builder=
for command in buildah podman; do
    ! command -v "$command" >/dev/null || { builder=$command && break; }
done
[ -n "$builder" ] || fail "neither buildah nor podman is here: apt-get install buildah"

# The programs of the distribution need the C library with which they were linked, or a newer one.
release=$(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}") || release=
if [ -z "${BASE:-}" ]; then
    [ -n "$release" ] || fail "this is no release of Debian: name an image with its C library as \
BASE, or build all in the container: contrib/container/Containerfile says how"
    command -v mmdebstrap >/dev/null || fail "no mmdebstrap here: apt-get install mmdebstrap"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# usage: build TAG FOLDER ARGUMENT…
build() {
    name=$1 folder=$2
    shift 2
    "$builder" build --quiet --layers --tag "$name" "$@" "$folder" >"$work/log" 2>&1 || {
        tail -n 20 "$work/log" >&2
        fail "$builder did not build $name; in a container, BUILDAH_ISOLATION=chroot and \
STORAGE_DRIVER=vfs can help"
    }
}
if [ -z "${BASE:-}" ]; then
    BASE=localhost/touchstone-base:$release
    if ! "$builder" inspect --type image "$BASE" >/dev/null 2>&1; then
        echo "container: fetching Debian $release" >&2
        mkdir "$work/base"
        mmdebstrap --quiet --variant=minbase --include=ca-certificates "$release" \
            "$work/base/base.tar" || fail "mmdebstrap made no base of $release"
        printf 'FROM scratch\nADD base.tar /\n' >"$work/base/Containerfile"
        build "$BASE" "$work/base"
        rm -r "$work/base"
    fi
fi

# What the recipe reads, and nothing else: the tree may have gigabytes of built files.
echo "container: building $tag" >&2
context=$work/context
mkdir -p "$context/lab" "$context/contrib"
cp -R tools "$context/tools"
cp -R lab/adapters "$context/lab/adapters"
cp -R contrib/container "$context/contrib/container"
cp -R "$dist" "$context/dist"
build "$tag" "$context" --file "$context/contrib/container/Containerfile" --build-arg "BASE=$BASE" \
    --build-arg "BUILD=$BASE" --build-arg "SUITES=${SUITES:-}" --build-arg DIST=dist
if [ -n "${OUT:-}" ]; then
    rm -f "$OUT"
    "$builder" push --quiet "$tag" "oci-archive:$OUT:$tag"
    echo "$(wc -c <"$OUT") bytes: $OUT"
fi
"$builder" images --format '{{.Name}}:{{.Tag}}: {{.Size}}' --filter "reference=$tag" | head -n 1
