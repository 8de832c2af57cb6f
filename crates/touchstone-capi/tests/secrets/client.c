/* Calls every function of touchstone.h that takes a secret. residue.rs searches the memory of
 * this program after each call. */
#include <touchstone.h>

#include "residue.h"

#define LONG 4096

/* A request's name is a family and the name of an algorithm: "aead aes-256-gcm". */
static int is(const struct request *r, const char *family, const char **name)
{
    size_t n = strlen(family);
    *name = r->name + n + 1;
    return strncmp(r->name, family, n) == 0 && r->name[n] == ' ';
}

static void cipher(struct request *r, const char *name, int direction)
{
    size_t lengths[] = {64, LONG};
    size_t key, iv, i;
    const void *inputs[70];
    void *outputs[70];
    size_t lens[70];
    unsigned char ivs[70 * 128];
    touchstone_cipher *c;

    memset(ivs, 1, sizeof ivs);
    CALL(touchstone_cipher_new(&c, name, direction));
    touchstone_cipher_key_sizes(c, &key, NULL, NULL);
    touchstone_cipher_iv_sizes(c, &iv, NULL, NULL);
    CALL(touchstone_cipher_set_key(c, r->secret, key));
    if (lengths[0] < touchstone_cipher_block_size(c))
        lengths[0] = touchstone_cipher_block_size(c);
    for (i = 0; i < 2; i++) {
        CALL(touchstone_cipher_message(c, ivs, iv, r->message, r->output, lengths[i]));
        CALL(touchstone_cipher_set_iv(c, ivs, iv));
        CALL(touchstone_cipher_update(c, r->message, r->output, lengths[i]));
        /* Few ciphers can seek. */
        CALL((touchstone_cipher_seek(c, 1000), 0));
    }
    for (i = 0; i < 70; i++) {
        inputs[i] = r->message;
        outputs[i] = r->output + 256 * i;
        lens[i] = 128 + 128 * (i % 2);
    }
    CALL(touchstone_cipher_many(c, ivs, iv, inputs, outputs, lens, 70));
    CALL(touchstone_cipher_set_key(c, r->secret + 128, key));
    CALL((touchstone_cipher_free(c), 0));
    if (direction == TOUCHSTONE_ENCRYPT)
        CALL(touchstone_encrypt(name, r->secret, key, ivs, iv, r->message, r->output,
                                lengths[0]));
    else
        CALL(touchstone_decrypt(name, r->secret, key, ivs, iv, r->message, r->output,
                                lengths[0]));
}

static void aead(struct request *r, const char *name)
{
    const size_t lengths[] = {5, 64, LONG};
    size_t key, nonce, longest, tag, i;
    size_t aad = strcmp(name, "xsalsa20-poly1305") ? 20 : 0;
    unsigned char nonces[32] = {2};
    unsigned char *tags = r->output + 2 * LONG;
    touchstone_aead *a;
    touchstone_encryptor *e;
    touchstone_decryptor *d;

    CALL(touchstone_aead_new(&a, name));
    touchstone_aead_key_sizes(a, &key, NULL, NULL);
    touchstone_aead_nonce_sizes(a, &nonce, &longest, NULL);
    if (nonce < 12 && longest >= 12)
        nonce = 12;
    tag = touchstone_aead_tag_size(a);
    CALL(touchstone_aead_set_key(a, r->secret, key));
    for (i = 0; i < 3; i++) {
        CALL(touchstone_aead_encrypt(a, nonces, nonce, r->message + LONG, aad, r->message,
                                     r->output, lengths[i], tags, tag));
        CALL(touchstone_aead_decrypt(a, nonces, nonce, r->message + LONG, aad, r->output,
                                     r->output + LONG, lengths[i], tags, tag));
        tags[0] ^= 1;
        CALL(touchstone_aead_decrypt(a, nonces, nonce, r->message + LONG, aad, r->output,
                                     r->output + LONG, lengths[i], tags, tag) !=
             TOUCHSTONE_ERROR_FORGED);
    }
    if (touchstone_encryptor_new(&e, a, nonces, nonce, aad, 16 + 1000) == 0) {
        CALL(touchstone_encryptor_aad(e, r->message + LONG, aad));
        CALL(touchstone_encryptor_update(e, r->message, r->output, 16));
        CALL(touchstone_encryptor_update(e, r->message + 16, r->output + 16, 1000));
        CALL(touchstone_encryptor_finish(e, tags, tag));
        CALL((touchstone_encryptor_free(e), 0));
        CALL(touchstone_decryptor_new(&d, a, nonces, nonce, aad, 16 + 1000));
        CALL(touchstone_decryptor_aad(d, r->message + LONG, aad));
        CALL(touchstone_decryptor_update_unverified(d, r->output, r->output + LONG, 16));
        CALL(touchstone_decryptor_update_unverified(d, r->output + 16, r->output + LONG + 16,
                                                    1000));
        CALL(touchstone_decryptor_verify(d, tags, tag));
        CALL((touchstone_decryptor_free(d), 0));
    }
    CALL(touchstone_aead_set_key(a, r->secret + 128, key));
    CALL((touchstone_aead_free(a), 0));
}

static void hash(struct request *r, const char *name)
{
    static const size_t lengths[] = {5, 100, LONG};
    size_t size, i;
    const void *inputs[70];
    size_t lens[70];
    touchstone_hash *h, *copy;

    CALL(touchstone_hash_new(&h, name));
    size = touchstone_hash_size(h);
    for (i = 0; i < 70; i++) {
        inputs[i] = r->message + i;
        lens[i] = 300 + i;
    }
    if (size)
        CALL(touchstone_hash_many(h, inputs, lens, 70, r->output, 70 * size));
    for (i = 0; i < 3; i++) {
        size_t digest = size ? size : 200;
        CALL(touchstone_hash_message(h, r->message, lengths[i], r->output, digest));
        CALL(touchstone_hash_update(h, r->message, lengths[i]));
        CALL(touchstone_hash_copy(&copy, h));
        CALL(touchstone_hash_final(copy, r->output, digest));
        if (!size)
            CALL(touchstone_hash_squeeze(copy, r->output, 100));
        CALL((touchstone_hash_free(copy), 0));
        CALL(touchstone_hash_reset(h));
        CALL(touchstone_digest(name, r->message, lengths[i], r->output, digest));
    }
    CALL(touchstone_hash_update(h, r->message, 77));
    CALL((touchstone_hash_free(h), 0));
    if (touchstone_hash_new_customised(&h, name, "custom", 6))
        return;
    for (i = 0; i < 3; i++) {
        size_t digest = size ? size : 200;
        CALL(touchstone_hash_message(h, r->message, lengths[i], r->output, digest));
        CALL(touchstone_hash_update(h, r->message, lengths[i]));
        CALL(touchstone_hash_final(h, r->output, digest));
    }
    if (size)
        CALL(touchstone_hash_many(h, inputs, lens, 70, r->output, 70 * size));
    CALL((touchstone_hash_free(h), 0));
}

static void tuple(struct request *r, const char *name)
{
    const void *items[] = {r->secret, r->message};
    const size_t lens[] = {100, LONG};

    CALL(touchstone_tuple_hash(name, items, lens, 2, "custom", 6, r->output, 200));
}

static void parallel(struct request *r, const char *name)
{
    CALL(touchstone_parallel_hash(name, 300, r->message, LONG, "custom", 6, r->output, 200));
    CALL(touchstone_parallel_hash(name, 3000, r->message, 100, "custom", 6, r->output, 200));
}

static void mac(struct request *r, const char *name)
{
    const size_t lengths[] = {5, 64, LONG};
    size_t key, longest, nonce, most, tag = 0, i;
    int again;
    const void *inputs[70];
    size_t lens[70];
    unsigned char nonces[128] = {3};
    touchstone_mac *m;

    CALL(touchstone_mac_new(&m, name));
    touchstone_mac_key_sizes(m, &key, &longest, NULL);
    touchstone_mac_nonce_sizes(m, &nonce, &most, NULL);
    /* HMAC hashes a key that is longer than a block. */
    for (again = 0; again < 1 + (longest > 300); again++) {
        size_t n = again ? 300 : key ? key : 16;
        for (i = 0; i < 3; i++) {
            CALL(touchstone_mac_set_key(m, r->secret, n));
            CALL(touchstone_mac_set_nonce(m, nonces, nonce));
            tag = touchstone_mac_tag_size(m);
            CALL(touchstone_mac_message(m, r->message, lengths[i], r->output, tag));
            /* GMAC hashes a nonce that does not have 12 bytes. */
            if (nonce < 12 && most >= 12) {
                CALL(touchstone_mac_set_nonce(m, nonces, 12));
                CALL(touchstone_mac_message(m, r->message, lengths[i], r->output, tag));
            }
            CALL(touchstone_mac_set_key(m, r->secret, n));
            CALL(touchstone_mac_update(m, r->message, lengths[i]));
            CALL(touchstone_mac_set_nonce(m, nonces, nonce));
            CALL(touchstone_mac_final(m, r->output, tag));
            CALL(touchstone_mac_set_key(m, r->secret, n));
            CALL(touchstone_mac_update(m, r->message, lengths[i]));
            CALL(touchstone_mac_set_nonce(m, nonces, nonce));
            CALL(touchstone_mac_verify(m, r->output, tag));
        }
        if (nonce == 0 && strcmp(name, "poly1305")) {
            for (i = 0; i < 70; i++) {
                inputs[i] = r->message + i;
                lens[i] = 300 + i;
            }
            CALL(touchstone_mac_many(m, inputs, lens, 70, r->output, 70 * tag));
        }
    }
    CALL(touchstone_mac_set_key(m, r->secret, key ? key : 16));
    CALL(touchstone_mac_update(m, r->message, 60));
    CALL(touchstone_mac_reset(m));
    /* Poly1305 has no key any more. */
    if (strcmp(name, "poly1305"))
        CALL(touchstone_mac_update(m, r->message, 60));
    CALL((touchstone_mac_free(m), 0));
}

static void wrap(struct request *r, const char *name)
{
    size_t key, n;

    touchstone_wrap_key_sizes_of(name, &key, NULL, NULL);
    CALL(touchstone_wrap(name, r->secret, key, r->message, 64, r->output, 72));
    CALL(touchstone_unwrap(name, r->secret, key, r->output, 72, r->output + 100, 64, &n));
    r->output[0] ^= 1;
    CALL(touchstone_unwrap(name, r->secret, key, r->output, 72, r->output + 100, 64, &n) !=
         TOUCHSTONE_ERROR_FORGED);
}

/* "derive SECRET SALT INFO ITERATIONS KEY NAME", where the others are lengths. */
static void derive(struct request *r, const char *rest)
{
    unsigned secret, salt, info, iterations, key;
    char name[128];

    if (sscanf(rest, "%u %u %u %u %u %127s", &secret, &salt, &info, &iterations, &key, name) != 6)
        exit(6);
    CALL(touchstone_derive(name, r->secret, secret, "salty salt", salt, "info of twenty bytes",
                           info, iterations, r->output, key));
}

static void scrypt(struct request *r)
{
    CALL(touchstone_scrypt(r->secret, 100, "salty salt", 8, 16, 8, 2, r->output, 100));
}

static void argon2(struct request *r, const char *name)
{
    CALL(touchstone_argon2(name, r->secret, 100, "salty salt", 8, r->secret + 100, 20, "data", 4,
                           2, 64, 2, r->output, 100));
}

/* The secret is a seed. */
static void generator(struct request *r)
{
    static const size_t lengths[] = {5, 100, LONG};
    size_t i;
    touchstone_generator *g;

    CALL(touchstone_generator_seeded_new(&g, r->secret, 32));
    for (i = 0; i < 3; i++)
        CALL(touchstone_generator_fill(g, r->output, lengths[i]));
    CALL(touchstone_generator_seek(g, 100000));
    CALL(touchstone_generator_fill(g, r->output, 16));
    CALL((touchstone_generator_free(g), 0));
}

/* The secret is the entropy, the nonce and the inputs. */
static void drbg(struct request *r, const char *name)
{
    static const size_t lengths[] = {5, 16, 100, LONG};
    size_t i, entropy, nonce = strstr(name, "-no-df") ? 0 : 16;
    touchstone_drbg *d;

    touchstone_drbg_entropy_sizes_of(name, &entropy, NULL, NULL);
    CALL(touchstone_drbg_new(&d, name, r->secret, entropy, r->secret + 64, nonce, r->secret + 100,
                             32));
    for (i = 0; i < 4; i++)
        CALL(touchstone_drbg_generate(d, NULL, 0, r->output, lengths[i]));
    CALL(touchstone_drbg_generate(d, r->secret + 140, 32, r->output, 100));
    CALL(touchstone_drbg_reseed(d, r->secret + 180, entropy, r->secret + 240, 32));
    CALL((touchstone_drbg_free(d), 0));
}

static void padding(struct request *r, const char *name)
{
    size_t n;

    memcpy(r->output, r->message, 100);
    CALL(touchstone_pad(name, 16, r->output, 200, 100, &n));
    CALL(touchstone_unpad(name, 16, r->output, n, &n));
    /* No padding: one random message of 256 ends like one. */
    memcpy(r->output, r->message, LONG);
    r->output[LONG - 1] = 0;
    CALL(touchstone_unpad("pkcs7", 128, r->output, LONG, &n) == 0);
}

static void equal(struct request *r)
{
    memcpy(r->output, r->message, LONG);
    CALL(!touchstone_equal(r->output, r->message, LONG));
    CALL(touchstone_equal(r->output, r->message + 1, 100));
}

/* The message is a phrase, and the name a setting. */
static void password(struct request *r, const char *setting)
{
    char *hash = (char *)r->output;

    CALL(touchstone_crypt((char *)r->message, setting, hash, TOUCHSTONE_CRYPT_SIZE));
    CALL(touchstone_crypt_verify((char *)r->message, hash));
    hash[strlen(hash) - 1] ^= 1;
    CALL(touchstone_crypt_verify((char *)r->message, hash) == 0);
    /* Phrases of one length, so that the sizes of what is allocated do not depend on the secret. They
       are short enough for the lanes of md5crypt. */
    char *many = hash + TOUCHSTONE_CRYPT_SIZE, *text = many + 5 * TOUCHSTONE_CRYPT_SIZE;
    const char *phrases[5], *settings[5];
    for (int i = 0; i < 5; i++, text += 13) {
        for (int j = 0; j < 12; j++)
            text[j] = (char)(r->message[i + j] | 1);
        text[12] = 0;
        phrases[i] = text;
        settings[i] = setting;
    }
    CALL(touchstone_crypt_many(phrases, settings, 5, many));
}

/* What the search must find. */
static void planted(struct request *r, const char *where)
{
    volatile unsigned char below[4096];
    unsigned char *heap = malloc(64);
    size_t i;

    if (!strcmp(where, "key on the stack"))
        for (i = 0; i < 8; i++)
            below[i] = r->secret[i + 3];
    /* The search needs four bytes that all differ for two secrets. By chance one in 64 words has a byte
       that does not, so there are four words. */
    if (!strcmp(where, "word on the stack"))
        for (i = 0; i < 16; i++)
            below[i / 4 * 16 + i % 4] = r->secret[i] ^ r->secret[i + 40] ^ 0x55;
    if (!strcmp(where, "freed heap"))
        memcpy(heap + 32, r->message + 100, 8);
    __asm__ volatile("" : : "r"(heap), "r"(below) : "memory");
    free(heap);
    if (!strcmp(where, "vector register"))
        __asm__ volatile("movq %0, %%xmm13" : : "r"(*(long *)r->secret) : "xmm13");
    save_registers();
}

static void work(struct request *r)
{
    const char *name;

    if (is(r, "encrypt", &name))
        cipher(r, name, TOUCHSTONE_ENCRYPT);
    else if (is(r, "decrypt", &name))
        cipher(r, name, TOUCHSTONE_DECRYPT);
    else if (is(r, "aead", &name))
        aead(r, name);
    else if (is(r, "hash", &name))
        hash(r, name);
    else if (is(r, "tuple", &name))
        tuple(r, name);
    else if (is(r, "parallel", &name))
        parallel(r, name);
    else if (is(r, "mac", &name))
        mac(r, name);
    else if (is(r, "wrap", &name))
        wrap(r, name);
    else if (is(r, "derive", &name))
        derive(r, name);
    else if (!strcmp(r->name, "scrypt"))
        scrypt(r);
    else if (!strncmp(r->name, "argon2", 6))
        argon2(r, r->name);
    else if (!strcmp(r->name, "generator"))
        generator(r);
    else if (is(r, "drbg", &name))
        drbg(r, name);
    else if (is(r, "padding", &name))
        padding(r, name);
    else if (!strcmp(r->name, "equal"))
        equal(r);
    else if (is(r, "password", &name))
        password(r, name);
    else if (is(r, "planted", &name))
        planted(r, name);
    else
        exit(5);
}
