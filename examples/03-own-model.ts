/** Your own model: anything that answers a prompt with events can drive the agent. This one counts words. */

import { equal } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAgent, type Model } from "toolwright";

/** Requests the file once, then counts the words of the result. */
const counter: Model = {
  name: "mine/counter",
  async *ask({ messages }) {
    yield { type: "answer-start", model: "counter" };
    const last = messages.at(-1);
    if (last?.role !== "tool") {
      const call = { id: "1", name: "read_file", input: { path: "poem.txt" }, source: "native" };
      yield { type: "call-end", call };
      yield { type: "answer-end", reason: "tool-calls" };
      return;
    }
    const text = last.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const words = text.match(/\p{L}+/gu) ?? [];
    yield { type: "text-delta", text: `There are ${words.length} words.` };
    yield { type: "answer-end", reason: "stop" };
  },
};

const root = await mkdtemp(join(tmpdir(), "toolwright-example-"));
try {
  const workspace = join(root, "workspace");
  const stateDir = join(root, "state");
  await using agent = await openAgent({ workspace, stateDir, model: counter, env: { HOME: root } });
  await writeFile(join(workspace, "poem.txt"), "So much depends\nupon a red wheel barrow\n");

  const { text } = await agent.ask("How many words?");
  equal(text, "There are 8 words.");
  console.log(counter.name, "said:", text);
} finally {
  await rm(root, { recursive: true });
}
