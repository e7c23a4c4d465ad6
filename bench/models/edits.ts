/** Has a real model make a small edit in a real session, many times: held by its server and free, in the usual way and a small one. */

import { mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { hermes } from "../../src/dialects/hermes.ts";
import { openModel } from "../../src/providers/open-model.ts";
import type { AgentSession } from "../../src/runtime/agent-session.ts";
import { openAgent } from "../../src/runtime/open-agent.ts";
import type { ModelPlace } from "./answers.ts";
import { llamaServerAt } from "./answers.ts";

/** One session. */
export const editRecord = z.object({
  held: z.boolean(),
  small: z.boolean(),
  seed: z.number(),
  /** The file is as was asked for. */
  right: z.boolean(),
  /** The file is another than it was. */
  changed: z.boolean(),
  /** Answers of the model. */
  rounds: z.number(),
  calls: z.number(),
  failedCalls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  ms: z.number(),
  stopped: z.string(),
});
export type EditRecord = z.infer<typeof editRecord>;

type EditWay = Pick<EditRecord, "held" | "small">;

export const editWays: readonly EditWay[] = [
  { held: true, small: false },
  { held: true, small: true },
  { held: false, small: false },
  { held: false, small: true },
];

type Edit = { file: string; text: string; old: string; new: string };

const edits: readonly Edit[] = [
  { file: "a.ts", text: 'export const greeting = "helo";\n', old: "helo", new: "hello" },
  { file: "config.json", text: '{\n  "port": 8080,\n  "host": "localhost"\n}\n', old: "8080", new: "9090" },
  { file: "README.md", text: "# Shop\n\nTeh quick start is below.\n", old: "Teh", new: "The" },
  { file: "app.py", text: "DEBUG = True\n\nprint(DEBUG)\n", old: "DEBUG = True", new: "DEBUG = False" },
];

const rounds = 3;
const longest = 128;

/** Always the same: its name is in the system prompt, whose beginning the server keeps. */
async function emptyPlace(): Promise<string> {
  const root = join(await realpath(tmpdir()), "toolwright-edits");
  await rm(root, { recursive: true, force: true });
  await mkdir(root);
  return root;
}

export async function edit(place: ModelPlace, { held, small }: EditWay, seed: number): Promise<EditRecord> {
  const wanted = edits[seed % edits.length] ?? { file: "", text: "", old: "", new: "" };
  const root = await emptyPlace();
  const workspace = join(root, "workspace");
  await mkdir(workspace);
  const path = join(workspace, wanted.file);
  await writeFile(path, wanted.text);
  const choice = llamaServerAt(place, { seed });
  const constraint = held ? "auto" : "off";
  const model = await openModel(choice, {
    dialect: hermes,
    constraint,
    small: small ? "on" : "off",
    maxTokens: longest,
  });
  const agent = await openAgent({
    workspace,
    stateDir: join(root, "state"),
    env: { HOME: root, PATH: process.env["PATH"] },
    model,
    mode: "accept-edits",
    settings: { maxRounds: rounds },
  });
  try {
    const started = performance.now();
    const { session } = agent;
    await sendUntilChanged(
      session,
      `In the file ${wanted.file}, replace "${wanted.old}" with "${wanted.new}". Use edit_file. Then say that it is done.`,
    );
    const ms = Math.round(performance.now() - started);
    const now = await readFile(path, "utf8").catch(() => "");
    const { facts } = session;
    const turn = session.state.turns.at(-1);
    return {
      held,
      small,
      seed,
      right: now === wanted.text.replace(wanted.old, wanted.new),
      changed: now !== wanted.text,
      rounds: facts.filter(({ type }) => type === "answer-end").length,
      calls: facts.filter(({ type }) => type === "call").length,
      failedCalls: facts.filter((fact) => fact.type === "result" && fact.outcome !== "ok").length,
      inputTokens: turn?.usage.inputTokens ?? 0,
      outputTokens: turn?.usage.outputTokens ?? 0,
      ms,
      stopped: turn?.stopped ?? "",
    };
  } finally {
    await agent.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** What comes after the first change is only words, and costs minutes. */
async function sendUntilChanged(session: AgentSession, request: string): Promise<void> {
  await session.command({ type: "send", content: [{ type: "text", text: request }] });
  const stop = new AbortController();
  const idle = session.idle().finally(() => stop.abort());
  for await (const event of session.follow(session.state.seq, stop.signal))
    if (event.type === "change-applied") break;
  await session.command({ type: "interrupt", by: "measuring" });
  await idle;
}
