import { chmod, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyChanges } from "../base/safe-fs/apply.ts";
import { anyCharacter } from "../base/testing/any-character.ts";
import { scale } from "../testing/scale.ts";
import { type TemporaryWorkspace, temporaryWorkspace } from "../testing/workspace.ts";
import { applyPatch } from "./apply-patch.ts";
import { hashOf } from "./changes/change.ts";
import { outcomeOf } from "./patch/testing/patch.ts";
import { runTool, testContext, type TestToolContext } from "./testing/context.ts";

let workspace: TemporaryWorkspace;
let context: TestToolContext;
beforeEach(async () => {
  workspace = await temporaryWorkspace({ f: "a\nb\nc\n", "src/g": "x\n" });
  context = testContext(workspace.root);
});
afterEach(async () => {
  context.files.close();
  await workspace.remove();
});

const hunk = "@@\n a\n-b\n+B\n";
const envelope = (...sections: string[]): string => `*** Begin Patch\n${sections.join("")}*** End Patch\n`;

function prepared(patch: string): { title: string; paths: string[] } {
  const call = applyPatch.prepare({ patch });
  if (!call.ok) throw new Error(call.problem);
  return { title: call.value.title, paths: call.value.paths };
}

test("B7: one call changes, creates, moves and deletes files and reports what it did", async () => {
  const patch = envelope(
    `*** Update File: f\n${hunk}`,
    "*** Add File: new/h\n+1\n",
    "*** Update File: src/g\n*** Move to: src/i\n@@\n-x\n+y\n",
  );
  expect(prepared(patch)).toEqual({ title: "Patch f and 3 more", paths: ["f", "new/h", "src/g", "src/i"] });
  const { outcome, words, after } = await outcomeOf(context, patch);
  expect({ outcome, words }).toEqual({
    outcome: "ok",
    words: "Applied the patch: updated f, created new/h, moved src/g to src/i.",
  });
  expect(after).toMatchObject({ f: { text: "a\nB\nc\n" }, "new/h": { text: "1\n" }, "src/g": null });
  expect(after["src/i"]?.text).toBe("y\n");
});

test("the patch argument is accepted under the names models use", async () => {
  for (const name of ["patch", "input", "diff", "patchText"]) {
    const produced = await runTool(applyPatch, { [name]: envelope(`*** Update File: f\n${hunk}`) }, context);
    expect(produced.changes?.map(({ path }) => path)).toEqual(["f"]);
  }
});

test("an unreadable patch touches nothing and still has a title and paths", async () => {
  expect(prepared("no patch")).toEqual({ title: "Apply a patch", paths: [] });
  expect((await outcomeOf(context, "no patch")).words).toContain("This is no patch");
});

test("paths lists every file a patch may touch: both names, moves, copies, paths outside and in .git", () => {
  expect(prepared("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n").paths).toEqual(["y", "x"]);
  expect(prepared("diff --git a/x b/y\ncopy from x\ncopy to y\n").paths).toEqual(["x", "y"]);
  expect(prepared("--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n").paths).toEqual([
    ".git/hooks/pre-commit",
  ]);
  expect(prepared(envelope("*** Update File: f\n*** Move to: ../../etc/x\n")).paths).toEqual([
    "f",
    "../../etc/x",
  ]);
  expect(prepared(envelope("*** Delete File: /etc/passwd\n")).paths).toEqual(["/etc/passwd"]);
});

test("an absolute path inside the workspace names the file there", async () => {
  const patch = envelope(`*** Update File: ${workspace.root}/f\n${hunk}`);
  expect(Object.keys((await outcomeOf(context, patch)).after)).toEqual(["f"]);
});

test("a patch fails as a whole if one of its files changed since the model read it", async () => {
  context.known.set("src/g", hashOf(new TextEncoder().encode("older\n")));
  const patch = envelope(`*** Update File: f\n${hunk}`, "*** Update File: src/g\n@@\n-x\n+y\n");
  expect(await outcomeOf(context, patch)).toEqual({
    outcome: "failed",
    words: "src/g has changed since you last read or wrote it; read it again first. Nothing was changed.",
    after: {},
  });
});

test("the first hunk that does not fit fails the whole patch, with file, number and nearest lines", async () => {
  const patch = envelope(
    `*** Update File: f\n${hunk}`,
    "*** Update File: src/g\n@@\n-x\n+y\n@@\n-z = 1\n+z\n",
  );
  await writeFile(join(workspace.root, "src/g"), "x\n\nz = 2\n");
  expect(await outcomeOf(context, patch)).toEqual({
    outcome: "failed",
    words:
      "The patch does not fit src/g, hunk 2 (line 11 of the patch): its lines stand nowhere in the file. Copy them from the file as it is now. The nearest lines of the file are:\n1\tx\n2\t\n3\tz = 2\nNothing was changed.",
    after: {},
  });
});

test("edits and moves keep modes, and git mode lines change them", async () => {
  await chmod(join(workspace.root, "f"), 0o750);
  const modeAfter = async (patch: string, path: string): Promise<number | undefined> =>
    (await outcomeOf(context, patch)).after[path]?.mode;
  expect(await modeAfter(envelope(`*** Update File: f\n${hunk}`), "f")).toBe(0o750);
  expect(await modeAfter(envelope("*** Update File: f\n*** Move to: h\n"), "h")).toBe(0o750);
  expect(await modeAfter("diff --git a/f b/f\nold mode 100755\nnew mode 100644\n", "f")).toBe(0o644);
  expect(await modeAfter("diff --git a/src/g b/src/g\nold mode 100644\nnew mode 100755\n", "src/g")).toBe(
    0o755,
  );
  expect(
    await modeAfter(
      "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n",
      "n",
    ),
  ).toBe(0o755);
  expect(await modeAfter(envelope("*** Add File: n\n+x\n"), "n")).toBe(undefined);
});

test("a symlink is followed to update its target, but not deleted, moved or followed outside", async () => {
  await symlink("f", join(workspace.root, "link"));
  await symlink("/etc", join(workspace.root, "etc"));
  expect(Object.keys((await outcomeOf(context, envelope(`*** Update File: link\n${hunk}`))).after)).toEqual([
    "f",
  ]);
  const words = async (section: string): Promise<string> =>
    (await outcomeOf(context, envelope(section))).words;
  expect(await words("*** Delete File: link\n")).toBe(
    "link leads to f by a symbolic link, which patches do not delete. Nothing was changed.",
  );
  expect(await words("*** Update File: link\n*** Move to: h\n")).toContain("symbolic link");
  expect(await words("*** Add File: etc/x\n+x\n")).toContain("leads outside the workspace");
});

test("text that is not UTF-8 keeps its bytes, and a patch may use only plain ASCII there", async () => {
  await writeFile(join(workspace.root, "f"), Buffer.from("caf\xe9\nb\n\xff\n", "latin1"));
  const { after } = await outcomeOf(context, envelope("*** Update File: f\n@@\n-b\n+B\n"));
  expect(after["f"]?.text).toBe("caf\xe9\nB\n\xff\n");
  expect((await outcomeOf(context, envelope("*** Update File: f\n@@\n-b\n+é\n"))).words).toContain(
    "plain ASCII",
  );
});

test("a plan can be applied as it is: circular moves, and a file in place of a deleted one", async () => {
  const patch = envelope(
    "*** Update File: f\n*** Move to: src/g\n",
    "*** Update File: src/g\n*** Move to: f\n",
    "*** Add File: deep/er/file\n+1\n",
  );
  const produced = await runTool(applyPatch, { patch }, context);
  expect(await applyChanges(context.files, produced.changes ?? [])).toMatchObject({ ok: true });
  const text = (path: string): Promise<string> => readFile(join(workspace.root, path), "utf8");
  expect(await Promise.all([text("f"), text("src/g"), text("deep/er/file")])).toEqual([
    "x\n",
    "a\nb\nc\n",
    "1\n",
  ]);
  expect((await stat(join(workspace.root, "f"))).isFile()).toBe(true);
});

const piece = fc.constantFrom(
  "*** Begin Patch",
  "*** End Patch",
  "*** Update File: f",
  "*** Add File: f",
  "*** Delete File: f",
  "*** Move to: src/g",
  "*** End of File",
  "diff --git a/f b/f",
  'diff --git "a/f',
  "--- a/f",
  "+++ b/f",
  "+++ /dev/null",
  "rename from f",
  "rename to ..",
  "new file mode 100755",
  "deleted file mode 999999999999",
  "@@ -1,3 +1,3 @@",
  "@@ -0,0 +1 @@",
  "@@",
  "@@ a",
  " a",
  "-b",
  "+B",
  "",
  "\\ No newline at end of file",
  "```",
  "apply_patch <<EOF",
  "EOF",
  "-- ",
  "From 0123456789 x",
);

test("any patch is applied or refused in words, and never throws", async () => {
  const line = fc.oneof({ weight: 8, arbitrary: piece }, fc.string({ maxLength: 12 }));
  const anything = fc.oneof(
    fc
      .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"))
      .map(([lines, end]) => lines.join(end)),
    fc.string({ unit: anyCharacter, maxLength: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(anything, async (patch) => {
      const { title, paths } = prepared(patch);
      const { outcome, words, after } = await outcomeOf(context, patch);
      expect(title).not.toBe("");
      if (outcome === "failed")
        expect([after, words]).toEqual([
          {},
          expect.stringMatching(/othing was changed|would change nothing/),
        ]);
      else
        for (const path of Object.keys(after))
          expect(paths.map((one) => one.replace(/^\.\//, ""))).toContain(path);
    }),
    { numRuns: 500 * scale },
  );
});
