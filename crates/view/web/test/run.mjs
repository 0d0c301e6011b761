// Tests the viewer as a person uses it: starts `worldview view`, and clicks through the page with Chromium.
//
//   npm test                    all tests (test/*.test.mjs, in the order of their names)
//   npm test -- shell level     test/shell.test.mjs and test/level.test.mjs
//
// A test file exports one function, or an object of several (name: function), as its default:
//
//   export default async ({ page, open, shot, check }) => {
//     await open();                                  // the start page; open('/at/samples/garden.wwd') a place
//     await page.getByRole('tab', { name: 'Level' }).click();
//     check(await page.title() === '…', 'the title names the level');
//     await shot('level');                           // $SHOTS/<file>-level.png
//   };
//
// Each function gets a page of its own (1280x720; page.setViewportSize for others), and:
//
//   open(path, query)        shows an address of the viewer, with a session; `query` is an object
//   serve(...arguments)      starts another viewer, on other files (names in the samples, or absolute paths); `open`
//                            uses it from then on, and the test ends it
//   command(...arguments)    runs the command, and returns what it prints
//   folder()                 makes a folder, which is removed after the test
//   api(endpoint, query)     asks the viewer, and returns the response
//   check(condition, text)   fails unless the condition holds
//   until(condition, text)   waits until an (asynchronous) function returns true; fails after 10 s
//   shot(name)               takes a screenshot, if $SHOTS is set
//   allow(pattern)           permits messages on the console that match, such as those of requests meant to fail
//   samples                  the folder with the samples
//
// A test fails on any error or warning on the console, on any exception of the page, and on any request to another
// origin.
//
// Environment: WORLDVIEW (the program, by default target/debug/worldview), WORLDVIEW_WEB (the folder with the page, by
// default what the program contains), CHROMIUM, SAMPLES, SHOTS, and HEADED=1 to watch.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { program } from './program.mjs';

const here = import.meta.dirname;
const root = resolve(here, '../../../..');
const samples = process.env.SAMPLES ?? join(root, 'samples');
const shots = process.env.SHOTS;
const viewport = { width: 1280, height: 720 };

// What drawing without a graphics card says about its speed.
const harmless = [/GL Driver Message .*(GPU stall|ReadPixels)/, /WebGL.*software/i];

/** Starts a viewer, and waits for its address. */
const start = (files) =>
  new Promise((done, fail) => {
    const child = spawn(program, ['view', '--no-open', ...files], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const read = (chunk) => {
      output += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output)?.[0];
      if (address) done({ address, origin: new URL(address).origin, stop: () => child.kill() });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', fail);
    child.on('exit', (code) => fail(new Error(`the viewer ended with ${code}:\n${output}`)));
  });

const run = async (browser, shared, name, test) => {
  const context = await browser.newContext({ viewport, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  const allowed = [...harmless];
  const started = [];
  const folders = [];
  let server = shared;
  const report = (text) => {
    if (!allowed.some((pattern) => pattern.test(text))) problems.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      report(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => report(`exception: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== server.origin) {
      report(`request to another origin: ${url.href}`);
    }
  });
  const sessions = new Set();
  const session = async () => {
    if (sessions.has(server.origin)) return;
    const { address, origin } = server;
    // A token works once, and each test has a browser without a key.
    server.key ??= /name="worldview-key" content="(\w+)"/.exec(await (await fetch(address)).text())[1];
    sessions.add(origin);
    await context.addInitScript(
      ({ origin, key }) => {
        if (location.origin === origin) localStorage.setItem('worldview.key', key);
      },
      { origin, key: server.key },
    );
  };
  const tools = {
    page,
    context,
    samples,
    allow: (pattern) => void allowed.push(pattern),
    check: (condition, text) => {
      if (!condition) throw new Error(`Not so: ${text}`);
    },
    until: async (condition, text) => {
      const end = performance.now() + 10_000;
      while (!(await condition())) {
        if (performance.now() > end) throw new Error(`Not so: ${text}`);
        await new Promise((done) => setTimeout(done, 50));
      }
    },
    open: async (path = '/', query = {}) => {
      const text = new URLSearchParams(query).toString();
      await session();
      await page.goto(`${server.origin}${path}${text ? `?${text}` : ''}`);
    },
    command: (...words) => spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout,
    folder: () => {
      const folder = mkdtempSync(join(tmpdir(), 'worldview-'));
      folders.push(folder);
      return folder;
    },
    api: async (endpoint, query = {}) => {
      await session();
      const headers = { 'X-Worldview-Key': server.key };
      return context.request.get(`${server.origin}/api/${endpoint}?${new URLSearchParams(query)}`, { headers });
    },
    serve: async (...files) => {
      const paths = files.map((file) => (isAbsolute(file) || file.startsWith('-') ? file : join(samples, file)));
      server = await start(paths);
      started.push(server);
      return server;
    },
    shot: async (text) => {
      if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '-')}-${text}.png`) });
    },
  };
  try {
    await test(tools);
  } catch (error) {
    problems.unshift(error.stack ?? String(error));
    await tools.shot('failed').catch(() => {});
  } finally {
    await context.close();
    for (const viewer of started) viewer.stop();
    for (const folder of folders) rmSync(folder, { recursive: true });
  }
  return problems;
};

const wanted = process.argv.slice(2);
const files = readdirSync(here)
  .filter((file) => file.endsWith('.test.mjs'))
  .filter((file) => !wanted.length || wanted.includes(basename(file, '.test.mjs')))
  .sort();
if (shots) mkdirSync(shots, { recursive: true });

const shared = await start([samples]);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: !process.env.HEADED,
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
let count = 0;
let failed = 0;
for (const file of files) {
  const { default: tests } = await import(join(here, file));
  const part = basename(file, '.test.mjs');
  for (const [name, test] of typeof tests === 'function' ? [['', tests]] : Object.entries(tests)) {
    const title = name ? `${part}: ${name}` : part;
    const begin = performance.now();
    const problems = await run(browser, shared, title, test);
    count += 1;
    if (problems.length) failed += 1;
    console.log(`${problems.length ? 'FAIL' : 'ok  '} ${title} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
    for (const problem of problems) console.log(`     ${problem.replaceAll('\n', '\n     ')}`);
  }
}
await browser.close();
shared.stop();
console.log(failed ? `${failed} of ${count} tests failed.` : `All ${count} tests passed.`);
process.exit(failed || !count ? 1 : 0);
