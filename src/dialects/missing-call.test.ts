import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { Message } from "../protocol/messages.ts";
import type { ModelEvent } from "../protocol/model-events.ts";
import { extract } from "./extract.ts";
import { allDialects } from "./index.ts";
import { few, pingJson } from "./testing/outcome.ts";

async function read(
  said: ModelEvent[],
  { tools = few, shown = [] }: { tools?: typeof few; shown?: Message[] } = {},
): Promise<ModelEvent[]> {
  async function* events(): AsyncGenerator<ModelEvent> {
    yield* said;
    yield { type: "answer-end", reason: "tool-calls" };
  }
  return collect(extract(events(), { tools, shown, dialects: allDialects, isNative: true }));
}

const words: ModelEvent = { type: "text-delta", text: "Next I run it." };
const callsIn = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "call-end" ? [event.call] : []));

test("an answer of words that ends in order to use a tool is told to the model, once", async () => {
  const [call, ...others] = callsIn(await read([words]));
  if (!call) throw new Error("Nothing was told.");
  expect(others).toEqual([]);
  expect(call).toMatchObject({ fault: "empty_tool_use", problem: expect.stringContaining("holds no call") });
  const shown: Message[] = [{ role: "assistant", content: [{ type: "call", call }] }];
  const again = await read([words], { shown });
  expect(again).toEqual([words, { type: "answer-end", reason: "stop" }]);
});

test("a call that came, natively or in the text, is what was announced; without tools nothing is missing", async () => {
  const native = { id: "a", name: "ping", input: {}, source: "native" };
  expect(callsIn(await read([words, { type: "call-end", call: native }]))).toEqual([native]);
  const text: ModelEvent = { type: "text-delta", text: `<tool_call>${pingJson}</tool_call>` };
  expect(callsIn(await read([text]))).toMatchObject([{ name: "ping" }]);
  expect(await read([words], { tools: [] })).toEqual([words, { type: "answer-end", reason: "stop" }]);
});
