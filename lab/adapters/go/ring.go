package main

import (
	"encoding/binary"
	"hash/fnv"
)

// ringSize is the number of messages after which the nonces repeat. docs/wire-protocol.md
// defines it, and lab/METHOD.md gives the reason.
const ringSize = 256

// ring has the complete nonces for the calls of a cell, made before timing. The first nonce is
// for the message of the requests open and run. The other nonces are for the timed calls, in
// order.
type ring struct {
	nonces [][]byte
	next   int
}

// steps are the rules that compute the nonce of message i from the nonce of message 0.
var steps = map[string]func(nonce []byte, i uint64){
	"increment": increment,
	"random":    randomise,
}

func newRing(first []byte, rule string) ring {
	step, fresh := steps[rule]
	if !fresh || len(first) == 0 {
		return ring{nonces: [][]byte{first}}
	}
	// Each nonce begins at a multiple of 16 bytes.
	apart := (len(first) + 15) &^ 15
	slab := make([]byte, apart*(ringSize+1))
	nonces := make([][]byte, ringSize+1)
	for i := range nonces {
		nonces[i] = slab[i*apart:][:len(first):len(first)]
		copy(nonces[i], first)
		if i > 0 {
			step(nonces[i], uint64(i))
		}
	}
	return ring{nonces, 1}
}

// fresh tells whether each call has its own nonce.
func (r *ring) fresh() bool { return len(r.nonces) > 1 }

// first returns the nonce of message 0. The next call of advance returns the nonce of
// message 1.
func (r *ring) first() []byte {
	r.next = min(1, len(r.nonces)-1)
	return r.nonces[0]
}

// advance returns the nonce of the next call.
func (r *ring) advance() []byte {
	nonce := r.nonces[r.next]
	r.next++
	if r.next >= len(r.nonces) {
		r.next = min(1, len(r.nonces)-1)
	}
	return nonce
}

// increment adds i to the last eight bytes, read as a big-endian number. If the nonce is
// shorter, increment adds i to the whole nonce.
func increment(nonce []byte, i uint64) {
	if n := len(nonce); n >= 8 {
		tail := nonce[n-8:]
		binary.BigEndian.PutUint64(tail, binary.BigEndian.Uint64(tail)+i)
		return
	}
	for at := len(nonce) - 1; at >= 0; at-- {
		i += uint64(nonce[at])
		nonce[at] = byte(i)
		i >>= 8
	}
}

// randomise overwrites the nonce with outputs of SplitMix64. The seed is the FNV-1a fingerprint
// of the nonce of message 0. Each message takes the next outputs that fill its nonce; message 1
// begins with the first output.
func randomise(nonce []byte, i uint64) {
	hash := fnv.New64a()
	hash.Write(nonce)
	seed := hash.Sum64()
	words := uint64(len(nonce)+7) / 8
	for word := range words {
		var output [8]byte
		binary.BigEndian.PutUint64(output[:], splitMix64(seed, (i-1)*words+word+1))
		copy(nonce[word*8:], output[:])
	}
}

// splitMix64 returns output n, counted from 1 (Steele, Lea and Flood, OOPSLA 2014).
func splitMix64(seed, n uint64) uint64 {
	z := seed + n*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
