/* The C interface between the worker and Crypto++'s integers, points and public keys.
 * src/public.rs holds the same declarations in Rust. touchstone_abi and touchstone_reason of
 * shim.h serve this interface, too. */
#ifndef TOUCHSTONE_CRYPTOPP_PUBLIC_H
#define TOUCHSTONE_CRYPTOPP_PUBLIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum touchstone_arithmetic {
    TOUCHSTONE_MULTIPLY,
    TOUCHSTONE_SQUARE,
    TOUCHSTONE_DIVIDE,
    TOUCHSTONE_POWER,
    TOUCHSTONE_INVERT,
    TOUCHSTONE_PRIME_TEST
};

/* A number from its sign and its magnitude, big-endian. NULL without memory. */
void *touchstone_integer_new(int negative, const uint8_t *magnitude, size_t bytes);
void touchstone_integer_free(void *integer);
int touchstone_integer_is_negative(const void *integer);
/* Writes the magnitude with zeros in front. TOUCHSTONE_FAILED if it is longer. */
int touchstone_integer_write(const void *integer, uint8_t *bytes, size_t count);
int touchstone_integer_calculate(int what, void *const *operands, void *const *results);

/* An object for a primitive and an operation; `peer` is the other side's public key or a point, and
 * `scalar` a factor, where the operation has them. TOUCHSTONE_UNSUPPORTED if there is none. */
int touchstone_public_new(const char *primitive, const char *operation, const uint8_t *peer,
                          size_t peer_bytes, const uint8_t *scalar, size_t scalar_bytes,
                          void **object);
int touchstone_public_key(void *object, const uint8_t *key, size_t bytes);
/* The length of a signature, after a key was set; 0 if the object makes and reads none. */
size_t touchstone_public_signature_bytes(const void *object);
/* `*written` has the room of `output` before the call. */
int touchstone_public_process(void *object, const uint8_t *input, size_t bytes,
                              const uint8_t *signature, size_t signature_bytes, uint8_t *output,
                              size_t *written);
void touchstone_public_free(void *object);

#ifdef __cplusplus
}
#endif
#endif
