/** Why a core did not begin, as whoever asked for it reads it. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startCore } from "./core-process.ts";

/** Starts a core that runs this code for each line it reads, as `request`. */
async function begun(answering: string) {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-core-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = join(folder, "core.mjs");
  await writeFile(
    program,
    `import { createInterface } from "node:readline";
    const reply = (id, outcome) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
    createInterface({ input: process.stdin }).on("line", (line) => {
      const request = JSON.parse(line);
      ${answering}
    });`,
  );
  const node = { path: process.execPath, env: {} };
  return startCore({ node, program, options: [], folder, env: process.env, log: () => undefined });
}

test("a core that refuses its gateway did not start for the reason that it gives", async () => {
  const core = await begun(`
    if (request.method === "initialize") reply(request.id, { result: {} });
    else {
      console.error("a warning that is not the reason");
      reply(request.id, { error: { code: -32603, message: "The port is taken: end the other program." } });
    }`);
  expect(core).toEqual({
    ok: false,
    problem: "Toolwright did not start: The port is taken: end the other program.",
  });
});

test("a core that refuses to begin at all is asked for nothing more", async () => {
  const core = await begun(`reply(request.id, { error: { code: -32603, message: request.method } });`);
  expect(core).toEqual({ ok: false, problem: "Toolwright did not start: initialize" });
});

test("a core that ends before it answers did not start for what it said last", async () => {
  const core = await begun(`console.error("There is no such option."); process.exit(2);`);
  expect(core).toEqual({ ok: false, problem: "Toolwright did not start: There is no such option." });
});

test("a core that gives its gateway has begun, and ends with its input", async () => {
  const core = await begun(`reply(request.id, { result: { url: "http://127.0.0.1:1", token: "t" } });`);
  if (!core.ok) throw new Error(core.problem);
  expect(core.value.address).toEqual({ url: "http://127.0.0.1:1", token: "t" });
  core.value.stop();
  expect(await core.value.ended).toBe("it ended with exit code 0");
});
