/** Sessions with a real model behind a real server: what must hold whatever the model says. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { collect } from "../../src/base/async.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { lastEnd, wholeSession } from "../support/whole-log.ts";
import { startLlamaServer, type LlamaServer } from "./llama-server.ts";
import { smolLm } from "./packages.ts";
import { agentIn, askUntilHeard, briefly, ownServer, placeWith } from "./place.ts";

let server: LlamaServer;
beforeAll(async () => {
  server = await startLlamaServer(smolLm, { endless: true });
});
afterAll(() => server.kill());

const story = "Tell a long story about a lighthouse. Use no tool.";

test("the server's model is found, listed with its provider, and described by doctor", async () => {
  const home = await placeWith(server);
  const listed = await runCommand(home, ["models"]);
  expect(listed.stdout).toContain(`llamacpp/${smolLm.name}\n`);
  const doctor = await runCommand(home, ["doctor", "--verbose", "--model", "llamacpp"]);
  expect(doctor.stdout).toMatch(/^ok +model +llamacpp\/smollm2:135m; 8,192 tokens; .*\(hermes\+tags\)/mu);
});

test("an answer arrives in pieces, is kept as it was heard, and its tokens are counted by the server", async () => {
  const home = await placeWith(server);
  const agent = await agentIn(home);
  const events = await collect(agent.stream(story));
  const pieces = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  const said = events.flatMap((event) => (event.type === "text" && event.by === "model" ? [event.text] : []));
  expect(pieces.length).toBeGreaterThan(1);
  expect(said).toEqual([pieces.join("")]);
  const answer = events.find((event) => event.type === "answer-end");
  expect(answer?.model).toBe(smolLm.name);
  expect(answer?.usage?.outputTokens).toBeGreaterThanOrEqual(pieces.length);
  expect(answer?.usage?.inputTokens).toBeGreaterThan(500);
});

test("an interrupted turn frees the server, and the session goes on", async () => {
  const home = await placeWith(server);
  const { session } = await agentIn(home);
  await askUntilHeard(session, story);
  expect(await server.busy()).toBe(1);
  await session.command({ type: "interrupt", by: "test" });
  await server.untilBusy(0);
  expect(session.state.turns.at(-1)?.stopped).toBe("interrupted");
  await session.command({ type: "send", content: [{ type: "text", text: "Say yes." }] });
  await session.idle();
  expect(session.state.turns.at(-1)).toMatchObject({ stopped: expect.stringMatching(/^(?:done|limit)$/u) });
  expect(session.state.turns.at(-1)?.usage.outputTokens).toBeGreaterThan(0);
});

test("Ctrl-C ends the command with 130 while the model reads or writes, and the server stops", async () => {
  const home = await placeWith(server);
  const running = startCommand(home, ["--model", "llamacpp", "-p", story]);
  await server.untilBusy(1);
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  await server.untilBusy(0);
  expect(lastEnd(await wholeSession(home.stateDir)).stopped).toBe("interrupted");
});

test("two sessions are answered at the same time", async () => {
  const home = await placeWith(server);
  const agents = [await agentIn(home), await agentIn(home)];
  const turns = Promise.all(agents.map((agent) => agent.ask(story)));
  await server.untilBusy(2);
  expect((await turns).map(({ usage }) => usage.outputTokens > 0)).toEqual([true, true]);
});

test("a request beyond the window is refused before it is sent, and otherwise the server's own words are told", async () => {
  const home = await placeWith(server);
  const long = "word ".repeat(9_000);
  const known = await runCommand(home, [...briefly, "-p", long.repeat(2)]);
  expect(known).toMatchObject({ code: 1, stdout: "" });
  expect(known.stderr).toMatch(/The message is too long for .*: about \d+ tokens, of 8192 in all/u);
  const believed = await agentIn(home, { contextTokens: 1_000_000 });
  const turn = await believed.ask(long);
  expect(turn.stopped).toBe("failed");
  expect(turn.text).toMatch(/too long for the model \(the provider said: .*context size/su);
  expect(await server.busy()).toBe(0);
});

test("a conversation that outgrows the window is summarised by the model itself, and goes on", async () => {
  const small = await ownServer(smolLm, { context: 1_536, endless: true, longest: 200 });
  const home = await placeWith(small);
  const agent = await agentIn(home);
  for (let left = 5; left > 0; left -= 1) expect((await agent.ask(story)).stopped).toBe("limit");
  expect(agent.session.facts.some(({ type }) => type === "compaction")).toBe(true);
  expect(agent.session.facts.some((fact) => fact.type === "answer-end" && fact.reason === "failed")).toBe(
    false,
  );
});

test("a server that is killed in the middle of an answer and comes back is asked again; when it stays away, that is told", async () => {
  const mortal = await ownServer(smolLm, { endless: true, longest: 64 });
  const home = await placeWith(mortal);
  const { session } = await agentIn(home, { retryFor: 20_000 });
  await askUntilHeard(session, story);
  await mortal.kill();
  const again = await ownServer(smolLm, {
    endless: true,
    longest: 64,
    port: Number(new URL(mortal.url).port),
  });
  await session.idle();
  const answers = session.facts.filter((fact) => fact.type === "answer-end");
  expect(answers.map(({ reason }) => reason === "failed")).toEqual([true, false]);

  const { session: lost } = await agentIn(home, { retryFor: 0 });
  await askUntilHeard(lost, story);
  await again.kill();
  await lost.idle();
  const end = lost.facts.at(-1);
  expect(end).toMatchObject({ type: "turn-end", stopped: "failed" });
  expect(JSON.stringify(end)).toMatch(/Nothing answers at http:\/\/127\.0\.0\.1:\d+|broke off/u);
  expect(lost.facts.some((fact) => fact.type === "text" && fact.by === "model")).toBe(true);
});
