"""Random inputs against hashlib, hmac, and PyPI's cryptography where it is installed."""

import hashlib
import hmac
import random
import unittest
import warnings

import touchstone
from common import skip

#: Names of hashlib and ours.
HASHES = {
    "md5": "md5",
    "sha1": "sha-1",
    "sha224": "sha-224",
    "sha256": "sha-256",
    "sha384": "sha-384",
    "sha512": "sha-512",
    "sha3_224": "sha3-224",
    "sha3_256": "sha3-256",
    "sha3_384": "sha3-384",
    "sha3_512": "sha3-512",
    "blake2b": "blake2b",
    "blake2s": "blake2s",
    "shake_128": "shake128",
    "shake_256": "shake256",
}

#: Lengths around the sizes of blocks, and around the length that releases the GIL.
LENGTHS = [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 135, 136, 137, 1000, 2047, 2048, 2049, 70_001]


class Peers(unittest.TestCase):
    def setUp(self) -> None:
        self.random = random.Random(18)

    def test_hashes(self) -> None:
        for theirs, ours in HASHES.items():
            with self.subTest(ours):
                for length in LENGTHS:
                    data = self.random.randbytes(length)
                    peer, own = hashlib.new(theirs, data), touchstone.hash(ours, data)
                    self.assertEqual(own.digest_size, peer.digest_size)
                    self.assertEqual(own.block_size, peer.block_size)
                    size = () if peer.digest_size else (77,)
                    self.assertEqual(own.digest(*size), peer.digest(*size))
                    self.assertEqual(own.hexdigest(*size), peer.hexdigest(*size))
                    own.update(b"more")
                    peer.update(b"more")
                    self.assertEqual(own.copy().digest(*size), peer.digest(*size))

    def test_macs(self) -> None:
        for theirs, ours in HASHES.items():
            if theirs.startswith("shake") or theirs.startswith("blake2"):
                continue
            for length in LENGTHS:
                key, data = self.random.randbytes(length % 200 + 1), self.random.randbytes(length)
                made = touchstone.mac(f"hmac-{ours}", key, data).digest()
                self.assertEqual(made, hmac.digest(key, data, theirs), ours)

    def test_derivations(self) -> None:
        for theirs, ours in (("sha1", "sha-1"), ("sha256", "sha-256"), ("sha512", "sha-512")):
            for length in (1, 20, 33, 200):
                password, salt = self.random.randbytes(9), self.random.randbytes(16)
                made = touchstone.derive(
                    f"pbkdf2-hmac-{ours}", password, salt=salt, iterations=29, length=length
                )
                self.assertEqual(made, hashlib.pbkdf2_hmac(theirs, password, salt, 29, length))
        salt = self.random.randbytes(16)
        self.assertEqual(
            touchstone.scrypt(b"password", salt=salt, n=64, r=3, p=2, length=50),
            hashlib.scrypt(b"password", salt=salt, n=64, r=3, p=2, dklen=50),
        )

    def test_aeads(self) -> None:
        try:
            from cryptography.exceptions import InvalidTag
            from cryptography.hazmat.primitives.ciphers import aead
        except ImportError:
            skip("cryptography is not installed")
        peers = [
            ("aes-128-gcm", aead.AESGCM, 16, 12),
            ("aes-256-gcm", aead.AESGCM, 32, 12),
            ("aes-128-ccm", aead.AESCCM, 16, 12),
            ("aes-256-ocb", aead.AESOCB3, 32, 12),
            ("aes-256-siv", aead.AESSIV, 64, 16),
            ("aes-256-gcm-siv", aead.AESGCMSIV, 32, 12),
            ("chacha20-poly1305", aead.ChaCha20Poly1305, 32, 12),
        ]
        for name, make, key_size, nonce_size in peers:
            with self.subTest(name):
                key = self.random.randbytes(key_size)
                try:
                    peer = make(key)
                except Exception as error:  # An OpenSSL that is older than the mode.
                    print(f"SKIPPED: cryptography has no {name}: {error}")
                    continue
                own = touchstone.aead(name, key)
                for length in LENGTHS:
                    if length == 0 and name.endswith("siv"):
                        continue
                    nonce, data = self.random.randbytes(nonce_size), self.random.randbytes(length)
                    aad = self.random.randbytes(length % 50)
                    if isinstance(peer, aead.AESSIV):
                        sealed = peer.encrypt(data, [aad, nonce])
                    else:
                        sealed = peer.encrypt(nonce, data, aad)
                    self.assertEqual(own.encrypt(nonce, data, aad), sealed, length)
                    self.assertEqual(own.decrypt(nonce, sealed, aad), data)
                    broken = bytes([sealed[0] ^ 1]) + sealed[1:]
                    self.assertRaises(touchstone.InvalidTag, own.decrypt, nonce, broken, aad)
        self.assertTrue(InvalidTag)

    def test_ciphers(self) -> None:
        try:
            from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        except ImportError:
            skip("cryptography is not installed")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peers = [
                ("aes-{}-cbc", algorithms.AES, (16, 24, 32), modes.CBC),
                ("aes-{}-ctr", algorithms.AES, (16, 24, 32), modes.CTR),
                ("camellia-{}-cbc", algorithms.Camellia, (16, 24, 32), modes.CBC),
                ("sm4-cbc", algorithms.SM4, (16,), modes.CBC),
            ]
        for pattern, make, sizes, mode in peers:
            for size in sizes:
                name = pattern.format(8 * size)
                key = self.random.randbytes(size)
                own = touchstone.cipher(name, key)
                for blocks in (0, 1, 2, 7, 127, 128, 4000):
                    iv, data = self.random.randbytes(16), self.random.randbytes(16 * blocks)
                    try:
                        peer = Cipher(make(key), mode(iv)).encryptor()
                    except Exception as error:
                        print(f"SKIPPED: cryptography has no {name}: {error}")
                        break
                    sealed = peer.update(data) + peer.finalize()
                    self.assertEqual(own.encrypt(iv, data), sealed, name)
                    self.assertEqual(own.decrypt(iv, sealed), data, name)

    def test_padding(self) -> None:
        for padding in ("pkcs7", "iso7816-4", "ansi-x9.23"):
            for block in (8, 16, 32, 64, 128):
                for length in range(2 * block + 1):
                    data = self.random.randbytes(length)
                    padded = touchstone.pad(data, block, padding)
                    self.assertEqual(len(padded), length // block * block + block)
                    self.assertEqual(touchstone.unpad(padded, block, padding), data)
        self.assertEqual(touchstone.pad(b"abc", 8), b"abc\5\5\5\5\5")
        self.assertEqual(touchstone.pad(b"abcdefgh", 8, "zero"), b"abcdefgh")
        self.assertRaises(touchstone.InvalidTag, touchstone.unpad, b"abcdefg\0", 8)
        self.assertRaises(touchstone.InvalidTag, touchstone.unpad, b"abc", 8)
        self.assertRaises(touchstone.ParameterError, touchstone.pad, b"abc", 7)
        self.assertRaises(touchstone.ParameterError, touchstone.pad, b"abc", 8, "pkcs8")


if __name__ == "__main__":
    unittest.main()
