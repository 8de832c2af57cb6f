"""Ciphers, hashes, MACs, key derivation and authenticated encryption by name.

>>> import touchstone
>>> touchstone.hash("sha3-256", b"abc").hexdigest()
'3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532'

Every function with data takes any object with a contiguous buffer: bytes, bytearray, memoryview,
an array. All sizes are in bytes. Names are taken in any spelling: SHA3_256 is sha3-256. Calls with
2048 bytes or more, and all key derivations, release the GIL; no thread may change a buffer that a
running call reads or writes.

touchstone.crypt replaces the module crypt, which Python 3.13 removed. touchstone.lab reads the
results of the command touchstone and starts measurements.
"""

from typing import NamedTuple

from . import _touchstone
from ._errors import (
    Error,
    InvalidTag,
    LengthError,
    ParameterError,
    StateError,
    UnknownAlgorithm,
)
from ._touchstone import (
    Aead,
    AeadStream,
    Cipher,
    CipherStream,
    Hash,
    KeyWrap,
    Mac,
    __version__,
    argon2,
    derive,
    hash_many,
    names,
    pad,
    scrypt,
    unpad,
)

__all__ = [
    "Aead",
    "AeadStream",
    "Algorithm",
    "Cipher",
    "CipherStream",
    "Error",
    "Hash",
    "InvalidTag",
    "KeyWrap",
    "LengthError",
    "Mac",
    "ParameterError",
    "StateError",
    "UnknownAlgorithm",
    "__version__",
    "aead",
    "argon2",
    "cipher",
    "compare_digest",
    "derive",
    "describe",
    "hash",
    "hash_many",
    "key_wrap",
    "mac",
    "names",
    "new",
    "pad",
    "scrypt",
    "unpad",
]

#: The constructors as functions, in the habit of hashlib and hmac.
aead = Aead
cipher = Cipher
hash = Hash
key_wrap = KeyWrap
mac = Mac


class Algorithm(NamedTuple):
    """What describe() knows of an algorithm. All sizes are in bytes; None stands for a size that
    the family of the algorithm does not have."""

    #: The name in the spelling of names().
    name: str
    #: cipher, aead, hash, mac, wrap or kdf.
    family: str
    #: The implementation in use on this machine, such as portable, avx2 or sha-ni.
    kernel: str
    #: The key sizes.
    key_sizes: range | None = None
    #: The sizes of nonces or initialization vectors. range(0, 1) stands for no nonce.
    nonce_sizes: range | None = None
    #: The size of a full tag.
    tag_size: int | None = None
    #: The size of a digest; 0 if the caller chooses it.
    digest_size: int | None = None
    #: The size of a block; 1 for a stream cipher.
    block_size: int | None = None
    #: update() takes multiples of this size; 0 stands for the whole message in one call.
    piece_size: int | None = None


def describe(name: str) -> Algorithm:
    """Returns the family, sizes and kernel of an algorithm of any family.

    Raises UnknownAlgorithm.
    """
    facts = _touchstone.describe(name)
    for sizes in ("key_sizes", "nonce_sizes"):
        if sizes in facts:
            least, most, step = facts[sizes]
            facts[sizes] = range(least, most + 1, step)
    return Algorithm(**facts)


def new(name: str, /, *args: object, **options: object) -> Aead | Cipher | Hash | KeyWrap | Mac:
    """Makes an object for an algorithm of any family; the further arguments are those of hash(),
    mac(), cipher(), aead() or key_wrap().

    Raises UnknownAlgorithm, and the exceptions of the family's function. A key derivation has no
    object: call derive().
    """
    family = describe(name).family
    if family == "kdf":
        raise UnknownAlgorithm(f"{name!r} is a key derivation: call touchstone.derive()")
    make = {"aead": Aead, "cipher": Cipher, "hash": Hash, "mac": Mac, "wrap": KeyWrap}[family]
    return make(name, *args, **options)  # type: ignore[no-any-return]


def compare_digest(a: object, b: object, /) -> bool:
    """Returns whether two strings or two buffers are equal, in a time that depends only on the
    lengths, as hmac.compare_digest() does. Strings must be ASCII.

    Raises TypeError for a string beside a buffer, and for a string outside of ASCII.
    """
    if isinstance(a, str) and isinstance(b, str):
        if not (a.isascii() and b.isascii()):
            raise TypeError("strings must be ASCII; encode them to bytes first")
        a, b = a.encode("ascii"), b.encode("ascii")
    return _touchstone.equal(a, b)  # type: ignore[arg-type]
