package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"slices"
)

// stdRows returns the operations of docs/operations.md that the standard library offers.
func stdRows() []row {
	var rows []row
	for _, c := range []blockCipher{
		{"aes-128", "aes.NewCipher", 16, [2]int{16, 16}, "", aes.NewCipher},
		{"aes-192", "aes.NewCipher", 16, [2]int{24, 24}, "", aes.NewCipher},
		{"aes-256", "aes.NewCipher", 16, [2]int{32, 32}, "", aes.NewCipher},
		{"des", "des.NewCipher", 8, [2]int{8, 8}, "", des.NewCipher},
		{"des-ede2", "des.NewTripleDESCipher", 8, [2]int{16, 16}, "K1 appended as third key",
			func(key []byte) (cipher.Block, error) {
				return des.NewTripleDESCipher(slices.Concat(key, key[:8]))
			}},
		{"des-ede3", "des.NewTripleDESCipher", 8, [2]int{24, 24}, "", des.NewTripleDESCipher},
	} {
		rows = append(rows, c.rows()...)
	}
	rows = append(rows,
		row{"rc4", "stream-encrypt", "rc4.NewCipher, XORKeyStream", "copies the keyed state for each message", newRC4(false)},
		row{"rc4", "stream-keystream", "rc4.NewCipher, XORKeyStream", "copies the keyed state for each message, encrypts zeros", newRC4(true)},
		xofRow("shake128", "sha3.NewSHAKE128", func() xof { return sha3.NewSHAKE128() }),
		xofRow("shake256", "sha3.NewSHAKE256", func() xof { return sha3.NewSHAKE256() }),
	)
	for _, d := range []digest{
		{"md5", "md5.New", md5.New},
		{"sha-1", "sha1.New", sha1.New},
		{"sha-224", "sha256.New224", sha256.New224},
		{"sha-256", "sha256.New", sha256.New},
		{"sha-384", "sha512.New384", sha512.New384},
		{"sha-512", "sha512.New", sha512.New},
		{"sha-512-224", "sha512.New512_224", sha512.New512_224},
		{"sha-512-256", "sha512.New512_256", sha512.New512_256},
		{"sha3-224", "sha3.New224", func() hash.Hash { return sha3.New224() }},
		{"sha3-256", "sha3.New256", func() hash.Hash { return sha3.New256() }},
		{"sha3-384", "sha3.New384", func() hash.Hash { return sha3.New384() }},
		{"sha3-512", "sha3.New512", func() hash.Hash { return sha3.New512() }},
	} {
		rows = append(rows, d.row(), d.hmac(), d.hkdf(), d.pbkdf2())
	}
	rows = append(rows,
		row{"ed25519", "sign", "ed25519.NewKeyFromSeed, Sign", "", newEd25519(func() operation { return &signing{} })},
		row{"ed25519", "verify", "ed25519.Verify", "", newEd25519(func() operation { return &verifying{} })},
		randomRow(),
	)
	return slices.Concat(rows, signatureRows(), agreementRows(), encapsulationRows(), integerRows())
}

type arcfour struct {
	// cipher has the key set, and each message works on a copy: XORKeyStream would continue the
	// keystream of the message before.
	cipher *rc4.Cipher
	// drop is the beginning of the keystream, which is discarded after the key is set.
	drop []byte
	// zeros is the message if keystream is requested.
	zeros []byte
}

func newRC4(keystream bool) func(*work) (cell, error) {
	return func(w *work) (cell, error) {
		if n := len(w.key); n < 1 || n > 256 {
			return nil, unsupported(fmt.Sprintf("a key of %d bytes", n))
		}
		if len(w.nonce) > 0 || w.cost["counter"] > 0 {
			return nil, unsupported("a nonce or a counter")
		}
		if w.cost["drop"] > mostBytes {
			return nil, unsupported("dropping so much keystream")
		}
		return func() (operation, error) {
			o := &arcfour{drop: make([]byte, w.cost["drop"])}
			if keystream {
				o.zeros = make([]byte, max(w.length, 0))
			}
			return o, nil
		}, nil
	}
}

func (o *arcfour) setKey(key []byte) (err error) {
	if o.cipher, err = rc4.NewCipher(key); err == nil && len(o.drop) > 0 {
		o.cipher.XORKeyStream(o.drop, o.drop)
	}
	return err
}

func (o *arcfour) process(m *message, output []byte) (int, error) {
	input := m.input
	if o.zeros != nil {
		input = o.zeros
	}
	cipher := *o.cipher
	cipher.XORKeyStream(output, input)
	return len(input), nil
}
