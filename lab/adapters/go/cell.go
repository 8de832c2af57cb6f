package main

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// unsupported is the error for parameters that the library does not support.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// errRejected is the error for an input that the library refused as forged.
var errRejected = errors.New("rejected as forged")

// message has the inputs of one call, except the key.
type message struct {
	nonce, aad, input []byte
	// others are inputs with further names, such as the signature that is verified.
	others map[string][]byte
}

// operation is an object of a library that processes messages.
type operation interface {
	// setKey sets a key, which replaces the previous key.
	setKey(key []byte) error
	// process processes one whole message and returns the number of bytes written to output. The
	// output has room for all inputs (or for the requested length) and 256 bytes more.
	process(m *message, output []byte) (int, error)
}

// deliverer is an operation whose process leaves its result in the library's own form. deliver
// writes the result and returns the number of bytes. The timed loop calls it only in the contract
// "keyed", which goes from bytes to bytes.
type deliverer interface {
	deliver(output []byte) (int, error)
}

// cell makes an object for one work.
type cell func() (operation, error)

// buffers has all data that the timed calls read and write. It is made before timing.
type buffers struct {
	keys    [2][]byte
	nonces  ring
	message message
	output  []byte
	// For the contracts "latency" and "in-place", in which each message is the previous output:
	// first is message 0; other is the second buffer, which takes turns with output (in place,
	// both are the same buffer); endsNonce means that the end of an output is the next nonce.
	first     []byte
	other     []byte
	endsNonce bool
}

func newBuffers(w *work, r *request) *buffers {
	other := w.key
	if second, given := r.Second["key"]; given {
		other = second.bytes
	}
	b := &buffers{
		keys:    [2][]byte{w.key, other},
		nonces:  newRing(w.nonce, r.Vary["nonce"]),
		message: message{w.nonce, w.aad, w.input, w.others},
		output:  make([]byte, max(w.length, len(w.input)+len(w.key)+lengthOf(w.others))+256),
	}
	switch r.Contract {
	case "in-place":
		b.first, b.other = w.input, b.output
	case "latency":
		b.first, b.other = w.input, make([]byte, len(b.output))
		b.endsNonce = r.Vary["nonce"] == "output"
	}
	return b
}

func lengthOf(inputs map[string][]byte) (length int) {
	for _, bytes := range inputs {
		length += len(bytes)
	}
	return length
}

// rewind restores message 0, if later messages have overwritten it.
func (b *buffers) rewind() {
	if b.first != nil {
		copy(b.other, b.first)
		copy(b.output, b.first)
		b.message.input = b.other[:len(b.first)]
	}
}

// zero is 0, but the compiler does not know this.
var zero byte

// chain makes the last output, which has this many bytes, the next message. It returns the next
// nonce.
func (b *buffers) chain(written int) []byte {
	b.output, b.other = b.other, b.output
	// The address of the message depends on the end of the last output, so a processor cannot
	// begin the call before the last call ends.
	start := int(b.other[max(written-1, 0)] & zero)
	b.message.input = b.other[start:][:len(b.first)]
	if n := len(b.message.nonce); b.endsNonce && n <= written {
		return b.other[written-n : written]
	}
	return b.nonces.advance()
}

func (b *buffers) clone() *buffers {
	c := *b
	c.message.aad = bytes.Clone(b.message.aad)
	c.message.input = bytes.Clone(b.message.input)
	c.output = make([]byte, len(b.output))
	if b.first != nil {
		c.other = c.output
		if &b.other[0] != &b.output[0] {
			c.other = make([]byte, len(b.output))
		}
		c.rewind()
	}
	return &c
}

// opened is an open cell: the function that makes objects, the current object, and the buffers.
type opened struct {
	make     cell
	object   operation
	contract string
	buffers  *buffers
	// written is the number of bytes that the last call wrote.
	written int
}

// call processes the message with this nonce by this object.
func (o *opened) call(object operation, nonce []byte) (err error) {
	b := o.buffers
	b.message.nonce = nonce
	o.written, err = object.process(&b.message, b.output)
	return err
}

// deliver makes the object write the result of the last call, if it has not done so.
func (o *opened) deliver(object operation) (err error) {
	if object, later := object.(deliverer); later {
		o.written, err = object.deliver(o.buffers.output)
	}
	return err
}

// once processes the message with this nonce and returns a copy of the output.
func (o *opened) once(nonce []byte) ([]byte, error) {
	if err := o.call(o.object, nonce); err != nil {
		return nil, err
	}
	if err := o.deliver(o.object); err != nil {
		return nil, err
	}
	return bytes.Clone(o.lastOutput()), nil
}

// zero processes message 0 and returns a copy of the output.
func (o *opened) zero() ([]byte, error) {
	o.buffers.rewind()
	return o.once(o.buffers.nonces.first())
}

// lastOutput returns the output of the last call.
func (o *opened) lastOutput() []byte { return o.buffers.output[:o.written] }

// check makes a new object, sets the key and processes message 0.
func (o *opened) check() (output []byte, err error) {
	if o.object, err = o.make(); err != nil {
		return nil, err
	}
	if err = o.object.setKey(o.buffers.keys[0]); err != nil {
		return nil, err
	}
	return o.zero()
}

// first makes a new object, sets the key and processes message 0. It returns the time of each
// of the three steps in nanoseconds.
func (o *opened) first() (ns [3]int64, err error) {
	o.buffers.rewind()
	start := time.Now()
	if o.object, err = o.make(); err != nil {
		return ns, err
	}
	made := time.Now()
	if err = o.object.setKey(o.buffers.keys[0]); err != nil {
		return ns, err
	}
	keyed := time.Now()
	err = o.call(o.object, o.buffers.nonces.first())
	done := time.Now()
	return [3]int64{made.Sub(start).Nanoseconds(), keyed.Sub(made).Nanoseconds(),
		done.Sub(keyed).Nanoseconds()}, err
}

// again sets the first key and processes the message with the first nonce.
func (o *opened) again() ([]byte, error) {
	if err := o.object.setKey(o.buffers.keys[0]); err != nil {
		return nil, err
	}
	return o.zero()
}

// remembers returns whether a message's output depends on the messages before it. The function
// does not test a stream cipher without nonces, which always continues its keystream.
func (o *opened) remembers() (bool, error) {
	nonces := &o.buffers.nonces
	if !nonces.fresh() {
		return false, nil
	}
	first, err := o.again()
	if err != nil {
		return false, err
	}
	for range 2 {
		if _, err := o.once(nonces.advance()); err != nil {
			return false, err
		}
	}
	last, err := o.zero()
	return !bytes.Equal(first, last), err
}

// repeat is the timed loop. It calls every package through the interface operation.
func (o *opened) repeat(calls uint64) error {
	object, b := o.object, o.buffers
	switch o.contract {
	case "hot":
		for ; calls > 0; calls-- {
			if err := o.call(object, b.nonces.advance()); err != nil {
				return err
			}
		}
	case "in-place", "latency":
		for ; calls > 0; calls-- {
			if err := o.call(object, b.chain(o.written)); err != nil {
				return err
			}
		}
	case "keyed":
		for ; calls > 0; calls-- {
			object, err := o.make()
			if err != nil {
				return err
			}
			if err := object.setKey(b.keys[0]); err != nil {
				return err
			}
			if err := o.call(object, b.nonces.advance()); err != nil {
				return err
			}
			if err := o.deliver(object); err != nil {
				return err
			}
		}
	case "rekeyed":
		for call := uint64(0); call < calls; call++ {
			if err := object.setKey(b.keys[call&1]); err != nil {
				return err
			}
			if err := o.call(object, b.nonces.advance()); err != nil {
				return err
			}
		}
	case "setup":
		for call := uint64(0); call < calls; call++ {
			if err := object.setKey(b.keys[call&1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// time takes one sample.
func (o *opened) time(warm, calls uint64) (int64, error) {
	if err := o.repeat(warm); err != nil {
		return 0, err
	}
	start := time.Now()
	err := o.repeat(calls)
	return time.Since(start).Nanoseconds(), err
}

// timeThreads takes one sample with several threads. Each thread has its own object and
// buffers. The time begins when all threads have made their warm-up calls, and ends when the
// last thread has finished.
func (o *opened) timeThreads(warm, calls uint64, threads int, cpus []int) (int64, error) {
	if runtime.GOMAXPROCS(0) < threads+1 {
		runtime.GOMAXPROCS(threads + 1)
	}
	var warmed, done sync.WaitGroup
	warmed.Add(threads)
	done.Add(threads)
	begin := make(chan struct{})
	failures := make([]error, threads)
	for index := range threads {
		go func() {
			defer done.Done()
			// The thread stays locked to its goroutine, because it is pinned. It ends with the
			// goroutine.
			runtime.LockOSThread()
			pinToNth(index, cpus)
			mine := &opened{make: o.make, contract: o.contract, buffers: o.buffers.clone()}
			err := guarded(func() error {
				if _, err := mine.check(); err != nil {
					return err
				}
				return mine.repeat(warm)
			})
			warmed.Done()
			<-begin
			if err == nil {
				err = guarded(func() error { return mine.repeat(calls) })
			}
			failures[index] = err
		}()
	}
	warmed.Wait()
	start := time.Now()
	close(begin)
	done.Wait()
	return time.Since(start).Nanoseconds(), errors.Join(failures...)
}

// guarded runs a function and converts a panic into an error. Go's packages refuse many
// parameters by a panic.
func guarded(do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return do()
}

// pinToNth moves the calling thread to CPU number n of the list, counted modulo the list's
// length. If the system does not allow the CPU, the thread stays on its CPU.
func pinToNth(n int, cpus []int) {
	if len(cpus) == 0 {
		return
	}
	var set unix.CPUSet
	set.Set(cpus[n%len(cpus)])
	_ = unix.SchedSetaffinity(0, &set)
}
