/** Hooks of other agents that apply only to some occasions of an event. */

import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { foreignHooks } from "./foreign-form.ts";
import { occasionOf } from "./hook-questions.ts";

async function hooksOf(event: string, ...matchers: string[]) {
  const groups = matchers.map((matcher) => ({ matcher, hooks: [{ type: "command", command: matcher }] }));
  const settings = JSON.stringify({ hooks: { [event]: groups } });
  const workspace = await temporaryWorkspace({ ".claude/settings.json": settings });
  onTestFinished(() => workspace.remove());
  return foreignHooks(workspace.root);
}

test("B15: a SessionStart hook runs only on the occasions named by its matcher", async () => {
  const { hooks, problems } = await hooksOf("SessionStart", "startup", "startup|resume", "*", "compact", "(");
  const at = (isResumed: boolean): string[] => {
    const occasion = occasionOf({ event: "session-start", isResumed }) ?? "";
    return hooks.flatMap((hook) =>
      hook.fits?.(occasion) && hook.runs.type === "line" ? [hook.runs.line] : [],
    );
  };
  expect(at(false)).toEqual(["startup", "startup|resume", "*"]);
  expect(at(true)).toEqual(["startup|resume", "*"]);
  expect(problems.join("\n")).toContain("a hook of SessionStart for compact, which there is not here");
  expect(problems.join("\n")).toContain("whose matcher cannot be read (()");
});

test("B15: a PreCompact hook distinguishes manual from automatic compaction; Stop ignores its matcher", async () => {
  const { hooks } = await hooksOf("PreCompact", "manual");
  expect(hooks[0]?.fits?.(occasionOf({ event: "compaction", because: "person" }) ?? "")).toBe(true);
  expect(hooks[0]?.fits?.(occasionOf({ event: "compaction", because: "budget" }) ?? "")).toBe(false);
  expect((await hooksOf("Stop", "anything")).hooks).toHaveLength(1);
});
