import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testPng } from "../src/testing/pictures.ts";
import {
  type Asked,
  attacked,
  type Attacked,
  everythingIn,
  temporaryPlace,
  type Told,
} from "./support/attacked.ts";
import { smallDisk } from "./support/small-disk.ts";

const child = join(import.meta.dirname, "support/file-child.ts");
const latin = (text: string): Buffer => Buffer.from(text, "latin1");

const patchOf = (...lines: string[]): Asked => [
  "apply_patch",
  { patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n") },
];

/** `edited`: the content after replacing "two" by "TWO"; undefined: not text, so that the edit is refused. */
const contents: readonly { name: string; held: Buffer; edited?: Buffer }[] = [
  { name: "LF", held: latin("one\ntwo\nthree\n"), edited: latin("one\nTWO\nthree\n") },
  { name: "CRLF", held: latin("one\r\ntwo\r\nthree\r\n"), edited: latin("one\r\nTWO\r\nthree\r\n") },
  {
    name: "mixed line ends",
    held: latin("one\r\ntwo\nthree\r\nfour\rfive"),
    edited: latin("one\r\nTWO\nthree\r\nfour\rfive"),
  },
  { name: "no final line end", held: latin("one\ntwo"), edited: latin("one\nTWO") },
  {
    name: "a byte order mark",
    held: Buffer.from("\uFEFFone\ntwo\n"),
    edited: Buffer.from("\uFEFFone\nTWO\n"),
  },
  {
    name: "a byte order mark and CRLF",
    held: Buffer.from("\uFEFFtwo\r\none\r\n"),
    edited: Buffer.from("\uFEFFTWO\r\none\r\n"),
  },
  { name: "only empty lines around", held: latin("\n\n\ntwo\n\n\n"), edited: latin("\n\n\nTWO\n\n\n") },
  { name: "spaces at the ends", held: latin("a \t\ntwo\nb  \n"), edited: latin("a \t\nTWO\nb  \n") },
  { name: "UTF-8", held: Buffer.from("é😀\ntwo\n\u2028x"), edited: Buffer.from("é😀\nTWO\n\u2028x") },
  { name: "latin-1", held: latin("caf\xe9\ntwo\n\xff"), edited: latin("caf\xe9\nTWO\n\xff") },
  { name: "UTF-16", held: Buffer.from("\uFEFFone\ntwo\n", "utf16le") },
  { name: "a NUL", held: latin("one\0\ntwo\n") },
  { name: "a picture", held: Buffer.concat([latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), latin("\ntwo\n")]) },
];

const edits: Readonly<Record<string, Asked>> = {
  "an edit": ["edit_file", { path: "f", old: "two", new: "TWO" }],
  "a list of edits": [
    "edit_file",
    {
      path: "f",
      edits: [
        { old: "two", new: "T" },
        { old: "T", new: "TWO" },
      ],
    },
  ],
  "an envelope": patchOf("*** Update File: f", "@@", "-two", "+TWO"),
  "a unified diff": ["apply_patch", { patch: "--- a/f\n+++ b/f\n@@ @@\n-two\n+TWO\n" }],
  "a preview": ["preview_edit_file", { path: "f", old: "two", new: "TWO" }],
};

test.each(contents)(
  "SAFETY 4, BOM, line ends, binary, not UTF-8: with $name an edit keeps all other bytes or is refused, and undo restores all",
  async ({ held, edited }) => {
    for (const [name, [tool, input]] of Object.entries(edits)) {
      const { at, call, session } = await attacked();
      writeFileSync(at("f"), held);
      const told = await call(tool, input);
      const { token } = told;
      const made = token === undefined ? told : await call("apply_file_change", { token });
      expect(made, name).toMatchObject({ outcome: edited ? "ok" : "failed" });
      expect(readFileSync(at("f"), "latin1"), name).toBe((edited ?? held).toString("latin1"));
      expect(await session.command({ type: "undo" }), name).toMatchObject({ ok: edited !== undefined });
      expect(readFileSync(at("f"), "latin1"), name).toBe(held.toString("latin1"));
    }
  },
);

test("SAFETY 4, binary and not UTF-8: reading identifies binary files, and marks characters that are not UTF-8", async () => {
  const { at, call } = await attacked();
  const read = async (held: Buffer): Promise<string> => {
    writeFileSync(at("f"), held);
    return (await call("read_file", { path: "f" })).words;
  };
  expect(await read(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]))).toMatch(/^f is binary \(.*7 bytes\)/);
  expect(await read(latin("a\0b"))).toMatch(/^f is binary \(.*3 bytes\)/);
  expect(await read(latin("caf\xe9"))).toMatch(
    /^1\tcaf\uFFFD\n\[f is not UTF-8: characters shown as \uFFFD are others/,
  );
  expect(await read(testPng())).toMatch(/^f: image\/png, \d+ bytes\n<image>$/);
  expect(await read(latin("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"))).toBe(
    "f: image/png, 16 bytes; this image cannot be shown, because it is damaged or cut off.",
  );
});

const changesOfF: readonly Asked[] = [
  ["write_file", { path: "f", content: "new\n" }],
  ["edit_file", { path: "f", old: "old", new: "new" }],
  patchOf("*** Update File: f", "@@", "-old", "+new"),
  patchOf("*** Delete File: f"),
  patchOf("*** Update File: f", "*** Move to: g", "@@", "-old", "+new"),
];

test("SAFETY 4, read-only: every change asks in any mode; a denial leaves the file, an approval keeps its mode", async () => {
  for (const [tool, input] of changesOfF) {
    for (const answer of ["deny", "allow"] as const) {
      const { at, call, facts, root } = await attacked();
      writeFileSync(at("f"), "old\n");
      chmodSync(at("f"), 0o444);
      const told = await call(tool, input, answer);
      expect(facts().filter(({ type }) => type === "approval-asked")).toHaveLength(1);
      expect(told).toMatchObject({ outcome: answer === "deny" ? "denied" : "ok" });
      if (answer === "deny") expect(everythingIn(root)).toEqual({ f: "100444 4 old\n" });
      else for (const now of Object.values(everythingIn(root))) expect(now).toBe("100444 4 new\n");
    }
  }
});

/** Only root can make a file immutable, on most file systems; only others are stopped by a read-only directory. */
function lock(path: string): "immutable" | "in a read-only directory" | undefined {
  onTestFinished(() => {
    spawnSync("chattr", ["-i", path]);
    chmodSync(join(path, ".."), 0o755);
  });
  if (spawnSync("chattr", ["+i", path]).status === 0) return "immutable";
  chmodSync(join(path, ".."), 0o555);
  return process.getuid?.() === 0 ? undefined : "in a read-only directory";
}

test("SAFETY 4, immutable: an immutable file blocks every edit, any patch that includes it, and undo", async () => {
  const { at, call, calls, root, session } = await attacked();
  mkdirSync(at("d"));
  writeFileSync(at("d/f"), "older\n");
  writeFileSync(at("a"), "a\n");
  await call("edit_file", { path: "d/f", old: "older", new: "old" });
  const locked = lock(at("d/f"));
  const before = everythingIn(root);
  const told = await calls([
    ["write_file", { path: "d/f", content: "new\n" }],
    ["edit_file", { path: "d/f", old: "old", new: "new" }],
    patchOf("*** Update File: a", "@@", "-a", "+b", "*** Update File: d/f", "@@", "-old", "+new"),
    patchOf("*** Update File: a", "@@", "-a", "+b", "*** Delete File: d/f"),
    patchOf("*** Update File: d/f", "*** Move to: g", "@@", "-old", "+new"),
  ]);
  if (locked === undefined) return expect(told[0]).toMatchObject({ outcome: "ok" });
  for (const { outcome, words } of told)
    expect({ outcome, words }).toEqual({
      outcome: "failed",
      words: expect.stringMatching(/^Cannot (?:write|remove) d\/f: (?:the operation is not|permission is)/),
    });
  expect(everythingIn(root)).toEqual(before);
  // The owner of a read-only directory may open it, and undo does.
  expect(await session.command({ type: "undo" })).toMatchObject({ ok: locked !== "immutable" });
  if (locked === "immutable") expect(everythingIn(root)).toEqual(before);
  else expect(readFileSync(at("d/f"), "utf8")).not.toBe("old\n");
});

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];

function nineFiles(root: string): void {
  for (const i of numbers) writeFileSync(join(root, `f${i}`), `old ${i}\n`);
}

const nineOf = (fifth: string[] = ["*** Update File: f5", "@@", "-old 5", "+new 5"]): Asked =>
  patchOf(
    ...numbers.flatMap((i) => {
      if (i === 5) return fifth;
      if (i === 3) return ["*** Delete File: f3"];
      if (i === 7) return ["*** Update File: f7", "*** Move to: new/f7", "@@", "-old 7", "+new 7"];
      return [`*** Update File: f${i}`, "@@", `-old ${i}`, `+new ${i}`];
    }),
    "*** Add File: deep/new/f10",
    "+new 10",
  );

/** Ways in which the fifth file fails: when the patch is planned or, with `late`, after its approval. */
const failures: readonly {
  name: string;
  fifth?: string[];
  break?: (session: Attacked) => void;
  late?: true;
}[] = [
  { name: "is not there", break: ({ at }) => renameSync(at("f5"), at("f0")) },
  { name: "holds other words", break: ({ at }) => writeFileSync(at("f5"), "other\n") },
  { name: "is a directory", break: odd((path) => mkdirSync(path)) },
  { name: "is a FIFO", break: odd((path) => void spawnSync("mkfifo", [path])) },
  { name: "is a link that leads out", break: odd((path) => symlinkSync("../outside", path)) },
  { name: "is binary", break: ({ at }) => writeFileSync(at("f5"), "old 5\n\0") },
  { name: "is huge", break: ({ at }) => truncateSync(at("f5"), 50 * 1024 ** 3) },
  { name: "is outside", fifth: ["*** Add File: ../f5", "+x"] },
  { name: "is in .git", fifth: ["*** Add File: .git/f5", "+x"] },
  { name: "is below a file", fifth: ["*** Add File: f4/f5", "+x"] },
  { name: "is there already", fifth: ["*** Add File: f5", "+x"] },
  { name: "was changed by the patch already", fifth: ["*** Update File: f4", "@@", "-old 4", "+x"] },
  { name: "has a name that is too long", fifth: [`*** Add File: ${"n".repeat(300)}`, "+x"] },
  { name: "has half of a character in its name", fifth: ["*** Add File: \uD800x", "+x"] },
  { name: "is gone", break: ({ at }) => renameSync(at("f5"), at("f0")), late: true },
  { name: "was saved by an editor", break: ({ at }) => writeFileSync(at("f5"), "hers\n"), late: true },
  { name: "became a FIFO", break: odd((path) => void spawnSync("mkfifo", [path])), late: true },
  { name: "became a link that leads out", break: odd((path) => symlinkSync("../same", path)), late: true },
  { name: "cannot be changed", break: ({ at }) => void lock(at("f5")), late: true },
];

function odd(make: (path: string) => void): (session: Attacked) => void {
  return ({ at, place }) => {
    renameSync(at("f5"), join(place, "aside"));
    make(at("f5"));
  };
}

test.each(failures)(
  "SAFETY 4, multi-file patch: when the fifth of nine files $name, no file is changed",
  async ({ fifth, break: breakFifth, late }) => {
    const session = await attacked({ mode: "ask" });
    nineFiles(session.root);
    writeFileSync(join(session.place, "same"), "old 5\n");
    if (!late) breakFifth?.(session);
    let before = everythingIn(session.place);
    session.session.log.listen((event) => {
      if (event.type !== "approval-asked" || !late) return;
      breakFifth?.(session);
      before = everythingIn(session.place);
    });
    const told = await session.call(...nineOf(fifth));
    if (told.outcome === "ok") expect(spawnSync("chattr", ["+i", session.at("f1")]).status).not.toBe(0);
    else expect(everythingIn(session.place)).toEqual(before);
    expect(told.words).not.toMatch(/could not be put back/);
  },
);

/** The results of the calls in a child process that is started through a program. */
function inChild(through: readonly string[], words: readonly string[], asked: readonly Asked[]): Told[][] {
  const [program = "", ...lead] = through;
  const ended = spawnSync(program, [...lead, process.execPath, child, ...words], {
    input: JSON.stringify(asked),
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  expect(ended.status, ended.stderr).toBe(0);
  return JSON.parse(ended.stdout);
}

test("SAFETY 4, disk full: an edit, a write and a patch that do not fit fail with an error and change nothing", async () => {
  const root = join(await temporaryPlace(), "root");
  nineFiles(root);
  const before = everythingIn(root);
  const disk = await smallDisk(root, { kilobytes: 256 });
  const large = "x".repeat(1_000_000);
  const asked: Asked[] = [
    ["write_file", { path: "f1", content: large }],
    ["write_file", { path: "new/large", content: large }],
    ["edit_file", { path: "f1", old: "old 1", new: large }],
    nineOf(["*** Update File: f5", "@@", "-old 5", `+${large}`]),
    ["write_file", { path: "f2", content: "new 2\n" }],
  ];
  const [told] = inChild(disk.through, ["calls", root], asked);
  const full = { outcome: "failed", words: expect.stringMatching(/^Cannot write .*nothing was changed/) };
  expect(told).toEqual([full, full, full, full, { outcome: "ok", words: expect.anything() }]);
  expect(everythingIn(disk.after)).toEqual({ ...before, f2: "100644 6 new 2\n" });
});

test("SAFETY 4, read-only disk: every change fails with an error, and reading still works", async () => {
  const root = join(await temporaryPlace(), "root");
  nineFiles(root);
  const before = everythingIn(root);
  const disk = await smallDisk(root, { kilobytes: 256, readOnly: true });
  const asked: Asked[] = [
    ["write_file", { path: "f1", content: "x" }],
    ["write_file", { path: "new/f", content: "x" }],
    ["edit_file", { path: "f1", old: "old 1", new: "x" }],
    nineOf(),
    patchOf("*** Delete File: f1"),
    ["read_file", { path: "f1" }],
  ];
  const [told] = inChild(disk.through, ["calls", root], asked);
  const refused = {
    outcome: "failed",
    words: expect.stringMatching(/the file system is read-only|permission is denied/),
  };
  const read = { outcome: "ok", words: "1\told 1" };
  expect(told).toEqual([refused, refused, refused, refused, refused, read]);
  expect(withoutModes(everythingIn(disk.after))).toEqual(withoutModes(before));
});

/** Where no disk can be mounted, missing permissions replace it. */
const withoutModes = (all: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([path, words]) => [path, words.slice(6)]));

test("SAFETY 4, EMFILE: however few descriptors are left, each call succeeds or fails cleanly", async () => {
  const root = join(await temporaryPlace(), "root");
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, "d/f"), "one\n");
  writeFileSync(join(root, "d/g"), "g\n");
  const asked: Asked[] = [
    ["edit_file", { path: "d/f", old: "one", new: "two" }],
    ["edit_file", { path: "d/f", old: "two", new: "one" }],
    ["write_file", { path: "d/g", content: "g\n" }],
    ["list_files", { depth: 3 }],
    ["list_files", { pattern: "**" }],
    ["read_file", { path: "d/g" }],
    ["search_workspace", { pattern: "g" }],
  ];
  // Closes inherited descriptors, which would count, too.
  const alone = ["perl", "-e", "use POSIX; POSIX::close($_) for 3 .. 1023; exec @ARGV"];
  const limited = [...alone, "/bin/sh", "-c", 'ulimit -n 128; exec "$@"', "sh"];
  const told = inChild(limited, ["descriptors", root, "40"], asked);
  const right = ["d/\nd/f\nd/g", "d/f\nd/g", "1\tg", "d/g:1: g"];
  let [done, failed] = [0, 0];
  for (const all of told) {
    for (const [at, { outcome, words }] of all.entries()) {
      if (outcome === "ok" && at >= 3) expect(words).toBe(right[at - 3]);
      if (outcome === "ok") done++;
      else failed++;
      if (outcome !== "ok")
        expect(words).toMatch(/too many files|Too many files|EMFILE|EINVAL|was not found/);
    }
  }
  expect(told.at(-1)?.map(({ outcome }) => outcome)).toEqual(asked.map(() => "ok"));
  expect(Math.min(done, failed)).toBeGreaterThan(0);
  expect(["one\n", "two\n"]).toContain(readFileSync(join(root, "d/f"), "utf8"));
  expect(readdirSync(join(root, "d"))).toEqual(["f", "g"]);
});
