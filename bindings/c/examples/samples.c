/*
 * Goes over files and everything in them, reads every byte that it is given, and prints what it sees.
 *
 *     samples [--json] [--lossy] [--break TIMES] PATH...
 *
 * --json    prints each file as JSON instead.
 * --break   changes or truncates each file TIMES times at random. Whether a changed file opens does not matter, but nothing
 *           may crash, and whatever opens must be readable.
 *
 * The exit status is 1 if a file could not be opened, 2 if something is wrong with the library.
 */
#include "worldview.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool quiet;
static bool failed;
/* Reading adds up all bytes here, so that sanitizers see each of them. */
static uint64_t total;
/* Entries of broken archives may overlap or contain each other. */
static int handles_left;

static void say(int depth, const char *format, ...) {
    if (quiet) return;
    va_list args;
    va_start(args, format);
    printf("%*s", 2 * depth, "");
    vprintf(format, args);
    va_end(args);
}

static void must(bool is_true, const char *what) {
    if (!is_true) {
        fprintf(stderr, "wrong: %s\n", what);
        exit(2);
    }
}

#define MUST(condition) must(condition, #condition)

/* Returns whether a call succeeded. A failure must be described. */
static bool ok(WvStatus status, const WvError *error) {
    if (status == WV_STATUS_OK) return true;
    MUST(status == error->status && status != WV_STATUS_PANIC && status != WV_STATUS_NULL);
    MUST(memchr(error->message, 0, sizeof error->message) && error->message[0]);
    MUST((error->space == WV_SPACE_NONE) == (error->offset == UINT64_MAX));
    if (!quiet) {
        failed = true;
        fprintf(stderr, "%s%s%s\n", error->path, error->path[0] ? ": " : "", error->message);
    }
    return false;
}

static void touch(const void *data, size_t len) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < len; i++) total += bytes[i];
}

static void read_span(WvSpan span) { touch(span.data, span.len); }

/* Texts of files have no final NUL and an unknown code page. */
#define TEXT(span) (int)(span).len, (span).len ? (const char *)(span).data : ""

static void *room(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    MUST(memory != NULL);
    return memory;
}

static void read_level(const WvHandle *handle, int depth) {
    WvError error;
    WvLevel level = {.size = sizeof level};
    MUST(wv_level(handle, &level, &error) == WV_STATUS_OK);
    say(depth, "level \"%.*s\": %zu planes, %zu tile attributes%s\n", TEXT(level.fields.name), level.plane_count,
        level.attribute_count, level.packed ? ", packed" : "");
    read_span(level.image);
    read_span(level.trailing);
    for (size_t p = 0; p < level.plane_count; p++) {
        WvPlane plane = {.size = sizeof plane};
        MUST(wv_plane(handle, p, &plane, &error) == WV_STATUS_OK);
        MUST(plane.tiles.len == 4 * plane.columns * plane.rows);
        size_t count, drawn = 0;
        uint32_t *tiles = room(plane.tiles.len / 4, sizeof *tiles);
        MUST(wv_tiles(handle, p, tiles, plane.tiles.len / 4, &count, &error) == WV_STATUS_OK);
        MUST(count == plane.tiles.len / 4);
        for (size_t i = 0; i < count; i++) {
            const uint8_t *at = plane.tiles.data + 4 * i;
            MUST(tiles[i] == (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24));
            drawn += tiles[i] != UINT32_MAX;
        }
        free(tiles);
        WvSpan names[8];
        if (ok(wv_image_sets(handle, p, names, 8, &count, &error), &error)) {
            for (size_t i = 0; i < count; i++) read_span(names[i]);
        }
        WvObjects *walk;
        WvObject batch[16] = {{.size = sizeof *batch}};
        uint32_t objects = 0;
        MUST(wv_objects(handle, p, &walk, &error) == WV_STATUS_OK);
        while (ok(wv_objects_next(walk, batch, 16, &count, &error), &error) && count > 0) {
            for (size_t i = 0; i < count; i++, objects++) {
                MUST(batch[i].index == objects && batch[i].record.len == 284);
                touch(&batch[i].fields, sizeof batch[i].fields);
                MUST(batch[i].fields.logic_len == batch[i].logic.len);
                read_span(batch[i].name);
                read_span(batch[i].logic);
                read_span(batch[i].image_set);
                read_span(batch[i].animation);
            }
        }
        wv_objects_free(walk);
        say(depth + 1, "plane \"%.*s\": %zu by %zu tiles, %zu of them drawn, %" PRIu32 " objects\n", TEXT(plane.fields.name),
            plane.columns, plane.rows, drawn, objects);
    }
    for (size_t i = 0; i < level.attribute_count; i++) {
        WvAttribute attribute = {.size = sizeof attribute};
        MUST(wv_attribute(handle, i, &attribute, &error) == WV_STATUS_OK);
        read_span(attribute.mask);
    }
    WvPlane none = {.size = sizeof none};
    MUST(wv_plane(handle, level.plane_count, &none, &error) == WV_STATUS_NOT_FOUND);
}

static void read_table(const WvHandle *handle, int depth) {
    WvError error;
    WvTable table = {.size = sizeof table};
    MUST(wv_table(handle, &table, &error) == WV_STATUS_OK);
    say(depth, "table \"%.*s\": %zu records, %zu fields\n", TEXT(table.sheet_name), table.record_count,
        table.field_count);
    for (size_t r = 0; r < table.record_count; r++) {
        WvRecord record = {.size = sizeof record};
        MUST(wv_record(handle, r, &record, &error) == WV_STATUS_OK);
        read_span(record.name);
        read_span(record.data);
    }
    for (size_t f = 0; f < table.field_count; f++) {
        WvField field = {.size = sizeof field};
        MUST(wv_field(handle, f, &field, &error) == WV_STATUS_OK);
        size_t n = table.record_count, count = 0;
        int32_t *ints = room(n, sizeof *ints);
        uint32_t *uints = room(n, sizeof *uints);
        uint64_t *longs = room(n, sizeof *longs);
        float *floats = room(n, sizeof *floats);
        WvSpan *texts = room(n, sizeof *texts);
        WvStatus status[] = {
            wv_column_i32(handle, f, ints, n, &count, NULL),  wv_column_u32(handle, f, uints, n, &count, NULL),
            wv_column_f32(handle, f, floats, n, &count, NULL), wv_column_u64(handle, f, longs, n, &count, NULL),
            wv_column_text(handle, f, texts, n, &count, NULL),
        };
        MUST(count == n);
        for (int type = 0; type < 5; type++) {
            MUST(status[type] == (type + 1 == (int)field.value_type ? WV_STATUS_OK : WV_STATUS_TYPE));
        }
        for (size_t r = 0; r < n; r++) {
            WvValue value = {.size = sizeof value};
            MUST(wv_value(handle, r, f, &value, &error) == WV_STATUS_OK && value.value_type == field.value_type);
            MUST(value.i32_ == ints[r] && value.u32_ == uints[r] && value.u64_ == longs[r]);
            MUST(memcmp(&value.f32_, &floats[r], sizeof(float)) == 0);
            MUST(value.text.data == texts[r].data && value.text.len == texts[r].len);
            read_span(value.text);
        }
        free(ints), free(uints), free(longs), free(floats), free(texts);
    }
}

static void read_picture(const WvHandle *handle, int depth) {
    WvError error;
    WvPicture picture = {.size = sizeof picture};
    MUST(wv_picture(handle, &picture, &error) == WV_STATUS_OK);
    say(depth, "picture: %" PRIu32 " by %" PRIu32 "\n", picture.width, picture.height);
    read_span(picture.palette);
    if (picture.pixels > 1 << 22) return;
    uint8_t *pixels = room(picture.pixels, picture.channels);
    uint8_t *opacity = room(picture.pixels, 1);
    uint8_t *rgba = room(picture.pixels, 4);
    uint8_t gray[768];
    for (int i = 0; i < 768; i++) gray[i] = (uint8_t)(i / 3);
    size_t len = picture.pixels * picture.channels;
    ok(wv_decode(handle, WV_KEY_CLAW, pixels, len, opacity, picture.pixels, &error), &error);
    if (ok(wv_decode_rgba(handle, WV_KEY_CLAW, gray, rgba, 4 * picture.pixels, &error), &error)) {
        for (size_t i = 0; i < picture.pixels; i++) {
            MUST(rgba[4 * i] == pixels[i * picture.channels] && rgba[4 * i + 3] == opacity[i]);
        }
    }
    MUST(wv_decode(handle, WV_KEY_CLAW, pixels, len + 1, opacity, picture.pixels, NULL) == WV_STATUS_ARGUMENT);
    free(pixels), free(opacity), free(rgba);
}

static void read_lods(const WvHandle *handle, WvPlace place, WvSpan color, int depth) {
    WvError error;
    WvLods *lods;
    if (!ok(wv_lods(handle, place.blob, place.index, &lods, &error), &error)) return;
    for (size_t l = 0; l < wv_lods_count(lods); l++) {
        WvLod lod = {.size = sizeof lod};
        MUST(wv_lod(lods, l, &lod, &error) == WV_STATUS_OK);
        say(depth, "level of detail with %zu meshes\n", lod.mesh_count);
        read_span(lod.positions);
        for (size_t m = 0; m < lod.mesh_count; m++) {
            WvMesh mesh = {.size = sizeof mesh};
            WvMaterial material = {.size = sizeof material};
            MUST(wv_mesh(lods, l, m, &mesh, &error) == WV_STATUS_OK);
            MUST(wv_material(lods, l, m, color.data, color.len, &material, &error) == WV_STATUS_OK);
            read_span(material.texture);
            size_t vertices = mesh.vertex_count, triangles = mesh.triangle_count;
            float *points = room(8 * vertices, sizeof *points);
            uint16_t *indices = room(3 * triangles, sizeof *indices);
            if (ok(wv_decode_mesh(lods, l, m, vertices, triangles, points, points + 3 * vertices, points + 6 * vertices,
                                  indices, &error),
                   &error)) {
                touch(points, 8 * vertices * sizeof *points);
                for (size_t i = 0; i < 3 * triangles; i++) MUST(indices[i] < vertices);
                if (mesh.texture.len) {
                    say(depth + 1, "%zu vertices, texture \"%.*s\"\n", vertices, TEXT(material.texture));
                }
            }
            free(points), free(indices);
        }
    }
    wv_lods_free(lods);
}

static void read_blob(const WvHandle *handle, size_t index, uint32_t scope, size_t world, size_t reference, int depth) {
    WvError error;
    WvBlob blob = {.size = sizeof blob};
    if (!ok(wv_blob(handle, index, &blob, &error), &error)) return;
    WvSpan none = {NULL, 0};
    for (size_t i = 0; i < blob.texture_count; i++) {
        WvTexture texture = {.size = sizeof texture};
        MUST(wv_texture(handle, index, i, &texture, &error) == WV_STATUS_OK);
        WvPlace found;
        MUST(wv_find_texture(handle, scope, world, reference, texture.name.data, texture.name.len, &found, NULL) !=
             WV_STATUS_ARGUMENT);
        read_span(texture.high.palette);
        read_span(texture.high.pixels);
    }
    for (size_t i = 0; i < blob.part_count; i++) {
        WvSharedPart part = {.size = sizeof part};
        MUST(wv_shared_part(handle, index, i, &part, &error) == WV_STATUS_OK);
        say(depth, "part \"%.*s\"\n", TEXT(part.name));
        read_lods(handle, (WvPlace){index, i}, none, depth + 1);
    }
    for (size_t i = 0; i < blob.roi_count; i++) {
        WvRoi roi = {.size = sizeof roi};
        MUST(wv_roi(handle, index, i, &roi, &error) == WV_STATUS_OK);
        MUST(i == 0 ? roi.parent == WV_NONE : roi.parent < i);
        say(depth, "object \"%.*s\"\n", TEXT(roi.name));
        WvPlace place;
        if (wv_find_lods(handle, scope, world, reference, i, &place, &error) == WV_STATUS_OK) {
            read_lods(handle, place, roi.color, depth + 1);
        }
    }
    for (size_t i = 0; i < blob.node_count; i++) {
        WvNode node = {.size = sizeof node};
        MUST(wv_node(handle, index, i, &node, &error) == WV_STATUS_OK);
        for (uint32_t track = WV_TRANSLATIONS; track <= WV_MORPHS; track++) {
            size_t count, len = node.key_counts[track];
            WvKey *keys = room(len, sizeof *keys);
            MUST(wv_keys(handle, index, i, track, keys, len, &count, &error) == WV_STATUS_OK && count == len);
            touch(keys, len * sizeof *keys);
            free(keys);
        }
    }
    if (blob.kind == WV_BLOB_KIND_MODEL) {
        size_t count, place = scope == WV_SCOPE_MODEL ? reference : index;
        WvPose *poses = room(blob.roi_count, sizeof *poses);
        MUST(wv_poses(handle, world, place, 100, poses, blob.roi_count, &count, &error) == WV_STATUS_OK);
        MUST(count == blob.roi_count);
        touch(poses, count * sizeof *poses);
        free(poses);
    }
}

static void read_database(const WvHandle *handle, int depth) {
    WvError error;
    WvDatabase database = {.size = sizeof database};
    MUST(wv_database(handle, &database, &error) == WV_STATUS_OK);
    say(depth, "database: %zu worlds, %zu blobs\n", database.world_count, database.blob_count);
    for (size_t i = 0; i < database.blob_count && i < 100; i++) read_blob(handle, i, WV_SCOPE_BLOB, WV_NONE, i, depth + 1);
    read_blob(handle, WV_GLOBAL_PARTS, WV_SCOPE_GLOBAL, WV_NONE, 0, depth + 1);
    read_blob(handle, WV_GLOBAL_TEXTURES, WV_SCOPE_GLOBAL, WV_NONE, 0, depth + 1);
    for (size_t w = 0; w < database.world_count && w < 20; w++) {
        WvWorld world = {.size = sizeof world};
        MUST(wv_world(handle, w, &world, &error) == WV_STATUS_OK);
        say(depth + 1, "world \"%.*s\"\n", TEXT(world.name));
        for (size_t i = 0; i < world.part_count && i < 20; i++) {
            WvPartRef part = {.size = sizeof part};
            MUST(wv_part_ref(handle, w, i, &part, &error) == WV_STATUS_OK);
            if (part.blob != WV_NONE) read_blob(handle, part.blob, WV_SCOPE_PART, w, i, depth + 2);
        }
        for (size_t i = 0; i < world.model_count && i < 20; i++) {
            WvModelRef model = {.size = sizeof model};
            MUST(wv_model_ref(handle, w, i, &model, &error) == WV_STATUS_OK);
            say(depth + 2, "model \"%.*s\" at %g %g %g\n", TEXT(model.name), model.location[0], model.location[1],
                model.location[2]);
            if (model.blob != WV_NONE) read_blob(handle, model.blob, WV_SCOPE_MODEL, w, i, depth + 3);
        }
    }
}

static void read_findings(const WvHandle *handle, bool check, int depth) {
    WvError error;
    WvFindings *findings;
    WvStatus status = check ? wv_check(handle, 100, &findings, &error) : wv_findings(handle, &findings, &error);
    if (!ok(status, &error)) return;
    MUST(wv_findings_count(findings) <= wv_findings_total(findings));
    for (size_t i = 0; i < wv_findings_count(findings); i++) {
        WvFinding finding = {.size = sizeof finding};
        MUST(wv_finding(findings, i, &finding, &error) == WV_STATUS_OK);
        read_span(finding.code);
        say(depth, "%.*s\n", TEXT(finding.message));
    }
    wv_findings_free(findings);
}

static void read_handle(const WvHandle *handle, const WvOptions *options, int depth) {
    static const char *const kinds[] = {"data",      "level",   "table",    "record",  "archive",
                                        "directory", "picture", "database", "textures"};
    WvError error;
    WvPart part = {.size = sizeof part};
    MUST(wv_part(handle, &part, &error) == WV_STATUS_OK);
    if (part.kind != WV_KIND_PICTURE && part.kind != WV_KIND_DATA) {
        say(depth, "%s %.*s, %zu bytes\n", kinds[part.kind], TEXT(part.path.len ? part.path : part.name), part.data.len);
    }
    read_span(part.name);
    if (depth == 0) read_span(part.data);
    WvText *text;
    if (wv_dump(handle, false, &text, &error) == WV_STATUS_OK) read_span(wv_text(text));
    wv_text_free(text);
    read_findings(handle, false, depth + 1);
    read_findings(handle, true, depth + 1);
    switch (part.kind) {
        case WV_KIND_LEVEL: read_level(handle, depth + 1); break;
        case WV_KIND_TABLE: read_table(handle, depth + 1); break;
        case WV_KIND_PICTURE: read_picture(handle, depth + 1); break;
        case WV_KIND_DATABASE: read_database(handle, depth + 1); break;
        case WV_KIND_TEXTURES: read_blob(handle, WV_GLOBAL_TEXTURES, WV_SCOPE_GLOBAL, WV_NONE, 0, depth + 1); break;
        default: break;
    }
    if (part.kind != WV_KIND_ARCHIVE && part.kind != WV_KIND_DIRECTORY) return;
    size_t count;
    MUST(wv_entry_count(handle, &count, &error) == WV_STATUS_OK);
    for (size_t i = 0; i < count && handles_left > 0 && depth < 8; i++, handles_left--) {
        WvEntry entry = {.size = sizeof entry};
        WvHandle *member;
        MUST(wv_entry(handle, i, &entry, &error) == WV_STATUS_OK);
        read_span(entry.name);
        if (ok(wv_open_entry(handle, i, &member, &error), &error)) read_handle(member, options, depth + 1);
        wv_free(member);
        /* The same by its path. Broken archives may have a name twice. */
        char path[300];
        const char *dot = entry.extension[0] ? "." : "";
        snprintf(path, sizeof path, "%.*s%s%s", TEXT(entry.name), dot, entry.extension);
        if (i < 4 && wv_open_path(handle, path, &member, NULL) == WV_STATUS_OK) {
            WvPart found = {.size = sizeof found};
            MUST(wv_part(member, &found, &error) == WV_STATUS_OK);
            MUST(quiet || (found.data.data == entry.data.data && found.data.len == entry.data.len) || entry.is_directory);
            wv_free(member);
        } else {
            MUST(quiet || i >= 4);
        }
    }
}

static uint8_t *load(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t room_for = 1 << 16;
    uint8_t *bytes = malloc(room_for);
    MUST(bytes != NULL);
    *len = 0;
    for (size_t got; (got = fread(bytes + *len, 1, room_for - *len, file)) > 0;) {
        *len += got;
        if (*len == room_for) bytes = realloc(bytes, room_for *= 2);
        MUST(bytes != NULL);
    }
    fclose(file);
    return bytes;
}

static uint32_t random_number(void) {
    static uint64_t state = 0x9E3779B97F4A7C15;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static void break_file(const char *path, int times) {
    size_t len, opened = 0;
    uint8_t *bytes = load(path, &len);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    quiet = true;
    for (int i = 0; i < times; i++) {
        /* Exactly as many bytes, which the library borrows, so that sanitizers see one that is read behind them. */
        size_t rest = i % 2 ? random_number() % (len + 1) : len;
        uint8_t *copy = room(rest, 1);
        memcpy(copy, bytes, rest);
        for (int change = 0; change < 8 && rest && i % 4 < 3; change++) {
            /* Most of what matters is at the start. */
            size_t at = random_number() % (change % 2 ? rest : rest < 2000 ? rest : 2000);
            copy[at] = change % 4 ? (uint8_t)random_number() : copy[at] ^ (uint8_t)(1 << random_number() % 8);
        }
        WvOptions options = {sizeof options, i % 3 ? WV_LOSSY | WV_RECOVER : 0, 0, 1 << 24};
        WvHandle *handle;
        WvError error;
        handles_left = 300;
        if (ok(wv_open_borrowed(copy, rest, name, NULL, &options, free, copy, &handle, &error), &error)) {
            opened++;
            read_handle(handle, &options, 0);
        }
        wv_free(handle);
    }
    free(bytes);
    printf("%s: %zu of %d changed files could be opened\n", name, opened, times);
}

static void count_part(void *user, WvHandle *handle, const WvError *error) {
    MUST((handle == NULL) != (error == NULL));
    ++*(size_t *)user;
    wv_free(handle);
}

int main(int argc, char **argv) {
    must(strcmp(WV_VERSION, wv_version()) == 0 && WV_VERSION_NUMBER == wv_version_number(), "the header and the library are of one version");
    bool json = false;
    int times = 0;
    WvOptions options = {sizeof options, 0, 0, 0};
    for (int i = 1; i < argc; i++) {
        WvError error;
        WvHandle *handle;
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[i], "--lossy") == 0) {
            options.flags |= WV_LOSSY;
        } else if (strcmp(argv[i], "--break") == 0 && i + 1 < argc) {
            times = atoi(argv[++i]);
        } else if (times) {
            break_file(argv[i], times);
        } else if (!ok(wv_open(argv[i], &options, &handle, &error), &error)) {
            MUST(handle == NULL);
        } else if (json) {
            WvText *text;
            if (ok(wv_json(handle, false, &text, &error), &error)) {
                WvSpan span = wv_text(text);
                fwrite(span.data, 1, span.len, stdout);
            }
            wv_text_free(text);
            wv_free(handle);
        } else {
            handles_left = 100000;
            /* A handle outlives the one that it was made from. */
            WvHandle *shared = wv_share(handle);
            wv_free(handle);
            read_handle(shared, &options, 0);
            wv_free(shared);
            size_t parts = 0;
            if (wv_open_all(argv[i], &options, count_part, &parts, NULL) == WV_STATUS_OK) {
                printf("%zu parts in a known format\n", parts);
            }
        }
    }
    if (!json && !times) printf("%" PRIu64 "\n", total);
    return failed;
}
