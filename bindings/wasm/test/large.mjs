// A table with as many records as wanted, made from a sample: its sections and its records again and again.
const ENTRY = 32;

/** Returns the bytes of a table like `sample`, a WPD file, with `count` records. */
export const large = (sample, count) => {
    const entries = Array.from({ length: sample.readUInt32BE(4) }, (_, index) => {
        const at = 16 + ENTRY * index;
        const [offset, size] = [sample.readUInt32BE(at + 16), sample.readUInt32BE(at + 20)];
        return { name: sample.toString("latin1", at, at + 16).replace(/\0.*/, ""), data: sample.subarray(offset, offset + size) };
    });
    const sections = entries.filter(({ name }) => name.startsWith("!"));
    const records = entries.filter(({ name }) => !name.startsWith("!"));
    const all = [...sections];
    for (let index = 0; index < count; index += 1) all.push({ name: `r${String(index).padStart(8, "0")}`, data: records[index % records.length].data });
    const head = Buffer.alloc(16 + ENTRY * all.length);
    sample.copy(head, 0, 0, 16);
    head.writeUInt32BE(all.length, 4);
    let offset = head.length;
    const parts = [head];
    all.forEach(({ name, data }, index) => {
        const at = 16 + ENTRY * index;
        head.write(name, at, "latin1");
        head.writeUInt32BE(offset, at + 16);
        head.writeUInt32BE(data.length, at + 20);
        const padded = Buffer.alloc((data.length + 3) & ~3);
        data.copy(padded);
        parts.push(padded);
        offset += padded.length;
    });
    return Buffer.concat(parts);
};
