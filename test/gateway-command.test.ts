/** The built `toolwright serve` as a process: graceful and immediate stops, kills, restarts, and no leaked secrets. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect, type Entry } from "../src/client.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { allBytesBelow, type Home, newHome, startCommand } from "./support/command.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";

type Started = { url: string; link: string; tokenFile: string; pid: number };

async function serving(home: Home, ...more: string[]) {
  const running = startCommand(home, ["serve", "--output", "json", "--port", "0", ...more]);
  let text = "";
  running.child.stdout?.on("data", (piece: string) => (text += piece));
  await running.until("}\n");
  const started: Started = JSON.parse(text);
  const token = (await readFile(started.tokenFile, "utf8")).trim();
  return { ...running, started, token, client: connect({ url: started.url, token }) };
}

const hello = { type: "send" as const, content: [{ type: "text" as const, text: "hi" }] };

test("on SIGTERM the gateway lets running turns finish, accepts nothing new, and exits with 0", async () => {
  const home = await newHome();
  const gate = Promise.withResolvers<void>();
  const model = await serve(scriptedModel([[{ say: "One" }, { wait: gate.promise }, { say: " two." }]]));
  const { child, ended, client } = await serving(home, ...lead(home, ollamaRoad, model.url));
  const { id } = await client.create({});
  await client.command(id, hello);
  await expect.poll(async () => (await client.health()).sessions.working).toBe(1);
  child.kill("SIGTERM");
  await expect
    .poll(() =>
      client.health().then(
        ({ status }) => status,
        () => "stopping",
      ),
    )
    .toBe("stopping");
  await expect(client.create({})).rejects.toMatchObject({ status: 503 });
  await expect(client.command(id, hello)).rejects.toMatchObject({ status: 503 });
  gate.resolve();
  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain("Waiting for one session that works");
  const again = await serving(home, "--offline-model");
  expect((await again.client.session(id)).standing).toBe("idle");
  expect(JSON.stringify(await again.client.facts(id, {}))).toContain("One two.");
});

test("a turn that outlasts --drain is stopped, and a second signal ends the gateway immediately", async () => {
  for (const patience of ["1", "600"]) {
    const home = await newHome();
    const model = await serve(scriptedModel([[{ say: "One" }, { wait: new Promise(() => undefined) }]]));
    const { child, ended, client } = await serving(
      home,
      "--drain",
      patience,
      ...lead(home, ollamaRoad, model.url),
    );
    const { id } = await client.create({});
    await client.command(id, hello);
    await expect.poll(async () => (await client.health()).sessions.working).toBe(1);
    child.kill("SIGINT");
    if (patience === "600") {
      await expect
        .poll(() =>
          client.health().then(
            ({ status }) => status,
            () => "stopping",
          ),
        )
        .toBe("stopping");
      const again = setInterval(() => child.kill("SIGINT"), 200);
      expect((await ended).code).toBe(130);
      clearInterval(again);
    } else expect((await ended).code).toBe(0);
    expect(await readFile(join(home.stateDir, "gateway.json"), "utf8").catch(() => "gone")).toBe("gone");
  }
});

test("after a kill and restart, the sessions, the token and a page's token are still valid", async () => {
  const home = await newHome();
  const first = await serving(home, "--offline-model");
  const { token: page } = await first.client.exchange({ code: first.started.link.split("#code=")[1] ?? "" });
  const { id } = await first.client.create({ title: "Kept" });
  first.child.kill("SIGKILL");
  await first.ended;
  const second = await serving(home, "--offline-model");
  expect(second.token).toBe(first.token);
  const client = connect({ url: second.started.url, token: page });
  expect(await client.session(id)).toMatchObject({ title: "Kept" });
});

test("no token or code appears in a log, a file, an address or an error", async () => {
  const home = await newHome();
  const { child, ended, started, token, client } = await serving(home, "--offline-model", "--verbose");
  const { code } = await client.newCode();
  const { token: page } = await client.exchange({ code });
  const planted = Array.from({ length: 40 }, (_, index) => `canary-${index}-${"c".repeat(20)}`);
  const replies: string[] = [];
  for (const [index, canary] of planted.entries()) {
    const path = index % 2 === 0 ? "/sessions" : `/nothing`;
    const reply = await fetch(`${started.url}${path}?token=${canary}`, {
      method: index % 3 === 0 ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${index % 4 === 0 ? token : canary}`,
        "x-secret": canary,
        ...(index % 3 === 0 ? { "content-type": index % 2 === 0 ? "application/json" : "text/plain" } : {}),
      },
      ...(index % 3 === 0 ? { body: `{"title": 5, "secret": "${canary}"` } : {}),
    });
    replies.push(JSON.stringify([...reply.headers]) + (await reply.text()));
  }
  const { id } = await client.create({});
  await client.command(id, hello);
  const events: Entry[] = [];
  for await (const event of client.events(id, {})) {
    if ("seq" in event) events.push(event);
    if (event.type === "turn-end") break;
  }
  child.kill("SIGTERM");
  const { stdout, stderr } = await ended;
  const told = [stdout.replace(started.link, ""), stderr, ...replies, JSON.stringify(events)].join("\n");
  const files = await allBytesBelow(home.root);
  for (const secret of [...planted, token, page, code, started.link.split("#code=")[1] ?? ""]) {
    expect(told.includes(secret), secret).toBe(false);
    const where = files.filter(({ text }) => text.includes(secret)).map(({ path }) => path);
    expect(where).toEqual(secret === token ? [started.tokenFile] : []);
  }
});
