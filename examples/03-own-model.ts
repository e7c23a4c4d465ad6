/** A model of your own: anything that answers a prompt with events can drive the agent. This one counts words. */
import { equal } from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, parseArguments, startRuntime, type Model } from "toolwright";

/** Asks for the file once, then counts what came back. */
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
  const flags = parseArguments(["--cwd", workspace, "--state-dir", join(root, "state")], {});
  if (!flags.ok) throw new Error(flags.problem);
  const config = await loadConfig({ arguments: flags.value, env: { HOME: root }, cwd: root });
  if (!config.ok) throw new Error(config.problem);
  const runtime = await startRuntime(config.value, { env: {}, interactive: false, model: counter });
  if (!runtime.ok) throw new Error(runtime.problem);
  await writeFile(join(workspace, "poem.txt"), "So much depends\nupon a red wheel barrow\n");

  const session = await runtime.value.open({});
  if (!session.ok) throw new Error(session.problem);
  await session.value.command({ type: "send", content: [{ type: "text", text: "How many words?" }] });
  await session.value.idle();

  const [turn] = session.value.state.turns;
  equal(turn?.text, "There are 8 words.");
  console.log(runtime.value.model.name, "said:", turn.text);
  await session.value.close();
  await runtime.value.close();
} finally {
  await rm(root, { recursive: true });
}
