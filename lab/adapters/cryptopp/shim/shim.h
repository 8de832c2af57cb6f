/* The C interface between the worker and Crypto++, whose own interface is C++.
 * src/ffi.rs holds the same declarations in Rust. */
#ifndef TOUCHSTONE_CRYPTOPP_SHIM_H
#define TOUCHSTONE_CRYPTOPP_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* This number increases when a declaration below changes. */
#define TOUCHSTONE_CRYPTOPP_ABI 3

enum touchstone_status {
    TOUCHSTONE_OK = 0,
    TOUCHSTONE_UNSUPPORTED = 1, /* the library does not take these parameters */
    TOUCHSTONE_REJECTED = 2,    /* the input is forged */
    TOUCHSTONE_FAILED = 3       /* anything else; see touchstone_reason */
};

/* The parameters of an object, known before it is made. A cost of 0 means that no cost is given. */
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

/* One primitive and operation. The strings stay valid until the process ends. */
struct touchstone_row {
    const char *primitive, *operation, *api, *kernel, *note;
};

uint32_t touchstone_abi(void);
/* The version of the loaded library, as major * 100 + minor * 10 + revision, and the version of
 * the headers with which this shim was compiled. */
int32_t touchstone_library_version(void);
int32_t touchstone_header_version(void);
/* The CPU features that Crypto++ detected, separated by spaces. */
const char *touchstone_features(void);

size_t touchstone_rows(void);
int touchstone_row(size_t index, struct touchstone_row *row);

/* Makes an object for row `index`. After OK, the caller must free the object once. */
int touchstone_make(size_t index, const struct touchstone_work *work, void **object);
int touchstone_key(void *object, const uint8_t *key, size_t bytes);
/* Processes one whole message. `output` must have room for the input and 64 bytes more, or for
 * `length` bytes if the work has a length. */
int touchstone_process(void *object, const struct touchstone_message *message, uint8_t *output,
                       size_t *written);
void touchstone_free(void *object);

/* The reason why this thread's last call did not return OK. Valid until this thread's next call. */
const char *touchstone_reason(void);

#ifdef __cplusplus
}
#endif
#endif
