package main

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// request is one line from the lab, its text decoded.
type request struct {
	verb   string
	fields map[string]string
}

func parseRequest(text string) (request, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return request{}, fmt.Errorf("an empty line is no message")
	}
	r := request{words[0], make(map[string]string, len(words)-1)}
	for _, word := range words[1:] {
		key, value, found := strings.Cut(word, "=")
		if !found {
			return r, fmt.Errorf("the field %q has no value", word)
		}
		decoded, err := decode(value)
		if err != nil {
			return r, fmt.Errorf("the field %s=: %w", key, err)
		}
		r.fields[key] = decoded
	}
	return r, nil
}

func decode(value string) (string, error) {
	if !strings.Contains(value, "%") {
		return value, nil
	}
	var text []byte
	for i := 0; i < len(value); i++ {
		if value[i] != '%' {
			text = append(text, value[i])
			continue
		}
		if i+2 >= len(value) {
			return "", fmt.Errorf("a %% without two digits")
		}
		b, err := strconv.ParseUint(value[i+1:i+3], 16, 8)
		if err != nil {
			return "", err
		}
		text = append(text, byte(b))
		i += 2
	}
	return string(text), nil
}

// reply makes a line of a verb and pairs of keys and values; empty values are
// left out, as absent and empty mean the same.
func reply(verb string, pairs ...string) string {
	var line strings.Builder
	line.WriteString(verb)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		line.WriteString(" " + pairs[i] + "=")
		for j := 0; j < len(pairs[i+1]); j++ {
			if b := pairs[i+1][j]; b <= ' ' || b == '%' || b == 0x7f {
				fmt.Fprintf(&line, "%%%02x", b)
			} else {
				line.WriteByte(b)
			}
		}
	}
	return line.String()
}

// number reads a number that may be absent.
func (r request) number(key string) (value uint64, given bool, err error) {
	text := r.fields[key]
	if text == "" {
		return 0, false, nil
	}
	value, err = strconv.ParseUint(text, 10, 63)
	if err != nil {
		err = fmt.Errorf("the field %s= cannot be %q", key, text)
	}
	return value, err == nil, err
}

func (r request) bytes(key string) ([]byte, error) {
	text := r.fields[key]
	if count, painted := strings.CutPrefix(text, "painted:"); painted {
		n, err := strconv.ParseUint(count, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("the field %s= cannot be %q", key, text)
		}
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(i % 251)
		}
		return data, nil
	}
	data, err := hex.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("the field %s=: %w", key, err)
	}
	return data, nil
}

// work is what check and open carry; the fields' meanings are those of
// docs/operations.md.
type work struct {
	primitive, operation   string
	key, nonce, aad, input []byte
	// tag and length are -1 where they are absent.
	tag, length int
	cost        map[string]uint64
}

func parseWork(r request) (*work, error) {
	w := &work{
		primitive: r.fields["primitive"],
		operation: r.fields["operation"],
		tag:       -1,
		length:    -1,
		cost:      map[string]uint64{},
	}
	for _, field := range []struct {
		key  string
		into *[]byte
	}{{"key", &w.key}, {"nonce", &w.nonce}, {"aad", &w.aad}, {"input", &w.input}} {
		data, err := r.bytes(field.key)
		if err != nil {
			return nil, err
		}
		*field.into = data
	}
	for _, field := range []struct {
		key  string
		into *int
	}{{"tag", &w.tag}, {"length", &w.length}} {
		n, given, err := r.number(field.key)
		if err != nil {
			return nil, err
		}
		if given {
			*field.into = int(n)
		}
	}
	for key := range r.fields {
		if name, is := strings.CutPrefix(key, "cost."); is {
			n, _, err := r.number(key)
			if err != nil {
				return nil, err
			}
			w.cost[name] = n
		}
	}
	return w, nil
}

// fnv1a is the 64-bit fingerprint by which the lab compares outputs.
func fnv1a(data []byte) string {
	digest := uint64(0xcbf29ce484222325)
	for _, b := range data {
		digest = (digest ^ uint64(b)) * 0x100000001b3
	}
	return fmt.Sprintf("%016x", digest)
}
