package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Version and limits of the protocol, from docs/wire-protocol.md.
const (
	protocol    = 2
	mostBytes   = 16<<20 + 4096
	longestLine = 4*mostBytes + 65536
	mostThreads = 4096
	// mostOfThreads is the most bytes that the buffers of all threads of a sample may use.
	mostOfThreads = 1 << 30
)

// request is one line from the lab.
type request struct {
	Message  string               `json:"message"`
	Protocol int                  `json:"protocol"`
	Path     string               `json:"path"`
	ID       uint32               `json:"id"`
	Contract string               `json:"contract"`
	Vary     map[string]string    `json:"vary"`
	Second   map[string]wireValue `json:"second"`
	Work     wireWork             `json:"work"`
	Calls    uint64               `json:"calls"`
	Warm     uint64               `json:"warm"`
	Threads  uint32               `json:"threads"`
	CPUs     []int                `json:"cpus"`
	Digest   bool                 `json:"digest"`
}

type wireWork struct {
	Primitive string               `json:"primitive"`
	Operation string               `json:"operation"`
	Inputs    map[string]wireValue `json:"inputs"`
}

// wireValue is either bytes, which are text in JSON, or a number.
type wireValue struct {
	bytes    []byte
	number   uint64
	isNumber bool
}

func (v *wireValue) UnmarshalJSON(text []byte) (err error) {
	if len(text) == 0 || text[0] != '"' {
		v.isNumber = true
		v.number, err = strconv.ParseUint(string(text), 10, 64)
		return err
	}
	var value string
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	count, painted := strings.CutPrefix(value, "painted:")
	if !painted {
		if len(value) > 2*mostBytes {
			return fmt.Errorf("more than %d bytes", mostBytes)
		}
		v.bytes, err = hex.DecodeString(value)
		return err
	}
	n, err := strconv.ParseUint(count, 10, 64)
	if err != nil || n > mostBytes {
		return fmt.Errorf("%s is not a number of bytes up to %d", value, mostBytes)
	}
	v.bytes = make([]byte, n)
	for i := range v.bytes {
		v.bytes[i] = byte(i % 251)
	}
	return nil
}

func parseRequest(line []byte) (*request, error) {
	r := &request{Threads: 1}
	if err := json.Unmarshal(line, r); err != nil {
		return nil, err
	}
	if r.Threads < 1 || r.Threads > mostThreads {
		return nil, fmt.Errorf("%d threads: there must be 1 to %d", r.Threads, mostThreads)
	}
	return r, nil
}

// reply is a message of the worker. Its method say makes a line from it.
type reply map[string]any

func (r reply) say(message string) string {
	r["message"] = message
	line, err := json.Marshal(r)
	if err != nil {
		return `{"message":"failed","reason":"this answer is no JSON"}`
	}
	return string(line)
}

// work has the fields of the requests check and open. docs/operations.md defines the fields.
type work struct {
	primitive, operation   string
	key, nonce, aad, input []byte
	// tag and length are -1 if the work has none.
	tag, length int
	cost        map[string]uint64
	// others are inputs with further names.
	others map[string][]byte
}

func (w wireWork) unpack() (*work, error) {
	unpacked := &work{primitive: w.Primitive, operation: w.Operation, tag: -1, length: -1,
		cost: map[string]uint64{}, others: map[string][]byte{}}
	bytes := map[string]*[]byte{"key": &unpacked.key, "nonce": &unpacked.nonce,
		"aad": &unpacked.aad, "input": &unpacked.input}
	lengths := map[string]*int{"tag": &unpacked.tag, "length": &unpacked.length}
	for name, value := range w.Inputs {
		if place, known := bytes[name]; known && !value.isNumber {
			*place = value.bytes
		} else if place, known := lengths[name]; known && value.isNumber {
			if value.number > mostBytes {
				return nil, unsupported(fmt.Sprintf("%s of %d bytes", name, value.number))
			}
			*place = int(value.number)
		} else if cost, is := strings.CutPrefix(name, "cost."); is && value.isNumber {
			unpacked.cost[cost] = value.number
		} else {
			unpacked.others[name] = value.bytes
		}
	}
	return unpacked, nil
}

// fnv1a returns the 64-bit fingerprint by which the lab compares outputs.
func fnv1a(data []byte) string {
	hash := fnv.New64a()
	hash.Write(data)
	return fmt.Sprintf("%016x", hash.Sum64())
}
