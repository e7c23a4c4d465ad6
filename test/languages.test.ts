/** Real language servers in real projects: an edit's result reports what it breaks (issue 8: diagnostics). */

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serverRows } from "../src/addons/languages/rows.ts";
import { LentServers } from "../src/addons/mcp/lent-servers.ts";
import { testServer } from "../src/addons/mcp/testing/servers.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { objectionToReading } from "../src/runtime/reading.ts";
import type { Rule } from "../src/safety/rules.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { sensitiveFiles } from "../src/safety/sensitive-files.ts";
import { languageAddons, type LanguageOptions } from "../src/testing/languages.ts";
import { sessionForTest } from "../src/testing/scripted-session.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";

const packages = join(import.meta.dirname, "..", "node_modules");
const nodePlace = dirname(process.execPath);
const systemPath = `${nodePlace}:/usr/bin:/bin`;

/** The server rows with only this program. */
const only = (name: string): Pick<LanguageOptions, "rows" | "path"> => ({
  rows: serverRows.map((row) => ({
    ...row,
    programs: row.programs.filter((program) => program.name === name),
  })),
  path: `${join(packages, ".bin")}:${systemPath}`,
});

type Setup = Partial<LanguageOptions> & {
  files: Record<string, string>;
  prepare?: (root: string) => Promise<void>;
  rules?: readonly Rule[];
};

async function work(script: readonly ScriptedAnswer[], { files, prepare, rules = [], ...options }: Setup) {
  const workspace = await temporaryWorkspace(files);
  onTestFinished(() => workspace.remove());
  await prepare?.(workspace.root);
  const sandbox = await findSandbox();
  const reading = {
    workspace: workspace.root,
    home: homedir(),
    rules: [{ name: "user" as const, rules }],
    sensitive: sensitiveFiles(),
  };
  const model = scriptedModel([...script, [{ say: "Done." }]]);
  const session = await sessionForTest(model, {
    workspace,
    mode: "auto",
    rules: reading.rules,
    ...(sandbox.kind === "none" ? {} : { sandbox: () => Promise.resolve(sandbox) }),
    addons: languageAddons({
      workspace: workspace.root,
      path: systemPath,
      withheld: (path) => objectionToReading(path, reading)?.because,
      // Without a sandbox, the user has to have configured the servers.
      ...(sandbox.kind === "none" ? { configured: { typescript: {}, python: {} } } : {}),
      ...options,
    }),
  });
  await session.ask("go", "deny");
  return {
    results: resultsOf(session.facts()),
    tools: toolNames(model.prompts[0]),
    workspace,
    session,
    model,
  };
}

const toolNames = (prompt: { tools: readonly { name: string }[] } | undefined): string[] =>
  (prompt?.tools ?? []).map(({ name }) => name);

const resultsOf = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === "result"
      ? [fact.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")]
      : [],
  );

const edit = (path: string, old: string, fresh: string): ScriptedAnswer => [
  { call: "edit_file", with: { path, old, new: fresh } },
];
const call = (name: string, input: Record<string, string | number>): ScriptedAnswer => [
  { call: name, with: input },
];

const typescriptProject = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", noEmit: true } }),
  "package.json": JSON.stringify({ name: "shop", type: "module" }),
  "src/price.ts": "export function price(net: number): number {\n  return net * 1.2;\n}\n",
  "src/cart.ts": 'import { price } from "./price.ts";\n\nexport const total: number = price(10);\n',
};

/** The first request waits for the server to start, however slow the machine is; edits only wait for their limit. */
const typescriptWork: ScriptedAnswer[] = [
  call("get_diagnostics", { path: "src/price.ts" }),
  [
    { call: "read_file", with: { path: "src/price.ts" } },
    { call: "read_file", with: { path: "src/cart.ts" } },
  ],
  edit("src/price.ts", "return net * 1.2;", "return String(net);"),
  edit("src/price.ts", "return String(net);", "return net * 1.3;"),
  edit("src/price.ts", "price(net: number)", "price(net: string)"),
  call("get_diagnostics", {}),
  call("find_references", { symbol: "price" }),
  call("rename_symbol", { symbol: "price", path: "src/price.ts", newName: "gross" }),
  call("get_diagnostics", { filePath: "src/cart.ts" }),
];

function expectTypescript(results: readonly string[]): void {
  const [first, , , broken, mended, caller, report, uses, renamed, cart] = results;
  expect(first).toBe("No problems in src/price.ts (typescript).");
  expect(broken).toContain("1 new error");
  expect(broken).toMatch(
    /src\/price\.ts:2:3 error: Type 'string' is not assignable to type 'number'\. \(\w+ 2322\)/,
  );
  expect(broken).toContain("    return String(net);");
  expect(mended).toContain("[typescript: no new problems.]");
  expect(caller).toMatch(/src\/cart\.ts:3:36 error: Argument of type 'number' is not assignable/);
  expect(caller).toContain("src/price.ts:2:10 error: The left-hand side");
  // One of them existed before, so no edit was blamed for it.
  expect(report).toMatch(/^3 errors and 0 warnings in the workspace \(typescript\):/);
  expect([broken, mended, caller].join("")).not.toContain("extension");
  expect(uses?.split("\n").toSorted()).toEqual([
    'src/cart.ts:1:10  import { price } from "./price.ts";',
    "src/cart.ts:3:30  export const total: number = price(10);",
    "src/price.ts:1:17  export function price(net: string): number {",
  ]);
  expect(renamed).toContain("Renamed price to gross in ");
  expect(cart).toMatch(/src\/cart\.ts:3:36 error: Argument of type 'number'/);
}

test("A23, A24: with TypeScript 7 an edit's result reports the type errors it causes, and a fix is reported as clean", async () => {
  const { results, tools, workspace } = await work(typescriptWork, {
    files: typescriptProject,
    ...only("tsc"),
  });
  expect(tools).toEqual(
    expect.arrayContaining(["get_diagnostics", "find_definition", "find_references", "rename_symbol"]),
  );
  expectTypescript(results);
  expect(await workspace.read("src/cart.ts")).toContain("total: number = gross(10)");
});

test("TypeScript 7 has npm fetch no types, so that no change waits until npm gives up", async () => {
  const place = join(packages, ".cache", "tests", "endless-npm");
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "npm"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
  const { rows, path } = only("tsc");
  const { results } = await work(
    [
      call("get_diagnostics", { path: "src/price.js" }),
      edit("src/price.js", "1.2", "1.3"),
      call("run_command", { command: "rm src/old.js" }),
    ],
    {
      files: { "src/price.js": "export const price = (net) => net * 1.2;\n", "src/old.js": "old\n" },
      rows,
      path: `${place}:${path}`,
    },
  );
  expect(results.at(-1)).toContain("[typescript: no new problems.]");
});

test.each(["deny", "ask"] as const)(
  "A24: what a rule says to %s is in no problem, place or preview that a server's answer leads to",
  async (decision) => {
    const { results, session, model } = await work(
      [
        call("get_diagnostics", { path: "src/cart.ts" }),
        call("find_definition", { symbol: "price", path: "src/cart.ts" }),
        call("find_references", { symbol: "price", path: "src/cart.ts" }),
        call("get_diagnostics", { path: "closed/price.ts" }),
        call("rename_symbol", { symbol: "price", path: "src/cart.ts", newName: "gross" }),
        edit("src/cart.ts", "total: number", "total: string"),
        call("get_diagnostics", {}),
      ]
        .flat()
        .map((one) => [one]),
      {
        files: {
          ...typescriptProject,
          "src/cart.ts":
            'import { price } from "../closed/price.ts";\n\nexport const total: number = price(10);\n',
          "closed/price.ts":
            "export function price(net: number): number {\n  const CANARYname: string = net;\n  return Number(CANARYname); // CANARYcomment\n}\n\nexport const CANARYuse = price(1);\n",
        },
        ...only("tsc"),
        rules: [{ tool: "*", path: "closed", decision }],
      },
    );
    const facts = session
      .facts()
      .map((fact) => (fact.type === "approval-asked" ? { ...fact, preview: "" } : fact)); // for the person
    expect(JSON.stringify([facts, model.prompts])).not.toContain("CANARY");
    const [, definition, uses, , , edited] = results;
    expect(definition).toContain("knows no definition of price");
    expect(uses).toContain("src/cart.ts:3:30");
    expect(edited).toContain("[typescript: 1 new error since this change:");
  },
);

/** A session whose editor has an opinion about every change: `way` as the tool server of tests behaves. */
async function inEditor(way: "points" | "checks", script: readonly ScriptedAnswer[]) {
  const lent = new LentServers("0");
  const opened = await work(script, {
    files: { ...typescriptProject, "notes.md": "one\n" },
    ...only("tsc"),
    before: [
      (context) => {
        lent.lend({ workspace: context.workspace }, { editor: testServer(way) });
        return lent.open(context);
      },
    ],
  });
  return { ...opened, lent };
}
const toldBy = (results: readonly string[], who: string): boolean[] =>
  results.map((words) => words.includes(who));

test("A24: what an editor checks is told by the editor alone, until it has gone", async () => {
  const { results, session, workspace, lent } = await inEditor("checks", [
    edit("src/price.ts", "return net * 1.2;", "return String(net);"),
    edit("notes.md", "one", "two"),
    call("get_diagnostics", { path: "src/price.ts" }),
    edit("src/price.ts", "return String(net);", "return [net];"),
    [{ say: "Broken." }],
    edit("src/price.ts", "return [net];", "return { net };"),
  ]);
  expect(toldBy(results, "Two problems in")).toEqual([true, true, false, true]);
  expect(toldBy(results, "[typescript:")).toEqual([false, false, false, false]);
  expect(results[2]).toContain("Type 'string' is not assignable to type 'number'");

  lent.lend({ workspace: workspace.root }, {});
  await session.ask("go on", "deny");
  const last = resultsOf(session.facts()).at(-1) ?? "";
  expect(last).not.toContain("Two problems in");
  expect(last).toContain("[typescript: 1 new error since this change:");
});

test("A24: an editor that does not check a file leaves that to the language server", async () => {
  const { results } = await inEditor("points", [
    edit("src/price.ts", "return net * 1.2;", "return String(net);"),
    call("get_diagnostics", { path: "src/price.ts" }),
    edit("src/price.ts", "return String(net);", "return [net];"),
  ]);
  expect(toldBy(results, "Two problems in")).toEqual([true, false, true]);
  expect(toldBy(results, "[typescript: 1 new error")[2]).toBe(true);
});

test("the same works with typescript-language-server and the project's older TypeScript, once trusted", async () => {
  const { results, workspace } = await work(typescriptWork, {
    files: typescriptProject,
    ...only("typescript-language-server"),
    prepare: async (root) => {
      await mkdir(join(root, "node_modules"));
      await symlink(join(packages, "typescript-6"), join(root, "node_modules", "typescript"));
    },
    trusts: () => true,
  });
  expectTypescript(results);
  expect(await workspace.read("src/cart.ts")).toContain("total: number = gross(10)");
});

test("with pyright an edit's result reports the type errors it causes in a Python project", async () => {
  const { results } = await work(
    [
      call("get_diagnostics", { path: "shop/price.py" }),
      [
        { call: "read_file", with: { path: "shop/price.py" } },
        { call: "read_file", with: { path: "shop/cart.py" } },
      ],
      edit("shop/price.py", "return net * 1.2", "return str(net)"),
      edit("shop/price.py", "return str(net)", "return net * 1.3"),
      edit("shop/price.py", "net: float", "net: str"),
      call("get_diagnostics", { file: "shop/cart.py" }),
      call("find_definition", { symbol: "price", path: "shop/cart.py", line: 4 }),
    ],
    {
      files: {
        "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
        "shop/__init__.py": "",
        "shop/price.py": "def price(net: float) -> float:\n    return net * 1.2\n",
        "shop/cart.py": "from shop.price import price\n\n\ntotal: float = price(10)\n",
      },
      ...only("pyright-langserver"),
    },
  );
  const [first, , , broken, mended, caller, cart, definition] = results;
  expect(first).toBe("No problems in shop/price.py (python).");
  expect(broken).toMatch(/shop\/price\.py:2:12 error: Type "str" is not assignable to return type "float"/);
  expect(mended).toContain("[python: no new problems.]");
  expect(caller).toMatch(/shop\/price\.py:2:12 error: /);
  expect(caller).toMatch(/shop\/cart\.py:4:22 error: Argument of type/);
  expect(cart).toMatch(/^1 error and 0 warnings in shop\/cart\.py \(python\):/);
  expect(definition).toBe("shop/price.py:1:5  def price(net: str) -> float:");
});

test("a library installed between two turns is known to the next check", async () => {
  const coins = 'import { coin } from "coin";\nexport const coins: number = coin;\n';
  const { session, workspace } = await work(
    [
      call("get_diagnostics", { path: "src/price.ts" }),
      call("write_file", { path: "src/coins.ts", content: coins }),
      [{ say: "It is not installed." }],
      call("get_diagnostics", { path: "src/coins.ts" }),
    ],
    { files: typescriptProject, ...only("tsc") },
  );
  expect(resultsOf(session.facts())[1]).toContain("Cannot find module 'coin'");
  const place = join(workspace.root, "node_modules", "coin");
  await mkdir(place, { recursive: true });
  await writeFile(
    join(place, "package.json"),
    '{ "name": "coin", "version": "1.0.0", "types": "index.d.ts" }',
  );
  await writeFile(join(place, "index.d.ts"), "export declare const coin: number;\n");
  await session.ask("I have installed it.");
  expect(resultsOf(session.facts()).at(-1)).toBe("No problems in src/coins.ts (typescript).");
});
