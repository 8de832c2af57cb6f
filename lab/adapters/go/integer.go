package main

import (
	"fmt"
	"math/big"
)

// arithmetic calculates results from operands. An object holds all of them as numbers, so that
// the contract "hot" times the calculation alone.
type arithmetic struct {
	// names are the inputs with the operands.
	names []string
	// calculate fills the results.
	calculate func(operands, results []*big.Int) error
	// lengths gives the bytes of each result from the bytes of the operands. A negative length
	// means that the result's sign is written before it.
	lengths func(operands []int) []int
	api     string
}

// primeRounds is the number of rounds of Miller and Rabin, with an error below 4^-64.
const primeRounds = 64

var arithmetics = map[string]arithmetic{
	"multiply": {[]string{"a", "b"}, func(n, r []*big.Int) error {
		r[0].Mul(n[0], n[1])
		return nil
	}, func(n []int) []int { return []int{n[0] + n[1]} }, "big.Int.Mul"},
	"square": {[]string{"a"}, func(n, r []*big.Int) error {
		r[0].Mul(n[0], n[0])
		return nil
	}, func(n []int) []int { return []int{2 * n[0]} }, "big.Int.Mul with equal operands"},
	"divide": {[]string{"a", "b"}, func(n, r []*big.Int) error {
		r[0].QuoRem(n[0], n[1], r[1])
		return nil
	}, func(n []int) []int { return n }, "big.Int.QuoRem"},
	"powmod": {[]string{"base", "exponent", "modulus"}, func(n, r []*big.Int) error {
		r[0].Exp(n[0], n[1], n[2])
		return nil
	}, func(n []int) []int { return n[2:] }, "big.Int.Exp"},
	"invert": {[]string{"a", "modulus"}, func(n, r []*big.Int) error {
		if r[0].ModInverse(n[0], n[1]) == nil {
			return errRejected
		}
		return nil
	}, func(n []int) []int { return n[1:] }, "big.Int.ModInverse"},
	"xgcd": {[]string{"a", "b"}, func(n, r []*big.Int) error {
		r[0].GCD(r[1], r[2], n[0], n[1])
		return nil
	}, func(n []int) []int { return []int{max(n[0], n[1]), -n[1], -n[0]} }, "big.Int.GCD"},
	"prime-test": {[]string{"number"}, func(n, r []*big.Int) error {
		if !n[0].ProbablyPrime(primeRounds) {
			return errRejected
		}
		return nil
	}, func(n []int) []int { return nil }, "big.Int.ProbablyPrime(64)"},
}

func integerRows() []row {
	var rows []row
	for id, a := range arithmetics {
		rows = append(rows, row{"integer", id, a.api, "", a.cell})
	}
	return append(rows, row{"integer", "bezout", "big.Int.Mul, Add, Cmp, Rem", "", bezout})
}

func (a arithmetic) cell(w *work) (cell, error) {
	last := new(big.Int).SetBytes(w.others[a.names[len(a.names)-1]])
	switch w.operation {
	case "divide", "xgcd":
		if last.Sign() == 0 || w.operation == "xgcd" && new(big.Int).SetBytes(w.others["a"]).Sign() == 0 {
			return nil, unsupported("zero as an operand")
		}
	case "powmod", "invert":
		if last.Cmp(big.NewInt(1)) <= 0 {
			return nil, unsupported("a modulus below 2")
		}
	}
	return func() (operation, error) {
		o := &calculation{arithmetic: a}
		var lengths []int
		for _, name := range a.names {
			bytes := w.others[name]
			lengths = append(lengths, len(bytes))
			o.operands = append(o.operands, new(big.Int).SetBytes(bytes))
		}
		o.bytes = a.lengths(lengths)
		for range o.bytes {
			o.results = append(o.results, new(big.Int))
		}
		return o, nil
	}, nil
}

type calculation struct {
	arithmetic
	operands, results []*big.Int
	bytes             []int
}

func (o *calculation) setKey([]byte) error { return nil }

func (o *calculation) process(*message, []byte) (int, error) {
	return 0, o.calculate(o.operands, o.results)
}

func (o *calculation) deliver(output []byte) (int, error) {
	at := 0
	for i, length := range o.bytes {
		if length < 0 {
			length = -length
			output[at] = 0
			if o.results[i].Sign() < 0 {
				output[at] = 1
			}
			at++
		}
		o.results[i].FillBytes(output[at : at+length])
		at += length
	}
	return at, nil
}

// bezout checks the answer of xgcd.
func bezout(w *work) (cell, error) {
	a, b := w.others["a"], w.others["b"]
	rest := w.others["coefficients"]
	lengths := arithmetics["xgcd"].lengths([]int{len(a), len(b)})
	total := 2
	for _, length := range lengths {
		total += max(length, -length)
	}
	if len(rest) != total {
		return nil, fmt.Errorf("coefficients of %d bytes: %w", len(rest), errRejected)
	}
	var numbers []*big.Int
	for _, length := range lengths {
		negative := false
		if length < 0 {
			length, negative, rest = -length, rest[0] == 1, rest[1:]
		}
		number := new(big.Int).SetBytes(rest[:length])
		if rest = rest[length:]; negative {
			number.Neg(number)
		}
		numbers = append(numbers, number)
	}
	return func() (operation, error) {
		return &identity{new(big.Int).SetBytes(a), new(big.Int).SetBytes(b), numbers}, nil
	}, nil
}

type identity struct {
	a, b    *big.Int
	numbers []*big.Int
}

func (o *identity) setKey([]byte) error { return nil }

func (o *identity) process(*message, []byte) (int, error) {
	g, rest := o.numbers[0], new(big.Int)
	sum := new(big.Int).Mul(o.numbers[1], o.a)
	sum.Add(sum, rest.Mul(o.numbers[2], o.b))
	if g.Sign() == 0 || sum.Cmp(g) != 0 || rest.Rem(o.a, g).Sign() != 0 || rest.Rem(o.b, g).Sign() != 0 {
		return 0, errRejected
	}
	return 0, nil
}
