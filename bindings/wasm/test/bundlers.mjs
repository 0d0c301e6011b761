// The programs of the README for bundlers, bundled and run in Chromium.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "worldview-bundlers-"));
const sample = readFileSync(join(here, "../../samples/items.wdb"));
const program = (load) => `${load}
const bytes = new Uint8Array(await (await fetch("items.wdb")).arrayBuffer());
const table = open(bytes, { name: "items.wdb" });
document.title = table.names()[0];
try { table.free(); table.length; } catch (error) { document.body.textContent = error instanceof WorldviewError && error.message; }
`;
const readme = readFileSync(join(here, "README.md"), "utf8");
/** The lines that the README has for a bundler. */
const lines = (name) => new RegExp(`<!-- ${name} -->\n\`\`\`js\n([^]*?)\`\`\``).exec(readme)[1];
const run = (tool, ...args) => execFileSync(join(here, "node_modules/.bin", tool), args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    mkdirSync(join(folder, "node_modules"));
    cpSync(join(here, "node_modules/worldview-wasm"), join(folder, "node_modules/worldview-wasm"), { recursive: true, dereference: true });
    for (const name of ["vite", "esbuild"]) symlinkSync(join(here, "node_modules", name), join(folder, "node_modules", name));
    const html = '<!doctype html><title></title><body><script type="module" src="./main.js"></script></body>';
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(join(folder, "index.html"), html);
    for (const name of ["vite", "esbuild"]) {
        writeFileSync(join(folder, "main.js"), program(lines(name)));
        const out = join(folder, name);
        const said =
            name === "vite"
                ? run("vite", "build", "--outDir", out, "--base", "./", "--logLevel", "warn")
                : run("esbuild", "main.js", "--bundle", "--format=esm", "--loader:.wasm=file", `--outdir=${out}`, "--log-level=warning");
        assert.equal(said, "", `${name} warns`);
        if (name === "esbuild") cpSync(join(folder, "index.html"), join(out, "index.html"));
        writeFileSync(join(out, "items.wdb"), sample);
        const server = createServer((request, response) => {
            const path = request.url === "/" ? "/index.html" : request.url;
            try {
                response.setHeader("Content-Type", types[extname(path)] ?? "application/octet-stream");
                response.end(readFileSync(join(out, path)));
            } catch {
                response.statusCode = 404;
                response.end();
            }
        }).listen(0);
        const page = await browser.newPage();
        const errors = [];
        page.on("pageerror", (error) => errors.push(error.message));
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        await page.waitForFunction(() => document.title && document.body.textContent).catch(() => {});
        assert.deepEqual(errors, [], name);
        assert.deepEqual([await page.title(), await page.textContent("body")], ["anchor_pin", "this Table was freed"], name);
        await page.close();
        server.close();
    }
} finally {
    await browser.close();
    rmSync(folder, { recursive: true });
}
