"""The names of algorithms, and what wrong calls tell."""

import re
import unittest

import touchstone
from common import REPOSITORY

KEY = bytes(range(32))


class Names(unittest.TestCase):
    def test_every_name_is_described(self) -> None:
        names = touchstone.names()
        self.assertEqual(len(names), len(set(names)))
        families = ["cipher", "aead", "hash", "mac", "wrap", "kdf"]
        self.assertEqual(names, [name for family in families for name in touchstone.names(family)])
        for family in families:
            for name in touchstone.names(family):
                algorithm = touchstone.describe(name)
                self.assertEqual((algorithm.name, algorithm.family), (name, family))
                if algorithm.key_sizes is not None:
                    self.assertGreater(len(range(algorithm.key_sizes.start, 2000)), 0)
        with self.assertRaisesRegex(touchstone.UnknownAlgorithm, "cipher, aead, hash"):
            touchstone.names("hashes")

    def test_every_spelling_is_one_name(self) -> None:
        for family in ("cipher", "aead", "hash", "mac", "wrap", "kdf"):
            names = touchstone.names(family)
            plain = {re.sub("[^a-z0-9]", "", name) for name in names}
            self.assertEqual(len(plain), len(names), family)

    def test_spellings(self) -> None:
        for spelling in ("sha256", "SHA-256", "SHA_256", "Sha 256"):
            self.assertEqual(touchstone.hash(spelling).name, "sha-256")
        self.assertEqual(touchstone.hash("sha3_256").name, "sha3-256")
        self.assertEqual(touchstone.aead("AES-256-GCM", KEY).name, "aes-256-gcm")
        self.assertEqual(touchstone.describe("AES256GCM").name, "aes-256-gcm")

    def test_wrong_names_tell_what_to_do(self) -> None:
        for call, text in (
            (lambda: touchstone.hash("sha257"), 'similar names are .*"sha-256"'),
            (lambda: touchstone.hash("aes-256-gcm"), r"touchstone\.aead\(\)"),
            (lambda: touchstone.cipher("aes-256-gcm", KEY), r"touchstone\.aead\(\)"),
            (lambda: touchstone.hash("%%"), r'touchstone\.names\("hash"\)'),
            (lambda: touchstone.describe("nothing"), r"touchstone\.names\(\)"),
            (lambda: touchstone.new("hkdf-sha-256"), r"touchstone\.derive\(\)"),
        ):
            with self.assertRaisesRegex(touchstone.UnknownAlgorithm, text):
                call()
        self.assertRaises(ValueError, touchstone.hash, "sha257")

    def test_wrong_lengths_tell_what_to_do(self) -> None:
        aead = touchstone.aead("aes-256-gcm", KEY)
        for call, text in (
            (lambda: touchstone.aead("aes-256-gcm", b"short"), "keys of 32 bytes; this key has 5"),
            (lambda: touchstone.aead("aes-256-gcm", KEY, tag_size=3), "no tags of 3 bytes"),
            (lambda: touchstone.cipher("aes-256-cbc", KEY).encrypt(b"", b""), "nonces of 16 bytes"),
            (
                lambda: touchstone.cipher("aes-256-cbc", KEY).encrypt(bytes(16), b"abc"),
                r"whole blocks of 16 bytes.*touchstone\.pad\(message, 16\)",
            ),
            (lambda: touchstone.cipher("aes-256-ecb", KEY).encrypt(bytes(16), bytes(16)), "0 bytes"),
            (lambda: aead.encrypt(b"", b""), "nonces of"),
        ):
            with self.assertRaisesRegex(touchstone.LengthError, text):
                call()

    def test_costs(self) -> None:
        with self.assertRaises(touchstone.ParameterError):
            touchstone.scrypt(b"x", salt=b"y", n=3, r=1, p=1)
        with self.assertRaises(MemoryError):
            touchstone.scrypt(b"x", salt=b"y", n=2**31, r=512, p=1)
        with self.assertRaises(touchstone.ParameterError):
            touchstone.derive("hkdf-sha-256", b"x", length=9, iterations=5)
        with self.assertRaises(touchstone.ParameterError):
            touchstone.argon2("argon2x", b"x", salt=bytes(8), passes=1, memory=8, lanes=1)  # type: ignore[call-overload]
        with self.assertRaises(touchstone.LengthError):
            touchstone.derive("hkdf-sha-256", b"x", length=10_000)
        self.assertRaises(OverflowError, touchstone.derive, "mgf1-sha-1", b"x", length=-1)

    def test_new(self) -> None:
        self.assertIsInstance(touchstone.new("sha-256", b"data"), touchstone.Hash)
        self.assertIsInstance(touchstone.new("aes-256-gcm", KEY, tag_size=12), touchstone.Aead)
        self.assertIsInstance(touchstone.new("aes-256-ctr", KEY), touchstone.Cipher)
        self.assertIsInstance(touchstone.new("hmac-sha-256", KEY), touchstone.Mac)
        self.assertIsInstance(touchstone.new("aes-256-kw", KEY), touchstone.KeyWrap)

    def test_everything_is_documented(self) -> None:
        for name in touchstone.__all__:
            item = getattr(touchstone, name)
            if name.startswith("__"):
                continue
            self.assertTrue(item.__doc__, name)
            for member, value in vars(item).items() if isinstance(item, type) else ():
                if not member.startswith("_") and callable(value):
                    self.assertTrue(value.__doc__, f"{name}.{member}")

    def test_the_version_is_the_repository_s(self) -> None:
        manifest = (REPOSITORY / "Cargo.toml").read_text()
        version = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)
        self.assertEqual(touchstone.__version__, version and version[1])


if __name__ == "__main__":
    unittest.main()
