/** What a person allowed for the request or the session, and takes back. */

import { expect, onTestFinished, test } from "vitest";
import { step } from "../protocol/fold.ts";
import { emptyState, pendingApprovals } from "../protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { give, lastTold, of, parentSession, resultIn, write } from "../testing/parent.ts";
import { testSession } from "../testing/session.ts";
import type { LiveSession } from "./live-session.ts";

const covers = { type: "tool", tool: "write_file" } as const;
const revoke = { type: "revoke-grant", covers, by: "terminal" } as const;

const done: ScriptedAnswer = [{ say: "ok" }];

async function start(script: readonly ScriptedAnswer[]) {
  const opened = await testSession(scriptedModel(script));
  onTestFinished(opened.close);
  const { session } = opened;
  const request = async (text: string): Promise<void> => {
    await session.command({ type: "send", content: [{ type: "text", text }] });
    await session.idle();
  };
  return { ...opened, request };
}

async function allow(session: LiveSession, scope: "once" | "turn" | "session"): Promise<void> {
  const [{ callId } = { callId: "" }] = pendingApprovals(session.state);
  await session.command({ type: "answer-approval", callId, answer: "allow", scope, by: "terminal" });
  await session.idle();
}

test("issue 23: what was allowed for the session is taken back, in the log as well, and asked about again", async () => {
  const { session, facts, request } = await start(
    ["a", "b", "c"].flatMap((path) => [[write(path, "x")], done]),
  );
  await request("go");
  await allow(session, "session");
  await request("again");
  expect(of(facts(), "approval-asked")).toHaveLength(1);

  expect(await session.command(revoke)).toEqual({ ok: true });
  expect(facts().at(-1)).toMatchObject({
    type: "grant-revoked",
    covers,
    grant: "every use of write_file",
    by: "terminal",
  });
  expect(facts().reduce(step, emptyState()).grants).toEqual([]);
  await request("once more");
  expect(pendingApprovals(session.state)).toHaveLength(1);
  await allow(session, "session");
  expect(session.state.grants).toHaveLength(1);
});

test("what was allowed for a request is taken back while it runs", async () => {
  const { session, facts, request } = await start([
    [write("a", "x")],
    [{ call: "write_file", with: { path: ".env", content: "x" } }],
    [write("b", "x")],
    done,
  ]);
  await request("go");
  await allow(session, "turn");
  expect(pendingApprovals(session.state)[0]?.covers).toEqual({ ...covers, paths: [".env"] });
  expect(await session.command(revoke)).toEqual({ ok: true });
  await allow(session, "once");
  expect(of(facts(), "approval-asked").map((asked) => asked.covers)).toEqual([
    covers,
    { ...covers, paths: [".env"] },
    covers,
  ]);
});

test("what nobody allowed, or what has ended, is not taken back: the command is refused, and nothing is stored", async () => {
  const { session, facts, request } = await start([[write("a", "x")], done]);
  const refused = { ok: false, problem: "That is not allowed for this request or this session (any more)." };
  expect(await session.command(revoke)).toEqual(refused);
  await request("go");
  await allow(session, "turn");
  expect(session.state.status).toBe("idle");
  expect(await session.command(revoke)).toEqual(refused);
  expect(of(facts(), "grant-revoked")).toEqual([]);
});

test("what is taken back covers no further call of a subagent at work", async () => {
  let revoking: Promise<unknown> | undefined;
  const context = await parentSession(
    {
      Ask: (round) =>
        round === 1
          ? [write("a.txt", "one\n")]
          : round === 2
            ? [give({ task: "Change", allowed_tools: ["write_file"] })]
            : [{ say: "Done." }],
      Change: (round, prompt) => {
        if (round === 1) return [write("b.txt", "two\n")];
        if (round > 2) return [{ say: `I was told: ${lastTold(prompt)}` }];
        revoking = context.session.command(revoke);
        return [{ wait: revoking.then(() => undefined) }, write("c.txt", "three\n")];
      },
    },
    { mode: "ask" },
  );
  const { session, workspace } = context;
  await session.command({ type: "send", content: [{ type: "text", text: "Ask for both." }] });
  await session.idle();
  await allow(session, "session");
  expect(await revoking).toEqual({ ok: true });
  expect(await workspace.files()).toEqual(["a.txt", "b.txt"]);
  expect(resultIn(context, 1).words).toContain(
    "I was told: Denied: it changes files, and there is nobody to ask.",
  );
});
