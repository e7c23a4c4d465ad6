import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { bytesOfImage, fileImage, isSameImage } from "./image.ts";
import { openTree } from "./open-tree.ts";
import { bytes, codeOf, openDescriptors, temporaryDirectory, treeOver, valueOf } from "./testing/tree.ts";
import type { Tree } from "./tree.ts";

const limit = { maxBytes: 1024 };
let root = "";
let outside = "";
const at = (name: string): string => join(root, name);

beforeEach(async () => {
  root = await temporaryDirectory();
  outside = await temporaryDirectory();
  await mkdir(at("d/deep"), { recursive: true });
  await writeFile(at("a"), "here");
  await writeFile(at("d/deep/b"), "below");
  await writeFile(join(outside, "x"), "secret");
});

describe.each(["by descriptor", "by name"] as const)("a tree held %s", (held) => {
  let tree: Tree;
  beforeEach(() => void (tree = treeOver(root, held)));

  test("yields to other work while thousands of small files are read one after the other", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    for (let i = 0; i < 2000; i++) await valueOf(tree.read("a", limit));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });

  test("reads a file longer than its reported size to its end, but not beyond the limit", async () => {
    const proc = treeOver("/proc/self", held);
    const words = new TextDecoder().decode(await valueOf(proc.read("status", { maxBytes: 100_000 })));
    expect(words).toMatch(/^Name:.*\n[^]*\n$/);
    expect(await codeOf(proc.read("status", { maxBytes: 10 }))).toBe("EFBIG");
    const part = await valueOf(proc.window("status", { offset: 2, length: 3 }));
    expect(new TextDecoder().decode(part.bytes)).toBe(words.slice(2, 5));
  });

  test("describes an existing entry, and gives null for a missing one", async () => {
    await chmod(at("a"), 0o640);
    await link(at("a"), at("other-name"));
    await symlink("a", at("link"));
    expect(await valueOf(tree.look("a"))).toMatchObject({ kind: "file", size: 4, mode: 0o640, links: 2 });
    expect(await valueOf(tree.look("link"))).toMatchObject({ kind: "link" });
    expect(await valueOf(tree.look("."))).toMatchObject({ kind: "directory" });
    expect(await valueOf(tree.look("none/of/it"))).toBeNull();
    expect(await valueOf(tree.look("a/below"))).toBeNull();
    const [one, other] = [await valueOf(tree.look("a")), await valueOf(tree.look("other-name"))];
    expect(one?.identity).toBe(other?.identity);
  });

  test("gives another signature after a change of content, mode or identity", async () => {
    const signatures = new Set<string | undefined>();
    const note = async (): Promise<unknown> => signatures.add((await valueOf(tree.look("a")))?.signature);
    await note();
    await writeFile(at("a"), "HERE");
    await note();
    await chmod(at("a"), 0o600);
    await note();
    await rm(at("a"));
    await writeFile(at("a"), "HERE", { mode: 0o600 });
    await note();
    expect(signatures.size).toBe(4);
  });

  test("reads files, parts of files and directories", async () => {
    expect(await valueOf(tree.read("d/deep/b", limit))).toEqual(bytes("below"));
    expect(await valueOf(tree.window("a", { offset: 2, length: 9 }))).toEqual({
      bytes: bytes("re"),
      offset: 2,
      size: 4,
    });
    expect((await valueOf(tree.list("."))).toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "a", kind: "file" },
      { name: "d", kind: "directory" },
    ]);
    expect(await valueOf(tree.list("d/deep", { sizes: true }))).toEqual([
      { name: "b", kind: "file", size: 5 },
    ]);
    expect(await tree.read("none", limit)).toEqual({
      ok: false,
      problem: { code: "ENOENT", message: "Cannot read none: there is no such file or directory" },
    });
    expect(await codeOf(tree.read("a", { maxBytes: 3 }))).toBe("EFBIG");
    expect(await codeOf(tree.list("a"))).toBe("ENOTDIR");
  });

  test("images hold kind, mode, content and target", async () => {
    await chmod(at("a"), 0o750);
    await chmod(at("d"), 0o711);
    await symlink("../nowhere", at("link"));
    const image = await valueOf(tree.image("a", limit));
    expect(isSameImage(image, fileImage(bytes("here"), 0o750))).toBe(true);
    expect(image && (await bytesOfImage(image))).toEqual(bytes("here"));
    expect(await valueOf(tree.image("d", limit))).toEqual({ kind: "directory", mode: 0o711 });
    expect(await valueOf(tree.image("link", limit))).toEqual({ kind: "link", target: "../nowhere" });
    expect(await valueOf(tree.image("none/x", limit))).toBeNull();
    expect(await codeOf(tree.image("a", { maxBytes: 3 }))).toBe("EFBIG");
  });

  test("SAFETY 4, symlink out: no symlink is followed, within the path or at its end", async () => {
    await symlink(outside, at("parent"));
    await symlink(join(outside, "x"), at("file"));
    await symlink("parent", at("chain"));
    await symlink("loop", at("loop"));
    for (const path of ["parent/x", "file", "chain/x", "loop", "loop/x", "d/../parent/x"]) {
      const code = path.includes("..") ? "EINVAL" : "ELOOP";
      expect(await codeOf(tree.read(path, limit)), path).toBe(code);
      expect(await codeOf(tree.window(path, { offset: 0, length: 1 })), path).toBe(code);
    }
    expect(await codeOf(tree.list("parent"))).toBe("ELOOP");
    expect(await codeOf(tree.image("parent/x", limit))).toBe("ELOOP");
    expect(await codeOf(tree.put({ path: "parent/x", before: null, after: fileImage(bytes("!")) }))).toBe(
      "ELOOP",
    );
    expect(await codeOf(tree.look("parent/x"))).toBe("ELOOP");
  });

  test("SAFETY 4, FIFOs, sockets, devices and directories: a typed error without blocking, however many", async () => {
    execFileSync("mkfifo", [at("fifo")]);
    const server = createServer().listen(at("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    const fifos = Array.from({ length: 8 }, () => codeOf(tree.read("fifo", limit)));
    expect(await valueOf(tree.read("a", limit))).toEqual(bytes("here"));
    expect(await Promise.all(fifos)).toEqual(fifos.map(() => "ENXIO"));
    expect(await codeOf(tree.read("socket", limit))).toBe("ENXIO");
    expect(await codeOf(tree.image("fifo", limit))).toBe("ENXIO");
    expect(await codeOf(tree.read("d", limit))).toBe("EISDIR");
    expect(await codeOf(treeOver("/dev", held).read("zero", limit))).toBe("ENXIO");
    expect(await codeOf(tree.put({ path: "fifo", before: null, after: fileImage(bytes("!")) }))).toBe(
      "ESTALE",
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test("SAFETY 4, huge file: a window of a 50 GB file is read in little memory", async () => {
    const file = await open(at("huge"), "w");
    const size = 50 * 1024 ** 3;
    await file.truncate(size);
    await file.write("end", size - 3);
    await file.close();
    const before = process.memoryUsage.rss();
    expect(await valueOf(tree.window("huge", { offset: size - 3, length: 100 }))).toMatchObject({
      bytes: bytes("end"),
      size,
    });
    expect(await codeOf(tree.read("huge", { maxBytes: 2 ** 24 }))).toBe("EFBIG");
    expect(await codeOf(tree.image("huge", { maxBytes: 2 ** 24 }))).toBe("EFBIG");
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 ** 2);
  });

  test("no error message contains our own paths or a line break", async () => {
    await chmod(at("d"), 0o000);
    const paths = ["d/deep/b", "a/b", "none", "x\ny", "n".repeat(300), "d", "..", `${"d/".repeat(3000)}d`];
    for (const path of paths) {
      const read = await tree.read(path, limit);
      const words = read.ok ? "" : read.problem.message;
      expect(words).not.toMatch(/\n|\/proc|toolwright-tree/);
      expect(words.length).toBeLessThan(500);
    }
    await chmod(at("d"), 0o755);
  });
});

test("an open tree still reaches its files after its root was moved", async () => {
  const tree = treeOver(root);
  await rename(root, `${root}-moved`);
  await mkdir(root);
  await writeFile(at("a"), "another");
  expect(await valueOf(tree.read("a", limit))).toEqual(bytes("here"));
  await rm(root, { recursive: true });
  await rename(`${root}-moved`, root);
});

test("a root that is missing or no directory is reported, and a closed tree opens nothing", async () => {
  expect(openTree(at("none"))).toEqual({
    ok: false,
    problem: `Cannot open ${at("none")}: there is no such file or directory.`,
  });
  expect(openTree(at("a"))).toMatchObject({ ok: false });
  const tree = treeOver(root);
  tree.close();
  tree.close();
  expect(await tree.read("a", limit)).toMatchObject({ ok: false, problem: { code: "EBADF" } });
  expect(await codeOf(tree.put({ path: "b", before: null, after: fileImage(bytes("!")) }))).toBe("EBADF");
});

test("a symlink whose target is not valid text gives an error instead of a wrong target", async () => {
  const target = Buffer.from([0xff, 0x78]);
  await symlink(target, at("odd"));
  const tree = treeOver(root);
  expect(await tree.image("odd", limit)).toMatchObject({
    ok: false,
    problem: { code: "EILSEQ", message: expect.stringContaining("odd is a symbolic link to a name") },
  });
  expect(await tree.look("odd")).toMatchObject({ ok: true, value: { kind: "link" } });
});

test("no operation leaves a descriptor open, whether it succeeds or fails", async () => {
  const tree = treeOver(root);
  await symlink(outside, at("link"));
  execFileSync("mkfifo", [at("fifo")]);
  const before = openDescriptors();
  const paths = ["a", "d/deep/b", "none/x", "a/x", "link/x", "link", "fifo", "d", ".", "..", "n".repeat(300)];
  for (let i = 0; i < 20; i++)
    for (const path of paths) {
      await Promise.all([
        tree.read(path, limit),
        tree.window(path, { offset: 1, length: 1 }),
        tree.list(path),
        tree.image(path, { maxBytes: 2 }),
        tree.look(path),
        tree.put({ path, before: fileImage(bytes("other")), after: fileImage(bytes("new")) }),
        tree.put({ path: `${path}/new`, before: null, after: { kind: "directory" } }),
        tree.put({ path: `${path}/new`, before: { kind: "directory" }, after: null }),
        tree.removeLeftovers([path]),
      ]);
    }
  expect(openDescriptors()).toBe(before);
});
