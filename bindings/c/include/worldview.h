/*
 * worldview: views of the data files of Final Fantasy XIII (WPD, WDB), the WAP32 games (WWD, REZ, PID, PCX, BMP) and LEGO
 * Island (WORLD.WDB). This file is generated from the Rust sources; do not edit it.
 *
 * Results. Every function that can fail returns a status and, if `error` is not NULL, describes a failure there. Results
 * are written to `out` (or `count`) only on success; on failure, an object that the caller would own is NULL instead. A
 * required pointer that is NULL, an index past the end or a handle of the wrong kind is an error. A bug of the library is
 * WV_STATUS_PANIC. No function throws or unwinds.
 *
 * Lifetimes. Spans point into the file or into what the handle owns. They are valid until the handle is freed. Structures
 * of results own nothing. Only what has a function that ends with `_free` must be freed, exactly once. These objects keep
 * the bytes alive, so the order in which they and their handle are freed does not matter.
 *
 * Sizes. A structure whose first member is `size` can get more members at its end. Set `size` before a call, as in
 * `WvPlane plane = {.size = sizeof plane};`, and only what the program knows of is written; what an older
 * library does not know is 0. A wrong size is WV_STATUS_ARGUMENT. Structures without `size` stay as they are.
 *
 * Threads. Any number of threads may use the same handle, levels of detail, findings and texts at the same time. The two
 * exceptions are a WvObjects, which only one thread at a time may use, and freeing, which must come last. Nothing depends
 * on the thread that opened a file.
 *
 * Numbers. Members of structures and the contents of filled buffers are in the byte order of the machine. Spans of stored
 * words are as in the file: big-endian in WPD and WDB, little-endian everywhere else. They need not be aligned, so read
 * them with memcpy.
 *
 * Buffers need not be initialized. On failure their contents are unspecified.
 */

#ifndef WORLDVIEW_H
#define WORLDVIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of this header; `wv_version` returns that of the library. */
#define WV_VERSION "0.1.0"
#define WV_VERSION_MAJOR 0
#define WV_VERSION_MINOR 1
#define WV_VERSION_PATCH 0
/* The version as a number, 1002003 for 1.2.3; `wv_version_number` returns that of the library. */
#define WV_VERSION_NUMBER (WV_VERSION_MAJOR * 1000000 + WV_VERSION_MINOR * 1000 + WV_VERSION_PATCH)
/* Instead of an index: none. */
#define WV_NONE SIZE_MAX
/* Instead of the index of a blob: the global parts of a WORLD.WDB, with their textures. */
#define WV_GLOBAL_PARTS (SIZE_MAX - 1)
/* Instead of the index of a blob: the global textures of a WORLD.WDB. */
#define WV_GLOBAL_TEXTURES (SIZE_MAX - 2)

// Opens as much as possible of a broken file. What is left out is reported by `wv_findings`.
#define WV_LOSSY 1

// Opens WPD archives whose header was overwritten.
#define WV_RECOVER 2

// Maps files of at least 1 MiB instead of reading them. The caller promises that nobody changes or shortens such a file
// while it is open. If it is shortened, an access kills the process (SIGBUS).
#define WV_MAP 4

// The color key of Claw and Get Medieval: palette index 0 is transparent.
#define WV_KEY_CLAW 0

// The color key of Gruntz: the color ff0084 is transparent.
#define WV_KEY_GRUNTZ 33489028

// The translation keys of a node.
#define WV_TRANSLATIONS 0

// The rotation keys of a node.
#define WV_ROTATIONS 1

// The scale keys of a node.
#define WV_SCALES 2

// The morph keys of a node, which show and hide its object.
#define WV_MORPHS 3

// A name is resolved for the global parts. `world` and `index` are not used.
#define WV_SCOPE_GLOBAL 0

// A name is resolved for the blob `index`, outside of any world. `world` is not used.
#define WV_SCOPE_BLOB 1

// A name is resolved for the part reference `index` of a world.
#define WV_SCOPE_PART 2

// A name is resolved for the model reference `index` of a world.
#define WV_SCOPE_MODEL 3

// What a function returns.
typedef enum WvStatus {
    // Success. Only then are results written.
    WV_STATUS_OK = 0,
    // The file cannot be read.
    WV_STATUS_IO = 1,
    // The file is in no known format, or in one that must be unpacked by another program first.
    WV_STATUS_UNKNOWN = 2,
    // The data is broken.
    WV_STATUS_BROKEN = 3,
    // The data would need more memory or work than a limit allows.
    WV_STATUS_LIMIT = 4,
    // There is no member, record, field or other element with this path, name or index.
    WV_STATUS_NOT_FOUND = 5,
    // The handle is not of the kind that the function is for.
    WV_STATUS_KIND = 6,
    // The field holds values of another type.
    WV_STATUS_TYPE = 7,
    // A required argument is NULL.
    WV_STATUS_NULL = 8,
    // An argument is not valid, such as a buffer of the wrong size, or an unknown option.
    WV_STATUS_ARGUMENT = 9,
    // The library has a bug. The handle may still be freed.
    WV_STATUS_PANIC = 10,
} WvStatus;

// What an offset counts in.
typedef enum WvSpace {
    // There is no offset.
    WV_SPACE_NONE = 0,
    // The file.
    WV_SPACE_FILE = 1,
    // The unpacked contents of a packed level.
    WV_SPACE_IMAGE = 2,
} WvSpace;

// The kind of a handle.
typedef enum WvKind {
    // A member of an archive that is in no known format. Only its bytes are known.
    WV_KIND_DATA = 0,
    // A WWD level.
    WV_KIND_LEVEL = 1,
    // A WDB table.
    WV_KIND_TABLE = 2,
    // A record of a table. It can be used as the table, too.
    WV_KIND_RECORD = 3,
    // A WPD archive.
    WV_KIND_ARCHIVE = 4,
    // A directory of a REZ archive; its root if the archive itself was opened.
    WV_KIND_DIRECTORY = 5,
    // A PID, RID, PCX or BMP picture.
    WV_KIND_PICTURE = 6,
    // A WORLD.WDB.
    WV_KIND_DATABASE = 7,
    // A texture file of LEGO Island (`.tex`): its textures are those of `WV_GLOBAL_TEXTURES`.
    WV_KIND_TEXTURES = 8,
} WvKind;

// How serious a finding is.
typedef enum WvSeverity {
    // Unusual but harmless.
    WV_SEVERITY_CURIOUS = 0,
    // Probably a mistake: the game ignores, drops or misreads the data.
    WV_SEVERITY_SUSPICIOUS = 1,
    // The game's engine rejects the file, crashes on it or corrupts its memory.
    WV_SEVERITY_FATAL = 2,
} WvSeverity;

// The game that a level is for.
typedef enum WvGame {
    // The level does not say.
    WV_GAME_UNKNOWN = 0,
    // Claw (1997).
    WV_GAME_CLAW = 1,
    // Gruntz (1999).
    WV_GAME_GRUNTZ = 2,
    // Get Medieval (1998).
    WV_GAME_GET_MEDIEVAL = 3,
} WvGame;

// The kind of a tile attribute.
typedef enum WvAttributeKind {
    // One attribute for the whole tile: `inside`.
    WV_ATTRIBUTE_KIND_SINGLE = 1,
    // One attribute inside a rectangle, another outside.
    WV_ATTRIBUTE_KIND_DOUBLE = 2,
    // An attribute for each pixel.
    WV_ATTRIBUTE_KIND_MASK = 3,
} WvAttributeKind;

// How a field is stored.
typedef enum WvFieldKind {
    // A signed integer of one word.
    WV_FIELD_KIND_INT = 0,
    // An unsigned integer of one word.
    WV_FIELD_KIND_UINT = 1,
    // An IEEE float of one word.
    WV_FIELD_KIND_FLOAT = 2,
    // An offset into the string pool, of one word.
    WV_FIELD_KIND_STRING = 3,
    // An unsigned integer of two words.
    WV_FIELD_KIND_UINT64 = 4,
    // A word of packed bits with an unknown layout, or a word of an unknown type.
    WV_FIELD_KIND_RAW = 5,
    // Packed bits: a signed integer.
    WV_FIELD_KIND_BITS_INT = 6,
    // Packed bits: an unsigned integer.
    WV_FIELD_KIND_BITS_UINT = 7,
    // Packed bits: a fixed-point number, as its raw signed integer. The scale is unknown.
    WV_FIELD_KIND_BITS_FIXED = 8,
    // Packed bits: an index into the field's array of strings.
    WV_FIELD_KIND_STRING_ARRAY = 9,
} WvFieldKind;

// The type of the values of a field.
typedef enum WvType {
    // `int32_t`
    WV_TYPE_I32 = 1,
    // `uint32_t`
    WV_TYPE_U32 = 2,
    // `float`
    WV_TYPE_F32 = 3,
    // `uint64_t`
    WV_TYPE_U64 = 4,
    // Bytes, UTF-8 in every known file.
    WV_TYPE_TEXT = 5,
} WvType;

// The format of a picture.
typedef enum WvPictureKind {
    // The format of sprites and tiles.
    WV_PICTURE_KIND_PID = 1,
    // PID with unpacked pixels.
    WV_PICTURE_KIND_RID = 2,
    // The format of screens.
    WV_PICTURE_KIND_PCX = 3,
    // The bitmaps of Windows.
    WV_PICTURE_KIND_BMP = 4,
} WvPictureKind;

// What a blob holds.
typedef enum WvBlobKind {
    // Parts: lists of levels of detail that objects share by name.
    WV_BLOB_KIND_PARTS = 1,
    // A model: objects, and an animation.
    WV_BLOB_KIND_MODEL = 2,
    // Only textures.
    WV_BLOB_KIND_TEXTURES = 3,
} WvBlobKind;

// How a mesh is shaded.
typedef enum WvShading {
    // One shade per triangle.
    WV_SHADING_FLAT = 0,
    // Shades are interpolated between the vertices.
    WV_SHADING_SMOOTH = 1,
    // Only the edges are drawn.
    WV_SHADING_WIREFRAME = 2,
} WvShading;

// A list of findings. It belongs to the caller, who frees it with `wv_findings_free`.
typedef struct WvFindings WvFindings;

// An opened file, or an opened part of one. It owns a share of the bytes.
typedef struct WvHandle WvHandle;

// The levels of detail of a part or an object. It keeps the file alive.
typedef struct WvLods WvLods;

// A walk over the objects of a plane. Only one thread at a time may use it. It keeps the level alive, so the texts of the
// objects are valid until both the walk and the handle are freed.
typedef struct WvObjects WvObjects;

// A text that belongs to the caller, who frees it with `wv_text_free`.
typedef struct WvText WvText;

// How files are opened. Set `size` to `sizeof(WvOptions)` and everything else to 0 for the defaults.
typedef struct WvOptions {
    // Size of this structure, so that later versions can add members.
    size_t size;
    // `WV_LOSSY`, `WV_RECOVER` and `WV_MAP`, combined with `|`.
    uint32_t flags;
    // How deeply nested archives are opened; 0 for the default.
    uint32_t max_depth;
    // Maximum size in bytes that a packed level may inflate to; 0 for a limit that grows with the file.
    uint64_t max_inflate;
} WvOptions;

// What went wrong, and where. It owns nothing, so there is nothing to free.
//
// The texts end with NUL. Longer ones are cut.
typedef struct WvError {
    // The status that the function returned.
    enum WvStatus status;
    // What `offset` counts in.
    enum WvSpace space;
    // Offset of the part in bytes, or UINT64_MAX if there is none.
    uint64_t offset;
    // Index of the part among those of its kind, or UINT32_MAX if there is none.
    uint32_t index;
    // Index of the part that encloses it, or UINT32_MAX if there is none.
    uint32_t within_index;
    // The part that is broken, in the words of the format, such as "object"; may be empty.
    char part[80];
    // The part that encloses it, such as "plane"; may be empty.
    char within[32];
    // The path inside the file that leads to the broken file, such as "pack.bin/items.wdb"; may be empty.
    char path[256];
    // A sentence with the part, the offset, and what was expected and found. It does not include the path.
    char message[512];
} WvError;

// A function that receives a part of a file: a handle, which it must free, or NULL and an error, which is only valid
// during the call. It must return normally: no exception, no longjmp.
typedef void (*WvVisit)(void *user, struct WvHandle *handle, const struct WvError *error);

// Bytes, or a text without a final NUL. They belong to the handle that they were asked from, and are valid until it is
// freed.
//
// If `len` is 0, `data` must not be read.
typedef struct WvSpan {
    // The first byte. It may have any alignment.
    const uint8_t *data;
    // The number of bytes.
    size_t len;
} WvSpan;

// Where an opened part is in its file.
typedef struct WvPart {
    // Size of this structure. The caller sets it.
    size_t size;
    // What it is.
    enum WvKind kind;
    // Index of the record, for `WV_KIND_RECORD`.
    size_t record;
    // Name of the part: that of the file, or that of the member.
    struct WvSpan name;
    // Names of the members that lead to the part, joined by `/`; empty if the part is the whole file.
    struct WvSpan path;
    // The bytes of the part: those of the whole archive for a directory.
    struct WvSpan data;
    // Offset of these bytes in the file.
    size_t offset;
} WvPart;

// Called once, when the bytes that were passed to `wv_open_borrowed` are no longer used, on the thread that frees their last user. It
// must return normally: no exception, no longjmp.
typedef void (*WvRelease)(void *user);

// A function that reads the next bytes of a file into `to`, at most `len`, and returns their number: 0 at the end, SIZE_MAX if they cannot
// be read. It must return normally: no exception, no longjmp.
typedef size_t (*WvRead)(void *user, uint8_t *to, size_t len);

// A finding. The texts are valid until the list is freed.
typedef struct WvFinding {
    // Size of this structure. The caller sets it.
    size_t size;
    // How serious it is.
    enum WvSeverity severity;
    // What `offset` counts in.
    enum WvSpace space;
    // Offset of the byte that the finding is about.
    uint64_t offset;
    // The stable code of the kind of finding, such as "object-outside".
    struct WvSpan code;
    // What was found, as a sentence with the severity, the code and the place.
    struct WvSpan message;
} WvFinding;

// An entry of an archive: a member of a WPD archive, or a directory or file of a REZ directory.
typedef struct WvEntry {
    // Size of this structure. The caller sets it.
    size_t size;
    // Whether it is a directory.
    bool is_directory;
    // Whether a part of the data is missing, which is only possible with `WV_LOSSY`.
    bool is_missing;
    // Extension without a dot, ending with NUL; may be empty.
    char extension[12];
    // Name without extension, as stored.
    struct WvSpan name;
    // The data; empty for a directory.
    struct WvSpan data;
    // Offset of the data in the file.
    uint64_t offset;
    // When it was last modified, in seconds since 1970; 0 in WPD archives.
    uint32_t time;
} WvEntry;

// The fields of the header of a level. Offsets count in the unpacked level. crates/wwd/FORMAT.md describes each.
//
// Numbers are in the byte order of the machine. Texts end before their first NUL.
typedef struct WvLevelFields {
    // Size of this header, which is the format's only signature: 1524.
    uint32_t header_size;
    // Zero in all known files.
    uint32_t reserved_04;
    // Bit 0: the planes have z coordinates; bit 1: the file is packed.
    uint32_t flags;
    // Zero in all known files.
    uint32_t reserved_0c;
    // Level name; its first run of digits is the level number.
    struct WvSpan name;
    // Author.
    struct WvSpan author;
    // Date of creation, free text.
    struct WvSpan birth;
    // The editor's resource file; not read by the game.
    struct WvSpan rez_file;
    // Tile directory; identifies the game.
    struct WvSpan image_dir;
    // Palette resource.
    struct WvSpan pal_rez;
    // Start position, pixels.
    int32_t start_x;
    // Start position, pixels.
    int32_t start_y;
    // Not read by the game; nonzero in some files.
    uint32_t reserved_2d8;
    // Number of plane headers.
    uint32_t num_planes;
    // Offset of the plane headers.
    uint32_t planes_offset;
    // Offset of the tile attributes, 0 for none.
    uint32_t tile_attribs_offset;
    // Inflated length of a packed main block; meaningless in a plain file, where some editors set it.
    uint32_t main_block_length;
    // Checksum of the level.
    uint32_t checksum;
    // Zero in all known files.
    uint32_t reserved_2f0;
    // Program that the editor starts for a test run.
    struct WvSpan launch_app;
    // Directory of image sets 1.
    struct WvSpan image_set_dir_1;
    // Directory of image sets 2.
    struct WvSpan image_set_dir_2;
    // Directory of image sets 3.
    struct WvSpan image_set_dir_3;
    // Directory of image sets 4.
    struct WvSpan image_set_dir_4;
    // Prefix of objects' image-set names for directory 1.
    struct WvSpan image_set_prefix_1;
    // Prefix of objects' image-set names for directory 2.
    struct WvSpan image_set_prefix_2;
    // Prefix of objects' image-set names for directory 3.
    struct WvSpan image_set_prefix_3;
    // Prefix of objects' image-set names for directory 4.
    struct WvSpan image_set_prefix_4;
} WvLevelFields;

// A level: its header, and how much there is of everything. Texts are in a code page that the file does not declare.
typedef struct WvLevel {
    // Size of this structure. The caller sets it.
    size_t size;
    // The game, if the tile directory identifies it.
    enum WvGame game;
    // Whether the file is packed.
    bool packed;
    // The level number, the first run of digits in the name; UINT32_MAX if there is none.
    uint32_t level_number;
    // Number of planes.
    size_t plane_count;
    // Index of the plane on which the game is played, or `WV_NONE`.
    size_t main_plane;
    // Number of tile attributes.
    size_t attribute_count;
    // The 1524 bytes of the header as stored, little-endian.
    struct WvSpan header;
    // The unpacked level, in which all offsets count. Of a plain file, this is the file.
    struct WvSpan image;
    // The bytes after the level.
    struct WvSpan trailing;
    // The fields of the file's own header.
    struct WvLevelFields fields;
} WvLevel;

// The fields of the header of a plane. Offsets count in the unpacked level. crates/wwd/FORMAT.md describes each.
//
// Numbers are in the byte order of the machine. Texts end before their first NUL.
typedef struct WvPlaneFields {
    // Size of this header: 160.
    uint32_t header_size;
    // Zero in all known files.
    uint32_t reserved_04;
    // Main, no draw, wrap x, wrap y, auto tile size, and unknown bits.
    uint32_t flags;
    // Zero in all known files.
    uint32_t reserved_0c;
    // Plane name; need not be unique.
    struct WvSpan name;
    // Width in pixels; the game computes it instead.
    int32_t width_px;
    // Height in pixels; the game computes it instead.
    int32_t height_px;
    // Tile width in pixels.
    int32_t tile_width;
    // Tile height in pixels.
    int32_t tile_height;
    // Number of tiles in a row.
    int32_t tiles_wide;
    // Number of rows.
    int32_t tiles_high;
    // Scroll origin, pixels.
    int32_t scroll_x;
    // Scroll origin, pixels.
    int32_t scroll_y;
    // Parallax: horizontal movement in percent of the main camera's.
    int32_t movement_x_percent;
    // Parallax: vertical movement in percent of the main camera's.
    int32_t movement_y_percent;
    // Palette index of filled tiles.
    int32_t fill_color;
    // Number of image-set names.
    uint32_t num_image_sets;
    // Number of objects.
    uint32_t num_objects;
    // Offset of the tile grid.
    uint32_t tiles_offset;
    // Offset of the image-set names.
    uint32_t image_sets_offset;
    // Offset of the objects, 0 for none.
    uint32_t objects_offset;
    // Depth of the plane among the objects, if the level has z coordinates.
    int32_t z_coord;
    // Zero in all known files.
    uint32_t reserved_94;
    // Zero in all known files.
    uint32_t reserved_98;
    // Zero in all known files.
    uint32_t reserved_9c;
} WvPlaneFields;

// A plane of a level.
typedef struct WvPlane {
    // Size of this structure. The caller sets it.
    size_t size;
    // Number of tiles in a row.
    size_t columns;
    // Number of rows.
    size_t rows;
    // Number of image-set names.
    uint32_t image_set_count;
    // Number of objects.
    uint32_t object_count;
    // The tiles as stored: 32-bit little-endian words, row by row from the top left. They need not be aligned. A word is
    // 0xFFFFFFFF for an empty tile, 0xEEEEEEEE for a filled one; else its low half is the frame number, which is also
    // the index of the attribute, and its high half the index of the image set.
    struct WvSpan tiles;
    // Offset of the plane header in the image.
    uint64_t offset;
    // The 160 bytes of the plane header as stored, little-endian.
    struct WvSpan header;
    // The fields of the header.
    struct WvPlaneFields fields;
} WvPlane;

// A rectangle in pixels with inclusive bounds; all zero means unset.
typedef struct WvRect {
    // Leftmost column inside.
    int32_t left;
    // Topmost row inside.
    int32_t top;
    // Rightmost column inside.
    int32_t right;
    // Bottommost row inside.
    int32_t bottom;
} WvRect;

// The attribute of a tile, which determines what it does to whoever touches it.
typedef struct WvAttribute {
    // Size of this structure. The caller sets it.
    size_t size;
    // The kind.
    enum WvAttributeKind kind;
    // Tile width in pixels.
    uint32_t width;
    // Tile height in pixels.
    uint32_t height;
    // The attribute, inside the rectangle if there is one.
    int32_t inside;
    // The attribute outside the rectangle; the same as inside if there is no rectangle.
    int32_t outside;
    // The rectangle, in pixels of the tile.
    struct WvRect rect;
    // Of a mask: one byte per pixel, in rows from the top.
    struct WvSpan mask;
} WvAttribute;

// The fields of an object. The meaning of a logic-specific field is up to the object's logic. crates/wwd/FORMAT.md describes each.
//
// Numbers are in the byte order of the machine.
typedef struct WvObjectFields {
    // Number given by the editor; often not unique.
    int32_t id;
    // Length of the name, in bytes.
    uint32_t name_len;
    // Length of the logic, in bytes.
    uint32_t logic_len;
    // Length of the image set, in bytes.
    uint32_t image_set_len;
    // Length of the animation, in bytes.
    uint32_t animation_len;
    // Position in pixels.
    int32_t x;
    // Position in pixels.
    int32_t y;
    // Depth.
    int32_t z;
    // Frame of the image set, -1 for none.
    int32_t i;
    // Flags that no known engine reads.
    uint32_t add_flags;
    // Flags of behavior.
    uint32_t dynamic_flags;
    // Flags of drawing.
    uint32_t draw_flags;
    // User flags: bit n - 1 is flag n, 1 to 12.
    uint32_t user_flags;
    // Logic-specific.
    int32_t score;
    // Logic-specific.
    int32_t points;
    // Logic-specific.
    int32_t powerup;
    // Logic-specific.
    int32_t damage;
    // Logic-specific.
    int32_t smarts;
    // Logic-specific.
    int32_t health;
    // Area of movement.
    struct WvRect move_rect;
    // Area that can be hit.
    struct WvRect hit_rect;
    // Area of attack.
    struct WvRect attack_rect;
    // Area of drawing.
    struct WvRect clip_rect;
    // Logic-specific.
    struct WvRect user_rect1;
    // Logic-specific.
    struct WvRect user_rect2;
    // Logic-specific.
    int32_t user1;
    // Logic-specific.
    int32_t user2;
    // Logic-specific.
    int32_t user3;
    // Logic-specific.
    int32_t user4;
    // Logic-specific.
    int32_t user5;
    // Logic-specific.
    int32_t user6;
    // Logic-specific.
    int32_t user7;
    // Logic-specific.
    int32_t user8;
    // Bound of movement.
    int32_t min_x;
    // Bound of movement.
    int32_t min_y;
    // Bound of movement.
    int32_t max_x;
    // Bound of movement.
    int32_t max_y;
    // Speed.
    int32_t speed_x;
    // Speed.
    int32_t speed_y;
    // Offset.
    int32_t tweak_x;
    // Offset.
    int32_t tweak_y;
    // Logic-specific.
    int32_t counter;
    // Logic-specific.
    int32_t speed;
    // Logic-specific.
    int32_t width;
    // Logic-specific.
    int32_t height;
    // Logic-specific; 0 to 8 occur.
    int32_t direction;
    // Logic-specific.
    int32_t face_dir;
    // Milliseconds.
    int32_t time_delay;
    // Milliseconds.
    int32_t frame_delay;
    // Flag of its type.
    uint32_t object_type;
    // Flags of the types that it collides with.
    uint32_t hit_type_flags;
    // Horizontal granularity of movement, used if above 0.
    int32_t move_res_x;
    // Vertical granularity of movement, used if above 0.
    int32_t move_res_y;
} WvObjectFields;

// An object of a level. The texts are bytes in a code page that the file does not declare.
typedef struct WvObject {
    // Size of this structure. The caller sets it.
    size_t size;
    // Index in its plane.
    size_t index;
    // Offset in the image of the level.
    uint64_t offset;
    // Name. Bytes after a NUL in it are data of an editor.
    struct WvSpan name;
    // Logic, which names the code that the game runs for the object.
    struct WvSpan logic;
    // Prefixed name of the image set.
    struct WvSpan image_set;
    // Animation; in Gruntz it can be a sound.
    struct WvSpan animation;
    // The 284 bytes of the fixed part as stored, little-endian.
    struct WvSpan record;
    // The fixed part.
    struct WvObjectFields fields;
} WvObject;

// A table.
typedef struct WvTable {
    // Size of this structure. The caller sets it.
    size_t size;
    // Number of records.
    size_t record_count;
    // Number of fields.
    size_t field_count;
    // Size of a record in bytes.
    uint32_t record_size;
    // Version of the layout; UINT32_MAX if the table has none.
    uint32_t layout_version;
    // Name of the sheet: the table's own, or that of the schema that its field names come from; empty if neither has one.
    // Tables of Final Fantasy XIII do not store it.
    struct WvSpan sheet_name;
    // Generation of the format: "G0" to "G3" and "G3'".
    struct WvSpan generation;
    // Source of the field names: "embedded", "schema" or "generated".
    struct WvSpan names;
} WvTable;

// A field of the records of a table.
typedef struct WvField {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name.
    struct WvSpan name;
    // How it is stored.
    enum WvFieldKind kind;
    // The type of its values.
    enum WvType value_type;
    // Index of the field's first word in the record. Words are 4 bytes, big-endian.
    uint32_t word;
    // The lowest bit in the word; 0 for a field that occupies whole words.
    uint8_t bit;
    // The width in bits: 1 to 32, or 64.
    uint8_t width;
} WvField;

// A record of a table.
typedef struct WvRecord {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name, up to 16 bytes.
    struct WvSpan name;
    // The record's bytes: big-endian words.
    struct WvSpan data;
    // The bytes after the fields, if the record is too long. They are part of `data`.
    struct WvSpan extra;
} WvRecord;

// A value of a record. Only the member for its type is set; the others are 0.
typedef struct WvValue {
    // Size of this structure. The caller sets it.
    size_t size;
    // The type.
    enum WvType value_type;
    // Of `WV_TYPE_TEXT`: whether there is a string. It is missing if its offset is outside the pool.
    bool has_text;
    // `WV_TYPE_I32`
    int32_t i32_;
    // `WV_TYPE_U32`
    uint32_t u32_;
    // `WV_TYPE_F32`
    float f32_;
    // `WV_TYPE_U64`
    uint64_t u64_;
    // `WV_TYPE_TEXT`
    struct WvSpan text;
} WvValue;

// A picture.
typedef struct WvPicture {
    // Size of this structure. The caller sets it.
    size_t size;
    // The format.
    enum WvPictureKind kind;
    // Width in pixels.
    uint32_t width;
    // Height in pixels.
    uint32_t height;
    // Distance from the position of an object to the center of the picture, to the right, in pixels.
    int32_t offset_x;
    // The same distance, downward.
    int32_t offset_y;
    // Flags of a PID or RID picture as stored; 0 for others.
    uint32_t flags;
    // Bytes of a decoded pixel: 1 for a palette index, 3 for red, green and blue.
    size_t channels;
    // Number of pixels: width by height.
    size_t pixels;
    // The picture's own palette: 256 colors of red, green and blue, or empty. Without one, a picture uses that of its level.
    // A BMP stores its colors in another order, so the span is empty; `wv_decode_rgba` uses them.
    struct WvSpan palette;
} WvPicture;

// The directory of a WORLD.WDB.
typedef struct WvDatabase {
    // Size of this structure. The caller sets it.
    size_t size;
    // Number of worlds.
    size_t world_count;
    // Number of distinct blobs. Each holds parts or a model, and any number of references leads to it.
    size_t blob_count;
} WvDatabase;

// A world.
typedef struct WvWorld {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name.
    struct WvSpan name;
    // Number of references to parts.
    size_t part_count;
    // Number of references to models.
    size_t model_count;
} WvWorld;

// A reference of a world to a blob with parts.
typedef struct WvPartRef {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name.
    struct WvSpan name;
    // Index of the blob, or `WV_NONE` if it is outside the file.
    size_t blob;
} WvPartRef;

// A reference of a world to a model, and where it is placed.
typedef struct WvModelRef {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name.
    struct WvSpan name;
    // The presenter.
    struct WvSpan presenter;
    // Index of the blob, or `WV_NONE` if it is outside the file.
    size_t blob;
    // Position in the world: x to the right, y up, z forward.
    float location[3];
    // Forward direction as stored; not always a unit vector.
    float direction[3];
    // Up direction as stored; not always a unit vector.
    float up[3];
    // Whether the model is initially visible.
    bool visible;
} WvModelRef;

// A blob.
typedef struct WvBlob {
    // Size of this structure. The caller sets it.
    size_t size;
    // What it holds.
    enum WvBlobKind kind;
    // Duration of the animation in milliseconds.
    int32_t duration;
    // The bytes.
    struct WvSpan data;
    // Offset in the file.
    uint64_t offset;
    // Number of parts.
    size_t part_count;
    // Number of objects of a model. The first one is the root, and each comes before its children.
    size_t roi_count;
    // Number of animation nodes of a model. The first one is the root, and each comes before its children.
    size_t node_count;
    // Number of textures.
    size_t texture_count;
} WvBlob;

// A part: a list of levels of detail that objects share by its name.
typedef struct WvSharedPart {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name.
    struct WvSpan name;
    // Number of levels of detail.
    size_t lod_count;
} WvSharedPart;

// An image with 8-bit pixels and a palette.
typedef struct WvImage {
    // Width in pixels.
    uint32_t width;
    // Height in pixels.
    uint32_t height;
    // The palette: red, green and blue of each color, at most 256. Other indices are black.
    struct WvSpan palette;
    // The pixels: one palette index each, in rows from top to bottom, without padding.
    struct WvSpan pixels;
} WvImage;

// A texture.
typedef struct WvTexture {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name by which meshes refer to it, ignoring case.
    struct WvSpan name;
    // Name as stored: with a `^` in front if there are two images.
    struct WvSpan stored_name;
    // The image of low resolution, or the only one.
    struct WvImage low;
    // The image of high resolution, or the only one.
    struct WvImage high;
} WvTexture;

// An object of a model.
typedef struct WvRoi {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name, by which animation nodes find it.
    struct WvSpan name;
    // Name of a color, or `t_` and the name of a texture, for meshes that inherit it; empty for most objects.
    struct WvSpan color;
    // Index of the parent, or `WV_NONE` for the root.
    size_t parent;
    // Number of direct children. The game draws only objects without children.
    uint32_t child_count;
    // Whether the object shares the levels of detail of a list elsewhere, which `wv_find_lods` finds.
    bool shared;
    // Number of its own levels of detail; 0 if they are shared.
    size_t lod_count;
    // Center of the bounding sphere, in the object's coordinates.
    float center[3];
    // Radius of the bounding sphere.
    float radius;
    // Minimum corner of the bounding box.
    float minimum[3];
    // Maximum corner of the bounding box.
    float maximum[3];
} WvRoi;

// An animation node, with the keys for the object of the same name. The keys are as stored: little-endian and not
// aligned. `wv_keys` converts them.
typedef struct WvNode {
    // Size of this structure. The caller sets it.
    size_t size;
    // Name of the object that the node moves.
    struct WvSpan name;
    // Index of the parent, or `WV_NONE` for the root.
    size_t parent;
    // Number of direct children.
    uint32_t child_count;
    // Number of translation, rotation, scale and morph keys.
    uint32_t key_counts[4];
    // Translation keys of 16 bytes: time and flags, x, y, z.
    struct WvSpan translations;
    // Rotation keys of 20 bytes: time and flags, w, x, y, z.
    struct WvSpan rotations;
    // Scale keys of 16 bytes: time and flags, x, y, z.
    struct WvSpan scales;
    // Morph keys of 5 bytes: time and flags, and one byte.
    struct WvSpan morphs;
} WvNode;

// An animation key.
typedef struct WvKey {
    // Time in milliseconds.
    uint32_t time;
    // Flags: 1 the key is active, 2 the quaternion is negated when interpolating toward it, 4 no interpolation toward it.
    uint32_t flags;
    // x, y, z and 0 of a translation or scale; w, x, y, z of a rotation; 1 or 0 of a morph key, for visible or not.
    float value[4];
} WvKey;

// The pose of an object.
typedef struct WvPose {
    // The transformation from the object to the model or the world, for row vectors: `[x y z 1] * matrix`. The last row
    // is the position.
    float matrix[4][4];
    // Whether the object is visible, provided that its ancestors are: 1 or 0.
    uint32_t visible;
    // Whether an animation node moves the object: 1 or 0. If not, it is at the origin of the model.
    uint32_t animated;
} WvPose;

// A level of detail. The pools are as stored: little-endian floats, not aligned.
typedef struct WvLod {
    // Size of this structure. The caller sets it.
    size_t size;
    // Flags as stored: 4 no data, 8 only used at a great distance.
    uint32_t flags;
    // Offset in the file.
    uint64_t offset;
    // Number of meshes.
    size_t mesh_count;
    // The pool of positions: x, y, z.
    struct WvSpan positions;
    // The pool of normals: x, y, z.
    struct WvSpan normals;
    // The pool of texture coordinates: u, v.
    struct WvSpan uvs;
} WvLod;

// A mesh. `wv_decode_mesh` makes vertices and triangles of it.
typedef struct WvMesh {
    // Size of this structure. The caller sets it.
    size_t size;
    // Offset in the file.
    uint64_t offset;
    // Number of triangles.
    uint32_t triangle_count;
    // Number of vertices of the decoded mesh.
    uint32_t vertex_count;
    // Name of the texture; empty if there is none.
    struct WvSpan texture;
    // Name of the material.
    struct WvSpan material;
    // The corners as stored: a packed little-endian word each, three per triangle.
    struct WvSpan corners;
    // The indices of texture coordinates as stored: a little-endian word per corner, or empty.
    struct WvSpan uv_indices;
    // Whether the mesh inherits its color or texture from its object.
    bool inherits;
} WvMesh;

// The appearance of a mesh on an object.
typedef struct WvMaterial {
    // Size of this structure. The caller sets it.
    size_t size;
    // Red, green and blue; white if there is a texture.
    uint8_t color[3];
    // Whether the surface has specular highlights.
    bool shines;
    // How the mesh is shaded.
    enum WvShading shading;
    // Opacity from 0 (invisible) to 1 (opaque); the file may store larger values.
    float opacity;
    // Name of the texture; empty if there is none. `wv_find_texture` finds it.
    struct WvSpan texture;
} WvMaterial;

// Where something is in a WORLD.WDB.
typedef struct WvPlace {
    // Index of the blob, `WV_GLOBAL_PARTS` or `WV_GLOBAL_TEXTURES`.
    size_t blob;
    // Index of the texture, part or object in it.
    size_t index;
} WvPlace;

#if defined(WORLDVIEW_EXPORT)
// An output of a file. It and its spans are only valid during the call that receives it.
typedef struct WvOutput {
    // Size of this structure. The library sets it.
    size_t size;
    // The kind of the output, such as "png".
    struct WvSpan kind;
    // The path of the output relative to a folder for the handle, such as "planes/01-Action.png": UTF-8, separated by `/`. It is
    // unique there, valid on every system, and leads nowhere else.
    struct WvSpan name;
    // What it is of, such as "plane".
    struct WvSpan of;
    // The contents.
    struct WvSpan data;
} WvOutput;
#endif

#if defined(WORLDVIEW_EXPORT)
// A function that receives an output, or NULL and an error, which is only valid during the call: an output that cannot be made.
// It returns whether more outputs are wanted. It must return normally: no exception, no longjmp.
typedef bool (*WvSink)(void *user, const struct WvOutput *output, const struct WvError *error);
#endif

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns what a status means, such as "the data is broken", a text that ends with NUL. It may be any number: "unknown status" if it is
// none of `WvStatus`.
const char *wv_status_text(int32_t status);

// Opens a file, or a part of it: the path may continue inside the file, as in "pack.bin/items.wdb" or
// "CLAW.REZ/LEVEL1/WORLDS/WORLD.WWD". The path is UTF-8 on Windows, and bytes elsewhere.
//
// `options` can be NULL. Free the result with `wv_free`. It is NULL if there is an error.
//
// The pointers must be valid: `path` a text that ends with NUL, `options` NULL or options of `size` bytes.
enum WvStatus wv_open(const char *path,
                      const struct WvOptions *options,
                      struct WvHandle **out,
                      struct WvError *error);

// Opens an entry of an archive by its index, with the options of the archive: a member of a WPD archive, or a directory or file of
// a REZ directory. This does not read the archive again, so it is the fast way to open many files of an archive.
enum WvStatus wv_open_entry(const struct WvHandle *archive,
                            size_t index,
                            struct WvHandle **out,
                            struct WvError *error);

// Opens a part of an opened file by its path from there: "r_lamps.wdb" of an archive, "WORLDS/WORLD.WWD" of the directory
// LEVEL1, or a record of a table, with the options of the archive. Names of members include their extension. Paths in REZ archives
// ignore case.
//
// `path` must be a text that ends with NUL.
enum WvStatus wv_open_path(const struct WvHandle *archive,
                           const char *path,
                           struct WvHandle **out,
                           struct WvError *error);

// Opens a file and everything nested in it, and passes each part to `visit`: an archive first, then what is in it. Parts
// in no known format are not passed.
//
// The function itself only fails if the file cannot be read or an argument is not valid.
//
// The pointers must be valid, and `visit` must accept what it is given.
enum WvStatus wv_open_all(const char *path,
                          const struct WvOptions *options,
                          WvVisit visit,
                          void *user,
                          struct WvError *error);

// Frees a handle. NULL is allowed. Everything that was asked from the handle becomes invalid, except for objects with a
// `free` function of their own.
void wv_free(struct WvHandle *handle);

// Returns another handle of the same opened file, for another owner. NULL if `handle` is NULL. Nothing is copied.
struct WvHandle *wv_share(const struct WvHandle *handle);

// Returns what a handle is, and where it is in its file.
enum WvStatus wv_part(const struct WvHandle *handle, struct WvPart *out, struct WvError *error);

// Returns the version of the library, a text that ends with NUL.
const char *wv_version(void);

// Returns the version of the library as a number, to compare with `WV_VERSION_NUMBER`.
uint32_t wv_version_number(void);

// Opens a file in memory, which is copied. `name` is its file name, which decides its format where the bytes do not;
// pictures have no signature. `inside` is the path of a part of it, or NULL.
//
// `name` and `options` can be NULL. Free the result with `wv_free`. It is NULL if there is an error.
//
// The pointers must be valid: `data` points to `len` bytes, the texts end with NUL.
enum WvStatus wv_open_bytes(const uint8_t *data,
                            size_t len,
                            const char *name,
                            const char *inside,
                            const struct WvOptions *options,
                            struct WvHandle **out,
                            struct WvError *error);

// Opens a file in memory like `wv_open_bytes`, but without a copy: spans point into `data`, which must neither move nor change until
// `release` is called with `user`. That happens when the handle, everything that was opened from it, and all levels of detail and walks
// over objects are freed; and before this function returns if there is an error. `release` can be NULL.
//
// The pointers must be valid: `data` points to `len` bytes, the texts end with NUL. `release` may be called on any thread.
enum WvStatus wv_open_borrowed(const uint8_t *data,
                               size_t len,
                               const char *name,
                               const char *inside,
                               const struct WvOptions *options,
                               WvRelease release,
                               void *user,
                               struct WvHandle **out,
                               struct WvError *error);

// Opens a file that a function of the program reads, such as a file in an archive of the program. The function is called until it
// returns 0, and not after this function has returned; more than 1 GiB is an error. `name`, `inside` and `options` are as for
// `wv_open_bytes`.
//
// The pointers must be valid, the texts end with NUL. `read` must accept `user` and write no more than `len` bytes.
enum WvStatus wv_open_stream(WvRead read,
                             void *user,
                             const char *name,
                             const char *inside,
                             const struct WvOptions *options,
                             struct WvHandle **out,
                             struct WvError *error);

// Lists what was left out of a file that was opened with `WV_LOSSY`. For a database, this reads all blobs.
enum WvStatus wv_findings(const struct WvHandle *handle,
                          struct WvFindings **out,
                          struct WvError *error);

// Checks everything, and lists the first `most` findings: what is broken, suspicious or unusual. What was left out when
// the file was opened is not listed again. An archive is checked without its members.
enum WvStatus wv_check(const struct WvHandle *handle,
                       size_t most,
                       struct WvFindings **out,
                       struct WvError *error);

// Returns the number of findings in a list; 0 for NULL.
size_t wv_findings_count(const struct WvFindings *findings);

// Returns the number of findings, including those that the list has no room for; 0 for NULL.
size_t wv_findings_total(const struct WvFindings *findings);

// Returns a finding of a list.
enum WvStatus wv_finding(const struct WvFindings *findings,
                         size_t index,
                         struct WvFinding *out,
                         struct WvError *error);

// Frees a list of findings. NULL is allowed.
void wv_findings_free(struct WvFindings *findings);

// Writes the contents as JSON, in the shape of `worldview show --format json`; a record as its table. With `full`, bulk data is included: keys,
// pixels and geometry. Data in no known format has no contents: `WV_STATUS_KIND`.
enum WvStatus wv_json(const struct WvHandle *handle,
                      bool full,
                      struct WvText **out,
                      struct WvError *error);

// Writes the contents as text, as `worldview show` does; a record as its table.
enum WvStatus wv_dump(const struct WvHandle *handle,
                      bool full,
                      struct WvText **out,
                      struct WvError *error);

// Returns the bytes of a text, UTF-8 without a final NUL; none for NULL. They are valid until the text is freed.
struct WvSpan wv_text(const struct WvText *text);

// Frees a text. NULL is allowed.
void wv_text_free(struct WvText *text);

// Returns the number of entries of a WPD archive or REZ directory, or of members of a table's archive, which are sections
// and records.
enum WvStatus wv_entry_count(const struct WvHandle *archive,
                             size_t *out,
                             struct WvError *error);

// Returns an entry of an archive. `wv_open_entry` opens it.
enum WvStatus wv_entry(const struct WvHandle *archive,
                       size_t index,
                       struct WvEntry *out,
                       struct WvError *error);

// Returns the header of a level.
enum WvStatus wv_level(const struct WvHandle *level, struct WvLevel *out, struct WvError *error);

// Returns a plane of a level.
enum WvStatus wv_plane(const struct WvHandle *level,
                       size_t index,
                       struct WvPlane *out,
                       struct WvError *error);

// Copies the tiles of a plane, in the byte order of the machine, and sets `count` to the number of copied tiles.
//
// `tiles` must point to `capacity` words.
enum WvStatus wv_tiles(const struct WvHandle *level,
                       size_t plane,
                       uint32_t *tiles,
                       size_t capacity,
                       size_t *count,
                       struct WvError *error);

// Returns the first image-set names of a plane, at most `capacity`, and sets `count` to their number.
//
// `names` must point to `capacity` spans.
enum WvStatus wv_image_sets(const struct WvHandle *level,
                            size_t plane,
                            struct WvSpan *names,
                            size_t capacity,
                            size_t *count,
                            struct WvError *error);

// Returns the attribute of the tiles with a frame number.
enum WvStatus wv_attribute(const struct WvHandle *level,
                           size_t frame,
                           struct WvAttribute *out,
                           struct WvError *error);

// Starts a walk over the objects of a plane. Free it with `wv_objects_free`.
enum WvStatus wv_objects(const struct WvHandle *level,
                         size_t plane,
                         struct WvObjects **out,
                         struct WvError *error);

// Reads the next objects, at most `capacity`, and sets `count` to their number: 0 after the last one. Only `size` of the
// first object need be set.
//
// A broken object ends the walk with `WV_STATUS_BROKEN`, which is returned by itself, after all objects before it.
//
// `objects` must point to `capacity` objects, all of the `size` of the first one.
enum WvStatus wv_objects_next(struct WvObjects *walk,
                              struct WvObject *objects,
                              size_t capacity,
                              size_t *count,
                              struct WvError *error);

// Frees a walk. NULL is allowed.
void wv_objects_free(struct WvObjects *walk);

// Returns the size of a table, and what it says about itself.
enum WvStatus wv_table(const struct WvHandle *table, struct WvTable *out, struct WvError *error);

// Returns a field of a table.
enum WvStatus wv_field(const struct WvHandle *table,
                       size_t index,
                       struct WvField *out,
                       struct WvError *error);

// Returns the index of the field with this name.
//
// `name` must be a text that ends with NUL.
enum WvStatus wv_field_index(const struct WvHandle *table,
                             const char *name,
                             size_t *out,
                             struct WvError *error);

// Returns a record of a table.
enum WvStatus wv_record(const struct WvHandle *table,
                        size_t index,
                        struct WvRecord *out,
                        struct WvError *error);

// Returns the index of the first record with this name.
//
// `name` must be a text that ends with NUL.
enum WvStatus wv_record_index(const struct WvHandle *table,
                              const char *name,
                              size_t *out,
                              struct WvError *error);

// Returns the value of a field of a record. For all values of a field, the `wv_column` functions are faster.
enum WvStatus wv_value(const struct WvHandle *table,
                       size_t record,
                       size_t field,
                       struct WvValue *out,
                       struct WvError *error);

// Copies the values of a field of type `WV_TYPE_I32`, and sets `count` to the number of copied values.
//
// `values` must point to `capacity` values.
enum WvStatus wv_column_i32(const struct WvHandle *table,
                            size_t field,
                            int32_t *values,
                            size_t capacity,
                            size_t *count,
                            struct WvError *error);

// Copies the values of a field of type `WV_TYPE_U32`, and sets `count` to the number of copied values.
//
// `values` must point to `capacity` values.
enum WvStatus wv_column_u32(const struct WvHandle *table,
                            size_t field,
                            uint32_t *values,
                            size_t capacity,
                            size_t *count,
                            struct WvError *error);

// Copies the values of a field of type `WV_TYPE_F32`, and sets `count` to the number of copied values.
//
// `values` must point to `capacity` values.
enum WvStatus wv_column_f32(const struct WvHandle *table,
                            size_t field,
                            float *values,
                            size_t capacity,
                            size_t *count,
                            struct WvError *error);

// Copies the values of a field of type `WV_TYPE_U64`, and sets `count` to the number of copied values.
//
// `values` must point to `capacity` values.
enum WvStatus wv_column_u64(const struct WvHandle *table,
                            size_t field,
                            uint64_t *values,
                            size_t capacity,
                            size_t *count,
                            struct WvError *error);

// Returns the values of a field of type `WV_TYPE_TEXT`, and sets `count` to their number. A missing string has NULL as its
// `data`.
//
// `values` must point to `capacity` spans.
enum WvStatus wv_column_text(const struct WvHandle *table,
                             size_t field,
                             struct WvSpan *values,
                             size_t capacity,
                             size_t *count,
                             struct WvError *error);

// Returns the size of a picture, and what else is known about it.
enum WvStatus wv_picture(const struct WvHandle *picture, struct WvPicture *out, struct WvError *error);

// Decodes a picture, in rows from the top: `channels` bytes for each pixel, and for each pixel its opacity, 255 or 0.
// `key` says what is transparent in a picture without skipped pixels: a palette index, or 0x01RRGGBB for a color of the
// picture's own palette; see `WV_KEY_CLAW` and `WV_KEY_GRUNTZ`.
//
// The buffers must have exactly `channels * pixels` and `pixels` bytes. If the stream ends too early, the result is
// `WV_STATUS_BROKEN`, and the pixels before the end are valid.
//
// `pixels` must point to `pixels_len` bytes, `opacity` to `opacity_len`.
enum WvStatus wv_decode(const struct WvHandle *picture,
                        uint32_t key,
                        uint8_t *pixels,
                        size_t pixels_len,
                        uint8_t *opacity,
                        size_t opacity_len,
                        struct WvError *error);

// Decodes a picture to red, green, blue and opacity, 4 bytes for each pixel, in rows from the top.
//
// `palette` has 768 bytes, red, green and blue of 256 colors: that of the level. It is used for palette indices; if it is
// NULL, the picture's own palette is. `key` is that of `wv_decode`. `rgba` must have exactly `4 * pixels` bytes.
//
// `palette` must be NULL or point to 768 bytes, `rgba` must point to `len` bytes.
enum WvStatus wv_decode_rgba(const struct WvHandle *picture,
                             uint32_t key,
                             const uint8_t *palette,
                             uint8_t *rgba,
                             size_t len,
                             struct WvError *error);

// Returns the number of worlds and blobs of a WORLD.WDB.
enum WvStatus wv_database(const struct WvHandle *database, struct WvDatabase *out, struct WvError *error);

// Returns a world.
enum WvStatus wv_world(const struct WvHandle *database,
                       size_t index,
                       struct WvWorld *out,
                       struct WvError *error);

// Returns a reference of a world to a blob with parts.
enum WvStatus wv_part_ref(const struct WvHandle *database,
                          size_t world,
                          size_t index,
                          struct WvPartRef *out,
                          struct WvError *error);

// Returns a reference of a world to a model.
enum WvStatus wv_model_ref(const struct WvHandle *database,
                           size_t world,
                           size_t index,
                           struct WvModelRef *out,
                           struct WvError *error);

// Returns a blob, or one of the two global chunks: `WV_GLOBAL_PARTS` or `WV_GLOBAL_TEXTURES`, which a texture file has, too. The first
// call reads all blobs. A broken blob is an error that concerns no other blob.
enum WvStatus wv_blob(const struct WvHandle *database,
                      size_t index,
                      struct WvBlob *out,
                      struct WvError *error);

// Returns a part of a blob with parts, or a global part.
enum WvStatus wv_shared_part(const struct WvHandle *database,
                             size_t blob,
                             size_t index,
                             struct WvSharedPart *out,
                             struct WvError *error);

// Returns a texture of a blob, of the global parts or of the global textures; of a texture file, those are its own.
enum WvStatus wv_texture(const struct WvHandle *database,
                         size_t blob,
                         size_t index,
                         struct WvTexture *out,
                         struct WvError *error);

// Returns an object of a model, in the order of the file: each one before its children.
enum WvStatus wv_roi(const struct WvHandle *database,
                     size_t blob,
                     size_t index,
                     struct WvRoi *out,
                     struct WvError *error);

// Returns an animation node of a model, in the order of the file: each one before its children.
enum WvStatus wv_node(const struct WvHandle *database,
                      size_t blob,
                      size_t index,
                      struct WvNode *out,
                      struct WvError *error);

// Copies the first keys of a node, at most `capacity`, and sets `count` to their number. `track` is `WV_TRANSLATIONS`,
// `WV_ROTATIONS`, `WV_SCALES` or `WV_MORPHS`.
//
// `keys` must point to `capacity` keys.
enum WvStatus wv_keys(const struct WvHandle *database,
                      size_t blob,
                      size_t node,
                      uint32_t track,
                      struct WvKey *keys,
                      size_t capacity,
                      size_t *count,
                      struct WvError *error);

// Computes the poses of the first objects of a model at `time` milliseconds, at most `capacity`, and sets `count` to their
// number.
//
// With a `world` and the index of one of its model references, the model is placed in the world. With `WV_NONE` as
// `world`, it is not, and `index` is that of the blob.
//
// `poses` must point to `capacity` poses.
enum WvStatus wv_poses(const struct WvHandle *database,
                       size_t world,
                       size_t index,
                       float time,
                       struct WvPose *poses,
                       size_t capacity,
                       size_t *count,
                       struct WvError *error);

// Opens the levels of detail of part `index` of a blob with parts or of `WV_GLOBAL_PARTS`, or of object `index` of a model.
// For an object that shares its levels, use the result of `wv_find_lods`. Free it with `wv_lods_free`.
enum WvStatus wv_lods(const struct WvHandle *database,
                      size_t blob,
                      size_t index,
                      struct WvLods **out,
                      struct WvError *error);

// Frees levels of detail. NULL is allowed.
void wv_lods_free(struct WvLods *lods);

// Returns the number of levels of detail; 0 for NULL. The coarsest level comes first.
size_t wv_lods_count(const struct WvLods *lods);

// Returns a level of detail.
enum WvStatus wv_lod(const struct WvLods *lods, size_t index, struct WvLod *out, struct WvError *error);

// Returns a mesh of a level of detail.
enum WvStatus wv_mesh(const struct WvLods *lods,
                      size_t lod,
                      size_t index,
                      struct WvMesh *out,
                      struct WvError *error);

// Decodes the vertices and triangles of a mesh as the game does. The axes are left-handed: x to the right, y up, z forward.
//
// `positions` and `normals` have three floats for each vertex, `uvs` two: u from the left edge, v from the top. `indices`
// has three numbers for each triangle. `vertex_count` and `triangle_count` are those of the mesh; anything else is an
// error. Each of the four arrays can be NULL. If the mesh is invalid, they are filled with zeros.
//
// The arrays must have as many elements as the counts say, or be NULL.
enum WvStatus wv_decode_mesh(const struct WvLods *lods,
                             size_t lod,
                             size_t index,
                             size_t vertex_count,
                             size_t triangle_count,
                             float *positions,
                             float *normals,
                             float *uvs,
                             uint16_t *indices,
                             struct WvError *error);

// Returns the appearance of a mesh on an object with this color name: the member `color` of `WvRoi`. For a part on its own,
// it is empty. The texture of the result can be a part of this name, so it is valid as long as both are.
//
// `color` must point to `color_len` bytes.
enum WvStatus wv_material(const struct WvLods *lods,
                          size_t lod,
                          size_t index,
                          const uint8_t *color,
                          size_t color_len,
                          struct WvMaterial *out,
                          struct WvError *error);

// Finds the texture that a name refers to, ignoring case. `scope`, `world` and `index` say for what: see
// `WV_SCOPE_MODEL` and the others.
//
// `name` must point to `name_len` bytes.
enum WvStatus wv_find_texture(const struct WvHandle *database,
                              uint32_t scope,
                              size_t world,
                              size_t index,
                              const uint8_t *name,
                              size_t name_len,
                              struct WvPlace *out,
                              struct WvError *error);

// Finds the levels of detail of an object: its own, or those that it shares by its name. `scope`, `world` and `index`
// name the model: `WV_SCOPE_MODEL` or `WV_SCOPE_BLOB`. `wv_lods` opens what is found.
enum WvStatus wv_find_lods(const struct WvHandle *database,
                           uint32_t scope,
                           size_t world,
                           size_t index,
                           size_t roi,
                           struct WvPlace *out,
                           struct WvError *error);

#if defined(WORLDVIEW_EXPORT)
// Passes each output that `worldview export` would write for a handle to `sink`. Only available in libraries that were built with the
// feature `export`.
//
// `kinds` are the names of kinds of outputs, separated by commas, such as "tmx,png". If there is no such kind, the result is
// `WV_STATUS_ARGUMENT`, and the error has the names of all. Kinds that the handle does not have are skipped; records, and data
// in no known format, have none.
//
// The function itself only fails if an argument is not valid.
//
// `kinds` must be a text that ends with NUL, and `sink` must accept what it is given.
enum WvStatus wv_export(const struct WvHandle *handle,
                        const char *kinds,
                        WvSink sink,
                        void *user,
                        struct WvError *error);
#endif

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WORLDVIEW_H */
