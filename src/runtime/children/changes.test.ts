import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { give, of, parentSession, readFileCall, resultIn, write } from "../../testing/parent.ts";
import { testSession } from "../../testing/session.ts";

test("A40: a subagent's changes belong to its parent's request and are undone with it", async () => {
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1
          ? [give({ task: "Change", allowed_tools: ["read_file", "write_file", "edit_file"] })]
          : [{ say: "Done." }],
      Change: (round) => {
        if (round === 1) return [readFileCall("a.txt"), write("new/b.txt", "first\n")];
        if (round === 2)
          return [
            { call: "edit_file", with: { path: "a.txt", old: "old", new: "mid" } },
            write("new/b.txt", "second\n"),
          ];
        if (round === 3) return [{ call: "edit_file", with: { path: "a.txt", old: "mid", new: "new" } }];
        return [{ say: "Changed." }];
      },
    },
    { files: { "a.txt": "old\n" } },
  );
  const { workspace, facts, session, ask } = context;
  await ask("Ask for it.");
  expect(of(facts(), "call-start")[0]).toMatchObject({ does: "delegate" });
  expect(await workspace.read("a.txt")).toBe("new\n");
  expect(await workspace.read("new/b.txt")).toBe("second\n");
  const [applied] = of(facts(), "change-applied");
  expect(applied?.changes.map(({ path }) => path).toSorted()).toEqual(["a.txt", "new", "new/b.txt"]);
  expect(resultIn(context).words).toContain("[It changed a.txt, new/b.txt.]");
  expect(of(facts(), "turn-end")[0]?.changed.toSorted()).toEqual(["a.txt", "new/b.txt"]);
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.read("a.txt")).toBe("old\n");
  expect(await workspace.files()).toEqual(["a.txt"]);
  expect(await session.command({ type: "redo" })).toEqual({ ok: true });
  expect(await workspace.read("new/b.txt")).toBe("second\n");
});

/** A parent whose subagent has written a.txt, and the subagent's session, opened by itself. */
async function afterChange() {
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1 ? [give({ task: "Change", allowed_tools: ["write_file"] })] : [{ say: "Done." }],
      Change: (round) => (round === 1 ? [write("b.txt", "new\n")] : [{ say: "Changed." }]),
    },
    { files: { "a.txt": "old\n" } },
  );
  await context.ask("Ask it.");
  const { store, workspace, session } = context;
  const [info] = await store.children(session.id);
  const child = await testSession(context.model, { store, workspace, resume: info?.id ?? "" });
  onTestFinished(child.close);
  return { ...context, child };
}

test("A40: a change undone in the parent or in the subagent counts as undone in the other", async () => {
  const one = await afterChange();
  expect(await one.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await one.child.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await one.workspace.files()).toEqual(["a.txt"]);
  const other = await afterChange();
  expect(await other.child.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await other.workspace.files()).toEqual(["a.txt"]);
  expect(await other.session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await other.workspace.files()).toEqual(["a.txt"]);
});

test("A40: neither undo overwrites a later edit of a file that the subagent wrote", async () => {
  const { session, child, workspace } = await afterChange();
  await writeFile(join(workspace.root, "b.txt"), "mine\n");
  for (const one of [session, child.session])
    expect(await one.command({ type: "undo" })).toMatchObject({ ok: false, conflicts: [{ path: "b.txt" }] });
  expect(await workspace.read("b.txt")).toBe("mine\n");
});

test("a file edited by somebody else while the subagent works is not attributed to the subagent", async () => {
  const gate = Promise.withResolvers<void>();
  const context = await parentSession({
    Ask: (round) =>
      round === 1 ? [give({ task: "Change", allowed_tools: ["write_file"] })] : [{ say: "Done." }],
    Change: (round) =>
      round === 1
        ? [write("b.txt", "its\n")]
        : [
            { wait: writeFile(join(context.workspace.root, "b.txt"), "mine\n").then(gate.resolve) },
            { say: "Ok." },
          ],
  });
  await context.ask("Ask it.");
  await gate.promise;
  expect(await context.session.command({ type: "undo" })).toMatchObject({
    ok: false,
    conflicts: [{ path: "b.txt" }],
  });
  expect(await context.workspace.read("b.txt")).toBe("mine\n");
});
