package main

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"fmt"
	"math"
)

// deriving is a key derivation. One call makes the whole output.
type deriving struct {
	derive func(m *message) ([]byte, error)
}

func (o *deriving) setKey([]byte) error { return nil }

func (o *deriving) process(m *message, output []byte) (int, error) {
	derived, err := o.derive(m)
	return copy(output, derived), err
}

// deriveRow returns the row of a key derivation. The function plan reads the costs from the
// work. A derivation takes no key: the key would be Argon2's secret, which Go's package does
// not support.
func deriveRow(primitive, api string, plan func(w *work) (func(*message) ([]byte, error), error)) row {
	return row{primitive, "derive", api, "", func(w *work) (cell, error) {
		if w.length < 1 {
			return nil, unsupported(fmt.Sprintf("an output of %d bytes", w.length))
		}
		if len(w.key) > 0 {
			return nil, unsupported("a secret")
		}
		derive, err := plan(w)
		if err != nil {
			return nil, err
		}
		return func() (operation, error) { return &deriving{derive}, nil }, nil
	}}
}

func (d digest) hkdf() row {
	return deriveRow("hkdf-"+d.primitive, "hkdf.Key("+d.api+")", func(w *work) (func(*message) ([]byte, error), error) {
		if w.length > 255*d.new().Size() {
			return nil, unsupported(fmt.Sprintf("an output of %d bytes", w.length))
		}
		return func(m *message) ([]byte, error) {
			return hkdf.Key(d.new, m.input, m.nonce, string(m.aad), w.length)
		}, nil
	})
}

func (d digest) pbkdf2() row {
	return deriveRow("pbkdf2-hmac-"+d.primitive, "pbkdf2.Key("+d.api+")", func(w *work) (func(*message) ([]byte, error), error) {
		iterations, err := cost(w, "iterations", math.MaxInt32)
		if err != nil {
			return nil, err
		}
		return func(m *message) ([]byte, error) {
			return pbkdf2.Key(d.new, string(m.input), m.nonce, iterations, w.length)
		}, nil
	})
}

// cost returns a cost parameter, which must be between 1 and most.
func cost(w *work, name string, most uint64) (int, error) {
	n := w.cost[name]
	if n < 1 || n > most {
		return 0, unsupported(fmt.Sprintf("%s of %d", name, n))
	}
	return int(n), nil
}
