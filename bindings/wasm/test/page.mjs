// Drops samples on the page in Chromium, clicks through them, and compares what it says with the command and the package.
//
//     node page.mjs PAGE [FOLDER FOR SCREENSHOTS]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { open } from "worldview-wasm";
import { large } from "./large.mjs";

const SAMPLES = fileURLToPath(new URL("../../../samples/", import.meta.url));
const shown = (path) => JSON.parse(execFileSync(process.env.WORLDVIEW, ["show", SAMPLES + path, "--format", "json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
const [, , file, shots] = process.argv;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
const said = [];
page.on("console", (message) => said.push(message.text()));
page.on("pageerror", (error) => said.push(String(error)));
page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) said.push(request.url());
});
await page.goto(pathToFileURL(file).href);
await page.waitForSelector("html[data-ready=yes]");

const text = (selector) => page.locator(selector).first().innerText();
const click = (name) => page.getByRole("button", { name, exact: true }).first().click();
const shot = async (name) => {
    for (const colorScheme of shots ? ["light", "dark"] : []) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`), fullPage: true });
    }
};
/** Drops a file on the page, as a user does. */
const drop = async (name, bytes = readFileSync(SAMPLES + name)) => {
    const data = await page.evaluateHandle(async ([name, base64]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], name));
        return transfer;
    }, [name, Buffer.from(bytes).toString("base64")]);
    await page.dispatchEvent("#drop", "drop", { dataTransfer: data });
    await page.waitForFunction((name) => document.querySelector("#asset")?.innerText.includes(name), name);
};
const saved = async (label) => {
    const [download] = await Promise.all([page.waitForEvent("download"), click(label)]);
    return readFileSync(await download.path());
};
const everything = async () => {
    await page.locator("#everything > summary").click();
    await page.waitForSelector("#everything .tree");
};

// A table: its facts, its records, and a lazy tree.
const items = shown("items.wdb");
await drop("items.wdb");
assert.match(await text("dl"), new RegExp(`Table[^]*Item[^]*${items.records.length}`));
assert.equal(await page.locator("tbody tr").count(), items.records.length);
const [first] = items.records;
assert.equal(await text("tbody th"), first.record);
assert.equal(await page.locator("tbody tr").first().locator("td").nth(items.fields.findIndex(({ name }) => name === "uPurchasePrice")).innerText(), String(first.uPurchasePrice));
assert.equal((await saved("CSV")).toString(), open(readFileSync(SAMPLES + "items.wdb"), { name: "items.wdb" }).toCsv());
await everything();
await page.locator("#everything summary", { hasText: "records" }).click();
assert.equal(await page.locator("#everything .tree .tree > li").count(), items.records.length);
await shot("table");

// A level: all its pictures, and its objects.
await drop("harbour.wwd");
await page.waitForFunction(() => document.querySelector(".picture img")?.naturalWidth > 100);
assert.match(await text("dl"), /Harbour - Level 1[^]*Claw/);
await shot("level");
await click("Plane Front");
await page.waitForFunction(() => document.querySelector(".picture img")?.alt === "Plane Front");
assert.match(await text("h2:has-text('object')"), /^41 objects/);

// WORLD.WDB: models as GLB, with facts.
await drop("world.wdb");
const world = open(readFileSync(SAMPLES + "world.wdb"), { name: "world.wdb" });
await page.locator("summary", { hasText: "windmill" }).click();
const windmill = world.models.find(({ name }) => name === "windmill");
assert.match(await text("details[open] dl"), new RegExp(`Objects\\s+${windmill.rois.length}`));
assert.deepEqual(await saved("GLB"), Buffer.from(windmill.toGlb()));
await shot("world");

// An archive: a level and a picture in it, and the way back.
await drop("harbour.rez");
await shot("archive");
for (const name of ["LEVEL1/", "WORLDS/", "WORLD.WWD"]) await click(name);
assert.match(await text("#path"), /harbour\.rez \/ LEVEL1 \/ WORLDS \/ WORLD\.WWD/);
assert.match(await text("dl"), /Level/);
await click("harbour.rez");
for (const name of ["CLAW/", "IMAGES/", "FRAME001.PID"]) await click(name);
await page.waitForFunction(() => document.querySelector(".picture img")?.naturalWidth > 10);
assert.match(await text("dl"), /that of the level/);
await shot("picture");

// Broken files: an error, or findings and the rest.
await drop("broken.wwd", readFileSync(SAMPLES + "garden.wwd").subarray(0, 40));
assert.match(await text(".error"), /^broken\.wwd: /);
await shot("error");
const damaged = readFileSync(SAMPLES + "bestiary.wdb").fill(255, 770, 810);
await drop("damaged.wdb", damaged);
assert.match(await text("#asset details summary"), /\d+ findings/);
await page.locator("#asset details summary").first().click();
await shot("damaged");

// Every sample is shown without an error.
for (const name of readdirSync(SAMPLES)) {
    await drop(name);
    assert.equal(await page.locator(".error").count(), 0, name);
}
await drop("pennant.tex");
await page.waitForFunction(() => document.querySelector(".wall img")?.naturalWidth > 0);
await shot("textures");

// A table with many records: only some are in the page, and the rest follows on demand.
const began = Date.now();
await drop("large.wdb", large(readFileSync(SAMPLES + "items.wdb"), 100_000));
assert.equal(await page.locator("tbody tr").count(), 201);
await click("99,800 more");
assert.equal(await page.locator("tbody tr").count(), 401);
await everything();
await page.locator("#everything summary", { hasText: "records" }).click();
await page.waitForFunction(() => document.querySelectorAll("#everything .tree .tree > li").length === 201);
await page.locator("#everything .tree .tree summary").nth(150).click();
assert.ok((await page.locator("*").count()) < 30_000);
console.log(`page: 100,000 records in ${((Date.now() - began) / 1000).toFixed(1)} s`);

assert.deepEqual(said, []);
await browser.close();
console.log("page: table, level, world, archive, picture, broken and large files");
