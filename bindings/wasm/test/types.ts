// What the types of the package promise; compiled, never run.
import init, { open, sniff, WorldviewError } from "worldview-wasm";
import { open as openLevels } from "worldview-wasm/levels";
import type { Asset, Column, Description, Finding, LevelObject, Mesh, Output, OutputKind, Rect } from "worldview-wasm";

await init(fetch("worldview_bg.wasm"));

const file: Asset = open(new ArrayBuffer(4), { name: "items.wdb", lossy: true, encoding: "windows-1250" });
const description: Description = file.describe();
const finding: Finding | undefined = file.check(10)[0];
const kinds: OutputKind[] = ["tmx", "png"];
const outputs: Output[] = file.outputs(kinds, { scale: 2, full: true, lod: "best" });
for (const { name, kind, bytes } of outputs) console.log(name.length, kind satisfies OutputKind, new Blob([bytes]));
// @ts-expect-error: there is no such kind
file.outputs(["psd"]);
const rest: number = file.findings.more;
const format: "wpd" | "wwd" | "world" | "rez" | "pid" | "pcx" | "rid" | "tex" | undefined = sniff(file.bytes(), file.fileName);

switch (file.kind) {
    case "table": {
        const column: Column = file.column("uPurchasePrice");
        if (column instanceof BigUint64Array) column[0] = 1n;
        const value: number | bigint | string | null | undefined = file.record("apple_dried")?.uPurchasePrice;
        console.log(value);
        break;
    }
    case "level": {
        const object: LevelObject | undefined = file.mainPlane?.objects()[0];
        const rect: Rect | undefined = object?.hit_rect;
        const tiles: Uint32Array | undefined = file.planes[0]?.tiles();
        for (const attribute of file.tileAttributes()) {
            if (attribute.kind === "mask") attribute.mask satisfies Uint8Array;
            if (attribute.kind === "double") attribute.rect satisfies Rect;
        }
        console.log(rect, tiles, new Blob([file.toPng({ scale: 2 })]), file.header.start_x.toFixed());
        break;
    }
    case "archive":
    case "directory": {
        const [entry] = file.entries;
        if (entry?.size !== undefined) file.get(entry.name);
        break;
    }
    case "database": {
        const mesh: Mesh | undefined = file.models[0]?.rois[0]?.meshes(0)[0];
        mesh?.indices satisfies Uint16Array | undefined;
        file.worlds[0]?.toGlb({ lod: "best", visibleOnly: true });
        // @ts-expect-error: there is no such choice
        file.models[0]?.toGlb({ lod: "worst" });
        break;
    }
    case "picture": {
        const { data, width } = file.pixels();
        new ImageData(data, width);
        break;
    }
    case "textures":
        file.textures[0]?.pixels().data satisfies Uint8ClampedArray | undefined;
        break;
    case "data":
        file.bytes();
        break;
    default:
        file satisfies never;
}

try {
    // @ts-expect-error: a name is not enough
    open("items.wdb");
} catch (error) {
    if (error instanceof WorldviewError) {
        const offset: number | undefined = error.offset;
        console.log(error.path, error.part, offset, error.space === "image");
    }
}
// @ts-expect-error: only the package makes errors
new WorldviewError();
console.log(description.format, description.members, finding?.severity, rest, format);

// A module of one format has its own classes, and no outputs.
const part = openLevels(new ArrayBuffer(4), { name: "cellar.wwd" });
if (part.kind === "level") console.log(part.planes[0]?.tiles().length);
// @ts-expect-error Tables are not in it.
if (part.kind === "table") console.log(part);
// @ts-expect-error Descriptions are not in it.
part.describe();
// @ts-expect-error Outputs are only in the module of all formats.
part.outputs(["csv"]);
