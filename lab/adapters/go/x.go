package main

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/blake2s"
	"golang.org/x/crypto/blowfish"
	"golang.org/x/crypto/cast5"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/md4"
	"golang.org/x/crypto/nacl/secretbox"
	"golang.org/x/crypto/poly1305"
	"golang.org/x/crypto/ripemd160"
	"golang.org/x/crypto/salsa20"
	"golang.org/x/crypto/salsa20/salsa"
	"golang.org/x/crypto/scrypt"
	"golang.org/x/crypto/sha3"
	"golang.org/x/crypto/tea"
	"golang.org/x/crypto/twofish"
	"golang.org/x/crypto/xtea"
	"golang.org/x/crypto/xts"
)

// xRows returns the operations of docs/operations.md that golang.org/x/crypto offers. If
// x/crypto only calls the standard library (hkdf, pbkdf2, sha3), then stdRows has the row.
func xRows() []row {
	newTwofish := func(key []byte) (cipher.Block, error) { return twofish.NewCipher(key) }
	var rows []row
	for _, c := range []blockCipher{
		{"blowfish", "blowfish.NewCipher", 8, [2]int{1, 56}, "", func(key []byte) (cipher.Block, error) { return blowfish.NewCipher(key) }},
		{"cast5", "cast5.NewCipher", 8, [2]int{16, 16}, "", func(key []byte) (cipher.Block, error) { return cast5.NewCipher(key) }},
		{"twofish-128", "twofish.NewCipher", 16, [2]int{16, 16}, "", newTwofish},
		{"twofish-192", "twofish.NewCipher", 16, [2]int{24, 24}, "", newTwofish},
		{"twofish-256", "twofish.NewCipher", 16, [2]int{32, 32}, "", newTwofish},
		{"tea", "tea.NewCipher", 8, [2]int{16, 16}, "", tea.NewCipher},
		{"xtea", "xtea.NewCipher", 8, [2]int{16, 16}, "", func(key []byte) (cipher.Block, error) { return xtea.NewCipher(key) }},
	} {
		rows = append(rows, c.rows()...)
	}
	for _, x := range []struct {
		primitive string
		key       int
		new       func([]byte) (cipher.Block, error)
	}{
		{"aes-128", 32, aes.NewCipher}, {"aes-192", 48, aes.NewCipher}, {"aes-256", 64, aes.NewCipher},
		{"twofish-128", 32, newTwofish}, {"twofish-192", 48, newTwofish}, {"twofish-256", 64, newTwofish},
	} {
		rows = append(rows,
			row{x.primitive, "xts-encrypt", "xts.NewCipher, Encrypt", xtsNote, newXTS(x.key, x.new, true)},
			row{x.primitive, "xts-decrypt", "xts.NewCipher, Decrypt", xtsNote, newXTS(x.key, x.new, false)})
	}
	rows = append(rows, streamRows()...)
	rows = append(rows, aeadRows("chacha20-poly1305", "chacha20poly1305.New", 32, 12, chacha20poly1305.New)...)
	rows = append(rows, aeadRows("xchacha20-poly1305", "chacha20poly1305.NewX", 32, 24, chacha20poly1305.NewX)...)
	rows = append(rows,
		row{"xsalsa20-poly1305", "aead-encrypt", "secretbox.Seal", perMessage, newSecretbox(true)},
		row{"xsalsa20-poly1305", "aead-decrypt", "secretbox.Open", perMessage, newSecretbox(false)},
		row{"poly1305", "mac", "poly1305.Sum", perMessage, newPoly1305},
	)
	for _, d := range []digest{
		{"md4", "md4.New", md4.New},
		{"ripemd-160", "ripemd160.New", ripemd160.New},
		{"blake2b", "blake2b.New512", unkeyed(blake2b.New512)},
		{"blake2b-384", "blake2b.New384", unkeyed(blake2b.New384)},
		{"blake2b-256", "blake2b.New256", unkeyed(blake2b.New256)},
		{"blake2s", "blake2s.New256", unkeyed(blake2s.New256)},
		{"keccak-256", "sha3.NewLegacyKeccak256", sha3.NewLegacyKeccak256},
		{"keccak-512", "sha3.NewLegacyKeccak512", sha3.NewLegacyKeccak512},
	} {
		rows = append(rows, d.row(), d.hmac())
	}
	return append(rows,
		xofRow("blake2xb", "blake2b.NewXOF", func() xof {
			x, err := blake2b.NewXOF(blake2b.OutputLengthUnknown, nil)
			if err != nil {
				panic(err)
			}
			return x
		}),
		xofRow("blake2xs", "blake2s.NewXOF", func() xof {
			x, err := blake2s.NewXOF(blake2s.OutputLengthUnknown, nil)
			if err != nil {
				panic(err)
			}
			return x
		}),
		deriveRow("scrypt", "scrypt.Key", planScrypt),
		deriveRow("argon2i", "argon2.Key", planArgon2(argon2.Key)),
		deriveRow("argon2id", "argon2.IDKey", planArgon2(argon2.IDKey)),
		bcryptRow(),
	)
}

const perMessage = "the key is taken with each message"

// unkeyed makes a BLAKE2 without a key. Without a key, the constructor returns no error.
func unkeyed(new func(key []byte) (hash.Hash, error)) func() hash.Hash {
	return func() hash.Hash {
		h, err := new(nil)
		if err != nil {
			panic(err)
		}
		return h
	}
}

const xtsNote = "the tweak is a sector number: whole blocks, and tweaks of 64 bits"

type xtsMode struct {
	new     func([]byte) (cipher.Block, error)
	cipher  *xts.Cipher
	encrypt bool
}

func newXTS(key int, new func([]byte) (cipher.Block, error), encrypt bool) func(*work) (cell, error) {
	return func(w *work) (cell, error) {
		if err := ivOf(w, 16); err != nil {
			return nil, err
		}
		if len(w.key) != key {
			return nil, unsupported(fmt.Sprintf("a key of %d bytes", len(w.key)))
		}
		if binary.LittleEndian.Uint64(w.nonce[8:]) != 0 {
			return nil, unsupported("a tweak of more than 64 bits")
		}
		return func() (operation, error) { return &xtsMode{new: new, encrypt: encrypt}, nil }, wholeBlocks(w.input, 16)
	}
}

func (o *xtsMode) setKey(key []byte) (err error) {
	o.cipher, err = xts.NewCipher(o.new, key)
	return err
}

func (o *xtsMode) process(m *message, output []byte) (int, error) {
	if binary.LittleEndian.Uint64(m.nonce[8:]) != 0 {
		return 0, unsupported("a tweak of more than 64 bits")
	}
	sector := binary.LittleEndian.Uint64(m.nonce)
	if o.encrypt {
		o.cipher.Encrypt(output, m.input, sector)
	} else {
		o.cipher.Decrypt(output, m.input, sector)
	}
	return len(m.input), nil
}

// streamCipher is a stream cipher whose function takes the key with each message.
type streamCipher struct {
	xor   func(output, input, nonce []byte, key *[32]byte, counter uint64) error
	key   [32]byte
	count uint64
	zeros []byte
}

func streamRows() []row {
	var rows []row
	for _, s := range []struct {
		primitive, api string
		nonce          int
		// most is the greatest number that the block counter can reach.
		most uint64
		xor  func(output, input, nonce []byte, key *[32]byte, counter uint64) error
	}{
		{"chacha20", "chacha20.NewUnauthenticatedCipher", 12, math.MaxUint32, xorChaCha},
		{"xchacha20", "chacha20.NewUnauthenticatedCipher", 24, math.MaxUint32, xorChaCha},
		{"salsa20", "salsa.XORKeyStream", 8, math.MaxUint64, xorSalsa},
		{"xsalsa20", "salsa20.XORKeyStream", 24, 0, xorXSalsa},
	} {
		make := func(keystream bool) func(*work) (cell, error) {
			return func(w *work) (cell, error) {
				if len(w.key) != 32 || len(w.nonce) != s.nonce {
					return nil, unsupported(fmt.Sprintf("a key of %d bytes, a nonce of %d", len(w.key), len(w.nonce)))
				}
				count := w.cost["counter"]
				blocks := uint64(max(len(w.input), w.length)+63) / 64
				if count > 0 && (count > s.most || blocks > 0 && s.most-count < blocks-1) {
					return nil, unsupported(fmt.Sprintf("a counter of %d", count))
				}
				return func() (operation, error) {
					o := &streamCipher{xor: s.xor, count: count}
					if keystream {
						o.zeros = make([]byte, max(w.length, 0))
					}
					return o, nil
				}, nil
			}
		}
		rows = append(rows,
			row{s.primitive, "stream-encrypt", s.api, perMessage, make(false)},
			row{s.primitive, "stream-keystream", s.api, perMessage + "; encrypts zeros", make(true)})
	}
	return rows
}

func (o *streamCipher) setKey(key []byte) error {
	copy(o.key[:], key)
	return nil
}

func (o *streamCipher) process(m *message, output []byte) (int, error) {
	input := m.input
	if o.zeros != nil {
		input = o.zeros
	}
	return len(input), o.xor(output[:len(input)], input, m.nonce, &o.key, o.count)
}

func xorChaCha(output, input, nonce []byte, key *[32]byte, counter uint64) error {
	cipher, err := chacha20.NewUnauthenticatedCipher(key[:], nonce)
	if err != nil {
		return err
	}
	if counter > 0 {
		cipher.SetCounter(uint32(counter))
	}
	cipher.XORKeyStream(output, input)
	return nil
}

func xorSalsa(output, input, nonce []byte, key *[32]byte, counter uint64) error {
	var block [16]byte
	copy(block[:8], nonce)
	binary.LittleEndian.PutUint64(block[8:], counter)
	salsa.XORKeyStream(output, input, &block, key)
	return nil
}

func xorXSalsa(output, input, nonce []byte, key *[32]byte, _ uint64) error {
	salsa20.XORKeyStream(output, input, nonce, key)
	return nil
}

// box is NaCl's secretbox, which takes no associated data.
type box struct {
	key  [32]byte
	seal bool
}

func newSecretbox(seal bool) func(*work) (cell, error) {
	return func(w *work) (cell, error) {
		if len(w.key) != 32 || len(w.nonce) != 24 || len(w.aad) > 0 || w.tag >= 0 && w.tag != 16 {
			return nil, unsupported("associated data, or lengths other than 32, 24 and 16")
		}
		return func() (operation, error) { return &box{seal: seal}, nil }, nil
	}
}

func (o *box) setKey(key []byte) error {
	copy(o.key[:], key)
	return nil
}

func (o *box) process(m *message, output []byte) (int, error) {
	nonce := (*[24]byte)(m.nonce)
	if o.seal {
		return len(secretbox.Seal(output[:0], m.input, nonce, &o.key)), nil
	}
	plain, ok := secretbox.Open(output[:0], m.input, nonce, &o.key)
	if !ok {
		return 0, errRejected
	}
	return len(plain), nil
}

type oneTime struct {
	key [32]byte
	tag int
}

func newPoly1305(w *work) (cell, error) {
	if len(w.key) != 32 || len(w.nonce) > 0 || w.tag > 16 {
		return nil, unsupported("a nonce, or lengths other than 32 and at most 16")
	}
	tag := w.tag
	if tag < 0 {
		tag = 16
	}
	return func() (operation, error) { return &oneTime{tag: tag}, nil }, nil
}

func (o *oneTime) setKey(key []byte) error {
	copy(o.key[:], key)
	return nil
}

func (o *oneTime) process(m *message, output []byte) (int, error) {
	poly1305.Sum((*[16]byte)(output), m.input, &o.key)
	return o.tag, nil
}

func planScrypt(w *work) (func(*message) ([]byte, error), error) {
	var numbers [3]int
	for i, name := range []string{"n", "r", "p"} {
		n, err := cost(w, name, math.MaxInt32)
		if err != nil {
			return nil, err
		}
		numbers[i] = n
	}
	n, r, p := numbers[0], numbers[1], numbers[2]
	return func(m *message) ([]byte, error) {
		return scrypt.Key(m.input, m.nonce, n, r, p, w.length)
	}, nil
}

func planArgon2(key func(password, salt []byte, time, memory uint32, threads uint8, keyLen uint32) []byte) func(*work) (func(*message) ([]byte, error), error) {
	return func(w *work) (func(*message) ([]byte, error), error) {
		iterations, badIterations := cost(w, "iterations", math.MaxUint32)
		memory, badMemory := cost(w, "memory", math.MaxUint32)
		lanes, badLanes := cost(w, "lanes", math.MaxUint8)
		if err := errors.Join(badIterations, badMemory, badLanes); err != nil {
			return nil, unsupported(err.Error())
		}
		if len(w.aad) > 0 {
			return nil, unsupported("associated data")
		}
		return func(m *message) ([]byte, error) {
			return key(m.input, m.nonce, uint32(iterations), uint32(memory), uint8(lanes), uint32(w.length)), nil
		}, nil
	}
}
