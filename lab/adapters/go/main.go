// A worker of the lab for cryptography in Go. Its argument selects the library: "std" is the
// packages crypto/… of the standard library, "x" is golang.org/x/crypto. The worker speaks the
// protocol of docs/wire-protocol.md.
package main

import (
	"bufio"
	"crypto/mlkem"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"
)

// row is one operation that the library offers.
type row struct {
	primitive, operation, api, note string
	// cell returns the function that makes objects for a work, or an error if the library does not
	// support the work's parameters.
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

// moduleVersion returns the version of a module that is linked into this program.
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

// features returns the CPU features by which Go's packages select their code.
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
	// The lab pins the process's first thread. The timed loop runs on this thread.
	runtime.LockOSThread()
	// A process that is pinned to one CPU gets GOMAXPROCS = 1 from the runtime. Then the runtime's
	// own threads would wait for each other.
	runtime.GOMAXPROCS(max(2, runtime.NumCPU()))
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
	lines := bufio.NewScanner(input)
	lines.Buffer(make([]byte, 0, 1<<16), longestLine)
	writer := bufio.NewWriter(output)
	var lib *library
	cells := map[uint32]*opened{}
	for lines.Scan() {
		r, err := parseRequest(lines.Bytes())
		if err != nil {
			return err
		}
		if r.Message == "bye" {
			return nil
		}
		if lib == nil {
			if r.Message != "hello" {
				return fmt.Errorf("the first message must be hello, not %s", r.Message)
			}
			if lib, err = hello(which, r); err != nil {
				fmt.Fprintln(writer, reply{"reason": err.Error()}.say("absent"))
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
	return lines.Err()
}

func hello(which string, r *request) (*library, error) {
	if r.Protocol != protocol {
		return nil, fmt.Errorf("this worker speaks protocol %d, not %d", protocol, r.Protocol)
	}
	if r.Path != "" {
		return nil, errors.New("Go's packages are linked in; there is no object to load")
	}
	return load(which)
}

func (l *library) introduce(w io.Writer) {
	fmt.Fprintln(w, reply{"name": l.name, "version": l.version, "licence": "BSD-3-Clause",
		"language": "Go", "features": features(), "note": l.note}.say("library"))
	for _, r := range l.rows {
		offer := reply{"primitive": r.primitive, "operation": r.operation,
			"api": r.api, "note": r.note}
		if worksInPlace(r.operation) {
			offer["contracts"] = []string{"in-place"}
		}
		fmt.Fprintln(w, offer.say("offer"))
	}
	fmt.Fprintln(w, reply{}.say("ready"))
}

// worksInPlace returns whether the interfaces of crypto/cipher allow an operation to write its
// output over its input.
func worksInPlace(operation string) bool {
	switch operation {
	case "cbc-encrypt", "cbc-decrypt", "ctr-encrypt", "gcm-encrypt", "aead-encrypt", "stream-encrypt":
		return true
	}
	return false
}

// answer returns the line that answers a request other than hello.
func (l *library) answer(r *request, cells map[uint32]*opened) (line string) {
	err := guarded(func() (err error) {
		line, err = l.do(r, cells)
		return err
	})
	var refusal unsupported
	switch {
	case err == nil:
		return line
	case errors.As(err, &refusal):
		return reply{"reason": refusal.Error()}.say("unsupported")
	case errors.Is(err, errRejected):
		return reply{}.say("rejected")
	}
	return reply{"reason": err.Error()}.say("failed")
}

func (l *library) do(r *request, cells map[uint32]*opened) (string, error) {
	kept, open := cells[r.ID]
	switch r.Message {
	case "check", "open":
		w, err := r.Work.unpack()
		if err != nil {
			return "", err
		}
		made, err := l.cell(w)
		if err != nil {
			return "", err
		}
		o := &opened{make: made, contract: r.Contract, buffers: newBuffers(w, r)}
		if r.Message == "check" {
			output, err := o.check()
			outputs := map[string]string{}
			if first := len(output) - mlkem.SharedKeySize; w.operation == "encapsulate" && first > 0 {
				outputs["ciphertext"] = hex.EncodeToString(output[:first])
				output = output[first:]
			}
			if len(output) > 0 {
				outputs["output"] = hex.EncodeToString(output)
			}
			return reply{"outputs": outputs}.say("output"), err
		}
		if r.Contract == "in-place" && !worksInPlace(w.operation) {
			return "", unsupported("messages in place")
		}
		for name, step := range r.Vary {
			_, known := steps[step]
			known = known || step == "output" && r.Contract == "latency"
			if name != "nonce" || !known {
				return "", unsupported("messages that differ in their " + name + " by the rule " + step)
			}
		}
		return openCell(r.ID, o, cells)
	case "time", "run":
		if !open {
			return "", fmt.Errorf("no cell %d is open", r.ID)
		}
		if r.Message == "time" {
			return timed(r, kept)
		}
		output, err := kept.again()
		return reply{"id": r.ID, "digest": fnv1a(output)}.say("ran"), err
	case "close":
		delete(cells, r.ID)
		return reply{"id": r.ID}.say("closed"), nil
	}
	return "", fmt.Errorf("%s is no request of the protocol", r.Message)
}

func (l *library) cell(w *work) (cell, error) {
	for _, r := range l.rows {
		if r.primitive == w.primitive && r.operation == w.operation {
			return r.cell(w)
		}
	}
	return nil, unsupported(w.primitive + " " + w.operation)
}

func openCell(id uint32, o *opened, cells map[uint32]*opened) (string, error) {
	switch o.contract {
	case "hot", "keyed", "rekeyed", "setup", "latency", "in-place":
	default:
		return "", unsupported("the contract " + o.contract)
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
	return reply{"id": id, "open_ns": ns[0], "key_ns": ns[1], "first_ns": ns[2],
		"digest": fnv1a(output)}.say("opened"), nil
}

func timed(r *request, o *opened) (string, error) {
	var ns int64
	var err error
	if threads := int(r.Threads); threads > 1 {
		if threads*len(o.buffers.output) > mostOfThreads {
			return "", unsupported(fmt.Sprintf("%d threads with messages so long", threads))
		}
		ns, err = o.timeThreads(r.Warm, r.Calls, threads, r.CPUs)
	} else {
		ns, err = o.time(r.Warm, r.Calls)
	}
	answer := reply{"id": r.ID, "ns": ns}
	if r.Digest && r.Threads == 1 {
		if o.contract != "keyed" && err == nil {
			err = o.deliver(o.object)
		}
		answer["digest"] = fnv1a(o.lastOutput())
	}
	return answer.say("timed"), err
}
