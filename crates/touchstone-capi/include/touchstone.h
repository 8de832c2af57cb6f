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
 * What holds for all functions:
 *
 * - Lengths and sizes are in bytes.
 * - A pointer to data is valid for the length that goes with it. It may be NULL where
 *   the length is 0. An input is initialised; an output need not be.
 * - A function that returns int returns TOUCHSTONE_OK, which is 0, or a negative error.
 *   touchstone_strerror describes it.
 * - After an error, an output holds what it held before, or zeros. It never holds part
 *   of a result. The handle stays as it was.
 * - An output is exactly its input, or shares no byte with any input. All other overlap
 *   is refused with TOUCHSTONE_ERROR_OVERLAP.
 * - A handle comes from a function whose name ends in _new or _copy. Free it once with
 *   the _free function of its family, which also wipes its keys. Freeing NULL does
 *   nothing. If _new or _copy fails, it sets the handle to NULL.
 * - Different threads may use different handles at once. One handle serves one thread
 *   at a time. These may share a handle: touchstone_aead_encrypt,
 *   touchstone_aead_decrypt, and every function that takes a const handle.
 * - No function prints, changes errno on purpose, or unwinds.
 *
 * For generators of bindings: the lines between the two lines "begin declarations" and
 * "end declarations" hold no preprocessor directive.
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
    /* A pointer is NULL that must not be. */
    TOUCHSTONE_ERROR_NULL = -1,
    /* No algorithm of this kind has this name, or it cannot do this. */
    TOUCHSTONE_ERROR_NAME = -2,
    /* The algorithm takes no key of this length. */
    TOUCHSTONE_ERROR_KEY_LENGTH = -3,
    /* The algorithm takes no initialization vector or nonce of this length, or VMAC not
     * this one, whose first bit is 1. */
    TOUCHSTONE_ERROR_IV_LENGTH = -4,
    /* The tag has not the length of this handle's tags, or the algorithm makes no tags
     * of this length. */
    TOUCHSTONE_ERROR_TAG_LENGTH = -5,
    /* The data are not whole blocks, too short, or too long. */
    TOUCHSTONE_ERROR_DATA_LENGTH = -6,
    /* The output has not the length of the result, or no room for it. */
    TOUCHSTONE_ERROR_OUTPUT_LENGTH = -7,
    /* The call comes too early (a key or an initialization vector is missing), or too
     * late (the key is set; a key for one message has served). */
    TOUCHSTONE_ERROR_STATE = -8,
    /* The output overlaps something else and is not exactly the input. */
    TOUCHSTONE_ERROR_OVERLAP = -9,
    /* The message, its tag, its padding or the password is not the right one. */
    TOUCHSTONE_ERROR_FORGED = -10,
    /* The algorithm has no parameter of this name, or not with this value. */
    TOUCHSTONE_ERROR_PARAMETER = -11,
    /* This is no password hash and no setting of a known method. */
    TOUCHSTONE_ERROR_SETTING = -12,
    /* The password hash needs more memory than there is. */
    TOUCHSTONE_ERROR_MEMORY = -13,
    /* The system gives no random bytes. */
    TOUCHSTONE_ERROR_RANDOM = -14
};

/* Describes an error in English. Never NULL; not to be freed. */
const char *touchstone_strerror(int error);

/* ----------------------------------------------------- Names and version */

/* The name of an algorithm by its index, from 0 on; NULL after the last one. Not to be
 * freed. Each family has its own list. */
const char *touchstone_cipher_name(size_t index);
const char *touchstone_aead_name(size_t index);
const char *touchstone_hash_name(size_t index);
const char *touchstone_mac_name(size_t index);
const char *touchstone_wrap_name(size_t index);
const char *touchstone_derive_name(size_t index);

/* The name of the code that computes an algorithm on this machine, such as "portable",
 * "aes-ni" or "avx2". NULL if no algorithm has this name. Not to be freed. */
const char *touchstone_kernel(const char *name);

/* The version of the library, such as "0.1.0". */
const char *touchstone_version(void);

/* -------------------------------------------- Authenticated encryption
 *
 * A block cipher in a mode: "aes-256-gcm", "aes-128-ccm", "twofish-256-eax",
 * "camellia-128-ocb", "aes-256-siv", "aes-256-gcm-siv". The sender and the receiver
 * share a key. The nonce is different for each message of a key; it is not secret.
 * The associated data (aad) are authenticated and not encrypted.
 */

typedef struct touchstone_aead touchstone_aead;

/* Looks the name up. The next call sets the key. */
int touchstone_aead_new(touchstone_aead **aead, const char *name);
void touchstone_aead_free(touchstone_aead *aead);

/* Chooses the length of all tags of this handle: at least 4, and one of those that the
 * mode has. Without this call, tags have the mode's full length. To be called before the
 * key is set, with a length that the program knows, never with one that a message
 * brings: whoever chooses the length of a tag can guess a short one. */
int touchstone_aead_set_tag_size(touchstone_aead *aead, size_t size);

/* The same for tags of 1 to 3 bytes too. Anyone forges such tags by guessing; this is
 * for old protocols and published test vectors. */
int touchstone_aead_set_tag_size_insecure(touchstone_aead *aead, size_t size);

int touchstone_aead_set_key(touchstone_aead *aead, const void *key, size_t key_len);

/* Encrypts a message of len bytes and writes its tag. tag_len is the handle's tag
 * length, or the call fails with TOUCHSTONE_ERROR_TAG_LENGTH. */
int touchstone_aead_encrypt(const touchstone_aead *aead,
                            const void *nonce, size_t nonce_len,
                            const void *aad, size_t aad_len,
                            const void *input, void *output, size_t len,
                            void *tag, size_t tag_len);

/* Decrypts a message if it is genuine. Otherwise the call fails with
 * TOUCHSTONE_ERROR_FORGED and fills the output with zeros, in place too. */
int touchstone_aead_decrypt(const touchstone_aead *aead,
                            const void *nonce, size_t nonce_len,
                            const void *aad, size_t aad_len,
                            const void *input, void *output, size_t len,
                            const void *tag, size_t tag_len);

/* The length of this handle's tags; 0 for NULL. */
size_t touchstone_aead_tag_size(const touchstone_aead *aead);

/* The lengths of keys or nonces: from *min to *max by *step. A pointer may be NULL. By
 * handle, or by name. */
int touchstone_aead_key_sizes(const touchstone_aead *aead,
                              size_t *min, size_t *max, size_t *step);
int touchstone_aead_nonce_sizes(const touchstone_aead *aead,
                                size_t *min, size_t *max, size_t *step);
int touchstone_aead_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);
int touchstone_aead_nonce_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* The full length of the tags of a name; 0 if there is no such name. */
size_t touchstone_aead_tag_size_of(const char *name);

/* A message in pieces, with one handle for each message. For SIV, GCM-SIV and
 * XSalsa20-Poly1305, the result is TOUCHSTONE_ERROR_NAME; all others can do this. */

typedef struct touchstone_encryptor touchstone_encryptor;
typedef struct touchstone_decryptor touchstone_decryptor;

/* Starts a message with its nonce. The handle keeps the key of aead, which may be freed or
 * get another key meanwhile. CCM needs the length of all associated data and of the whole
 * message in advance, in aad_total and total. Other modes ignore both. */
int touchstone_encryptor_new(touchstone_encryptor **encryptor, const touchstone_aead *aead,
                             const void *nonce, size_t nonce_len,
                             uint64_t aad_total, uint64_t total);
void touchstone_encryptor_free(touchstone_encryptor *encryptor);

/* Adds the next piece of the associated data, all before the first piece of the message. */
int touchstone_encryptor_aad(touchstone_encryptor *encryptor, const void *aad, size_t aad_len);

/* Encrypts the next piece of the message. The output is as long as the input. For OCB,
 * each piece but the last has a multiple of 16 bytes. */
int touchstone_encryptor_update(touchstone_encryptor *encryptor,
                                const void *input, void *output, size_t len);

/* Ends the message and writes its tag. tag_len is touchstone_aead_tag_size of the aead.
 * Every later call returns TOUCHSTONE_ERROR_STATE. If a CCM message is shorter than
 * announced, the call ends it too, with TOUCHSTONE_ERROR_DATA_LENGTH and no tag. */
int touchstone_encryptor_finish(touchstone_encryptor *encryptor, void *tag, size_t tag_len);

/* The same four for a message that is decrypted. */
int touchstone_decryptor_new(touchstone_decryptor **decryptor, const touchstone_aead *aead,
                             const void *nonce, size_t nonce_len,
                             uint64_t aad_total, uint64_t total);
void touchstone_decryptor_free(touchstone_decryptor *decryptor);
int touchstone_decryptor_aad(touchstone_decryptor *decryptor, const void *aad, size_t aad_len);

/* Decrypts the next piece of the message. Nobody has checked the output yet: an attacker
 * may have written it. Keep it where nothing acts on it, such as in a temporary file,
 * until touchstone_decryptor_verify returns TOUCHSTONE_OK. touchstone_aead_decrypt needs
 * no such care. */
int touchstone_decryptor_update_unverified(touchstone_decryptor *decryptor,
                                           const void *input, void *output, size_t len);

/* Ends the message: TOUCHSTONE_OK if it is genuine, and otherwise TOUCHSTONE_ERROR_FORGED;
 * then erase all output of this message. tag_len is touchstone_aead_tag_size of the aead. */
int touchstone_decryptor_verify(touchstone_decryptor *decryptor,
                                const void *tag, size_t tag_len);

/* --------------------------------------------------------------- Ciphers
 *
 * A block cipher in a mode ("aes-256-ctr", "des-ede3-cbc", "serpent-128-xts") or a
 * stream cipher ("chacha20"). The output is as long as the input. No cipher of this
 * family notices that a message was altered: add a MAC, or use authenticated encryption.
 */

typedef struct touchstone_cipher touchstone_cipher;

enum touchstone_direction {
    TOUCHSTONE_DECRYPT = 0,
    TOUCHSTONE_ENCRYPT = 1
};

/* Values of the parameter "counter" of CTR: which bytes of the block count, and whether
 * the most significant byte comes first. The last two count in the last half. */
enum touchstone_counter {
    TOUCHSTONE_COUNTER_BIG_ENDIAN = 0,
    TOUCHSTONE_COUNTER_LITTLE_ENDIAN = 1,
    TOUCHSTONE_COUNTER_BIG_ENDIAN_HALF = 2,
    TOUCHSTONE_COUNTER_LITTLE_ENDIAN_HALF = 3
};

/* Looks the name up. direction is TOUCHSTONE_ENCRYPT or TOUCHSTONE_DECRYPT. */
int touchstone_cipher_new(touchstone_cipher **cipher, const char *name, int direction);
void touchstone_cipher_free(touchstone_cipher *cipher);

/* Sets what a name leaves open, before the key: "effective-bits" of rc2, "rounds" of
 * rc5-32-12 and xtea, "counter" of CTR. A value out of range is refused when the key is
 * set. */
int touchstone_cipher_set_parameter(touchstone_cipher *cipher, const char *name,
                                    uint64_t value);

/* Sets the key. XTS takes two keys of one length, one after the other. */
int touchstone_cipher_set_key(touchstone_cipher *cipher, const void *key, size_t key_len);

/* Starts a message with its initialization vector, nonce, first counter block or tweak.
 * ECB takes none. */
int touchstone_cipher_set_iv(touchstone_cipher *cipher, const void *iv, size_t iv_len);

/* Transforms the next len bytes of the message. touchstone_cipher_piece_size tells which
 * lengths are good. */
int touchstone_cipher_update(touchstone_cipher *cipher, const void *input, void *output,
                             size_t len);

/* Transforms a whole message, faster than touchstone_cipher_set_iv and
 * touchstone_cipher_update. The message under way is forgotten, and the next message starts
 * with its own initialization vector. */
int touchstone_cipher_message(touchstone_cipher *cipher, const void *iv, size_t iv_len,
                              const void *input, void *output, size_t len);

/* Goes to a byte of the message, forwards or backwards, counted from 0. For CTR and the
 * stream ciphers that can seek; others return TOUCHSTONE_ERROR_NAME. */
int touchstone_cipher_seek(touchstone_cipher *cipher, uint64_t byte);

/* Transforms count whole messages, each with its own initialization vector of iv_len
 * bytes; the vectors lie one after the other in ivs. CBC encryption of many messages is
 * several times as fast as one by one. */
int touchstone_cipher_many(touchstone_cipher *cipher, const void *ivs, size_t iv_len,
                           const void *const *inputs, void *const *outputs,
                           const size_t *lens, size_t count);

/* The length of the cipher's block; 1 for a stream cipher. */
size_t touchstone_cipher_block_size(const touchstone_cipher *cipher);

/* What the length of a piece must be a multiple of: 1, or the block. 0 says that a call
 * takes a whole message, of a block or more, and that the next message needs its own
 * initialization vector. */
size_t touchstone_cipher_piece_size(const touchstone_cipher *cipher);

/* The lengths of keys or initialization vectors, as in the family above. */
int touchstone_cipher_key_sizes(const touchstone_cipher *cipher,
                                size_t *min, size_t *max, size_t *step);
int touchstone_cipher_iv_sizes(const touchstone_cipher *cipher,
                               size_t *min, size_t *max, size_t *step);
int touchstone_cipher_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);
int touchstone_cipher_iv_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* Encrypts or decrypts a whole message by name. Each call sets the key up; with many
 * messages, a handle is faster. */
int touchstone_encrypt(const char *name, const void *key, size_t key_len,
                       const void *iv, size_t iv_len,
                       const void *input, void *output, size_t len);
int touchstone_decrypt(const char *name, const void *key, size_t key_len,
                       const void *iv, size_t iv_len,
                       const void *input, void *output, size_t len);

/* --------------------------------------------------------------- Padding
 *
 * For the modes that take whole blocks. Paddings are "pkcs7", "iso7816-4" and
 * "ansi-x9.23", which add at least one byte and at most a block; and "zero", which adds
 * nothing to whole blocks. A block is 8, 16, 32, 64 or 128 bytes.
 */

/* Pads the first len bytes of a buffer that has room bytes, and sets *padded_len. */
int touchstone_pad(const char *padding, size_t block, void *buffer, size_t room, size_t len,
                   size_t *padded_len);

/* Sets *message_len to the length of the message without its padding, or fails with
 * TOUCHSTONE_ERROR_FORGED. Check a MAC of the ciphertext first: who learns whether the
 * padding was right can decrypt (Vaudenay, EUROCRYPT 2002). */
int touchstone_unpad(const char *padding, size_t block, const void *data, size_t len,
                     size_t *message_len);

/* ------------------------------------------------------------------ Hash */

typedef struct touchstone_hash touchstone_hash;

/* The hash function of a name ("sha-256"), at the start of a message. */
int touchstone_hash_new(touchstone_hash **hash, const char *name);

/* The same for "cshake128", "cshake256", "kt128" or "kt256" with a customisation, which every
 * message of the handle has. Each customisation gives another function. */
int touchstone_hash_new_customised(touchstone_hash **hash, const char *name,
                                   const void *customisation, size_t len);

/* Another handle that has taken the same pieces. */
int touchstone_hash_copy(touchstone_hash **copy, const touchstone_hash *hash);
void touchstone_hash_free(touchstone_hash *hash);

int touchstone_hash_update(touchstone_hash *hash, const void *input, size_t len);

/* Ends the message, writes its digest, and starts the next message. digest_len is
 * touchstone_hash_size, or any length where that is 0. */
int touchstone_hash_final(touchstone_hash *hash, void *digest, size_t digest_len);

/* Writes the next len bytes of output, where a function's output has any length. The
 * first call ends the message; touchstone_hash_reset or touchstone_hash_update starts the
 * next one. Other functions return TOUCHSTONE_ERROR_NAME. */
int touchstone_hash_squeeze(touchstone_hash *hash, void *output, size_t len);

/* The digest of a whole message. The message under way is forgotten. */
int touchstone_hash_message(touchstone_hash *hash, const void *input, size_t len,
                            void *digest, size_t digest_len);

/* Forgets the message under way. */
int touchstone_hash_reset(touchstone_hash *hash);

/* The digests of count whole messages, one after the other into digests. Several times
 * as fast as one by one where the processor allows. */
int touchstone_hash_many(const touchstone_hash *hash,
                         const void *const *inputs, const size_t *lens, size_t count,
                         void *digests, size_t digests_len);

/* The length of a digest; 0 where the caller chooses it. */
size_t touchstone_hash_size(const touchstone_hash *hash);

/* The length of the blocks in which a message is taken. */
size_t touchstone_hash_block_size(const touchstone_hash *hash);

/* The digest of a whole message by name. */
int touchstone_digest(const char *name, const void *input, size_t len,
                      void *digest, size_t digest_len);

/* ------------------------------------------- Message authentication codes
 *
 * "hmac-sha-256", "aes-128-cmac", "poly1305" (whose key serves for one message). GMAC,
 * UMAC and VMAC ("aes-128-gmac", "umac-64", "vmac-128") take a nonce with each message,
 * which must never return under the same key: whoever sees two tags with one nonce can
 * forge.
 */

typedef struct touchstone_mac touchstone_mac;

/* Looks the name up. The next call sets the key. */
int touchstone_mac_new(touchstone_mac **mac, const char *name);
void touchstone_mac_free(touchstone_mac *mac);

/* Cuts all tags of this handle to their first size bytes, 4 at least. To be called before
 * the key is set, and never with a length that a message brings. */
int touchstone_mac_set_tag_size(touchstone_mac *mac, size_t size);

/* The same for tags of 1 to 3 bytes too, which anyone forges by guessing. */
int touchstone_mac_set_tag_size_insecure(touchstone_mac *mac, size_t size);

int touchstone_mac_set_key(touchstone_mac *mac, const void *key, size_t key_len);

/* Sets the nonce of the message under way, at any time before its end. It serves for one
 * tag, made or verified. Without it, a MAC that takes a nonce makes no tag and returns
 * TOUCHSTONE_ERROR_STATE. Other MACs take a nonce of length 0 alone, and need none. */
int touchstone_mac_set_nonce(touchstone_mac *mac, const void *nonce, size_t nonce_len);

/* Adds the next piece of the message. */
int touchstone_mac_update(touchstone_mac *mac, const void *input, size_t len);

/* Ends the message, writes its tag, and starts the next message with the same key.
 * tag_len is the handle's tag length. */
int touchstone_mac_final(touchstone_mac *mac, void *tag, size_t tag_len);

/* Ends the message, and compares its tag with this one in constant time: TOUCHSTONE_OK or
 * TOUCHSTONE_ERROR_FORGED. A shorter or longer tag is an error. */
int touchstone_mac_verify(touchstone_mac *mac, const void *tag, size_t tag_len);

/* Writes the tag of a whole message. The message under way goes on, without its nonce. */
int touchstone_mac_message(touchstone_mac *mac, const void *input, size_t len,
                           void *tag, size_t tag_len);

/* Forgets the message under way and its nonce. */
int touchstone_mac_reset(touchstone_mac *mac);

/* The tags of count whole messages, one after the other into tags. A MAC that takes a
 * nonce returns TOUCHSTONE_ERROR_NAME. */
int touchstone_mac_many(touchstone_mac *mac,
                        const void *const *inputs, const size_t *lens, size_t count,
                        void *tags, size_t tags_len);

/* The length of this handle's tags; 0 for NULL. */
size_t touchstone_mac_tag_size(const touchstone_mac *mac);

/* The lengths of keys or nonces, as in the families above; 0 for a MAC without a nonce. */
int touchstone_mac_key_sizes(const touchstone_mac *mac,
                             size_t *min, size_t *max, size_t *step);
int touchstone_mac_nonce_sizes(const touchstone_mac *mac,
                               size_t *min, size_t *max, size_t *step);
int touchstone_mac_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);
int touchstone_mac_nonce_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* The full length of the tags of a name; 0 if there is no such name. */
size_t touchstone_mac_tag_size_of(const char *name);

/* -------------------------------------------------------------- Key wrap
 *
 * Authenticated encryption of keys, without a nonce: "aes-256-kw" (RFC 3394), and
 * "aes-256-kwp" with padding (RFC 5649), with every block cipher whose blocks have 16
 * bytes. Nothing overlaps.
 */

/* Wraps a secret. For kw it has at least 16 bytes, in multiples of 8; for kwp any length
 * from 1 on. The output is 8 bytes longer than the secret, rounded up to 8. */
int touchstone_wrap(const char *name, const void *key, size_t key_len,
                    const void *input, size_t input_len,
                    void *output, size_t output_len);

/* Unwraps a secret if it is genuine, and sets *unwrapped_len to its length. The output has
 * room for 8 bytes less than the input; behind the secret, it is zeros. */
int touchstone_unwrap(const char *name, const void *key, size_t key_len,
                      const void *input, size_t input_len,
                      void *output, size_t output_len, size_t *unwrapped_len);

/* The lengths of keys, as in the families above. */
int touchstone_wrap_key_sizes_of(const char *name, size_t *min, size_t *max, size_t *step);

/* -------------------------------------------------------- Key derivation */

/* Fills key. An input that a function does not take is empty, or 0.
 *
 *   name                              salt           info           iterations
 *   "hkdf-sha-256"                    any            any            0
 *   "pbkdf2-hmac-sha-256"             any            none           1 or more
 *   "pbkdf1-sha-1"                    8 bytes        none           1 or more
 *   "bcrypt-pbkdf"                    any            none           1 or more
 *   "s2k-sha-256"                     8 bytes, none  none           bytes to hash, or 0
 *   "kdf1-", "kdf2-", "kdf3-sha-256"  none           any            0
 *   "mgf1-sha-256"                    none           none           0
 *   "sp800-108-counter-", "sp800-108-double-pipeline-hmac-sha-256", and
 *   "-aes-128-cmac"                   none           label, zero byte, context
 *   "sp800-108-feedback-..."          the IV         the same       0
 */
int touchstone_derive(const char *name, const void *secret, size_t secret_len,
                      const void *salt, size_t salt_len,
                      const void *info, size_t info_len, uint32_t iterations,
                      void *key, size_t key_len);

/* scrypt, RFC 7914: fills key from a password and a salt, with n rows of 128 r bytes, p
 * times. n is a power of two. For costs that scrypt does not take, the result is
 * TOUCHSTONE_ERROR_PARAMETER, before any memory is taken. */
int touchstone_scrypt(const void *password, size_t password_len,
                      const void *salt, size_t salt_len,
                      uint64_t n, uint32_t r, uint32_t p,
                      void *key, size_t key_len);

/* -------------------------------------------------------- Password hashes
 *
 * crypt(3), from traditional DES to yescrypt, without a static buffer. Any number of
 * threads may call these at once.
 */

/* Room for any password hash or setting, with its NUL. */
enum touchstone_crypt_size { TOUCHSTONE_CRYPT_SIZE = 384 };

/* Makes a setting with a random salt. prefix chooses the method, such as "$6$"; NULL is
 * yescrypt, "$y$". cost 0 is the method's default. */
int touchstone_crypt_gensalt(const char *prefix, uint64_t cost, char *setting, size_t size);

/* Hashes a password as a setting, or a whole hash, says. size is the room for the hash
 * and its NUL; TOUCHSTONE_CRYPT_SIZE always suffices. */
int touchstone_crypt(const char *phrase, const char *setting, char *hash, size_t size);

/* Returns TOUCHSTONE_OK if the hash is that of this password, and TOUCHSTONE_ERROR_FORGED
 * if it is another's. */
int touchstone_crypt_verify(const char *phrase, const char *hash);

/* ------------------------------------- Random bytes, comparison, wiping */

/* Fills output with random bytes of the operating system. */
int touchstone_random(void *output, size_t len);

/* A generator of random bytes, for programs that need many small pieces. */
typedef struct touchstone_generator touchstone_generator;

/* A generator of secrets: it has a seed of the operating system, takes a new one after each
 * MiB, and gives parent and child different bytes after a fork. */
int touchstone_generator_new(touchstone_generator **generator);

/* A generator whose bytes follow from a seed of 32 bytes, for tests and simulations. Whoever
 * knows the seed knows all bytes. */
int touchstone_generator_seeded_new(touchstone_generator **generator,
                                    const void *seed, size_t seed_len);

void touchstone_generator_free(touchstone_generator *generator);

/* Fills output with the next bytes. */
int touchstone_generator_fill(touchstone_generator *generator, void *output, size_t len);

/* Takes a new seed of the operating system now, for example after a virtual machine was
 * copied. Not for seeded generators: TOUCHSTONE_ERROR_STATE. */
int touchstone_generator_reseed(touchstone_generator *generator);

/* Sets the position of the next byte, counted from 0. Only for seeded generators; others
 * return TOUCHSTONE_ERROR_STATE. */
int touchstone_generator_seek(touchstone_generator *generator, uint64_t byte);

/* 1 if len bytes are equal, or else 0, in a time that does not depend on the bytes. */
int touchstone_equal(const void *a, const void *b, size_t len);

/* Fills memory with zeros. No compiler removes this, even before free(). */
void touchstone_wipe(void *memory, size_t len);

/* end declarations */

#ifdef __cplusplus
}
#endif

#endif
