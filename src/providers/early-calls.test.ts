/** Tests that calls start before their answer is over, on every wire and from text, over real HTTP. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { hermes } from "../dialects/hermes.ts";
import { serveModel } from "../testing/scripted-server.ts";
import { endOf, factsOf, outcomesOf, sessionForTest, typesOf } from "../testing/scripted-session.ts";
import { gatedTool } from "../testing/turns.ts";
import { wires } from "../wires/index.ts";
import type { WireName } from "../wires/wire.ts";
import { httpModel } from "./http-model.ts";
import type { Model } from "./provider.ts";
import { scriptedModel } from "./scripted-model.ts";
import { taughtModel } from "./taught-model.ts";

function client(baseUrl: string, wire: WireName): Model {
  const server = {
    provider: "test",
    wire,
    baseUrl,
    keyNames: ["TEST_KEY"],
    local: true,
    unreachableAdvice: "",
  };
  return httpModel({ server, model: "m-1" });
}

const prefixes: Partial<Record<WireName, string>> = {
  anthropic: "",
  ollama: "",
  cohere: "",
  gemini: "/v1beta",
};

test.each(Object.values(wires).map(({ name }) => name))(
  "C6: over %s a complete call runs while the answer goes on",
  async (wire) => {
    const waiting = gatedTool("wait", "read");
    const begun = waiting.begins("early");
    const call = { call: "wait", with: { id: "early" } };
    const script = [[call, { wait: begun }, { say: "And more." }], [{ say: "Done." }]];
    const served = await serveModel(scriptedModel(script));
    onTestFinished(() => served.close());
    const model = client(served.url + (prefixes[wire] ?? "/v1"), wire);
    const { ask, facts } = await sessionForTest(model, { tools: [waiting.tool] });
    const asked = ask("go");
    await begun;
    expect(typesOf(facts())).not.toContain("answer-end");
    waiting.open("early");
    await asked;
    expect(outcomesOf(facts())).toEqual(["ok"]);
  },
);

test("C6: a call in text that its mark has closed runs while the answer goes on", async () => {
  const waiting = gatedTool("wait", "read");
  const begun = waiting.begins("early");
  const say = '<tool_call>\n{"name": "wait", "arguments": {"id": "early"}}\n</tool_call>\n';
  const script = [[{ say }, { wait: begun }, { say: "." }], [{ say: "Done." }]];
  const served = await serveModel(scriptedModel(script));
  onTestFinished(() => served.close());
  const model = taughtModel(client(`${served.url}/v1`, "openai-chat"), hermes);
  const { ask, facts } = await sessionForTest(model, { tools: [waiting.tool] });
  const asked = ask("go");
  await begun;
  expect(typesOf(facts())).not.toContain("answer-end");
  waiting.open("early");
  await asked;
});

/** A Chat Completions server that writes a call, more of it once that runs, and "Done." to the next request. */
async function goingOn(begun: Promise<void>, more: string): Promise<string> {
  let requests = 0;
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const piece = (call: object): string => chunk({ tool_calls: [{ index: 0, ...call }] });
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    requests += 1;
    if (requests > 1) {
      response.end(`${chunk({ content: "Done." }, "stop")}data: [DONE]\n\n`);
      return;
    }
    response.write(piece({ id: "a", function: { name: "wait", arguments: '{"id":"early"}' } }));
    void begun.then(() =>
      response.end(`${piece({ function: { arguments: more } })}${chunk({}, "tool_calls")}data: [DONE]\n\n`),
    );
  });
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test.each([
  ["one bracket too many", "}", ["tool-calls", "stop"], ["call-went-on"]],
  ["the same arguments again", '{"id":"early"}', ["tool-calls", "stop"], ["call-went-on"]],
  ["another object", '{"id":"late"}', ["failed", "stop"], []],
  ["further arguments", ',"backup":true}', ["failed", "stop"], []],
])(
  "a call that goes on with %s while it runs has run once, and the turn goes on",
  async (_, more, ends, told) => {
    const waiting = gatedTool("wait", "read");
    const begun = waiting.begins("early");
    const model = client(await goingOn(begun, more), "openai-chat");
    const { ask, facts } = await sessionForTest(model, { tools: [waiting.tool] });
    const asked = ask("go");
    await begun;
    waiting.open("early");
    await asked;
    expect(waiting.started).toEqual(["early"]);
    expect(outcomesOf(facts())).toEqual(["ok"]);
    expect(factsOf(facts(), "answer-end").map(({ reason }) => reason)).toEqual(ends);
    expect(factsOf(facts(), "warning").map(({ code }) => code)).toEqual(told);
    expect(endOf(facts())).toMatchObject({ stopped: "done" });
  },
);
