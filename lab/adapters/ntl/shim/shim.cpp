// NTL's integers behind a C interface. No exception leaves this file.

#include <NTL/ZZ.h>
#include <NTL/version.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

using NTL::ZZ;

// The status of a call. The worker's src/ffi.rs has the same numbers.
enum Status { OK = 0, UNSUPPORTED = 1, REJECTED = 2, FAILED = 3 };

// What is calculated. The worker's src/ffi.rs has the same numbers.
enum Arithmetic { MULTIPLY, SQUARE, DIVIDE, POWER, INVERT, XGCD, BEZOUT, PRIME_TEST };

// Rounds of Miller and Rabin, with an error of at most 4^-64.
const long ROUNDS = 64;

thread_local std::string last_reason;

// Runs the body of a call and converts exceptions into a status.
template <class F> int guarded(F body) noexcept {
    try {
        try {
            return body();
        } catch (const std::exception &error) {
            last_reason = error.what();
        } catch (...) {
            last_reason = "an exception of unknown type";
        }
    } catch (...) {
        // There is no memory for the reason text.
    }
    return FAILED;
}

ZZ &at(void *const *numbers, size_t index) { return *static_cast<ZZ *>(numbers[index]); }

int calculate(int what, void *const *n, void *const *r) {
    switch (what) {
    case MULTIPLY:
        NTL::mul(at(r, 0), at(n, 0), at(n, 1));
        return OK;
    case SQUARE:
        NTL::sqr(at(r, 0), at(n, 0));
        return OK;
    case DIVIDE:
        NTL::DivRem(at(r, 0), at(r, 1), at(n, 0), at(n, 1));
        return OK;
    case POWER:
        // NTL ends the process for a base that is not below the modulus.
        if (at(n, 0) < at(n, 2))
            NTL::PowerMod(at(r, 0), at(n, 0), at(n, 1), at(n, 2));
        else
            NTL::PowerMod(at(r, 0), at(n, 0) % at(n, 2), at(n, 1), at(n, 2));
        return OK;
    case INVERT:
        if (at(n, 0) < at(n, 1))
            return NTL::InvModStatus(at(r, 0), at(n, 0), at(n, 1)) == 0 ? OK : REJECTED;
        return NTL::InvModStatus(at(r, 0), at(n, 0) % at(n, 1), at(n, 1)) == 0 ? OK : REJECTED;
    case XGCD:
        NTL::XGCD(at(r, 0), at(r, 1), at(r, 2), at(n, 0), at(n, 1));
        return OK;
    case BEZOUT: {
        const ZZ &g = at(n, 2);
        const bool is_sum = at(n, 3) * at(n, 0) + at(n, 4) * at(n, 1) == g;
        const bool good = is_sum && !NTL::IsZero(g) && NTL::divide(at(n, 0), g) &&
                          NTL::divide(at(n, 1), g);
        return good ? OK : REJECTED;
    }
    case PRIME_TEST:
        return NTL::ProbPrime(at(n, 0), ROUNDS) ? OK : REJECTED;
    }
    last_reason = "this calculation";
    return UNSUPPORTED;
}

} // namespace

EXPORTED uint32_t touchstone_ntl_abi() { return 1; }

EXPORTED const char *touchstone_ntl_version() { return NTL_VERSION; }

EXPORTED const char *touchstone_ntl_reason() { return last_reason.c_str(); }

EXPORTED void *touchstone_ntl_new(int negative, const uint8_t *magnitude, size_t bytes) {
    void *made = nullptr;
    guarded([&] {
        // NTL reads the least significant byte first.
        std::vector<unsigned char> reversed(magnitude, magnitude + bytes);
        std::reverse(reversed.begin(), reversed.end());
        ZZ number;
        NTL::ZZFromBytes(number, reversed.data(), static_cast<long>(bytes));
        if (negative) NTL::negate(number, number);
        made = new ZZ(number);
        return OK;
    });
    return made;
}

EXPORTED void touchstone_ntl_free(void *number) { delete static_cast<ZZ *>(number); }

EXPORTED int touchstone_ntl_is_negative(const void *number) {
    return NTL::sign(*static_cast<const ZZ *>(number)) < 0;
}

// Writes the magnitude, which fills all bytes, the most significant first.
EXPORTED int touchstone_ntl_write(const void *number, uint8_t *bytes, size_t count) {
    return guarded([&] {
        const ZZ &from = *static_cast<const ZZ *>(number);
        if (static_cast<size_t>(NTL::NumBytes(from)) > count)
            throw std::length_error("a result that is too long");
        NTL::BytesFromZZ(bytes, from, static_cast<long>(count));
        std::reverse(bytes, bytes + count);
        return OK;
    });
}

EXPORTED int touchstone_ntl_calculate(int what, void *const *operands, void *const *results) {
    return guarded([&] { return calculate(what, operands, results); });
}
