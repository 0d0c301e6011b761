/** Thrown for a file, or a part of one, that cannot be read. */
export class WorldviewError extends Error {
    constructor(message, members = {}) {
        super(message);
        Object.assign(this, members);
    }
}
// On the prototype, so that it is not a member of each error.
Object.defineProperty(WorldviewError.prototype, "name", { value: "WorldviewError", writable: true, configurable: true });
