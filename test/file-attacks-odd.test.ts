import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bytesReadUntil } from "../src/testing/bytes-read.ts";
import {
  type Asked,
  attacked,
  type Attacked,
  changingCalls,
  everythingIn,
  readingCalls,
} from "./support/attacked.ts";

/** Of 50 GB; a call that waits for one of these files would wait forever. */
const allowedBytes = 4 * 1024 ** 2;

async function oddFiles({ at }: Attacked): Promise<string[]> {
  mkdirSync(at("d/deep"), { recursive: true });
  execFileSync("mkfifo", [at("fifo"), at("d/.gitignore")]);
  const server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  for (const [name, start] of [
    ["sparse", ""],
    ["sparse-text", "text\n".repeat(5000)],
  ] as const) {
    writeFileSync(at(name), start);
    truncateSync(at(name), 50 * 1024 ** 3);
  }
  // Only root can make devices, and not everywhere.
  const isMade = spawnSync("mknod", [at("zero"), "c", "1", "5"]).status === 0;
  return ["fifo", "socket", "d", "d/deep", "sparse", "sparse-text", ...(isMade ? ["zero"] : [])];
}

test("SAFETY 4, FIFO, device, directory, huge file: every tool reads under 4 MiB, takes under 64 MiB, and changes nothing", async () => {
  const session = await attacked();
  const { call, at, place } = session;
  const odd = await oddFiles(session);
  writeFileSync(at("moved"), "moved");
  await call("search_workspace", { pattern: "x" });
  const before = everythingIn(place);
  for (const path of odd) {
    const changing = changingCalls(path, { old: "text", moved: "moved" });
    const within = changingCalls(`${path}/x`, { old: "text", moved: "moved" });
    const isDirectory = path.startsWith("d");
    const asked: Asked[] = [
      ...readingCalls(path),
      ["read_file", { path, from: 1_000_000 }],
      ...changing,
      ...(isDirectory ? [] : within),
    ];
    for (const [tool, input] of asked) {
      const memory = process.memoryUsage.rss();
      const read = await bytesReadUntil(() => call(tool, input));
      expect(read, JSON.stringify([tool, input])).toBeLessThan(allowedBytes);
      const grown = process.memoryUsage.rss() - memory;
      expect(grown, JSON.stringify([tool, input])).toBeLessThan(64 * 1024 ** 2);
    }
    for (const [tool, input] of isDirectory ? changing : [...changing, ...within])
      expect(await call(tool, input), JSON.stringify([tool, input])).toMatchObject({ outcome: "failed" });
  }
  for (const [tool, input] of [
    ["list_files", {}],
    ["list_files", { pattern: "**" }],
    ["search_workspace", { pattern: "text" }],
  ] as const)
    expect(await bytesReadUntil(() => call(tool, input)), tool).toBeLessThan(allowedBytes);
  expect(everythingIn(place)).toEqual(before);
});

type Swap = { name: string; swap: (session: Attacked) => void };

const inPlaceOf =
  (path: string, make: (path: string, place: string) => void): Swap["swap"] =>
  ({ at, place }) => {
    renameSync(at(path), join(place, "aside"));
    make(at(path), place);
  };

/** What somebody else puts in place of `d/a`, which contains "one", or of `d`. */
const swaps: readonly Swap[] = [
  { name: "a FIFO", swap: inPlaceOf("d/a", (path) => execFileSync("mkfifo", [path])) },
  {
    name: "a link to a file outside with the same words",
    swap: inPlaceOf("d/a", (path) => symlinkSync("../../outside-same", path)),
  },
  { name: "a directory", swap: inPlaceOf("d/a", (path) => mkdirSync(path)) },
  { name: "nothing", swap: ({ at }) => unlinkSync(at("d/a")) },
  { name: "other words", swap: ({ at }) => writeFileSync(at("d/a"), "hers\n") },
  { name: "a huge file", swap: ({ at }) => truncateSync(at("d/a"), 50 * 1024 ** 3) },
  {
    name: "a link to a directory outside in the place of its own",
    swap: inPlaceOf("d", (path, place) => symlinkSync(join(place, "outside-d"), path)),
  },
];

async function watched(mode: "ask" | "auto"): Promise<Attacked> {
  const session = await attacked({ mode });
  const { at, place } = session;
  for (const directory of [at("d"), join(place, "outside-d")]) mkdirSync(directory);
  for (const path of [at("d/a"), join(place, "outside-same"), join(place, "outside-d/a")])
    writeFileSync(path, "one\n");
  return session;
}

const patch = (...lines: string[]): Asked => [
  "apply_patch",
  { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
];

const changesOfA: readonly Asked[] = [
  ["write_file", { path: "d/a", content: "ours\n" }],
  ["edit_file", { path: "d/a", old: "one", new: "ours" }],
  patch("*** Update File: d/a", "@@", "-one", "+ours"),
  patch("*** Delete File: d/a"),
  patch("*** Update File: d/a", "*** Move to: d/moved", "@@", "-one", "+ours"),
];

test.each(swaps)(
  "SAFETY 4, stale edit: $name, put there between approval and write, is not touched",
  async ({ swap }) => {
    for (const [tool, input] of changesOfA) {
      const session = await watched("ask");
      let swapped: unknown;
      session.session.log.listen((event) => {
        if (event.type !== "approval-asked") return;
        swap(session);
        swapped = everythingIn(session.place);
      });
      const told = await session.call(tool, input);
      expect(told, JSON.stringify([tool, input])).toMatchObject({ outcome: "failed" });
      expect(swapped).toBeDefined();
      expect(everythingIn(session.place), JSON.stringify([tool, input])).toEqual(swapped);
    }
  },
);

test.each(swaps)(
  "SAFETY 4, stale edit: $name, put there between preview and apply, is not touched",
  async ({ swap }) => {
    for (const [tool, input] of [
      ["preview_write_file", { path: "d/a", content: "ours\n" }],
      ["preview_edit_file", { path: "d/a", old: "one", new: "ours" }],
    ] as const) {
      const session = await watched("auto");
      const { token = "" } = await session.call(tool, input);
      swap(session);
      const swapped = everythingIn(session.place);
      expect(await session.call("apply_file_change", { token })).toMatchObject({ outcome: "failed" });
      expect(everythingIn(session.place)).toEqual(swapped);
    }
  },
);

test.each(swaps)(
  "SAFETY 4, stale edit: $name, put there before an undo, is not touched",
  async ({ swap }) => {
    for (const [tool, input] of changesOfA.slice(0, 3)) {
      const session = await watched("auto");
      expect(await session.call(tool, input)).toMatchObject({ outcome: "ok" });
      swap(session);
      const swapped = everythingIn(session.place);
      expect(await session.session.command({ type: "undo" })).toMatchObject({ ok: false });
      expect(everythingIn(session.place)).toEqual(swapped);
      await session.session.command({ type: "undo", onConflict: "restore" });
      const outside = ([path]: [string, string]): boolean => path.startsWith("outside");
      expect(Object.entries(everythingIn(session.place)).filter(outside)).toEqual(
        Object.entries(swapped).filter(outside),
      );
    }
  },
);

test("SAFETY 4, stale edit: a file mode set between approval and write is kept", async () => {
  for (const [tool, input] of changesOfA.slice(0, 3)) {
    const session = await watched("ask");
    session.session.log.listen((event) => {
      if (event.type === "approval-asked") chmodSync(session.at("d/a"), 0o640);
    });
    expect(await session.call(tool, input)).toMatchObject({ outcome: "ok" });
    expect(everythingIn(session.at("d"))).toEqual({ a: "100640 5 ours\n" });
  }
});
