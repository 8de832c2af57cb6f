/* The C interface between the worker and Crypto++'s generators of random bytes. src/random.rs holds
 * the same declarations in Rust. touchstone_abi and touchstone_reason of shim.h serve this
 * interface, too. */
#ifndef TOUCHSTONE_CRYPTOPP_RANDOM_H
#define TOUCHSTONE_CRYPTOPP_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the generator with the id of a primitive. TOUCHSTONE_UNSUPPORTED if there is none. */
int touchstone_random_new(const char *primitive, const uint8_t *entropy, size_t entropy_bytes,
                          const uint8_t *nonce, size_t nonce_bytes, const uint8_t *text,
                          size_t text_bytes, void **generator);
int touchstone_random_reseed(void *generator, const uint8_t *entropy, size_t entropy_bytes,
                             const uint8_t *additional, size_t additional_bytes);
int touchstone_random_generate(void *generator, const uint8_t *additional, size_t additional_bytes,
                               uint8_t *output, size_t bytes);
void touchstone_random_free(void *generator);

#ifdef __cplusplus
}
#endif
#endif
