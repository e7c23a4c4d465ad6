import { describe, expect, test } from "vitest";
import type { ToolDescription } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";
import { extract, type ExtractOptions } from "../extract.ts";
import { allDialects } from "../index.ts";
import { jsonFence } from "../json-fence.ts";

const tools: ToolDescription[] = [
  {
    name: "write_page",
    description: "Writes a page.",
    schema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  },
];
const content = Array.from({ length: 100 }, (_, line) => `The line ${line} of a long text.`).join("\n");

/** The longest run of characters during which no event was emitted. */
async function longestSilence(text: string, options: Omit<ExtractOptions, "tools" | "dialects">) {
  let heard = 0;
  let longest = 0;
  let lastTold = 0;
  const names = new Set<string>();
  async function* spoken(): AsyncGenerator<ModelEvent> {
    for (const character of text) {
      heard += 1;
      yield { type: "text-delta", text: character };
    }
    yield { type: "answer-end", reason: "stop" };
  }
  for await (const event of extract(spoken(), { tools, dialects: allDialects, ...options })) {
    longest = Math.max(longest, heard - lastTold);
    lastTold = heard;
    if (event.type === "withheld") names.add(event.name);
  }
  return { longest, names: [...names] };
}

describe.each(allDialects.map((dialect) => ({ name: dialect.name, dialect })))("$name", ({ dialect }) => {
  const written = dialect.writeCalls([
    { id: "call00001", name: "write_page", input: { path: "a", content } },
  ]);

  test.each([
    ["a model taught the dialect", { known: dialect }],
    ["a model with native tools", { isNative: true }],
  ])("A28: events never pause for long while %s writes a long call", async (_, options) => {
    const { longest, names } = await longestSilence(`I write it.\n\n${written}`, options);
    expect(longest).toBeLessThanOrEqual(201);
    expect(names.filter((name) => name !== "" && name !== "write_page")).toEqual([]);
  });
});

test("text held back only briefly is not reported as withheld", async () => {
  const { names } = await longestSilence(
    'See `<tool_call>` and {"a": 1} and <tool_call> in the text. '.repeat(9),
    {},
  );
  expect(names).toEqual([]);
});

test("a call withheld from a chunk that began as text is reported too", async () => {
  async function* spoken(): AsyncGenerator<ModelEvent> {
    const call = `{"name": "write_page", "arguments": {"path": "a", "content": "${"x".repeat(300)}"}}`;
    yield { type: "text-delta", text: `I write it.\n\n\`\`\`json\n${call}` };
    yield { type: "text-delta", text: "\n```" };
    yield { type: "answer-end", reason: "stop" };
  }
  const told: ModelEvent[] = [];
  for await (const event of extract(spoken(), { tools, dialects: allDialects, known: jsonFence }))
    told.push(event);
  expect(told[0]).toEqual({ type: "text-delta", text: "I write it." });
  expect(told[1]).toMatchObject({ type: "withheld", name: "write_page" });
});
