/*
 * Who owns the bytes of a file, and when they are given back; functions that read files; texture files; messages of the system.
 *
 *     open SAMPLES
 */
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

/* A file in memory, and how often it was given back. */
typedef struct Lent {
    unsigned char *bytes;
    size_t len, read, most;
    int released;
} Lent;

static Lent load(const char *samples, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", samples, name);
    FILE *file = fopen(path, "rb");
    MUST(file != NULL);
    Lent lent = {.bytes = malloc(1 << 20)};
    lent.len = fread(lent.bytes, 1, 1 << 20, file);
    fclose(file);
    /* Exactly as many bytes as there are, so that sanitizers see one that is read behind them. */
    lent.bytes = realloc(lent.bytes, lent.len);
    MUST(lent.bytes != NULL);
    return lent;
}

static void give_back(void *user) {
    Lent *lent = user;
    lent->released++;
    free(lent->bytes);
    lent->bytes = NULL;
}

static void borrow(const char *samples) {
    WvError error;
    WvHandle *handle, *member;
    Lent lent = load(samples, "wdbpack.bin");
    const unsigned char *bytes = lent.bytes;
    MUST(wv_open_borrowed(lent.bytes, lent.len, "wdbpack.bin", NULL, NULL, give_back, &lent, &handle, &error) == WV_STATUS_OK);
    WvPart part = {.size = sizeof part};
    MUST(wv_part(handle, &part, &error) == WV_STATUS_OK && part.data.data == bytes && part.data.len == lent.len);
    MUST(wv_open_entry(handle, 0, &member, &error) == WV_STATUS_OK);
    wv_free(handle);
    MUST(lent.released == 0);
    MUST(wv_part(member, &part, &error) == WV_STATUS_OK && part.data.data == bytes + part.offset);
    wv_free(member);
    MUST(lent.released == 1);

    /* A walk over objects keeps the bytes, too. */
    lent = load(samples, "garden.wwd");
    MUST(wv_open_borrowed(lent.bytes, lent.len, "garden.wwd", NULL, NULL, give_back, &lent, &handle, &error) == WV_STATUS_OK);
    WvObjects *walk;
    WvObject object = {.size = sizeof object};
    size_t count;
    MUST(wv_objects(handle, 0, &walk, &error) == WV_STATUS_OK);
    wv_free(handle);
    MUST(lent.released == 0 && wv_objects_next(walk, &object, 1, &count, &error) == WV_STATUS_OK);
    wv_objects_free(walk);
    MUST(lent.released == 1);

    /* Whatever the error is, the bytes are given back before the function returns. */
    lent = load(samples, "garden.wwd");
    MUST(wv_open_borrowed(lent.bytes, 700, "garden.wwd", NULL, NULL, give_back, &lent, &handle, &error) == WV_STATUS_BROKEN);
    MUST(handle == NULL && lent.released == 1);
    MUST(wv_open_borrowed(NULL, 5, NULL, NULL, NULL, give_back, &lent, &handle, &error) == WV_STATUS_NULL && lent.released == 2);
    MUST(wv_open_borrowed(NULL, 0, NULL, NULL, NULL, give_back, &lent, NULL, &error) == WV_STATUS_NULL && lent.released == 3);
    WvOptions options = {.size = 3};
    MUST(wv_open_borrowed(NULL, 0, NULL, NULL, &options, give_back, &lent, &handle, NULL) == WV_STATUS_ARGUMENT);
    MUST(lent.released == 4);

    /* Bytes that are there for as long as the program need not be given back. */
    lent = load(samples, "items.wdb");
    MUST(wv_open_borrowed(lent.bytes, lent.len, "items.wdb", "apple_dried", NULL, NULL, NULL, &handle, &error) == WV_STATUS_OK);
    MUST(wv_part(handle, &part, &error) == WV_STATUS_OK && part.kind == WV_KIND_RECORD);
    wv_free(handle);
    free(lent.bytes);
}

static size_t read_some(void *user, uint8_t *to, size_t len) {
    Lent *lent = user;
    size_t rest = lent->len - lent->read, count = rest < len ? rest : len;
    if (count > lent->most) count = lent->most;
    memcpy(to, lent->bytes + lent->read, count);
    lent->read += count;
    return count;
}

static size_t fail(void *user, uint8_t *to, size_t len) {
    (void)user, (void)to, (void)len;
    return SIZE_MAX;
}

static size_t exaggerate(void *user, uint8_t *to, size_t len) {
    (void)user, (void)to;
    return len + 1;
}

static void stream(const char *samples) {
    WvError error;
    WvHandle *handle;
    Lent lent = load(samples, "harbour.rez");
    lent.most = 7;
    const char *inside = "LEVEL1/WORLDS/WORLD.WWD";
    MUST(wv_open_stream(read_some, &lent, "harbour.rez", inside, NULL, &handle, &error) == WV_STATUS_OK);
    WvPart part = {.size = sizeof part};
    MUST(wv_part(handle, &part, &error) == WV_STATUS_OK && part.kind == WV_KIND_LEVEL);
    MUST(lent.read == lent.len && memcmp(part.data.data, lent.bytes + part.offset, part.data.len) == 0);
    wv_free(handle);
    free(lent.bytes);
    MUST(wv_open_stream(fail, NULL, "a", NULL, NULL, &handle, &error) == WV_STATUS_IO && handle == NULL);
    MUST(strstr(error.message, "cannot read the file"));
    MUST(wv_open_stream(exaggerate, NULL, "a", NULL, NULL, &handle, &error) == WV_STATUS_IO && handle == NULL);
    MUST(wv_open_stream(NULL, NULL, "a", NULL, NULL, &handle, &error) == WV_STATUS_NULL && handle == NULL);
}

static void textures(const char *samples) {
    WvError error;
    WvHandle *handle;
    char path[1024];
    snprintf(path, sizeof path, "%s/pennant.tex", samples);
    MUST(wv_open(path, NULL, &handle, &error) == WV_STATUS_OK);
    WvPart part = {.size = sizeof part};
    MUST(wv_part(handle, &part, &error) == WV_STATUS_OK && part.kind == WV_KIND_TEXTURES);
    WvBlob blob = {.size = sizeof blob};
    MUST(wv_blob(handle, WV_GLOBAL_TEXTURES, &blob, &error) == WV_STATUS_OK && blob.kind == WV_BLOB_KIND_TEXTURES);
    MUST(blob.texture_count > 0 && blob.data.len == part.data.len);
    for (size_t i = 0; i < blob.texture_count; i++) {
        WvTexture texture = {.size = sizeof texture};
        MUST(wv_texture(handle, WV_GLOBAL_TEXTURES, i, &texture, &error) == WV_STATUS_OK);
        MUST(texture.name.len > 0 && texture.high.pixels.len == (size_t)texture.high.width * texture.high.height);
    }
    WvTexture none = {.size = sizeof none};
    MUST(wv_texture(handle, WV_GLOBAL_TEXTURES, blob.texture_count, &none, &error) == WV_STATUS_NOT_FOUND);
    MUST(wv_texture(handle, 0, 0, &none, &error) == WV_STATUS_KIND && wv_blob(handle, 0, &blob, &error) == WV_STATUS_KIND);
    wv_free(handle);
}

int main(int argc, char **argv) {
    MUST(argc == 2);
    borrow(argv[1]);
    stream(argv[1]);
    textures(argv[1]);
    WvError error;
    WvHandle *handle;
    MUST(wv_open("no/such/file.wdb", NULL, &handle, &error) == WV_STATUS_IO && handle == NULL);
    MUST(error.message[0] && !strstr(error.message, "os error"));
    return 0;
}
