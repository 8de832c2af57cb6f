#!/bin/sh
# Tests chpasswd, su and PAM with our libcrypt bound over the system's, on a copy of /etc.
# Runs as root in a mount namespace of its own.
# usage: login.sh OURS SYSTEM FOLDER
#
# FOLDER must be empty, and is empty again afterwards: the files in between lie in a file
# system that exists only in this namespace.
set -eu
ours=$1
system=$(readlink -f "$2")
work=$3
mount -t tmpfs none "$work" 2>/dev/null || exit 77
cp -a /etc "$work/etc"
cp "$ours" "$work/libcrypt"
chmod 755 "$work/libcrypt"
mount --bind "$work/etc" /etc
keep=$work/system
cp "$system" "$keep"

fail() {
    echo "$*" >&2
    exit 1
}
ours() { mount --bind "$work/libcrypt" "$system"; }
theirs() { umount "$system"; }
hash() { getent shadow freesec | cut -d: -f2; }
# su does not ask root for a password, so this runs as another user.
login() {
    echo "$1" | setpriv --reuid=65534 --regid=65534 --clear-groups su freesec -c 'echo in' 2>/dev/null
}

useradd --no-create-home --shell /bin/sh freesec
for method in YESCRYPT SHA512 SHA256 MD5 DES; do
    # The password is changed with one library and used with the other, in both
    # directions.
    for side in ours theirs; do
        [ "$side" = theirs ] || ours
        echo "freesec:a phrase" | chpasswd --crypt-method "$method"
        [ "$side" = theirs ] || theirs
        [ "$side" = ours ] || ours
        [ "$(login 'a phrase')" = in ] || fail "$method, changed with $side: no login"
        [ "$(login 'a phrasf')" != in ] || [ "$method" = DES ] || fail "$method: a wrong phrase"
        [ "$(login 'b phrase')" != in ] || fail "$method: a wrong phrase logs in"
        [ "$side" = ours ] || theirs
        echo "$method, changed with $side and used with the other: $(hash)"
    done
done
ours
# Changes the password by PAM, with the settings of /etc/pam.d.
echo "freesec:another phrase" | chpasswd
[ "$(login 'another phrase')" = in ] || fail "PAM: no login"
echo "by PAM: $(hash)"
