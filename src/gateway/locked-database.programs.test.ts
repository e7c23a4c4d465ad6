/** While another program locks the sessions' database, only the requests that need it wait. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { testGateway } from "../testing/gateway.ts";

/** A process that holds the lock until told to release it. */
async function locker(path: string) {
  const script = `const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(process.argv[1], { timeout: 60_000 });
    database.exec("BEGIN IMMEDIATE");
    process.stdout.write("held");
    process.stdin.once("data", () => { database.exec("COMMIT"); process.exit(); });`;
  const child = spawn(process.execPath, ["-e", script, path], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  await once(child.stdout, "data");
  return async (): Promise<void> => {
    const ended = once(child, "exit");
    child.stdin.write("go on");
    await ended;
  };
}

test("while the database is locked reads are answered, and a waiting message is stored once", async () => {
  const gateway = await testGateway(scriptedModel([[{ say: "Here." }]]), { databaseWaitMs: 600_000 });
  onTestFinished(async () => {
    await gateway.close();
    await gateway.test.remove();
  });
  const [busy, other] = [await gateway.newSession(), await gateway.newSession()];
  const release = await locker(join(gateway.test.root, "state", "sessions.db"));
  let isTaken = false;
  const message = { type: "send", id: "one", content: [{ type: "text", text: "Hello" }] };
  const sending = gateway.ask("POST", `/sessions/${busy}/commands`, message).finally(() => {
    isTaken = true;
  });
  expect((await gateway.ask("GET", "/health")).status).toBe(200);
  expect((await gateway.ask("GET", `/sessions/${other}/facts`)).status).toBe(200);
  expect((await gateway.ask("GET", "/sessions")).status).toBe(200);
  expect(isTaken).toBe(false);
  await release();
  expect((await sending).status).toBe(200);
  await expect
    .poll(async () => (await gateway.ask("GET", `/sessions/${busy}`)).body, { timeout: 60_000 })
    .toMatchObject({ turns: 1, answers: 1, standing: "idle" });
});
