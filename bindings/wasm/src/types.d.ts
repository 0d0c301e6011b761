/** What a file, or a part of one, turns out to be; `kind` or `instanceof` tells which. */
export type Asset = Assets[keyof Assets];

/** The classes of parts by their kinds. Each format adds its own. */
export interface Assets {
    data: Data;
}

/** Something broken, suspicious or unusual. */
export interface Finding {
    severity: "curious" | "suspicious" | "fatal";
    /** The stable code of the kind of finding. */
    code: string;
    /** What was found, as a sentence. */
    message: string;
    offset: number;
    /** What the offset counts in: the file, or the image of an unpacked level. */
    space: "file" | "image";
}

/** Findings, and how many more there are. */
export type Findings = Finding[] & { more: number };

/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** A description, in the shape of `worldview show --format json`; `docs/json.md` leads to the members of each format. */
export interface Description {
    format: "wpd" | "wdb" | "wwd" | "rez" | "world" | "pid" | "pcx" | "bmp";
    /** The version of the shape, which is increased when a member is removed or changes its meaning. */
    version: number;
    /** Whether bulk data is included. */
    full: boolean;
    [member: string]: Json;
}

/** An entry of an archive. */
export interface Entry {
    /** The name, with the extension. */
    name: string;
    isDirectory: boolean;
    /** The offset of a file in the archive; directories have none. */
    offset?: number;
    /** The size of a file in bytes. */
    size?: number;
}

/** A field of each record of a table. */
export interface Field {
    name: string;
    /** The type of the values, which determines the type of the column. */
    type: "i32" | "u32" | "f32" | "u64" | "utf8";
    /** How the values are stored. */
    kind: "int" | "uint" | "float" | "string" | "uint64" | "raw" | "bits-int" | "bits-uint" | "bits-fixed" | "string-array";
    /** The index of the first word of the field in the record; words have 4 bytes. */
    word: number;
    /** The lowest bit of the field in the word. */
    bit: number;
    /** The width of the field in bits. */
    width: number;
}

/** One field of every record: numbers, or texts, where `null` is a text that is out of bounds. */
export type Column = Int32Array | Uint32Array | Float32Array | BigUint64Array | (string | null)[];

/** The values of a record by the names of the fields. Fields of 64 bits are of type `bigint`. */
export type TableRecord = Record<string, number | bigint | string | null>;

/** What a tile does to whoever touches it. */
export type TileAttribute = { width: number; height: number } & (
    | { kind: "single"; attribute: number }
    | { kind: "double"; inside: number; outside: number; rect: Rect }
    /** One attribute for each pixel, in rows from the top. */
    | { kind: "mask"; mask: Uint8Array }
);

/** An output, such as a file would have. */
export interface Output {
    /** The path relative to a folder for the asset, separated by `/`, such as `planes/01-Action.png`. It is unique there, valid on every
     * system, and leads nowhere else. */
    name: string;
    kind: OutputKind;
    bytes: Uint8Array<ArrayBuffer>;
}

/** Pixels: four bytes for each, red, green, blue and opacity, in rows from the top. `data` fits into an `ImageData`. */
export interface Pixels {
    width: number;
    height: number;
    data: Uint8ClampedArray<ArrayBuffer>;
}

/** x, y and z. The axes are those of the file: left-handed, x to the right, y up, z forward. */
export type Vector = [x: number, y: number, z: number];

/** A mesh: triangles of one material. */
export interface Mesh {
    /** The level of detail, 0 being the lowest. */
    level: number;
    /** x, y and z of each vertex. */
    positions: Float32Array;
    /** x, y and z of each vertex. */
    normals: Float32Array;
    /** u and v of each vertex; empty if the mesh has none. */
    uvs: Float32Array;
    /** Three vertices for each triangle. */
    indices: Uint16Array;
    /** The name of the material. */
    material: string;
    /** Red, green and blue from 0 to 255, including what the object passes on. */
    color: [red: number, green: number, blue: number];
    /** From 0 to 1. */
    opacity: number;
    /** The name of the texture; absent if there is none. */
    texture?: string;
}

/** The corners of a box. */
export interface Bounds {
    minimum: Vector;
    maximum: Vector;
}

/** Where the objects of a model are at a time. */
export interface Pose {
    /** A matrix of 4 rows and columns for each object, from the object to the model, for row vectors. */
    matrices: Float64Array;
    /** Whether each object is visible. */
    isVisible: boolean[];
}

/** A model that is placed in a world. */
export interface Placement {
    name: string;
    /** The index of the model in `models`; absent if its blob is not in the file. */
    model?: number;
    /** Whether the game shows the model at first. */
    isVisible: boolean;
    location: Vector;
    direction: Vector;
    up: Vector;
}
