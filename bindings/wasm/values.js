// Makes many values of JavaScript at once. A call from WebAssembly for each of them takes many times as long.

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

const rect = (words, at) => [words[at], words[at + 1], words[at + 2], words[at + 3]];

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

/** Makes the objects of a plane: the words of their records, and four texts for each. */
export const makeObjects = (words, texts) => {
    const objects = [];
    for (let at = 0, text = 0; text < texts.length; at += 71, text += 4) {
        // One literal with all members is many times as fast as adding one after the other.
        objects.push({
            name: texts[text],
            logic: texts[text + 1],
            image_set: texts[text + 2],
            animation: texts[text + 3],
            id: words[at + 0],
            name_len: words[at + 1] >>> 0,
            logic_len: words[at + 2] >>> 0,
            image_set_len: words[at + 3] >>> 0,
            animation_len: words[at + 4] >>> 0,
            x: words[at + 5],
            y: words[at + 6],
            z: words[at + 7],
            i: words[at + 8],
            add_flags: words[at + 9] >>> 0,
            dynamic_flags: words[at + 10] >>> 0,
            draw_flags: words[at + 11] >>> 0,
            user_flags: words[at + 12] >>> 0,
            score: words[at + 13],
            points: words[at + 14],
            powerup: words[at + 15],
            damage: words[at + 16],
            smarts: words[at + 17],
            health: words[at + 18],
            move_rect: rect(words, at + 19),
            hit_rect: rect(words, at + 23),
            attack_rect: rect(words, at + 27),
            clip_rect: rect(words, at + 31),
            user_rect1: rect(words, at + 35),
            user_rect2: rect(words, at + 39),
            user1: words[at + 43],
            user2: words[at + 44],
            user3: words[at + 45],
            user4: words[at + 46],
            user5: words[at + 47],
            user6: words[at + 48],
            user7: words[at + 49],
            user8: words[at + 50],
            min_x: words[at + 51],
            min_y: words[at + 52],
            max_x: words[at + 53],
            max_y: words[at + 54],
            speed_x: words[at + 55],
            speed_y: words[at + 56],
            tweak_x: words[at + 57],
            tweak_y: words[at + 58],
            counter: words[at + 59],
            speed: words[at + 60],
            width: words[at + 61],
            height: words[at + 62],
            direction: words[at + 63],
            face_dir: words[at + 64],
            time_delay: words[at + 65],
            frame_delay: words[at + 66],
            object_type: words[at + 67] >>> 0,
            hit_type_flags: words[at + 68] >>> 0,
            move_res_x: words[at + 69],
            move_res_y: words[at + 70],
        });
    }
    return objects;
};
