/** A message part is sent as its text or its picture only, without our internal fields. */

import { expect, test } from "vitest";
import type { Ask, ContentPart } from "../protocol/messages.ts";
import { wires } from "./index.ts";

const image: ContentPart = { type: "image", mediaType: "image/png", data: "aGk=" };

const bodyOf = (wire: (typeof wires)[keyof typeof wires], text: ContentPart): unknown => {
  const call = { id: "call_1", name: "look", input: {}, source: "native" };
  const ask: Ask = {
    model: "m",
    system: "",
    tools: [],
    messages: [
      { role: "user", content: [text, image] },
      { role: "assistant", content: [{ type: "call", call }] },
      { role: "tool", callId: "call_1", name: "look", content: [text, image], isError: false },
    ],
  };
  return wire.encodeAsk(ask, { streamed: true });
};

// Regression: a file sent with a picture reached OpenAI's format with our internal fields, which strict servers refuse.
test.each(Object.values(wires))("$name sends no internal fields along with a text", (wire) => {
  const text = { type: "text", text: "a" } as const;
  const marked: ContentPart = { ...text, file: "a.txt", typed: "/a", for: "model" };
  expect(bodyOf(wire, marked)).toEqual(bodyOf(wire, text));
});
