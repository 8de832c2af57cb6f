#!/bin/sh
# Functions over the packages that the adapters' manifests name; other scripts read
# this file with `.` from the top of the repository.
#
# A manifest names each package as Debian's control files do: alternatives apart by
# " | ", the one to prefer first. A `*` and a `[0-9]` stand for what they stand for in
# a shell, so that one line serves every version that a library's package carries in
# its name.

# Prints a line for each package that the manifests ask for.
# usage: needed apt|dnf packages|packages.build …
needed() {
    manager=$1
    shift
    for section in "$@"; do
        awk -v section="[$section]" -v manager="$manager" '
            /^\[/ { inside = $0 == section }
            inside && $1 == manager && $2 == "=" {
                n = split($0, part, "\"")
                for (i = 2; i <= n; i += 2) print part[i]
            }' lab/adapters/*/adapter.toml
    done | sort -u
}

# Prints, for each line of `needed` on stdin, the first alternative that the list of
# names in FILE has, in its highest version. A line of which the list has nothing goes
# to stderr after "no package: ".
# usage: choose FILE
choose() {
    while IFS= read -r need; do
        rest=$need
        found=
        while [ -n "$rest" ] && [ -z "$found" ]; do
            case $rest in
            *' | '*) one=${rest%%' | '*} rest=${rest#*' | '} ;;
            *) one=$rest rest= ;;
            esac
            pattern=$(printf '%s\n' "$one" | sed 's/[.+]/\\&/g; s/\*/.*/g')
            found=$(grep -E -x -e "$pattern" "$1" | sort -V | tail -n 1)
        done
        if [ -n "$found" ]; then
            printf '%s\n' "$found"
        else
            printf 'no package: %s\n' "$need" >&2
        fi
    done
}

# Prints the lines of `needed` on stdin of which FILE, the names of installed packages,
# has no alternative at all.
# usage: missing FILE
missing() {
    while IFS= read -r need; do
        printf '%s\n' "$need" | choose "$1" 2>/dev/null | grep -q . || printf '%s\n' "$need"
    done
}
