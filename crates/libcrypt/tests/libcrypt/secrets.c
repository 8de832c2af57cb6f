/* Calls every function of libcrypt that takes a secret. residue.rs searches the memory of this
 * program after each call. */
#include "residue.h"

#define DATA 32768

char *crypt(const char *phrase, const char *setting);
char *crypt_r(const char *phrase, const char *setting, void *data);
char *crypt_rn(const char *phrase, const char *setting, void *data, int size);
char *crypt_ra(const char *phrase, const char *setting, void **data, int *size);
void setkey_r(const char *key, void *data);
void encrypt_r(char *block, int decrypt, void *data);
/* New programs cannot link with these two by their names. */
__asm__(".symver setkey_r, setkey_r@GLIBC_2.2.5");
__asm__(".symver encrypt_r, encrypt_r@GLIBC_2.2.5");

/* Wipes a hash, which is what the caller asked for. strlen and memset of libc would leave parts of
 * a long one in vector registers. */
static void forget(char *hash)
{
    volatile char *rest = hash;

    while (*rest)
        *rest++ = 0;
}

static void phrase(struct request *r)
{
    const char *phrase = (char *)r->message, *setting = r->name + 7;
    void *data = NULL;
    int size = 0;
    char *hash;

    CALL(crypt_r(phrase, setting, r->output)[0] == '*');
    CALL(crypt_rn(phrase, setting, r->output, DATA) == NULL);
    CALL((hash = crypt_ra(phrase, setting, &data, &size)) == NULL);
    forget(hash);
    free(data);
    CALL((hash = crypt(phrase, setting))[0] == '*');
    forget(hash);
}

/* One byte for each bit, as setkey takes it. */
static void block(struct request *r)
{
    CALL((setkey_r((char *)r->secret, r->output), 0));
    CALL((encrypt_r((char *)r->message, 0, r->output), 0));
    CALL((encrypt_r((char *)r->message, 1, r->output), 0));
}

static void work(struct request *r)
{
    if (!strncmp(r->name, "phrase ", 7))
        phrase(r);
    else
        block(r);
    save_registers();
}
