// The status of calls, and the reason why a call failed.
#ifndef TOUCHSTONE_CRYPTOPP_REASON_H
#define TOUCHSTONE_CRYPTOPP_REASON_H

#include "shim.h"

#include <cryptopp/cryptlib.h>

#include <stdexcept>
#include <string>

namespace touchstone {

// The error for parameters that Crypto++, or this shim, does not support.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline thread_local std::string last_reason;

// Runs the body of a call and converts exceptions into a status.
template <class F> int guarded(F body) noexcept {
    try {
        try {
            return body();
        } catch (const Unsupported &error) {
            last_reason = error.what();
            return TOUCHSTONE_UNSUPPORTED;
        } catch (const CryptoPP::InvalidArgument &error) {
            // Crypto++ refuses the key, the IV, the rounds or another cost.
            last_reason = error.what();
            return TOUCHSTONE_UNSUPPORTED;
        } catch (const std::exception &error) {
            last_reason = error.what();
        } catch (...) {
            last_reason = "an exception of unknown type";
        }
    } catch (...) {
        // There is no memory for the reason text.
    }
    return TOUCHSTONE_FAILED;
}

} // namespace touchstone

#endif
