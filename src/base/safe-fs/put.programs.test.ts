import { execFileSync } from "node:child_process";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { contentOf, fileImage, type Image } from "./image.ts";
import { bytes, codeOf, snapshot, temporaryDirectory, treeOver } from "./testing/tree.ts";
import type { Tree } from "./tree.ts";

let root = "";
let tree: Tree;
const at = (name: string): string => join(root, name);
const text = (name: string): Promise<string> => readFile(at(name), "utf8");
const modeOf = async (name: string): Promise<number> => (await stat(at(name))).mode & 0o7777;
const file = (words: string, mode?: number): Image => fileImage(bytes(words), mode);
const put = (path: string, before: Image | null, after: Image | null): Promise<string> =>
  codeOf(tree.put({ path, before, after }));

describe.each(["by descriptor", "by name"] as const)("put in a tree held %s", (held) => {
  beforeEach(async () => {
    root = await temporaryDirectory();
    tree = treeOver(root, held);
    await writeFile(at("a"), "old");
  });

  test("E1: a file is created with its missing parent directories, replaced and removed", async () => {
    expect(await put("x/y/new", null, file("new"))).toBe("ok");
    expect(await text("x/y/new")).toBe("new");
    expect(await modeOf("x/y/new")).toBe(0o666 & ~process.umask());
    expect(await put("x/y/new", file("new"), file("newer"))).toBe("ok");
    expect(await text("x/y/new")).toBe("newer");
    expect(await put("x/y/new", file("newer"), null)).toBe("ok");
    expect(await readdir(at("x/y"))).toEqual([]);
    expect(await readdir(root)).toEqual(["a", "x"]);
  });

  test("SAFETY 4, stale edit: a path that differs from the plan is refused and left unchanged", async () => {
    await symlink("a", at("link"));
    await mkdir(at("d"));
    const before = await snapshot(root);
    const stale: [string, Image | null, Image | null][] = [
      ["a", null, file("new")],
      ["a", file("other"), file("new")],
      ["a", file("xld"), null],
      ["a", file("old", 0o600), file("new")],
      ["a", { kind: "directory" }, null],
      ["none", file("old"), file("new")],
      ["none/deep", file("old"), null],
      ["link", file("old"), file("new")],
      ["link", { kind: "link", target: "b" }, null],
      ["d", null, { kind: "directory" }],
      ["d", file(""), file("new")],
      ["d", { kind: "directory", mode: 0o700 }, null],
    ];
    for (const [path, was, is] of stale)
      expect(await put(path, was, is), `${path} ${was?.kind}`).toBe("ESTALE");
    expect(await snapshot(root)).toEqual(before);
    expect(await tree.put({ path: "a", before: file("other"), after: null })).toEqual({
      ok: false,
      problem: {
        code: "ESTALE",
        message:
          "a has changed since this was planned; nothing was written. Read it again and repeat the change",
      },
    });
  });

  test("modes are kept, and set-id bits only if the image has them", async () => {
    await chmod(at("a"), 0o4751);
    expect(await put("a", file("old"), file("new"))).toBe("ok");
    expect(await modeOf("a")).toBe(0o751);
    expect(await put("a", file("new"), file("newer", 0o4755))).toBe("ok");
    expect(await modeOf("a")).toBe(0o4755);
    expect(await put("b", null, file("script", 0o700))).toBe("ok");
    expect(await modeOf("b")).toBe(0o700);
  });

  test("SAFETY 4, read-only (0444): a read-only file in a writable directory is replaced and keeps its mode", async () => {
    await chmod(at("a"), 0o444);
    expect(await put("a", file("old", 0o444), file("new"))).toBe("ok");
    expect([await text("a"), await modeOf("a")]).toEqual(["new", 0o444]);
  });

  test("SAFETY 4, hard link to an outside file: the other name keeps its content and its mode", async () => {
    const outside = join(await temporaryDirectory(), "x");
    await link(at("a"), outside);
    const mode = await modeOf("a");
    expect(await put("a", file("old"), file("old", 0o700))).toBe("ok");
    expect([await modeOf("a"), (await stat(outside)).mode & 0o777]).toEqual([0o700, mode]);
    await rm(outside);
    await link(at("a"), outside);
    expect(await put("a", file("old"), file("new"))).toBe("ok");
    expect([await text("a"), await readFile(outside, "utf8")]).toEqual(["new", "old"]);
  });

  test("a change of the mode alone keeps the same inode", async () => {
    const { ino } = await lstat(at("a"));
    expect(await put("a", file("old", (await modeOf("a")) & 0o777), file("old", 0o750))).toBe("ok");
    expect([await modeOf("a"), (await lstat(at("a"))).ino]).toEqual([0o750, ino]);
    await mkdir(at("d"), { mode: 0o755 });
    expect(await put("d", { kind: "directory" }, { kind: "directory", mode: 0o700 })).toBe("ok");
    expect(await modeOf("d")).toBe(0o700);
  });

  test("symlinks and directories are created, replaced and removed, and any kind can replace another", async () => {
    const [one, other]: Image[] = [
      { kind: "link", target: "../out/side" },
      { kind: "link", target: "a" },
    ];
    const directory: Image = { kind: "directory", mode: 0o710 };
    const kinds: (Image | null)[] = [one ?? null, other ?? null, directory, file("f"), one ?? null, null];
    const more = [directory, other ?? null, file("f"), directory, null];
    let before: Image | null = null;
    for (const after of [...kinds, ...more]) {
      expect(await put("thing", before, after), `${before?.kind} to ${after?.kind}`).toBe("ok");
      const stats = await lstat(at("thing")).catch(() => undefined);
      if (after === null) expect(stats).toBeUndefined();
      else if (after.kind === "link") expect(await readlink(at("thing"))).toBe(after.target);
      else if (after.kind === "directory") expect(stats && stats.mode & 0o7777).toBe(0o710);
      else expect(await text("thing")).toBe("f");
      before = after;
    }
    expect(await readdir(root)).toEqual(["a"]);
  });

  test("a directory that is not empty is not removed, and nothing is put below a file", async () => {
    await mkdir(at("d"));
    await writeFile(at("d/x"), "x");
    expect(await put("d", { kind: "directory" }, null)).toBe("ENOTEMPTY");
    expect(await put("d", { kind: "directory" }, file("new"))).toBe("ENOTEMPTY");
    expect(await put("a/below", null, file("new"))).toBe("ENOTDIR");
    expect(await put(".", { kind: "directory" }, null)).toBe("EINVAL");
    expect(await put("../x", null, file("new"))).toBe("EINVAL");
    expect((await readdir(root)).toSorted()).toEqual(["a", "d"]);
  });

  test("content that is damaged or cannot be read is not written", async () => {
    const wrong: Image = {
      kind: "file",
      content: { ...contentOf(bytes("new")), read: async () => bytes("new!") },
    };
    expect(await put("a", file("old"), wrong)).toBe("EIO");
    const unreadable = { ...contentOf(bytes("new")), read: () => Promise.reject(new Error("gone")) };
    expect(await put("sub/b", null, { kind: "file", content: unreadable })).toBe("EUNKNOWN");
    expect([await readdir(root), await text("a")]).toEqual([["a"], "old"]);
  });

  test("the longest and the oddest names can be written", async () => {
    for (const name of ["é".repeat(127), "😀".repeat(63), " ", "a b\n", "-rf", "~", "$HOME", "C:x", "\\"])
      expect(await put(name, null, file("x")), name).toBe("ok");
  });
});

test("a put whose directory is replaced by a symlink meanwhile writes nothing outside", async () => {
  root = await temporaryDirectory();
  const outside = await temporaryDirectory();
  tree = treeOver(root);
  await mkdir(at("d"));
  const swapping: Image = {
    kind: "file",
    content: {
      ...contentOf(bytes("new")),
      async read() {
        await rm(at("d"), { recursive: true });
        await symlink(outside, at("d"));
        return bytes("new");
      },
    },
  };
  expect(await put("d/x", null, swapping)).not.toBe("ok");
  expect(await readdir(outside)).toEqual([]);
});

test("SAFETY 4, stale edit: a file that is saved between the check and the rename is not replaced", async () => {
  root = await temporaryDirectory();
  tree = treeOver(root);
  await writeFile(at("a"), "old");
  const slow = (path: string): Image => ({
    kind: "file",
    content: {
      ...contentOf(bytes("new")),
      read: async () => (await writeFile(at(path), "hers"), bytes("new")),
    },
  });
  expect(await put("a", file("old"), slow("a"))).toBe("ESTALE");
  expect(await put("b", null, slow("b"))).toBe("ESTALE");
  expect([await text("a"), await text("b"), await readdir(root)]).toEqual(["hers", "hers", ["a", "b"]]);
});

test("the owner and group are kept where the system allows it", async () => {
  root = await temporaryDirectory();
  tree = treeOver(root);
  await writeFile(at("a"), "old");
  const isRoot = process.getuid?.() === 0;
  const [uid, gid] = isRoot ? [1234, 4321] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  await chown(at("a"), uid, gid);
  expect(await put("a", file("old"), file("new"))).toBe("ok");
  expect(await stat(at("a"))).toMatchObject({ uid, gid });
});

test("readers see the old content or the new one, never a part, and never nothing", async () => {
  root = await temporaryDirectory();
  tree = treeOver(root);
  const contents = ["a".repeat(200_000), "b".repeat(300_000)];
  await writeFile(at("a"), contents[0] ?? "");
  const writing = { done: false };
  const writes = (async () => {
    for (let i = 0; i < 20; i++)
      expect(await put("a", file(contents[i % 2] ?? ""), file(contents[(i + 1) % 2] ?? ""))).toBe("ok");
    writing.done = true;
  })();
  while (!writing.done) expect(contents.includes(await text("a"))).toBe(true);
  await writes;
});

test("two agents edit one file: of their concurrent edits none is lost", async () => {
  root = await temporaryDirectory();
  tree = treeOver(root);
  await writeFile(at("a"), "");
  const others = treeOver(root);
  const append = async (word: string): Promise<void> => {
    for (;;) {
      const now = await text("a");
      const which = word.length % 2 === 0 ? tree : others;
      const change = { path: "a", before: file(now), after: file(`${now}${word}\n`) };
      if ((await codeOf(which.put(change, { durable: false }))) === "ok") return;
    }
  };
  const words = Array.from({ length: 8 }, (_, writer) => "x".repeat(writer + 1));
  await Promise.all([...words, ...words].map(append));
  expect((await text("a")).trim().split("\n").toSorted()).toEqual([...words, ...words].toSorted());
});

test("locked keeps others out, and admits the writes of its own work", async () => {
  root = await temporaryDirectory();
  tree = treeOver(root);
  await writeFile(at("a"), "0");
  const other = treeOver(root);
  const add = (which: Tree): Promise<void> =>
    which.locked(["a"], async () => {
      const now = await text("a");
      expect(
        await codeOf(which.put({ path: "a", before: file(now), after: file(String(Number(now) + 1)) })),
      ).toBe("ok");
    });
  await Promise.all(Array.from({ length: 20 }, (_, i) => add(i % 2 === 0 ? tree : other)));
  expect(await text("a")).toBe("20");
});

test("SAFETY 4, disk full: the old content stays, with one clear line and no temporary file", async () => {
  root = await temporaryDirectory();
  await writeFile(at("a"), "old");
  const script = `
    import { fileImage } from ${JSON.stringify(new URL("image.ts", import.meta.url).href)};
    import { openTree } from ${JSON.stringify(new URL("open-tree.ts", import.meta.url).href)};
    process.on("SIGXFSZ", () => {});
    const tree = openTree(process.argv[1]).value;
    const change = { path: "a", before: fileImage(new TextEncoder().encode("old")), after: fileImage(new Uint8Array(1e6)) };
    console.log(JSON.stringify(await tree.put(change)));`;
  // A file size limit simulates a full disk: both fail in the middle of writing.
  const command = `ulimit -f 16; exec "$0" --input-type=module -e "$1" "$2"`;
  const output = execFileSync("bash", ["-c", command, process.execPath, script, root], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({
    ok: false,
    problem: {
      code: "EFBIG",
      message: "Cannot write a: it is larger than a file may be here; nothing was changed",
    },
  });
  expect([await text("a"), await readdir(root)]).toEqual(["old", ["a"]]);
});

test("SAFETY 4, too many open files: a clear error, and the old content stays", async () => {
  root = await temporaryDirectory();
  await writeFile(at("a"), "old");
  const script = `
    import { openSync } from "node:fs";
    import { fileImage } from ${JSON.stringify(new URL("image.ts", import.meta.url).href)};
    import { openTree } from ${JSON.stringify(new URL("open-tree.ts", import.meta.url).href)};
    const tree = openTree(process.argv[1]).value;
    const image = (words) => fileImage(new TextEncoder().encode(words));
    const change = { path: "a", before: image("old"), after: image("new") };
    await tree.put({ path: "b", before: null, after: image("loads what is loaded late") });
    try { for (;;) openSync("/dev/null") } catch {}
    const done = await tree.put(change);
    process.stdout.write(JSON.stringify(done));`;
  const command = `ulimit -n 100; exec "$0" --input-type=module -e "$1" "$2"`;
  const output = execFileSync("bash", ["-c", command, process.execPath, script, root], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({
    ok: false,
    problem: { code: "EMFILE", message: "Cannot write a: too many files are open; try again" },
  });
  expect([await text("a"), await readdir(root)]).toEqual(["old", ["a", "b"]]);
});
