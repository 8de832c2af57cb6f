/* The part of Touchstone's libcrypt that <crypt.h> does not declare: DES by the
 * block, as FreeSec had it. Link with -lcrypt.
 *
 * One key is shared by all of these, and by all threads: use them from one thread
 * at a time. crypt(3) has its own. DES is broken; this is for what is still
 * encrypted with it.
 */
#ifndef TOUCHSTONE_CRYPT_H
#define TOUCHSTONE_CRYPT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the key: 64 bytes, of which the lowest bit counts. Returns 0. */
int setkey(const char *key);

/* Encrypts 64 bytes of 0 and 1 in place, or decrypts, if edflag is not 0.
 * Returns 0. */
int encrypt(char *block, int edflag);

/* Sets the key: 8 bytes, of which the lowest bit is ignored. Returns 0. */
int des_setkey(const char *key);

/* Encrypts 8 bytes count times over, or decrypts them, if count is negative. in
 * and out may be the same. Bit i of the salt, from 0 to 23, swaps bits i and i + 24
 * of the output of DES's expansion. Returns 0; or 1 if count is 0, and does
 * nothing then. */
int des_cipher(const char *in, char *out, long salt, int count);

#ifdef __cplusplus
}
#endif

#endif
