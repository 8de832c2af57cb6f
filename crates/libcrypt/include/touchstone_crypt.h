/* Functions of Touchstone's libcrypt that <crypt.h> does not declare: FreeSec's
 * functions for single DES blocks. Link with -lcrypt.
 *
 * All of these functions, and all threads, share one key: call them from one thread
 * at a time. crypt(3) does not use this key. DES is broken; use these functions only
 * for data that are still encrypted with DES.
 */
#ifndef TOUCHSTONE_CRYPT_H
#define TOUCHSTONE_CRYPT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the shared key from the lowest bits of 64 bytes. Returns 0. */
int setkey(const char *key);

/* Encrypts a block of 64 bytes, each 0 or 1, in place. If edflag is not 0, decrypts the
 * block. Returns 0. */
int encrypt(char *block, int edflag);

/* Sets the shared key from 8 bytes. The lowest bit of each byte is ignored. Returns 0. */
int des_setkey(const char *key);

/* Encrypts 8 bytes count times. If count is negative, decrypts 8 bytes -count times. in
 * and out may be the same. Bit i of the salt, from 0 to 23, swaps bits i and i + 24 of
 * the output of the expansion E of DES. Returns 0. If count is 0, returns 1 and writes
 * nothing. */
int des_cipher(const char *in, char *out, long salt, int count);

#ifdef __cplusplus
}
#endif

#endif
