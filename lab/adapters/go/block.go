package main

import (
	"crypto/cipher"
	"fmt"
)

// blockCipher is a block cipher and the modes of crypto/cipher on it.
type blockCipher struct {
	primitive, api string
	block          int
	// keys are the least and the greatest length of the key in bytes.
	keys [2]int
	note string
	new  func(key []byte) (cipher.Block, error)
}

func (c *blockCipher) rows() []row {
	type mode = func(*blockCipher, *work) (operation, error)
	modes := []struct {
		operation, api, note string
		make                 mode
	}{
		{"ecb-encrypt", "Block.Encrypt", "a call for each block: there is no ECB", newECB(true)},
		{"ecb-decrypt", "Block.Decrypt", "a call for each block: there is no ECB", newECB(false)},
		{"cbc-encrypt", "cipher.NewCBCEncrypter", "IV by SetIV, as crypto/tls does", newCBC(cipher.NewCBCEncrypter)},
		{"cbc-decrypt", "cipher.NewCBCDecrypter", "IV by SetIV, as crypto/tls does", newCBC(cipher.NewCBCDecrypter)},
		{"ctr-encrypt", "cipher.NewCTR", "an object for each message", newStreamMode(cipher.NewCTR)},
		{"ofb-encrypt", "cipher.NewOFB", "an object for each message", newStreamMode(ofb)},
		{"cfb-encrypt", "cipher.NewCFBEncrypter", "an object for each message", newStreamMode(cfbEncrypter)},
		{"cfb-decrypt", "cipher.NewCFBDecrypter", "an object for each message", newStreamMode(cfbDecrypter)},
	}
	var rows []row
	add := func(operation, api, note string, make mode) {
		if c.note != "" {
			note = c.note + "; " + note
		}
		rows = append(rows, row{c.primitive, operation, c.api + ", " + api, note, c.cell(make)})
	}
	for _, m := range modes {
		add(m.operation, m.api, m.note, m.make)
	}
	if c.block == 16 {
		for _, m := range []struct {
			operation string
			form      gcmForm
			note      string
		}{
			{"gcm-encrypt", gcmSeal, ""},
			{"gcm-decrypt", gcmOpen, ""},
			{"gmac", gmac, "GCM without a message"},
		} {
			add(m.operation, "cipher.NewGCM", m.note, newGCM(m.form))
		}
	}
	return rows
}

// cell checks the key's length, which all modes of a cipher have in common.
func (c *blockCipher) cell(mode func(*blockCipher, *work) (operation, error)) func(*work) (cell, error) {
	return func(w *work) (cell, error) {
		if n := len(w.key); n < c.keys[0] || n > c.keys[1] {
			return nil, unsupported(fmt.Sprintf("a key of %d bytes", n))
		}
		if _, given := w.cost["rounds"]; given && c.primitive != "tea" {
			return nil, unsupported("a number of rounds")
		}
		return func() (operation, error) { return mode(c, w) }, nil
	}
}

// keyed is the part of a mode that holds the block cipher.
type keyed struct {
	new   func(key []byte) (cipher.Block, error)
	block cipher.Block
}

func (k *keyed) setKey(key []byte) (err error) {
	k.block, err = k.new(key)
	return err
}

func wholeBlocks(input []byte, block int) error {
	if len(input)%block != 0 {
		return unsupported("a message that is not whole blocks")
	}
	return nil
}

func ivOf(w *work, bytes int) error {
	if len(w.nonce) != bytes {
		return unsupported(fmt.Sprintf("an IV of %d bytes", len(w.nonce)))
	}
	return nil
}

type ecb struct {
	keyed
	encrypt bool
	size    int
}

func newECB(encrypt bool) func(*blockCipher, *work) (operation, error) {
	return func(c *blockCipher, w *work) (operation, error) {
		return &ecb{keyed{new: c.new}, encrypt, c.block}, wholeBlocks(w.input, c.block)
	}
}

func (o *ecb) process(m *message, output []byte) (int, error) {
	block, size := o.block, o.size
	if o.encrypt {
		for at := 0; at < len(m.input); at += size {
			block.Encrypt(output[at:], m.input[at:])
		}
	} else {
		for at := 0; at < len(m.input); at += size {
			block.Decrypt(output[at:], m.input[at:])
		}
	}
	return len(m.input), nil
}

// ivSetter is the interface of a CBC object that takes a new IV. The package crypto/tls uses
// the same method.
type ivSetter interface {
	cipher.BlockMode
	SetIV(iv []byte)
}

type cbc struct {
	keyed
	newMode func(cipher.Block, []byte) cipher.BlockMode
	mode    ivSetter
}

func newCBC(mode func(cipher.Block, []byte) cipher.BlockMode) func(*blockCipher, *work) (operation, error) {
	return func(c *blockCipher, w *work) (operation, error) {
		if err := ivOf(w, c.block); err != nil {
			return nil, err
		}
		return &cbc{keyed: keyed{new: c.new}, newMode: mode}, wholeBlocks(w.input, c.block)
	}
}

func (o *cbc) setKey(key []byte) error {
	o.mode = nil
	return o.keyed.setKey(key)
}

func (o *cbc) process(m *message, output []byte) (int, error) {
	if o.mode == nil {
		mode, ok := o.newMode(o.block, m.nonce).(ivSetter)
		if !ok {
			return 0, fmt.Errorf("CBC without SetIV")
		}
		o.mode = mode
	} else {
		o.mode.SetIV(m.nonce)
	}
	o.mode.CryptBlocks(output, m.input)
	return len(m.input), nil
}

type streamMode struct {
	keyed
	newMode func(cipher.Block, []byte) cipher.Stream
}

func newStreamMode(mode func(cipher.Block, []byte) cipher.Stream) func(*blockCipher, *work) (operation, error) {
	return func(c *blockCipher, w *work) (operation, error) {
		return &streamMode{keyed{new: c.new}, mode}, ivOf(w, c.block)
	}
}

func (o *streamMode) process(m *message, output []byte) (int, error) {
	o.newMode(o.block, m.nonce).XORKeyStream(output, m.input)
	return len(m.input), nil
}

// Go marks OFB and CFB as deprecated, because these modes do not authenticate. The lab measures
// them nevertheless.
func ofb(b cipher.Block, iv []byte) cipher.Stream          { return cipher.NewOFB(b, iv) }
func cfbEncrypter(b cipher.Block, iv []byte) cipher.Stream { return cipher.NewCFBEncrypter(b, iv) }
func cfbDecrypter(b cipher.Block, iv []byte) cipher.Stream { return cipher.NewCFBDecrypter(b, iv) }
