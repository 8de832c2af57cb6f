#!/bin/sh
# Makes the table of docs/performance.md from the cells of a run:
#
#   dist/bin/touchstone run
#   dist/bin/touchstone export -o cells.csv
#   tools/performance.sh cells.csv
#
# usage: performance.sh CELLS.csv
#
# A ratio is the best peer's time divided by Touchstone's time. It is computed from the
# lab's ratios to the best library of all, because those compare times of the same rounds,
# and a quotient of two medians would not. Left out are cells that the lab flags, because
# the lab does not rank them; libcrypt.so.1, because it is a part of Touchstone; and
# variants in which CPU features are hidden.
set -eu
[ $# -eq 1 ] || {
    echo "usage: performance.sh CELLS.csv" >&2
    exit 2
}
awk -F, '
{
    sub(/\r$/, "")
    # A field in quotes may hold commas; no field that is used here does.
    while (match($0, /"[^"]*"/)) {
        quoted = substr($0, RSTART + 1, RLENGTH - 2)
        gsub(/,/, ";", quoted)
        $0 = substr($0, 1, RSTART - 1) quoted substr($0, RSTART + RLENGTH)
    }
}
NR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    if (!("library" in column && "flags" in column)) {
        print "performance.sh: not the cells of touchstone export -o cells.csv" >"/dev/stderr"
        failed = 1
        exit 1
    }
    next
}
{
    library = $column["library"]
    contract = $column["contract"]
    ns = $column["ns"] + 0
    to_best = $column["ratio"] + 0
    algorithm = $column["primitive"] " " $column["operation"]
}
$column["threads"] != 1 || $column["flags"] != "" || ns <= 0 || to_best <= 0 { next }
library ~ /~/ || library == "libcrypt-touchstone" || library == "touchstone-c" { next }
contract == "setup" { at = algorithm SUBSEP "setup" }
contract == "hot" { at = algorithm SUBSEP $column["bytes"] }
contract != "setup" && contract != "hot" { next }
library == "touchstone" {
    ours[at] = ns
    our_ratio[at] = to_best
    if (!(algorithm in seen)) {
        seen[algorithm] = 1
        order[++n] = algorithm
    }
    next
}
!(at in best) || to_best < their_ratio[at] {
    best[at] = ns
    their_ratio[at] = to_best
    who[at] = $column["name"]
}
function ratio(algorithm, what, at) {
    at = algorithm SUBSEP what
    return (at in ours) && (at in best) ? sprintf("%.2f", their_ratio[at] / our_ratio[at]) : "–"
}
function speed(times, at, bytes) {
    return at in times ? sprintf("%.2f", bytes / times[at]) : "–"
}
END {
    if (failed) exit 1
    print "| algorithm | 16 KiB, GB/s | best peer, GB/s | × at 16 B | × at 256 B | × at 16 KiB | × key set-up |"
    print "|---|---:|---:|---:|---:|---:|---:|"
    fflush()
    for (i = 1; i <= n; i++) {
        a = order[i]
        long = a SUBSEP 16384
        setup = a SUBSEP "setup"
        if (!(long in ours)) continue
        printf "| %s | %s | %s %s | %s | %s | %s | %s %s |\n", a, \
            speed(ours, long, 16384), speed(best, long, 16384), who[long], \
            ratio(a, 16), ratio(a, 256), ratio(a, 16384), ratio(a, "setup"), who[setup] | "sort"
    }
}' "$1"
