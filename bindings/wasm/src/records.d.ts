/** A rectangle in pixels with inclusive bounds: left, top, right and bottom. All zero means that it is not set. */
export type Rect = [left: number, top: number, right: number, bottom: number];

/** The header of a level. Names are those of the file format; offsets count in the unpacked level. */
export interface LevelHeader {
    /** Size of this header, which is the format's only signature: 1524. */
    header_size: number;
    /** Zero in all known files. */
    reserved_04: number;
    /** Bit 0: the planes have z coordinates; bit 1: the file is packed. */
    flags: number;
    /** Zero in all known files. */
    reserved_0c: number;
    /** Level name; its first run of digits is the level number. */
    name: string;
    /** Author. */
    author: string;
    /** Date of creation, free text. */
    birth: string;
    /** The editor's resource file; not read by the game. */
    rez_file: string;
    /** Tile directory; identifies the game. */
    image_dir: string;
    /** Palette resource. */
    pal_rez: string;
    /** Start position, pixels. */
    start_x: number;
    start_y: number;
    /** Not read by the game; nonzero in some files. */
    reserved_2d8: number;
    /** Number of plane headers. */
    num_planes: number;
    /** Offset of the plane headers. */
    planes_offset: number;
    /** Offset of the tile attributes, 0 for none. */
    tile_attribs_offset: number;
    /** Inflated length of a packed main block; meaningless in a plain file, where some editors set it. */
    main_block_length: number;
    /** Checksum of the level. */
    checksum: number;
    /** Zero in all known files. */
    reserved_2f0: number;
    /** Program that the editor starts for a test run. */
    launch_app: string;
    /** Directory of image sets 1. */
    image_set_dir_1: string;
    /** Directory of image sets 2. */
    image_set_dir_2: string;
    /** Directory of image sets 3. */
    image_set_dir_3: string;
    /** Directory of image sets 4. */
    image_set_dir_4: string;
    /** Prefix of objects' image-set names for directory 1. */
    image_set_prefix_1: string;
    /** Prefix of objects' image-set names for directory 2. */
    image_set_prefix_2: string;
    /** Prefix of objects' image-set names for directory 3. */
    image_set_prefix_3: string;
    /** Prefix of objects' image-set names for directory 4. */
    image_set_prefix_4: string;
}

/** The header of a plane. */
export interface PlaneHeader {
    /** Size of this header: 160. */
    header_size: number;
    /** Zero in all known files. */
    reserved_04: number;
    /** Main, no draw, wrap x, wrap y, auto tile size, and unknown bits. */
    flags: number;
    /** Zero in all known files. */
    reserved_0c: number;
    /** Plane name; need not be unique. */
    name: string;
    /** Width in pixels; the game computes it instead. */
    width_px: number;
    /** Height in pixels; the game computes it instead. */
    height_px: number;
    /** Tile width in pixels. */
    tile_width: number;
    /** Tile height in pixels. */
    tile_height: number;
    /** Number of tiles in a row. */
    tiles_wide: number;
    /** Number of rows. */
    tiles_high: number;
    /** Scroll origin, pixels. */
    scroll_x: number;
    scroll_y: number;
    /** Parallax: horizontal movement in percent of the main camera's. */
    movement_x_percent: number;
    /** Parallax: vertical movement in percent of the main camera's. */
    movement_y_percent: number;
    /** Palette index of filled tiles. */
    fill_color: number;
    /** Number of image-set names. */
    num_image_sets: number;
    /** Number of objects. */
    num_objects: number;
    /** Offset of the tile grid. */
    tiles_offset: number;
    /** Offset of the image-set names. */
    image_sets_offset: number;
    /** Offset of the objects, 0 for none. */
    objects_offset: number;
    /** Depth of the plane among the objects. */
    z_coord: number;
    /** Zero in all known files. */
    reserved_94: number;
    reserved_98: number;
    reserved_9c: number;
}

/** An object of a level: its texts, then the fields of its record. */
export interface LevelObject {
    /** The name; empty in most objects. */
    name: string;
    /** The name of the class of the game that handles the object. */
    logic: string;
    /** The image set. */
    image_set: string;
    /** The animation or sound. */
    animation: string;
    /** Number given by the editor; often not unique. */
    id: number;
    /** Length of the name, in bytes. */
    name_len: number;
    /** Length of the logic, in bytes. */
    logic_len: number;
    /** Length of the image set, in bytes. */
    image_set_len: number;
    /** Length of the animation, in bytes. */
    animation_len: number;
    /** Position in pixels. */
    x: number;
    y: number;
    /** Depth. */
    z: number;
    /** Frame of the image set, −1 for none. */
    i: number;
    /** Flags that no known engine reads. */
    add_flags: number;
    /** Flags for behavior. */
    dynamic_flags: number;
    /** Flags for drawing. */
    draw_flags: number;
    /** User flags: bit n − 1 is flag n, 1 to 12. */
    user_flags: number;
    /** Logic-specific. */
    score: number;
    points: number;
    powerup: number;
    damage: number;
    smarts: number;
    health: number;
    /** Area of movement. */
    move_rect: Rect;
    /** Area that can be hit. */
    hit_rect: Rect;
    /** Area of attack. */
    attack_rect: Rect;
    /** Area of drawing. */
    clip_rect: Rect;
    /** Logic-specific. */
    user_rect1: Rect;
    user_rect2: Rect;
    user1: number;
    user2: number;
    user3: number;
    user4: number;
    user5: number;
    user6: number;
    user7: number;
    user8: number;
    /** Bound of movement. */
    min_x: number;
    min_y: number;
    max_x: number;
    max_y: number;
    /** Speed. */
    speed_x: number;
    speed_y: number;
    /** Offset. */
    tweak_x: number;
    tweak_y: number;
    /** Logic-specific. */
    counter: number;
    speed: number;
    width: number;
    height: number;
    /** Logic-specific; 0 to 8 occur. */
    direction: number;
    /** Logic-specific. */
    face_dir: number;
    /** Milliseconds. */
    time_delay: number;
    frame_delay: number;
    /** Flags of the types of the object. */
    object_type: number;
    /** Flags of the types that it collides with. */
    hit_type_flags: number;
    /** Horizontal granularity of movement, used if above 0. */
    move_res_x: number;
    /** Vertical granularity of movement, used if above 0. */
    move_res_y: number;
}
