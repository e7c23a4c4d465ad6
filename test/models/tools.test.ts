/** A real model that was trained on tools: native calls that a real server reads, an edit to its end, and probe. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { wholeSession } from "../support/whole-log.ts";
import { startLlamaServer, type LlamaServer } from "./llama-server.ts";
import { qwenCoder } from "./packages.ts";
import { agentIn, briefly, placeWith } from "./place.ts";

let server: LlamaServer;
beforeAll(async () => {
  server = await startLlamaServer(qwenCoder, { longest: 96 });
});
afterAll(() => server.kill());

const before = 'export const greeting = "helo";\n';
const request = 'Call edit_file on a.ts: replace "helo" with "hello". Then say that it is done.';

test.each(["native", "hermes", "json-fence"])(
  "a small edit in %s ends, whole in the log, and the file is as it was or as a call made it",
  async (dialect) => {
    const home = await placeWith(server, { "a.ts": before });
    const flags = [...briefly, "--dialect", dialect, "--mode", "accept-edits", "--max-rounds", "3"];
    const ended = await runCommand(home, [...flags, "-p", request]);
    expect([0, 1, 3, 4]).toContain(ended.code);
    const facts = await wholeSession(home.stateDir);
    const changed = facts.some((fact) => fact.type === "turn-end" && fact.changed.length > 0);
    const now = await readFile(join(home.workspace, "a.ts"), "utf8");
    expect(now !== before).toBe(changed);
    expect(await server.busy()).toBe(0);
  },
);

test("an interruption while a native call is written frees the server", async () => {
  const home = await placeWith(server, { "a.ts": before });
  const { session } = await agentIn(home, { dialect: "native" });
  await session.command({ type: "send", content: [{ type: "text", text: request }] });
  await server.untilBusy(1);
  await session.command({ type: "interrupt", by: "test" });
  await server.untilBusy(0);
  expect(session.state.turns.at(-1)?.stopped).toBe("interrupted");
});

test("probe measures the model, and the next session is asked in the way that was measured", async () => {
  const home = await placeWith(server);
  const report = join(home.root, "report.md");
  const flags = ["llamacpp", "--dialect", "native", "--report", report];
  const probed = await runCommand(home, ["probe", ...flags]);
  expect(probed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^native +[1-9]\d*\/22 /mu) });
  expect(await readFile(report, "utf8")).toContain(`| llamacpp/${qwenCoder.name} |`);
  const { stdout } = await runCommand(home, ["doctor"]);
  expect(stdout).toMatch(/^ok +dialects +measured: qwen2\.5-coder:0\.5b \(best: native, /mu);
});
