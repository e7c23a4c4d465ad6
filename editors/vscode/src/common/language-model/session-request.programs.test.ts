/** Requests of VS Code's chat in the sessions of a real gateway. */

import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { collect } from "../../../../../src/base/async.ts";
import { connect } from "../../../../../src/client.ts";
import { type ModelScript, scriptedModel } from "../../../../../src/providers/scripted-model.ts";
import { testGateway } from "../../../../../src/testing/gateway.ts";
import { beginRequest, type SessionRequest } from "./session-request.ts";
import { endWords, type TurnPiece } from "./turn-words.ts";

async function stage(script: ModelScript) {
  const gateway = await testGateway(scriptedModel(script, { pieces: 3 }), { mode: "accept-edits" });
  const client = connect({ url: gateway.url, token: gateway.token, WebSocket });
  const live = client.live();
  onTestFinished(async () => {
    live.close();
    await gateway.close();
    await gateway.test.remove();
  });
  const ask = (words: string, session?: string, signal = new AbortController().signal) => {
    const request: SessionRequest = { workspace: gateway.test.workspace, session, words };
    return beginRequest({ client, live }, request, signal);
  };
  return { ask };
}

const textIn = (pieces: readonly TurnPiece[]): string =>
  pieces.map((piece) => (piece.type === "text" ? piece.text : "")).join("");

test("a request is told as it streams: words once, what is done, and its end", async () => {
  const { ask } = await stage([
    [{ say: "I will write it." }, { call: "write_file", with: { path: "a.txt", content: "a\n" } }],
    [{ say: "Written." }],
  ]);
  const { pieces } = await ask("Write a.txt");
  const told = await collect(pieces);
  expect(textIn(told)).toBe("I will write it.\n\nWritten.");
  expect(told.flatMap((piece) => (piece.type === "doing" ? [piece.title] : []))).toEqual(["Write a.txt"]);
  const last = told.at(-1);
  expect(last?.type === "end" && endWords(last.end)).toBe("Changed `a.txt`.");
});

test("a second request continues the session, and only its own words are told", async () => {
  const { ask } = await stage([[{ say: "One." }], [{ say: "Two." }], [{ say: "Three." }]]);
  const first = await ask("one");
  await collect(first.pieces);
  const second = await ask("two", first.session);
  expect(second.session).toBe(first.session);
  expect(textIn(await collect(second.pieces))).toBe("Two.");
  const third = await ask("three", "20200101-000000-000000");
  expect(third.session).not.toBe(first.session);
  expect(textIn(await collect(third.pieces))).toBe("Three.");
});

test("a request that is cancelled is interrupted and told to its end", async () => {
  const never = Promise.withResolvers<void>();
  const { ask } = await stage([
    [{ say: "Well, this will take a while, I think. " }, { wait: never.promise }],
  ]);
  const cancelling = new AbortController();
  const { pieces } = await ask("go", undefined, cancelling.signal);
  const told: TurnPiece[] = [];
  for await (const piece of pieces) {
    told.push(piece);
    if (piece.type === "text") cancelling.abort();
  }
  const last = told.at(-1);
  expect(last?.type === "end" && last.end.stopped).toBe("interrupted");
  never.resolve();
});

test("a question to a person is told as something that waits in Toolwright", async () => {
  const { ask } = await stage([
    [{ call: "run_command", with: { command: "npm publish" } }],
    [{ say: "Not published." }],
  ]);
  const cancelling = new AbortController();
  const { pieces } = await ask("publish", undefined, cancelling.signal);
  for await (const piece of pieces)
    if (piece.type === "waiting") {
      expect(piece.title).toContain("npm publish");
      cancelling.abort();
    }
  expect(cancelling.signal.aborted).toBe(true);
});
