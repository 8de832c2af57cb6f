package main

import (
	"crypto/hmac"
	"fmt"
	"hash"
)

// digest is a hash, and the function that makes its object.
type digest struct {
	primitive, api string
	new            func() hash.Hash
}

type hashing struct {
	hash hash.Hash
}

func (o *hashing) setKey([]byte) error { return nil }

func (o *hashing) process(m *message, output []byte) (int, error) {
	o.hash.Reset()
	o.hash.Write(m.input)
	return len(o.hash.Sum(output[:0])), nil
}

func (d digest) row() row {
	return row{d.primitive, "hash", d.api + ", Reset, Write, Sum", "", func(*work) (cell, error) {
		return func() (operation, error) { return &hashing{d.new()}, nil }, nil
	}}
}

// xof is the interface that the SHAKE objects of crypto/sha3 and BLAKE2X implement.
type xof interface {
	Write([]byte) (int, error)
	Read([]byte) (int, error)
	Reset()
}

type extending struct {
	xof    xof
	length int
}

func (o *extending) setKey([]byte) error { return nil }

func (o *extending) process(m *message, output []byte) (int, error) {
	o.xof.Reset()
	o.xof.Write(m.input)
	return o.xof.Read(output[:o.length])
}

func xofRow(primitive, api string, new func() xof) row {
	return row{primitive, "xof", api + ", Reset, Write, Read", "", func(w *work) (cell, error) {
		if w.length < 0 {
			return nil, unsupported("no output length")
		}
		return func() (operation, error) { return &extending{new(), w.length}, nil }, nil
	}}
}

type authenticating struct {
	new  func() hash.Hash
	hash hash.Hash
	tag  int
}

func (o *authenticating) setKey(key []byte) error {
	o.hash = hmac.New(o.new, key)
	return nil
}

func (o *authenticating) process(m *message, output []byte) (int, error) {
	o.hash.Reset()
	o.hash.Write(m.input)
	return min(o.tag, len(o.hash.Sum(output[:0]))), nil
}

func (d digest) hmac() row {
	api := "hmac.New(" + d.api + "), Reset, Write, Sum"
	return row{"hmac-" + d.primitive, "mac", api, "", func(w *work) (cell, error) {
		size := d.new().Size()
		if w.tag > size {
			return nil, unsupported(fmt.Sprintf("a tag of %d bytes", w.tag))
		}
		tag := w.tag
		if tag < 0 {
			tag = size
		}
		return func() (operation, error) { return &authenticating{new: d.new, tag: tag}, nil }, nil
	}}
}
