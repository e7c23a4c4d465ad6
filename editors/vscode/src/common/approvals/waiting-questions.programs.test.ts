import { expect, onTestFinished, test } from "vitest";
import type { ModelScript } from "../../../../../src/providers/scripted-model.ts";
import { testCore } from "../sessions/testing/core.ts";
import { WaitingQuestions } from "./waiting-questions.ts";

const command = "cat > out.txt <<'END'\none\ntwo\nEND";
const running: ModelScript = [[{ call: "run_command", with: { command } }], [{ say: "Done." }]];

async function waitingIn(script: ModelScript, isHere = true) {
  const core = await testCore(script, { mode: "ask" });
  const questions = new WaitingQuestions({ ...core, isHere: () => isHere });
  onTestFinished(() => questions.close());
  const session = await core.newSession();
  // As the chat view does: without a person, nobody would be asked.
  const followed = Promise.withResolvers<void>();
  onTestFinished(core.states.follow(session, () => followed.resolve()));
  await followed.promise;
  return { core, questions, session };
}

test("a question waits until it is answered here, and then its command has run", async () => {
  const { core, questions, session } = await waitingIn(running);
  const counts: number[] = [];
  questions.listen((waiting) => void counts.push(waiting.length));
  await core.send(session, "go");
  await expect.poll(() => questions.list).toMatchObject([{ type: "approval", session, asked: { command } }]);
  const callId =
    questions.list.flatMap((one) => (one.type === "approval" ? [one.asked.callId] : []))[0] ?? "";
  const answer = { type: "answer-approval", callId, answer: "allow", scope: "once", by: "VS Code" } as const;
  expect(await questions.answer(session, answer)).toEqual({ ok: true });
  await expect.poll(() => questions.list).toEqual([]);
  await expect.poll(() => core.read("out.txt").catch(() => "")).toBe("one\ntwo\n");
  expect(counts).toEqual([1, 0]);
  expect(await questions.answer(session, answer)).toMatchObject({ ok: false });
  expect(core.failures).toEqual([]);
});

test("a question that another surface answers waits no more", async () => {
  const { core, questions, session } = await waitingIn(running);
  await core.send(session, "go");
  await expect.poll(() => questions.list.length).toBe(1);
  await core.client.command(session, { type: "interrupt" });
  await expect.poll(() => questions.list).toEqual([]);
});

test("the model's own question waits as well", async () => {
  const asking = { question: "Which one?", options: ["a", "b"] };
  const { core, questions, session } = await waitingIn([
    [{ call: "ask_user", with: asking }],
    [{ say: "Thanks." }],
  ]);
  await core.send(session, "go");
  await expect
    .poll(() => questions.list)
    .toMatchObject([{ type: "question", session, asked: { question: "Which one?" } }]);
});

test("questions of sessions in other folders are not this window's", async () => {
  const { core, questions, session } = await waitingIn(running, false);
  await core.send(session, "go");
  await expect.poll(async () => (await core.client.session(session)).standing).toBe("waiting");
  expect(questions.list).toEqual([]);
});

test("nothing waits any more when the core is gone", async () => {
  const { core, questions, session } = await waitingIn(running);
  await core.send(session, "go");
  await expect.poll(() => questions.list.length).toBe(1);
  core.live.close();
  await expect.poll(() => questions.list).toEqual([]);
});
