/** The written forms of hooks: names, events and tools in our format and in those of other agents (B15). */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { readConfigFile } from "../../configuration/config-file.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { readAnswer } from "./answer.ts";
import { foreignHooks } from "./foreign-form.ts";
import { readMatcher } from "./matcher.ts";
import { hooksOf } from "./own-form.ts";
import { matchedBy, namedBy } from "./tool-names.ts";

const matched = (matcher: string) => matchedBy(readMatcher(matcher) ?? { fits: () => false });

const calledBy = (calls: ReturnType<typeof namedBy>): string[] =>
  tools.flatMap((tool) => {
    const name = calls(tool);
    return name === undefined ? [] : [`${tool.name} as ${name}`];
  });

test("the example in docs/hooks.md is a valid configuration", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../docs/hooks.md"), "utf8");
  const example = /```jsonc\n([^]*?)```/u.exec(page)?.[1] ?? "";
  const read = await readConfigFile("config.jsonc", example);
  expect(read).toMatchObject({ ok: true, value: { warnings: [] } });
  expect(read.ok ? read.value.addons.hooks?.length : 0).toBe(4);
});

test.each([
  ['[{"on":"nope","command":"x"}]', /"hooks\.0\.on" must be an event or a list of events: session-start/u],
  ['[{"on":"prompt"}]', /"hooks\.0\.command" must be either `command` or `url`/u],
  ['[{"on":"prompt","command":"x","url":"http://x"}]', /either `command` or `url`/u],
  ['[{"on":"prompt","command":"x","timeout":500}]', /must be a number of seconds from 0\.1 to 120/u],
  ['[{"on":"prompt","command":"x","tool":["a"]}]', /"hooks\.0" has no "tool" \(did you mean "tools"\?\)/u],
])("an invalid setting is reported with the valid options: %s", async (hooks, words) => {
  const read = await readConfigFile("config.jsonc", `{"hooks":${hooks}}`);
  expect(read.ok ? "" : read.problem).toMatch(words);
});

test("B15: event aliases, default hook names and timeouts are resolved", () => {
  const hooks = hooksOf([
    { on: ["on-file-write", "after-change"], command: "npm run fmt" },
    { on: "on-session-start", command: "npm run fmt" },
    { on: "prompt", command: ["./a b.sh", "x"], timeout: 120, onFailure: "block" },
    { on: "prompt", url: "http://127.0.0.1:1/x" },
  ]);
  expect(hooks.map(({ name, on, timeoutMs, onFailure }) => [name, on, timeoutMs, onFailure])).toEqual([
    ["npm at after-change", ["after-change"], 10_000, "allow"],
    ["npm at session-start", ["session-start"], 10_000, "allow"],
    ["hook 3 at prompt", ["prompt"], 120_000, "block"],
    ["127.0.0.1:1 at prompt", ["prompt"], 10_000, "allow"],
  ]);
});

test("tools match by our names, patterns and other agents' names; an edit matcher covers every changing tool", () => {
  expect(calledBy(namedBy(["read_file"]))).toEqual(["read_file as read_file"]);
  expect(calledBy(namedBy(["Bash"]))).toEqual(["run_command as run_command", "terminal as terminal"]);
  expect(calledBy(matched("Bash"))).toEqual(["run_command as Bash", "terminal as Bash"]);
  expect(calledBy(matched("Edit|MultiEdit|Write"))).toEqual(
    expect.arrayContaining(["write_file as Write", "edit_file as Edit", "apply_patch as Edit"]),
  );
  expect(calledBy(matched("Edit|Write")).length).toBe(tools.filter(({ does }) => does === "change").length);
  expect(calledBy(matched("*")).length).toBe(tools.length);
  expect(calledBy(namedBy(undefined)).length).toBe(tools.length);
  const server = { name: "mcp__files__write", aliases: [], does: "change" as const };
  expect(namedBy(["mcp__*"])(server)).toBe("mcp__files__write");
  expect(matched("Edit")(server)).toBeUndefined();
  expect(matched("mcp__files__.*")(server)).toBe("mcp__files__write");
});

test("a pattern in our format matches its own text literally, whatever it contains", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const calls = namedBy([text]);
      const tool = { name: text, aliases: [], does: "read" as const };
      expect(calls(tool)).toBe(text);
    }),
  );
});

test("arbitrary settings of another agent yield hooks or problems and never throw", async () => {
  const workspace = await temporaryWorkspace({ ".claude/settings.json": "{}" });
  onTestFinished(() => workspace.remove());
  const { writeFile } = await import("node:fs/promises");
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string(), foreignSettings()), async (text) => {
      await writeFile(join(workspace.root, ".claude/settings.json"), text);
      const { hooks, problems } = foreignHooks(workspace.root);
      for (const hook of hooks) expect(hook.where).toBe(".claude/settings.json");
      expect(problems.every((words) => /^(?:\.claude\/settings\.json|… and \d+ more)/u.test(words))).toBe(
        true,
      );
      for (const hook of hooks) for (const tool of tools) void [hook.calls(tool), hook.fits?.("startup")];
    }),
    { numRuns: 60 },
  );
});

const foreignSettings = () =>
  fc
    .record({
      hooks: fc.dictionary(
        fc.constantFrom("PreToolUse", "Stop", "Nothing"),
        fc.oneof(
          fc.jsonValue(),
          fc.array(
            fc.record(
              {
                matcher: fc.oneof(fc.string(), fc.constant("(")),
                hooks: fc.array(
                  fc.record(
                    {
                      type: fc.constantFrom("command", "http", "prompt"),
                      command: fc.string(),
                      url: fc.string(),
                    },
                    { requiredKeys: [] },
                  ),
                ),
              },
              { requiredKeys: [] },
            ),
          ),
        ),
      ),
    })
    .map((value) => JSON.stringify(value));

test("arbitrary hook output is read as an answer and never throws", () => {
  const json = fc.json().map((text) => (text.startsWith("{") ? text : `{"decision":${text}}`));
  fc.assert(
    fc.property(fc.oneof(fc.string(), json), (text) => {
      expect(["fine", "no", "failed"]).toContain(readAnswer(text, "before-call").type);
    }),
  );
});

test.each<[string, object, string]>([
  ["its own block", { decision: "block", reason: "r" }, "no: r"],
  [
    "a deny of others",
    { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "r" } },
    "no: r",
  ],
  [
    "two words of which one is no",
    { decision: "approve", hookSpecificOutput: { permissionDecision: "deny" } },
    "no: it gave no reason",
  ],
  ["no going on", { continue: false, stopReason: "r" }, "no: r"],
  ["an approval", { decision: "approve", reason: "r" }, "fine"],
  ["nothing", {}, "fine"],
  ["something else", { ok: false }, "failed"],
  ["a context that is no text", { context: 5 }, "failed"],
  ["a no that is no word", { continue: "false" }, "failed"],
  ["a detail that is none", { hookSpecificOutput: "deny" }, "failed"],
  ["nothing, said by null", { context: null, reason: null, continue: null }, "fine"],
])("%s is understood", (_, answer, meaning) => {
  const read = readAnswer(JSON.stringify(answer), "before-call");
  expect(read.type === "no" ? `no: ${read.because}` : read.type).toBe(meaning);
});

test("at the end of a turn, continue: false lets the turn end", () => {
  expect(readAnswer('{"continue":false,"stopReason":"enough"}', "turn-end")).toEqual({ type: "fine" });
});

test.each<[string, string]>([
  ['checking…\n{"decision":"block","reason":"r"}', "no: r"],
  ['checking…\n{\n  "decision": "block",\n  "reason": "r"\n}\n', "no: r"],
  ['{"level":"info"}\n{"decision":"block","reason":"r"}', "no: r"],
  [`${"{\n".repeat(40)}{"decision":"block","reason":"r"}`, "no: r"],
  ['"block"', "failed"],
  ["deny", "failed"],
  ["[]", "failed"],
  ['checking\n{"decision":"block"', "failed"],
  ['{"decision":"block"} done', "failed"],
  ['{"decision":"block"}\n{"decision":"approve"}', "failed"],
  ['{"decision":"approve"}\n{"decision":"block","reason":"r"}', "no: r"],
  ["[info] all is well", "fine"],
  ["all is well\n{not json}", "fine"],
  ['all is well\n{"level":"info"}', "fine"],
])("output that looks like an answer is read as one or fails: %j", (printed, meaning) => {
  const read = readAnswer(printed, "before-call");
  expect(read.type === "no" ? `no: ${read.because}` : read.type).toBe(meaning);
});

test("where output is context for the model, a JSON list is text, and a bare refusal fails", () => {
  expect(readAnswer('[{"line":1}]', "after-change")).toEqual({ type: "fine", context: '[{"line":1}]' });
  expect(readAnswer("block", "prompt")).toMatchObject({
    type: "failed",
    because: expect.stringContaining("block"),
  });
});
