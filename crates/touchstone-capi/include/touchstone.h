/*
 * Touchstone: cryptography for C and C++.
 *
 * The manual is docs/c-api.md. These are the ten common tasks, and where to look:
 *
 *   1. encrypt and authenticate a message      touchstone_aead_encrypt
 *   2. decrypt a message if it is genuine      touchstone_aead_decrypt
 *   3. encrypt a file in pieces                touchstone_encryptor_update
 *      decrypt a file in pieces                touchstone_decryptor_update_unverified
 *   4. start in the middle of a CTR stream     touchstone_cipher_seek
 *   5. CBC with padding                        touchstone_pad, touchstone_encrypt
 *   6. hash a message                          touchstone_digest
 *   7. authenticate a message                  touchstone_mac_message
 *   8. check a MAC                             touchstone_mac_verify
 *   9. derive a key                            touchstone_derive
 *  10. hash and check a password               touchstone_crypt, touchstone_crypt_verify
 *
 * Rules for all functions:
 *
 * - Lengths and sizes are in bytes.
 * - A pointer to data must be valid for the length that the call gives. The pointer may
 *   be NULL if the length is 0. An input must be initialised, an output need not be.
 * - A function that returns int returns TOUCHSTONE_OK, which is 0, or a negative error
 *   code. touchstone_strerror describes an error code.
 * - After an error, an output contains its old bytes or zeros. It never contains a part
 *   of a result. The handle does not change.
 * - An output must be exactly its input, or share no byte with any input. If buffers
 *   overlap in another way, the result is TOUCHSTONE_ERROR_OVERLAP.
 * - A handle comes from a function whose name ends in _new or _copy. Free the handle
 *   once with the _free function of its family, which also wipes its keys. To free NULL
 *   does nothing. If a _new or _copy function fails, it sets the handle to NULL.
 * - Different threads may use different handles at the same time. Only one thread at a
 *   time may use a handle. Exceptions: several threads may call touchstone_aead_encrypt,
 *   touchstone_aead_decrypt, and every function that takes a const handle, with the same
 *   handle at the same time.
 * - No function prints, changes errno on purpose, or unwinds.
 *
 * For generators of bindings: no preprocessor directive is between the two lines
 * "begin declarations" and "end declarations".
 */
#ifndef TOUCHSTONE_H
#define TOUCHSTONE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* begin declarations */

/* ---------------------------------------------------------------- Errors */

enum touchstone_error {
    TOUCHSTONE_OK = 0,
    /* A pointer is NULL, and this function does not allow NULL there. */
    TOUCHSTONE_ERROR_NULL = -1,
    /* No algorithm of this family has this name, or the algorithm does not have this
     * operation. */
    TOUCHSTONE_ERROR_NAME = -2,
    /* The algorithm does not accept a key of this length. */
    TOUCHSTONE_ERROR_KEY_LENGTH = -3,
    /* The algorithm does not accept an initialization vector or nonce of this length.
     * For VMAC also: the first bit of a nonce of 16 bytes is 1. */
    TOUCHSTONE_ERROR_IV_LENGTH = -4,
    /* The tag does not have the length of this handle's tags, or the algorithm does not
     * make tags of this length. */
    TOUCHSTONE_ERROR_TAG_LENGTH = -5,
    /* The data is not whole blocks, or too short, or too long. */
    TOUCHSTONE_ERROR_DATA_LENGTH = -6,
    /* The output does not have the length of the result, or has no room for the
     * result. */
    TOUCHSTONE_ERROR_OUTPUT_LENGTH = -7,
    /* The call comes too early, because no key or no initialization vector was set. Or
     * the call comes too late, because the key is already set, because a key for one
     * message was already used, or because a generator needs new entropy. */
    TOUCHSTONE_ERROR_STATE = -8,
    /* The output overlaps another buffer and is not exactly the input. */
    TOUCHSTONE_ERROR_OVERLAP = -9,
    /* The message, its tag, its padding or the password is wrong. */
    TOUCHSTONE_ERROR_FORGED = -10,
    /* The algorithm has no parameter of this name, or does not accept this value of
     * it. */
    TOUCHSTONE_ERROR_PARAMETER = -11,
    /* The text is neither a password hash nor a setting of a known method. */
    TOUCHSTONE_ERROR_SETTING = -12,
    /* The memory that the function needs cannot be allocated. */
    TOUCHSTONE_ERROR_MEMORY = -13,
    /* The system gives no random bytes. */
    TOUCHSTONE_ERROR_RANDOM = -14
};

/* Returns a text that describes an error, in English. The result is never NULL. Do not
 * free it. */
const char *touchstone_strerror(int error);

/* ----------------------------------------------------- Names and version */

/* Returns the name of an algorithm by its index, from 0 on, and NULL after the last
 * algorithm. Do not free the result. Each family has its own list of names. */
const char *touchstone_cipher_name(size_t index);
const char *touchstone_aead_name(size_t index);
const char *touchstone_hash_name(size_t index);
const char *touchstone_mac_name(size_t index);
const char *touchstone_wrap_name(size_t index);
const char *touchstone_derive_name(size_t index);
const char *touchstone_drbg_name(size_t index);

/* Returns the name of the kernel, the code that computes an algorithm on this machine,
 * such as "portable", "aes-ni" or "avx2". Returns NULL if no algorithm has this name.
 * Do not free the result. */
const char *touchstone_kernel(const char *name);

/* Returns the version of the library, such as "0.1.0". */
const char *touchstone_version(void);

/* -------------------------------------------- Authenticated encryption
 *
 * A block cipher in a mode: "aes-256-gcm", "aes-128-ccm", "twofish-256-eax",
 * "camellia-128-ocb", "aes-256-siv", "aes-256-gcm-siv". The sender and the receiver
 * share a key. Each message under the same key needs another nonce. The nonce is not
 * secret. The associated data (aad) is authenticated, but not encrypted.
 */

typedef struct touchstone_aead touchstone_aead;

/* Finds the algorithm by its name. The next call must set the key. */
int touchstone_aead_new(touchstone_aead **aead, const char *name);
void touchstone_aead_free(touchstone_aead *aead);

/* Sets the length of all tags of this handle: at least 4, and one of the lengths that
 * the mode allows. Without this call, tags have the full length of the mode. Call this
 * function before the key is set. The length must come from the program or its
 * protocol, never from a message: an attacker who chooses a short length can guess a
 * tag. */
int touchstone_aead_set_tag_size(touchstone_aead *aead, size_t size);

/* Sets the length of all tags as touchstone_aead_set_tag_size does, and also allows
 * tags of 1 to 3 bytes. An attacker forges such tags by guessing. Use this function
 * only for old protocols and published test vectors. */
int touchstone_aead_set_tag_size_insecure(touchstone_aead *aead, size_t size);

int touchstone_aead_set_key(touchstone_aead *aead, const void *key, size_t key_len);

/* Encrypts a message of len bytes and writes its tag. tag_len must be the length of the
 * handle's tags; otherwise the call fails with TOUCHSTONE_ERROR_TAG_LENGTH. */
int touchstone_aead_encrypt(const touchstone_aead *aead,
                            const void *nonce, size_t nonce_len,
                            const void *aad, size_t aad_len,
                            const void *input, void *output, size_t len,
                            void *tag, size_t tag_len);

/* Decrypts a message if it is genuine. Otherwise the call fails with
 * TOUCHSTONE_ERROR_FORGED and fills the output with zeros, also if the output is the
 * input. */
int touchstone_aead_decrypt(const touchstone_aead *aead,
                            const void *nonce, size_t nonce_len,
                            const void *aad, size_t aad_len,
                            const void *input, void *output, size_t len,
                            const void *tag, size_t tag_len);

/* Returns the length of this handle's tags, or 0 if the handle is NULL. */
size_t touchstone_aead_tag_size(const touchstone_aead *aead);

/* Writes the lengths of keys or nonces that the algorithm accepts: from *min to *max in
 * steps of *step. Each pointer may be NULL. The first two functions take a handle, the
 * last two take a name. */
int touchstone_aead_key_sizes(const touchstone_aead *aead,
                              size_t *min, size_t *max, size_t *step);
int touchstone_aead_nonce_sizes(const touchstone_aead *aead,
                                size_t *min, size_t *max, size_t *step);
int touchstone_aead_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);
int touchstone_aead_nonce_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* Returns the full length of the tags of the algorithm with this name, or 0 if there is
 * no such algorithm. */
size_t touchstone_aead_tag_size_of(const char *name);

/* A message in pieces, with one handle for each message. SIV, GCM-SIV and
 * XSalsa20-Poly1305 accept no pieces: for them the result is TOUCHSTONE_ERROR_NAME. */

typedef struct touchstone_encryptor touchstone_encryptor;
typedef struct touchstone_decryptor touchstone_decryptor;

/* Starts a message with its nonce. The new handle keeps the key of aead, so aead may be
 * freed or get another key before the message ends. CCM needs the length of all
 * associated data in aad_total, and the length of the whole message in total. Other
 * modes ignore both. */
int touchstone_encryptor_new(touchstone_encryptor **encryptor, const touchstone_aead *aead,
                             const void *nonce, size_t nonce_len,
                             uint64_t aad_total, uint64_t total);
void touchstone_encryptor_free(touchstone_encryptor *encryptor);

/* Adds the next piece of the associated data. All associated data must come before the
 * first piece of the message. */
int touchstone_encryptor_aad(touchstone_encryptor *encryptor, const void *aad, size_t aad_len);

/* Encrypts the next piece of the message. The output is as long as the input. For OCB,
 * the length of each piece except the last must be a multiple of 16 bytes. */
int touchstone_encryptor_update(touchstone_encryptor *encryptor,
                                const void *input, void *output, size_t len);

/* Ends the message and writes its tag. tag_len must be touchstone_aead_tag_size of the
 * aead. Every later call with this handle returns TOUCHSTONE_ERROR_STATE. If a CCM
 * message is shorter than announced, this call ends the message too, writes no tag, and
 * returns TOUCHSTONE_ERROR_DATA_LENGTH. */
int touchstone_encryptor_finish(touchstone_encryptor *encryptor, void *tag, size_t tag_len);

/* The functions for a message that is decrypted correspond to the functions for a
 * message that is encrypted. */
int touchstone_decryptor_new(touchstone_decryptor **decryptor, const touchstone_aead *aead,
                             const void *nonce, size_t nonce_len,
                             uint64_t aad_total, uint64_t total);
void touchstone_decryptor_free(touchstone_decryptor *decryptor);
int touchstone_decryptor_aad(touchstone_decryptor *decryptor, const void *aad, size_t aad_len);

/* Decrypts the next piece of the message. The output is not checked yet: an attacker
 * may have written it. Do not act on the output, and store it only in a safe place such
 * as a temporary file, until touchstone_decryptor_verify returns TOUCHSTONE_OK.
 * touchstone_aead_decrypt needs no such care. */
int touchstone_decryptor_update_unverified(touchstone_decryptor *decryptor,
                                           const void *input, void *output, size_t len);

/* Ends the message. Returns TOUCHSTONE_OK if the message is genuine, and otherwise
 * TOUCHSTONE_ERROR_FORGED. After TOUCHSTONE_ERROR_FORGED, erase all output of this
 * message. tag_len must be touchstone_aead_tag_size of the aead. */
int touchstone_decryptor_verify(touchstone_decryptor *decryptor,
                                const void *tag, size_t tag_len);

/* --------------------------------------------------------------- Ciphers
 *
 * A block cipher in a mode ("aes-256-ctr", "des-ede3-cbc", "serpent-128-xts") or a
 * stream cipher ("chacha20"). The output is as long as the input. No cipher of this
 * family detects changes of a message: add a MAC, or use authenticated encryption.
 */

typedef struct touchstone_cipher touchstone_cipher;

enum touchstone_direction {
    TOUCHSTONE_DECRYPT = 0,
    TOUCHSTONE_ENCRYPT = 1
};

/* Values of the parameter "counter" of CTR. The parameter says which bytes of the block
 * are the counter, and whether the most significant byte comes first. In the last two
 * values, the counter is half of the block: the last half if the most significant byte
 * comes first, otherwise the first half. */
enum touchstone_counter {
    TOUCHSTONE_COUNTER_BIG_ENDIAN = 0,
    TOUCHSTONE_COUNTER_LITTLE_ENDIAN = 1,
    TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF = 2,
    TOUCHSTONE_COUNTER_LITTLE_ENDIAN_HALF = 3
};

/* Finds the algorithm by its name. direction is TOUCHSTONE_ENCRYPT or
 * TOUCHSTONE_DECRYPT. */
int touchstone_cipher_new(touchstone_cipher **cipher, const char *name, int direction);
void touchstone_cipher_free(touchstone_cipher *cipher);

/* Sets a parameter that the name does not contain, before the key is set:
 * "effective-bits" of rc2, "rounds" of rc5-32-12 and xtea, "counter" of CTR. A value
 * out of range causes an error when the key is set. */
int touchstone_cipher_set_parameter(touchstone_cipher *cipher, const char *name,
                                    uint64_t value);

/* Sets the key. For XTS, the key consists of two keys of the same length, one after the
 * other. */
int touchstone_cipher_set_key(touchstone_cipher *cipher, const void *key, size_t key_len);

/* Starts a message with its initialization vector, nonce, first counter block or tweak.
 * ECB has no initialization vector. */
int touchstone_cipher_set_iv(touchstone_cipher *cipher, const void *iv, size_t iv_len);

/* Encrypts or decrypts the next len bytes of the message. touchstone_cipher_piece_size
 * returns the unit of which len must be a multiple. */
int touchstone_cipher_update(touchstone_cipher *cipher, const void *input, void *output,
                             size_t len);

/* Encrypts or decrypts a whole message, faster than touchstone_cipher_set_iv and
 * touchstone_cipher_update. A message in pieces that was started before is discarded.
 * The next message needs its own initialization vector. */
int touchstone_cipher_message(touchstone_cipher *cipher, const void *iv, size_t iv_len,
                              const void *input, void *output, size_t len);

/* Moves to a byte of the message, forwards or backwards, counted from 0. CTR and some
 * stream ciphers can do this. Other ciphers return TOUCHSTONE_ERROR_NAME. */
int touchstone_cipher_seek(touchstone_cipher *cipher, uint64_t byte);

/* Encrypts or decrypts count whole messages, each with its own initialization vector of
 * iv_len bytes. The initialization vectors are in ivs, one after the other. CBC
 * encryption of many messages in one call is several times as fast as one call for each
 * message. */
int touchstone_cipher_many(touchstone_cipher *cipher, const void *ivs, size_t iv_len,
                           const void *const *inputs, void *const *outputs,
                           const size_t *lens, size_t count);

/* Returns the length of the cipher's block, or 1 for a stream cipher. */
size_t touchstone_cipher_block_size(const touchstone_cipher *cipher);

/* Returns the unit of which the length of a piece must be a multiple: 1, or the length
 * of a block. The result 0 means that a call takes a whole message of at least one
 * block, and that the next message needs its own initialization vector. */
size_t touchstone_cipher_piece_size(const touchstone_cipher *cipher);

/* Writes the lengths of keys or initialization vectors that the cipher accepts: from
 * *min to *max in steps of *step. Each pointer may be NULL. The first two functions
 * take a handle, the last two take a name. */
int touchstone_cipher_key_sizes(const touchstone_cipher *cipher,
                                size_t *min, size_t *max, size_t *step);
int touchstone_cipher_iv_sizes(const touchstone_cipher *cipher,
                               size_t *min, size_t *max, size_t *step);
int touchstone_cipher_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);
int touchstone_cipher_iv_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* Encrypts or decrypts a whole message with the cipher of this name. Each call sets the
 * key up. For many messages, a handle is faster. */
int touchstone_encrypt(const char *name, const void *key, size_t key_len,
                       const void *iv, size_t iv_len,
                       const void *input, void *output, size_t len);
int touchstone_decrypt(const char *name, const void *key, size_t key_len,
                       const void *iv, size_t iv_len,
                       const void *input, void *output, size_t len);

/* --------------------------------------------------------------- Padding
 *
 * Padding is for the modes that accept only whole blocks. The paddings "pkcs7",
 * "iso7816-4" and "ansi-x9.23" add at least one byte and at most a block. The padding
 * "zero" adds nothing to whole blocks. A block has 8, 16, 32, 64 or 128 bytes.
 */

/* Pads the message in the first len bytes of a buffer of room bytes, and sets
 * *padded_len to the length of the padded message. */
int touchstone_pad(const char *padding, size_t block, void *buffer, size_t room, size_t len,
                   size_t *padded_len);

/* Sets *message_len to the length of the message without its padding, or fails with
 * TOUCHSTONE_ERROR_FORGED. Check a MAC of the ciphertext first: an attacker who learns
 * whether the padding was right can decrypt messages (Vaudenay, EUROCRYPT 2002). */
int touchstone_unpad(const char *padding, size_t block, const void *data, size_t len,
                     size_t *message_len);

/* ------------------------------------------------------------------ Hash */

typedef struct touchstone_hash touchstone_hash;

/* Makes a handle for the hash function of this name, such as "sha-256", at the start of
 * a message. */
int touchstone_hash_new(touchstone_hash **hash, const char *name);

/* Makes a handle for "cshake128", "cshake256", "kt128", "kt256", a function of Skein, or
 * "blake2b..." or "blake2s..." with a customisation, which is used for every message of the
 * handle. Each customisation gives another function. Skein and BLAKE2 call it a
 * personalisation. "blake2b..." takes at most 16 bytes and "blake2s..." at most 8, and the
 * result for more is TOUCHSTONE_ERROR_PARAMETER. */
int touchstone_hash_new_customised(touchstone_hash **hash, const char *name,
                                   const void *customisation, size_t len);

/* Makes a copy of a handle. The copy has the same pieces of the message as the
 * original. */
int touchstone_hash_copy(touchstone_hash **copy, const touchstone_hash *hash);
void touchstone_hash_free(touchstone_hash *hash);

int touchstone_hash_update(touchstone_hash *hash, const void *input, size_t len);

/* Ends the message, writes its digest, and starts the next message. digest_len must be
 * touchstone_hash_size. If touchstone_hash_size is 0, digest_len may have any value. */
int touchstone_hash_final(touchstone_hash *hash, void *digest, size_t digest_len);

/* Writes the next len bytes of output, for functions whose output has any length. The
 * first call ends the message. touchstone_hash_reset or touchstone_hash_update starts
 * the next message. For other functions the result is TOUCHSTONE_ERROR_NAME. */
int touchstone_hash_squeeze(touchstone_hash *hash, void *output, size_t len);

/* Writes the digest of a whole message. A message in pieces that was started before is
 * discarded. */
int touchstone_hash_message(touchstone_hash *hash, const void *input, size_t len,
                            void *digest, size_t digest_len);

/* Discards the message in pieces that was started. */
int touchstone_hash_reset(touchstone_hash *hash);

/* Writes the digests of count whole messages to digests, one after the other. On many
 * processors, one call is several times as fast as one call for each message. */
int touchstone_hash_many(const touchstone_hash *hash,
                         const void *const *inputs, const size_t *lens, size_t count,
                         void *digests, size_t digests_len);

/* Returns the length of a digest, or 0 if the caller chooses the length. */
size_t touchstone_hash_size(const touchstone_hash *hash);

/* Returns the length of the blocks in which the function processes a message. */
size_t touchstone_hash_block_size(const touchstone_hash *hash);

/* Writes the digest of a whole message, by the hash function of this name. */
int touchstone_digest(const char *name, const void *input, size_t len,
                      void *digest, size_t digest_len);

/* Fills output with the hash of a list of count strings: "tuplehash128" or "tuplehash256",
 * NIST SP 800-185, 5. Two lists have different hashes even if the strings, one after the
 * other, are the same bytes. Each customisation gives another function; it may be empty.
 * Another length of output gives another hash. With "tuplehashxof128" and
 * "tuplehashxof256", a shorter output is the beginning of a longer one. */
int touchstone_tuple_hash(const char *name,
                          const void *const *items, const size_t *lens, size_t count,
                          const void *customisation, size_t customisation_len,
                          void *output, size_t output_len);

/* Fills output with the hash of a message whose blocks of block_size bytes are hashed
 * separately, several at once: "parallelhash128" or "parallelhash256", NIST SP 800-185, 6.
 * Each block_size and each customisation gives another function. For a block_size of 0 the
 * result is TOUCHSTONE_ERROR_PARAMETER. "parallelhashxof128" and "parallelhashxof256" are as
 * above. */
int touchstone_parallel_hash(const char *name, size_t block_size,
                             const void *input, size_t len,
                             const void *customisation, size_t customisation_len,
                             void *output, size_t output_len);

/* ------------------------------------------- Message authentication codes
 *
 * Examples are "hmac-sha-256", "aes-128-cmac" and "poly1305". A key of Poly1305 is only
 * for one message. GMAC, UMAC and VMAC ("aes-128-gmac", "umac-64", "vmac-128") need a
 * nonce with each message. Never use a nonce twice with the same key: an attacker who
 * sees two tags with the same nonce can forge tags.
 */

typedef struct touchstone_mac touchstone_mac;

/* Finds the algorithm by its name. The next call must set the key. */
int touchstone_mac_new(touchstone_mac **mac, const char *name);
void touchstone_mac_free(touchstone_mac *mac);

/* Truncates all tags of this handle to their first size bytes, at least 4. Call this
 * function before the key is set. The length must come from the program or its
 * protocol, never from a message. */
int touchstone_mac_set_tag_size(touchstone_mac *mac, size_t size);

/* Truncates all tags as touchstone_mac_set_tag_size does, and also allows tags of 1 to
 * 3 bytes. An attacker forges such tags by guessing. */
int touchstone_mac_set_tag_size_insecure(touchstone_mac *mac, size_t size);

int touchstone_mac_set_key(touchstone_mac *mac, const void *key, size_t key_len);

/* Sets the nonce of the current message, at any time before the end of the message. The
 * nonce is used for one tag, which is written or verified. Without a nonce, a MAC that
 * needs one writes no tag and returns TOUCHSTONE_ERROR_STATE. MACs without a nonce
 * accept only a nonce of length 0, and need no call of this function. */
int touchstone_mac_set_nonce(touchstone_mac *mac, const void *nonce, size_t nonce_len);

/* Adds the next piece of the message. */
int touchstone_mac_update(touchstone_mac *mac, const void *input, size_t len);

/* Ends the message, writes its tag, and starts the next message with the same key.
 * tag_len must be the length of the handle's tags. */
int touchstone_mac_final(touchstone_mac *mac, void *tag, size_t tag_len);

/* Ends the message, and compares its tag with the given tag in constant time. Returns
 * TOUCHSTONE_OK if the tags are equal, and TOUCHSTONE_ERROR_FORGED if not. A tag of
 * another length is an error. */
int touchstone_mac_verify(touchstone_mac *mac, const void *tag, size_t tag_len);

/* Writes the tag of a whole message. A message in pieces that was started before
 * continues, but loses its nonce. */
int touchstone_mac_message(touchstone_mac *mac, const void *input, size_t len,
                           void *tag, size_t tag_len);

/* Discards the message in pieces that was started, and its nonce. */
int touchstone_mac_reset(touchstone_mac *mac);

/* Writes the tags of count whole messages to tags, one after the other. A MAC that
 * needs a nonce returns TOUCHSTONE_ERROR_NAME. */
int touchstone_mac_many(touchstone_mac *mac,
                        const void *const *inputs, const size_t *lens, size_t count,
                        void *tags, size_t tags_len);

/* Returns the length of this handle's tags, or 0 if the handle is NULL. */
size_t touchstone_mac_tag_size(const touchstone_mac *mac);

/* Writes the lengths of keys or nonces that the MAC accepts: from *min to *max in steps
 * of *step. The lengths of nonces are 0 for a MAC without a nonce. Each pointer may be
 * NULL. The first two functions take a handle, the last two take a name. */
int touchstone_mac_key_sizes(const touchstone_mac *mac,
                             size_t *min, size_t *max, size_t *step);
int touchstone_mac_nonce_sizes(const touchstone_mac *mac,
                               size_t *min, size_t *max, size_t *step);
int touchstone_mac_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);
int touchstone_mac_nonce_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* Returns the full length of the tags of the algorithm with this name, or 0 if there is
 * no such algorithm. */
size_t touchstone_mac_tag_size_of(const char *name);

/* -------------------------------------------------------------- Key wrap
 *
 * Authenticated encryption of keys, without a nonce: "aes-256-kw" (RFC 3394), and
 * "aes-256-kwp" with padding (RFC 5649). Every block cipher whose blocks have 16 bytes
 * can be used. No buffers of a call may overlap.
 */

/* Wraps a secret. For kw, the length of the secret is at least 16 bytes and a multiple
 * of 8. For kwp, the length is at least 1 byte. The output is 8 bytes longer than the
 * secret, whose length is first rounded up to a multiple of 8. */
int touchstone_wrap(const char *name, const void *key, size_t key_len,
                    const void *input, size_t input_len,
                    void *output, size_t output_len);

/* Unwraps a secret if it is genuine, and sets *unwrapped_len to the length of the
 * secret. The length of the output must be 8 bytes less than the length of the input.
 * The bytes after the secret become zeros. */
int touchstone_unwrap(const char *name, const void *key, size_t key_len,
                      const void *input, size_t input_len,
                      void *output, size_t output_len, size_t *unwrapped_len);

/* Writes the lengths of keys that the algorithm of this name accepts: from *min to *max
 * in steps of *step. Each pointer may be NULL. */
int touchstone_wrap_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* -------------------------------------------------------- Key derivation */

/* Fills key. If a function does not have an input, pass an empty input, or 0.
 *
 *   name                              salt           info           iterations
 *   "hkdf-sha-256"                    any            any            0
 *   "pbkdf2-hmac-sha-256"             any            none           1 or more
 *   "pbkdf1-sha-1"                    8 bytes        none           1 or more
 *   "bcrypt-pbkdf"                    any            none           1 or more
 *   "s2k-sha-256"                     8 bytes, none  none           bytes to hash, or 0
 *   "kdf1-", "kdf2-", "kdf3-sha-256"  none           any            0
 *   "mgf1-sha-256"                    none           none           0
 *   "blake3-kdf"                      none           context        0
 *   "sp800-108-counter-", "sp800-108-double-pipeline-hmac-sha-256", and
 *   "-aes-128-cmac"                   none           label, zero byte, context
 *   "sp800-108-feedback-..."          the IV         the same       0
 */
int touchstone_derive(const char *name, const void *secret, size_t secret_len,
                      const void *salt, size_t salt_len,
                      const void *info, size_t info_len, uint32_t iterations,
                      void *key, size_t key_len);

/* Fills key from a password and a salt by scrypt, RFC 7914, with n rows of 128 r bytes,
 * p times. n is a power of two. For costs that scrypt does not allow, the result is
 * TOUCHSTONE_ERROR_PARAMETER, and no memory is allocated. */
int touchstone_scrypt(const void *password, size_t password_len,
                      const void *salt, size_t salt_len,
                      uint64_t n, uint32_t r, uint32_t p,
                      void *key, size_t key_len);

/* Fills key, of 4 bytes or more, from a password and a salt of 8 bytes or more by
 * "argon2id", "argon2i" or "argon2d", version 19 of RFC 9106. The secret and the
 * associated data may be empty. memory is in KiB, at least 8 for each lane; the lanes are
 * filled one after the other. For costs that Argon2 does not allow, the result is
 * TOUCHSTONE_ERROR_PARAMETER, and no memory is allocated. */
int touchstone_argon2(const char *name, const void *password, size_t password_len,
                      const void *salt, size_t salt_len,
                      const void *secret, size_t secret_len,
                      const void *data, size_t data_len,
                      uint32_t passes, uint32_t memory, uint32_t lanes,
                      void *key, size_t key_len);

/* -------------------------------------------------------- Password hashes
 *
 * The methods of crypt(3), from traditional DES to yescrypt, without a static buffer. Any
 * number of threads may call these functions at the same time.
 */

/* The size in bytes of a buffer in which any password hash or setting with its NUL
 * fits. */
enum touchstone_crypt_size { TOUCHSTONE_CRYPT_SIZE = 384 };

/* Makes a setting with a random salt. prefix selects the method, such as "$6$"; NULL
 * selects yescrypt, "$y$". The cost 0 means the default of the method. */
int touchstone_crypt_gensalt(const char *prefix, uint64_t cost, char *setting, size_t size);

/* Hashes a password with the method, cost and salt of a setting. The setting may also
 * be a whole hash. size is the size of the buffer for the hash and its NUL;
 * TOUCHSTONE_CRYPT_SIZE is always enough. */
int touchstone_crypt(const char *phrase, const char *setting, char *hash, size_t size);

/* Hashes count passwords, each with its setting, and writes them to hashes, which has
 * TOUCHSTONE_CRYPT_SIZE bytes for each. For $1$, $5$, $6$, $md5, $2b$ and traditional DES,
 * one call is several times as fast as one call for each password. The settings may be the
 * same pointer. If a password cannot be hashed, its hash is empty, and the function returns
 * the first error after it has hashed the others. */
int touchstone_crypt_many(const char *const *phrases, const char *const *settings,
                          size_t count, char *hashes);

/* Returns TOUCHSTONE_OK if the hash was made from this password, and
 * TOUCHSTONE_ERROR_FORGED if the hash was made from another password. */
int touchstone_crypt_verify(const char *phrase, const char *hash);

/* ------------------------------------- Random bytes, comparison, wiping */

/* Fills output with random bytes of the operating system. */
int touchstone_random(void *output, size_t len);

/* A generator of random bytes, for programs that need many small pieces. */
typedef struct touchstone_generator touchstone_generator;

/* Makes a generator of secret bytes. The generator gets a seed from the operating
 * system, takes a new seed after each MiB of output, and gives parent and child
 * different bytes after a fork. */
int touchstone_generator_new(touchstone_generator **generator);

/* Makes a generator whose bytes follow from a seed of 32 bytes, for tests and
 * simulations. An attacker who knows the seed knows all bytes. */
int touchstone_generator_seeded_new(touchstone_generator **generator,
                                    const void *seed, size_t seed_len);

void touchstone_generator_free(touchstone_generator *generator);

/* Fills output with the next random bytes. */
int touchstone_generator_fill(touchstone_generator *generator, void *output, size_t len);

/* Takes a new seed from the operating system now, for example after a virtual machine
 * was copied. For a seeded generator the result is TOUCHSTONE_ERROR_STATE. */
int touchstone_generator_reseed(touchstone_generator *generator);

/* Sets the position of the next byte of output, counted from 0. Only seeded generators
 * can do this. For other generators the result is TOUCHSTONE_ERROR_STATE. */
int touchstone_generator_seek(touchstone_generator *generator, uint64_t byte);

/* A generator of NIST SP 800-90A: "ctr-drbg-aes-256", "ctr-drbg-aes-256-no-df" (without
 * the derivation function), "hash-drbg-sha-256", "hmac-drbg-sha-512". After a fork,
 * parent and child get the same bytes. */
typedef struct touchstone_drbg touchstone_drbg;

/* Makes a generator from entropy, a nonce and a personalisation string. The entropy
 * has at least as many bytes as the security strength, or, without the derivation
 * function, as the seed; touchstone_drbg_entropy_sizes_of tells. Other lengths give
 * TOUCHSTONE_ERROR_KEY_LENGTH. The nonce is random and has half as many bytes as the
 * strength; without the derivation function there is none. The personalisation string
 * may be empty. */
int touchstone_drbg_new(touchstone_drbg **drbg, const char *name,
                        const void *entropy, size_t entropy_len,
                        const void *nonce, size_t nonce_len,
                        const void *personalisation, size_t personalisation_len);

/* Makes a generator with entropy and a nonce of the operating system. */
int touchstone_drbg_system_new(touchstone_drbg **drbg, const char *name,
                               const void *personalisation, size_t personalisation_len);

void touchstone_drbg_free(touchstone_drbg *drbg);

/* Adds entropy, and additional input, which may be empty. A call of this function
 * before a call of touchstone_drbg_generate gives prediction resistance. */
int touchstone_drbg_reseed(touchstone_drbg *drbg, const void *entropy, size_t entropy_len,
                           const void *additional, size_t additional_len);

/* Fills output, of at most 65536 bytes. The additional input may be empty. After 2^48
 * calls with one seed the result is TOUCHSTONE_ERROR_STATE. */
int touchstone_drbg_generate(touchstone_drbg *drbg,
                             const void *additional, size_t additional_len,
                             void *output, size_t len);

/* Sets a smaller number of calls that one seed is enough for. */
int touchstone_drbg_set_reseed_interval(touchstone_drbg *drbg, uint64_t calls);

/* Writes the lengths of entropy that the generator of this name accepts: from *min to
 * *max in steps of *step. Each pointer may be NULL. */
int touchstone_drbg_entropy_sizes_of(const char *name, size_t *min, size_t *max,
                                     size_t *step);

/* Returns 1 if len bytes are equal, and 0 otherwise, in a time that does not depend on
 * the bytes. */
int touchstone_equal(const void *a, const void *b, size_t len);

/* Fills memory with zeros. No compiler removes this call, even before free(). */
void touchstone_wipe(void *memory, size_t len);

/* end declarations */

#ifdef __cplusplus
}
#endif

#endif
