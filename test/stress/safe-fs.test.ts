import { execFile, execFileSync } from "node:child_process";
import { link, mkdir, mkdtemp, open, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { insideWorkspace } from "../../src/base/paths.ts";
import { applyChanges } from "../../src/base/safe-fs/apply.ts";
import { type Change, fileImage, type Image } from "../../src/base/safe-fs/image.ts";
import { bytes, openDescriptors, snapshot } from "../../src/base/safe-fs/testing/tree.ts";
import { bytesReadUntil } from "../../src/testing/bytes-read.ts";
import { scale } from "../../src/testing/scale.ts";
import { fileToChange } from "../../src/tools/files/place.ts";
import { listFiles } from "../../src/tools/list-files.ts";
import { readFile as readFileTool } from "../../src/tools/read-file.ts";
import { searchWorkspace } from "../../src/tools/search-workspace.ts";
import { runTool, type TestToolContext, testContext, wordsOf } from "../../src/tools/testing/context.ts";
import { smallDisk } from "../support/small-disk.ts";

let place = "";
let context: TestToolContext;
const at = (name: string): string => join(context.workspace, name);

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "toolwright-safe-")));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  await mkdir(join(place, "root/d/deep"), { recursive: true });
  await mkdir(join(place, "root-evil"));
  await writeFile(join(place, "outside"), "secret");
  await writeFile(join(place, "root-evil/x"), "secret");
  context = testContext(join(place, "root"));
  onTestFinished(() => context.files.close());
  await writeFile(at("a"), "here");
  await symlink("/etc", at("etc"));
  await symlink("../outside", at("out"));
  await symlink("../root-evil", at("evil"));
  await symlink("etc", at("chain"));
  await symlink("loop", at("loop"));
  await symlink("/", at("slash"));
});

/** The output of every reading tool, and of the first step of a change, for one path. */
async function everythingOn(path: string): Promise<string[]> {
  const words = async (produced: ReturnType<typeof runTool>): Promise<string> =>
    wordsOf(await produced).words;
  const change = await fileToChange(context, path);
  return [
    await words(runTool(readFileTool, { path }, context)),
    await words(runTool(readFileTool, { path, from: 1, to: 2 }, context)),
    await words(runTool(listFiles, { path }, context)),
    await words(runTool(listFiles, { path, pattern: "**" }, context)),
    await words(runTool(searchWorkspace, { pattern: "secret|root|sh|.", path }, context)),
    change.ok ? `would change ${JSON.stringify(change.value.relative)}` : change.problem,
  ];
}

const spellings: readonly string[] = [
  "../outside",
  "../../etc/passwd",
  "../root-evil/x",
  "d/../../outside",
  "d/./../..//outside",
  "d/deep/../../../root-evil/x",
  "/etc/passwd",
  "//etc/passwd",
  "/proc/self/environ",
  "/proc/self/cwd/a",
  "/proc/self/root/etc/passwd",
  "/proc/1/environ",
  "/dev/zero",
  "/dev/fd/0",
  "/dev/stdin",
  "/sys/kernel/uevent_seqnum",
  "etc/passwd",
  "./etc/passwd",
  "out",
  "evil/x",
  "chain/passwd",
  "loop",
  "loop/x",
  "slash/etc/passwd",
  "slash/proc/self/environ",
  "d/../etc/passwd",
  "~/.ssh/id_rsa",
  "~",
  "file:///etc/passwd",
  "https://example.com/a",
  "",
  "a\0b",
  "..",
  "/",
];

test.each(spellings)(
  "SAFETY 4, paths that lead out: %j is refused by every tool that reads, and for changes",
  async (path) => {
    const before = await snapshot(place);
    for (const words of await everythingOn(path)) {
      expect(words).toMatch(/was refused/);
      expect(words).not.toMatch(/secret|root:|would change/);
    }
    expect(await snapshot(place)).toEqual(before);
  },
);

test.each([
  "$HOME",
  "%APPDATA%",
  "\\\\h\\s",
  "\\\\?\\C:\\x",
  "C:x",
  "~root",
  "${HOME}/.ssh",
  "$(id)",
  "d/b:c",
])("SAFETY 4, nothing is expanded: %j is an ordinary name in the workspace", async (path) => {
  expect(await fileToChange(context, path)).toMatchObject({
    ok: true,
    value: { relative: path, bytes: null },
  });
  const change: Change = { path, before: null, after: fileImage(bytes("plain")) };
  expect(await applyChanges(context.files, [change])).toMatchObject({ ok: true });
  expect(wordsOf(await runTool(readFileTool, { path }, context)).words).toBe("1\tplain");
});

test("SAFETY 4, paths that lead out: applying a change to one writes nothing outside", async () => {
  const outside = async (): Promise<unknown> =>
    Object.entries(await snapshot(place)).filter(([path]) => !path.startsWith("root/"));
  const before = await outside();
  for (const path of spellings) {
    expect((await insideWorkspace(context.workspace, path)).ok, path).toBe(false);
    const after = fileImage(bytes("!"));
    await applyChanges(context.files, [{ path, before: null, after }]);
    await applyChanges(context.files, [{ path, before: fileImage(bytes("secret")), after }]);
    await applyChanges(context.files, [{ path, before: fileImage(bytes("secret")), after: null }]);
  }
  expect(await outside()).toEqual(before);
});

test("no hang: FIFOs, sockets, directories and a sparse file of 50 GB are answered after reading under 4 MiB", async () => {
  execFileSync("mkfifo", [at("fifo")]);
  const server = createServer().listen(at("socket"));
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  for (const [name, start] of [
    ["sparse", ""],
    ["sparse-text", "text\n".repeat(5000)],
  ] as const) {
    const file = await open(at(name), "w");
    await file.write(start);
    await file.truncate(50 * 1024 ** 3);
    await file.close();
  }
  await everythingOn("a");
  for (const path of ["fifo", "socket", "d", "sparse", "sparse-text"]) {
    const memory = process.memoryUsage.rss();
    const tools = [
      () => runTool(readFileTool, { path }, context),
      () => runTool(readFileTool, { path, from: 1_000_000 }, context),
      () => runTool(listFiles, { path }, context),
      () => runTool(searchWorkspace, { pattern: "x", path }, context),
      () => fileToChange(context, path),
      () => context.files.put({ path, before: fileImage(bytes("x")), after: fileImage(bytes("y")) }),
    ];
    for (const tool of tools) expect(await bytesReadUntil(tool), path).toBeLessThan(4 * 1024 ** 2);
    expect(process.memoryUsage.rss() - memory, path).toBeLessThan(64 * 1024 ** 2);
  }
  expect(wordsOf(await runTool(readFileTool, { path: "fifo" }, context)).words).toBe(
    "fifo is a FIFO, not a regular file.",
  );
});

test("SAFETY 4, FIFO: eight concurrent reads of a FIFO do not block other files", async () => {
  execFileSync("mkfifo", [at("fifo")]);
  const fifos = Array.from({ length: 8 }, () => runTool(readFileTool, { path: "fifo" }, context));
  expect(wordsOf(await runTool(readFileTool, { path: "a" }, context)).words).toBe("1\there");
  for (const produced of await Promise.all(fifos)) expect(produced.outcome).toBe("failed");
});

test("SAFETY 4, hard link to an outside file: reading warns, and a change leaves the outside file untouched", async () => {
  await link(join(place, "outside"), at("linked"));
  const produced = wordsOf(await runTool(readFileTool, { path: "linked" }, context));
  expect(produced.words).toMatch(/^1\tsecret\n\[linked has 2 names \(hard links\), perhaps outside/);
  const change: Change = {
    path: "linked",
    before: fileImage(bytes("secret")),
    after: fileImage(bytes("mine")),
  };
  expect(await applyChanges(context.files, [change])).toMatchObject({ ok: true });
  expect(await readFile(join(place, "outside"), "utf8")).toBe("secret");
  expect(wordsOf(await runTool(readFileTool, { path: "linked" }, context)).words).toBe("1\tmine");
});

test("SAFETY 4, stale edit: of 1,000 saves by an editor between reading and writing, none is lost", async () => {
  const rounds = 1000 * scale;
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    await writeFile(at("a"), `read ${round}`);
    const now = await context.files.image("a", { maxBytes: 100 });
    const before: Image | null = now.ok ? now.value : null;
    const saved = round % 2 === 0;
    if (saved) await writeFile(at("a"), `hers ${round}`);
    const after = fileImage(bytes(`ours ${round}`));
    const done = await context.files.put({ path: "a", before, after }, { durable: false });
    expect(done.ok).toBe(!saved);
    if (!done.ok) refused++;
    expect(await readFile(at("a"), "utf8")).toBe(saved ? `hers ${round}` : `ours ${round}`);
  }
  expect(refused).toBe(rounds / 2);
});

test("SAFETY 4, two agents edit one file: 8 processes with 500 edits each lose no edit", async () => {
  await writeFile(at("shared"), "");
  const child = join(import.meta.dirname, "../support/tree-child.ts");
  const writers = Array.from({ length: 8 }, (_, writer) => `writer-${writer}`);
  const count = 500 * scale;
  await Promise.all(
    writers.map((writer) =>
      promisify(execFile)(process.execPath, [child, "append", context.workspace, writer, String(count)]),
    ),
  );
  const lines = (await readFile(at("shared"), "utf8")).trim().split("\n");
  const expected = writers.flatMap((writer) =>
    Array.from({ length: count }, (_, line) => `${writer} ${line}`),
  );
  expect(lines.toSorted()).toEqual(expected.toSorted());
  expect((await snapshot(context.workspace))["shared"]).toBeDefined();
  expect(Object.keys(await snapshot(context.workspace)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("SAFETY 4, disk full: when the fifth of nine files does not fit, all nine stay unchanged", async () => {
  const root = join(place, "small");
  await mkdir(root);
  for (let i = 1; i <= 9; i++) await writeFile(join(root, `f${i}`), `old ${i}`);
  const before = await snapshot(root);
  const disk = await smallDisk(root, { kilobytes: 256 });
  const script = `
    import { applyChanges } from ${JSON.stringify(new URL("../../src/base/safe-fs/apply.ts", import.meta.url).href)};
    import { fileImage } from ${JSON.stringify(new URL("../../src/base/safe-fs/image.ts", import.meta.url).href)};
    import { openTree } from ${JSON.stringify(new URL("../../src/base/safe-fs/open-tree.ts", import.meta.url).href)};
    process.on("SIGXFSZ", () => {});
    const image = (words) => fileImage(new TextEncoder().encode(words));
    const after = (i) => (i === 5 ? fileImage(new Uint8Array(1e6)) : image("new " + i));
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const changes = numbers.map((i) => ({ path: "f" + i, before: image("old " + i), after: after(i) }));
    console.log(JSON.stringify(await applyChanges(openTree(process.argv[1]).value, changes)));`;
  const [program = "", ...through] = disk.through;
  const node = [process.execPath, "--input-type=module", "-e", script, root];
  const { stdout } = await promisify(execFile)(program, [...through, ...node]);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^Cannot write f5: .*; nothing was changed\.$/),
  });
  expect(await snapshot(disk.after)).toEqual(before);
});

test("creating, replacing and removing 5,000 files leaves no descriptor open", async () => {
  const descriptors = openDescriptors();
  const before = await snapshot(context.workspace);
  const make = Array.from({ length: 5000 }, (_, i): Change => {
    return { path: `m/d${i % 40}/f${i}`, before: null, after: fileImage(bytes(`${i}`)) };
  });
  const apply = (changes: readonly Change[]) => applyChanges(context.files, changes, { durable: false });
  const made = await apply(make);
  expect(made.ok && made.value.length).toBe(5041);
  const replace = make.map((change): Change => ({
    ...change,
    before: change.after,
    after: fileImage(bytes(`new ${change.path}`)),
  }));
  expect(await apply(replace)).toMatchObject({ ok: true });
  const latest = new Map(replace.map(({ path, after }) => [path, after]));
  const inverse = (made.ok ? made.value : []).map(({ path, after }): Change => {
    return { path, before: latest.get(path) ?? after, after: null };
  });
  expect(await apply(inverse)).toMatchObject({ ok: true });
  expect(await snapshot(context.workspace)).toEqual(before);
  expect(openDescriptors()).toBe(descriptors);
});

test("SAFETY 4, glob through symlink cycles: listing and searching many files terminate", async () => {
  const many = 10_000 * scale;
  const make = `
    use strict; my ($root, $many) = @ARGV;
    for my $i (0 .. $many - 1) {
      my $d = "$root/m" . int($i / 500); mkdir $d; symlink "..", "$d/up";
      open my $f, ">", "$d/f$i.txt" or die; print $f "line $i\\n"; close $f;
    }`;
  execFileSync("perl", ["-e", make, context.workspace, String(many)]);
  const listed = wordsOf(await runTool(listFiles, { pattern: `*${many - 1}.txt` }, context)).words;
  expect(listed).toBe(`m${Math.floor((many - 1) / 500)}/f${many - 1}.txt`);
  const found = wordsOf(await runTool(searchWorkspace, { pattern: `^line ${many - 1}$` }, context)).words;
  expect(found).toContain(`line ${many - 1}`);
});
