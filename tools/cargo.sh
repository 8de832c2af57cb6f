#!/bin/sh
# Functions around cargo; other scripts read this file with `.`. The paths of what was
# built come from cargo's own messages, so that they are right wherever a configured
# target folder, CARGO_TARGET_DIR or CARGO_BUILD_TARGET puts them.

# Runs cargo with its progress on a terminal and without elsewhere, and keeps its
# messages for `built`.
# usage: build MESSAGES SUBCOMMAND ARGUMENTS…
build() {
    messages=$1
    shift
    quiet=--quiet
    [ ! -t 2 ] || quiet=
    # One word or none.
    # shellcheck disable=SC2086
    "${CARGO:-cargo}" "$@" $quiet --message-format=json-render-diagnostics >"$messages"
}

# Prints the path of a file that was built; fails where there is none of that name.
# usage: built MESSAGES NAME
built() {
    # A string of JSON whose last component is the name, of the two fields that tell
    # what was built. cargo escapes nothing but quotes and backslashes in paths.
    path=$(grep -e '"reason":"compiler-artifact"' "$1" |
        grep -o -E -e '"(executable|filenames)":("([^"\\]|\\.)*"|\[[^]]*\])' |
        grep -o -e "\"\([^\"\\\\]\|\\\\.\)*/$2\"" | tail -n 1 |
        sed -e 's/^"//' -e 's/"$//' -e 's/\\\(.\)/\1/g')
    [ -n "$path" ] || {
        echo "cargo did not say where it built $2" >&2
        return 1
    }
    printf '%s\n' "$path"
}
