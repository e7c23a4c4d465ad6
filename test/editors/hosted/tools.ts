/** The editor's powers inside the extension host, over a TypeScript project of two files: run by `tools.test.ts`. */

import { deepEqual, equal, match, ok } from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { ChangeWatch } from "../../../editors/vscode/src/common/tools/change-watch.ts";
import { UserTerminals } from "../../../editors/vscode/src/vscode/terminal/user-terminals.ts";
import { Examining } from "../../../editors/vscode/src/vscode/tools/examining.ts";
import { ProposedTexts } from "../../../editors/vscode/src/vscode/tools/proposed-texts.ts";
import { vscodePowers } from "../../../editors/vscode/src/vscode/tools/vscode-powers.ts";
import { workspaceFolder } from "../../../editors/vscode/src/vscode/tools/workspace-paths.ts";
import { test } from "../in-host.ts";

export { run } from "../in-host.ts";

const folder = workspaceFolder() ?? "";
const proposed = new ProposedTexts();
proposed.register();
const powers = vscodePowers({ examining: new Examining(), proposed, terminals: new UserTerminals() });
const { signal } = new AbortController();

test("what a change on disk breaks is told, in files that nobody has open, and no editor is opened", async () => {
  const watch = new ChangeWatch(powers);
  const change = async (name: string, text: string): Promise<string> => {
    const about = { change: name, paths: ["total.ts"], seen: ["use.ts", "notes.md"] };
    await watch.begin(about, signal);
    await writeFile(join(folder, "total.ts"), text);
    const { words, checked } = await watch.end(about, signal);
    deepEqual(checked, ["total.ts"]);
    return words;
  };
  const whole = await readFile(join(folder, "total.ts"), "utf8");
  match(
    await change("break", whole.replace("return sum", 'return "sum"')),
    /1 new problem since this change[^]*total\.ts:3:3 error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)/u,
  );
  match(
    await change("break a caller", whole.replace("prices: number[]", "prices: Set<number>")),
    /use\.ts:2:28 error: /u,
  );
  match(await change("mend", whole), /no new problems; \d problems? mended/u);
  equal(await change("nothing", `${whole}\n`), "");
  deepEqual(powers.openEditors(), []);
});

test("a symbol is found by its name, and a rename is only planned", async () => {
  const definition = await powers.definition({ symbol: "total", path: "use.ts" });
  deepEqual(definition, {
    ok: true,
    value: [{ path: "total.ts", line: 1, text: "export function total(prices: number[]): number {" }],
  });
  const references = await powers.references({ symbol: "total", path: "total.ts" });
  deepEqual(references.ok && references.value.map(({ path, line }) => `${path}:${line}`).toSorted(), [
    "total.ts:1",
    "use.ts:1",
    "use.ts:2",
  ]);
  const planned = await powers.planRename({ symbol: "total", path: "total.ts" }, "sumOf");
  ok(planned.ok);
  deepEqual(planned.value.map(({ path }) => path).toSorted(), ["total.ts", "use.ts"]);
  match(planned.value.find(({ path }) => path === "use.ts")?.after ?? "", /sumOf\(\[1, 2\]\)/u);
  match(await readFile(join(folder, "use.ts"), "utf8"), /total\(\[1, 2\]\)/u);
  equal((await powers.definition({ symbol: "nothing", path: "use.ts" })).ok, false);
});

test("the selection and the open editors are what the user has", async () => {
  const editor = await vscode.window.showTextDocument(vscode.Uri.file(join(folder, "use.ts")));
  editor.selection = new vscode.Selection(0, 0, 1, 0);
  deepEqual(powers.selection(), {
    path: "use.ts",
    from: 1,
    to: 1,
    text: 'import { total } from "./total.ts";\n',
  });
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "// mine\n"));
  deepEqual(powers.openEditors(), [{ path: "use.ts", standing: "active", isUnsaved: true }]);
  await vscode.commands.executeCommand("workbench.action.files.revert");
});

test("a task ends with its exit code, however short it is", async () => {
  ok((await powers.taskNames()).includes("fails"));
  deepEqual(await powers.runTask("fails", signal), { ok: true, value: { code: 3, problems: [] } });
  deepEqual(await powers.runTask("works", signal), { ok: true, value: { code: 0, problems: [] } });
  equal((await powers.runTask("no such task", signal)).ok, false);
});

test("a proposed text is shown beside its file", async () => {
  await powers.showDiff("total.ts", "export const total = 3;\n", "total.ts: simpler");
  const [tab] = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff);
  equal(tab?.label, "total.ts: simpler");
});
