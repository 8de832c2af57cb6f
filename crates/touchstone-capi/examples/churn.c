/* Makes and frees every kind of handle many times, with keys of every algorithm:
 * what valgrind looks at for leaks. */
#include <stdlib.h>

#include <touchstone.h>

int main(void)
{
    static const uint8_t bytes[256] = {1};
    uint8_t out[256];
    const char *name;
    size_t i;

    for (i = 0; (name = touchstone_cipher_name(i)) != NULL; i++) {
        touchstone_cipher *cipher = touchstone_cipher_new(name, (int)(i % 2));
        size_t iv = touchstone_cipher_iv_size(cipher);
        if (touchstone_cipher_set_key(cipher, bytes, touchstone_cipher_key_size_max(cipher)) ||
            touchstone_cipher_set_key(cipher, bytes, touchstone_cipher_key_size_min(cipher)) ||
            touchstone_cipher_set_iv(cipher, bytes, iv) ||
            touchstone_cipher_update(cipher, bytes, out, 256))
            return 1;
        touchstone_cipher_free(cipher);
    }
    for (i = 0; (name = touchstone_aead_name(i)) != NULL; i++) {
        touchstone_aead *aead = touchstone_aead_new(name);
        if (touchstone_aead_set_key(aead, bytes, touchstone_aead_key_size_max(aead)))
            return 2;
        if (touchstone_aead_encrypt(aead, bytes, 12, bytes, 5, bytes, out, 100, out + 100,
                                    touchstone_aead_tag_size(aead)))
            return 3;
        touchstone_aead_free(aead);
    }
    for (i = 0; (name = touchstone_hash_name(i)) != NULL; i++) {
        touchstone_hash *hash = touchstone_hash_new(name), *copy;
        touchstone_hash_update(hash, bytes, 100);
        copy = touchstone_hash_copy(hash);
        touchstone_hash_free(hash);
        if (touchstone_hash_final(copy, out, touchstone_hash_size(copy)))
            return 4;
        touchstone_hash_free(copy);
    }
    for (i = 0; (name = touchstone_mac_name(i)) != NULL; i++) {
        touchstone_mac *mac = touchstone_mac_new(name);
        if (touchstone_mac_set_key(mac, bytes, touchstone_mac_key_size_min(mac)) ||
            touchstone_mac_update(mac, bytes, 33) ||
            touchstone_mac_final(mac, out, touchstone_mac_size(mac)))
            return 5;
        touchstone_mac_free(mac);
    }
    return 0;
}
