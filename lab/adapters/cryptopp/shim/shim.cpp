// Crypto++ behind a C interface: one small class template for each kind of operation, and a
// table with one row for each primitive and operation.
//
// No exception leaves this file. Each call through the interface makes one virtual call. A
// program that holds Crypto++'s objects by their abstract bases has the same cost.

#include "shim.h"

#include "reason.h"

#define CRYPTOPP_ENABLE_NAMESPACE_WEAK 1
#include <cryptopp/aes.h>
#include <cryptopp/arc4.h>
#include <cryptopp/aria.h>
#include <cryptopp/blake2.h>
#include <cryptopp/blowfish.h>
#include <cryptopp/camellia.h>
#include <cryptopp/cast.h>
#include <cryptopp/cbcmac.h>
#include <cryptopp/ccm.h>
#include <cryptopp/chacha.h>
#include <cryptopp/chachapoly.h>
#include <cryptopp/cmac.h>
#include <cryptopp/cpu.h>
#include <cryptopp/des.h>
#include <cryptopp/eax.h>
#include <cryptopp/gcm.h>
#include <cryptopp/gost.h>
#include <cryptopp/hc128.h>
#include <cryptopp/hc256.h>
#include <cryptopp/hight.h>
#include <cryptopp/hkdf.h>
#include <cryptopp/hmac.h>
#include <cryptopp/idea.h>
#include <cryptopp/kalyna.h>
#include <cryptopp/keccak.h>
#include <cryptopp/lea.h>
#include <cryptopp/md2.h>
#include <cryptopp/md4.h>
#include <cryptopp/md5.h>
#include <cryptopp/modes.h>
#include <cryptopp/panama.h>
#include <cryptopp/poly1305.h>
#include <cryptopp/pwdbased.h>
#include <cryptopp/rabbit.h>
#include <cryptopp/rc2.h>
#include <cryptopp/rc5.h>
#include <cryptopp/ripemd.h>
#include <cryptopp/salsa.h>
#include <cryptopp/scrypt.h>
#include <cryptopp/seed.h>
#include <cryptopp/serpent.h>
#include <cryptopp/sha.h>
#include <cryptopp/sha3.h>
#include <cryptopp/shacal2.h>
#include <cryptopp/shake.h>
#include <cryptopp/shark.h>
#include <cryptopp/simon.h>
#include <cryptopp/siphash.h>
#include <cryptopp/skipjack.h>
#include <cryptopp/sm3.h>
#include <cryptopp/sm4.h>
#include <cryptopp/sosemanuk.h>
#include <cryptopp/speck.h>
#include <cryptopp/square.h>
#include <cryptopp/tea.h>
#include <cryptopp/threefish.h>
#include <cryptopp/tiger.h>
#include <cryptopp/twofish.h>
#include <cryptopp/vmac.h>
#include <cryptopp/whrlpool.h>
#include <cryptopp/xts.h>

#include <climits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace CryptoPP;
using Work = touchstone_work;
using Message = touchstone_message;

using touchstone::guarded;
using touchstone::Unsupported;

[[noreturn]] void refuse(const char *what, size_t bytes) {
    throw Unsupported(std::string(what) + " of " + std::to_string(bytes) + " bytes");
}

int to_int(uint64_t value) {
    if (value > INT_MAX) throw Unsupported("a parameter beyond int");
    return static_cast<int>(value);
}

// Crypto++ sets the key together with an IV. This IV of zeros is used until the first message,
// which has its own IV.
const byte NO_IV[256] = {};

class Object {
public:
    virtual ~Object() = default;
    virtual void key(const byte *, size_t) {}
    // Returns false for a forgery.
    virtual bool process(const Message &message, byte *out, size_t &written) = 0;
};

struct Row {
    std::string primitive, operation, api, kernel, note;
    // The key's length in bytes if the primitive's id fixes the length, otherwise 0.
    size_t key = 0;
    // A number that `make` uses, such as the digest's length or the default number of rounds.
    int number = 0;
    // Whether the caller may choose the rounds, although the primitive's default is also the
    // library's default.
    bool rounds = false;
    Object *(*make)(const Row &, const Work &) = nullptr;
};

// Parameters of SetKey besides the key.
class Extra {
    AlgorithmParameters m_given;
    bool m_any = false;

public:
    void add(const char *name, uint64_t value) {
        m_given(name, to_int(value), false);
        m_any = true;
    }

    void add_block(uint64_t number) {
        m_given("InitialBlock", static_cast<word64>(number), false);
        m_any = true;
    }

    // `iv` is the IV that is set with the key, before the first message has set its own IV.
    void set_key(SimpleKeyingInterface &object, const byte *key, size_t bytes, size_t iv_bytes,
                 const byte *iv = NO_IV) const {
        if (iv_bytes == 0) {
            if (m_any)
                object.SetKey(key, bytes, m_given);
            else
                object.SetKey(key, bytes);
        } else if (m_any) {
            const AlgorithmParameters with_iv =
                MakeParameters(Name::IV(), ConstByteArrayParameter(iv, iv_bytes), false);
            object.SetKey(key, bytes, CombinedNameValuePairs(m_given, with_iv));
        } else {
            object.SetKeyWithIV(key, bytes, iv, iv_bytes);
        }
    }
};

// Adds the cost parameters that change a block cipher.
void add_cipher_costs(Extra &extra, const Row &row, const Work &work) {
    if (row.number != 0)
        extra.add(Name::Rounds(), work.rounds != 0 ? work.rounds : row.number);
    else if (work.rounds != 0 && row.rounds)
        extra.add(Name::Rounds(), work.rounds);
    else if (work.rounds != 0)
        throw Unsupported("a choice of rounds");
    if (row.primitive == "rc2")
        extra.add(Name::EffectiveKeyLength(),
                  work.effective_bits != 0 ? work.effective_bits : work.key * 8);
}

void need_key(const Row &row, size_t key, size_t keys = 1) {
    if (row.key != 0 && key != row.key * keys) refuse("a key", key);
}

enum class Pieces {
    Blocks, // The message is whole blocks.
    Any,    // The message has any length, and is processed in one call.
    Steal,  // Ciphertext stealing: the last piece is a separate call.
    Tweak   // Ciphertext stealing, only if the message is not whole blocks.
};

// A mode with a cipher that has no key yet. The constructor of Crypto++'s own class takes only a
// cipher with a key, for the modes that have an IV.
template <class M> struct Unkeyed final : M {
    explicit Unkeyed(BlockCipher &cipher) {
        this->m_cipher = &cipher;
        this->ResizeBuffers();
    }
};

// The modes from ECB to XTS: Resynchronize, then ProcessData, and then ProcessLastBlock for
// ciphertext stealing. Except for XTS, the mode's class does not depend on the cipher: Crypto++'s
// modes call their cipher by its abstract base in any case, and a compiler needed half a minute
// for a class for each pair of cipher and mode.
template <class M, Pieces PIECES> class Mode final : public Object {
    // The cipher of the mode, which must live longer than the mode. XTS has its own two.
    std::unique_ptr<BlockCipher> m_cipher;
    M m_mode;
    Extra m_extra;
    size_t m_iv, m_block;

public:
    template <class... CIPHER>
    Mode(const Row &row, const Work &work, bool bytes, std::unique_ptr<BlockCipher> holder,
         CIPHER &...cipher)
        : m_cipher(std::move(holder)), m_mode(cipher...),
          m_iv(m_mode.IsResynchronizable() ? m_mode.IVSize() : 0),
          m_block(m_mode.MandatoryBlockSize()) {
        need_key(row, work.key, PIECES == Pieces::Tweak ? 2 : 1);
        if (work.nonce != m_iv) refuse("an IV", work.nonce);
        if (PIECES == Pieces::Steal || PIECES == Pieces::Tweak) m_block = m_iv;
        if ((PIECES == Pieces::Blocks && work.input % m_block != 0) ||
            (PIECES == Pieces::Steal && work.input <= m_block) ||
            (PIECES == Pieces::Tweak && work.input < m_block))
            refuse("a message", work.input);
        add_cipher_costs(m_extra, row, work);
        if (bytes) m_extra.add(Name::FeedbackSize(), 1);
    }

    void key(const byte *key, size_t bytes) override {
        m_extra.set_key(m_mode, key, bytes, m_iv);
    }

    bool process(const Message &m, byte *out, size_t &written) override {
        if (m_iv != 0) m_mode.Resynchronize(m.nonce, static_cast<int>(m.nonce_bytes));
        size_t last = 0;
        if (PIECES == Pieces::Steal || PIECES == Pieces::Tweak) {
            last = m.input_bytes % m_block;
            if (last != 0)
                last += m_block;
            else if (PIECES == Pieces::Steal)
                last = 2 * m_block;
        }
        const size_t first = m.input_bytes - last;
        m_mode.ProcessData(out, m.input, first);
        if (last != 0) m_mode.ProcessLastBlock(out + first, last, m.input + first, last);
        written = m.input_bytes;
        return true;
    }
};

// `C` is the cipher in the direction that the mode needs.
template <class M, Pieces PIECES, class C, bool BYTES = false>
Object *make_mode(const Row &row, const Work &work) {
    std::unique_ptr<BlockCipher> cipher(new C);
    BlockCipher &borrowed = *cipher;
    return new Mode<Unkeyed<M>, PIECES>(row, work, BYTES, std::move(cipher), borrowed);
}

template <class M> Object *make_xts(const Row &row, const Work &work) {
    return new Mode<M, Pieces::Tweak>(row, work, false, nullptr);
}

// GCM, CCM, EAX and ChaCha20-Poly1305: the functions that process a message in one call.
template <class M, bool ENCRYPT> class Aead final : public Object {
    M m_mode;
    Extra m_extra;
    size_t m_iv, m_tag;

public:
    Aead(const Row &row, const Work &work)
        : m_iv(work.nonce), m_tag(work.tag == SIZE_MAX ? m_mode.DigestSize() : work.tag) {
        need_key(row, work.key);
        add_cipher_costs(m_extra, row, work);
        // CCM's first block depends on the tag's length. The other modes cut a full tag.
        if (row.operation.compare(0, 3, "ccm") == 0) {
            if (m_tag < 4 || m_tag > 16 || m_tag % 2 != 0) refuse("a tag", m_tag);
            m_extra.add(Name::DigestSize(), m_tag);
        } else if (m_tag == 0 || m_tag > m_mode.DigestSize()) {
            refuse("a tag", m_tag);
        }
        if (m_iv == 0 || m_iv < m_mode.MinIVLength() || m_iv > m_mode.MaxIVLength())
            refuse("a nonce", m_iv);
    }

    // These modes accept a key without an IV. EAX gives wrong answers if an IV is replaced
    // before a message began with it.
    void key(const byte *key, size_t bytes) override {
        m_extra.set_key(m_mode, key, bytes, m_iv, nullptr);
    }

    bool process(const Message &m, byte *out, size_t &written) override {
        const int iv = static_cast<int>(m.nonce_bytes);
        if (ENCRYPT) {
            m_mode.EncryptAndAuthenticate(out, out + m.input_bytes, m_tag, m.nonce, iv, m.aad,
                                          m.aad_bytes, m.input, m.input_bytes);
            written = m.input_bytes + m_tag;
            return true;
        }
        if (m.input_bytes < m_tag) return false;
        written = m.input_bytes - m_tag;
        return m_mode.DecryptAndVerify(out, m.input + written, m_tag, m.nonce, iv, m.aad,
                                       m.aad_bytes, m.input, written);
    }
};

template <class M, bool ENCRYPT> Object *make_aead(const Row &row, const Work &work) {
    return new Aead<M, ENCRYPT>(row, work);
}

// GMAC is GCM with associated data and an empty message.
template <class M> class Gmac final : public Object {
    M m_mode;
    size_t m_iv, m_tag;

public:
    Gmac(const Row &row, const Work &work)
        : m_iv(work.nonce), m_tag(work.tag == SIZE_MAX ? m_mode.DigestSize() : work.tag) {
        need_key(row, work.key);
        if (m_iv == 0) refuse("a nonce", m_iv);
        if (m_tag == 0 || m_tag > m_mode.DigestSize()) refuse("a tag", m_tag);
    }

    void key(const byte *key, size_t bytes) override {
        m_mode.SetKeyWithIV(key, bytes, nullptr, m_iv);
    }

    bool process(const Message &m, byte *out, size_t &written) override {
        m_mode.EncryptAndAuthenticate(out, out, m_tag, m.nonce, static_cast<int>(m.nonce_bytes),
                                      m.input, m.input_bytes, nullptr, 0);
        written = m_tag;
        return true;
    }
};

template <class M> Object *make_gmac(const Row &row, const Work &work) {
    return new Gmac<M>(row, work);
}

// Stream ciphers. Without an IV, each message continues the keystream of the previous one. Some
// classes take the number of the first block as a parameter of the key (XChaCha20's default is
// 1). For the other classes the shim calls Seek.
template <class C, bool COUNTS> class Stream final : public Object {
    C m_cipher;
    Extra m_extra;
    size_t m_iv, m_keystream;
    uint64_t m_seek;

public:
    Stream(const Row &row, const Work &work)
        : m_iv(m_cipher.IsResynchronizable() ? m_cipher.IVSize() : 0),
          m_keystream(row.operation == "stream-keystream" ? work.length : SIZE_MAX),
          m_seek(COUNTS ? 0 : work.counter * 64) {
        need_key(row, work.key);
        if (COUNTS) {
            if (work.counter >> 32 != 0) throw Unsupported("so late a block");
            m_extra.add_block(work.counter);
        }
        if (work.nonce != m_iv) refuse("a nonce", work.nonce);
        if (work.counter >> 57 != 0) throw Unsupported("so late a block");
        if (m_seek != 0 && !m_cipher.IsRandomAccess())
            throw Unsupported("a first block other than 0");
        if (work.drop != 0 && row.primitive != "rc4")
            throw Unsupported("dropping keystream");
        if (work.drop != 0) m_extra.add("DiscardBytes", work.drop);
        if (row.number != 0) m_extra.add(Name::Rounds(), row.number);
        if (work.rounds != 0) throw Unsupported("a choice of rounds");
    }

    void key(const byte *key, size_t bytes) override {
        m_extra.set_key(m_cipher, key, bytes, m_iv);
    }

    bool process(const Message &m, byte *out, size_t &written) override {
        if (m_iv != 0) m_cipher.Resynchronize(m.nonce, static_cast<int>(m.nonce_bytes));
        if (m_seek != 0) m_cipher.Seek(m_seek);
        if (m_keystream != SIZE_MAX) {
            m_cipher.GenerateBlock(out, m_keystream);
            written = m_keystream;
        } else {
            m_cipher.ProcessData(out, m.input, m.input_bytes);
            written = m.input_bytes;
        }
        return true;
    }
};

template <class C, bool COUNTS = false> Object *make_stream(const Row &row, const Work &work) {
    return new Stream<typename C::Encryption, COUNTS>(row, work);
}

// A primitive that two classes of Crypto++ implement. The nonce's length selects the class.
template <class C, class OTHER, bool COUNTS, size_t NONCE>
Object *make_stream_by_nonce(const Row &row, const Work &work) {
    return work.nonce == NONCE ? make_stream<OTHER, COUNTS>(row, work)
                               : make_stream<C>(row, work);
}

template <class H> class Hash final : public Object {
    H m_hash;
    size_t m_size;

public:
    template <class... ARGUMENTS>
    explicit Hash(size_t size, ARGUMENTS... arguments) : m_hash(arguments...), m_size(size) {}

    bool process(const Message &m, byte *out, size_t &written) override {
        m_hash.CalculateTruncatedDigest(out, m_size, m.input, m.input_bytes);
        written = m_size;
        return true;
    }
};

template <class H> Object *make_hash(const Row &, const Work &) {
    return new Hash<H>(H::DIGESTSIZE);
}

// Hashes whose constructor takes the digest's length.
template <class H> Object *make_sized_hash(const Row &row, const Work &) {
    return new Hash<H>(row.number, static_cast<unsigned int>(row.number));
}

template <class H> Object *make_xof(const Row &, const Work &work) {
    const size_t size = work.length != 0 ? work.length : 32;
    return new Hash<H>(size, static_cast<unsigned int>(to_int(size)));
}

// MACs, with or without a nonce.
template <class M> class Mac final : public Object {
    M m_mac;
    Extra m_extra;
    size_t m_iv, m_tag;

public:
    Mac(const Row &row, const Work &work)
        : m_iv(work.nonce), m_tag(work.tag == SIZE_MAX ? m_mac.DigestSize() : work.tag) {
        need_key(row, work.key);
        add_cipher_costs(m_extra, row, work);
        const bool takes = m_mac.IsResynchronizable();
        if (takes != (m_iv != 0)) refuse("a nonce", m_iv);
        if (takes && (m_iv < m_mac.MinIVLength() || m_iv > m_mac.MaxIVLength()))
            refuse("a nonce", m_iv);
        if (m_tag == 0 || m_tag > m_mac.DigestSize()) refuse("a tag", m_tag);
    }

    void key(const byte *key, size_t bytes) override {
        m_extra.set_key(m_mac, key, bytes, m_iv);
    }

    bool process(const Message &m, byte *out, size_t &written) override {
        if (m_iv != 0) m_mac.Resynchronize(m.nonce, static_cast<int>(m.nonce_bytes));
        m_mac.CalculateTruncatedDigest(out, m_tag, m.input, m.input_bytes);
        written = m_tag;
        return true;
    }
};

template <class M> Object *make_mac(const Row &row, const Work &work) {
    return new Mac<M>(row, work);
}

// VMAC. The object knows its tag's length only after its key is set, so the table has the
// length. With the 64-bit tag, Resynchronize wrongly keeps the pad of the last nonce (Crypto++
// 8.7), so each message sets the key again.
template <class M, bool REKEY> class Vmac final : public Object {
    M m_mac;
    SecByteBlock m_key;
    size_t m_iv, m_tag;

public:
    Vmac(const Row &row, const Work &work)
        : m_iv(work.nonce), m_tag(work.tag == SIZE_MAX ? row.number : work.tag) {
        if (m_iv < m_mac.MinIVLength() || m_iv > m_mac.MaxIVLength()) refuse("a nonce", m_iv);
        if (m_tag == 0 || m_tag > size_t(row.number)) refuse("a tag", m_tag);
    }

    void key(const byte *key, size_t bytes) override {
        if (REKEY) m_key.Assign(key, bytes);
        m_mac.SetKeyWithIV(key, bytes, NO_IV, m_iv);
    }

    bool process(const Message &m, byte *out, size_t &written) override {
        if (REKEY)
            m_mac.SetKeyWithIV(m_key, m_key.size(), m.nonce, m.nonce_bytes);
        else
            m_mac.Resynchronize(m.nonce, static_cast<int>(m.nonce_bytes));
        m_mac.CalculateTruncatedDigest(out, m_tag, m.input, m.input_bytes);
        written = m_tag;
        return true;
    }
};

template <class M, bool REKEY> Object *make_vmac(const Row &row, const Work &work) {
    return new Vmac<M, REKEY>(row, work);
}

// BLAKE2 with a key. The tag's length is a parameter of the object.
template <class H> class Blake2Mac final : public Object {
    H m_mac;
    size_t m_tag;

    static size_t tag(const Work &work) {
        const size_t most = H::DIGESTSIZE;
        if (work.nonce != 0) refuse("a nonce", work.nonce);
        if (work.tag == SIZE_MAX) return most;
        if (work.tag == 0 || work.tag > most) refuse("a tag", work.tag);
        return work.tag;
    }

public:
    explicit Blake2Mac(const Work &work)
        : m_mac(false, static_cast<unsigned int>(tag(work))), m_tag(tag(work)) {}

    void key(const byte *key, size_t bytes) override { m_mac.SetKey(key, bytes); }

    bool process(const Message &m, byte *out, size_t &written) override {
        m_mac.CalculateTruncatedDigest(out, m_tag, m.input, m.input_bytes);
        written = m_tag;
        return true;
    }
};

template <class H> Object *make_blake2_mac(const Row &, const Work &work) {
    return new Blake2Mac<H>(work);
}

template <class H> class Hkdf final : public Object {
    HKDF<H> m_kdf;
    size_t m_length;

public:
    explicit Hkdf(size_t length) : m_length(length) {}

    bool process(const Message &m, byte *out, size_t &written) override {
        written = m_kdf.DeriveKey(out, m_length, m.input, m.input_bytes, m.nonce, m.nonce_bytes,
                                  m.aad, m.aad_bytes);
        written = m_length;
        return true;
    }
};

template <class H> Object *make_hkdf(const Row &, const Work &work) {
    if (work.length > 255 * size_t(H::DIGESTSIZE)) refuse("an output", work.length);
    return new Hkdf<H>(work.length);
}

template <class H> class Pbkdf2 final : public Object {
    PKCS5_PBKDF2_HMAC<H> m_kdf;
    size_t m_length;
    unsigned int m_iterations;

public:
    Pbkdf2(size_t length, uint64_t iterations)
        : m_length(length), m_iterations(static_cast<unsigned int>(to_int(iterations))) {}

    bool process(const Message &m, byte *out, size_t &written) override {
        const byte purpose = 0; // PBKDF2 does not use this byte.
        m_kdf.DeriveKey(out, m_length, purpose, m.input, m.input_bytes, m.nonce, m.nonce_bytes,
                        m_iterations);
        written = m_length;
        return true;
    }
};

template <class H> Object *make_pbkdf2(const Row &, const Work &work) {
    // Crypto++ treats 0 iterations as 1.
    if (work.iterations == 0) throw Unsupported("0 iterations");
    return new Pbkdf2<H>(work.length, work.iterations);
}

class ScryptKdf final : public Object {
    Scrypt m_kdf;
    Work m_work;

public:
    explicit ScryptKdf(const Work &work) : m_work(work) {}

    bool process(const Message &m, byte *out, size_t &written) override {
        m_kdf.DeriveKey(out, m_work.length, m.input, m.input_bytes, m.nonce, m.nonce_bytes,
                        m_work.n, m_work.r, m_work.p);
        written = m_work.length;
        return true;
    }
};

Object *make_scrypt(const Row &, const Work &work) { return new ScryptKdf(work); }

// ---- The table -------------------------------------------------------------

class Table {
    std::vector<Row> m_rows;

    // Adds a row whose key length, rounds and kernel are not set.
    Row &add(const char *primitive, const std::string &operation, const char *api,
             Object *(*make)(const Row &, const Work &)) {
        Row row;
        row.primitive = primitive;
        row.operation = operation;
        row.api = api;
        row.make = make;
        m_rows.push_back(row);
        return m_rows.back();
    }

    // `ids` has the primitives with the key length that each id fixes. `OVER_16` means that the
    // cipher's blocks have 16 bytes, which XTS, GCM and CCM need.
    template <class C, bool OVER_16>
    void block(std::initializer_list<std::pair<const char *, size_t>> ids, int rounds = 0,
               const char *remark = "") {
        // Some ciphers hide the method that the base class shows.
        const typename C::Encryption cipher;
        const std::string kernel = static_cast<const Algorithm &>(cipher).AlgorithmProvider();
        for (const auto &id : ids) {
            auto row = [&](const char *operation, const char *api,
                           Object *(*make)(const Row &, const Work &), const char *note = "") {
                Row &made = add(id.first, operation, api, make);
                made.key = id.second;
                made.kernel = kernel;
                made.number = rounds;
                made.rounds = made.primitive == "tea" || made.primitive == "xtea";
                made.note = *remark != 0 ? remark : note;
            };
            constexpr auto Blocks = Pieces::Blocks, Any = Pieces::Any, Steal = Pieces::Steal;
            using Ecb = ECB_Mode_ExternalCipher;
            using Cbc = CBC_Mode_ExternalCipher;
            using Cfb = CFB_Mode_ExternalCipher;
            using Ofb = OFB_Mode_ExternalCipher;
            using Ctr = CTR_Mode_ExternalCipher;
            using Cts = CBC_CTS_Mode_ExternalCipher;
            using Forward = typename C::Encryption;
            using Backward = typename C::Decryption;
            const char *ecb = "ECB_Mode::ProcessData";
            row("ecb-encrypt", ecb, make_mode<Ecb::Encryption, Blocks, Forward>);
            row("ecb-decrypt", ecb, make_mode<Ecb::Decryption, Blocks, Backward>);
            const char *cbc = "CBC_Mode::Resynchronize, ProcessData";
            row("cbc-encrypt", cbc, make_mode<Cbc::Encryption, Blocks, Forward>);
            row("cbc-decrypt", cbc, make_mode<Cbc::Decryption, Blocks, Backward>);
            const char *cfb = "CFB_Mode::Resynchronize, ProcessData";
            row("cfb-encrypt", cfb, make_mode<Cfb::Encryption, Any, Forward>);
            row("cfb-decrypt", cfb, make_mode<Cfb::Decryption, Any, Forward>);
            row("cfb8-encrypt", cfb, make_mode<Cfb::Encryption, Any, Forward, true>);
            row("cfb8-decrypt", cfb, make_mode<Cfb::Decryption, Any, Forward, true>);
            row("ofb-encrypt", "OFB_Mode::Resynchronize, ProcessData",
                make_mode<Ofb::Encryption, Any, Forward>);
            row("ctr-encrypt", "CTR_Mode::Resynchronize, ProcessData",
                make_mode<Ctr::Encryption, Any, Forward>);
            const char *cts = "CBC_CTS_Mode::Resynchronize, ProcessData, ProcessLastBlock";
            row("cbc-cs3-encrypt", cts, make_mode<Cts::Encryption, Steal, Forward>);
            row("cbc-cs3-decrypt", cts, make_mode<Cts::Decryption, Steal, Backward>);
            const char *seal = "EncryptAndAuthenticate", *open = "DecryptAndVerify";
            row("eax-encrypt", seal, make_aead<typename EAX<C>::Encryption, true>);
            row("eax-decrypt", open, make_aead<typename EAX<C>::Decryption, false>);
            row("cmac", "CMAC::CalculateTruncatedDigest", make_mac<CMAC<C>>);
            row("cbc-mac", "CBC_MAC::CalculateTruncatedDigest", make_mac<CBC_MAC<C>>);
            if constexpr (OVER_16) {
                const char *xts = "XTS_Mode::Resynchronize, ProcessData, ProcessLastBlock";
                row("xts-encrypt", xts, make_xts<typename XTS_Mode<C>::Encryption>);
                row("xts-decrypt", xts, make_xts<typename XTS_Mode<C>::Decryption>);
                const char *small = "with the 2 KiB tables that are the default";
                row("gcm-encrypt", seal, make_aead<typename GCM<C>::Encryption, true>, small);
                row("gcm-decrypt", open, make_aead<typename GCM<C>::Decryption, false>, small);
                row("ccm-encrypt", seal, make_aead<typename CCM<C>::Encryption, true>);
                row("ccm-decrypt", open, make_aead<typename CCM<C>::Decryption, false>);
                row("gmac", seal, make_gmac<typename GCM<C>::Encryption>,
                    "GCM over associated data alone");
            }
        }
    }

    template <class C>
    void stream(const char *id, size_t key, Object *(*make)(const Row &, const Work &),
                int rounds = 0, const char *note = "") {
        for (const char *operation : {"stream-encrypt", "stream-keystream"}) {
            const bool encrypt = std::string(operation) == "stream-encrypt";
            Row &row = add(id, operation, encrypt ? "ProcessData" : "GenerateBlock", make);
            const typename C::Encryption cipher;
            row.kernel = static_cast<const SymmetricCipher &>(cipher).AlgorithmProvider();
            row.key = key;
            row.number = rounds;
            row.note = note;
        }
    }

    // Adds a hash, and the algorithms that Crypto++ builds from any hash.
    template <class H> void hash(const char *id) {
        const std::string kernel = H().AlgorithmProvider();
        Object *(*const makers[])(const Row &, const Work &) = {
            make_hash<H>, make_mac<HMAC<H>>, make_hkdf<H>, make_pbkdf2<H>};
        const std::string name = id;
        const char *digest = "CalculateTruncatedDigest", *derive = "DeriveKey";
        add(id, "hash", digest, makers[0]).kernel = kernel;
        add(("hmac-" + name).c_str(), "mac", digest, makers[1]).kernel = kernel;
        add(("hkdf-" + name).c_str(), "derive", derive, makers[2]).kernel = kernel;
        add(("pbkdf2-hmac-" + name).c_str(), "derive", derive, makers[3]).kernel = kernel;
    }

    template <class H> void sized_hash(const char *id, int bytes) {
        Row &row = add(id, "hash", "CalculateTruncatedDigest", make_sized_hash<H>);
        row.kernel = H().AlgorithmProvider();
        row.number = bytes;
    }

    template <class M> void mac(const char *id, size_t key) {
        Row &row = add(id, "mac", "CalculateTruncatedDigest", make_mac<M>);
        row.kernel = M().AlgorithmProvider();
        row.key = key;
    }

    template <class H> void blake2_mac(const char *id) {
        add(id, "mac", "CalculateTruncatedDigest", make_blake2_mac<H>).kernel =
            H().AlgorithmProvider();
    }

    template <class C> void aead(const char *id, size_t key) {
        add(id, "aead-encrypt", "EncryptAndAuthenticate",
            make_aead<typename C::Encryption, true>)
            .key = key;
        add(id, "aead-decrypt", "DecryptAndVerify", make_aead<typename C::Decryption, false>)
            .key = key;
    }

public:
    Table() {
        block<AES, true>({{"aes-128", 16}, {"aes-192", 24}, {"aes-256", 32}});
        block<ARIA, true>({{"aria-128", 16}, {"aria-192", 24}, {"aria-256", 32}});
        block<Camellia, true>({{"camellia-128", 16}, {"camellia-192", 24}, {"camellia-256", 32}});
        block<Twofish, true>({{"twofish-128", 16}, {"twofish-192", 24}, {"twofish-256", 32}});
        block<Serpent, true>({{"serpent-128", 16}, {"serpent-192", 24}, {"serpent-256", 32}});
        block<SM4, true>({{"sm4", 16}});
        block<SEED, true>({{"seed", 16}});
        block<CAST256, true>({{"cast6", 0}});
        block<DES, false>({{"des", 8}});
        block<DES_EDE2, false>({{"des-ede2", 16}});
        block<DES_EDE3, false>({{"des-ede3", 24}});
        block<Blowfish, false>({{"blowfish", 0}});
        block<CAST128, false>({{"cast5", 0}});
        block<IDEA, false>({{"idea", 16}});
        block<RC2, false>({{"rc2", 0}});
        block<RC5, false>({{"rc5-32-12", 0}}, 12);
        // This is the S-box from the example of GOST R 34.11-94, not CryptoPro-A.
        block<GOST, false>({{"gost28147-test", 32}});
        block<SHACAL2, false>({{"shacal2", 0}});
        block<SKIPJACK, false>({{"skipjack", 10}}, 0,
                               "Crypto++ reads keys and blocks from the back: other answers than "
                               "NIST's");
        block<TEA, false>({{"tea", 16}});
        block<XTEA, false>({{"xtea", 16}});
        block<LEA, true>({{"lea-128", 16}, {"lea-192", 24}, {"lea-256", 32}});
        block<HIGHT, false>({{"hight", 16}});
        block<SIMON64, false>({{"simon-64", 0}});
        block<SPECK64, false>({{"speck-64", 0}});
        block<Square, true>({{"square", 16}});
        block<SHARK, false>({{"shark", 16}});
        block<Kalyna128, true>({{"kalyna-128", 16}, {"kalyna-256", 32}});
        block<Kalyna256, false>({{"kalyna-256-256", 32}, {"kalyna-256-512", 64}});
        block<Kalyna512, false>({{"kalyna-512-512", 64}});
        block<Threefish256, false>({{"threefish-256", 32}});
        block<Threefish512, false>({{"threefish-512", 64}});
        block<Threefish1024, false>({{"threefish-1024", 128}});

        const char *goes_on = "no IV: each message goes on where the last ended";
        stream<Weak::ARC4>("rc4", 0, make_stream<Weak::ARC4>, 0, goes_on);
        stream<Salsa20>("salsa20", 0, make_stream<Salsa20>);
        stream<Salsa20>("salsa20-12", 0, make_stream<Salsa20>, 12);
        stream<Salsa20>("salsa20-8", 0, make_stream<Salsa20>, 8);
        stream<XSalsa20>("xsalsa20", 32, make_stream<XSalsa20>);
        stream<ChaCha>("chacha20", 0, make_stream_by_nonce<ChaCha, ChaChaTLS, true, 12>);
        stream<ChaCha>("chacha12", 0, make_stream<ChaCha>, 12);
        stream<ChaCha>("chacha8", 0, make_stream<ChaCha>, 8);
        stream<XChaCha20>("xchacha20", 32, make_stream<XChaCha20, true>);
        stream<Sosemanuk>("sosemanuk", 0, make_stream<Sosemanuk>);
        stream<PanamaCipher<LittleEndian>>("panama", 32,
                                           make_stream<PanamaCipher<LittleEndian>>);
        stream<PanamaCipher<BigEndian>>("panama-be", 32, make_stream<PanamaCipher<BigEndian>>);
        stream<HC128>("hc128", 16, make_stream<HC128>);
        stream<HC256>("hc256", 32, make_stream<HC256>, 0,
                      "Crypto++ exchanges two bytes of each word of key and IV: other answers than "
                      "the specification's");
        stream<RabbitWithIV>("rabbit", 16, make_stream_by_nonce<RabbitWithIV, Rabbit, false, 0>);

        aead<ChaCha20Poly1305>("chacha20-poly1305", 32);
        aead<XChaCha20Poly1305>("xchacha20-poly1305", 32);

        hash<Weak::MD2>("md2");
        hash<Weak::MD4>("md4");
        hash<Weak::MD5>("md5");
        hash<SHA1>("sha-1");
        hash<SHA224>("sha-224");
        hash<SHA256>("sha-256");
        hash<SHA384>("sha-384");
        hash<SHA512>("sha-512");
        hash<SHA3_224>("sha3-224");
        hash<SHA3_256>("sha3-256");
        hash<SHA3_384>("sha3-384");
        hash<SHA3_512>("sha3-512");
        hash<Keccak_224>("keccak-224");
        hash<Keccak_256>("keccak-256");
        hash<Keccak_384>("keccak-384");
        hash<Keccak_512>("keccak-512");
        hash<RIPEMD128>("ripemd-128");
        hash<RIPEMD160>("ripemd-160");
        hash<RIPEMD256>("ripemd-256");
        hash<RIPEMD320>("ripemd-320");
        hash<Tiger>("tiger");
        hash<Whirlpool>("whirlpool");
        hash<SM3>("sm3");
        hash<BLAKE2b>("blake2b");
        hash<BLAKE2s>("blake2s");
        sized_hash<BLAKE2b>("blake2b-160", 20);
        sized_hash<BLAKE2b>("blake2b-256", 32);
        sized_hash<BLAKE2b>("blake2b-384", 48);
        sized_hash<BLAKE2s>("blake2s-128", 16);
        sized_hash<BLAKE2s>("blake2s-160", 20);
        sized_hash<BLAKE2s>("blake2s-224", 28);
        const char *fixed = "the output length is part of the object";
        add("shake128", "xof", "CalculateTruncatedDigest", make_xof<SHAKE128>).note = fixed;
        add("shake256", "xof", "CalculateTruncatedDigest", make_xof<SHAKE256>).note = fixed;

        blake2_mac<BLAKE2b>("blake2b-mac");
        blake2_mac<BLAKE2s>("blake2s-mac");
        mac<Poly1305TLS>("poly1305", 32);
        mac<Poly1305<AES>>("poly1305-aes", 32);
        mac<SipHash<2, 4, false>>("siphash-2-4", 16);
        mac<SipHash<2, 4, true>>("siphash-2-4-128", 16);
        mac<SipHash<4, 8, false>>("siphash-4-8", 16);
        mac<SipHash<4, 8, true>>("siphash-4-8-128", 16);
        mac<SipHash<1, 3, false>>("siphash-1-3", 16);
        Row &vmac64 = add("vmac-64", "mac", "SetKeyWithIV, CalculateTruncatedDigest",
                          make_vmac<VMAC<AES, 64>, true>);
        vmac64.number = 8;
        vmac64.kernel = AES::Encryption().AlgorithmProvider();
        vmac64.note = "over AES; the key goes in with every message: Resynchronize keeps the "
                      "last nonce's pad";
        Row &vmac128 = add("vmac-128", "mac", "Resynchronize, CalculateTruncatedDigest",
                           make_vmac<VMAC<AES, 128>, false>);
        vmac128.number = 16;
        vmac128.kernel = AES::Encryption().AlgorithmProvider();
        vmac128.note = "over AES";

        add("scrypt", "derive", "DeriveKey", make_scrypt);
    }

    const std::vector<Row> &rows() const { return m_rows; }
};

const std::vector<Row> &rows() {
    static const Table table;
    return table.rows();
}

} // namespace

extern "C" {

uint32_t touchstone_abi(void) { return TOUCHSTONE_CRYPTOPP_ABI; }

int32_t touchstone_library_version(void) { return LibraryVersion(); }

int32_t touchstone_header_version(void) { return CRYPTOPP_VERSION; }

const char *touchstone_features(void) {
    static const std::string found = [] {
        std::string text;
#if CRYPTOPP_BOOL_X86 || CRYPTOPP_BOOL_X32 || CRYPTOPP_BOOL_X64
        const std::pair<const char *, bool> all[] = {
            {"sse2", HasSSE2()},   {"ssse3", HasSSSE3()},   {"sse4.1", HasSSE41()},
            {"sse4.2", HasSSE42()}, {"aes", HasAESNI()},     {"pclmulqdq", HasCLMUL()},
            {"sha", HasSHA()},     {"avx", HasAVX()},       {"avx2", HasAVX2()},
        };
        for (const auto &feature : all)
            if (feature.second) text += (text.empty() ? "" : " ") + std::string(feature.first);
#endif
        return text;
    }();
    return found.c_str();
}

size_t touchstone_rows(void) {
    size_t count = 0;
    guarded([&] {
        count = rows().size();
        return TOUCHSTONE_OK;
    });
    return count;
}

int touchstone_row(size_t index, struct touchstone_row *row) {
    return guarded([&]() -> int {
        const Row &from = rows().at(index);
        row->primitive = from.primitive.c_str();
        row->operation = from.operation.c_str();
        row->api = from.api.c_str();
        row->kernel = from.kernel.c_str();
        row->note = from.note.c_str();
        return TOUCHSTONE_OK;
    });
}

int touchstone_make(size_t index, const struct touchstone_work *work, void **object) {
    return guarded([&]() -> int {
        const Row &row = rows().at(index);
        *object = row.make(row, *work);
        return TOUCHSTONE_OK;
    });
}

int touchstone_key(void *object, const uint8_t *key, size_t bytes) {
    return guarded([&]() -> int {
        static_cast<Object *>(object)->key(key, bytes);
        return TOUCHSTONE_OK;
    });
}

int touchstone_process(void *object, const struct touchstone_message *message, uint8_t *output,
                       size_t *written) {
    return guarded([&]() -> int {
        return static_cast<Object *>(object)->process(*message, output, *written)
                   ? TOUCHSTONE_OK
                   : TOUCHSTONE_REJECTED;
    });
}

void touchstone_free(void *object) { delete static_cast<Object *>(object); }

const char *touchstone_reason(void) { return touchstone::last_reason.c_str(); }

} // extern "C"
