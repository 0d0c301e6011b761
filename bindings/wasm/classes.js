// What every class of the package does besides what the module exports: an error instead of a crash after `free`, and a summary
// instead of an address in `console.log`.
import { WorldviewError } from "./error.js";
import * as classes from "./worldview.js";

/** The members that a summary shows. They cost nothing. */
const SHOWN = {
    Archive: ["fileName", "length"],
    Data: ["fileName"],
    Database: ["fileName"],
    Directory: ["fileName", "length"],
    Level: ["fileName", "name", "game"],
    Model: ["name"],
    Part: ["name", "levels"],
    Picture: ["fileName", "width", "height"],
    Plane: ["name", "columns", "rows"],
    Roi: ["name", "levels"],
    Table: ["fileName", "sheet", "length"],
    Texture: ["name", "width", "height"],
    Textures: ["fileName"],
    World: ["name"],
};

const inspect = Symbol.for("nodejs.util.inspect.custom");
/** The address of an object in the module. */
const ADDRESS = "__wbg_ptr";

for (const [name, members] of Object.entries(SHOWN)) {
    // A module of one format has only its own classes.
    if (!classes[name]) continue;
    const { prototype } = classes[name];
    const freed = () => new WorldviewError(`this ${name} was freed`);
    for (const [key, member] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
        if (key === "constructor" || key === "free" || key === "__destroy_into_raw") continue;
        const guarded = (called) =>
            function (...args) {
                if (this[ADDRESS] === 0) throw freed();
                return called.apply(this, args);
            };
        if (member.get) member.get = guarded(member.get);
        else if (typeof member.value === "function") member.value = guarded(member.value);
        Object.defineProperty(prototype, key, member);
    }
    const free = prototype.free;
    Object.defineProperties(prototype, {
        // A second call does nothing, as in `using`.
        free: {
            value() {
                if (this[ADDRESS] !== 0) free.call(this);
            },
            writable: true,
            configurable: true,
        },
        [inspect]: {
            value(_depth, options, show = JSON.stringify) {
                if (this[ADDRESS] === 0) return `${name} (freed)`;
                const shown = Object.fromEntries(members.map((member) => [member, this[member]]));
                return `${name} ${show(shown, options)}`;
            },
            configurable: true,
        },
        [Symbol.toStringTag]: { value: name, configurable: true },
    });
    if (Symbol.dispose) Object.defineProperty(prototype, Symbol.dispose, { value: prototype.free, configurable: true });
}
