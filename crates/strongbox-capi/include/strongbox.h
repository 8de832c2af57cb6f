/*
 * strongbox: encrypted files for C and C++. docs/strongbox.md is the manual of the command, and
 * docs/strongbox-format.md describes the format.
 *
 * A settings object holds recipients and keys. A sealer or opener is made from it; bytes are given
 * to it in pieces of any length, and what comes out is given to a function of the program.
 *
 * Rules for all functions:
 *
 * - Functions that return int return STRONGBOX_OK, which is 0, or a negative code.
 *   strongbox_strerror describes a code.
 * - A pointer to bytes may be NULL if the length is 0. Texts end with a zero byte and are UTF-8.
 * - A handle comes from a function whose name ends in _new. Free it once with the _free function
 *   of its kind, which wipes its keys. To free NULL does nothing. If a _new function fails, it
 *   sets the handle to NULL.
 * - After an error of an update or finish function, the handle can only be freed.
 * - Different threads may use different handles at the same time.
 */
#ifndef STRONGBOX_H
#define STRONGBOX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum strongbox_error {
    STRONGBOX_OK = 0,
    /* A pointer is NULL that must not be, or the handle has failed or ended before. */
    STRONGBOX_ERROR_CALL = -1,
    /* The file is damaged, truncated or forged. */
    STRONGBOX_ERROR_DAMAGED = -2,
    /* A key, text or setting cannot be used. */
    STRONGBOX_ERROR_SETTING = -3,
    /* The system gave no memory or no random bytes. */
    STRONGBOX_ERROR_SYSTEM = -4,
    /* The passphrase is wrong, or no key opens the file. */
    STRONGBOX_ERROR_KEY = -5,
    /* This is no strongbox, or one that needs a newer version, or it is above a limit. */
    STRONGBOX_ERROR_FORMAT = -6,
    /* The signature is missing, wrong, or of another sender. */
    STRONGBOX_ERROR_SIGNATURE = -7,
    /* The program's function has returned another number than 0. */
    STRONGBOX_ERROR_STOPPED = -8
};

/* Returns the description of a code: a text that is never freed. */
const char *strongbox_strerror(int error);

/* ------------------------------------------------------------ Settings */

typedef struct strongbox_settings strongbox_settings;

int strongbox_settings_new(strongbox_settings **settings);
void strongbox_settings_free(strongbox_settings *settings);

/* A passphrase, to seal and to open. */
int strongbox_settings_passphrase(strongbox_settings *settings, const uint8_t *phrase,
                                  size_t length);

/* The costs of Argon2id for sealing: memory in KiB, passes, lanes. Without this call they are
 * 262144, 3 and 1. */
int strongbox_settings_costs(strongbox_settings *settings, uint32_t memory, uint32_t passes,
                             uint32_t lanes);

/* A recipient, to seal: age1pq1..., age1... or ssh-ed25519 AAAA.... */
int strongbox_settings_recipient(strongbox_settings *settings, const char *recipient);

/* Secret keys, to open: the text of a file of `strongbox keygen`. A sender's key in it signs. */
int strongbox_settings_keys(strongbox_settings *settings, const char *keys);

/* The suite, to seal: aes-256-gcm without this call. */
int strongbox_settings_suite(strongbox_settings *settings, const char *name);

/* Pads the content, to seal, if padded is not 0. */
int strongbox_settings_pad(strongbox_settings *settings, int padded);

/* A sender, sbsign1..., to open: only files that one of the senders has signed are accepted. */
int strongbox_settings_sender(strongbox_settings *settings, const char *sender);

/* ------------------------------------------------------------- Streams */

/* Takes bytes. Returns 0, or another number to stop. */
typedef int (*strongbox_writer)(void *context, const uint8_t *bytes, size_t length);

typedef struct strongbox_sealer strongbox_sealer;

/* Begins a strongbox for the passphrase and the recipients. */
int strongbox_sealer_new(strongbox_sealer **sealer, const strongbox_settings *settings);
int strongbox_sealer_update(strongbox_sealer *sealer, const uint8_t *content, size_t length,
                            strongbox_writer writer, void *context);
/* Ends the content. Without this call the strongbox is incomplete, and nobody can open it. */
int strongbox_sealer_finish(strongbox_sealer *sealer, strongbox_writer writer, void *context);
void strongbox_sealer_free(strongbox_sealer *sealer);

typedef struct strongbox_opener strongbox_opener;

/* Begins to open a strongbox. The writer gets only bytes that are genuine. But only a finish that
 * returns STRONGBOX_OK says that nothing is missing, and that the signature is right. */
int strongbox_opener_new(strongbox_opener **opener, const strongbox_settings *settings);
int strongbox_opener_update(strongbox_opener *opener, const uint8_t *sealed, size_t length,
                            strongbox_writer writer, void *context);
int strongbox_opener_finish(strongbox_opener *opener, strongbox_writer writer, void *context);
void strongbox_opener_free(strongbox_opener *opener);

#ifdef __cplusplus
}
#endif

#endif
