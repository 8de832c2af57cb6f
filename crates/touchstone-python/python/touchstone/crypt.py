"""Password hashes of crypt(3): a replacement of the module crypt, which Python 3.13 removed.

>>> from touchstone import crypt
>>> stored = crypt.crypt("correct horse")
>>> crypt.crypt("correct horse", stored) == stored
True

The functions, constants and exceptions are those of Python 3.12. The hashes are computed by
Touchstone's own crypt(3), so they do not depend on the system's libcrypt, and the module also works
where the system has none.

Beyond Python's module: crypt() verifies the hashes of all methods that libxcrypt 4.4 knows; mksalt()
also makes salts for extra_methods, of which METHOD_YESCRYPT is today's usual choice; and verify()
compares in constant time.
"""

import errno as _errno
import secrets as _secrets
from typing import NamedTuple as _NamedTuple

from . import _touchstone
from ._errors import ParameterError as _ParameterError

__all__ = ["crypt", "extra_methods", "methods", "mksalt", "verify"]

#: The alphabet of salts.
_ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class _Fields(_NamedTuple):
    name: str
    ident: str | None
    salt_chars: int
    total_size: int


class _Method(_Fields):
    """A password hashing method: its name, the text between the first two dollar signs of its
    hashes, the characters of a salt, and the characters of a hash."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<crypt.METHOD_{self.name}>"


METHOD_SHA512 = _Method("SHA512", "6", 16, 106)
METHOD_SHA256 = _Method("SHA256", "5", 16, 63)
METHOD_BLOWFISH = _Method("BLOWFISH", "2b", 22, 60)
METHOD_MD5 = _Method("MD5", "1", 8, 34)
METHOD_CRYPT = _Method("CRYPT", None, 2, 13)

#: The methods of Python's module, the strongest first. crypt() and mksalt() take the first one
#: unless told otherwise.
methods = [METHOD_SHA512, METHOD_SHA256, METHOD_BLOWFISH, METHOD_MD5, METHOD_CRYPT]

METHOD_YESCRYPT = _Method("YESCRYPT", "y", 22, 73)
METHOD_GOST_YESCRYPT = _Method("GOST_YESCRYPT", "gy", 22, 74)
METHOD_SCRYPT = _Method("SCRYPT", "7", 22, 80)
METHOD_SHA1 = _Method("SHA1", "sha1", 27, 69)
METHOD_SUNMD5 = _Method("SUNMD5", "md5", 8, 54)
METHOD_NT = _Method("NT", "3", 0, 36)
METHOD_BSDI = _Method("BSDI", "_", 4, 20)

#: Methods that Python's module does not have. The first three need much memory by design, and are
#: fit for new hashes. The others are for old ones.
extra_methods = [
    METHOD_YESCRYPT,
    METHOD_GOST_YESCRYPT,
    METHOD_SCRYPT,
    METHOD_SHA1,
    METHOD_SUNMD5,
    METHOD_NT,
    METHOD_BSDI,
]

#: The prefixes of salts that the library makes.
_PREFIX = {
    "YESCRYPT": "$y$",
    "GOST_YESCRYPT": "$gy$",
    "SCRYPT": "$7$",
    "SHA1": "$sha1",
    "SUNMD5": "$md5",
    "NT": "$3$",
    "BSDI": "_",
}


def _integer(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{type(value).__name__} object cannot be interpreted as an integer")
    return value


def mksalt(method: _Method | None = None, *, rounds: int | None = None) -> str:
    """Returns a random salt for a method; without a method, for the strongest of methods.

    rounds is 1,000 to 999,999,999 for METHOD_SHA256 and METHOD_SHA512 (without it, 5,000 by the
    rule of these methods), and a power of two from 16 to 2,147,483,648 for METHOD_BLOWFISH (without
    it, 4,096). For methods of extra_methods, rounds is the cost of crypt_gensalt(3): 1 to 11 for
    METHOD_YESCRYPT, for example.

    Raises ValueError for rounds that the method does not take, and TypeError for rounds that are
    no integer.
    """
    if method is None:
        method = methods[0]
    if rounds is not None:
        rounds = _integer(rounds)
    if method.name in _PREFIX:
        if rounds is not None and rounds <= 0:
            raise ValueError(f"{method!r} takes rounds of 1 or more, not {rounds}")
        return _touchstone.crypt_setting(_PREFIX[method.name], rounds or 0)
    salt = f"${method.ident}$" if method.ident else ""
    if method.ident is not None and method.ident.startswith("2"):
        rounds = 4096 if rounds is None else rounds
        log = (rounds - 1).bit_length()
        if rounds != 1 << log:
            raise ValueError(f"rounds must be a power of 2, and {rounds} is none")
        if not 4 <= log <= 31:
            raise ValueError(f"rounds must be in the range 2**4 to 2**31, and {rounds} is not")
        salt += f"{log:02d}$"
    elif method.ident in ("5", "6"):
        if rounds is not None:
            if not 1000 <= rounds <= 999_999_999:
                raise ValueError(
                    f"rounds must be in the range 1000 to 999_999_999, and {rounds} is not"
                )
            salt += f"rounds={rounds}$"
    elif rounds is not None:
        raise ValueError(f"{method!r} takes no rounds; leave the argument out")
    return salt + "".join(_secrets.choice(_ALPHABET) for _ in range(method.salt_chars))


def _text(value: object, position: int) -> bytes:
    """The bytes of an argument, as Python's module takes it."""
    if not isinstance(value, str):
        raise TypeError(f"crypt() argument {position} must be str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"embedded null character in argument {position} of crypt()")
    return value.encode()


def crypt(word: str, salt: str | _Method | None = None) -> str:
    """Returns the hash of a word. salt is a text of mksalt(), a hash that the word is compared
    with, a method, or None for a new salt of the strongest of methods.

    For a salt that belongs to no method, and for a word of 512 bytes or more, the result is "*0" or
    "*1", never the salt itself: libxcrypt and Python's module over libxcrypt return the same. These
    texts are the hash of no word.

    Raises TypeError for anything but text, ValueError for text with a null character, and OSError
    (ENOMEM) if the memory for the method cannot be allocated.
    """
    if salt is None or isinstance(salt, _Method):
        salt = mksalt(salt)
    phrase, setting = _text(word, 1), _text(salt, 2)
    try:
        return _touchstone.crypt_hash(phrase, setting)
    except _ParameterError:
        return "*1" if salt.startswith("*0") else "*0"
    except MemoryError as error:
        raise OSError(_errno.ENOMEM, str(error)) from None


def verify(word: str, stored: str) -> bool:
    """Returns whether a stored hash was made from a word. The comparison takes the same time
    wherever the first difference is. False for a text that is no hash.

    Raises TypeError, ValueError and OSError as crypt() does.
    """
    phrase, stored_hash = _text(word, 1), _text(stored, 2)
    try:
        return _touchstone.crypt_verify(phrase, stored_hash)
    except _ParameterError:
        return False
    except MemoryError as error:
        raise OSError(_errno.ENOMEM, str(error)) from None
