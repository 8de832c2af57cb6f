/*
 * Touchstone: cryptography from DES to AES. This file is generated from
 * crates/touchstone-capi, and docs/c-api.md is the manual.
 *
 * What holds for all functions:
 *
 * - A pointer to data is valid for the length that goes with it, or NULL where
 *   the length is 0. A handle comes from a function here whose name ends in _new
 *   or _copy, is freed once, and is not used after.
 * - Functions that return int return TOUCHSTONE_OK or a negative error, which has
 *   changed nothing, unless its description says otherwise. touchstone_strerror
 *   says what it means.
 * - Different threads may use different handles, and all functions without one, at
 *   once. One handle is used by one thread at a time, except that
 *   touchstone_aead_encrypt and _decrypt, and what only reads sizes, may share it.
 * - No function prints, sets errno, or unwinds.
 */


#ifndef TOUCHSTONE_H
#define TOUCHSTONE_H

#include <stddef.h>
#include <stdint.h>

// Success.
#define TOUCHSTONE_OK 0

// A pointer is NULL that must not be.
#define TOUCHSTONE_ERROR_NULL -1

// No algorithm of this kind has this name.
#define TOUCHSTONE_ERROR_NAME -2

// The algorithm takes no key of this length.
#define TOUCHSTONE_ERROR_KEY_LENGTH -3

// The algorithm takes no initialization vector or nonce of this length.
#define TOUCHSTONE_ERROR_IV_LENGTH -4

// The algorithm makes no tag or MAC of this length.
#define TOUCHSTONE_ERROR_TAG_LENGTH -5

// The data are not whole blocks, too short, or too long.
#define TOUCHSTONE_ERROR_DATA_LENGTH -6

// The output has not the length of the result.
#define TOUCHSTONE_ERROR_OUTPUT_LENGTH -7

// Not yet: the key or the initialization vector has not been set.
#define TOUCHSTONE_ERROR_STATE -8

// The output overlaps something else, and is not exactly the input.
#define TOUCHSTONE_ERROR_OVERLAP -9

// The message, its tag or its MAC is not genuine. An output is filled with zeros.
#define TOUCHSTONE_ERROR_FORGED -10

// The algorithm has no parameter of this name, or not with this value.
#define TOUCHSTONE_ERROR_PARAMETER -11

// Direction: from ciphertext to plaintext.
#define TOUCHSTONE_DECRYPT 0

// Direction: from plaintext to ciphertext.
#define TOUCHSTONE_ENCRYPT 1

// A cipher in an authenticated mode and, once set, its key. Any number of threads
// may encrypt and decrypt with it at once, while none sets its key.
typedef struct touchstone_aead touchstone_aead;

// A cipher in a mode and a direction; its key, once set; and a message under way.
// One thread at a time may use it.
typedef struct touchstone_cipher touchstone_cipher;

// A hash function and a message under way. One thread at a time may use it.
typedef struct touchstone_hash touchstone_hash;

// A MAC; its key, once set; and a message under way. One thread at a time may use
// it.
typedef struct touchstone_mac touchstone_mac;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What a code means, in English; never NULL, and never to be freed.
const char *touchstone_strerror(int code);

// A cipher by its name, `"aes-128-cbc"`, and a direction, TOUCHSTONE_ENCRYPT or
// TOUCHSTONE_DECRYPT; NULL if there is none of this name. To be freed.
struct touchstone_cipher *touchstone_cipher_new(const char *name, int direction);

// Wipes a cipher and its key; NULL is good.
void touchstone_cipher_free(struct touchstone_cipher *cipher);

// Chooses what the name leaves open, before the key: `"effective-bits"` of RC2,
// `"rounds"` of RC5 and XTEA. The value is checked with the key.
int touchstone_cipher_set_parameter(struct touchstone_cipher *cipher,
                                    const char *name,
                                    uint64_t value);

// Sets a key up, and forgets the message under way. XTS takes two keys, one after
// the other. An error leaves the old key.
int touchstone_cipher_set_key(struct touchstone_cipher *cipher,
                              const uint8_t *key,
                              size_t key_len);

// Starts a message with its initialization vector (first counter block, tweak).
// ECB has none, and needs no call.
int touchstone_cipher_set_iv(struct touchstone_cipher *cipher,
                             const uint8_t *iv,
                             size_t iv_len);

// Encrypts or decrypts the next `len` bytes of the message into as many. `output`
// is `input`, or apart from it. What pieces there may be,
// touchstone_cipher_piece_size tells.
int touchstone_cipher_update(struct touchstone_cipher *cipher,
                             const uint8_t *input,
                             uint8_t *output,
                             size_t len);

// Length of the cipher's block in bytes; 0 for NULL.
size_t touchstone_cipher_block_size(const struct touchstone_cipher *cipher);

// Length of the initialization vector in bytes; 0 if there is none.
size_t touchstone_cipher_iv_size(const struct touchstone_cipher *cipher);

// What the lengths of pieces must be multiples of: 1, or the block. 0 says that a
// message is one piece, of a block or more, and the next one needs its own
// initialization vector.
size_t touchstone_cipher_piece_size(const struct touchstone_cipher *cipher);

// The shortest key in bytes.
size_t touchstone_cipher_key_size_min(const struct touchstone_cipher *cipher);

// The longest key in bytes.
size_t touchstone_cipher_key_size_max(const struct touchstone_cipher *cipher);

// What lies between one length of a key and the next.
size_t touchstone_cipher_key_size_step(const struct touchstone_cipher *cipher);

// Encrypts a whole message with a cipher by its name.
int touchstone_encrypt(const char *name,
                       const uint8_t *key,
                       size_t key_len,
                       const uint8_t *iv,
                       size_t iv_len,
                       const uint8_t *input,
                       uint8_t *output,
                       size_t len);

// Decrypts a whole message with a cipher by its name.
int touchstone_decrypt(const char *name,
                       const uint8_t *key,
                       size_t key_len,
                       const uint8_t *iv,
                       size_t iv_len,
                       const uint8_t *input,
                       uint8_t *output,
                       size_t len);

// An authenticated cipher by its name, `"aes-128-gcm"`; NULL if there is none. To
// be freed.
struct touchstone_aead *touchstone_aead_new(const char *name);

// Wipes an authenticated cipher and its key; NULL is good.
void touchstone_aead_free(struct touchstone_aead *aead);

// Sets a key up. An error leaves the old key.
int touchstone_aead_set_key(struct touchstone_aead *aead,
                            const uint8_t *key,
                            size_t key_len);

// Encrypts a message of `len` bytes into as many and a tag, whose length chooses
// that of the tag. `output` is `input`, or apart from it; nothing else overlaps.
int touchstone_aead_encrypt(const struct touchstone_aead *aead,
                            const uint8_t *nonce,
                            size_t nonce_len,
                            const uint8_t *aad,
                            size_t aad_len,
                            const uint8_t *input,
                            uint8_t *output,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// Decrypts a message, if it is genuine. TOUCHSTONE_ERROR_FORGED says that it is
// not; then `output` is all zeros. Any other error leaves it as it is.
int touchstone_aead_decrypt(const struct touchstone_aead *aead,
                            const uint8_t *nonce,
                            size_t nonce_len,
                            const uint8_t *aad,
                            size_t aad_len,
                            const uint8_t *input,
                            uint8_t *output,
                            size_t len,
                            const uint8_t *tag,
                            size_t tag_len);

// Length of the longest tag in bytes, which is the one to use; 0 before there is
// a key.
size_t touchstone_aead_tag_size(const struct touchstone_aead *aead);

// The shortest key in bytes.
size_t touchstone_aead_key_size_min(const struct touchstone_aead *aead);

// The longest key in bytes.
size_t touchstone_aead_key_size_max(const struct touchstone_aead *aead);

// A hash function by its name, `"sha-256"`; NULL if there is none. To be freed.
struct touchstone_hash *touchstone_hash_new(const char *name);

// Another one that has taken the same pieces, to be freed too; NULL of NULL.
struct touchstone_hash *touchstone_hash_copy(const struct touchstone_hash *hash);

// Wipes what a hash function has taken; NULL is good.
void touchstone_hash_free(struct touchstone_hash *hash);

// Takes the next piece of the message.
int touchstone_hash_update(struct touchstone_hash *hash,
                           const uint8_t *input,
                           size_t len);

// Ends the message, writes its digest, whose length must be right, and starts the
// next message.
int touchstone_hash_final(struct touchstone_hash *hash,
                          uint8_t *digest,
                          size_t digest_len);

// Forgets the pieces so far, and starts the next message.
int touchstone_hash_reset(struct touchstone_hash *hash);

// Length of the digest in bytes; 0 for NULL.
size_t touchstone_hash_size(const struct touchstone_hash *hash);

// Length of the blocks in which messages are taken, in bytes; 0 for NULL.
size_t touchstone_hash_block_size(const struct touchstone_hash *hash);

// The digest of a whole message, by the name of the hash function.
int touchstone_digest(const char *name,
                      const uint8_t *input,
                      size_t len,
                      uint8_t *digest,
                      size_t digest_len);

// A MAC by its name, `"aes-128-cmac"`; NULL if there is none. To be freed.
struct touchstone_mac *touchstone_mac_new(const char *name);

// Wipes a MAC and its key; NULL is good.
void touchstone_mac_free(struct touchstone_mac *mac);

// Sets a key up, and starts a message. An error leaves the old key and message.
int touchstone_mac_set_key(struct touchstone_mac *mac,
                           const uint8_t *key,
                           size_t key_len);

// Takes the next piece of the message.
int touchstone_mac_update(struct touchstone_mac *mac, const uint8_t *input, size_t len);

// Ends the message, writes the first `tag_len` bytes of its MAC, and starts the
// next message with the same key.
int touchstone_mac_final(struct touchstone_mac *mac, uint8_t *tag, size_t tag_len);

// Ends the message, and says whether its MAC begins with these bytes, in a time
// that does not depend on them: TOUCHSTONE_OK or TOUCHSTONE_ERROR_FORGED. The next
// message has the same key.
int touchstone_mac_verify(struct touchstone_mac *mac, const uint8_t *tag, size_t tag_len);

// Forgets the pieces so far, and starts the next message with the same key.
int touchstone_mac_reset(struct touchstone_mac *mac);

// Length of the whole MAC in bytes; 0 for NULL.
size_t touchstone_mac_size(const struct touchstone_mac *mac);

// The shortest key in bytes.
size_t touchstone_mac_key_size_min(const struct touchstone_mac *mac);

// The longest key in bytes.
size_t touchstone_mac_key_size_max(const struct touchstone_mac *mac);

// The name of a cipher by its index, from 0 on; NULL after the last. Never to be
// freed, as all names.
const char *touchstone_cipher_name(size_t index);

// The name of an authenticated cipher by its index, from 0 on; NULL after the
// last.
const char *touchstone_aead_name(size_t index);

// The name of a hash function by its index, from 0 on; NULL after the last.
const char *touchstone_hash_name(size_t index);

// The name of a MAC by its index, from 0 on; NULL after the last.
const char *touchstone_mac_name(size_t index);

// Which kernel serves what has this name, on this machine: `"portable"`, or what
// the processor's instructions allow. NULL if nothing has this name.
const char *touchstone_kernel(const char *name);

// The version of the library, `"0.1.0"`.
const char *touchstone_version(void);

// Encrypts a whole message with `aes-128-ecb`.
int touchstone_aes_128_ecb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-128-ecb`.
int touchstone_aes_128_ecb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aes_128_cbc_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aes_128_cbc_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aes_128_ctr_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aes_128_ctr_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-192-ecb`.
int touchstone_aes_192_ecb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-192-ecb`.
int touchstone_aes_192_ecb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aes_192_cbc_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aes_192_cbc_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aes_192_ctr_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aes_192_ctr_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-256-ecb`.
int touchstone_aes_256_ecb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-256-ecb`.
int touchstone_aes_256_ecb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aes_256_cbc_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aes_256_cbc_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `aes-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aes_256_ctr_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `aes-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aes_256_ctr_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `anubis-ecb`.
int touchstone_anubis_ecb_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len);

// Decrypts a whole message with `anubis-ecb`.
int touchstone_anubis_ecb_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len);

// Encrypts a whole message with `anubis-cbc`, `iv` being the IV of 16 bytes.
int touchstone_anubis_cbc_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *iv,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len);

// Decrypts a whole message with `anubis-cbc`, `iv` being the IV of 16 bytes.
int touchstone_anubis_cbc_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *iv,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len);

// Encrypts a whole message with `anubis-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_anubis_ctr_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *iv,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len);

// Decrypts a whole message with `anubis-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_anubis_ctr_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *iv,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len);

// Encrypts a whole message with `anubis-original-ecb`.
int touchstone_anubis_original_ecb_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len);

// Decrypts a whole message with `anubis-original-ecb`.
int touchstone_anubis_original_ecb_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len);

// Encrypts a whole message with `anubis-original-cbc`, `iv` being the IV of 16 bytes.
int touchstone_anubis_original_cbc_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *iv,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len);

// Decrypts a whole message with `anubis-original-cbc`, `iv` being the IV of 16 bytes.
int touchstone_anubis_original_cbc_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *iv,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len);

// Encrypts a whole message with `anubis-original-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_anubis_original_ctr_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *iv,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len);

// Decrypts a whole message with `anubis-original-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_anubis_original_ctr_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *iv,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len);

// Encrypts a whole message with `aria-128-ecb`.
int touchstone_aria_128_ecb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-128-ecb`.
int touchstone_aria_128_ecb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aria_128_cbc_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aria_128_cbc_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aria_128_ctr_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aria_128_ctr_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-192-ecb`.
int touchstone_aria_192_ecb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-192-ecb`.
int touchstone_aria_192_ecb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aria_192_cbc_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aria_192_cbc_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aria_192_ctr_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aria_192_ctr_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-256-ecb`.
int touchstone_aria_256_ecb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-256-ecb`.
int touchstone_aria_256_ecb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aria_256_cbc_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_aria_256_cbc_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `aria-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aria_256_ctr_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `aria-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_aria_256_ctr_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `blowfish-ecb`.
int touchstone_blowfish_ecb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `blowfish-ecb`.
int touchstone_blowfish_ecb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `blowfish-cbc`, `iv` being the IV of 8 bytes.
int touchstone_blowfish_cbc_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `blowfish-cbc`, `iv` being the IV of 8 bytes.
int touchstone_blowfish_cbc_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `blowfish-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_blowfish_ctr_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `blowfish-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_blowfish_ctr_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `camellia-128-ecb`.
int touchstone_camellia_128_ecb_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-128-ecb`.
int touchstone_camellia_128_ecb_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_camellia_128_cbc_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_camellia_128_cbc_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_camellia_128_ctr_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_camellia_128_ctr_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-192-ecb`.
int touchstone_camellia_192_ecb_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-192-ecb`.
int touchstone_camellia_192_ecb_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_camellia_192_cbc_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_camellia_192_cbc_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_camellia_192_ctr_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_camellia_192_ctr_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-256-ecb`.
int touchstone_camellia_256_ecb_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-256-ecb`.
int touchstone_camellia_256_ecb_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_camellia_256_cbc_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_camellia_256_cbc_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `camellia-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_camellia_256_ctr_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Decrypts a whole message with `camellia-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_camellia_256_ctr_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *iv,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len);

// Encrypts a whole message with `cast5-ecb`.
int touchstone_cast5_ecb_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Decrypts a whole message with `cast5-ecb`.
int touchstone_cast5_ecb_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Encrypts a whole message with `cast5-cbc`, `iv` being the IV of 8 bytes.
int touchstone_cast5_cbc_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Decrypts a whole message with `cast5-cbc`, `iv` being the IV of 8 bytes.
int touchstone_cast5_cbc_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Encrypts a whole message with `cast5-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_cast5_ctr_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Decrypts a whole message with `cast5-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_cast5_ctr_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Encrypts a whole message with `des-ecb`.
int touchstone_des_ecb_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `des-ecb`.
int touchstone_des_ecb_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `des-cbc`, `iv` being the IV of 8 bytes.
int touchstone_des_cbc_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `des-cbc`, `iv` being the IV of 8 bytes.
int touchstone_des_cbc_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `des-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_des_ctr_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `des-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_des_ctr_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `des-ede2-ecb`.
int touchstone_des_ede2_ecb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `des-ede2-ecb`.
int touchstone_des_ede2_ecb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `des-ede2-cbc`, `iv` being the IV of 8 bytes.
int touchstone_des_ede2_cbc_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `des-ede2-cbc`, `iv` being the IV of 8 bytes.
int touchstone_des_ede2_cbc_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `des-ede2-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_des_ede2_ctr_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `des-ede2-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_des_ede2_ctr_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `des-ede3-ecb`.
int touchstone_des_ede3_ecb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `des-ede3-ecb`.
int touchstone_des_ede3_ecb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `des-ede3-cbc`, `iv` being the IV of 8 bytes.
int touchstone_des_ede3_cbc_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `des-ede3-cbc`, `iv` being the IV of 8 bytes.
int touchstone_des_ede3_cbc_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `des-ede3-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_des_ede3_ctr_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Decrypts a whole message with `des-ede3-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_des_ede3_ctr_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *iv,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len);

// Encrypts a whole message with `gost28147-ecb`.
int touchstone_gost28147_ecb_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Decrypts a whole message with `gost28147-ecb`.
int touchstone_gost28147_ecb_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Encrypts a whole message with `gost28147-cbc`, `iv` being the IV of 8 bytes.
int touchstone_gost28147_cbc_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Decrypts a whole message with `gost28147-cbc`, `iv` being the IV of 8 bytes.
int touchstone_gost28147_cbc_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Encrypts a whole message with `gost28147-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_gost28147_ctr_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Decrypts a whole message with `gost28147-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_gost28147_ctr_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Encrypts a whole message with `gost28147-r3411-cryptopro-ecb`.
int touchstone_gost28147_r3411_cryptopro_ecb_encrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len);

// Decrypts a whole message with `gost28147-r3411-cryptopro-ecb`.
int touchstone_gost28147_r3411_cryptopro_ecb_decrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len);

// Encrypts a whole message with `gost28147-r3411-cryptopro-cbc`, `iv` being the IV of 8 bytes.
int touchstone_gost28147_r3411_cryptopro_cbc_encrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *iv,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len);

// Decrypts a whole message with `gost28147-r3411-cryptopro-cbc`, `iv` being the IV of 8 bytes.
int touchstone_gost28147_r3411_cryptopro_cbc_decrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *iv,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len);

// Encrypts a whole message with `gost28147-r3411-cryptopro-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_gost28147_r3411_cryptopro_ctr_encrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *iv,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len);

// Decrypts a whole message with `gost28147-r3411-cryptopro-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_gost28147_r3411_cryptopro_ctr_decrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *iv,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len);

// Encrypts a whole message with `gost28147-test-ecb`.
int touchstone_gost28147_test_ecb_encrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len);

// Decrypts a whole message with `gost28147-test-ecb`.
int touchstone_gost28147_test_ecb_decrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len);

// Encrypts a whole message with `gost28147-test-cbc`, `iv` being the IV of 8 bytes.
int touchstone_gost28147_test_cbc_encrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *iv,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len);

// Decrypts a whole message with `gost28147-test-cbc`, `iv` being the IV of 8 bytes.
int touchstone_gost28147_test_cbc_decrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *iv,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len);

// Encrypts a whole message with `gost28147-test-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_gost28147_test_ctr_encrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *iv,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len);

// Decrypts a whole message with `gost28147-test-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_gost28147_test_ctr_decrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *iv,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len);

// Encrypts a whole message with `idea-ecb`.
int touchstone_idea_ecb_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `idea-ecb`.
int touchstone_idea_ecb_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `idea-cbc`, `iv` being the IV of 8 bytes.
int touchstone_idea_cbc_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `idea-cbc`, `iv` being the IV of 8 bytes.
int touchstone_idea_cbc_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `idea-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_idea_ctr_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `idea-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_idea_ctr_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `kuznyechik-ecb`.
int touchstone_kuznyechik_ecb_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len);

// Decrypts a whole message with `kuznyechik-ecb`.
int touchstone_kuznyechik_ecb_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len);

// Encrypts a whole message with `kuznyechik-cbc`, `iv` being the IV of 16 bytes.
int touchstone_kuznyechik_cbc_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *iv,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len);

// Decrypts a whole message with `kuznyechik-cbc`, `iv` being the IV of 16 bytes.
int touchstone_kuznyechik_cbc_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *iv,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len);

// Encrypts a whole message with `kuznyechik-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_kuznyechik_ctr_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *iv,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len);

// Decrypts a whole message with `kuznyechik-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_kuznyechik_ctr_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *iv,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len);

// Encrypts a whole message with `magma-ecb`.
int touchstone_magma_ecb_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Decrypts a whole message with `magma-ecb`.
int touchstone_magma_ecb_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Encrypts a whole message with `magma-cbc`, `iv` being the IV of 8 bytes.
int touchstone_magma_cbc_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Decrypts a whole message with `magma-cbc`, `iv` being the IV of 8 bytes.
int touchstone_magma_cbc_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Encrypts a whole message with `magma-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_magma_ctr_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Decrypts a whole message with `magma-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_magma_ctr_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *iv,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len);

// Encrypts a whole message with `rc2-ecb`.
int touchstone_rc2_ecb_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `rc2-ecb`.
int touchstone_rc2_ecb_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `rc2-cbc`, `iv` being the IV of 8 bytes.
int touchstone_rc2_cbc_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `rc2-cbc`, `iv` being the IV of 8 bytes.
int touchstone_rc2_cbc_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `rc2-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_rc2_ctr_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `rc2-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_rc2_ctr_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `rc5-32-12-ecb`.
int touchstone_rc5_32_12_ecb_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Decrypts a whole message with `rc5-32-12-ecb`.
int touchstone_rc5_32_12_ecb_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Encrypts a whole message with `rc5-32-12-cbc`, `iv` being the IV of 8 bytes.
int touchstone_rc5_32_12_cbc_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Decrypts a whole message with `rc5-32-12-cbc`, `iv` being the IV of 8 bytes.
int touchstone_rc5_32_12_cbc_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Encrypts a whole message with `rc5-32-12-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_rc5_32_12_ctr_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Decrypts a whole message with `rc5-32-12-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_rc5_32_12_ctr_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *iv,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len);

// Encrypts a whole message with `seed-ecb`.
int touchstone_seed_ecb_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `seed-ecb`.
int touchstone_seed_ecb_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `seed-cbc`, `iv` being the IV of 16 bytes.
int touchstone_seed_cbc_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `seed-cbc`, `iv` being the IV of 16 bytes.
int touchstone_seed_cbc_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `seed-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_seed_ctr_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `seed-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_seed_ctr_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `serpent-128-ecb`.
int touchstone_serpent_128_ecb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-128-ecb`.
int touchstone_serpent_128_ecb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_serpent_128_cbc_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_serpent_128_cbc_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_serpent_128_ctr_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_serpent_128_ctr_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-192-ecb`.
int touchstone_serpent_192_ecb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-192-ecb`.
int touchstone_serpent_192_ecb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_serpent_192_cbc_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_serpent_192_cbc_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_serpent_192_ctr_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_serpent_192_ctr_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-256-ecb`.
int touchstone_serpent_256_ecb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-256-ecb`.
int touchstone_serpent_256_ecb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_serpent_256_cbc_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_serpent_256_cbc_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `serpent-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_serpent_256_ctr_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `serpent-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_serpent_256_ctr_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `shacal2-ecb`.
int touchstone_shacal2_ecb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `shacal2-ecb`.
int touchstone_shacal2_ecb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `shacal2-cbc`, `iv` being the IV of 32 bytes.
int touchstone_shacal2_cbc_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `shacal2-cbc`, `iv` being the IV of 32 bytes.
int touchstone_shacal2_cbc_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `shacal2-ctr`, `iv` being the first counter block of 32 bytes.
int touchstone_shacal2_ctr_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Decrypts a whole message with `shacal2-ctr`, `iv` being the first counter block of 32 bytes.
int touchstone_shacal2_ctr_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *iv,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len);

// Encrypts a whole message with `sm4-ecb`.
int touchstone_sm4_ecb_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `sm4-ecb`.
int touchstone_sm4_ecb_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `sm4-cbc`, `iv` being the IV of 16 bytes.
int touchstone_sm4_cbc_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `sm4-cbc`, `iv` being the IV of 16 bytes.
int touchstone_sm4_cbc_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `sm4-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_sm4_ctr_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `sm4-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_sm4_ctr_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `tea-ecb`.
int touchstone_tea_ecb_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `tea-ecb`.
int touchstone_tea_ecb_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `tea-cbc`, `iv` being the IV of 8 bytes.
int touchstone_tea_cbc_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `tea-cbc`, `iv` being the IV of 8 bytes.
int touchstone_tea_cbc_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `tea-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_tea_ctr_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Decrypts a whole message with `tea-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_tea_ctr_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *iv,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len);

// Encrypts a whole message with `twofish-128-ecb`.
int touchstone_twofish_128_ecb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-128-ecb`.
int touchstone_twofish_128_ecb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_twofish_128_cbc_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-128-cbc`, `iv` being the IV of 16 bytes.
int touchstone_twofish_128_cbc_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_twofish_128_ctr_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-128-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_twofish_128_ctr_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-192-ecb`.
int touchstone_twofish_192_ecb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-192-ecb`.
int touchstone_twofish_192_ecb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_twofish_192_cbc_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-192-cbc`, `iv` being the IV of 16 bytes.
int touchstone_twofish_192_cbc_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_twofish_192_ctr_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-192-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_twofish_192_ctr_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-256-ecb`.
int touchstone_twofish_256_ecb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-256-ecb`.
int touchstone_twofish_256_ecb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_twofish_256_cbc_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-256-cbc`, `iv` being the IV of 16 bytes.
int touchstone_twofish_256_cbc_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `twofish-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_twofish_256_ctr_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Decrypts a whole message with `twofish-256-ctr`, `iv` being the first counter block of 16 bytes.
int touchstone_twofish_256_ctr_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *iv,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len);

// Encrypts a whole message with `xtea-ecb`.
int touchstone_xtea_ecb_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `xtea-ecb`.
int touchstone_xtea_ecb_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `xtea-cbc`, `iv` being the IV of 8 bytes.
int touchstone_xtea_cbc_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `xtea-cbc`, `iv` being the IV of 8 bytes.
int touchstone_xtea_cbc_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Encrypts a whole message with `xtea-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_xtea_ctr_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// Decrypts a whole message with `xtea-ctr`, `iv` being the first counter block of 8 bytes.
int touchstone_xtea_ctr_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *iv,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len);

// The digest of a whole message by `sha-224`, of 28 bytes.
int touchstone_sha_224(const uint8_t *input, size_t len, uint8_t *digest);

// The digest of a whole message by `sha-256`, of 32 bytes.
int touchstone_sha_256(const uint8_t *input, size_t len, uint8_t *digest);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHSTONE_H */
