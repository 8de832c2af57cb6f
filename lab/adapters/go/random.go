package main

import "crypto/rand"

// randomRow returns the row of crypto/rand, whose bytes come from the system, or in FIPS mode from
// a generator that the system seeds.
func randomRow() row {
	return row{"own-generator", "random-bytes", "rand.Read", "", func(w *work) (cell, error) {
		if w.length < 0 {
			return nil, unsupported("no output length")
		}
		return func() (operation, error) { return randomBytes(w.length), nil }, nil
	}}
}

// randomBytes is the number of bytes of each call.
type randomBytes int

func (randomBytes) setKey([]byte) error { return nil }

func (length randomBytes) process(_ *message, output []byte) (int, error) {
	return rand.Read(output[:length])
}
