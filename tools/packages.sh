#!/bin/sh
# Functions that choose among the packages that the adapters' manifests name. Other
# scripts read this file with `.` from the top of the repository.
#
# A manifest writes alternatives as Debian's control files do: separated by " | ", the
# preferred one first. `*` and `[0-9]` have the same meaning as in a shell, so that one
# line matches every version that the name of a library's package may contain.

# Prints one line for each package that the manifests ask for.
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

# Reads lines from `needed` on stdin. For each line it prints the first alternative that
# is in FILE, a list of names, in the highest version. If no alternative is there, it
# writes the line to stderr after "no package: ".
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

# Reads lines from `needed` on stdin and prints those without any alternative in FILE, a
# list of the names of installed packages.
# usage: missing FILE
missing() {
    while IFS= read -r need; do
        printf '%s\n' "$need" | choose "$1" 2>/dev/null | grep -q . || printf '%s\n' "$need"
    done
}
