/** What a person keeps of a command's held changes is applied exactly, by file and by hunk; the rest never arrives. */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { DroppedPart } from "../src/protocol/facts.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/runtime/containing.ts";
import { testSession } from "../src/testing/session.ts";
import { unknownPrograms } from "./support/unknown-programs.ts";

const programs = unknownPrograms();
afterAll(() => programs.remove());

const twenty = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join("");
const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "long.txt": twenty };
const binary = Buffer.from([0, 1, 2, 255]);

/** Has run a program that did this, whose changes wait for an answer. */
async function waiting(script: string) {
  const model = scriptedModel([
    [{ call: "run_command", with: { command: programs.make(script) } }],
    [{ say: "Done." }],
  ]);
  const made = await testSession(model, { files, sandbox: findSandbox });
  onTestFinished(() => made.workspace.remove());
  const { session, store, workspace } = made;
  const { root } = workspace;
  writeFileSync(join(root, "data.bin"), binary);
  symlinkSync("a.txt", join(root, "link"));
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  const before = everything(root);
  await session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  const asked = await asking(made);
  const command = (drops: DroppedPart[]) =>
    ({
      type: "answer-approval",
      callId: asked.callId,
      answer: "allow",
      scope: "once",
      by: "test",
      drops,
    }) as const;
  const result = () => made.facts().find((fact) => fact.type === "result");
  const keepBut = async (...drops: DroppedPart[]) => {
    expect(await session.command(command(drops))).toEqual({ ok: true });
    await session.idle();
    return JSON.stringify(result());
  };
  const undo = async () => {
    expect(await session.command({ type: "undo" })).toEqual({ ok: true });
    expect(everything(root)).toEqual(before);
  };
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  return { ...made, store, root, asked, command, keepBut, undo, read, result, before };
}

/** Each path below with its kind, permissions and content. */
function everything(root: string): string {
  return execFileSync(
    "sh",
    [
      "-c",
      "find . -path ./.git -prune -o -printf '%p %y %m %l\\n' | sort; find . -path ./.git -prune -o -type f -exec sha256sum {} + | sort",
    ],
    { cwd: root, encoding: "utf8" },
  );
}

const threeFiles = "for f in a b c; do echo made $f >$f.txt; done";
const twoHunks = "sed -i -e 's/^line 2$/LINE 2/' -e 's/^line 19$/LINE 19/' long.txt";

test("one file of three is kept: the others never reach the workspace, the model and the facts say so, undo is exact", async () => {
  const { asked, keepBut, read, facts, undo } = await waiting(threeFiles);
  expect(asked.held?.files.map(({ path, hunks }) => [path, hunks.length])).toEqual([
    ["a.txt", 1],
    ["b.txt", 1],
    ["c.txt", 1],
  ]);
  const result = await keepBut({ path: "a.txt" }, { path: "c.txt" });
  expect(["a.txt", "b.txt", "c.txt"].map(read)).toEqual(["a\n", "made b\n", "c\n"]);
  expect(result).toContain("The user kept only a part of what it changed. Not kept: a.txt; c.txt.");
  expect(facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    answer: "allow",
    drops: [{ path: "a.txt" }, { path: "c.txt" }],
  });
  expect(
    facts().flatMap((fact) => (fact.type === "change-applied" ? fact.changes.map(({ path }) => path) : [])),
  ).toEqual(["b.txt"]);
  await undo();
});

test("one hunk of two is kept, byte for byte", async () => {
  const { asked, keepBut, read, undo } = await waiting(
    `${twoHunks}; printf 'caf\\351' >>long.txt; chmod 755 long.txt`,
  );
  expect(asked.held?.files[0]?.hunks).toHaveLength(2);
  const result = await keepBut({ path: "long.txt", hunks: [1] });
  expect(read("long.txt")).toContain("line 2\n");
  expect(read("long.txt")).toContain("LINE 19\n");
  expect(result).toContain("of long.txt only @@ -1,5 +1,5 @@");
  await undo();
});

test("a file's permissions and bytes that are no UTF-8 come with the hunks that are kept", async () => {
  const { keepBut, root } = await waiting(`${twoHunks}; printf 'caf\\351' >>long.txt; chmod 755 long.txt`);
  await keepBut({ path: "long.txt", hunks: [1] });
  const bytes = readFileSync(join(root, "long.txt"));
  expect(bytes.subarray(-4)).toEqual(Buffer.from("caf\xe9", "latin1"));
  expect(statSync(join(root, "long.txt")).mode & 0o777).toBe(0o755);
});

test("all hunks of a file are the whole file, and naming one twice changes nothing", async () => {
  const { keepBut, read, facts } = await waiting(`${twoHunks}; ${threeFiles}`);
  await keepBut({ path: "long.txt", hunks: [2, 1, 2] }, { path: "a.txt" }, { path: "a.txt", hunks: [1] });
  expect(read("long.txt")).toBe(twenty);
  expect(read("b.txt")).toBe("made b\n");
  expect(facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    drops: [{ path: "a.txt" }, { path: "long.txt" }],
  });
});

test("a deletion is dropped while another one is kept", async () => {
  const { keepBut, root, undo } = await waiting("rm a.txt b.txt");
  await keepBut({ path: "a.txt" });
  expect([existsSync(join(root, "a.txt")), existsSync(join(root, "b.txt"))]).toEqual([true, false]);
  await undo();
});

test("a binary file, a link and permissions are kept or dropped whole", async () => {
  const script =
    "printf '\\000new' >data.bin; ln -sfn b.txt link; ln -s c.txt fresh; chmod 700 c.txt; printf '\\000' >new.bin";
  const first = await waiting(script);
  expect(first.asked.held?.files.map(({ path, hunks, whole }) => [path, hunks.length, whole])).toEqual([
    ["c.txt", 0, "only its permissions differ"],
    ["data.bin", 0, "it is no text, or too large to compare"],
    ["fresh", 0, "it is a link"],
    ["link", 0, "it is a link"],
    ["new.bin", 0, "it is no text, or too large to compare"],
  ]);
  await first.keepBut({ path: "data.bin" }, { path: "link" });
  expect(readFileSync(join(first.root, "data.bin"))).toEqual(binary);
  expect(readlinkSync(join(first.root, "link"))).toBe("a.txt");
  expect(readlinkSync(join(first.root, "fresh"))).toBe("c.txt");
  expect(statSync(join(first.root, "c.txt")).mode & 0o777).toBe(0o700);
  await first.undo();
  const second = await waiting(script);
  await second.keepBut({ path: "c.txt" }, { path: "fresh" }, { path: "new.bin" });
  expect(readFileSync(join(second.root, "data.bin")).toString("latin1")).toBe("\0new");
  expect(readlinkSync(join(second.root, "link"))).toBe("b.txt");
  expect([existsSync(join(second.root, "fresh")), existsSync(join(second.root, "new.bin"))]).toEqual([
    false,
    false,
  ]);
  await second.undo();
});

test("a directory stands or falls with what lies in it", async () => {
  const script =
    "mkdir -p deep/er; echo 1 >deep/er/one; echo 2 >deep/two; rm a.txt; mkdir a.txt; echo 3 >a.txt/three";
  const first = await waiting(script);
  await first.keepBut({ path: "deep/er" }, { path: "a.txt/three" });
  expect(first.read("deep/two")).toBe("2\n");
  expect(existsSync(join(first.root, "deep/er"))).toBe(false);
  expect(first.read("a.txt")).toBe("a\n");
  await first.undo();
  const second = await waiting(script);
  await second.keepBut({ path: "deep/er/one" }, { path: "deep/two" });
  expect(existsSync(join(second.root, "deep"))).toBe(false);
  expect(second.read("a.txt/three")).toBe("3\n");
  await second.undo();
});

test("a file in a deleted directory is kept, and the directory with it", async () => {
  const { session, keepBut, root, workspace } = await waiting(
    "mkdir -p src && echo x >src/x && echo y >src/y",
  );
  await keepBut();
  expect(readFileSync(join(root, "src/x"), "utf8")).toBe("x\n");
  await session.close();
  const again = await testSession(
    scriptedModel([
      [{ call: "run_command", with: { command: programs.make("rm -r src") } }],
      [{ say: "Done." }],
    ]),
    { workspace, sandbox: findSandbox },
  );
  await again.session.command({ type: "send", content: [{ type: "text", text: "Go." }] });
  const { callId } = await asking(again);
  await again.session.command({
    type: "answer-approval",
    callId,
    answer: "allow",
    scope: "once",
    by: "test",
    drops: [{ path: "src/x" }],
  });
  await again.session.idle();
  expect([existsSync(join(root, "src/x")), existsSync(join(root, "src/y"))]).toEqual([true, false]);
});

async function asking({ session, facts }: Awaited<ReturnType<typeof testSession>>) {
  const ends = ["approval-asked", "turn-end"];
  await session.log.until(({ type }) => ends.includes(type), AbortSignal.timeout(60_000));
  const asked = facts().find((fact) => fact.type === "approval-asked");
  if (!asked) throw new Error(`nothing was asked: ${JSON.stringify(facts())}`);
  return asked;
}

test("if somebody changed a file meanwhile nothing is applied, unless it is one that is dropped", async () => {
  const first = await waiting(threeFiles);
  writeFileSync(join(first.root, "b.txt"), "mine\n");
  const result = await first.keepBut({ path: "a.txt" });
  expect(result).toContain("b.txt has changed since this was shown; nothing was changed.");
  expect(["a.txt", "b.txt", "c.txt"].map(first.read)).toEqual(["a\n", "mine\n", "c\n"]);
  const second = await waiting(threeFiles);
  writeFileSync(join(second.root, "b.txt"), "mine\n");
  await second.keepBut({ path: "b.txt" });
  expect(["a.txt", "b.txt", "c.txt"].map(second.read)).toEqual(["made a\n", "mine\n", "made c\n"]);
});

test("what the question does not have is refused in one line, and the question stays open", async () => {
  const { session, command, keepBut, read, before, root } = await waiting(`${threeFiles}; ${twoHunks}`);
  const say = async (...drops: DroppedPart[]): Promise<unknown> => session.command(command(drops));
  const problem = (words: string) => ({ ok: false, problem: expect.stringContaining(words) });
  expect(await say({ path: "z.txt" })).toEqual(problem('"z.txt" is not among the changes that wait'));
  expect(await say({ path: "../a.txt" })).toEqual(problem("is not among the changes"));
  expect(await say({ path: "x".repeat(100_000) })).toEqual(problem("is not among the changes"));
  for (const number of [0, -1, 3, 1.5, Number.MAX_SAFE_INTEGER, Number.NaN])
    expect(await say({ path: "long.txt", hunks: [number] })).toEqual(
      problem("long.txt has 2 hunks; there is no hunk"),
    );
  expect(await say({ path: "long.txt", hunks: [] })).toEqual(problem("an empty list"));
  expect(await session.command({ ...command([{ path: "a.txt" }]), answer: "deny" })).toEqual(
    problem("but not both"),
  );
  expect(everything(root)).toBe(before);
  await keepBut({ path: "long.txt" });
  expect(read("a.txt")).toBe("made a\n");
});

test("dropping everything is a no", async () => {
  const { keepBut, facts, root, before, result } = await waiting(threeFiles);
  await keepBut({ path: "a.txt" }, { path: "b.txt" }, { path: "c.txt", hunks: [1] });
  expect(result()).toMatchObject({ outcome: "denied" });
  const answered = facts().find(({ type }) => type === "approval-answered");
  expect(answered).toMatchObject({ answer: "deny", scope: "once" });
  expect(answered).not.toHaveProperty("drops");
  expect(everything(root)).toBe(before);
});

test("a part is kept by an answer in another process", async () => {
  const { session, command, store, workspace, root, read } = await waiting(`${threeFiles}; ${twoHunks}`);
  await expect.poll(() => session.isWorking).toBe(false);
  await session.close();
  const again = await testSession(scriptedModel([[{ say: "Done." }]]), {
    workspace,
    store,
    resume: session.log.state.session,
    sandbox: findSandbox,
  });
  expect(await again.session.command(command([{ path: "b.txt" }, { path: "long.txt", hunks: [2] }]))).toEqual(
    {
      ok: true,
    },
  );
  await again.session.idle();
  expect(["a.txt", "b.txt", "c.txt"].map(read)).toEqual(["made a\n", "b\n", "made c\n"]);
  expect(read("long.txt")).toBe(twenty.replace("line 2\n", "LINE 2\n"));
  expect(lstatSync(join(root, "long.txt")).isFile()).toBe(true);
});

test("many files are held within a bounded question: what is beyond it is kept or dropped whole", async () => {
  const { asked, keepBut, root } = await waiting(
    "mkdir many; i=0; while [ $i -lt 60 ]; do yes line $i | head -n 400 >many/$i; i=$((i+1)); done",
  );
  expect(JSON.stringify(asked.held).length).toBeLessThan(200_000);
  expect(asked.held?.files.at(-1)).toMatchObject({ hunks: [], whole: expect.stringContaining("more than") });
  const last = asked.held?.files.at(-1)?.path ?? "";
  await keepBut({ path: last });
  expect(existsSync(join(root, last))).toBe(false);
  expect(existsSync(join(root, "many/0"))).toBe(true);
});
