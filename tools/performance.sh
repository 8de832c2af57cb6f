#!/bin/sh
# The table of docs/performance.md, from the cells that `touchstone measure` prints:
#
#   dist/bin/touchstone measure --sizes 16,256,16k --format csv >cells.csv
#   tools/performance.sh cells.csv
#
# usage: performance.sh CELLS.csv
#
# A ratio is the best peer's time over Touchstone's. Cells with remarks, which the
# lab does not rank, are left out.
set -eu
[ $# -eq 1 ] || {
    echo "usage: performance.sh CELLS.csv" >&2
    exit 2
}
awk -F, '
{ sub(/\r$/, "") }
NR == 1 {
    if ($0 !~ /^algorithm,contract,bytes,threads,library,ns,/) {
        print "performance.sh: not the cells of touchstone measure --format csv" >"/dev/stderr"
        failed = 1
        exit 1
    }
    next
}
$4 != 1 || $10 != "" || $6 + 0 <= 0 { next }
$2 == "setup" { at = $1 SUBSEP "setup" }
$2 == "hot" { at = $1 SUBSEP $3 }
$2 != "setup" && $2 != "hot" { next }
$5 == "Touchstone" {
    ours[at] = $6
    if (!($1 in seen)) {
        seen[$1] = 1
        order[++n] = $1
    }
    next
}
!(at in best) || $6 < best[at] {
    best[at] = $6
    who[at] = $5
}
function ratio(algorithm, what, at) {
    at = algorithm SUBSEP what
    return (at in ours) && (at in best) ? sprintf("%.2f", best[at] / ours[at]) : "–"
}
function speed(times, at, bytes) {
    return at in times ? sprintf("%.2f", bytes / times[at]) : "–"
}
END {
    if (failed) exit 1
    print "| algorithm | 16 KiB, GB/s | best peer, GB/s | × at 16 B | × at 256 B | × at 16 KiB | × key set-up |"
    print "|---|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        a = order[i]
        long = a SUBSEP 16384
        setup = a SUBSEP "setup"
        printf "| %s | %s | %s %s | %s | %s | %s | %s %s |\n", a, \
            speed(ours, long, 16384), speed(best, long, 16384), who[long], \
            ratio(a, 16), ratio(a, 256), ratio(a, 16384), ratio(a, "setup"), who[setup]
    }
}' "$1"
