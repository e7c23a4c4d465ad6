import { expect, test } from "vitest";
import { collect } from "../base/async.ts";
import type { Message } from "../protocol/messages.ts";
import { scriptedModel } from "./scripted-model.ts";
import { sightless } from "./sightless-model.ts";

test("a model without vision gets a text in place of each picture", async () => {
  const picture = { type: "image" as const, mediaType: "image/png", data: "iVBO" };
  const words = { type: "text" as const, text: "[A picture (image/png), which this model cannot see.]" };
  const said = { type: "text" as const, text: "Look:" };
  const answer: Message = { role: "assistant", content: [{ type: "text", text: "I look." }] };
  const result = { role: "tool" as const, callId: "a", name: "read_file", isError: false };
  const model = scriptedModel([[{ say: "I see nothing." }]]);
  const messages: Message[] = [
    { role: "user", content: [said, picture] },
    answer,
    { ...result, content: [picture] },
  ];
  await collect(sightless(model).ask({ system: "", messages, tools: [] }, new AbortController().signal));
  expect(model.prompts[0]?.messages).toEqual([
    { role: "user", content: [said, words] },
    answer,
    { ...result, content: [words] },
  ]);
});
