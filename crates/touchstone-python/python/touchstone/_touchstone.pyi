# The types of the extension module. Its docstrings are in the module.
from collections.abc import Sequence
from typing import Any, Literal, final, overload

from typing_extensions import Buffer

__all__ = [
    "Aead",
    "AeadStream",
    "Cipher",
    "CipherStream",
    "Hash",
    "KeyWrap",
    "Mac",
    "__version__",
    "argon2",
    "crypt_hash",
    "crypt_methods",
    "crypt_setting",
    "crypt_verify",
    "derive",
    "describe",
    "equal",
    "hash_many",
    "names",
    "pad",
    "scrypt",
    "unpad",
]

__version__: str

@final
class Cipher:
    def __new__(cls, name: str, key: Buffer, /, **parameters: int) -> Cipher: ...
    @property
    def name(self) -> str: ...
    @property
    def block_size(self) -> int: ...
    @property
    def piece_size(self) -> int: ...
    @overload
    def encrypt(self, nonce: Buffer | None, data: Buffer, *, into: None = None) -> bytes: ...
    @overload
    def encrypt(self, nonce: Buffer | None, data: Buffer, *, into: Buffer) -> int: ...
    @overload
    def decrypt(self, nonce: Buffer | None, data: Buffer, *, into: None = None) -> bytes: ...
    @overload
    def decrypt(self, nonce: Buffer | None, data: Buffer, *, into: Buffer) -> int: ...
    def encryptor(self, nonce: Buffer | None = None) -> CipherStream: ...
    def decryptor(self, nonce: Buffer | None = None) -> CipherStream: ...

@final
class CipherStream:
    @property
    def name(self) -> str: ...
    @overload
    def update(self, data: Buffer, *, into: None = None) -> bytes: ...
    @overload
    def update(self, data: Buffer, *, into: Buffer) -> int: ...
    def seek(self, byte: int) -> None: ...

@final
class Aead:
    def __new__(cls, name: str, key: Buffer, /, *, tag_size: int | None = None) -> Aead: ...
    @property
    def name(self) -> str: ...
    @property
    def tag_size(self) -> int: ...
    @property
    def tag_first(self) -> bool: ...
    @overload
    def encrypt(
        self,
        nonce: Buffer,
        data: Buffer,
        associated_data: Buffer | None = None,
        *,
        into: None = None,
    ) -> bytes: ...
    @overload
    def encrypt(
        self,
        nonce: Buffer,
        data: Buffer,
        associated_data: Buffer | None = None,
        *,
        into: Buffer,
    ) -> int: ...
    @overload
    def decrypt(
        self,
        nonce: Buffer,
        data: Buffer,
        associated_data: Buffer | None = None,
        *,
        into: None = None,
    ) -> bytes: ...
    @overload
    def decrypt(
        self,
        nonce: Buffer,
        data: Buffer,
        associated_data: Buffer | None = None,
        *,
        into: Buffer,
    ) -> int: ...
    def encryptor(
        self, nonce: Buffer, *, length: int = 0, associated_length: int = 0
    ) -> AeadStream: ...
    def decryptor(
        self, nonce: Buffer, *, length: int = 0, associated_length: int = 0
    ) -> AeadStream: ...

@final
class AeadStream:
    @property
    def name(self) -> str: ...
    def authenticate(self, associated_data: Buffer) -> None: ...
    @overload
    def update(self, data: Buffer, *, into: None = None) -> bytes: ...
    @overload
    def update(self, data: Buffer, *, into: Buffer) -> int: ...
    def finish(self) -> bytes: ...
    def verify(self, tag: Buffer) -> None: ...

@final
class Hash:
    def __new__(
        cls,
        name: str,
        data: Buffer | None = None,
        *,
        customization: Buffer | None = None,
        usedforsecurity: bool = True,
    ) -> Hash: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    @property
    def block_size(self) -> int: ...
    def update(self, data: Buffer) -> None: ...
    @overload
    def digest(self, length: int | None = None, *, into: None = None) -> bytes: ...
    @overload
    def digest(self, length: int | None = None, *, into: Buffer) -> int: ...
    def hexdigest(self, length: int | None = None) -> str: ...
    @overload
    def squeeze(self, length: int, *, into: None = None) -> bytes: ...
    @overload
    def squeeze(self, length: int, *, into: Buffer) -> int: ...
    def copy(self) -> Hash: ...
    def reset(self) -> None: ...

@final
class Mac:
    def __new__(
        cls,
        name: str,
        key: Buffer,
        data: Buffer | None = None,
        *,
        nonce: Buffer | None = None,
        tag_size: int | None = None,
    ) -> Mac: ...
    @property
    def name(self) -> str: ...
    @property
    def digest_size(self) -> int: ...
    def update(self, data: Buffer) -> None: ...
    def digest(self) -> bytes: ...
    def hexdigest(self) -> str: ...
    def verify(self, tag: Buffer) -> None: ...
    def reset(self, nonce: Buffer | None = None) -> None: ...

@final
class KeyWrap:
    def __new__(cls, name: str, key: Buffer, /) -> KeyWrap: ...
    @property
    def name(self) -> str: ...
    def wrap(self, secret: Buffer) -> bytes: ...
    def unwrap(self, wrapped: Buffer) -> bytes: ...

@overload
def argon2(
    variant: Literal["argon2d", "argon2i", "argon2id"],
    password: Buffer,
    *,
    salt: Buffer,
    passes: int,
    memory: int,
    lanes: int,
    length: int = 32,
    secret: Buffer | None = None,
    data: Buffer | None = None,
    into: None = None,
) -> bytes: ...
@overload
def argon2(
    variant: Literal["argon2d", "argon2i", "argon2id"],
    password: Buffer,
    *,
    salt: Buffer,
    passes: int,
    memory: int,
    lanes: int,
    length: int = 32,
    secret: Buffer | None = None,
    data: Buffer | None = None,
    into: Buffer,
) -> int: ...
@overload
def derive(
    name: str,
    secret: Buffer,
    *,
    length: int,
    salt: Buffer | None = None,
    info: Buffer | None = None,
    iterations: int = 0,
    into: None = None,
) -> bytes: ...
@overload
def derive(
    name: str,
    secret: Buffer,
    *,
    length: int,
    salt: Buffer | None = None,
    info: Buffer | None = None,
    iterations: int = 0,
    into: Buffer,
) -> int: ...
@overload
def scrypt(
    password: Buffer,
    *,
    salt: Buffer,
    n: int,
    r: int,
    p: int,
    length: int = 64,
    into: None = None,
) -> bytes: ...
@overload
def scrypt(
    password: Buffer,
    *,
    salt: Buffer,
    n: int,
    r: int,
    p: int,
    length: int = 64,
    into: Buffer,
) -> int: ...
def describe(name: str) -> dict[str, Any]: ...
def equal(a: Buffer, b: Buffer) -> bool: ...
def hash_many(name: str, messages: Sequence[Buffer]) -> list[bytes]: ...
def names(family: str | None = None) -> list[str]: ...
def pad(data: Buffer, block_size: int, padding: str = "pkcs7") -> bytes: ...
def unpad(data: Buffer, block_size: int, padding: str = "pkcs7") -> bytes: ...
def crypt_hash(phrase: Buffer, setting: Buffer) -> str: ...
def crypt_methods() -> list[tuple[str, str, bool]]: ...
def crypt_setting(prefix: str, cost: int) -> str: ...
def crypt_verify(phrase: Buffer, hash: Buffer) -> bool: ...
