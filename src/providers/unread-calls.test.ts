import { expect, onTestFinished, test } from "vitest";
import { collect } from "../base/async.ts";
import { isObject } from "../base/json.ts";
import { serveModel, type ServerFault } from "../testing/scripted-server.ts";
import type { WireName } from "../wires/wire.ts";
import { httpModel } from "./http-model.ts";
import type { Prompt } from "./provider.ts";
import { scriptedModel, type ScriptedAnswer } from "./scripted-model.ts";
import { switching } from "./switching-model.ts";
import { waysOf } from "./ways.ts";

const fenced: ScriptedAnswer = [{ say: '```json\n{"name": "ping", "arguments": {"n": 1}}\n```' }];
const prompt: Prompt = {
  system: "",
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  tools: [
    {
      name: "ping",
      description: "Pings.",
      schema: { type: "object", properties: { n: { type: "number" } } },
    },
  ],
};

/** Asks a model with native tools once, over HTTP; `faults` are the server's first replies. */
async function ask(wire: WireName, faults: readonly ServerFault[]) {
  const served = await serveModel(
    scriptedModel(() => fenced),
    { faults },
  );
  onTestFinished(() => served.close());
  const server = {
    provider: "box",
    wire,
    baseUrl: wire === "ollama" ? served.url : `${served.url}/v1`,
    keyNames: [],
    local: true,
    unreachableAdvice: "Start it",
  };
  const bare = httpModel({ server, model: "m", retry: { sleep: async () => undefined } });
  const model = switching(bare, waysOf(bare, { model: "m", capabilities: { tools: true } }));
  const events = await collect(model.ask(prompt, new AbortController().signal));
  const calls = events.flatMap((event) => (event.type === "call-end" ? [event.call.input] : []));
  const native = served.requests.map(({ body }) => isObject(body) && "tools" in body);
  return { calls, native };
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const error = (words: string): string => line({ error: words });
const failed = (body: string): ServerFault => ({ status: 500, body });
const inStream = (body: string): ServerFault => ({ status: 200, body });
const chat = (status: number, complaint: object): ServerFault => ({
  status,
  body: line({ error: complaint }),
});

const xml = "XML syntax error on line 8: element <function> closed by </parameter>";
test.each<[string, WireName, ServerFault]>([
  ["Ollama, as a 500", "ollama", failed(error(xml))],
  ["Ollama, as the first line of a stream", "ollama", inStream(error(xml))],
  [
    "Ollama, with the words as a key",
    "ollama",
    inStream(line({ "error parsing tool call": "raw='{\"n\":', err=unexpected end of JSON input" })),
  ],
  ["Ollama, in one word", "ollama", failed(error("EOF"))],
  [
    "llama-server",
    "openai-chat",
    chat(500, { code: 500, message: "Invalid diff: now finding less tool calls!", type: "server_error" }),
  ],
  [
    "vLLM, as a 400",
    "openai-chat",
    chat(400, { message: 'unexpected tokens remaining in message header: Some("to=x")', code: 400 }),
  ],
  [
    "Groq, with nothing readable in its report",
    "openai-chat",
    chat(400, { message: "Failed to call a function.", code: "tool_use_failed", failed_generation: "Hm." }),
  ],
])(
  "a call that the server could not read is asked for again at once, as text: %s",
  async (_, wire, fault) => {
    expect(await ask(wire, [fault])).toEqual({ calls: [{ n: 1 }], native: [true, false] });
  },
);

test.each([
  ["beside the complaint", { failed_generation: '<function=ping>{"n": 7}</function>' }],
  ["as JSON", { failed_generation: '[{"name": "ping", "parameters": {"n": 7}}]' }],
  [
    "in what a gateway passes on",
    {
      metadata: {
        raw: '{"error":{"failed_generation":"<tool_call>{\\"name\\":\\"ping\\",\\"arguments\\":{\\"n\\":7}}</tool_call>"}}',
      },
    },
  ],
])(
  "a call that the server reports but could not read runs without another request: %s",
  async (_, report) => {
    const fault = chat(400, { message: "Failed to call a function.", code: "tool_use_failed", ...report });
    expect(await ask("openai-chat", [fault])).toEqual({ calls: [{ n: 7 }], native: [true] });
  },
);

test("a server out of memory is asked again in the same way", async () => {
  const fault = failed(error("CUDA error: out of memory"));
  const { native } = await ask("ollama", [fault]);
  expect(native).toEqual([true, true]);
});
