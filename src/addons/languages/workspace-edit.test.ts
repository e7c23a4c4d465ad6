import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { applyChanges } from "../../base/safe-fs/apply.ts";
import type { Change } from "../../base/safe-fs/image.ts";
import { openTree } from "../../base/safe-fs/open-tree.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { uriOf } from "./uris.ts";
import { changesIn } from "./workspace-edit.ts";

async function place(files: Record<string, string>, versions: Record<string, number> = {}) {
  const workspace = await temporaryWorkspace(files);
  const tree = openTree(workspace.root);
  if (!tree.ok) throw new Error(tree.problem);
  onTestFinished(async () => {
    tree.value.close();
    await workspace.remove();
  });
  const uri = (path: string): string => uriOf(workspace.root, path);
  const plan = (edit: unknown) =>
    changesIn(edit, { files: tree.value, unit: "utf-16", versionOf: (path) => versions[path] });
  const apply = (changes: readonly Change[]) => applyChanges(tree.value, changes);
  return { workspace, uri, plan, apply };
}

const edit = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});

test("edits of several files are planned in either form, keeping line endings, byte order marks and modes", async () => {
  const { workspace, uri, plan, apply } = await place({
    "a.ts": "\uFEFFone();\r\none();\r\n",
    "b/c.ts": "one",
  });
  await chmod(join(workspace.root, "a.ts"), 0o755);
  const edits = { a: [edit(1, 0, 3, "uno"), edit(0, 0, 3, "uno")], c: [edit(0, 0, 3, "uno")] };
  const byChanges = await plan({ changes: { [uri("a.ts")]: edits.a, [uri("b/c.ts")]: edits.c } });
  const byDocuments = await plan({
    documentChanges: [
      { textDocument: { uri: uri("a.ts"), version: null }, edits: edits.a },
      { textDocument: { uri: uri("b/c.ts"), version: 7 }, edits: edits.c },
    ],
  });
  if (!byChanges.ok || !byDocuments.ok) throw new Error("not planned");
  const hashes = (changes: readonly Change[]) =>
    changes.map(({ path, after }) => [path, after?.kind === "file" && after.content.hash]);
  expect(hashes(byChanges.value)).toEqual(hashes(byDocuments.value));
  expect(await workspace.read("b/c.ts")).toBe("one");
  expect(await apply(byChanges.value)).toMatchObject({ ok: true });
  expect(await workspace.read("a.ts")).toBe("\uFEFFuno();\r\nuno();\r\n");
  expect(await workspace.read("b/c.ts")).toBe("uno");
  expect(byChanges.value[0]?.after).toMatchObject({ mode: 0o755 });
});

test("files are created, renamed and deleted in the order of the plan", async () => {
  const { workspace, uri, plan, apply } = await place({ "a.ts": "one", "old.ts": "x", "there.ts": "y" });
  const planned = await plan({
    documentChanges: [
      { kind: "rename", oldUri: uri("a.ts"), newUri: uri("new/b.ts") },
      { textDocument: { uri: uri("new/b.ts"), version: null }, edits: [edit(0, 0, 3, "uno")] },
      { kind: "delete", uri: uri("old.ts") },
      { kind: "delete", uri: uri("never.ts"), options: { ignoreIfNotExists: true } },
      { kind: "create", uri: uri("there.ts"), options: { ignoreIfExists: true } },
    ],
  });
  if (!planned.ok) throw new Error(planned.problem);
  expect(await apply(planned.value)).toMatchObject({ ok: true });
  expect(await workspace.files()).toEqual(["new/b.ts", "there.ts"]);
  expect(await workspace.read("new/b.ts")).toBe("uno");
});

test("positions refer to the original text, and adjacent edits keep their order", async () => {
  const { uri, plan } = await place({ "a.ts": "abcdef" });
  const planned = await plan({
    changes: {
      [uri("a.ts")]: [edit(0, 3, 3, "1"), edit(0, 3, 3, "2"), edit(0, 0, 3, "X"), edit(0, 3, 4, "Y")],
    },
  });
  if (!planned.ok) throw new Error(planned.problem);
  const after = planned.value[0]?.after;
  const text = after?.kind === "file" ? new TextDecoder().decode(await after.content.read()) : undefined;
  expect(text).toBe("X12Yef");
});

test("edits outside the workspace, of non-text files, of other versions, or malformed are refused", async () => {
  const { workspace, uri, plan } = await place({ "a.ts": "one\ntwo", "b.bin": "\0\0" }, { "a.ts": 4 });
  await mkdir(join(workspace.root, "d"));
  await symlink("/etc", join(workspace.root, "away"));
  const text = (path: string, ...edits: object[]) => ({
    changes: { [path.includes(":") ? path : uri(path)]: edits },
  });
  const refused: readonly (readonly [edit: unknown, says: RegExp])[] = [
    [null, /gave no edits/],
    [{ documentChanges: [7] }, /cannot be read/],
    [{ documentChanges: [{ kind: "explode" }] }, /not known here/],
    [text("file:///etc/passwd", edit(0, 0, 0, "x")), /outside the workspace/],
    [text(`${uri("a.ts")}/../../x`, edit(0, 0, 0, "x")), /outside the workspace/],
    [text("http://example.org/a.ts", edit(0, 0, 0, "x")), /outside the workspace/],
    [text("away/hosts", edit(0, 0, 0, "x")), /would change away\/hosts/],
    [text("b.bin", edit(0, 0, 0, "x")), /no text/],
    [text("d", edit(0, 0, 0, "x")), /no file/],
    [text("gone.ts", edit(0, 0, 0, "x")), /not there/],
    [text("a.ts", edit(2, 0, 0, "x")), /not in it/],
    [text("a.ts", edit(0, 2, 1, "x")), /not in it/],
    [text("a.ts", { range: 7, newText: "x" }), /not in it/],
    [text("a.ts", { ...edit(0, 0, 1, "x"), newText: 7 }), /not in it/],
    [text("a.ts", edit(0, 0, 2, "x"), edit(0, 1, 3, "y")), /overlap/],
    [{ documentChanges: [{ textDocument: { uri: uri("a.ts"), version: 3 }, edits: [] }] }, /another version/],
    [{ documentChanges: [{ textDocument: { uri: uri("a.ts"), version: 9 }, edits: [] }] }, /another version/],
    [{ documentChanges: [{ kind: "create", uri: uri("a.ts") }] }, /which is there/],
    [{ documentChanges: [{ kind: "delete", uri: uri("x.ts") }] }, /which is not there/],
    [{ documentChanges: [{ kind: "rename", oldUri: uri("a.ts"), newUri: uri("b.bin") }] }, /no text/],
    [
      { changes: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [uri(`f${at}.ts`), []])) },
      /more than 500 files/,
    ],
  ];
  for (const [given, says] of refused) {
    const planned = await plan(given);
    expect(planned).toMatchObject({ ok: false, problem: expect.stringMatching(says) });
    if (!planned.ok) expect(planned.problem).toMatch(/Nothing was changed\.$/);
  }
  expect(await workspace.read("a.ts")).toBe("one\ntwo");
});

test("arbitrary server edits yield changes or a problem", async () => {
  const { plan, uri } = await place({ "a.ts": "one\ntwo" });
  const operation = fc.record(
    {
      kind: fc.constantFrom("create", "rename", "delete", 7),
      uri: fc.constantFrom(uri("a.ts"), uri("b.ts"), "x", 1),
      textDocument: fc.oneof(fc.constant({ uri: uri("a.ts") }), fc.jsonValue()),
      edits: fc.oneof(fc.constant([edit(0, 0, 1, "x")]), fc.jsonValue()),
      options: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.jsonValue(), fc.record({ documentChanges: fc.array(operation) })),
      async (given) => {
        expect(await plan(given)).toHaveProperty("ok");
      },
    ),
  );
});

test("edits that leave a file unchanged are dropped", async () => {
  const { uri, plan } = await place({ "a.ts": "one", "b.ts": "one" });
  const changes = { [uri("a.ts")]: [edit(0, 0, 3, "one")], [uri("b.ts")]: [edit(0, 0, 3, "uno")] };
  const planned = await plan({ changes });
  expect(planned.ok && planned.value.map(({ path }) => path)).toEqual(["b.ts"]);
});
