// Writes the examples of the README as modules into a folder.
import { readFileSync, writeFileSync } from "node:fs";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)];
if (examples.length === 0) throw new Error("the README has no examples");
examples.forEach(([, example], index) => writeFileSync(`${process.argv[2]}/example-${index}.mts`, example));
