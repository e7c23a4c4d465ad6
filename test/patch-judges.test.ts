/** apply_patch compared with git and diff: their patches apply to the byte, and drifted ones as in `git apply`. */

import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatPatch, structuredPatch } from "diff";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyChanges } from "../src/base/safe-fs/apply.ts";
import { scale } from "../src/testing/scale.ts";
import { applyPatch } from "../src/tools/apply-patch.ts";
import { outcomeOf } from "../src/tools/patch/testing/patch.ts";
import { runTool, testContext, wordsOf } from "../src/tools/testing/context.ts";
import { type Random, randomFrom } from "./support/patch-random.ts";

let root: string;
beforeEach(async () => void (root = await realpath(await mkdtemp(join(tmpdir(), "toolwright-patch-")))));
afterEach(() => rm(root, { recursive: true, force: true }));

type Files = ReadonlyMap<string, { bytes: Buffer; mode: number }>;

const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

const git = (directory: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "core.autocrlf=false", "-c", "core.safecrlf=false", ...words], {
    cwd: directory,
    env: environment,
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  }).toString();

async function put(directory: string, files: Files): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [path, { bytes, mode }] of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), bytes);
    await chmod(join(directory, path), mode);
  }
}

/** Content and executable bit of each path that exists. */
async function taken(directory: string, paths: Iterable<string>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of paths) {
    const bytes = await readFile(join(directory, path)).catch(() => undefined);
    if (bytes === undefined) continue;
    const runs = ((await stat(join(directory, path))).mode & 0o100) !== 0;
    found[path] = `${runs ? "x" : "-"} ${bytes.toString("latin1")}`;
  }
  return found;
}

function text(random: Random): string {
  const endings = random.pick(["\n", "\n", "\r\n", "mixed"]);
  const words = random.pick([
    ["a", "b", "", "c"],
    ["alpha", "  beta", "\tgamma", "", "}", "{", "-- dash", "++ plus", "é", "@@ -1 +1 @@", "--- x", "\\ No"],
    Array.from({ length: 200 }, (_, at) => `line ${at}`),
  ]);
  const lines = Array.from({ length: random.upTo(40) }, () => {
    const ending = endings === "mixed" ? random.pick(["\n", "\r\n"]) : endings;
    return random.pick(words) + ending;
  });
  const whole = (random.chance(0.1) ? "\uFEFF" : "") + lines.join("");
  return random.chance(0.3) ? whole.replace(/\r?\n$/, "") : whole;
}

function changedText(random: Random, before: string): string {
  const lines = before.split(/(?<=\n)/);
  for (let count = 1 + random.upTo(4); count > 0; count--) {
    const at = random.upTo(lines.length);
    const fresh = random.pick(["new\n", "new\r\n", "x\n", "\n", "a\n", "last"]);
    const isLast = at >= lines.length - 1;
    lines.splice(
      at,
      random.upTo(3),
      ...(random.chance(0.3) ? [] : [isLast || fresh !== "last" ? fresh : "x\n"]),
    );
  }
  return lines
    .map((line, at) => (at < lines.length - 1 && !line.endsWith("\n") ? `${line}\n` : line))
    .join("");
}

function project(random: Random): { before: Files; after: Files } {
  const before = new Map<string, { bytes: Buffer; mode: number }>();
  const after = new Map<string, { bytes: Buffer; mode: number }>();
  const names = [
    "a.txt",
    "b/c d.txt",
    "b/é.txt",
    "deep/er/x",
    'q"uote',
    "tab\there",
    "a/b",
    "-dash",
    "[x].ts",
  ];
  for (const name of names.filter(() => random.chance(0.6))) {
    const old = { bytes: Buffer.from(text(random)), mode: random.pick([0o644, 0o755]) };
    const fresh = {
      bytes: Buffer.from(changedText(random, old.bytes.toString())),
      mode: random.chance(0.2) ? 0o755 : old.mode,
    };
    const fate = random.pick(["change", "change", "change", "move", "delete", "create", "stay"]);
    if (fate !== "create") before.set(name, old);
    if (fate === "change" || fate === "create") after.set(name, fresh);
    if (fate === "stay") after.set(name, old);
    if (fate === "move") after.set(`${name}.moved`, random.chance(0.5) ? old : { ...fresh, mode: old.mode });
  }
  return { before, after };
}

test("patches by git diff of random projects apply to the byte: renames, modes, endings, odd names", async () => {
  const workspace = join(root, "work");
  let applied = 0;
  for (let run = 0; run < 60 * scale; run++) {
    const random = randomFrom(`git ${run}`);
    const { before, after } = project(random);
    await put(join(root, "old"), before);
    git(join(root, "old"), "init", "-q");
    git(join(root, "old"), "add", "-A", "-f");
    const first = git(join(root, "old"), "write-tree").trim();
    for (const path of before.keys()) await rm(join(root, "old", path));
    await rm(join(root, "old", "b"), { recursive: true, force: true });
    await rm(join(root, "old", "a"), { recursive: true, force: true });
    for (const [path, { bytes, mode }] of after) {
      await mkdir(dirname(join(root, "old", path)), { recursive: true });
      await writeFile(join(root, "old", path), bytes, { mode });
      await chmod(join(root, "old", path), mode);
    }
    git(join(root, "old"), "add", "-A", "-f");
    const second = git(join(root, "old"), "write-tree").trim();
    const options = random.pick([
      ["-M"],
      ["-M", "-C", "--find-copies-harder"],
      [],
      ["-U1"],
      ["--no-renames"],
      ["-M", "-B"],
    ]);
    const patch = git(join(root, "old"), "diff", "--text", ...options, first, second);
    await put(workspace, before);
    const context = testContext(workspace);
    const produced = await runTool(applyPatch, { patch }, context);
    const paths = new Set([...before.keys(), ...after.keys()]);
    if (patch === "") {
      expect(produced.outcome).toBe("failed");
    } else {
      const about = `run ${run} ${options.join(" ")}\n${patch}\n${wordsOf(produced).words}`;
      expect(produced.outcome, about).toBe("ok");
      expect(
        await applyChanges(context.files, produced.changes ?? [], { durable: false }),
        about,
      ).toMatchObject({ ok: true });
      const wanted: Record<string, string> = {};
      for (const [path, { bytes, mode }] of after)
        wanted[path] = `${(mode & 0o100) !== 0 ? "x" : "-"} ${bytes.toString("latin1")}`;
      expect(await taken(workspace, paths), about).toEqual(wanted);
      applied++;
    }
    context.files.close();
  }
  expect(applied).toBeGreaterThan(40 * scale);
});

test("patches by diff -u and the diff package apply to the byte, for random pairs of texts", async () => {
  const context = testContext(root);
  let applied = 0;
  for (let run = 0; run < 150 * scale; run++) {
    const random = randomFrom(`pair ${run}`);
    const before = text(random);
    const after = random.chance(0.2) ? text(random) : changedText(random, before);
    if (before === after) continue;
    await writeFile(join(root, "f"), before);
    await writeFile(join(root, "g"), after);
    const linesAround = 1 + random.upTo(4);
    const labels = random.pick([["--label", "a/f", "--label", "b/f"], ["--label", "f", "--label", "f"], []]);
    const external = spawnSync("diff", ["-a", `-U${linesAround}`, ...labels, "f", "g"], {
      cwd: root,
    }).stdout.toString();
    await rm(join(root, "g"));
    const ours = formatPatch(
      structuredPatch("f", "f", before, after, undefined, undefined, { context: linesAround }),
    );
    for (const patch of [external, ours]) {
      const { after: made, words } = await outcomeOf(context, patch);
      expect(made["f"]?.text, `run ${run}\n${patch}\n${words}`).toBe(Buffer.from(after).toString("latin1"));
      applied++;
    }
  }
  context.files.close();
  expect(applied).toBeGreaterThan(200 * scale);
});

/** The patch, still well-formed, but with shifted line numbers. */
function drifted(random: Random, patch: string): string {
  const shift = random.upTo(7) - 3;
  return patch.replaceAll(
    /^@@ -(\d+)((?:,\d+)?) \+(\d+)/gm,
    (_, old: string, counts: string, made: string) => {
      const moved = (line: string): number => Math.max(1, Number(line) + shift);
      return `@@ -${moved(old)}${counts} +${moved(made)}`;
    },
  );
}

test("a drifted patch gives the same result as git apply, or is refused as ambiguous", async () => {
  const workspace = join(root, "work");
  const count = { same: 0, several: 0, both: 0, ours: 0 };
  for (let run = 0; run < 200 * scale; run++) {
    const random = randomFrom(`drift ${run}`);
    const before = text(random);
    const after = changedText(random, before);
    const standing = random.chance(0.5) ? before : changedText(random, before);
    const patch = drifted(
      random,
      formatPatch(
        structuredPatch("a/f", "b/f", before, after, undefined, undefined, { context: random.upTo(4) }),
      ),
    );
    await put(workspace, new Map([["f", { bytes: Buffer.from(standing), mode: 0o644 }]]));
    const context = testContext(workspace);
    const { outcome, words, after: made } = await outcomeOf(context, patch);
    context.files.close();
    const judge = spawnSync("git", ["apply", "-"], { cwd: workspace, env: environment, input: patch });
    const theirs = (await readFile(join(workspace, "f")).catch(() => Buffer.from(""))).toString("latin1");
    const about = `run ${run}\n${JSON.stringify(standing)}\n${patch}\n${words}`;
    if (judge.status !== 0) count[outcome === "ok" ? "ours" : "both"]++;
    else if (outcome === "ok" || words.includes("would change nothing")) {
      expect(made["f"]?.text ?? Buffer.from(standing).toString("latin1"), about).toBe(theirs);
      count.same++;
    } else {
      expect(words, about).toMatch(/stand at \d+ places|change the same place|does not tell where/);
      count.several++;
    }
  }
  console.log(`drifted patches: ${JSON.stringify(count)}`);
  expect(count.same).toBeGreaterThan(50 * scale);
});
