import { request as httpRequest } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { askedAtPoint, type ChangePoint } from "../../../../../src/addons/mcp/change-points.ts";
import { startServers, wordsOf } from "../../../../../src/addons/mcp/testing/servers.ts";
import type { JsonObject } from "../../../../../src/base/json.ts";
import type { EditorPowers } from "../../common/tools/editor-powers.ts";
import { testEditor } from "../../common/tools/testing/powers.ts";
import type { ShellOutcome } from "../../common/tools/user-shell.ts";
import { startToolServer } from "./tool-server.ts";

async function stage(over: Partial<EditorPowers> = {}) {
  const editor = testEditor(over);
  const problems: string[] = [];
  const server = await startToolServer(editor, { version: "0", log: (problem) => problems.push(problem) });
  onTestFinished(() => server.close());
  return { editor, server, problems };
}

/** Through the client of the core, as a session has it. */
async function session(over: Partial<EditorPowers> = {}) {
  const { editor, server, problems } = await stage(over);
  const core = await startServers({ editor: server.lent });
  onTestFinished(() => core.close());
  const call = async (name: string, input: JsonObject): Promise<string> =>
    wordsOf(await core.call(`mcp__editor__${name}`, input));
  /** As the core does around a change. */
  const at = async (point: ChangePoint): Promise<string> => {
    const change = { change: "1", paths: ["a.ts"], seen: ["b.ts"] };
    const { signal } = new AbortController();
    const { words, checked } = await askedAtPoint(core.manager.servers(), point, change, signal);
    return [...words, ...checked.map((path) => `checked: ${path}`)].join("\n");
  };
  return { editor, problems, core, call, at };
}

const bad = { severity: "error", line: 2, column: 1, message: "no such name", source: "ts" } as const;

test("a session of the core has the editor's tools, those that only read without a question; none of those around changes", async () => {
  const { core } = await session();
  const does = core.session
    .tools()
    .map(({ name, does }) => [name.replace("mcp__editor__", ""), does] as const);
  expect(Object.fromEntries(does)).toEqual({
    problems: "read",
    selection: "read",
    open_editors: "read",
    definition: "read",
    references: "read",
    plan_rename: "read",
    run_task: "execute",
    run_in_my_terminal: "execute",
    show_diff: "read",
  });
});

test("what a change broke is told at its end, and the old problems are not", async () => {
  const { editor, at } = await session();
  const old = { path: "a.ts", problems: [{ ...bad, message: "old" }] };
  editor.finds([old]);
  expect(await at("before-change")).toBe("");
  editor.finds([old, { path: "b.ts", problems: [bad] }]);
  expect(await at("after-change")).toBe(
    "[The editor shows 1 new problem since this change:\nb.ts:2:1 error: no such name (ts)]\nchecked: a.ts",
  );
  expect(editor.looks).toEqual([
    ["a.ts", "b.ts"],
    ["a.ts", "b.ts"],
  ]);
});

test("a changed file counts as checked if somebody was asked about it, or if the editor shows an error in it", async () => {
  const { editor, at } = await session();
  editor.finds([{ path: "a.ts", problems: [{ ...bad, severity: "warning" }] }]);
  expect(await at("before-change")).toBe("");
  expect(await at("after-change")).toBe("");
  editor.finds([{ path: "a.ts", problems: [bad] }]);
  expect(await at("after-change")).toMatch(/1 new problem[^]*\nchecked: a\.ts$/u);
  const asking = await session({ examine: async (paths) => ({ isSettled: true, answered: paths }) });
  expect(await asking.at("after-change")).toBe("checked: a.ts");
});

test("a change of a file with unsaved work in the editor is told so", async () => {
  const { at } = await session({
    openEditors: () => [{ path: "a.ts", standing: "active", isUnsaved: true }],
  });
  expect(await at("before-change")).toBe("");
  expect(await at("after-change")).toContain("unsaved changes");
});

test("the problems of some files are those the editor finds in them now", async () => {
  const { editor, call } = await session();
  editor.finds([
    { path: "a.ts", problems: [bad] },
    { path: "b.ts", problems: [{ ...bad, message: "other" }] },
  ]);
  expect(await call("problems", { paths: ["a.ts"] })).toBe("a.ts:2:1 error: no such name (ts)");
  expect(await call("problems", {})).toContain("b.ts");
});

test("a rename is a plan that apply_patch takes, and changes nothing by itself", async () => {
  const { call } = await session({
    planRename: async () => ({
      ok: true,
      value: [{ path: "a.ts", before: "let sum = 1;\nsum += 2;\n", after: "let total = 1;\ntotal += 2;\n" }],
    }),
  });
  expect((await call("plan_rename", { symbol: "sum", newName: "total" })).split("\n")).toEqual([
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@ -1,2 +1,2 @@",
    "-let sum = 1;",
    "-sum += 2;",
    "+let total = 1;",
    "+total += 2;",
    "",
  ]);
});

test("a task that fails is a failed call with its problems", async () => {
  const { call, core } = await session({
    taskNames: async () => ["npm: build"],
    runTask: async () => ({ ok: true, value: { code: 2, problems: [{ path: "a.ts", problems: [bad] }] } }),
  });
  expect(await call("run_task", {})).toBe("npm: build");
  const ended = await core.call("mcp__editor__run_task", { name: "npm: build" });
  expect(ended.outcome).toBe("failed");
  expect(wordsOf(ended)).toContain("npm: build ended with exit code 2.\na.ts:2:1 error: no such name (ts)");
});

test.each<[ShellOutcome, "ok" | "failed", string]>([
  [{ type: "ended", exit: 0, output: "done" }, "ok", "done\n\nExit code: 0"],
  [{ type: "ended", exit: 3, output: "" }, "failed", "Exit code: 3"],
  [
    { type: "ended", exit: undefined, output: "" },
    "ok",
    "It has ended. The shell did not tell its exit code.",
  ],
  [{ type: "closed", exit: 3, output: "bye" }, "failed", "bye\n\nThe terminal closed. Exit code: 3"],
  [{ type: "closed", exit: undefined, output: "" }, "ok", "The terminal closed."],
  [
    { type: "left-running", output: "ready" },
    "ok",
    "ready\n\nAfter 5 s it still runs in the user's terminal, and is not watched any more.",
  ],
])("what became of a command in the user's terminal is told: %j", async (outcome, is, words) => {
  const { core } = await session({ runInTerminal: async () => ({ ok: true, value: outcome }) });
  const answer = await core.call("mcp__editor__run_in_my_terminal", { command: "make", seconds: 5 });
  expect([answer.outcome, wordsOf(answer)]).toEqual([is, words]);
});

test("a command that was not run in the user's terminal, or is too long for one, is a failed call", async () => {
  const { call } = await session({
    runInTerminal: async () => ({ ok: false, problem: "Nothing was run: no." }),
  });
  expect(await call("run_in_my_terminal", { command: "make" })).toBe("Nothing was run: no.");
  expect(await call("run_in_my_terminal", { command: "x".repeat(8_001) })).toContain("command");
});

test("an editor that fails is a failed call, and the next call works", async () => {
  const { call, problems } = await session({
    definition: () => Promise.reject(new Error("the provider broke")),
  });
  expect(await call("definition", { symbol: "sum" })).toContain("the provider broke");
  expect(problems).toEqual(["definition: the provider broke"]);
  expect(await call("references", { symbol: "sum" })).toBe("The editor knows of none.");
});

test("who has not the token, comes from a web page, or by another name is refused", async () => {
  const { server } = await stage();
  const { url, headers } = server.lent;
  const post = (more: Record<string, string>): Promise<Response> =>
    fetch(url, { method: "POST", body: "{}", headers: { "content-type": "application/json", ...more } });
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: "Bearer 0" })).status).toBe(401);
  expect((await post({ ...headers, origin: "http://example.com" })).status).toBe(403);
  expect(await statusFor(url, { ...headers, host: "example.com" })).toBe(403);
  expect((await fetch(new URL("/", url), { headers })).status).toBe(404);
});

/** `fetch` does not let a caller set Host. */
function statusFor(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: "POST", headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    sent.on("error", reject);
    sent.end("{}");
  });
}
