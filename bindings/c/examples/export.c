/*
 * Exports a file into a folder, as `worldview export` does. It needs a library with the feature `export`.
 *
 *     export PATH KINDS FOLDER        for example: export samples/harbour.wwd tmx,png out
 *
 * The path may continue inside the file. The exit status is 1 if the file cannot be opened or an output cannot be made or written.
 */
#ifndef WORLDVIEW_EXPORT
#define WORLDVIEW_EXPORT
#endif
#include "worldview.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <direct.h>
#define MAKE_FOLDER(path) _mkdir(path)
#else
#include <sys/stat.h>
#define MAKE_FOLDER(path) mkdir(path, 0777)
#endif

/* What the sink is called with. */
typedef struct Target {
    const char *folder;
    bool has_failed;
} Target;

/* Creates the folders of a path. */
static bool make_folders(char *path) {
    for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = 0;
        bool is_there = MAKE_FOLDER(path) == 0 || errno == EEXIST;
        *end = '/';
        if (!is_there) return false;
    }
    return true;
}

/* Writes a file. Names of outputs are relative paths that lead nowhere else. */
static bool write_file(const char *folder, const WvOutput *output) {
    size_t size = strlen(folder) + 1 + output->name.len + 1;
    char *path = malloc(size);
    if (!path) return false;
    snprintf(path, size, "%s/%.*s", folder, (int)output->name.len, (const char *)output->name.data);
    FILE *file = make_folders(path) ? fopen(path, "wb") : NULL;
    bool is_written = file && fwrite(output->data.data, 1, output->data.len, file) == output->data.len;
    if (file && fclose(file) != 0) is_written = false;
    if (is_written) {
        printf("%s  %zu\n", path, output->data.len);
    } else {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    }
    free(path);
    return is_written;
}

/* Returns whether more outputs are wanted: not after one that could not be written. */
static bool receive(void *user, const WvOutput *output, const WvError *error) {
    Target *target = user;
    if (!output) {
        fprintf(stderr, "%s\n", error->message);
        target->has_failed = true;
        return true;
    }
    bool is_written = write_file(target->folder, output);
    target->has_failed |= !is_written;
    return is_written;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: export PATH KINDS FOLDER\n");
        return 2;
    }
    WvError error;
    WvHandle *handle = NULL;
    Target target = {.folder = argv[3], .has_failed = false};
    if (wv_open(argv[1], NULL, &handle, &error) != WV_STATUS_OK ||
        wv_export(handle, argv[2], receive, &target, &error) != WV_STATUS_OK) {
        fprintf(stderr, "%s\n", error.message);
        target.has_failed = true;
    }
    wv_free(handle);
    return target.has_failed ? 1 : 0;
}
