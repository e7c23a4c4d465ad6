import { execFile, execFileSync } from "node:child_process";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  makeDirectory,
  makeDirectorySync,
  readRegularFile,
  readWindow,
  removeFile,
  writeAtomically,
} from "./own-files.ts";

let place = "";
const at = (name: string): string => join(place, name);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limit = { maxBytes: 1024 };

beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "toolwright-fs-"))));
afterEach(() => rm(place, { recursive: true, force: true }));

async function codeOf(
  result: Promise<{ ok: boolean; problem?: { code: string; message: string } }>,
): Promise<unknown> {
  const { problem } = await result;
  expect(problem?.message).not.toContain("\n");
  return problem?.code;
}

test("a regular file is read whole, up to the limit", async () => {
  await writeFile(at("a"), "x".repeat(1024));
  await writeFile(at("empty"), "");
  expect(await readRegularFile(at("a"), limit)).toEqual({ ok: true, value: bytes("x".repeat(1024)) });
  expect(await readRegularFile(at("empty"), limit)).toEqual({ ok: true, value: bytes("") });
  await writeFile(at("a"), "x".repeat(1025));
  expect(await codeOf(readRegularFile(at("a"), limit))).toBe("EFBIG");
});

const read = (path: string): Promise<unknown> => codeOf(readRegularFile(path, limit));

test("FIFOs, devices, sockets, directories, symlinks and missing files fail without blocking", async () => {
  execFileSync("mkfifo", [at("fifo")]);
  await symlink(at("a"), at("link"));
  const server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  expect(await read(at("fifo"))).toBe("ENXIO");
  expect(await read("/dev/zero")).toBe("ENXIO");
  expect(await read(at("socket"))).toBe("ENXIO");
  expect(await read(place)).toBe("EISDIR");
  expect(await read(at("link"))).toBe("ELOOP");
  expect(await read(at("none"))).toBe("ENOENT");
  expect(await read(at("fifo/below"))).toBe("ENOTDIR");
  expect(await read(at("n".repeat(300)))).toBe("ENAMETOOLONG");
  await new Promise((resolve) => server.close(resolve));
});

test("eight reads of FIFOs do not block the read of a normal file", async () => {
  execFileSync("mkfifo", [at("fifo")]);
  await writeFile(at("a"), "here");
  const fifos = Array.from({ length: 8 }, () => codeOf(readRegularFile(at("fifo"), limit)));
  expect(await readRegularFile(at("a"), limit)).toEqual({ ok: true, value: bytes("here") });
  expect(await Promise.all(fifos)).toEqual(Array.from({ length: 8 }, () => "ENXIO"));
});

test("a window of a huge sparse file is read, with the size of the whole file", async () => {
  const file = await open(at("huge"), "w");
  const size = 50 * 1024 ** 3;
  await file.truncate(size);
  await file.write("end", size - 3);
  await file.close();
  expect(await readWindow(at("huge"), { offset: size - 3, length: 100 })).toEqual({
    ok: true,
    value: { bytes: bytes("end"), offset: size - 3, size },
  });
  expect(await codeOf(readRegularFile(at("huge"), limit))).toBe("EFBIG");
});

test("a window equals a slice of the whole file", async () => {
  const whole = bytes(Array.from({ length: 300 }, (_, i) => `${i},`).join(""));
  await writeFile(at("a"), whole);
  await fc.assert(
    fc.asyncProperty(fc.nat(1500), fc.nat(1500), async (offset, length) => {
      const expected = { bytes: whole.slice(offset, offset + length), offset, size: whole.length };
      expect(await readWindow(at("a"), { offset, length })).toEqual({ ok: true, value: expected });
    }),
    { numRuns: 50 },
  );
});

test("E1: a write creates missing directories, also when many writes do so concurrently", async () => {
  const names = Array.from({ length: 20 }, (_, i) => `deep/er/${i}.txt`);
  const results = await Promise.all(names.map((name) => writeAtomically(at(name), bytes(name))));
  expect(results.every((result) => result.ok)).toBe(true);
  expect(await readdir(at("deep/er"))).toHaveLength(20);
});

test("a write replaces the content, keeps the mode, and breaks a hard link instead of writing through it", async () => {
  await writeFile(at("a.sh"), "old");
  await chmod(at("a.sh"), 0o750);
  await link(at("a.sh"), at("other-name"));
  expect(await writeAtomically(at("a.sh"), bytes("new"))).toEqual({ ok: true, value: undefined });
  expect(await readFile(at("a.sh"), "utf8")).toBe("new");
  expect((await stat(at("a.sh"))).mode & 0o777).toBe(0o750);
  expect(await readFile(at("other-name"), "utf8")).toBe("old");
  expect((await readdir(place)).toSorted()).toEqual(["a.sh", "other-name"]);
});

test("a new file gets the requested mode, and the longest name can be written", async () => {
  await writeAtomically(at("secret"), bytes("s"), 0o600);
  expect((await stat(at("secret"))).mode & 0o777).toBe(0o600);
  expect((await writeAtomically(at("é".repeat(127)), bytes("long"))).ok).toBe(true);
});

test("symlinks, FIFOs, directories and read-only files are not replaced", async () => {
  execFileSync("mkfifo", [at("fifo")]);
  await writeFile(at("a"), "old");
  await symlink(at("a"), at("link"));
  await writeFile(at("locked"), "old", { mode: 0o444 });
  const write = (name: string): Promise<unknown> => codeOf(writeAtomically(at(name), bytes("new")));
  expect(await write("fifo")).toBe("ENXIO");
  expect(await write("link")).toBe("ELOOP");
  expect(await write("")).toBe("EISDIR");
  expect(await write("locked")).toBe("EACCES");
  expect(await write("a/below")).toMatch(/^(EEXIST|ENOTDIR)$/);
  expect(await readFile(at("a"), "utf8")).toBe("old");
  expect(await readFile(at("locked"), "utf8")).toBe("old");
  expect((await readdir(place)).toSorted()).toEqual(["a", "fifo", "link", "locked"]);
});

test("a write without enough room leaves the old file, no temporary file, and one clear line", async () => {
  await writeFile(at("a"), "old");
  const script = `
    import { writeAtomically } from ${JSON.stringify(new URL("own-files.ts", import.meta.url).href)};
    process.on("SIGXFSZ", () => {});
    const result = await writeAtomically(process.argv[1], new Uint8Array(1e6));
    console.log(JSON.stringify(result));`;
  // A file size limit simulates a full disk: both fail in the middle of writing.
  const command = `ulimit -f 16; exec "$0" --input-type=module -e "$1" "$2"`;
  const { stdout } = await promisify(execFile)("bash", ["-c", command, process.execPath, script, at("a")]);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    problem: {
      code: "EFBIG",
      message: `Cannot write ${at("a")}: it is larger than a file may be here; nothing was changed`,
    },
  });
  expect(await readFile(at("a"), "utf8")).toBe("old");
  expect(await readdir(place)).toEqual(["a"]);
});

test("readers see the old content or the new one, never a part", async () => {
  const contents = ["a".repeat(200_000), "b".repeat(300_000)];
  await writeFile(at("a"), contents[0] ?? "");
  const writing = { done: false };
  const writes = (async () => {
    for (let i = 0; i < 20; i++) await writeAtomically(at("a"), bytes(contents[(i + 1) % 2] ?? ""));
    writing.done = true;
  })();
  while (!writing.done) expect(contents.includes(await readFile(at("a"), "utf8"))).toBe(true);
  await writes;
});

test("removing deletes files and symlinks, and nothing else", async () => {
  await writeFile(at("a"), "a");
  await symlink(at("a"), at("link"));
  await mkdir(at("directory"));
  expect(await removeFile(at("link"))).toEqual({ ok: true, value: undefined });
  expect(await readdir(place)).toEqual(["a", "directory"]);
  expect(await removeFile(at("a"))).toEqual({ ok: true, value: undefined });
  expect(await codeOf(removeFile(at("a")))).toBe("ENOENT");
  expect(await codeOf(removeFile(at("directory")))).toBe("EISDIR");
});

test("a directory is created with its missing parents; an obstacle is reported, and nothing blocks forever", async () => {
  await makeDirectory(at("a/b/c"), 0o700);
  await makeDirectory(at("a/b/c"));
  expect((await stat(at("a/b/c"))).mode & 0o777).toBe(0o700);
  await writeFile(at("file"), "x");
  await symlink(at("nowhere"), at("dangling"));
  const codes = async (make: (path: string) => Promise<void>): Promise<unknown[]> =>
    Promise.all(
      ["file", "file/below", "dangling", "dangling/below"].map((name) =>
        make(at(name)).catch((error: unknown) => (error as { code: string }).code),
      ),
    );
  expect(await codes(makeDirectory)).toEqual(["EEXIST", "ENOTDIR", "EEXIST", "EEXIST"]);
  expect(new Set(await codes(async (path) => makeDirectorySync(path)))).toEqual(new Set(["EEXIST"]));
  makeDirectorySync(at("d/e/f"), 0o700);
  makeDirectorySync(at("d/e/f"));
  expect((await stat(at("d/e"))).mode & 0o777).toBe(0o700);
  // Node's own recursive mkdir never returns here.
  await expect(makeDirectory("/proc/self/none/below")).rejects.toThrow();
  expect(() => makeDirectorySync("/proc/self/none/below")).toThrow(/ENOENT/u);
  await Promise.all(["x/1", "x/2", "x/1"].map((name) => makeDirectory(at(name))));
  expect((await readdir(at("x"))).toSorted()).toEqual(["1", "2"]);
});
