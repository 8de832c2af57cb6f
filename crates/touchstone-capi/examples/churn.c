/* Makes and frees every kind of handle many times, with every algorithm and with outputs
 * that nothing has initialised. valgrind looks for leaks, and for results that depend on
 * uninitialised bytes. */
#include <stdlib.h>
#include <string.h>

#include <touchstone.h>

/* Computes a sum that depends on each byte, so that valgrind checks every byte. */
static int used;

static void use(const unsigned char *bytes, size_t len)
{
    while (len-- > 0)
        if (bytes[len] & 1)
            used++;
}

/* Encrypts and decrypts a message in pieces, and frees another message before its end.
 * SIV, GCM-SIV and XSalsa20-Poly1305 accept no pieces. */
static void in_pieces(const touchstone_aead *aead, const unsigned char *bytes, size_t nonce,
                      size_t tag)
{
    touchstone_encryptor *encryptor, *given_up;
    touchstone_decryptor *decryptor;
    unsigned char *out = malloc(100 + tag);

    if (touchstone_encryptor_new(&encryptor, aead, bytes, nonce, 5, 100) == TOUCHSTONE_ERROR_NAME) {
        free(out);
        return;
    }
    if (touchstone_encryptor_new(&given_up, aead, bytes, nonce, 5, 100) ||
        touchstone_decryptor_new(&decryptor, aead, bytes, nonce, 5, 100) ||
        touchstone_encryptor_aad(encryptor, bytes, 5) ||
        touchstone_encryptor_update(encryptor, bytes, out, 64) ||
        touchstone_encryptor_update(encryptor, bytes + 64, out + 64, 36) ||
        touchstone_encryptor_finish(encryptor, out + 100, tag) ||
        touchstone_decryptor_aad(decryptor, bytes, 5) ||
        touchstone_decryptor_update_unverified(decryptor, out, out, 100) ||
        touchstone_decryptor_verify(decryptor, out + 100, tag))
        exit(10);
    use(out, 100 + tag);
    touchstone_encryptor_free(encryptor);
    touchstone_encryptor_free(given_up);
    touchstone_decryptor_free(decryptor);
    free(out);
}

int main(void)
{
    static const unsigned char bytes[256] = {1};
    const char *name;
    size_t i, key, iv, tag, nonce, longest, aad;
    unsigned char *out;

    for (i = 0; (name = touchstone_cipher_name(i)) != NULL; i++) {
        touchstone_cipher *cipher;
        out = malloc(256);
        if (touchstone_cipher_new(&cipher, name, (int)(i % 2)) ||
            touchstone_cipher_key_sizes(cipher, &key, NULL, NULL) ||
            touchstone_cipher_iv_sizes(cipher, &iv, NULL, NULL) ||
            touchstone_cipher_set_key(cipher, bytes, key) ||
            touchstone_cipher_message(cipher, bytes, iv, bytes, out, 256))
            return 1;
        use(out, 256);
        touchstone_cipher_free(cipher);
        free(out);
    }
    for (i = 0; (name = touchstone_aead_name(i)) != NULL; i++) {
        touchstone_aead *aead;
        out = malloc(256);
        if (touchstone_aead_new(&aead, name) ||
            touchstone_aead_key_sizes(aead, &key, NULL, NULL) ||
            touchstone_aead_nonce_sizes(aead, &nonce, &longest, NULL) ||
            touchstone_aead_set_key(aead, bytes, key))
            return 2;
        if (nonce < 12 && longest >= 12)
            nonce = 12;
        /* XSalsa20-Poly1305 is the only AEAD without associated data. */
        aad = strcmp(name, "xsalsa20-poly1305") ? 5 : 0;
        tag = touchstone_aead_tag_size(aead);
        if (touchstone_aead_encrypt(aead, bytes, nonce, bytes, aad, bytes, out, 100, out + 100,
                                    tag) ||
            touchstone_aead_decrypt(aead, bytes, nonce, bytes, aad, out, out, 100, out + 100, tag))
            return 3;
        use(out, 100 + tag);
        in_pieces(aead, bytes, nonce, tag);
        touchstone_aead_free(aead);
        free(out);
    }
    for (i = 0; (name = touchstone_hash_name(i)) != NULL; i++) {
        touchstone_hash *hash, *copy;
        out = malloc(32);
        if (touchstone_hash_new(&hash, name) || touchstone_hash_update(hash, bytes, 100) ||
            touchstone_hash_copy(&copy, hash))
            return 4;
        key = touchstone_hash_size(copy);
        free(out);
        key = key ? key : 32;
        out = malloc(key);
        if (touchstone_hash_final(copy, out, key))
            return 5;
        use(out, key);
        touchstone_hash_free(hash);
        touchstone_hash_free(copy);
        free(out);
    }
    for (i = 0; (name = touchstone_mac_name(i)) != NULL; i++) {
        touchstone_mac *mac;
        if (touchstone_mac_new(&mac, name) || touchstone_mac_key_sizes(mac, &key, NULL, NULL) ||
            touchstone_mac_nonce_sizes(mac, &iv, NULL, NULL) ||
            touchstone_mac_set_key(mac, bytes, key) || touchstone_mac_set_nonce(mac, bytes, iv))
            return 6;
        tag = touchstone_mac_tag_size(mac);
        out = malloc(tag);
        if (touchstone_mac_message(mac, bytes, 33, out, tag))
            return 7;
        use(out, tag);
        touchstone_mac_free(mac);
        free(out);
    }
    out = malloc(64);
    if (touchstone_derive("hkdf-sha-256", bytes, 9, bytes, 8, NULL, 0, 0, out, 64))
        return 8;
    use(out, 64);
    if (touchstone_random(out, 64))
        return 9;
    use(out, 64);
    touchstone_wipe(out, 64);
    free(out);
    return used == 0;
}
