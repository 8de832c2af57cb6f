/* Seals a file and opens it again in pieces, through the shared library.
 * usage: client KEYS RECIPIENT <content >opened */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strongbox.h"

struct buffer {
    uint8_t *bytes;
    size_t length;
};

static void check(int result, int expected, const char *what)
{
    if (result != expected) {
        fprintf(stderr, "%s: %s\n", what, strongbox_strerror(result));
        exit(1);
    }
}

static int append(void *context, const uint8_t *bytes, size_t length)
{
    struct buffer *buffer = context;
    uint8_t *grown = realloc(buffer->bytes, buffer->length + length);
    if (grown == NULL)
        return 1;
    memcpy(grown + buffer->length, bytes, length);
    buffer->bytes = grown;
    buffer->length += length;
    return 0;
}

static int refuse(void *context, const uint8_t *bytes, size_t length)
{
    (void)context;
    (void)bytes;
    return length != 0;
}

/* Opens a strongbox in pieces of 1000 bytes, and returns the first error. */
static int opened(const strongbox_settings *settings, const struct buffer *sealed,
                  struct buffer *content)
{
    strongbox_opener *opener;
    size_t place;
    int result = STRONGBOX_OK;
    check(strongbox_opener_new(&opener, settings), STRONGBOX_OK, "opener");
    for (place = 0; place < sealed->length && result == STRONGBOX_OK; place += 1000) {
        size_t length = sealed->length - place < 1000 ? sealed->length - place : 1000;
        result = strongbox_opener_update(opener, sealed->bytes + place, length, append, content);
    }
    if (result == STRONGBOX_OK)
        result = strongbox_opener_finish(opener, append, content);
    check(strongbox_opener_update(opener, NULL, 0, append, content), STRONGBOX_ERROR_CALL,
          "a call after the end");
    strongbox_opener_free(opener);
    return result;
}

int main(int count, char **arguments)
{
    strongbox_settings *settings, *other;
    strongbox_sealer *sealer;
    struct buffer content = {NULL, 0}, sealed = {NULL, 0}, again = {NULL, 0};
    uint8_t piece[777];
    size_t length;

    if (count != 3)
        return 2;
    check(strongbox_settings_new(&settings), STRONGBOX_OK, "settings");
    check(strongbox_sealer_new(&sealer, settings), STRONGBOX_ERROR_SETTING, "nobody");
    check(sealer == NULL ? STRONGBOX_OK : STRONGBOX_ERROR_CALL, STRONGBOX_OK, "a failed handle");
    check(strongbox_settings_passphrase(settings, (const uint8_t *)"phrase", 6), STRONGBOX_OK,
          "passphrase");
    check(strongbox_settings_costs(settings, 64, 1, 1), STRONGBOX_OK, "costs");
    check(strongbox_settings_costs(settings, 1, 0, 0), STRONGBOX_ERROR_SETTING, "no costs");
    check(strongbox_settings_recipient(settings, arguments[2]), STRONGBOX_OK, "recipient");
    check(strongbox_settings_recipient(settings, "age1"), STRONGBOX_ERROR_SETTING, "no recipient");
    check(strongbox_settings_suite(settings, "serpent-256-eax"), STRONGBOX_OK, "suite");
    check(strongbox_settings_suite(settings, NULL), STRONGBOX_ERROR_CALL, "no suite");
    check(strongbox_settings_pad(settings, 1), STRONGBOX_OK, "padding");

    check(strongbox_sealer_new(&sealer, settings), STRONGBOX_OK, "sealer");
    while ((length = fread(piece, 1, sizeof piece, stdin)) != 0) {
        append(&content, piece, length);
        check(strongbox_sealer_update(sealer, piece, length, append, &sealed), STRONGBOX_OK,
              "update");
    }
    check(strongbox_sealer_finish(sealer, append, &sealed), STRONGBOX_OK, "finish");
    check(strongbox_sealer_finish(sealer, append, &sealed), STRONGBOX_ERROR_CALL, "finish twice");
    strongbox_sealer_free(sealer);

    check(opened(settings, &sealed, &again), STRONGBOX_OK, "open by passphrase");
    check(strongbox_settings_new(&other), STRONGBOX_OK, "other settings");
    check(opened(other, &sealed, &again), STRONGBOX_ERROR_KEY, "open without a key");
    check(strongbox_settings_keys(other, arguments[1]), STRONGBOX_OK, "keys");
    again.length = 0;
    check(opened(other, &sealed, &again), STRONGBOX_OK, "open by key");
    if (again.length != content.length || memcmp(again.bytes, content.bytes, content.length) != 0) {
        fputs("the content differs\n", stderr);
        return 1;
    }
    fwrite(again.bytes, 1, again.length, stdout);

    again.length = 0;
    sealed.bytes[sealed.length / 2] ^= 1;
    check(opened(other, &sealed, &again), STRONGBOX_ERROR_DAMAGED, "open a damaged file");
    if (again.length > content.length || memcmp(again.bytes, content.bytes, again.length) != 0) {
        fputs("bytes were released that are not genuine\n", stderr);
        return 1;
    }
    check(strongbox_sealer_new(&sealer, settings), STRONGBOX_OK, "sealer");
    check(strongbox_sealer_update(sealer, piece, 1, refuse, NULL), STRONGBOX_ERROR_STOPPED, "stop");
    strongbox_sealer_free(sealer);
    strongbox_sealer_free(NULL);
    strongbox_settings_free(other);
    strongbox_settings_free(settings);
    free(content.bytes);
    free(sealed.bytes);
    free(again.bytes);
    return 0;
}
