import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkArchitecture, writeTable } from "./architecture/check.ts";
import { inWords } from "./architecture/problem.ts";
import { publicEntries, rooms } from "./architecture/rooms.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "toolwright-architecture-"))));
afterEach(() => rm(root, { recursive: true }));

const emptyTable = "# A\n<!-- rooms: made by a script -->\n\n<!-- end of rooms -->\nmore\n";

/**
 * Writes a tree with valid opening comments and a fresh table, and returns its problems, except unused exports, which
 * nearly every test tree has.
 */
const problemsOf = async (files: Record<string, string>): Promise<string[]> =>
  (await allProblemsOf(files)).filter((words) => !words.includes(": nobody imports "));

async function allProblemsOf(files: Record<string, string>): Promise<string[]> {
  for (const [path, text] of Object.entries({ "ARCHITECTURE.md": emptyTable, ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    const opening = path.endsWith(".ts") && !path.endsWith(".test.ts") && !text.startsWith("raw:");
    await writeFile(join(root, path), (opening ? "/** A file. */\n" : "") + text.replace(/^raw:/u, ""));
  }
  await writeTable(root);
  return (await checkArchitecture(root)).problems.map(inWords);
}

test("a tree that keeps the rules has no problems", async () => {
  expect(
    await problemsOf({
      "src/base/a.ts": 'import { join } from "node:path";\nexport const a = join("x", "y");\n',
      "src/protocol/b.ts": 'import { a } from "../base/a.ts";\nexport const b = a;\n',
      "src/tools/read.ts":
        'import { b } from "../protocol/b.ts";\nexport const read = defineTool({ name: "read_it", b });\n',
      "src/tools/index.ts": 'import { read } from "./read.ts";\nexport const tools = [read];\n',
      "src/tools/read.test.ts": 'import "../agent/x.ts";\ntest("reads", () => {});\n',
      "src/index.ts": 'export * from "./tools/index.ts";\n',
      "scripts/run.ts": 'raw:#!/usr/bin/env node\n/** A script. */\nimport "../src/tools/index.ts";\n',
    }),
  ).toEqual([]);
});

test("an export that no file imports is reported, whatever the form of export and import", async () => {
  const files = {
    "src/base/a.ts": [
      "export const used = 1, unused = 2;",
      "export const { left, right: mine } = { left: 1, right: 2 };",
      "export function work() {}",
      "export type Shape = { own: Form };",
      "export interface Form {}",
      "export class Worker {}",
    ].join("\n"),
    "src/base/b.ts": "export const anything = 1;\n",
    "src/base/c.ts": "export const loaded = 1;\n",
    "src/base/d.ts": [
      'import { used as other, type Shape } from "./a.ts";',
      'import * as all from "./b.ts";',
      'export { Worker } from "./a.ts";',
      'export const load = () => [import("./c.ts"), other, all];',
      "export type Own = Shape;",
    ].join("\n"),
    "src/base/a.test.ts": 'import { work, type Form } from "./a.ts";\ntest("", work);\n',
    "src/index.ts": 'export { load, Worker } from "./base/d.ts";\nexport const forUsers = 1;\n',
  };
  expect(await allProblemsOf(files)).toEqual([
    "src/base/a.ts:2: nobody imports unused: it need not be exported",
    "src/base/a.ts:3: nobody imports left: it need not be exported",
    "src/base/a.ts:3: nobody imports mine: it need not be exported",
    "src/base/d.ts:6: nobody imports Own: it need not be exported",
  ]);
});

test("the driver of a database, and the engine over it, are imported by their own folders alone, whatever the form of the import", async () => {
  const files = {
    "src/session/postgres/link.ts":
      'import type { Pool } from "pg";\nexport const pool = (): Pool => import("pg");\n',
    "src/session/log.ts": 'export const log = () => import("pg");\n',
    "src/hosting/dbos/worker.ts": 'export const load = () => import("@dbos-inc/dbos-sdk");\n',
    "src/hosting/host.ts": 'import type { DBOSClient } from "@dbos-inc/dbos-sdk/client";\n',
    "test/rows.test.ts": 'import { Client } from "pg";\nimport "pg/lib/utils.js";\ntest("", Client);\n',
  };
  expect(await problemsOf(files)).toEqual([
    "src/hosting/host.ts:2: only src/hosting/dbos/ may import @dbos-inc/dbos-sdk",
    "src/session/log.ts:2: only src/session/postgres/ may import pg",
    "test/rows.test.ts:1: only src/session/postgres/ may import pg",
    "test/rows.test.ts:2: only src/session/postgres/ may import pg",
  ]);
});

test("a type has one declaration, and no name only says what happened to it", async () => {
  const files = {
    "src/base/a.ts": [
      "export type Range = 1;",
      "type Found = 1;",
      "export const told = (found: Found): Range => found;",
      "export const isKnown = 1, markedText = 2, split = () => 3;",
    ].join("\n"),
    "src/base/b.ts":
      "interface Range {}\nexport class TurnRoom {\n  range: Range = {};\n}\nfunction kept() {}\nkept();\n",
    "src/base/heard.ts": "const table = { room: 1 };\ntable;\n",
    "src/base/b.test.ts": 'type Range = 1;\ntype Found = Range;\ntest("", () => {});\n',
  };
  expect(await problemsOf(files)).toEqual([
    "src/base/b.ts:2: src/base/a.ts has a type Range, too: one name, one declaration",
    "src/base/a.ts:3: Found says what happened to it: name the type after what it is or does",
    "src/base/a.ts:4: told says what happened to it: name the function after what it is or does",
    "src/base/b.ts:6: kept says what happened to it: name the function after what it is or does",
    "src/base/heard.ts:1: heard says what happened to it: name the file after what it holds",
    "src/base/b.ts:3: TurnRoom: a room is a folder of the source: say context, space or place",
  ]);
});

test("a room imports only what the table allows, whatever the form of the import", async () => {
  const files = {
    "src/base/a.ts": 'import "../protocol/b.ts";\n',
    "src/protocol/b.ts": "export type B = 1;\n",
    "src/wires/c.ts": 'export * from "../dialects/d.ts";\n',
    "src/dialects/d.ts": 'export const d = () => import("../tools/e.ts");\n',
    "src/tools/e.ts": 'export type E = import("../safety/f.ts").F;\n',
    "src/safety/f.ts": "export type F = 1;\n",
  };
  expect(await problemsOf(files)).toEqual([
    "src/base/a.ts:2: base may not import protocol (src/protocol/b.ts)",
    "src/dialects/d.ts:2: dialects may not import tools (src/tools/e.ts)",
    "src/tools/e.ts:2: tools may not import safety (src/safety/f.ts)",
    "src/wires/c.ts:2: wires may not import dialects (src/dialects/d.ts)",
  ]);
});

test("from some rooms, only types may be imported", async () => {
  const files = {
    "src/providers/p.ts": "export type P = 1;\nexport const p = 1;\n",
    "src/agent/a.ts": 'import type { P } from "../providers/p.ts";\nexport type A = P;\n',
    "src/agent/b.ts": 'import { p } from "../providers/p.ts";\nexport const b = p;\n',
  };
  expect(await problemsOf(files)).toEqual([
    "src/agent/b.ts:2: agent may import only types of providers: use import type (src/providers/p.ts)",
  ]);
});

test("a room that must run in browsers may not import Node modules", async () => {
  const files = { "src/protocol/a.ts": 'import { join } from "node:path";\nexport const a = join;\n' };
  expect(await problemsOf(files)).toEqual([
    "src/protocol/a.ts:2: protocol must run in a browser too: it may not import node:path",
  ]);
});

test("surfaces do not import each other; only the command's main file starts them", async () => {
  const files = {
    "src/page/screen.ts": "export const screen = 1;\n",
    "src/cli/main.ts": 'export const start = () => import("../page/screen.ts");\n',
    "src/cli/other.ts": 'export const start = () => import("../page/screen.ts");\n',
  };
  expect(await problemsOf(files)).toEqual([
    "src/cli/other.ts:2: cli may not import page (src/page/screen.ts)",
  ]);
});

test("importing a public entry from inside is a problem, and so is a file that belongs to no room", async () => {
  const files = {
    "src/index.ts": "export const x = 1;\n",
    "src/runtime/r.ts": 'import { x } from "../index.ts";\nexport const r = x;\n',
    "src/elsewhere/y.ts": "export const y = 1;\n",
  };
  expect(await problemsOf(files)).toEqual([
    "src/elsewhere/y.ts:1: it is in no room of scripts/architecture/rooms.ts",
    "src/runtime/r.ts:2: src/index.ts is for users of the package: import the room itself",
  ]);
});

test("each import cycle is reported once, including cycles of types and of a single file", async () => {
  const files = {
    "src/base/a.ts": 'import type { B } from "./b.ts";\nexport type A = B;\n',
    "src/base/b.ts": 'import type { C } from "./c.ts";\nexport type B = C;\n',
    "src/base/c.ts": 'import type { A } from "./a.ts";\nexport type C = A;\n',
    "src/base/d.ts": 'import "./d.ts";\n',
  };
  expect(await problemsOf(files)).toEqual([
    "src/base/a.ts:1: it imports itself: src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts",
    "src/base/d.ts:1: it imports itself: src/base/d.ts → src/base/d.ts",
  ]);
});

test("a file may have 400 lines and a function 60; tests may be longer", async () => {
  const files = {
    "src/base/long.ts": "// x\n".repeat(400),
    "src/base/fits.ts": "// x\n".repeat(399),
    "src/base/fn.ts": `export function fits() {\n${body(58)}}\nexport const tells = () => {\n${body(59)}};\n`,
    "src/base/object.ts": `export const thing = {\n  method() {\n${body(59)}},\n};\n`,
    "src/base/fn.test.ts": `test("x", () => {\n${body(500)}});\n`,
  };
  expect(await problemsOf(files)).toEqual([
    "src/base/fn.ts:62: tells has 61 lines: tell it in steps",
    "src/base/long.ts:1: it has 401 lines: split it by what it does",
    "src/base/object.ts:3: method has 61 lines: tell it in steps",
  ]);
});

test("naming a tool in a third file is a problem; tests and the testing room do not count", async () => {
  const files = {
    "src/tools/read.ts": 'export const read = defineTool({ name: "read_it" });\n',
    "src/agent/a.ts": "export const a = `read_it`;\n",
    "src/testing/t.ts": 'export const t = "read_it";\n',
    "src/agent/a.test.ts": 'test("read_it", () => void "read_it");\n',
    "src/agent/examples.ts": 'import fc from "fast-check";\nexport const names = fc.constant("read_it");\n',
  };
  expect(await problemsOf(files)).toEqual([]);
  expect(await problemsOf({ "src/runtime/b.ts": 'export type B = "read_it";\n' })).toEqual([
    'src/tools/read.ts:1: the tool "read_it" is named in 3 files (src/agent/a.ts, src/runtime/b.ts, src/tools/read.ts): two know it, it and its list',
  ]);
});

test("a wire and a provider of the same name are counted separately, and the catalog may name wires", async () => {
  const files = {
    "src/wires/wire.ts": 'export type Name = "llama";\n',
    "src/wires/llama.ts": 'const name = "llama";\nexport const llama: Wire = { name };\n',
    "src/providers/catalog.ts": 'export const catalog = [row({ name: "llama", wire: "llama" })] as const;\n',
  };
  expect(await problemsOf(files)).toEqual([]);
  expect(
    await problemsOf({
      "src/runtime/a.ts": 'export const a = "llama";\n',
      "src/runtime/b.ts": 'export const b = "llama";\n',
    }),
  ).toEqual([
    expect.stringContaining('the wire "llama" is named in 4 files'),
    expect.stringContaining('the provider "llama" is named in 3 files'),
  ]);
});

test("a source opens with a doc comment, no comment stands above another, a test file holds a test or a contract", async () => {
  const files = {
    "src/base/a.ts": "raw:// not that\nexport const a = 1;\n",
    "src/base/b.ts": "raw:",
    "src/base/d.ts":
      "raw:/** Letters. */\n/** The first. */\nexport const d = 1;\n/** Gone. */\n/** The second. */\nexport const e = 2;\n",
    "src/base/a.test.ts": 'import { expect } from "vitest";\nexpect(1).toBe(1);\n',
    "src/base/b.test.ts": 'test.each([1])("x", () => {});\n',
    "src/base/c.test.ts": 'import { storeContract } from "./store-contract.ts";\nstoreContract();\n',
    "src/base/store-contract.ts": "export const storeContract = () => {};\n",
  };
  expect(await problemsOf(files)).toEqual([
    "src/base/a.test.ts:1: it holds no test",
    "src/base/a.ts:1: it does not open with a /** sentence */",
    "src/base/b.ts:1: it does not open with a /** sentence */",
    "src/base/d.ts:4: this comment stands above another comment",
  ]);
});

test("the room table in ARCHITECTURE.md lists the existing rooms, keeps the text around it, and must be fresh", async () => {
  await problemsOf({
    "src/base/a.ts": "",
    "src/protocol/a.ts": "",
    "src/session/only.test.ts": 'test("x", () => {});',
  });
  const written = await readFile(join(root, "ARCHITECTURE.md"), "utf8");
  expect(written.split("\n").map((line) => line.split("|").slice(0, 3).join("|"))).toEqual([
    "# A",
    "<!-- rooms: made by a script -->",
    "| room | may import, besides `protocol` and `base` ",
    "|---|---",
    "| `base` | nothing ",
    "| `protocol` | only `base` ",
    "<!-- end of rooms -->",
    "more",
    "",
  ]);
  await mkdir(join(root, "src/wires"));
  await writeFile(join(root, "src/wires/w.ts"), "/** A wire. */\n");
  expect((await checkArchitecture(root)).problems.map(inWords)).toEqual([
    "ARCHITECTURE.md:1: its table of rooms is stale: run npm run docs",
  ]);
});

test("a document without a place for the table is a problem", async () => {
  expect(await problemsOf({ "ARCHITECTURE.md": "# A\n" })).toEqual([
    "ARCHITECTURE.md:1: it has no place for the table of rooms",
  ]);
});

test("the program prints the problems and exits with code 1", async () => {
  await problemsOf({ "src/base/a.ts": "raw:const a = 1;\n" });
  const script = join(import.meta.dirname, "check-architecture.ts");
  const { code, stdout, stderr } = await run(process.execPath, [script, root]);
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: "architecture: 1 files, 1 problems\n",
    stderr: "src/base/a.ts:1: it does not open with a /** sentence */\n",
  });
});

test("the table of rooms allows no cycle and names only its own rooms", () => {
  const names = rooms.map(({ name }) => name);
  const below = new Map(rooms.map((room) => [room.name, [...room.mayImport, ...(room.onlyTypes ?? [])]]));
  const reaches = (from: string, to: string): boolean =>
    (below.get(from) ?? []).some((next) => next === to || reaches(next, to));
  expect(names.filter((name) => reaches(name, name))).toEqual([]);
  expect(rooms.flatMap(({ mayImport }) => mayImport).filter((name) => !names.includes(name))).toEqual([]);
  expect(publicEntries).toEqual(["src/index.ts", "src/client.ts", "src/testing.ts"]);
});

const body = (lines: number): string => "  void 0;\n".repeat(lines);

function run(file: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) => {
    execFile(file, args, (error, stdout, stderr) =>
      done({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

test("product code may not use Node's recursive mkdir, which never returns below /proc; tests may", async () => {
  const makes = 'import { mkdir } from "node:fs/promises";\nawait mkdir("a", {\n  recursive: true,\n});\n';
  const files = { "src/base/a.ts": makes, "src/base/a.test.ts": `${makes}test("", () => {});\n` };
  expect(await problemsOf(files)).toEqual([
    "src/base/a.ts:3: Node's recursive mkdir never returns below /proc: use makeDirectory of base/safe-fs/own-files.ts",
  ]);
});
