package main

import (
	"crypto/cipher"
	"fmt"
)

// aead is an object with Go's interface cipher.AEAD: GCM or ChaCha20-Poly1305.
type aead struct {
	new  func(key []byte) (cipher.AEAD, error)
	aead cipher.AEAD
	form gcmForm
}

type gcmForm int

const (
	gcmSeal gcmForm = iota
	gcmOpen
	gmac
)

func (o *aead) setKey(key []byte) (err error) {
	o.aead, err = o.new(key)
	return err
}

func (o *aead) process(m *message, output []byte) (int, error) {
	switch o.form {
	case gcmSeal:
		return len(o.aead.Seal(output[:0], m.nonce, m.input, m.aad)), nil
	case gmac:
		return len(o.aead.Seal(output[:0], m.nonce, nil, m.input)), nil
	}
	plain, err := o.aead.Open(output[:0], m.nonce, m.input, m.aad)
	if err != nil {
		return 0, errRejected
	}
	return len(plain), nil
}

func newGCM(form gcmForm) func(*blockCipher, *work) (operation, error) {
	return func(c *blockCipher, w *work) (operation, error) {
		nonce, tag := len(w.nonce), w.tag
		if tag < 0 {
			tag = 16
		}
		var wrap func(cipher.Block) (cipher.AEAD, error)
		switch {
		case nonce == 12 && tag == 16:
			wrap = cipher.NewGCM
		case tag == 16 && nonce > 0:
			wrap = func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(b, nonce) }
		case nonce == 12 && tag >= 12 && tag < 16:
			wrap = func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(b, tag) }
		default:
			return nil, unsupported(fmt.Sprintf("a nonce of %d bytes with a tag of %d", nonce, tag))
		}
		return &aead{form: form, new: func(key []byte) (cipher.AEAD, error) {
			block, err := c.new(key)
			if err != nil {
				return nil, err
			}
			return wrap(block)
		}}, nil
	}
}

// aeadRows returns the rows of an AEAD for both directions. The AEAD's lengths are fixed.
func aeadRows(primitive, api string, key, nonce int, new func([]byte) (cipher.AEAD, error)) []row {
	make := func(form gcmForm) func(*work) (cell, error) {
		return func(w *work) (cell, error) {
			if len(w.key) != key || len(w.nonce) != nonce || w.tag >= 0 && w.tag != 16 {
				return nil, unsupported(fmt.Sprintf("a key of %d bytes, a nonce of %d, a tag of %d",
					len(w.key), len(w.nonce), w.tag))
			}
			return func() (operation, error) { return &aead{new: new, form: form}, nil }, nil
		}
	}
	return []row{
		{primitive, "aead-encrypt", api + ", Seal", "", make(gcmSeal)},
		{primitive, "aead-decrypt", api + ", Open", "", make(gcmOpen)},
	}
}
