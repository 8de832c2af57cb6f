package main

import "crypto/mlkem"

// opener opens shared secrets with a private key.
type opener interface {
	Decapsulate(ciphertext []byte) ([]byte, error)
}

// closer makes shared secrets for a public key.
type closer interface {
	Encapsulate() (secret, ciphertext []byte)
}

// encapsulation is a key of ML-KEM; one of the two functions reads it.
type encapsulation struct {
	private func(seed []byte) (opener, error)
	public  func(key []byte) (closer, error)
	opener  opener
	closer  closer
}

func (o *encapsulation) setKey(key []byte) (err error) {
	if o.private != nil {
		o.opener, err = o.private(key)
	} else {
		o.closer, err = o.public(key)
	}
	if err != nil {
		return unsupported(err.Error())
	}
	return nil
}

// process writes a ciphertext and then its shared secret, or opens a shared secret.
func (o *encapsulation) process(m *message, output []byte) (int, error) {
	if o.closer != nil {
		secret, ciphertext := o.closer.Encapsulate()
		n := copy(output, ciphertext)
		return n + copy(output[n:], secret), nil
	}
	secret, err := o.opener.Decapsulate(m.others["ciphertext"])
	if err != nil {
		return 0, errRejected
	}
	return copy(output, secret), nil
}

func encapsulationRows() []row {
	var rows []row
	set := func(name string, private func([]byte) (opener, error), public func([]byte) (closer, error)) {
		rows = append(rows,
			row{name, "encapsulate", "mlkem.EncapsulationKey.Encapsulate", "", func(*work) (cell, error) {
				return func() (operation, error) { return &encapsulation{public: public}, nil }, nil
			}},
			row{name, "decapsulate", "mlkem.DecapsulationKey.Decapsulate", "", func(*work) (cell, error) {
				return func() (operation, error) { return &encapsulation{private: private}, nil }, nil
			}})
	}
	set("ml-kem-768",
		func(seed []byte) (opener, error) { return mlkem.NewDecapsulationKey768(seed) },
		func(key []byte) (closer, error) { return mlkem.NewEncapsulationKey768(key) })
	set("ml-kem-1024",
		func(seed []byte) (opener, error) { return mlkem.NewDecapsulationKey1024(seed) },
		func(key []byte) (closer, error) { return mlkem.NewEncapsulationKey1024(key) })
	return rows
}
