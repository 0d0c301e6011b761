/*
 * What wv_export does with arguments that are not valid, with a sink that wants no more, and with an output that is incomplete.
 *
 *     export SAMPLES
 */
#define WORLDVIEW_EXPORT
#include "worldview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool is_true, const char *what, int line) {
    if (!is_true) {
        fprintf(stderr, "line %d, wrong: %s\n", line, what);
        exit(2);
    }
}

#define MUST(condition) must(condition, #condition, __LINE__)

typedef struct Seen {
    int wanted, outputs, errors;
    char name[64];
    unsigned char start[24];
    WvError error;
} Seen;

static bool receive(void *user, const WvOutput *output, const WvError *error) {
    Seen *seen = user;
    MUST((output == NULL) == (error != NULL));
    if (error) {
        seen->errors++;
        seen->error = *error;
    } else {
        seen->outputs++;
        MUST(output->size == sizeof *output && output->data.len >= sizeof seen->start);
        snprintf(seen->name, sizeof seen->name, "%.*s", (int)output->name.len, (const char *)output->name.data);
        memcpy(seen->start, output->data.data, sizeof seen->start);
    }
    return --seen->wanted > 0;
}

static WvHandle *opened(const char *samples, const char *path) {
    char whole[1024];
    WvHandle *handle;
    snprintf(whole, sizeof whole, "%s/%s", samples, path);
    MUST(wv_open(whole, NULL, &handle, NULL) == WV_STATUS_OK);
    return handle;
}

int main(int argc, char **argv) {
    MUST(argc == 2);
    WvError error;
    WvHandle *level = opened(argv[1], "harbour.wwd");
    Seen seen = {.wanted = 1};
    MUST(wv_export(level, "png,psd", receive, &seen, &error) == WV_STATUS_ARGUMENT);
    MUST(strstr(error.message, "\"psd\"") && strstr(error.message, ", tmx, tmj, ") && seen.outputs == 0);
    MUST(wv_export(level, "", receive, &seen, &error) == WV_STATUS_ARGUMENT);
    MUST(wv_export(level, NULL, receive, &seen, &error) == WV_STATUS_NULL);
    MUST(wv_export(level, "png", NULL, &seen, &error) == WV_STATUS_NULL);
    MUST(wv_export(NULL, "png", receive, &seen, &error) == WV_STATUS_NULL);

    /* A level has a picture, one of its attributes, and one for each plane. */
    MUST(wv_export(level, "png", receive, &seen, &error) == WV_STATUS_OK);
    MUST(seen.outputs == 1 && strcmp(seen.name, "level.png") == 0);
    wv_free(level);

    WvHandle *record = opened(argv[1], "items.wdb/apple_dried");
    seen = (Seen){.wanted = 9};
    MUST(wv_export(record, "csv,json", receive, &seen, &error) == WV_STATUS_OK && seen.outputs + seen.errors == 0);
    wv_free(record);

    /* A PCX of 3 by 2 pixels in three planes, with the first row only. */
    unsigned char pcx[137] = {10, 5, 1, 8, 0, 0, 0, 0, 2, 0, 1, 0};
    pcx[65] = 3;
    pcx[66] = 3;
    for (int i = 128; i < 137; i++) pcx[i] = (unsigned char)i & 63;
    WvHandle *picture;
    MUST(wv_open_bytes(pcx, sizeof pcx, "cut.pcx", NULL, NULL, &picture, &error) == WV_STATUS_OK);
    MUST(wv_export(picture, "png", receive, &seen, &error) == WV_STATUS_OK);
    MUST(seen.outputs == 1 && strcmp(seen.name, "picture.png") == 0);
    /* The signature, and the first chunk, which has the size. */
    MUST(memcmp(seen.start, "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x03\0\0\0\x02", 24) == 0);
    MUST(seen.errors == 1 && seen.error.status == WV_STATUS_BROKEN && strstr(seen.error.message, "picture.png: "));
    wv_free(picture);
    return 0;
}
