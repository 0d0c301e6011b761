// Counts the objects of all levels in files of Claw and Gruntz by the class that handles them:
//
//     node examples/objects.mjs CLAW.REZ RETAIL01.WWD
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { open } from "worldview-wasm/levels";

/** Returns the levels in a file, which is one or an archive. */
const levels = (file) => {
    if (file.kind === "level") return [file];
    if (file.kind !== "directory") return [];
    const paths = file.files().filter((path) => path.toLowerCase().endsWith(".wwd"));
    return paths.map((path) => file.get(path));
};

const counts = new Map();
for (const path of process.argv.slice(2)) {
    for (const level of levels(open(readFileSync(path), { name: basename(path) }))) {
        for (const { logic } of level.planes.flatMap((plane) => plane.objects())) {
            counts.set(logic, (counts.get(logic) ?? 0) + 1);
        }
    }
}
for (const [logic, count] of [...counts].sort((left, right) => right[1] - left[1])) console.log(count, logic);
