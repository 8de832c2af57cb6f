#!/bin/sh
# Did this commit slow an algorithm down? Measures two builds of a library in the same rounds of one
# run, which is its own control: what the machine does meanwhile affects both builds alike.
# usage: slower.sh BEFORE NOW ALGORITHM [COMMENT]
#   BEFORE, NOW  builds as `touchstone compare --library` takes them: openssl=OLD/libcrypto.so.3
#   ALGORITHM    a name or a regular expression: AES-256-GCM
#   COMMENT      a file for the Markdown text; stdout unless given
# Environment: TOUCHSTONE (the command), THRESHOLD (1%), PROFILE (contrib/slower.toml).
# Exit code: 0 not slower, 5 slower, others as of touchstone.
set -eu
if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo "usage: $0 BEFORE NOW ALGORITHM [COMMENT]" >&2
    exit 2
fi
here=$(cd -- "$(dirname -- "$0")" && pwd)
before=$1 now=$2 algorithm=$3 comment=${4:--}
threshold=${THRESHOLD:-1%}
text=$(mktemp)
trap 'rm -f "$text"' EXIT
code=0
"${TOUCHSTONE:-touchstone}" compare --library "$before" --library "$now" \
    --algorithm "$algorithm" --profile "${PROFILE:-$here/slower.toml}" \
    --threshold "$threshold" --all --format md >"$text" || code=$?
{
    case $code in
    0 | 5) echo "$algorithm: $(cat "$text")" ;;
    *)
        echo "**$algorithm was not compared**: touchstone ended with code $code."
        echo
        cat "$text"
        ;;
    esac
} | if [ "$comment" = - ]; then cat; else cat >"$comment"; fi
exit "$code"
