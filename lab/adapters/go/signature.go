package main

import (
	"crypto/ed25519"
	"fmt"
)

func newEd25519(make func() operation) func(*work) (cell, error) {
	return func(w *work) (cell, error) {
		// The lab's private key is the seed of RFC 8032, which is as long as a public key.
		if len(w.key) != ed25519.SeedSize {
			return nil, unsupported(fmt.Sprintf("a key of %d bytes", len(w.key)))
		}
		return func() (operation, error) { return make(), nil }, nil
	}
}

type signing struct {
	key ed25519.PrivateKey
}

func (o *signing) setKey(seed []byte) error {
	o.key = ed25519.NewKeyFromSeed(seed)
	return nil
}

func (o *signing) process(m *message, output []byte) (int, error) {
	return copy(output, ed25519.Sign(o.key, m.input)), nil
}

type verifying struct {
	key ed25519.PublicKey
}

func (o *verifying) setKey(key []byte) error {
	o.key = key
	return nil
}

func (o *verifying) process(m *message, output []byte) (int, error) {
	if !ed25519.Verify(o.key, m.input, m.others["signature"]) {
		return 0, errRejected
	}
	return 0, nil
}
