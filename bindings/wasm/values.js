// Makes many values of JavaScript at once. A call from WebAssembly for each of them takes many times as long.
import { rect } from "./records.js";
export { makeObjects } from "./records.js";

/** Appends the parts of `joined` to an array. `ends` are the ends of the parts, or 0xFFFFFFFF for what is not a text. */
export const splitTexts = (joined, ends, array) => {
    let start = 0;
    for (const end of ends) {
        if (end === 0xffffffff) {
            array.push(null);
        } else {
            array.push(joined.slice(start, end));
            start = end;
        }
    }
};

/** Makes the entries of an archive. `places` has an offset and a size for each, or NaN for directories. */
export const makeEntries = (names, places) =>
    names.map((name, index) => {
        const [offset, size] = [places[2 * index], places[2 * index + 1]];
        return Number.isNaN(offset) ? { name, isDirectory: true } : { name, isDirectory: false, offset, size };
    });

/** Makes the attributes of tiles: nine words for each, and the pixels of all masks. */
export const makeAttributes = (words, masks) => {
    const attributes = [];
    let start = 0;
    for (let at = 0; at < words.length; at += 9) {
        const [width, height] = [words[at + 1] >>> 0, words[at + 2] >>> 0];
        switch (words[at]) {
            case 1:
                attributes.push({ kind: "single", width, height, attribute: words[at + 3] });
                break;
            case 2:
                attributes.push({ kind: "double", width, height, outside: words[at + 3], inside: words[at + 4], rect: rect(words, at + 5) });
                break;
            default:
                attributes.push({ kind: "mask", width, height, mask: masks.slice(start, start + words[at + 3]) });
                start += words[at + 3];
        }
    }
    return attributes;
};
