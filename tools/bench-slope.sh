#!/bin/sh
# Builds libgcrypt's own benchmark program from Debian's source of the library, in a
# folder outside the repository, and prints the program's path. If that is not possible,
# it prints the reason on stderr and nothing on stdout.
# usage: bench-slope.sh FOLDER
set -u
folder=$1
give_up() {
    echo "bench-slope: $1" >&2
    exit 0
}
for tool in apt-get dpkg-source cc; do
    command -v "$tool" >/dev/null 2>&1 || give_up "no $tool (dpkg-dev and a C compiler bring them)"
done
echo '#include <gcrypt.h>' | cc -E - >/dev/null 2>&1 || give_up "no gcrypt.h: apt-get install libgcrypt20-dev"
mkdir -p "$folder/lists/partial" "$folder/build/src" "$folder/build/tests" || give_up "no folder $folder"
# The script has its own list of package sources, because the system's list may lack source
# packages.
sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
    2>/dev/null >"$folder/apt.sources"
grep -s '^deb ' /etc/apt/sources.list | sed 's/^deb /deb-src /' >"$folder/apt.list"
list=$folder/apt.sources
[ -s "$list" ] || list=$folder/apt.list
[ -s "$list" ] || give_up "no Debian sources are configured"
cd "$folder" || give_up "no folder $folder"
{
    apt-get -q -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$folder/lists" update &&
        apt-get -q -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=/dev/null \
            -o Dir::State::lists="$folder/lists" source libgcrypt20
} >"$folder/log" 2>&1 || give_up "apt-get source libgcrypt20 failed: see $folder/log"
cp libgcrypt20-*/tests/bench-slope.c libgcrypt20-*/tests/t-common.h build/tests/ ||
    give_up "Debian's source has no tests/bench-slope.c"
# These two files replace the files that configure would make. The program needs nothing else
# from configure. It is linked with the library that the lab measures.
echo '#include <gcrypt.h>' >build/src/gcrypt.h
cat >build/tests/config.h <<'CONFIG'
#include <stdint.h>
#define _GCRYPT_CONFIG_H_INCLUDED 1
#define HAVE_CLOCK_GETTIME 1
typedef uint64_t u64;
CONFIG
cc -O2 -DHAVE_CONFIG_H -Ibuild/tests -o bench-slope build/tests/bench-slope.c \
    -lgcrypt -lgpg-error >>"$folder/log" 2>&1 || give_up "it does not compile: see $folder/log"
echo "$folder/bench-slope"
