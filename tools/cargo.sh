#!/bin/sh
# Functions around cargo; other scripts read this file with `.`. The paths of built files
# come from cargo's own messages, so they are right with a configured target folder,
# CARGO_TARGET_DIR or CARGO_BUILD_TARGET.

# Runs cargo, which shows progress only on a terminal, and writes its messages to a file
# for `built`.
# usage: build MESSAGES SUBCOMMAND ARGUMENTS…
build() {
    messages=$1
    shift
    quiet=--quiet
    [ ! -t 2 ] || quiet=
    # $quiet is one word or empty, so it must stay without quotes.
    # shellcheck disable=SC2086
    "${CARGO:-cargo}" "$@" $quiet --message-format=json-render-diagnostics >"$messages"
}

# Prints the path of a file that cargo built; fails if cargo built no file of that name.
# usage: built MESSAGES NAME
built() {
    # Looks for a JSON string whose last path component is the name, in the two fields
    # that list built files. In paths cargo escapes only quotes and backslashes.
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
