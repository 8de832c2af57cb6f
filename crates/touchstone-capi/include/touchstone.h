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

// Counters are the whole block, most significant byte first: what CTR has unless the
// parameter `"counter"` chooses another rule.
#define TOUCHSTONE_COUNTER_BIG_ENDIAN 0

// Counters are the whole block, least significant byte first.
#define TOUCHSTONE_COUNTER_LITTLE_ENDIAN 1

// Counters are the last half of the block, most significant byte first; the first
// half stays.
#define TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF 2

// Counters are the first half of the block, least significant byte first; the last
// half stays.
#define TOUCHSTONE_COUNTER_LITTLE_ENDIAN_HALF 3

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
// `"rounds"` of RC5 and XTEA, `"counter"` of CTR, which is one of TOUCHSTONE_COUNTER_.
// The value is checked with the key, but that of `"counter"` at once.
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

// Goes to a byte of the message in CTR, backwards or forwards, without computing what
// lies between: the next update begins there. TOUCHSTONE_ERROR_NAME in other modes.
int touchstone_cipher_seek(struct touchstone_cipher *cipher, uint64_t byte);

// Encrypts or decrypts `count` whole messages, each with its own initialization
// vector; `ivs` has them one after the other, and is NULL if there are none. Where a
// mode is serial, as CBC is forwards, this is several times as fast as one by one. An
// output is its own input, or apart from it, and from all else. Of what the handle had
// under way, nothing is left.
int touchstone_cipher_many(struct touchstone_cipher *cipher,
                           const uint8_t *ivs,
                           const uint8_t *const *inputs,
                           uint8_t *const *outputs,
                           const size_t *lens,
                           size_t count);

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

// The digests of `count` whole messages, one after the other into `digests`, which has
// `count` times the length of a digest. Several times as fast as one by one where many
// messages can go side by side.
int touchstone_digest_many(const char *name,
                           const uint8_t *const *inputs,
                           const size_t *lens,
                           size_t count,
                           uint8_t *digests,
                           size_t digests_len);

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

// The MACs of `count` whole messages, each cut to its first `tag_len` bytes, one
// after the other into `tags`. Several times as fast as one by one where many
// messages can go side by side. The message under way stays.
int touchstone_mac_many(const struct touchstone_mac *mac,
                        const uint8_t *const *inputs,
                        const size_t *lens,
                        size_t count,
                        uint8_t *tags,
                        size_t tag_len);

// Length of the whole MAC in bytes; 0 for NULL.
size_t touchstone_mac_size(const struct touchstone_mac *mac);

// The shortest key in bytes.
size_t touchstone_mac_key_size_min(const struct touchstone_mac *mac);

// The longest key in bytes.
size_t touchstone_mac_key_size_max(const struct touchstone_mac *mac);

// Wraps a key, by `"aes-256-kw"`, or by `"aes-256-kwp"` with padding; every block cipher
// of 16 bytes has both. The output is 8 bytes longer than the input, which for `kw` has
// at least 16 bytes and a multiple of 8, and for `kwp` counts as rounded up to that
// multiple. Nothing overlaps.
int touchstone_wrap(const char *name,
                    const uint8_t *key,
                    size_t key_len,
                    const uint8_t *input,
                    size_t input_len,
                    uint8_t *output,
                    size_t output_len);

// Unwraps a key, if it is genuine. The output is 8 bytes shorter than the input; how
// many of them are the key, `*unwrapped_len` is told, and the others are zeros.
// TOUCHSTONE_ERROR_FORGED says that it is not genuine; then the output is all zeros.
int touchstone_unwrap(const char *name,
                      const uint8_t *key,
                      size_t key_len,
                      const uint8_t *input,
                      size_t input_len,
                      uint8_t *output,
                      size_t output_len,
                      size_t *unwrapped_len);

// Pads the first `len` bytes of a buffer of `room` bytes to whole blocks of `block`
// bytes, 8, 16 or 32, and tells `*padded_len` how many bytes they are then. Paddings
// are `"pkcs7"`, `"iso7816-4"`, `"ansi-x9.23"`, of which each adds a byte at least and
// a block at most; and `"zero"`, which adds nothing to whole blocks.
int touchstone_pad(const char *padding,
                   size_t block,
                   uint8_t *buffer,
                   size_t room,
                   size_t len,
                   size_t *padded_len);

// Tells `*message_len` how many of `len` bytes are the message and not its padding, or
// returns TOUCHSTONE_ERROR_FORGED if they do not end as that padding does. Who lets
// others see which of the two it was lets them decrypt (Vaudenay, 2002): check a MAC of
// the ciphertext first.
int touchstone_unpad(const char *padding,
                     size_t block,
                     const uint8_t *data,
                     size_t len,
                     size_t *message_len);

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

// Encrypts a whole message with `aes-128-gcm`, as touchstone_aead_encrypt.
int touchstone_aes_128_gcm_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-128-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_128_gcm_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-128-ccm`, as touchstone_aead_encrypt.
int touchstone_aes_128_ccm_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-128-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_128_ccm_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-128-eax`, as touchstone_aead_encrypt.
int touchstone_aes_128_eax_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-128-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_128_eax_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-128-ocb`, as touchstone_aead_encrypt.
int touchstone_aes_128_ocb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-128-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_128_ocb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-128-siv`, as touchstone_aead_encrypt.
int touchstone_aes_128_siv_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-128-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_128_siv_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-192-gcm`, as touchstone_aead_encrypt.
int touchstone_aes_192_gcm_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-192-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_192_gcm_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-192-ccm`, as touchstone_aead_encrypt.
int touchstone_aes_192_ccm_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-192-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_192_ccm_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-192-eax`, as touchstone_aead_encrypt.
int touchstone_aes_192_eax_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-192-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_192_eax_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-192-ocb`, as touchstone_aead_encrypt.
int touchstone_aes_192_ocb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-192-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_192_ocb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-192-siv`, as touchstone_aead_encrypt.
int touchstone_aes_192_siv_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-192-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_192_siv_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-256-gcm`, as touchstone_aead_encrypt.
int touchstone_aes_256_gcm_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-256-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_256_gcm_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-256-ccm`, as touchstone_aead_encrypt.
int touchstone_aes_256_ccm_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-256-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_256_ccm_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-256-eax`, as touchstone_aead_encrypt.
int touchstone_aes_256_eax_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-256-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_256_eax_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-256-ocb`, as touchstone_aead_encrypt.
int touchstone_aes_256_ocb_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-256-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_256_ocb_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `aes-256-siv`, as touchstone_aead_encrypt.
int touchstone_aes_256_siv_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `aes-256-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_256_siv_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `anubis-gcm`, as touchstone_aead_encrypt.
int touchstone_anubis_gcm_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// Decrypts a whole message with `anubis-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_gcm_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  const uint8_t *tag,
                                  size_t tag_len);

// Encrypts a whole message with `anubis-ccm`, as touchstone_aead_encrypt.
int touchstone_anubis_ccm_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// Decrypts a whole message with `anubis-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_ccm_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  const uint8_t *tag,
                                  size_t tag_len);

// Encrypts a whole message with `anubis-eax`, as touchstone_aead_encrypt.
int touchstone_anubis_eax_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// Decrypts a whole message with `anubis-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_eax_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  const uint8_t *tag,
                                  size_t tag_len);

// Encrypts a whole message with `anubis-ocb`, as touchstone_aead_encrypt.
int touchstone_anubis_ocb_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// Decrypts a whole message with `anubis-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_ocb_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  const uint8_t *tag,
                                  size_t tag_len);

// Encrypts a whole message with `anubis-siv`, as touchstone_aead_encrypt.
int touchstone_anubis_siv_encrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// Decrypts a whole message with `anubis-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_siv_decrypt(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *nonce,
                                  size_t nonce_len,
                                  const uint8_t *aad,
                                  size_t aad_len,
                                  const uint8_t *input,
                                  uint8_t *output,
                                  size_t len,
                                  const uint8_t *tag,
                                  size_t tag_len);

// Encrypts a whole message with `anubis-original-gcm`, as touchstone_aead_encrypt.
int touchstone_anubis_original_gcm_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           uint8_t *tag,
                                           size_t tag_len);

// Decrypts a whole message with `anubis-original-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_original_gcm_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// Encrypts a whole message with `anubis-original-ccm`, as touchstone_aead_encrypt.
int touchstone_anubis_original_ccm_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           uint8_t *tag,
                                           size_t tag_len);

// Decrypts a whole message with `anubis-original-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_original_ccm_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// Encrypts a whole message with `anubis-original-eax`, as touchstone_aead_encrypt.
int touchstone_anubis_original_eax_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           uint8_t *tag,
                                           size_t tag_len);

// Decrypts a whole message with `anubis-original-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_original_eax_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// Encrypts a whole message with `anubis-original-ocb`, as touchstone_aead_encrypt.
int touchstone_anubis_original_ocb_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           uint8_t *tag,
                                           size_t tag_len);

// Decrypts a whole message with `anubis-original-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_original_ocb_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// Encrypts a whole message with `anubis-original-siv`, as touchstone_aead_encrypt.
int touchstone_anubis_original_siv_encrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           uint8_t *tag,
                                           size_t tag_len);

// Decrypts a whole message with `anubis-original-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_anubis_original_siv_decrypt(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *nonce,
                                           size_t nonce_len,
                                           const uint8_t *aad,
                                           size_t aad_len,
                                           const uint8_t *input,
                                           uint8_t *output,
                                           size_t len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// Encrypts a whole message with `aria-128-gcm`, as touchstone_aead_encrypt.
int touchstone_aria_128_gcm_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-128-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_128_gcm_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-128-ccm`, as touchstone_aead_encrypt.
int touchstone_aria_128_ccm_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-128-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_128_ccm_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-128-eax`, as touchstone_aead_encrypt.
int touchstone_aria_128_eax_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-128-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_128_eax_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-128-ocb`, as touchstone_aead_encrypt.
int touchstone_aria_128_ocb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-128-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_128_ocb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-128-siv`, as touchstone_aead_encrypt.
int touchstone_aria_128_siv_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-128-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_128_siv_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-192-gcm`, as touchstone_aead_encrypt.
int touchstone_aria_192_gcm_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-192-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_192_gcm_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-192-ccm`, as touchstone_aead_encrypt.
int touchstone_aria_192_ccm_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-192-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_192_ccm_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-192-eax`, as touchstone_aead_encrypt.
int touchstone_aria_192_eax_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-192-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_192_eax_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-192-ocb`, as touchstone_aead_encrypt.
int touchstone_aria_192_ocb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-192-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_192_ocb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-192-siv`, as touchstone_aead_encrypt.
int touchstone_aria_192_siv_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-192-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_192_siv_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-256-gcm`, as touchstone_aead_encrypt.
int touchstone_aria_256_gcm_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-256-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_256_gcm_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-256-ccm`, as touchstone_aead_encrypt.
int touchstone_aria_256_ccm_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-256-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_256_ccm_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-256-eax`, as touchstone_aead_encrypt.
int touchstone_aria_256_eax_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-256-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_256_eax_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-256-ocb`, as touchstone_aead_encrypt.
int touchstone_aria_256_ocb_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-256-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_256_ocb_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `aria-256-siv`, as touchstone_aead_encrypt.
int touchstone_aria_256_siv_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `aria-256-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aria_256_siv_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `blowfish-eax`, as touchstone_aead_encrypt.
int touchstone_blowfish_eax_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `blowfish-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_blowfish_eax_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `camellia-128-gcm`, as touchstone_aead_encrypt.
int touchstone_camellia_128_gcm_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-128-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_128_gcm_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-128-ccm`, as touchstone_aead_encrypt.
int touchstone_camellia_128_ccm_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-128-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_128_ccm_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-128-eax`, as touchstone_aead_encrypt.
int touchstone_camellia_128_eax_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-128-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_128_eax_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-128-ocb`, as touchstone_aead_encrypt.
int touchstone_camellia_128_ocb_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-128-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_128_ocb_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-128-siv`, as touchstone_aead_encrypt.
int touchstone_camellia_128_siv_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-128-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_128_siv_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-192-gcm`, as touchstone_aead_encrypt.
int touchstone_camellia_192_gcm_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-192-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_192_gcm_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-192-ccm`, as touchstone_aead_encrypt.
int touchstone_camellia_192_ccm_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-192-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_192_ccm_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-192-eax`, as touchstone_aead_encrypt.
int touchstone_camellia_192_eax_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-192-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_192_eax_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-192-ocb`, as touchstone_aead_encrypt.
int touchstone_camellia_192_ocb_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-192-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_192_ocb_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-192-siv`, as touchstone_aead_encrypt.
int touchstone_camellia_192_siv_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-192-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_192_siv_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-256-gcm`, as touchstone_aead_encrypt.
int touchstone_camellia_256_gcm_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-256-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_256_gcm_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-256-ccm`, as touchstone_aead_encrypt.
int touchstone_camellia_256_ccm_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-256-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_256_ccm_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-256-eax`, as touchstone_aead_encrypt.
int touchstone_camellia_256_eax_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-256-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_256_eax_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-256-ocb`, as touchstone_aead_encrypt.
int touchstone_camellia_256_ocb_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-256-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_256_ocb_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `camellia-256-siv`, as touchstone_aead_encrypt.
int touchstone_camellia_256_siv_encrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Decrypts a whole message with `camellia-256-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_camellia_256_siv_decrypt(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *nonce,
                                        size_t nonce_len,
                                        const uint8_t *aad,
                                        size_t aad_len,
                                        const uint8_t *input,
                                        uint8_t *output,
                                        size_t len,
                                        const uint8_t *tag,
                                        size_t tag_len);

// Encrypts a whole message with `cast5-eax`, as touchstone_aead_encrypt.
int touchstone_cast5_eax_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *aad,
                                 size_t aad_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// Decrypts a whole message with `cast5-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_cast5_eax_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *aad,
                                 size_t aad_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len,
                                 const uint8_t *tag,
                                 size_t tag_len);

// Encrypts a whole message with `des-eax`, as touchstone_aead_encrypt.
int touchstone_des_eax_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `des-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_des_eax_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `des-ede2-eax`, as touchstone_aead_encrypt.
int touchstone_des_ede2_eax_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `des-ede2-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_des_ede2_eax_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `des-ede3-eax`, as touchstone_aead_encrypt.
int touchstone_des_ede3_eax_encrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// Decrypts a whole message with `des-ede3-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_des_ede3_eax_decrypt(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *aad,
                                    size_t aad_len,
                                    const uint8_t *input,
                                    uint8_t *output,
                                    size_t len,
                                    const uint8_t *tag,
                                    size_t tag_len);

// Encrypts a whole message with `gost28147-eax`, as touchstone_aead_encrypt.
int touchstone_gost28147_eax_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const uint8_t *aad,
                                     size_t aad_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len,
                                     uint8_t *tag,
                                     size_t tag_len);

// Decrypts a whole message with `gost28147-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_gost28147_eax_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const uint8_t *aad,
                                     size_t aad_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len,
                                     const uint8_t *tag,
                                     size_t tag_len);

// Encrypts a whole message with `gost28147-r3411-cryptopro-eax`, as touchstone_aead_encrypt.
int touchstone_gost28147_r3411_cryptopro_eax_encrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *nonce,
                                                     size_t nonce_len,
                                                     const uint8_t *aad,
                                                     size_t aad_len,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len,
                                                     uint8_t *tag,
                                                     size_t tag_len);

// Decrypts a whole message with `gost28147-r3411-cryptopro-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_gost28147_r3411_cryptopro_eax_decrypt(const uint8_t *key,
                                                     size_t key_len,
                                                     const uint8_t *nonce,
                                                     size_t nonce_len,
                                                     const uint8_t *aad,
                                                     size_t aad_len,
                                                     const uint8_t *input,
                                                     uint8_t *output,
                                                     size_t len,
                                                     const uint8_t *tag,
                                                     size_t tag_len);

// Encrypts a whole message with `gost28147-test-eax`, as touchstone_aead_encrypt.
int touchstone_gost28147_test_eax_encrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *nonce,
                                          size_t nonce_len,
                                          const uint8_t *aad,
                                          size_t aad_len,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len,
                                          uint8_t *tag,
                                          size_t tag_len);

// Decrypts a whole message with `gost28147-test-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_gost28147_test_eax_decrypt(const uint8_t *key,
                                          size_t key_len,
                                          const uint8_t *nonce,
                                          size_t nonce_len,
                                          const uint8_t *aad,
                                          size_t aad_len,
                                          const uint8_t *input,
                                          uint8_t *output,
                                          size_t len,
                                          const uint8_t *tag,
                                          size_t tag_len);

// Encrypts a whole message with `idea-eax`, as touchstone_aead_encrypt.
int touchstone_idea_eax_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `idea-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_idea_eax_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `kuznyechik-gcm`, as touchstone_aead_encrypt.
int touchstone_kuznyechik_gcm_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      uint8_t *tag,
                                      size_t tag_len);

// Decrypts a whole message with `kuznyechik-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_kuznyechik_gcm_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      const uint8_t *tag,
                                      size_t tag_len);

// Encrypts a whole message with `kuznyechik-ccm`, as touchstone_aead_encrypt.
int touchstone_kuznyechik_ccm_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      uint8_t *tag,
                                      size_t tag_len);

// Decrypts a whole message with `kuznyechik-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_kuznyechik_ccm_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      const uint8_t *tag,
                                      size_t tag_len);

// Encrypts a whole message with `kuznyechik-eax`, as touchstone_aead_encrypt.
int touchstone_kuznyechik_eax_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      uint8_t *tag,
                                      size_t tag_len);

// Decrypts a whole message with `kuznyechik-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_kuznyechik_eax_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      const uint8_t *tag,
                                      size_t tag_len);

// Encrypts a whole message with `kuznyechik-ocb`, as touchstone_aead_encrypt.
int touchstone_kuznyechik_ocb_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      uint8_t *tag,
                                      size_t tag_len);

// Decrypts a whole message with `kuznyechik-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_kuznyechik_ocb_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      const uint8_t *tag,
                                      size_t tag_len);

// Encrypts a whole message with `kuznyechik-siv`, as touchstone_aead_encrypt.
int touchstone_kuznyechik_siv_encrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      uint8_t *tag,
                                      size_t tag_len);

// Decrypts a whole message with `kuznyechik-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_kuznyechik_siv_decrypt(const uint8_t *key,
                                      size_t key_len,
                                      const uint8_t *nonce,
                                      size_t nonce_len,
                                      const uint8_t *aad,
                                      size_t aad_len,
                                      const uint8_t *input,
                                      uint8_t *output,
                                      size_t len,
                                      const uint8_t *tag,
                                      size_t tag_len);

// Encrypts a whole message with `magma-eax`, as touchstone_aead_encrypt.
int touchstone_magma_eax_encrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *aad,
                                 size_t aad_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// Decrypts a whole message with `magma-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_magma_eax_decrypt(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *aad,
                                 size_t aad_len,
                                 const uint8_t *input,
                                 uint8_t *output,
                                 size_t len,
                                 const uint8_t *tag,
                                 size_t tag_len);

// Encrypts a whole message with `rc2-eax`, as touchstone_aead_encrypt.
int touchstone_rc2_eax_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `rc2-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_rc2_eax_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `rc5-32-12-eax`, as touchstone_aead_encrypt.
int touchstone_rc5_32_12_eax_encrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const uint8_t *aad,
                                     size_t aad_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len,
                                     uint8_t *tag,
                                     size_t tag_len);

// Decrypts a whole message with `rc5-32-12-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_rc5_32_12_eax_decrypt(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const uint8_t *aad,
                                     size_t aad_len,
                                     const uint8_t *input,
                                     uint8_t *output,
                                     size_t len,
                                     const uint8_t *tag,
                                     size_t tag_len);

// Encrypts a whole message with `seed-gcm`, as touchstone_aead_encrypt.
int touchstone_seed_gcm_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `seed-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_seed_gcm_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `seed-ccm`, as touchstone_aead_encrypt.
int touchstone_seed_ccm_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `seed-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_seed_ccm_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `seed-eax`, as touchstone_aead_encrypt.
int touchstone_seed_eax_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `seed-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_seed_eax_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `seed-ocb`, as touchstone_aead_encrypt.
int touchstone_seed_ocb_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `seed-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_seed_ocb_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `seed-siv`, as touchstone_aead_encrypt.
int touchstone_seed_siv_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `seed-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_seed_siv_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `serpent-128-gcm`, as touchstone_aead_encrypt.
int touchstone_serpent_128_gcm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-128-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_128_gcm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-128-ccm`, as touchstone_aead_encrypt.
int touchstone_serpent_128_ccm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-128-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_128_ccm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-128-eax`, as touchstone_aead_encrypt.
int touchstone_serpent_128_eax_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-128-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_128_eax_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-128-ocb`, as touchstone_aead_encrypt.
int touchstone_serpent_128_ocb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-128-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_128_ocb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-128-siv`, as touchstone_aead_encrypt.
int touchstone_serpent_128_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-128-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_128_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-192-gcm`, as touchstone_aead_encrypt.
int touchstone_serpent_192_gcm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-192-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_192_gcm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-192-ccm`, as touchstone_aead_encrypt.
int touchstone_serpent_192_ccm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-192-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_192_ccm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-192-eax`, as touchstone_aead_encrypt.
int touchstone_serpent_192_eax_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-192-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_192_eax_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-192-ocb`, as touchstone_aead_encrypt.
int touchstone_serpent_192_ocb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-192-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_192_ocb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-192-siv`, as touchstone_aead_encrypt.
int touchstone_serpent_192_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-192-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_192_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-256-gcm`, as touchstone_aead_encrypt.
int touchstone_serpent_256_gcm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-256-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_256_gcm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-256-ccm`, as touchstone_aead_encrypt.
int touchstone_serpent_256_ccm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-256-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_256_ccm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-256-eax`, as touchstone_aead_encrypt.
int touchstone_serpent_256_eax_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-256-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_256_eax_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-256-ocb`, as touchstone_aead_encrypt.
int touchstone_serpent_256_ocb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-256-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_256_ocb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `serpent-256-siv`, as touchstone_aead_encrypt.
int touchstone_serpent_256_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `serpent-256-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_serpent_256_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `shacal2-eax`, as touchstone_aead_encrypt.
int touchstone_shacal2_eax_encrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// Decrypts a whole message with `shacal2-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_shacal2_eax_decrypt(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *nonce,
                                   size_t nonce_len,
                                   const uint8_t *aad,
                                   size_t aad_len,
                                   const uint8_t *input,
                                   uint8_t *output,
                                   size_t len,
                                   const uint8_t *tag,
                                   size_t tag_len);

// Encrypts a whole message with `sm4-gcm`, as touchstone_aead_encrypt.
int touchstone_sm4_gcm_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `sm4-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_sm4_gcm_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `sm4-ccm`, as touchstone_aead_encrypt.
int touchstone_sm4_ccm_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `sm4-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_sm4_ccm_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `sm4-eax`, as touchstone_aead_encrypt.
int touchstone_sm4_eax_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `sm4-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_sm4_eax_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `sm4-ocb`, as touchstone_aead_encrypt.
int touchstone_sm4_ocb_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `sm4-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_sm4_ocb_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `sm4-siv`, as touchstone_aead_encrypt.
int touchstone_sm4_siv_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `sm4-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_sm4_siv_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `tea-eax`, as touchstone_aead_encrypt.
int touchstone_tea_eax_encrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// Decrypts a whole message with `tea-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_tea_eax_decrypt(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *aad,
                               size_t aad_len,
                               const uint8_t *input,
                               uint8_t *output,
                               size_t len,
                               const uint8_t *tag,
                               size_t tag_len);

// Encrypts a whole message with `twofish-128-gcm`, as touchstone_aead_encrypt.
int touchstone_twofish_128_gcm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-128-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_128_gcm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-128-ccm`, as touchstone_aead_encrypt.
int touchstone_twofish_128_ccm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-128-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_128_ccm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-128-eax`, as touchstone_aead_encrypt.
int touchstone_twofish_128_eax_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-128-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_128_eax_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-128-ocb`, as touchstone_aead_encrypt.
int touchstone_twofish_128_ocb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-128-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_128_ocb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-128-siv`, as touchstone_aead_encrypt.
int touchstone_twofish_128_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-128-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_128_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-192-gcm`, as touchstone_aead_encrypt.
int touchstone_twofish_192_gcm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-192-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_192_gcm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-192-ccm`, as touchstone_aead_encrypt.
int touchstone_twofish_192_ccm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-192-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_192_ccm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-192-eax`, as touchstone_aead_encrypt.
int touchstone_twofish_192_eax_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-192-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_192_eax_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-192-ocb`, as touchstone_aead_encrypt.
int touchstone_twofish_192_ocb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-192-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_192_ocb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-192-siv`, as touchstone_aead_encrypt.
int touchstone_twofish_192_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-192-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_192_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-256-gcm`, as touchstone_aead_encrypt.
int touchstone_twofish_256_gcm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-256-gcm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_256_gcm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-256-ccm`, as touchstone_aead_encrypt.
int touchstone_twofish_256_ccm_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-256-ccm`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_256_ccm_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-256-eax`, as touchstone_aead_encrypt.
int touchstone_twofish_256_eax_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-256-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_256_eax_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-256-ocb`, as touchstone_aead_encrypt.
int touchstone_twofish_256_ocb_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-256-ocb`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_256_ocb_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `twofish-256-siv`, as touchstone_aead_encrypt.
int touchstone_twofish_256_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `twofish-256-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_twofish_256_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `xtea-eax`, as touchstone_aead_encrypt.
int touchstone_xtea_eax_encrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// Decrypts a whole message with `xtea-eax`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_xtea_eax_decrypt(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *aad,
                                size_t aad_len,
                                const uint8_t *input,
                                uint8_t *output,
                                size_t len,
                                const uint8_t *tag,
                                size_t tag_len);

// Encrypts a whole message with `aes-128-gcm-siv`, as touchstone_aead_encrypt.
int touchstone_aes_128_gcm_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `aes-128-gcm-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_128_gcm_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `aes-192-gcm-siv`, as touchstone_aead_encrypt.
int touchstone_aes_192_gcm_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `aes-192-gcm-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_192_gcm_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// Encrypts a whole message with `aes-256-gcm-siv`, as touchstone_aead_encrypt.
int touchstone_aes_256_gcm_siv_encrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       uint8_t *tag,
                                       size_t tag_len);

// Decrypts a whole message with `aes-256-gcm-siv`, if it is genuine, as touchstone_aead_decrypt.
int touchstone_aes_256_gcm_siv_decrypt(const uint8_t *key,
                                       size_t key_len,
                                       const uint8_t *nonce,
                                       size_t nonce_len,
                                       const uint8_t *aad,
                                       size_t aad_len,
                                       const uint8_t *input,
                                       uint8_t *output,
                                       size_t len,
                                       const uint8_t *tag,
                                       size_t tag_len);

// The MAC of a whole message by `aes-128-gmac`, under a nonce that no other message has.
int touchstone_aes_128_gmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *nonce,
                            size_t nonce_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The MAC of a whole message by `aes-192-gmac`, under a nonce that no other message has.
int touchstone_aes_192_gmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *nonce,
                            size_t nonce_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The MAC of a whole message by `aes-256-gmac`, under a nonce that no other message has.
int touchstone_aes_256_gmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *nonce,
                            size_t nonce_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The MAC of a whole message by `anubis-gmac`, under a nonce that no other message has.
int touchstone_anubis_gmac(const uint8_t *key,
                           size_t key_len,
                           const uint8_t *nonce,
                           size_t nonce_len,
                           const uint8_t *input,
                           size_t len,
                           uint8_t *tag,
                           size_t tag_len);

// The MAC of a whole message by `anubis-original-gmac`, under a nonce that no other message has.
int touchstone_anubis_original_gmac(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *nonce,
                                    size_t nonce_len,
                                    const uint8_t *input,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// The MAC of a whole message by `aria-128-gmac`, under a nonce that no other message has.
int touchstone_aria_128_gmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *nonce,
                             size_t nonce_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The MAC of a whole message by `aria-192-gmac`, under a nonce that no other message has.
int touchstone_aria_192_gmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *nonce,
                             size_t nonce_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The MAC of a whole message by `aria-256-gmac`, under a nonce that no other message has.
int touchstone_aria_256_gmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *nonce,
                             size_t nonce_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The MAC of a whole message by `camellia-128-gmac`, under a nonce that no other message has.
int touchstone_camellia_128_gmac(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The MAC of a whole message by `camellia-192-gmac`, under a nonce that no other message has.
int touchstone_camellia_192_gmac(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The MAC of a whole message by `camellia-256-gmac`, under a nonce that no other message has.
int touchstone_camellia_256_gmac(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *nonce,
                                 size_t nonce_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The MAC of a whole message by `kuznyechik-gmac`, under a nonce that no other message has.
int touchstone_kuznyechik_gmac(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *nonce,
                               size_t nonce_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The MAC of a whole message by `seed-gmac`, under a nonce that no other message has.
int touchstone_seed_gmac(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *nonce,
                         size_t nonce_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The MAC of a whole message by `serpent-128-gmac`, under a nonce that no other message has.
int touchstone_serpent_128_gmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The MAC of a whole message by `serpent-192-gmac`, under a nonce that no other message has.
int touchstone_serpent_192_gmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The MAC of a whole message by `serpent-256-gmac`, under a nonce that no other message has.
int touchstone_serpent_256_gmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The MAC of a whole message by `sm4-gmac`, under a nonce that no other message has.
int touchstone_sm4_gmac(const uint8_t *key,
                        size_t key_len,
                        const uint8_t *nonce,
                        size_t nonce_len,
                        const uint8_t *input,
                        size_t len,
                        uint8_t *tag,
                        size_t tag_len);

// The MAC of a whole message by `twofish-128-gmac`, under a nonce that no other message has.
int touchstone_twofish_128_gmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The MAC of a whole message by `twofish-192-gmac`, under a nonce that no other message has.
int touchstone_twofish_192_gmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The MAC of a whole message by `twofish-256-gmac`, under a nonce that no other message has.
int touchstone_twofish_256_gmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *nonce,
                                size_t nonce_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-128-cmac`.
int touchstone_aes_128_cmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-128-omac2`.
int touchstone_aes_128_omac2(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-192-cmac`.
int touchstone_aes_192_cmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-192-omac2`.
int touchstone_aes_192_omac2(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-256-cmac`.
int touchstone_aes_256_cmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-256-omac2`.
int touchstone_aes_256_omac2(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `anubis-cmac`.
int touchstone_anubis_cmac(const uint8_t *key,
                           size_t key_len,
                           const uint8_t *input,
                           size_t len,
                           uint8_t *tag,
                           size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `anubis-omac2`.
int touchstone_anubis_omac2(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `anubis-original-cmac`.
int touchstone_anubis_original_cmac(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `anubis-original-omac2`.
int touchstone_anubis_original_omac2(const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *input,
                                     size_t len,
                                     uint8_t *tag,
                                     size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aria-128-cmac`.
int touchstone_aria_128_cmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aria-128-omac2`.
int touchstone_aria_128_omac2(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aria-192-cmac`.
int touchstone_aria_192_cmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aria-192-omac2`.
int touchstone_aria_192_omac2(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aria-256-cmac`.
int touchstone_aria_256_cmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aria-256-omac2`.
int touchstone_aria_256_omac2(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `blowfish-cmac`.
int touchstone_blowfish_cmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `blowfish-omac2`.
int touchstone_blowfish_omac2(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `camellia-128-cmac`.
int touchstone_camellia_128_cmac(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `camellia-128-omac2`.
int touchstone_camellia_128_omac2(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *input,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `camellia-192-cmac`.
int touchstone_camellia_192_cmac(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `camellia-192-omac2`.
int touchstone_camellia_192_omac2(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *input,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `camellia-256-cmac`.
int touchstone_camellia_256_cmac(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `camellia-256-omac2`.
int touchstone_camellia_256_omac2(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *input,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `cast5-cmac`.
int touchstone_cast5_cmac(const uint8_t *key,
                          size_t key_len,
                          const uint8_t *input,
                          size_t len,
                          uint8_t *tag,
                          size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `cast5-omac2`.
int touchstone_cast5_omac2(const uint8_t *key,
                           size_t key_len,
                           const uint8_t *input,
                           size_t len,
                           uint8_t *tag,
                           size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-cmac`.
int touchstone_des_cmac(const uint8_t *key,
                        size_t key_len,
                        const uint8_t *input,
                        size_t len,
                        uint8_t *tag,
                        size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-omac2`.
int touchstone_des_omac2(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-ede2-cmac`.
int touchstone_des_ede2_cmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-ede2-omac2`.
int touchstone_des_ede2_omac2(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-ede3-cmac`.
int touchstone_des_ede3_cmac(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-ede3-omac2`.
int touchstone_des_ede3_omac2(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-cmac`.
int touchstone_gost28147_cmac(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-omac2`.
int touchstone_gost28147_omac2(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-r3411-cryptopro-cmac`.
int touchstone_gost28147_r3411_cryptopro_cmac(const uint8_t *key,
                                              size_t key_len,
                                              const uint8_t *input,
                                              size_t len,
                                              uint8_t *tag,
                                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-r3411-cryptopro-omac2`.
int touchstone_gost28147_r3411_cryptopro_omac2(const uint8_t *key,
                                               size_t key_len,
                                               const uint8_t *input,
                                               size_t len,
                                               uint8_t *tag,
                                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-test-cmac`.
int touchstone_gost28147_test_cmac(const uint8_t *key,
                                   size_t key_len,
                                   const uint8_t *input,
                                   size_t len,
                                   uint8_t *tag,
                                   size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-test-omac2`.
int touchstone_gost28147_test_omac2(const uint8_t *key,
                                    size_t key_len,
                                    const uint8_t *input,
                                    size_t len,
                                    uint8_t *tag,
                                    size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `idea-cmac`.
int touchstone_idea_cmac(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `idea-omac2`.
int touchstone_idea_omac2(const uint8_t *key,
                          size_t key_len,
                          const uint8_t *input,
                          size_t len,
                          uint8_t *tag,
                          size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `kuznyechik-cmac`.
int touchstone_kuznyechik_cmac(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `kuznyechik-omac2`.
int touchstone_kuznyechik_omac2(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `magma-cmac`.
int touchstone_magma_cmac(const uint8_t *key,
                          size_t key_len,
                          const uint8_t *input,
                          size_t len,
                          uint8_t *tag,
                          size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `magma-omac2`.
int touchstone_magma_omac2(const uint8_t *key,
                           size_t key_len,
                           const uint8_t *input,
                           size_t len,
                           uint8_t *tag,
                           size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `rc2-cmac`.
int touchstone_rc2_cmac(const uint8_t *key,
                        size_t key_len,
                        const uint8_t *input,
                        size_t len,
                        uint8_t *tag,
                        size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `rc2-omac2`.
int touchstone_rc2_omac2(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `rc5-32-12-cmac`.
int touchstone_rc5_32_12_cmac(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `rc5-32-12-omac2`.
int touchstone_rc5_32_12_omac2(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `seed-cmac`.
int touchstone_seed_cmac(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `seed-omac2`.
int touchstone_seed_omac2(const uint8_t *key,
                          size_t key_len,
                          const uint8_t *input,
                          size_t len,
                          uint8_t *tag,
                          size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `serpent-128-cmac`.
int touchstone_serpent_128_cmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `serpent-128-omac2`.
int touchstone_serpent_128_omac2(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `serpent-192-cmac`.
int touchstone_serpent_192_cmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `serpent-192-omac2`.
int touchstone_serpent_192_omac2(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `serpent-256-cmac`.
int touchstone_serpent_256_cmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `serpent-256-omac2`.
int touchstone_serpent_256_omac2(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `shacal2-cmac`.
int touchstone_shacal2_cmac(const uint8_t *key,
                            size_t key_len,
                            const uint8_t *input,
                            size_t len,
                            uint8_t *tag,
                            size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `shacal2-omac2`.
int touchstone_shacal2_omac2(const uint8_t *key,
                             size_t key_len,
                             const uint8_t *input,
                             size_t len,
                             uint8_t *tag,
                             size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `sm4-cmac`.
int touchstone_sm4_cmac(const uint8_t *key,
                        size_t key_len,
                        const uint8_t *input,
                        size_t len,
                        uint8_t *tag,
                        size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `sm4-omac2`.
int touchstone_sm4_omac2(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `tea-cmac`.
int touchstone_tea_cmac(const uint8_t *key,
                        size_t key_len,
                        const uint8_t *input,
                        size_t len,
                        uint8_t *tag,
                        size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `tea-omac2`.
int touchstone_tea_omac2(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `twofish-128-cmac`.
int touchstone_twofish_128_cmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `twofish-128-omac2`.
int touchstone_twofish_128_omac2(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `twofish-192-cmac`.
int touchstone_twofish_192_cmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `twofish-192-omac2`.
int touchstone_twofish_192_omac2(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `twofish-256-cmac`.
int touchstone_twofish_256_cmac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `twofish-256-omac2`.
int touchstone_twofish_256_omac2(const uint8_t *key,
                                 size_t key_len,
                                 const uint8_t *input,
                                 size_t len,
                                 uint8_t *tag,
                                 size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `xtea-cmac`.
int touchstone_xtea_cmac(const uint8_t *key,
                         size_t key_len,
                         const uint8_t *input,
                         size_t len,
                         uint8_t *tag,
                         size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `xtea-omac2`.
int touchstone_xtea_omac2(const uint8_t *key,
                          size_t key_len,
                          const uint8_t *input,
                          size_t len,
                          uint8_t *tag,
                          size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-128-cbc-mac`.
int touchstone_aes_128_cbc_mac(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-192-cbc-mac`.
int touchstone_aes_192_cbc_mac(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `aes-256-cbc-mac`.
int touchstone_aes_256_cbc_mac(const uint8_t *key,
                               size_t key_len,
                               const uint8_t *input,
                               size_t len,
                               uint8_t *tag,
                               size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-cbc-mac`.
int touchstone_des_cbc_mac(const uint8_t *key,
                           size_t key_len,
                           const uint8_t *input,
                           size_t len,
                           uint8_t *tag,
                           size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-ede2-cbc-mac`.
int touchstone_des_ede2_cbc_mac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-ede3-cbc-mac`.
int touchstone_des_ede3_cbc_mac(const uint8_t *key,
                                size_t key_len,
                                const uint8_t *input,
                                size_t len,
                                uint8_t *tag,
                                size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `des-retail-mac`.
int touchstone_des_retail_mac(const uint8_t *key,
                              size_t key_len,
                              const uint8_t *input,
                              size_t len,
                              uint8_t *tag,
                              size_t tag_len);

// The first `tag_len` bytes of the MAC of a whole message by `gost28147-gost-mac`.
int touchstone_gost28147_gost_mac(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *input,
                                  size_t len,
                                  uint8_t *tag,
                                  size_t tag_len);

// The digest of a whole message by `sha-224`, of 28 bytes.
int touchstone_sha_224(const uint8_t *input, size_t len, uint8_t *digest);

// The digest of a whole message by `sha-256`, of 32 bytes.
int touchstone_sha_256(const uint8_t *input, size_t len, uint8_t *digest);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TOUCHSTONE_H */
