/* The names under which programs look for crypt(3) and its family.
 *
 * EXPORT(impl, name, id, version, return type, parameters, arguments) defines a
 * function. In libcrypt.so.1 the name includes the version: "@@" marks the version
 * that new programs link with, "@" marks a version that only old programs ask for. The
 * object for LD_PRELOAD (-DUNVERSIONED) has no versions, and contains only the newest
 * function of each name.
 */
struct crypt_data;

#ifdef UNVERSIONED
#define LOCAL(name, id) name
#define VERSION(local, name, version)
#else
#define LOCAL(name, id) version_##id##_##name
#define VERSION(local, name, version) \
    __asm__(".symver " #local "," #name version);
#endif
#define EXPORT(impl, name, id, version, type, parameters, arguments) \
    EXPORT_(impl, name, LOCAL(name, id), version, type, parameters, arguments)
#define EXPORT_(impl, name, local, version, type, parameters, arguments) \
    type touchstone_libcrypt_##impl parameters; \
    type local parameters; \
    VERSION(local, name, version) \
    type local parameters { return touchstone_libcrypt_##impl arguments; }

#define HASH (const char *phrase, const char *setting)
#define HASH_R (const char *phrase, const char *setting, struct crypt_data *data)
#define SALT (const char *prefix, unsigned long count, const char *rbytes, int nrbytes)
#define SALT_RN (const char *prefix, unsigned long count, const char *rbytes, \
    int nrbytes, char *output, int size)
#define ARGS_SALT (prefix, count, rbytes, nrbytes)
#define ARGS_SALT_RN (prefix, count, rbytes, nrbytes, output, size)

EXPORT(crypt, crypt, new, "@@XCRYPT_2.0", char *, HASH, (phrase, setting))
EXPORT(crypt_r, crypt_r, new, "@@XCRYPT_2.0", char *, HASH_R, (phrase, setting, data))
EXPORT(crypt_rn, crypt_rn, new, "@@XCRYPT_2.0", char *,
    (const char *phrase, const char *setting, void *data, int size),
    (phrase, setting, data, size))
EXPORT(crypt_ra, crypt_ra, new, "@@XCRYPT_2.0", char *,
    (const char *phrase, const char *setting, void **data, int *size),
    (phrase, setting, data, size))
EXPORT(crypt_gensalt, crypt_gensalt, new, "@@XCRYPT_2.0", char *, SALT, ARGS_SALT)
EXPORT(crypt_gensalt_rn, crypt_gensalt_rn, new, "@@XCRYPT_2.0", char *, SALT_RN, ARGS_SALT_RN)
EXPORT(crypt_gensalt_ra, crypt_gensalt_ra, new, "@@XCRYPT_2.0", char *, SALT, ARGS_SALT)
EXPORT(crypt_checksalt, crypt_checksalt, new, "@@XCRYPT_4.3", int,
    (const char *setting), (setting))
EXPORT(crypt_preferred_method, crypt_preferred_method, new, "@@XCRYPT_4.4",
    const char *, (void), ())

/* Names from libxcrypt before version 4. */
EXPORT(crypt, xcrypt, old, "@XCRYPT_2.0", char *, HASH, (phrase, setting))
EXPORT(crypt_r, xcrypt_r, old, "@XCRYPT_2.0", char *, HASH_R, (phrase, setting, data))
EXPORT(crypt_gensalt, xcrypt_gensalt, old, "@XCRYPT_2.0", char *, SALT, ARGS_SALT)
EXPORT(crypt_gensalt_rn, xcrypt_gensalt_r, old, "@XCRYPT_2.0", char *, SALT_RN, ARGS_SALT_RN)
EXPORT(crypt_gensalt_rn, crypt_gensalt_r, old, "@XCRYPT_2.0", char *, SALT_RN, ARGS_SALT_RN)

/* Names from glibc's libcrypt, which libxcrypt replaced. */
EXPORT(crypt, fcrypt, glibc, "@GLIBC_2.2.5", char *, HASH, (phrase, setting))
EXPORT(setkey_r, setkey_r, glibc, "@GLIBC_2.2.5", void,
    (const char *key, struct crypt_data *data), (key, data))
EXPORT(encrypt_r, encrypt_r, glibc, "@GLIBC_2.2.5", void,
    (char *block, int edflag, struct crypt_data *data), (block, edflag, data))
#ifndef UNVERSIONED
EXPORT(crypt, crypt, glibc, "@GLIBC_2.2.5", char *, HASH, (phrase, setting))
EXPORT(crypt_r, crypt_r, glibc, "@GLIBC_2.2.5", char *, HASH_R, (phrase, setting, data))
EXPORT(setkey, setkey, glibc, "@GLIBC_2.2.5", int, (const char *key), (key))
EXPORT(encrypt, encrypt, glibc, "@GLIBC_2.2.5", int, (char *block, int edflag), (block, edflag))
#endif

/* The functions of FreeSec. This version lets new programs link with them, too. */
EXPORT(setkey, setkey, freesec, "@@FREESEC_1.0", int, (const char *key), (key))
EXPORT(encrypt, encrypt, freesec, "@@FREESEC_1.0", int, (char *block, int edflag),
    (block, edflag))
EXPORT(des_setkey, des_setkey, freesec, "@@FREESEC_1.0", int, (const char *key), (key))
EXPORT(des_cipher, des_cipher, freesec, "@@FREESEC_1.0", int,
    (const char *in, char *out, long salt, int count), (in, out, salt, count))
