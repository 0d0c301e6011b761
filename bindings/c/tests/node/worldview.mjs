// Builds the functions of worldview.h with koffi, from the header itself.
import { readFileSync } from "node:fs";
import koffi from "koffi";

/** Loads the library. Returns its functions, `constants`, and helpers for results. */
export function load(library, header) {
    const text = readFileSync(header, "utf8").replace(/\/\*[^]*?\*\//g, "").replace(/\/\/.*$/gm, "")
        // What only a library with the feature `export` has.
        .replace(/^#if defined\(WORLDVIEW_EXPORT\)$[^]*?^#endif/gm, "");
    const lib = koffi.load(library);
    // On 64-bit systems.
    const sizes = {};
    const constants = { WV_NONE: 2n ** 64n - 1n, WV_GLOBAL_PARTS: 2n ** 64n - 2n, WV_GLOBAL_TEXTURES: 2n ** 64n - 3n };
    for (const [, name, value] of text.matchAll(/^#define (WV_\w+) (\d+)$/gm)) constants[name] = Number(value);
    const plain = (type) => type.replace(/\b(struct|enum) /g, "");
    const declarations = /typedef enum (\w+) \{([^}]*)\}|typedef struct (\w+) \{([^}]*)\}|typedef struct (\w+) \w+;/g;
    for (const [, enumeration, values, struct, members, opaque] of text.matchAll(declarations)) {
        if (enumeration) {
            for (const [, name, value] of values.matchAll(/(\w+) = (\d+)/g)) constants[name] = Number(value);
            koffi.alias(enumeration, "int");
        } else if (struct) {
            const fields = {};
            for (const [, type, name, dimensions] of members.matchAll(/\s*([\w\s]+?[\s*]+)(\w+)((?:\[\d+\])*);/g)) {
                // Arrays of arrays are flat.
                const size = [...dimensions.matchAll(/\d+/g)].reduce((size, [of]) => size * Number(of), 1);
                fields[name] = dimensions ? koffi.array(plain(type).trim(), size) : plain(type).trim();
            }
            const type = koffi.struct(struct, fields);
            // What the caller sets.
            if (Object.keys(fields)[0] === "size") sizes[struct] = koffi.sizeof(type);
        } else {
            koffi.opaque(opaque);
        }
    }
    const callbacks = [];
    for (const [, result, name, parameters] of text.matchAll(/^typedef ([\w ]+)\(\*(\w+)\)\(([^)]*)\);/gm)) {
        koffi.proto(`${plain(result)} ${name}Function(${plain(parameters)})`);
        callbacks.push(name);
    }
    const functions = {};
    for (const [declaration, name] of text.matchAll(/^[\w ]+[ *](wv_\w+)\([^;{]*\);/gm)) {
        const marked = plain(declaration)
            .replace(new RegExp(`\\b(${callbacks.join("|")}) `), "$1Function *")
            .replace(/(\w+) (\**)(out|count|objects|keys|poses|error)([,)])/g, (_, type, stars, out, end) =>
                `${type in sizes ? "_Inout_" : "_Out_"} ${type} ${stars}${out}${end}`);
        functions[name] = lib.func(marked);
        const parameters = marked.slice(marked.indexOf("(") + 1, -2).split(",").map((parameter) => parameter.trim());
        functions[name].parameters = parameters.filter((parameter) => parameter !== "void");
    }

    const bytes = (span) => (span.len ? Buffer.from(koffi.view(span.data, Number(span.len))) : Buffer.alloc(0));
    class WorldviewError extends Error {}
    const checked = (status, error) => {
        if (status !== constants.WV_STATUS_OK) throw Object.assign(new WorldviewError(error.message), error);
    };
    return {
        ...functions,
        functions,
        constants,
        sizes,
        WorldviewError,
        bytes,
        text: (span) => bytes(span).toString(),
        /** Calls a function with a result, and returns it. */
        get(name, ...args) {
            // Objects are pointers in an array, structures are filled.
            const isPointer = /_open|_findings$|_check$|_json$|_dump$|wv_lods$|wv_objects$/.test(name);
            const type = functions[name].parameters.map((parameter) => /_Inout_ (\w+)/.exec(parameter)?.[1]).find(Boolean);
            const [out, error] = [isPointer || /count|index/.test(name) ? [null] : type ? { size: sizes[type] } : {}, {}];
            checked(functions[name](...args, out, error), error);
            return Array.isArray(out) ? out[0] : out;
        },
        /** Calls a function that fills a typed array, and returns it. */
        fill(name, array, ...args) {
            const [count, error] = [[0], {}];
            checked(functions[name](...args, array, array.length, count, error), error);
            return array.subarray(0, Number(count[0]));
        },
        /** Calls a function without a result. */
        run(name, ...args) {
            const error = {};
            checked(functions[name](...args, error), error);
        },
    };
}
