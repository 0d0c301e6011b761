/** Thrown for a file, or a part of one, that cannot be read. Arguments of a wrong type are a `TypeError`. */
export class WorldviewError extends Error {
    private constructor();
    /** The name of the file and the names of the members that lead to the part, joined by `/`. */
    readonly path: string;
    /** What is broken, such as `tiles_offset`; absent if the file as a whole is. */
    readonly part?: string;
    /** What the part belongs to, such as `plane 1`. */
    readonly scope?: string;
    /** The index of the part among its kind. */
    readonly index?: number;
    /** The offset of the broken bytes. */
    readonly offset?: number;
    /** What the offset counts in: the file, or the image of an unpacked level. */
    readonly space?: "file" | "image";
}
