package main

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"hash"
)

// publicKey is an object with a key in DER, which parse reads once for each key.
type publicKey[K any] struct {
	parse func(der []byte) (K, error)
	do    func(key K, hash hash.Hash, m *message) ([]byte, error)
	key   K
	hash  hash.Hash
}

func (o *publicKey[K]) setKey(der []byte) (err error) {
	if o.key, err = o.parse(der); err != nil {
		return unsupported(err.Error())
	}
	return nil
}

func (o *publicKey[K]) process(m *message, output []byte) (int, error) {
	answer, err := o.do(o.key, o.hash, m)
	return copy(output, answer), err
}

func private[K any](der []byte) (key K, err error) {
	any, err := x509.ParsePKCS8PrivateKey(der)
	key, ok := any.(K)
	if err == nil && !ok {
		err = fmt.Errorf("a key of the type %T", any)
	}
	return key, err
}

func public[K any](der []byte) (key K, err error) {
	any, err := x509.ParsePKIXPublicKey(der)
	key, ok := any.(K)
	if err == nil && !ok {
		err = fmt.Errorf("a key of the type %T", any)
	}
	return key, err
}

// of makes the rows' function that makes cells.
func of[K any](parse func([]byte) (K, error), with crypto.Hash,
	do func(key K, hash hash.Hash, m *message) ([]byte, error)) func(*work) (cell, error) {
	return func(*work) (cell, error) {
		return func() (operation, error) {
			return &publicKey[K]{parse: parse, do: do, hash: with.New()}, nil
		}, nil
	}
}

func digestOf(hash hash.Hash, message []byte) []byte {
	hash.Reset()
	hash.Write(message)
	return hash.Sum(nil)
}

// check makes the answer of a verification.
func check(accepted bool) ([]byte, error) {
	if !accepted {
		return nil, errRejected
	}
	return nil, nil
}

func signatureRows() []row {
	var rows []row
	pss := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
	for _, bits := range []int{1024, 2048, 3072, 4096, 8192} {
		name := fmt.Sprintf("rsa-%d-pkcs1-sha-256", bits)
		rows = append(rows,
			row{name, "sign", "rsa.SignPKCS1v15", "", of(private[*rsa.PrivateKey], crypto.SHA256,
				func(key *rsa.PrivateKey, h hash.Hash, m *message) ([]byte, error) {
					return rsa.SignPKCS1v15(nil, key, crypto.SHA256, digestOf(h, m.input))
				})},
			row{name, "verify", "rsa.VerifyPKCS1v15", "", of(public[*rsa.PublicKey], crypto.SHA256,
				func(key *rsa.PublicKey, h hash.Hash, m *message) ([]byte, error) {
					return check(rsa.VerifyPKCS1v15(key, crypto.SHA256, digestOf(h, m.input), m.others["signature"]) == nil)
				})})
		if bits < 2048 || bits > 4096 {
			continue
		}
		name = fmt.Sprintf("rsa-%d-pss-sha-256", bits)
		rows = append(rows,
			row{name, "sign", "rsa.SignPSS", "", of(private[*rsa.PrivateKey], crypto.SHA256,
				func(key *rsa.PrivateKey, h hash.Hash, m *message) ([]byte, error) {
					return rsa.SignPSS(rand.Reader, key, crypto.SHA256, digestOf(h, m.input), pss)
				})},
			row{name, "verify", "rsa.VerifyPSS", "", of(public[*rsa.PublicKey], crypto.SHA256,
				func(key *rsa.PublicKey, h hash.Hash, m *message) ([]byte, error) {
					return check(rsa.VerifyPSS(key, crypto.SHA256, digestOf(h, m.input), m.others["signature"], pss) == nil)
				})})
		name = fmt.Sprintf("rsa-%d-oaep-sha-256", bits)
		rows = append(rows,
			row{name, "public-encrypt", "rsa.EncryptOAEP", "", of(public[*rsa.PublicKey], crypto.SHA256,
				func(key *rsa.PublicKey, _ hash.Hash, m *message) ([]byte, error) {
					return rsa.EncryptOAEP(sha256.New(), rand.Reader, key, m.input, nil)
				})},
			row{name, "private-decrypt", "rsa.DecryptOAEP", "", of(private[*rsa.PrivateKey], crypto.SHA256,
				func(key *rsa.PrivateKey, _ hash.Hash, m *message) ([]byte, error) {
					message, err := rsa.DecryptOAEP(sha256.New(), nil, key, m.input, nil)
					if err != nil {
						return nil, errRejected
					}
					return message, nil
				})})
	}
	for _, c := range []struct {
		name string
		hash crypto.Hash
	}{
		{"ecdsa-p224-sha-224", crypto.SHA224}, {"ecdsa-p256-sha-256", crypto.SHA256},
		{"ecdsa-p384-sha-384", crypto.SHA384}, {"ecdsa-p521-sha-512", crypto.SHA512},
	} {
		rows = append(rows,
			row{c.name, "sign", "ecdsa.SignASN1", "", of(private[*ecdsa.PrivateKey], c.hash,
				func(key *ecdsa.PrivateKey, h hash.Hash, m *message) ([]byte, error) {
					return ecdsa.SignASN1(rand.Reader, key, digestOf(h, m.input))
				})},
			row{c.name, "verify", "ecdsa.VerifyASN1", "", of(public[*ecdsa.PublicKey], c.hash,
				func(key *ecdsa.PublicKey, h hash.Hash, m *message) ([]byte, error) {
					return check(ecdsa.VerifyASN1(key, digestOf(h, m.input), m.others["signature"]))
				})})
	}
	return rows
}

// agreement is a private key, and the other side's public key.
type agreement struct {
	parse func([]byte) (*ecdh.PrivateKey, error)
	key   *ecdh.PrivateKey
	peer  *ecdh.PublicKey
}

func (o *agreement) setKey(key []byte) (err error) {
	if o.key, err = o.parse(key); err != nil {
		return unsupported(err.Error())
	}
	return nil
}

func (o *agreement) process(_ *message, output []byte) (int, error) {
	secret, err := o.key.ECDH(o.peer)
	if err != nil {
		return 0, errRejected
	}
	return copy(output, secret), nil
}

func agreementRows() []row {
	rows := []row{}
	curve := func(name string, read func([]byte) (*ecdh.PrivateKey, error), peer func([]byte) (*ecdh.PublicKey, error)) {
		rows = append(rows, row{name, "agree", "ecdh.PrivateKey.ECDH", "", func(w *work) (cell, error) {
			return func() (operation, error) {
				other, err := peer(w.others["peer"])
				if err != nil {
					return nil, errRejected
				}
				return &agreement{parse: read, peer: other}, nil
			}, nil
		}})
	}
	curve("x25519", ecdh.X25519().NewPrivateKey, ecdh.X25519().NewPublicKey)
	for name, on := range map[string]ecdh.Curve{"ecdh-p256": ecdh.P256(), "ecdh-p384": ecdh.P384(), "ecdh-p521": ecdh.P521()} {
		curve(name, func(der []byte) (*ecdh.PrivateKey, error) {
			key, err := private[*ecdsa.PrivateKey](der)
			if err != nil {
				return nil, err
			}
			return key.ECDH()
		}, func(der []byte) (*ecdh.PublicKey, error) {
			key, err := public[*ecdsa.PublicKey](der)
			if err != nil {
				return nil, err
			}
			other, err := key.ECDH()
			if err == nil && other.Curve() != on {
				err = errRejected
			}
			return other, err
		})
	}
	return rows
}
