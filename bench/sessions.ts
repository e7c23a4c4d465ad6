/** How long a person waits for the list and a search with a thousand sessions. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../src/cli/main.ts";
import type { Entry, Fact } from "../src/protocol/facts.ts";
import { openSqliteStore } from "../src/session/sqlite/sqlite.ts";
import { testTerminal } from "../src/tui/testing/terminal.ts";

const sessions = Number(process.argv[2] ?? 1000);
const turns = 10;

function factsOf(id: string, workspace: string): Entry[] {
  const usage = { inputTokens: 20_000, outputTokens: 400, cacheReadTokens: 15_000 };
  const perTurn = (turn: number): Fact[] => [
    {
      type: "user-message",
      content: [{ type: "text", text: `Request ${turn} of ${id}: mend the parser, please.` }],
    },
    { type: "turn-start", model: "scripted/model", mode: "ask" },
    { type: "call", call: { id: `c${turn}`, name: "read_file", input: { path: "a.ts" }, source: "native" } },
    { type: "answer-end", reason: "tool-calls", model: "m", usage, cost: 0.01 },
    {
      type: "result",
      callId: `c${turn}`,
      outcome: "ok",
      content: [{ type: "text", text: "line\n".repeat(200) }],
    },
    { type: "text", block: turn, text: `It was the tokenizer of ${id}, as usual. `.repeat(10), by: "model" },
    { type: "answer-end", reason: "stop", model: "m", usage, cost: 0.02 },
    { type: "turn-end", stopped: "done", changed: [], verified: [], text: "" },
  ];
  const start: Fact = { type: "session-start", session: id, workspace, version: "0" };
  const facts = [
    { fact: start, turn: 0 },
    ...Array.from({ length: turns }, (_, at) =>
      perTurn(at + 1).map((fact) => ({ fact, turn: at + 1 })),
    ).flat(),
  ];
  return facts.map(({ fact, turn }, at) => ({ ...fact, v: 1, seq: at + 1, at: Date.now() + at, turn }));
}

const root = await mkdtemp(join(tmpdir(), "toolwright-bench-"));
try {
  const store = openSqliteStore(join(root, "state", "toolwright", "sessions.db"));
  for (let at = 0; at < sessions; at += 1) {
    const id = `session-${String(at).padStart(6, "0")}`;
    await store.create({ id, workspace: root, createdAt: Date.now() });
    await store.append(id, await store.claim(id), factsOf(id, root));
  }
  await store.close();
  for (const args of [
    ["sessions"], // warm-up: loads the code, with the database as it was left
    ["sessions"],
    ["sessions", "--limit", String(sessions)],
    ["sessions", "--output", "json"],
    ["sessions", "search", "tokenizer"],
    ["sessions", "search", "session-000500"],
    ["sessions", "show", "000500"],
  ]) {
    const terminal = testTerminal({ env: { HOME: root, XDG_STATE_HOME: join(root, "state") }, cwd: root });
    const from = performance.now();
    await runCli(args, terminal);
    console.log(
      `${(performance.now() - from).toFixed(0).padStart(6)} ms  ${args.join(" ")}  (${terminal.printed().length} characters)`,
    );
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
