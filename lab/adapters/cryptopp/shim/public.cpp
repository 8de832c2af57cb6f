// Crypto++'s integers, points and public keys behind a C interface. No exception leaves this file.

#include "public.h"

#include "reason.h"
#include "shim.h"

#include <cryptopp/asn.h>
#include <cryptopp/dsa.h>
#include <cryptopp/ec2n.h>
#include <cryptopp/eccrypto.h>
#include <cryptopp/ecp.h>
#include <cryptopp/filters.h>
#include <cryptopp/integer.h>
#include <cryptopp/nbtheory.h>
#include <cryptopp/oaep.h>
#include <cryptopp/oids.h>
#include <cryptopp/osrng.h>
#include <cryptopp/pssr.h>
#include <cryptopp/rsa.h>
#include <cryptopp/sha.h>
#include <cryptopp/xed25519.h>

#include <memory>
#include <string>

namespace {

using namespace CryptoPP;
using touchstone::guarded;
using touchstone::Unsupported;

// Rounds of Miller and Rabin, with an error of at most 4^-64.
const unsigned ROUNDS = 64;

Integer &at(void *const *numbers, size_t index) { return *static_cast<Integer *>(numbers[index]); }

int calculate(int what, void *const *n, void *const *results) {
    switch (what) {
    case TOUCHSTONE_MULTIPLY:
        at(results, 0) = at(n, 0).Times(at(n, 1));
        return TOUCHSTONE_OK;
    case TOUCHSTONE_SQUARE:
        at(results, 0) = at(n, 0).Squared();
        return TOUCHSTONE_OK;
    case TOUCHSTONE_DIVIDE:
        Integer::Divide(at(results, 1), at(results, 0), at(n, 0), at(n, 1));
        return TOUCHSTONE_OK;
    case TOUCHSTONE_POWER:
        at(results, 0) = a_exp_b_mod_c(at(n, 0), at(n, 1), at(n, 2));
        return TOUCHSTONE_OK;
    case TOUCHSTONE_INVERT:
        at(results, 0) = at(n, 0).InverseMod(at(n, 1));
        return at(results, 0).IsZero() ? TOUCHSTONE_REJECTED : TOUCHSTONE_OK;
    case TOUCHSTONE_PRIME_TEST: {
        static thread_local AutoSeededRandomPool random;
        const bool prime = IsPrime(at(n, 0)) &&
                           (at(n, 0) <= 3 || RabinMillerTest(random, at(n, 0), ROUNDS));
        return prime ? TOUCHSTONE_OK : TOUCHSTONE_REJECTED;
    }
    }
    throw Unsupported("this calculation");
}

struct Bytes {
    const byte *data;
    size_t size;
};

// Room for an output.
struct Room {
    byte *data;
    size_t size;
    void need(size_t bytes) const {
        if (bytes > size) throw std::length_error("no room for the output");
    }
};

class Object {
public:
    virtual ~Object() = default;
    virtual void key(Bytes) {}
    // The length of a signature; 0 if the object makes and reads none.
    virtual size_t signature_bytes() const { return 0; }
    // Returns false for a forgery; otherwise `room.size` becomes the output's length.
    virtual bool process(Bytes input, Bytes signature, Room &room) = 0;
};

// Reads a key in DER: PKCS #8, or SubjectPublicKeyInfo.
template <class Key> void load(Key &key, Bytes der) {
    try {
        ArraySource source(der.data, der.size, true);
        key.Load(source);
    } catch (const Exception &error) {
        throw Unsupported(error.what());
    }
}

// Makes the library's objects from keys in DER.
template <class Scheme> struct Reader {
    static auto signer(Bytes der) {
        typename Scheme::PrivateKey key;
        load(key, der);
        return std::make_unique<typename Scheme::Signer>(key);
    }
    static auto verifier(Bytes der) {
        typename Scheme::PublicKey key;
        load(key, der);
        return std::make_unique<typename Scheme::Verifier>(key);
    }
};

// Version 8.7 crashes when a key of ECGDSA is copied, so these keys are made in their place, from
// the parts of a key of ECDSA.
template <class Hash> struct Reader<ECGDSA<ECP, Hash>> {
    static auto signer(Bytes der) {
        DL_PrivateKey_EC<ECP> key;
        load(key, der);
        auto made = std::make_unique<typename ECGDSA<ECP, Hash>::Signer>();
        made->AccessKey().Initialize(key.GetGroupParameters(), key.GetPrivateExponent());
        return made;
    }
    static auto verifier(Bytes der) {
        DL_PublicKey_EC<ECP> key;
        load(key, der);
        auto made = std::make_unique<typename ECGDSA<ECP, Hash>::Verifier>();
        made->AccessKey().Initialize(key.GetGroupParameters(), key.GetPublicElement());
        return made;
    }
};

template <class Scheme> class Signing final : public Object {
    AutoSeededRandomPool m_random;
    std::unique_ptr<typename Scheme::Signer> m_signer;

public:
    void key(Bytes der) override {
        m_signer = Reader<Scheme>::signer(der);
    }
    size_t signature_bytes() const override { return m_signer->SignatureLength(); }
    bool process(Bytes input, Bytes, Room &room) override {
        room.need(m_signer->MaxSignatureLength());
        room.size = m_signer->SignMessage(m_random, input.data, input.size, room.data);
        return true;
    }
};

template <class Scheme> class Verifying final : public Object {
    std::unique_ptr<typename Scheme::Verifier> m_verifier;

public:
    void key(Bytes der) override {
        m_verifier = Reader<Scheme>::verifier(der);
    }
    size_t signature_bytes() const override { return m_verifier->SignatureLength(); }
    bool process(Bytes input, Bytes signature, Room &room) override {
        room.size = 0;
        try {
            return m_verifier->VerifyMessage(input.data, input.size, signature.data,
                                             signature.size);
        } catch (const Exception &) {
            return false;
        }
    }
};

template <class Scheme> class Encrypting final : public Object {
    AutoSeededRandomPool m_random;
    std::unique_ptr<typename Scheme::Encryptor> m_encryptor;

public:
    void key(Bytes der) override {
        RSA::PublicKey key;
        load(key, der);
        m_encryptor = std::make_unique<typename Scheme::Encryptor>(key);
    }
    bool process(Bytes input, Bytes, Room &room) override {
        const size_t bytes = m_encryptor->CiphertextLength(input.size);
        if (bytes == 0) throw Unsupported("a message so long");
        room.need(bytes);
        m_encryptor->Encrypt(m_random, input.data, input.size, room.data);
        room.size = bytes;
        return true;
    }
};

template <class Scheme> class Decrypting final : public Object {
    AutoSeededRandomPool m_random;
    std::unique_ptr<typename Scheme::Decryptor> m_decryptor;

public:
    void key(Bytes der) override {
        RSA::PrivateKey key;
        load(key, der);
        m_decryptor = std::make_unique<typename Scheme::Decryptor>(key);
    }
    bool process(Bytes input, Bytes, Room &room) override {
        room.need(m_decryptor->MaxPlaintextLength(input.size));
        const DecodingResult result =
            m_decryptor->Decrypt(m_random, input.data, input.size, room.data);
        room.size = result.messageLength;
        return result.isValidCoding;
    }
};

template <class Curve> class Multiple final : public Object {
    DL_GroupParameters_EC<Curve> m_group;
    typename Curve::Point m_point;
    Integer m_scalar;
    bool m_base;

public:
    Multiple(const OID &oid, Bytes point, Bytes scalar)
        : m_group(oid), m_scalar(scalar.data, scalar.size), m_base(point.size == 0) {
        if (!m_base && !m_group.GetCurve().DecodePoint(m_point, point.data, point.size))
            throw Unsupported("this point");
    }
    bool process(Bytes, Bytes, Room &room) override {
        const Curve &curve = m_group.GetCurve();
        const typename Curve::Point multiple = m_base
                                                   ? m_group.ExponentiateBase(m_scalar)
                                                   : curve.ScalarMultiply(m_point, m_scalar);
        room.need(curve.EncodedPointSize(false));
        room.size = curve.EncodedPointSize(false);
        curve.EncodePoint(room.data, multiple, false);
        return true;
    }
};

// The sum of a multiple of the base point and a multiple of any point.
template <class Curve> class Sum final : public Object {
    DL_GroupParameters_EC<Curve> m_group;
    DL_FixedBasePrecomputationImpl<typename Curve::Point> m_point;
    Integer m_base, m_scalar;

public:
    // The two factors have the same length, and stand one after the other.
    Sum(const OID &oid, Bytes point, Bytes scalars)
        : m_group(oid), m_base(scalars.data, scalars.size / 2),
          m_scalar(scalars.data + scalars.size / 2, scalars.size / 2) {
        typename Curve::Point other;
        if (!m_group.GetCurve().DecodePoint(other, point.data, point.size))
            throw Unsupported("this point");
        m_point.SetBase(m_group.GetGroupPrecomputation(), other);
    }
    bool process(Bytes, Bytes, Room &room) override {
        const Curve &curve = m_group.GetCurve();
        const typename Curve::Point sum = m_group.GetBasePrecomputation().CascadeExponentiate(
            m_group.GetGroupPrecomputation(), m_base, m_point, m_scalar);
        room.need(curve.EncodedPointSize(false));
        room.size = curve.EncodedPointSize(false);
        curve.EncodePoint(room.data, sum, false);
        return true;
    }
};

class X25519 final : public Object {
    std::string m_peer, m_own;
    std::unique_ptr<x25519> m_domain;

public:
    explicit X25519(Bytes peer) : m_peer(reinterpret_cast<const char *>(peer.data), peer.size) {
        if (peer.size != x25519::PUBLIC_KEYLENGTH) throw Unsupported("this public key");
    }
    void key(Bytes key) override {
        if (key.size != x25519::SECRET_KEYLENGTH) throw Unsupported("this private key");
        m_own.assign(reinterpret_cast<const char *>(key.data), key.size);
        m_domain = std::make_unique<x25519>(key.data);
    }
    bool process(Bytes, Bytes, Room &room) override {
        room.need(x25519::SHARED_KEYLENGTH);
        room.size = x25519::SHARED_KEYLENGTH;
        return m_domain->Agree(room.data, reinterpret_cast<const byte *>(m_own.data()),
                               reinterpret_cast<const byte *>(m_peer.data()), false);
    }
};

struct PrimeCurve {
    const char *id;
    OID (*oid)();
};
const PrimeCurve PRIME[] = {
    {"p192", ASN1::secp192r1},
    {"p224", ASN1::secp224r1},
    {"p256", ASN1::secp256r1},
    {"p384", ASN1::secp384r1},
    {"p521", ASN1::secp521r1},
    {"secp256k1", ASN1::secp256k1},
    {"brainpoolp256r1", ASN1::brainpoolP256r1},
    {"brainpoolp384r1", ASN1::brainpoolP384r1},
    {"brainpoolp512r1", ASN1::brainpoolP512r1},
};
const PrimeCurve BINARY[] = {
    {"k163", ASN1::sect163k1}, {"b163", ASN1::sect163r2}, {"k233", ASN1::sect233k1},
    {"b233", ASN1::sect233r1}, {"k283", ASN1::sect283k1}, {"b283", ASN1::sect283r1},
    {"k409", ASN1::sect409k1}, {"b409", ASN1::sect409r1}, {"k571", ASN1::sect571k1},
    {"b571", ASN1::sect571r1},
};

template <size_t N> const PrimeCurve *find(const PrimeCurve (&curves)[N], const std::string &id) {
    for (const PrimeCurve &curve : curves)
        if (id == curve.id) return &curve;
    return nullptr;
}

template <class Scheme> Object *signature(const std::string &operation) {
    if (operation == "sign") return new Signing<Scheme>;
    if (operation == "verify") return new Verifying<Scheme>;
    return nullptr;
}

// Returns an object that signs with the nonce of RFC 6979.
template <class Hash> Object *deterministic(const std::string &curve, const std::string &operation) {
    if (operation != "sign") return nullptr;
    if (find(PRIME, curve)) return new Signing<ECDSA_RFC6979<ECP, Hash>>;
    return nullptr;
}

template <class Hash> Object *ecdsa(const std::string &curve, const std::string &operation) {
    if (find(PRIME, curve)) return signature<ECDSA<ECP, Hash>>(operation);
    if (find(BINARY, curve)) return signature<ECDSA<EC2N, Hash>>(operation);
    return nullptr;
}

template <class Hash> Object *ecgdsa(const std::string &curve, const std::string &operation) {
    return find(PRIME, curve) ? signature<ECGDSA<ECP, Hash>>(operation) : nullptr;
}

template <class Hash> Object *ecnr(const std::string &curve, const std::string &operation) {
    return find(PRIME, curve) ? signature<ECNR<ECP, Hash>>(operation) : nullptr;
}

bool ends(const std::string &text, const std::string &end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

template <class Scheme> Object *encryption(const std::string &operation) {
    if (operation == "public-encrypt") return new Encrypting<Scheme>;
    if (operation == "private-decrypt") return new Decrypting<Scheme>;
    return nullptr;
}

Object *make(const std::string &primitive, const std::string &operation, Bytes peer, Bytes scalar) {
    if (primitive == "x25519") return operation == "agree" ? new X25519(peer) : nullptr;
    if (operation == "multiply-two") {
        if (const PrimeCurve *curve = find(PRIME, primitive))
            return new Sum<ECP>(curve->oid(), peer, scalar);
        if (const PrimeCurve *curve = find(BINARY, primitive))
            return new Sum<EC2N>(curve->oid(), peer, scalar);
        return nullptr;
    }
    if (operation == "multiply-base" || operation == "multiply-point") {
        if (const PrimeCurve *curve = find(PRIME, primitive))
            return new Multiple<ECP>(curve->oid(), peer, scalar);
        if (const PrimeCurve *curve = find(BINARY, primitive))
            return new Multiple<EC2N>(curve->oid(), peer, scalar);
        return nullptr;
    }
    if (primitive.rfind("rsa-", 0) == 0) {
        if (ends(primitive, "-pkcs1-sha-256"))
            return signature<RSASS<PKCS1v15, SHA256>>(operation);
        if (ends(primitive, "-pss-sha-256"))
            return signature<RSASS<PSS, SHA256>>(operation);
        if (ends(primitive, "-oaep-sha-256"))
            return encryption<RSAES<OAEP<SHA256>>>(operation);
        if (ends(primitive, "-pkcs1")) return encryption<RSAES<PKCS1v15>>(operation);
        return nullptr;
    }
    if (primitive.rfind("dsa-", 0) == 0) {
        if (ends(primitive, "-sha-256")) return signature<DSA2<SHA256>>(operation);
        return nullptr;
    }
    if (primitive.rfind("ecgdsa-", 0) == 0) {
        const std::string rest = primitive.substr(7);
        const std::string curve = rest.substr(0, rest.find('-'));
        if (ends(rest, "-sha-256")) return ecgdsa<SHA256>(curve, operation);
        if (ends(rest, "-sha-384")) return ecgdsa<SHA384>(curve, operation);
        if (ends(rest, "-sha-512")) return ecgdsa<SHA512>(curve, operation);
        return nullptr;
    }
    if (primitive.rfind("ecnr-", 0) == 0) {
        const std::string rest = primitive.substr(5);
        const std::string curve = rest.substr(0, rest.find('-'));
        return ends(rest, "-sha-224") ? ecnr<SHA224>(curve, operation) : nullptr;
    }
    if (primitive.rfind("ecdsa-", 0) == 0) {
        const std::string rest = primitive.substr(6);
        const std::string curve = rest.substr(0, rest.find('-'));
        if (ends(rest, "-sha-1-deterministic")) return deterministic<SHA1>(curve, operation);
        if (ends(rest, "-sha-224-deterministic")) return deterministic<SHA224>(curve, operation);
        if (ends(rest, "-sha-256-deterministic")) return deterministic<SHA256>(curve, operation);
        if (ends(rest, "-sha-384-deterministic")) return deterministic<SHA384>(curve, operation);
        if (ends(rest, "-sha-512-deterministic")) return deterministic<SHA512>(curve, operation);
        if (ends(rest, "-sha-1")) return ecdsa<SHA1>(curve, operation);
        if (ends(rest, "-sha-224")) return ecdsa<SHA224>(curve, operation);
        if (ends(rest, "-sha-256")) return ecdsa<SHA256>(curve, operation);
        if (ends(rest, "-sha-384")) return ecdsa<SHA384>(curve, operation);
        if (ends(rest, "-sha-512")) return ecdsa<SHA512>(curve, operation);
    }
    return nullptr;
}

} // namespace

extern "C" {

void *touchstone_integer_new(int negative, const uint8_t *magnitude, size_t bytes) {
    void *made = nullptr;
    guarded([&] {
        auto integer = std::make_unique<Integer>(magnitude, bytes);
        if (negative) integer->Negate();
        made = integer.release();
        return TOUCHSTONE_OK;
    });
    return made;
}

void touchstone_integer_free(void *integer) { delete static_cast<Integer *>(integer); }

int touchstone_integer_is_negative(const void *integer) {
    return static_cast<const Integer *>(integer)->IsNegative();
}

int touchstone_integer_write(const void *integer, uint8_t *bytes, size_t count) {
    return guarded([&] {
        const Integer magnitude = static_cast<const Integer *>(integer)->AbsoluteValue();
        if (magnitude.ByteCount() > count) throw std::length_error("a result that is too long");
        magnitude.Encode(bytes, count);
        return TOUCHSTONE_OK;
    });
}

int touchstone_integer_calculate(int what, void *const *operands, void *const *results) {
    return guarded([&] { return static_cast<touchstone_status>(calculate(what, operands, results)); });
}

int touchstone_public_new(const char *primitive, const char *operation, const uint8_t *peer,
                          size_t peer_bytes, const uint8_t *scalar, size_t scalar_bytes,
                          void **object) {
    return guarded([&] {
        *object = make(primitive, operation, {peer, peer_bytes}, {scalar, scalar_bytes});
        if (*object == nullptr) throw Unsupported("this operation");
        return TOUCHSTONE_OK;
    });
}

int touchstone_public_key(void *object, const uint8_t *key, size_t bytes) {
    return guarded([&] {
        static_cast<Object *>(object)->key({key, bytes});
        return TOUCHSTONE_OK;
    });
}

size_t touchstone_public_signature_bytes(const void *object) {
    return static_cast<const Object *>(object)->signature_bytes();
}

int touchstone_public_process(void *object, const uint8_t *input, size_t bytes,
                              const uint8_t *signature, size_t signature_bytes, uint8_t *output,
                              size_t *written) {
    return guarded([&] {
        Room room{output, *written};
        const bool genuine =
            static_cast<Object *>(object)->process({input, bytes}, {signature, signature_bytes}, room);
        *written = room.size;
        return genuine ? TOUCHSTONE_OK : TOUCHSTONE_REJECTED;
    });
}

void touchstone_public_free(void *object) { delete static_cast<Object *>(object); }

} // extern "C"
