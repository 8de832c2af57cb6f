/* The C interface between the worker and Crypto++, whose own interface is C++.
 * src/ffi.rs holds the same declarations in Rust. */
#ifndef TOUCHSTONE_CRYPTOPP_SHIM_H
#define TOUCHSTONE_CRYPTOPP_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a declaration below changes. */
#define TOUCHSTONE_CRYPTOPP_ABI 1

enum touchstone_status {
    TOUCHSTONE_OK = 0,
    TOUCHSTONE_UNSUPPORTED = 1, /* the library does not take these parameters */
    TOUCHSTONE_REJECTED = 2,    /* the input is forged */
    TOUCHSTONE_FAILED = 3       /* anything else; see touchstone_reason */
};

/* What is known before the first object is made. A cost of 0 is an absent one. */
struct touchstone_work {
    size_t key, nonce, input; /* lengths in bytes */
    size_t tag;               /* SIZE_MAX where none is asked for */
    size_t length;            /* of the output, where the caller chooses it */
    uint64_t iterations, n, r, p;
    uint64_t rounds, effective_bits, counter, drop;
};

struct touchstone_message {
    const uint8_t *nonce, *aad, *input;
    size_t nonce_bytes, aad_bytes, input_bytes;
};

/* One primitive and operation. The strings live as long as the process. */
struct touchstone_row {
    const char *primitive, *operation, *api, *kernel, *note;
};

uint32_t touchstone_abi(void);
/* The version of the loaded library, as major * 100 + minor * 10 + revision,
 * and that of the headers which this shim was compiled against. */
int32_t touchstone_library_version(void);
int32_t touchstone_header_version(void);
/* The CPU features that Crypto++ found, space-separated. */
const char *touchstone_features(void);

size_t touchstone_rows(void);
int touchstone_row(size_t index, struct touchstone_row *row);

/* An object for row `index`; after OK it must be freed once. */
int touchstone_make(size_t index, const struct touchstone_work *work, void **object);
int touchstone_key(void *object, const uint8_t *key, size_t bytes);
/* One whole message. `output` must hold the input and 64 bytes more, or
 * `length` bytes where the work asks for them. */
int touchstone_process(void *object, const struct touchstone_message *message, uint8_t *output,
                       size_t *written);
void touchstone_free(void *object);

/* Why this thread's last call was not OK. Valid until its next call. */
const char *touchstone_reason(void);

#ifdef __cplusplus
}
#endif
#endif
