/** Tests the compiled-code cache: it holds the functions that ran, is rarely renewed, and is ignored if invalid. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let directory = "";
let chunks = "";
let kept = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "toolwright-compiled-"));
  chunks = join(directory, "chunks");
  kept = join(directory, "kept");
  mkdirSync(chunks);
  const large = Array.from({ length: 200 }, (_, at) => `value += ${at} * value;`).join("\n");
  writeFileSync(join(chunks, "part.cjs"), "exports.part = () => 'part of ' + __filename;");
  writeFileSync(
    join(chunks, "main.cjs"),
    `const { part } = require("./part.cjs"); exports.part = part;
     exports.called = () => "called"; exports.large = (value) => { ${large} return value; };`,
  );
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Output of a script run in a new process, where `main()` loads the chunk afresh. */
function run(lines: string): string {
  const program = `
    import { createRequire } from "node:module";
    import { readFileSync, writeFileSync, readdirSync } from "node:fs";
    import { keepCompiled } from ${JSON.stringify(join(import.meta.dirname, "compiled-code.ts"))};
    const [, directory] = process.argv;
    const require = createRequire(directory + "/entry.cjs");
    const main = () => {
      for (const path of Object.keys(require.cache)) delete require.cache[path];
      return require("./chunks/main.cjs");
    };
    ${lines}`;
  const argv = ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", program, directory];
  return execFileSync(process.execPath, argv, { encoding: "utf8" });
}

const keeping = `keepCompiled(directory + "/kept", directory + "/chunks");`;

function keptFile(name: string): string {
  const [place = ""] = readdirSync(kept);
  return join(kept, place, `${name}.cjs.bin`);
}

test("a run caches the compiled code of the functions it called, readable by the owner only", () => {
  expect(run(`${keeping} console.log(main().called());`)).toBe("called\n");
  const little = statSync(keptFile("main"));
  expect(little.mode & 0o777).toBe(0o600);
  expect(statSync(keptFile("part")).size).toBeGreaterThan(0);
  rmSync(kept, { recursive: true });
  run(`${keeping} main().large(1);`);
  expect(statSync(keptFile("main")).size).toBeGreaterThan(little.size + 1_000);
});

/** Runs a script in a process whose clock is set to the given second. */
const runAt = (seconds: number, lines: string): string =>
  run(`Date.now = () => 1_700_000_000_000 + ${seconds} * 1_000; ${keeping} ${lines}`);

test("a later run renews the cache with its own functions once it is due, at ever longer intervals", () => {
  runAt(0, "main().called();");
  const first = readFileSync(keptFile("main"));
  runAt(9, "main().large(1);");
  expect(readFileSync(keptFile("main"))).toEqual(first);
  runAt(11, "main().large(1);");
  const second = readFileSync(keptFile("main"));
  expect(second.length).toBeGreaterThan(first.length + 1_000);
  runAt(30, "main();");
  expect(readFileSync(keptFile("main"))).toEqual(second);
  runAt(32, "main();");
  expect(readFileSync(keptFile("main"))).not.toEqual(second);
});

test("a cache file that is truncated, altered or from another chunk is ignored, and the code still runs", () => {
  run(`${keeping} main().large(1);`);
  const path = JSON.stringify(keptFile("main"));
  const printed = run(`
    ${keeping}
    const whole = readFileSync(${path});
    const changed = (at) => whole.map((byte, index) => (index === at ? byte ^ 255 : byte));
    const damaged = [
      whole.subarray(0, 0), whole.subarray(0, 20), whole.subarray(0, 60), whole.subarray(0, -1),
      changed(0), changed(40), changed(60), changed(whole.length - 1),
      readFileSync(${JSON.stringify(keptFile("part"))}),
    ];
    for (const bytes of damaged) {
      writeFileSync(${path}, bytes);
      const { called, large, part } = main();
      console.log(called(), large(1) === main().large(1), part().startsWith("part of " + directory));
    }`);
  expect(printed.trim().split("\n")).toEqual(Array.from({ length: 9 }, () => "called true true"));
});

test("the code runs even if the cache directory cannot be created", () => {
  writeFileSync(kept, "a file where the directory would be");
  expect(run(`${keeping} console.log(main().called());`)).toBe("called\n");
  const nowhere = `keepCompiled("/proc/self/none/below", directory + "/chunks");`;
  expect(run(`${nowhere} console.log(main().called());`)).toBe("called\n");
});

test("a full disk leaves no half-written cache file behind", () => {
  const full = `
    const fs = process.getBuiltinModule("node:fs");
    const { writeFileSync: whole } = fs;
    fs.writeFileSync = (file, bytes, options) => {
      whole(file, bytes.subarray(0, 10), options);
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    };`;
  expect(run(`${full} ${keeping} console.log(main().called());`)).toBe("called\n");
  const [place = ""] = readdirSync(kept);
  expect(readdirSync(join(kept, place))).toEqual([]);
});

test("a cache file that no run has renewed for a month is removed", () => {
  run(`${keeping} main();`);
  const old = join(keptFile("main"), "..", "old.cjs.bin");
  writeFileSync(old, "");
  run(`const now = Date.now(); Date.now = () => now + 31 * 24 * 3_600_000; ${keeping} main();`);
  expect(readdirSync(join(old, "..")).includes("old.cjs.bin")).toBe(false);
});

test("files outside the chunk directory are loaded by Node and not cached", () => {
  writeFileSync(join(directory, "elsewhere.cjs"), "exports.where = 'elsewhere';");
  expect(run(`${keeping} console.log(require("./elsewhere.cjs").where);`)).toBe("elsewhere\n");
  expect(() => readdirSync(kept)).toThrow(/ENOENT/u);
});
