// Crypto++'s generators of random bytes behind a C interface: Hash_DRBG and HMAC_DRBG, and
// AutoSeededRandomPool.

#include "random.h"

#include "reason.h"

#include <cryptopp/drbg.h>
#include <cryptopp/osrng.h>
#include <cryptopp/sha.h>

#include <cstring>
#include <memory>

namespace {

using namespace CryptoPP;

using touchstone::guarded;
using touchstone::Unsupported;

class Generator {
public:
    virtual ~Generator() = default;
    virtual void reseed(const byte *entropy, size_t bytes, const byte *more, size_t more_bytes) = 0;
    virtual void generate(const byte *more, size_t more_bytes, byte *output, size_t bytes) = 0;
};

struct Seed {
    const byte *entropy;
    size_t entropy_bytes;
    const byte *nonce;
    size_t nonce_bytes;
    const byte *text;
    size_t text_bytes;
};

template <class D> class Drbg final : public Generator {
    D m_drbg;

public:
    explicit Drbg(const Seed &seed)
        : m_drbg(seed.entropy, seed.entropy_bytes, seed.nonce, seed.nonce_bytes, seed.text,
                 seed.text_bytes) {}

    void reseed(const byte *entropy, size_t bytes, const byte *more, size_t more_bytes) override {
        m_drbg.IncorporateEntropy(entropy, bytes, more, more_bytes);
    }

    void generate(const byte *more, size_t more_bytes, byte *output, size_t bytes) override {
        if (more_bytes == 0)
            m_drbg.GenerateBlock(output, bytes);
        else
            m_drbg.GenerateBlock(more, more_bytes, output, bytes);
    }
};

class Own final : public Generator {
    AutoSeededRandomPool m_pool;

public:
    void reseed(const byte *, size_t, const byte *, size_t) override {
        throw Unsupported("reseeding");
    }

    void generate(const byte *, size_t more_bytes, byte *output, size_t bytes) override {
        if (more_bytes != 0) throw Unsupported("additional input");
        m_pool.GenerateBlock(output, bytes);
    }
};

using Make = Generator *(*)(const Seed &);

template <class D> Generator *make(const Seed &seed) { return new Drbg<D>(seed); }

// The least strength for each hash is that of SP 800-57 Part 1 Rev. 5, table 3, at most 32 bytes; the
// state of Hash_DRBG has the length of SP 800-90A Rev. 1, table 2.
const struct {
    const char *primitive;
    Make make;
} TABLE[] = {
    {"hash-drbg-sha-1", make<Hash_DRBG<SHA1, 16, 55>>},
    {"hash-drbg-sha-224", make<Hash_DRBG<SHA224, 24, 55>>},
    {"hash-drbg-sha-256", make<Hash_DRBG<SHA256, 32, 55>>},
    {"hash-drbg-sha-384", make<Hash_DRBG<SHA384, 32, 111>>},
    {"hash-drbg-sha-512", make<Hash_DRBG<SHA512, 32, 111>>},
    {"hmac-drbg-sha-1", make<HMAC_DRBG<SHA1, 16, 55>>},
    {"hmac-drbg-sha-224", make<HMAC_DRBG<SHA224, 24, 55>>},
    {"hmac-drbg-sha-256", make<HMAC_DRBG<SHA256, 32, 55>>},
    {"hmac-drbg-sha-384", make<HMAC_DRBG<SHA384, 32, 111>>},
    {"hmac-drbg-sha-512", make<HMAC_DRBG<SHA512, 32, 111>>},
    {"own-generator", [](const Seed &) -> Generator * { return new Own; }},
};

Generator &generator(void *object) { return *static_cast<Generator *>(object); }

} // namespace

int touchstone_random_new(const char *primitive, const uint8_t *entropy, size_t entropy_bytes,
                          const uint8_t *nonce, size_t nonce_bytes, const uint8_t *text,
                          size_t text_bytes, void **made) {
    return guarded([=] {
        for (const auto &row : TABLE) {
            if (std::strcmp(row.primitive, primitive) == 0) {
                *made = row.make({entropy, entropy_bytes, nonce, nonce_bytes, text, text_bytes});
                return TOUCHSTONE_OK;
            }
        }
        return TOUCHSTONE_UNSUPPORTED;
    });
}

int touchstone_random_reseed(void *object, const uint8_t *entropy, size_t entropy_bytes,
                             const uint8_t *additional, size_t additional_bytes) {
    return guarded([=] {
        generator(object).reseed(entropy, entropy_bytes, additional, additional_bytes);
        return TOUCHSTONE_OK;
    });
}

int touchstone_random_generate(void *object, const uint8_t *additional, size_t additional_bytes,
                               uint8_t *output, size_t bytes) {
    return guarded([=] {
        generator(object).generate(additional, additional_bytes, output, bytes);
        return TOUCHSTONE_OK;
    });
}

void touchstone_random_free(void *object) { delete static_cast<Generator *>(object); }
