/**
 * Every tool, times places that hold secrets, times rules, times modes: nothing of a place that may not be read unasked
 * is in a result, a title, another fact or a prompt. A tool that does not say here how it is called fails the test.
 */

import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { turnBounds } from "../../src/agent/bounds.ts";
import { everyTool, sessionTools } from "../../src/configuration/addon-tools.ts";
import { modes } from "../../src/protocol/fact-words.ts";
import type { Entry, Mode } from "../../src/protocol/facts.ts";
import type { Message } from "../../src/protocol/messages.ts";
import type { ModelScript, ScriptedStep } from "../../src/providers/scripted-model.ts";
import type { Rule } from "../../src/safety/rules.ts";
import { factsOf, resultsOf, scriptedSession, toldIn } from "../../src/testing/scripted-session.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../../src/testing/workspace.ts";

/** Each content is a word that occurs nowhere else. */
const secrets: Readonly<Record<string, string>> = {
  ".env": "CANARYenv",
  ".env.local": "CANARYlocal",
  ".env.d/prod": "CANARYprod",
  "packages/.ENV": "CANARYupper",
  "keys/id_rsa": "CANARYrsa",
  ".npmrc": "CANARYnpm",
  "config/credentials.json": "CANARYcredentials",
  "home/.aws/credentials": "CANARYaws",
  "odd\nname/.env": "CANARYodd",
};
const closed: Readonly<Record<string, string>> = {
  "hidden.txt": "CANARYhidden",
  "closed/deep/plan.txt": "CANARYdeep",
};
const links: Readonly<Record<string, string>> = {
  "notes.md": ".env",
  "closed-link": "closed/deep",
  "out.md": "../outside/id_rsa",
};
const harmless = "HARMLESSwords";
const paths = [
  ...Object.keys(secrets),
  ...Object.keys(closed),
  ...Object.keys(links),
  "closed-link/plan.txt",
  "closed/../.env",
  ".ENV",
  "src/a.txt",
];

type Call = Record<string, string | number | boolean | string[]>;
type Calls = (path: string) => Call[];

const file: Calls = (path) => [{ path }];
const edits: Calls = (path) => [
  { path, old: `token = CANARY`, new: "x" },
  { path, old: "token = somethin else\nsecond line", new: "x" },
];
const writes: Calls = (path) => [
  { path, content: "new" },
  { path, content: "// ... rest of the file unchanged ...\n" },
];
const symbols: Calls = (path) => [{ symbol: "token", path }];

const all = (...calls: Call[]): Call[] => calls;
const subagentTools = ["read_file", "list_files", "search_workspace", "preview_edit_file", "run_command"];

/** How each tool is called for a place. */
const callsOf: Readonly<Record<string, Calls>> = {
  read_file: (path) => [...file(path), { path, from: 1, to: 1 }],
  list_files: (path) => all({ path: dirname(path) }, { pattern: "**/*" }),
  search_workspace: (path) =>
    all(
      { pattern: "CANARY" },
      { pattern: "token", path, context: 3 },
      { pattern: "token", path: dirname(path), glob: `**/${basename(path)}`, context: 20 },
      { pattern: "CANARY|HARMLESS", glob: "{!*.md,**/*}", ignoreCase: true },
    ),
  write_file: writes,
  edit_file: edits,
  preview_write_file: writes,
  preview_edit_file: edits,
  apply_patch: (path) => [
    { patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-token = wrong\n+x\n*** End Patch` },
    {
      patch: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: taken.txt\n@@\n second line\n+x\n*** End Patch`,
    },
    {
      patch: `diff --git a/${path} b/copy.txt\nsimilarity index 100%\ncopy from ${path}\ncopy to copy.txt\n`,
    },
  ],
  apply_file_change: () => [], // in the next answer, with the tokens that the previews gave
  run_command: (path) =>
    all({ command: `cat '${path}'` }, { command: `sed -i s/token/x/ '${path}'`, stage: true }),
  terminal: (path) => [{ action: "start", command: `cat '${path}'` }],
  read_result: () => all({ call: "1" }, { id: "1" }),
  ask_user: () => [],
  todos: () => [{ items: [] }],
  delegate: (path) => [{ task: `Tell all of place ${paths.indexOf(path)}.`, allowed_tools: subagentTools }],
  propose_plan: () => [],
  fetch: (path) => [{ url: `file:///${path}` }],
  web_search: (path) => [{ query: path }],
  build: () => [{}],
  get_diagnostics: file,
  find_definition: symbols,
  find_references: symbols,
  rename_symbol: (path) => symbols(path).map((one) => ({ ...one, newName: "other" })),
  skill: (path) => all({ name: path }, { name: "x", file: path }),
  search_tools: (path) => [{ query: path }],
  read_resource: (path) => [{ server: "x", uri: `file:///${path}` }],
};

const allTools = [...everyTool, ...sessionTools];

test("every built-in tool and every tool of an addon says how it is called in the table", () => {
  expect(allTools.map(({ name }) => name).filter((name) => callsOf[name] === undefined)).toEqual([]);
});

const stepsFor = (names: readonly string[], places: readonly string[]): ScriptedStep[] =>
  names.flatMap((name) =>
    places.flatMap((path) => (callsOf[name]?.(path) ?? []).map((input) => ({ call: name, with: input }))),
  );

const steps = stepsFor(Object.keys(callsOf), paths);

/** Every call, then the changes that these staged. A subagent looks at its place, and reports all that it was told. */
const script: ModelScript = ({ messages }) => {
  const [first, ...later] = messages;
  const place = /Tell all of place (\d+)/u.exec(JSON.stringify(first))?.[1];
  const path = paths[Number(place)];
  const all = path === undefined ? steps : stepsFor(subagentTools, [path]);
  const done = later.filter(({ role }) => role === "tool").length;
  if (done < all.length) return all.slice(done, done + turnBounds.answerCalls.most);
  if (path !== undefined) return [{ say: JSON.stringify(later) }];
  return done > all.length ? [{ say: "done" }] : tokensIn(later).map(applying);
};

const tokensIn = (messages: readonly Message[]): string[] => [
  ...new Set(
    Array.from(JSON.stringify(messages).matchAll(/with the token (\S+) within/gu), ([, token = ""]) => token),
  ),
  "none",
];

const applying = (token: string): ScriptedStep => ({ call: "apply_file_change", with: { token } });

const rulesOf = (decision: Rule["decision"], tool: string): Rule[] =>
  ["hidden.txt", "closed"].map((path) => ({ tool, path, decision }));

const ruleSets: readonly (readonly [string, readonly Rule[]])[] = [
  ["no rules", []],
  ["rules that deny reading", rulesOf("deny", "read_file")],
  ["rules that deny every tool", rulesOf("deny", "*")],
  ["rules that ask", rulesOf("ask", "*")],
];

async function workspaceOf(): Promise<TemporaryWorkspace> {
  const all = await temporaryWorkspace({});
  onTestFinished(() => all.remove());
  const root = join(all.root, "work");
  const put = async (path: string, word: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), `token = ${word}\nsecond line ${word}\n`);
  };
  for (const [path, word] of Object.entries({ ...secrets, ...closed, "src/a.txt": harmless }))
    await put(path, word);
  await put("../outside/id_rsa", "CANARYoutside");
  for (const [path, target] of Object.entries(links)) await symlink(target, join(root, path));
  return { ...all, root };
}

/** What a person is asked about shows what they decide on; everything else counts. */
const told = (facts: readonly Entry[]): string =>
  JSON.stringify(facts.map((fact) => (fact.type === "approval-asked" ? { ...fact, preview: "" } : fact)));

const cells = ruleSets.flatMap(([words, rules]) =>
  modes.flatMap((mode) => [
    { words, rules, mode, interactive: true },
    ...(mode === "accept-edits" ? [{ words, rules, mode, interactive: false }] : []),
  ]),
);

test.each(cells)(
  "with $words, in the mode $mode, interactive: $interactive, no tool shows what may not be read unasked",
  async ({ rules, mode, interactive }) => {
    const workspace = await workspaceOf();
    const { ask, facts, model } = await scriptedSession(script, {
      workspace,
      mode: mode satisfies Mode,
      rules: [{ name: "user", rules }],
      interactive,
      tools: allTools,
      subagents: {},
    });
    await ask("go", "deny");
    // In the mode `trusted` only a person's own rules withhold anything.
    const withheld = [
      ...(mode === "trusted" ? [] : [...Object.values(secrets), "CANARYoutside"]),
      ...(rules.length > 0 ? Object.values(closed) : []),
    ];
    const said = told(facts()) + JSON.stringify(model.prompts);
    expect(withheld.filter((word) => said.includes(word))).toEqual([]);
    const called = factsOf(facts(), "call").map(({ call }) => call.name);
    expect(called.filter((name) => name !== "apply_file_change")).toHaveLength(steps.length);
    expect(called.filter((name) => name === "apply_file_change").length).toBeGreaterThan(0);
    expect(resultsOf(facts())).toHaveLength(called.length);
    expect(toldIn(facts())).not.toContain("Not started");
    const firsts = JSON.stringify(model.prompts.map(({ messages: [first] }) => first));
    if (mode === "auto") expect(firsts).toContain("Tell all of place 16.");
    expect(toldIn(facts())).toContain(`src/a.txt:1: token = ${harmless}`);
    if (rules.length === 0) expect(toldIn(facts())).toContain("hidden.txt:1: token = CANARYhidden");
  },
);
