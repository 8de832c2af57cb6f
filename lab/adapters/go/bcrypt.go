package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

var bcryptEncoding = base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").
	WithPadding(base64.NoPadding)

// saltReader replaces rand.Reader during a call of bcrypt. The package reads its salt from
// rand.Reader, because none of its functions takes a salt. Every goroutine that reads from
// saltReader gets the same salt.
type saltReader struct{ salt []byte }

func (r saltReader) Read(p []byte) (int, error) { return copy(p, r.salt), nil }

var readerLock sync.Mutex

// theSalt replaces rand.Reader by a reader that returns this salt.
func theSalt(salt []byte) {
	readerLock.Lock()
	defer readerLock.Unlock()
	if current, is := rand.Reader.(saltReader); !is || !bytes.Equal(current.salt, salt) {
		rand.Reader = io.Reader(saltReader{salt})
	}
}

type bcrypting struct {
	phrase []byte
	salt   []byte
	cost   int
	minor  byte
}

func bcryptRow() row {
	return row{"crypt-bcrypt", "crypt", "bcrypt.GenerateFromPassword",
		"the salt comes by way of rand.Reader; it writes $2a$ and takes $2b$ for the same, so that $2b$ is written here",
		newBcrypt}
}

func newBcrypt(w *work) (cell, error) {
	setting := w.nonce
	if len(setting) < 29 || setting[0] != '$' || setting[1] != '2' || setting[3] != '$' || setting[6] != '$' ||
		setting[2] != 'a' && setting[2] != 'b' {
		return nil, unsupported("a setting other than $2a$ or $2b$ with cost and salt")
	}
	cost, tens, units := 0, setting[4]-'0', setting[5]-'0'
	if tens < 10 && units < 10 {
		cost = int(tens)*10 + int(units)
	}
	if cost < bcrypt.MinCost || cost > bcrypt.MaxCost {
		return nil, unsupported(fmt.Sprintf("a cost of %s", setting[4:6]))
	}
	salt, err := bcryptEncoding.DecodeString(string(setting[7:29]))
	if err != nil {
		return nil, unsupported("a salt that is not of bcrypt's alphabet")
	}
	phrase := w.key
	if len(phrase) == 0 {
		phrase = w.input
	}
	if len(phrase) > 72 {
		return nil, unsupported("a phrase of more than 72 bytes")
	}
	return func() (operation, error) {
		return &bcrypting{phrase, salt, cost, setting[2]}, nil
	}, nil
}

func (o *bcrypting) setKey(key []byte) error {
	if len(key) > 0 {
		o.phrase = key
	}
	return nil
}

func (o *bcrypting) process(_ *message, output []byte) (int, error) {
	theSalt(o.salt)
	hash, err := bcrypt.GenerateFromPassword(o.phrase, o.cost)
	if err != nil {
		return 0, err
	}
	hash[2] = o.minor
	return copy(output, hash), nil
}
