/*
 * Touchstone from C: what there is, a cipher in pieces, authenticated encryption,
 * a hash and a MAC, key wrap, padding, many messages, each checked against a published answer where there is one.
 *
 *     cc example.c $(pkg-config --cflags --libs touchstone) -o example
 */
#include <stdio.h>
#include <string.h>

#include <touchstone.h>

static int failures;

static void check(const char *what, int good)
{
    printf("%-40s %s\n", what, good ? "ok" : "WRONG");
    failures += !good;
}

static size_t count(const char *(*name)(size_t))
{
    size_t n = 0;
    while (name(n) != NULL)
        n++;
    return n;
}

/* NIST SP 800-38A, F.2.1 and F.5.1: AES-128 with CBC and CTR. */
static const uint8_t key[16] = {
    0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
    0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c
};
static const uint8_t plaintext[16] = {
    0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
    0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a
};
static const uint8_t cbc_answer[16] = {
    0x76, 0x49, 0xab, 0xac, 0x81, 0x19, 0xb2, 0x46,
    0xce, 0xe9, 0x8e, 0x9b, 0x12, 0xe9, 0x19, 0x7d
};
static const uint8_t counter[16] = {
    0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
    0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff
};
static const uint8_t ctr_answer[16] = {
    0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
    0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce
};
/* FIPS 180-2, B.1: SHA-256 of "abc". */
static const uint8_t abc_answer[32] = {
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
    0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
    0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad
};
/* RFC 4493, example 2: AES-CMAC of the plaintext above. */
static const uint8_t cmac_answer[16] = {
    0x07, 0x0a, 0x16, 0xb4, 0x6b, 0x4d, 0x41, 0x44,
    0xf7, 0x9b, 0xdd, 0x9d, 0xd0, 0x4a, 0x28, 0x7c
};

static void ciphers(void)
{
    uint8_t iv[16], out[16];
    touchstone_cipher *ctr;
    int i, error = 0;

    for (i = 0; i < 16; i++)
        iv[i] = (uint8_t)i;
    error = touchstone_encrypt("aes-128-cbc", key, sizeof key, iv, sizeof iv,
                               plaintext, out, sizeof out);
    check("aes-128-cbc", error == TOUCHSTONE_OK && !memcmp(out, cbc_answer, 16));
    error = touchstone_aes_128_cbc_decrypt(key, sizeof key, iv, out, out, sizeof out);
    check("touchstone_aes_128_cbc_decrypt, in place",
          error == TOUCHSTONE_OK && !memcmp(out, plaintext, 16));

    ctr = touchstone_cipher_new("aes-128-ctr", TOUCHSTONE_ENCRYPT);
    error = touchstone_cipher_set_key(ctr, key, sizeof key);
    error |= touchstone_cipher_set_iv(ctr, counter, sizeof counter);
    for (i = 0; i < 16; i++)
        error |= touchstone_cipher_update(ctr, plaintext + i, out + i, 1);
    touchstone_cipher_free(ctr);
    check("aes-128-ctr, byte by byte", !error && !memcmp(out, ctr_answer, 16));
}

static void authenticated(void)
{
    static const char text[] = "Attack at dawn", aad[] = "version 1";
    uint8_t sealed[sizeof text], opened[sizeof text], tag[16];
    const uint8_t nonce[12] = "used once..";
    touchstone_aead *gcm = touchstone_aead_new("aes-128-gcm");
    int error;

    touchstone_aead_set_key(gcm, key, sizeof key);
    error = touchstone_aead_encrypt(gcm, nonce, sizeof nonce,
                                    (const uint8_t *)aad, sizeof aad,
                                    (const uint8_t *)text, sealed, sizeof text,
                                    tag, sizeof tag);
    check("aes-128-gcm encrypts", error == TOUCHSTONE_OK);
    error = touchstone_aead_decrypt(gcm, nonce, sizeof nonce,
                                    (const uint8_t *)aad, sizeof aad,
                                    sealed, opened, sizeof text, tag, sizeof tag);
    check("aes-128-gcm decrypts",
          error == TOUCHSTONE_OK && !memcmp(opened, text, sizeof text));
    tag[0] ^= 1;
    error = touchstone_aead_decrypt(gcm, nonce, sizeof nonce,
                                    (const uint8_t *)aad, sizeof aad,
                                    sealed, opened, sizeof text, tag, sizeof tag);
    check(touchstone_strerror(error), error == TOUCHSTONE_ERROR_FORGED && !opened[0]);
    touchstone_aead_free(gcm);
}

static void hashes_and_macs(void)
{
    uint8_t digest[32], mac_out[16];
    touchstone_hash *hash = touchstone_hash_new("sha-256");
    touchstone_mac *mac = touchstone_mac_new("aes-128-cmac");
    int error;

    error = touchstone_hash_update(hash, (const uint8_t *)"a", 1);
    error |= touchstone_hash_update(hash, (const uint8_t *)"bc", 2);
    error |= touchstone_hash_final(hash, digest, touchstone_hash_size(hash));
    check("sha-256 in pieces", !error && !memcmp(digest, abc_answer, 32));
    touchstone_hash_free(hash);

    error = touchstone_sha_256((const uint8_t *)"abc", 3, digest);
    check("touchstone_sha_256", !error && !memcmp(digest, abc_answer, 32));

    error = touchstone_mac_set_key(mac, key, sizeof key);
    error |= touchstone_mac_update(mac, plaintext, sizeof plaintext);
    error |= touchstone_mac_final(mac, mac_out, sizeof mac_out);
    check("aes-128-cmac", !error && !memcmp(mac_out, cmac_answer, 16));
    touchstone_mac_free(mac);
}

/* RFC 3394, 4.1: a key of 128 bits wrapped with another. */
static const uint8_t wrapped_answer[24] = {
    0x1f, 0xa6, 0x8b, 0x0a, 0x81, 0x12, 0xb4, 0x47,
    0xae, 0xf3, 0x4b, 0xd8, 0xfb, 0x5a, 0x7b, 0x82,
    0x9d, 0x3e, 0x86, 0x23, 0x71, 0xd2, 0xcf, 0xe5
};

static void wrapping_padding_and_many(void)
{
    uint8_t kek[16], secret[16], wrapped[24], back[16], buffer[32] = "21 bytes of a message";
    uint8_t ivs[48] = { 0 }, one[3][32], many[3][32] = { { 0 } };
    const uint8_t *inputs[3];
    uint8_t *outputs[3];
    size_t lens[3] = { 32, 16, 32 }, n;
    touchstone_cipher *cbc = touchstone_cipher_new("aes-128-cbc", TOUCHSTONE_ENCRYPT);
    int i, error = 0;

    for (i = 0; i < 16; i++) {
        kek[i] = (uint8_t)i;
        secret[i] = (uint8_t)(0x11 * i);
    }
    error = touchstone_wrap("aes-128-kw", kek, 16, secret, 16, wrapped, 24);
    check("aes-128-kw wraps", !error && !memcmp(wrapped, wrapped_answer, 24));
    error = touchstone_unwrap("aes-128-kw", kek, 16, wrapped, 24, back, 16, &n);
    check("aes-128-kw unwraps", !error && n == 16 && !memcmp(back, secret, 16));

    error = touchstone_pad("pkcs7", 16, buffer, sizeof buffer, 21, &n);
    check("pkcs7 pads", !error && n == 32 && buffer[31] == 11);
    error = touchstone_unpad("pkcs7", 16, buffer, n, &n);
    check("pkcs7 unpads", !error && n == 21);

    error = touchstone_cipher_set_key(cbc, key, sizeof key);
    for (i = 0; i < 3; i++) {
        memset(one[i], i, sizeof one[i]);
        memset(many[i], i, sizeof many[i]);
        inputs[i] = outputs[i] = many[i];
        error |= touchstone_cipher_set_iv(cbc, ivs + 16 * i, 16);
        error |= touchstone_cipher_update(cbc, one[i], one[i], lens[i]);
    }
    error |= touchstone_cipher_many(cbc, ivs, inputs, outputs, lens, 3);
    check("many messages are as one by one", !error && !memcmp(one, many, sizeof one));
    touchstone_cipher_free(cbc);
}

int main(void)
{
    printf("Touchstone %s: %lu ciphers, %lu AEADs, %lu hashes, %lu MACs\n",
           touchstone_version(),
           (unsigned long)count(touchstone_cipher_name),
           (unsigned long)count(touchstone_aead_name),
           (unsigned long)count(touchstone_hash_name),
           (unsigned long)count(touchstone_mac_name));
    printf("AES runs by the kernel %s\n", touchstone_kernel("aes-128-cbc"));
    ciphers();
    authenticated();
    hashes_and_macs();
    wrapping_padding_and_many();
    return failures != 0;
}
