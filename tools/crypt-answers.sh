#!/bin/sh
# Fetches another project's tests of crypt(3) and prints the path of the file with the
# answers. Nothing is kept in this repository. If the package cannot be fetched, it prints
# the reason and fails.
# usage: crypt-answers.sh libxcrypt|passlib FOLDER
set -eu
cd "$2"
fail() {
    echo "$*" >&2
    exit 1
}
case $1 in
libxcrypt)
    # This is Debian's package of the sources. The independent implementation ka-table-gen.py
    # made the file ka-table.inc in it.
    command -v apt-get >/dev/null || fail "no apt-get to fetch libxcrypt-source with"
    apt-get download libxcrypt-source >log 2>&1 || fail "libxcrypt-source: $(tail -n 1 log)"
    dpkg -x libxcrypt-source*.deb .
    table=$(find "$PWD" -name ka-table.inc | head -n 1)
    [ -n "$table" ] || fail "libxcrypt-source has no ka-table.inc"
    echo "$table"
    ;;
passlib)
    python=${PYTHON:-python3}
    "$python" -m pip --version >/dev/null 2>&1 || fail "no pip to fetch passlib with"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target site \
        passlib==1.7.4 >log 2>&1 || fail "passlib: $(tail -n 1 log)"
    PYTHONPATH=site "$python" -W ignore - >answers 2>log <<'PYTHON' || fail "passlib: $(tail -n 1 log)"
# Prints method, phrase in hexadecimal and hash, for every handler whose method crypt(3) has
# too.
import sys
from passlib.tests import test_handlers, test_handlers_bcrypt

NAMES = ["des_crypt", "bsdi_crypt", "bigcrypt", "md5_crypt", "sha1_crypt", "sha256_crypt",
         "sha512_crypt", "sun_md5_crypt", "bcrypt"]
seen = set()
for module in (test_handlers, test_handlers_bcrypt):
    for test in vars(module).values():
        handler = getattr(test, "handler", None)
        name = getattr(handler, "name", None)
        if name not in NAMES:
            continue
        for phrase, answer in getattr(test, "known_correct_hashes", []):
            # A phrase that comes with a user name or other context belongs to another
            # method.
            if isinstance(phrase, tuple):
                phrase = phrase[0]
            phrase = phrase.encode() if isinstance(phrase, str) else phrase
            answer = answer if isinstance(answer, str) else answer.decode()
            if (phrase, answer) not in seen:
                seen.add((phrase, answer))
                print(name, phrase.hex(), answer, sep="\t")
PYTHON
    echo "$PWD/answers"
    ;;
*) fail "usage: crypt-answers.sh libxcrypt|passlib FOLDER" ;;
esac
