/* Measures the time per message in a C program that is written for one library. The lab's own
 * time must be near this time. trust.rs compiles the program with the macro OPENSSL, LIBGCRYPT
 * or NETTLE.
 *
 * usage: message cbc|sha256 hot|latency BYTES
 *
 * Prints the library's version and the nanoseconds per message: the median of SAMPLES samples
 * of at least SAMPLE_NS each. In CBC, each message takes the next of the IVs that were made
 * before timing, as in the lab. The calls are the calls that the lab's adapter names.
 *
 * With `hot`, all calls have the same message, so the processor can begin a call while it still
 * works on the call before. With `latency`, each message is the output of the call before. */

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define IVS 256
#define SAMPLES 41
#define SAMPLE_NS 100000.0

static unsigned char ivs[IVS][16] __attribute__((aligned(16)));
static unsigned char buffer[2 * 4096 + 65536] __attribute__((aligned(4096)));
static unsigned char *input = buffer;
static unsigned char *output = buffer + 2048;
static const unsigned char key[16] = {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};

static void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s failed\n", what);
        exit(1);
    }
}

#if defined(OPENSSL)
#include <openssl/crypto.h>
#include <openssl/evp.h>

static EVP_CIPHER_CTX *cipher;
static EVP_MD *sha256;
static EVP_MD_CTX *digest;

static const char *version(void) { return OpenSSL_version(OPENSSL_VERSION_STRING); }

static void prepare(void)
{
    cipher = EVP_CIPHER_CTX_new();
    EVP_CIPHER *aes = EVP_CIPHER_fetch(NULL, "AES-128-CBC", NULL);
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    digest = EVP_MD_CTX_new();
    need(cipher && aes && sha256 && digest, "EVP_CIPHER_fetch");
    need(EVP_CipherInit_ex2(cipher, aes, key, ivs[0], 1, NULL), "EVP_CipherInit_ex2");
    need(EVP_CIPHER_CTX_set_padding(cipher, 0), "EVP_CIPHER_CTX_set_padding");
}

static void cbc(const unsigned char *iv, size_t bytes)
{
    int written;
    need(EVP_CipherInit_ex2(cipher, NULL, NULL, iv, 1, NULL), "EVP_CipherInit_ex2");
    need(EVP_CipherUpdate(cipher, output, &written, input, (int)bytes), "EVP_CipherUpdate");
}

static void hash(size_t bytes)
{
    need(EVP_DigestInit_ex2(digest, sha256, NULL), "EVP_DigestInit_ex2");
    need(EVP_DigestUpdate(digest, input, bytes), "EVP_DigestUpdate");
    need(EVP_DigestFinal_ex(digest, output, NULL), "EVP_DigestFinal_ex");
}

#elif defined(LIBGCRYPT)
#include <gcrypt.h>

static gcry_cipher_hd_t cipher;
static gcry_md_hd_t sha256;

static const char *version(void) { return gcry_check_version(NULL); }

static void prepare(void)
{
    need(gcry_check_version(NULL) != NULL, "gcry_check_version");
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    need(!gcry_cipher_open(&cipher, GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_CBC, 0), "gcry_cipher_open");
    need(!gcry_cipher_setkey(cipher, key, sizeof key), "gcry_cipher_setkey");
    need(!gcry_md_open(&sha256, GCRY_MD_SHA256, 0), "gcry_md_open");
}

static void cbc(const unsigned char *iv, size_t bytes)
{
    need(!gcry_cipher_setiv(cipher, iv, 16), "gcry_cipher_setiv");
    need(!gcry_cipher_encrypt(cipher, output, bytes, input, bytes), "gcry_cipher_encrypt");
}

static void hash(size_t bytes)
{
    gcry_md_reset(sha256);
    gcry_md_write(sha256, input, bytes);
    memcpy(output, gcry_md_read(sha256, GCRY_MD_SHA256), 32);
}

#elif defined(NETTLE)
#include <nettle/aes.h>
#include <nettle/cbc.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

static struct aes128_ctx cipher;
static struct sha256_ctx sha256;

static const char *version(void)
{
    static char text[16];
    snprintf(text, sizeof text, "%d.%d", nettle_version_major(), nettle_version_minor());
    return text;
}

static void prepare(void)
{
    aes128_set_encrypt_key(&cipher, key);
    sha256_init(&sha256);
}

static void cbc(const unsigned char *iv, size_t bytes)
{
    unsigned char chain[16];
    memcpy(chain, iv, sizeof chain);
#if NETTLE_VERSION_MAJOR > 3 || NETTLE_VERSION_MINOR >= 8
    cbc_aes128_encrypt(&cipher, chain, bytes, output, input);
#else
    cbc_encrypt(&cipher, (nettle_cipher_func *)aes128_encrypt, 16, chain, bytes, output, input);
#endif
}

static void hash(size_t bytes)
{
    sha256_update(&sha256, bytes, input);
    sha256_digest(&sha256, 32, output);
}
#endif

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Takes one sample and returns its nanoseconds. */
static double sample(int is_cbc, int depend, size_t bytes, uint64_t calls)
{
    static volatile unsigned char unknown; /* 0, but the compiler does not know this. */
    unsigned char zero = unknown;
    size_t end = is_cbc ? bytes - 1 : 31;
    double start = now();
    for (uint64_t call = 0; call < calls; call++) {
        if (is_cbc)
            cbc(ivs[call % IVS], bytes);
        else
            hash(bytes);
        if (depend) {
            unsigned char *last = output;
            output = input;
            /* The address depends on the end of the output, so no call begins before it. */
            input = last + (last[end] & zero);
        }
    }
    return now() - start;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    double each[SAMPLES];
    uint64_t calls = 1;
    need(argc == 4, "usage: message cbc|sha256 hot|latency BYTES, which");
    int is_cbc = strcmp(argv[1], "cbc") == 0;
    int depend = strcmp(argv[2], "latency") == 0;
    size_t bytes = (size_t)atol(argv[3]);
    need(bytes > 0 && bytes <= 1024 && bytes % 16 == 0, "BYTES of whole blocks up to 1024");
    srand(1);
    for (size_t i = 0; i < sizeof ivs; i++)
        ivs[i / 16][i % 16] = (unsigned char)(rand() >> 8);
    for (size_t i = 0; i < bytes; i++)
        input[i] = (unsigned char)(i % 251);
    prepare();
    while (sample(is_cbc, depend, bytes, calls) < SAMPLE_NS)
        calls *= 2;
    for (int i = 0; i < SAMPLES; i++) {
        sample(is_cbc, depend, bytes, calls / 10);
        each[i] = sample(is_cbc, depend, bytes, calls) / (double)calls;
    }
    qsort(each, SAMPLES, sizeof each[0], ascending);
    printf("%s %.3f\n", version(), each[SAMPLES / 2]);
    return 0;
}
