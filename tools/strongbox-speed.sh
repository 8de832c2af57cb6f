#!/bin/sh
# Compares how fast strongbox, age, rage, gpg, openssl enc and cp process a file, on the file system
# of a folder. The programs take turns, so that a change of the machine's speed touches all of them.
# Programs that are not installed are skipped; RAGE and RAGE_KEYGEN name rage's programs.
# usage: strongbox-speed.sh [MIB] [ROUNDS] [FOLDER]
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
mib=${1:-1024} rounds=${2:-5} folder=${3:-${TMPDIR:-/tmp}}
. tools/cargo.sh
work=$(mktemp -d "$folder/strongbox-speed.XXXXXX")
trap 'rm -rf "$work"' EXIT
build "$work/messages" build --release --package touchstone-strongbox
strongbox=$(built "$work/messages" strongbox)
rage=${RAGE:-rage}
cd "$work"
head -c "${mib}M" /dev/urandom >content
"$strongbox" keygen --quiet --output key
"$strongbox" keygen --quiet --x25519 --output agekey
key=$("$strongbox" keygen --public key)
agekey=$("$strongbox" keygen --public agekey)
echo phrase >phrase
mkdir -m 700 home
gpg="gpg --homedir home --batch --quiet --pinentry-mode loopback --passphrase-file phrase"

# Writes to `out` from `content`, or from `sealed-NAME` when opening.
# usage: run NAME seal|open
run() {
    case $1-$2 in
    strongbox-seal) "$strongbox" seal content --quiet -r "$key" -o out ;;
    strongbox-open) "$strongbox" open sealed-strongbox --quiet -i key -o out ;;
    xchacha-seal) "$strongbox" seal content --quiet --suite xchacha20-poly1305 -r "$key" -o out ;;
    xchacha-open) "$strongbox" open sealed-xchacha --quiet -i key -o out ;;
    age-seal) age -r "$agekey" -o out content ;;
    age-open) age -d -i agekey -o out sealed-age ;;
    rage-seal) "$rage" -r "$agekey" -o out content ;;
    rage-open) "$rage" -d -i agekey -o out sealed-rage ;;
    gpg-seal) $gpg --output out -z 0 --symmetric content ;;
    gpg-open) $gpg --output out --decrypt sealed-gpg ;;
    openssl-seal) openssl enc -aes-256-ctr -pbkdf2 -pass file:phrase -in content -out out ;;
    openssl-open) openssl enc -d -aes-256-ctr -pbkdf2 -pass file:phrase -in sealed-openssl -out out ;;
    cp-*) cp content out ;;
    esac
}

names=
for name in strongbox xchacha age rage gpg openssl cp; do
    case $name in
    strongbox | xchacha) program=$strongbox ;;
    rage) program=$rage ;;
    *) program=$name ;;
    esac
    if ! command -v "$program" >/dev/null; then
        echo "SKIPPED: $name is not installed" >&2
        continue
    fi
    run "$name" seal
    mv out "sealed-$name"
    run "$name" open
    cmp out content
    rm out
    names="$names $name"
done
echo "load before: $(cut -d ' ' -f 1-3 /proc/loadavg); $(nproc) processors" >&2
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    for name in $names; do
        for way in seal open; do
            start=$(date +%s%N)
            run "$name" "$way"
            end=$(date +%s%N)
            rm out
            echo "$name $way $((end - start))"
        done
    done
done >"$work/times"
echo "load after: $(cut -d ' ' -f 1-3 /proc/loadavg)" >&2
printf '%-10s %22s %22s\n' '' 'seal MiB/s (least-most)' 'open MiB/s (least-most)'
for name in $names; do
    printf '%-10s' "$name"
    for way in seal open; do
        grep "^$name $way " "$work/times" | sort -k 3 -n | awk -v mib="$mib" '
            { speed[NR] = mib / ($3 / 1e9) }
            END { printf " %8.0f (%5.0f-%5.0f)", speed[int((NR + 1) / 2)], speed[NR], speed[1] }'
    done
    echo
done
