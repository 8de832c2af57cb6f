// A worker of the lab for cryptography in Go, as its argument says: "std", the
// packages crypto/… of the standard library, or "x", those of
// golang.org/x/crypto. The protocol is docs/wire-protocol.md.
package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// row is one thing that the library can do.
type row struct {
	primitive, operation, api, note string
	// cell tells how to make objects for a work, or that the library does not
	// take its parameters.
	cell func(w *work) (cell, error)
}

type library struct {
	name, version, note string
	rows                []row
}

const timing = "calls through an interface; garbage collection as by default, on the same CPU, " +
	"its share in the samples that it falls into"

func load(which string) (*library, error) {
	switch which {
	case "std":
		return &library{"Go crypto", runtime.Version(), timing, stdRows()}, nil
	case "x":
		return &library{"Go x/crypto", moduleVersion("golang.org/x/crypto"),
			"built by " + runtime.Version() + "; modes are crypto/cipher's; " + timing, xRows()}, nil
	}
	return nil, fmt.Errorf("the worker's argument must be std or x, not %q", which)
}

// moduleVersion is that of a module linked into this program.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == path {
				return dep.Version
			}
		}
	}
	return ""
}

// features are those of this CPU that Go's packages choose their code by.
func features() string {
	var have []string
	for _, f := range []struct {
		name string
		here bool
	}{
		{"aes", cpu.X86.HasAES}, {"pclmulqdq", cpu.X86.HasPCLMULQDQ},
		{"avx2", cpu.X86.HasAVX2}, {"bmi2", cpu.X86.HasBMI2},
		{"avx512f", cpu.X86.HasAVX512F},
		{"aes", cpu.ARM64.HasAES}, {"pmull", cpu.ARM64.HasPMULL},
		{"sha2", cpu.ARM64.HasSHA2}, {"sha512", cpu.ARM64.HasSHA512},
	} {
		if f.here {
			have = append(have, f.name)
		}
	}
	return strings.Join(have, " ")
}

func init() {
	// The thread that the lab pins is the process's first; the timed loop
	// stays on it.
	runtime.LockOSThread()
	// Pinned to one CPU the runtime would otherwise shrink to it, and threads
	// would wait for each other.
	runtime.GOMAXPROCS(onlineCPUs())
}

func main() {
	which := ""
	if len(os.Args) > 1 {
		which = os.Args[1]
	}
	if err := converse(which, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

func converse(which string, input io.Reader, output io.Writer) error {
	reader := bufio.NewReader(input)
	writer := bufio.NewWriter(output)
	var lib *library
	cells := map[string]*opened{}
	for {
		line, err := reader.ReadString('\n')
		if err == io.EOF && line == "" {
			return nil
		} else if err != nil && err != io.EOF {
			return err
		}
		r, err := parseRequest(line)
		if err != nil {
			return err
		}
		if r.verb == "bye" {
			return nil
		}
		if lib == nil {
			if r.verb != "hello" {
				return fmt.Errorf("the first message must be hello, not %s", r.verb)
			}
			if lib, err = hello(which, r); err != nil {
				fmt.Fprintln(writer, reply("absent", "reason", err.Error()))
				return writer.Flush()
			}
			lib.introduce(writer)
		} else {
			fmt.Fprintln(writer, lib.answer(r, cells))
		}
		if err := writer.Flush(); err != nil {
			return err
		}
	}
}

func hello(which string, r request) (*library, error) {
	if protocol := r.fields["protocol"]; protocol != "1" {
		return nil, fmt.Errorf("this worker speaks protocol 1, not %s", protocol)
	}
	if r.fields["path"] != "" {
		return nil, errors.New("Go's packages are linked in; there is no object to load")
	}
	return load(which)
}

func (l *library) introduce(w io.Writer) {
	fmt.Fprintln(w, reply("library", "name", l.name, "version", l.version,
		"licence", "BSD-3-Clause", "language", "Go", "features", features(), "note", l.note))
	for _, r := range l.rows {
		fmt.Fprintln(w, reply("offer", "primitive", r.primitive, "operation", r.operation,
			"api", r.api, "note", r.note))
	}
	fmt.Fprintln(w, reply("ready"))
}

// answer gives the one line that every request after hello gets.
func (l *library) answer(r request, cells map[string]*opened) (line string) {
	err := guarded(func() (err error) {
		line, err = l.do(r, cells)
		return err
	})
	var refusal unsupported
	switch {
	case err == nil:
		return line
	case errors.As(err, &refusal):
		return reply("unsupported", "reason", refusal.Error())
	case errors.Is(err, errRejected):
		return reply("rejected")
	}
	return reply("failed", "reason", err.Error())
}

func (l *library) do(r request, cells map[string]*opened) (string, error) {
	id := r.fields["id"]
	kept, open := cells[id]
	switch r.verb {
	case "check", "open":
		w, err := parseWork(r)
		if err != nil {
			return "", err
		}
		made, err := l.cell(w)
		if err != nil {
			return "", err
		}
		o := &opened{make: made, contract: r.fields["contract"],
			buffers: newBuffers(w, r.fields["fresh"] == "1")}
		if r.verb == "check" {
			output, err := o.check()
			return reply("output", "output", hex.EncodeToString(output)), err
		}
		return l.open(id, o, cells)
	case "time", "run":
		if !open {
			return "", fmt.Errorf("no cell %s is open", id)
		}
		if r.verb == "time" {
			return timed(r, id, kept)
		}
		output, err := kept.again()
		return reply("ran", "id", id, "digest", fnv1a(output)), err
	case "close":
		delete(cells, id)
		return reply("closed", "id", id), nil
	}
	return "", fmt.Errorf("%s is no request of the protocol", r.verb)
}

func (l *library) cell(w *work) (cell, error) {
	for _, r := range l.rows {
		if r.primitive == w.primitive && r.operation == w.operation {
			return r.cell(w)
		}
	}
	return nil, unsupported(w.primitive + " " + w.operation)
}

func (l *library) open(id string, o *opened, cells map[string]*opened) (string, error) {
	switch o.contract {
	case "hot", "keyed", "rekeyed", "setup":
	default:
		return "", fmt.Errorf("no contract is called %q", o.contract)
	}
	ns, err := o.first()
	if err != nil {
		return "", err
	}
	if remembers, err := o.remembers(); err != nil {
		return "", err
	} else if remembers {
		return "", errors.New("a message's output depends on the messages before it")
	}
	output, err := o.again()
	if err != nil {
		return "", err
	}
	cells[id] = o
	return reply("opened", "id", id, "open_ns", strconv.FormatInt(ns[0], 10),
		"key_ns", strconv.FormatInt(ns[1], 10), "first_ns", strconv.FormatInt(ns[2], 10),
		"digest", fnv1a(output)), nil
}

func timed(r request, id string, o *opened) (string, error) {
	numbers := map[string]uint64{}
	for _, key := range []string{"calls", "warm", "threads"} {
		n, _, err := r.number(key)
		if err != nil {
			return "", err
		}
		numbers[key] = n
	}
	var ns int64
	var err error
	if threads := numbers["threads"]; threads > 1 {
		ns, err = o.timeThreads(numbers["warm"], numbers["calls"], int(threads))
	} else {
		ns, err = o.time(numbers["warm"], numbers["calls"])
	}
	return reply("timed", "id", id, "ns", strconv.FormatInt(ns, 10)), err
}
