/** Prompts called before a session's first model request. */

import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { calledPrompt } from "./called-prompt.ts";
import { ServerManager } from "./manager.ts";
import type { McpServers } from "./settings.ts";
import { linesOf, type ServersOptions, startServers, testServer } from "./testing/servers.ts";

const { signal } = new AbortController();

/** A manager that no session uses yet. */
async function unused(user: McpServers, options: ServersOptions = {}) {
  const started = await startServers({}, options);
  onTestFinished(() => started.close());
  const manager = new ServerManager({ ...started.setup, user });
  return {
    place: started.place,
    call: (command: string, words = "", wait?: number) =>
      calledPrompt(manager, { command, words, signal }, wait),
  };
}

test("calling a prompt starts only its own server; an unknown server name starts none", async () => {
  const { place, call } = await unused({});
  const file = join(place, "starts");
  const { call: callAt } = await unused({ "my.s": testServer("good", file) });
  expect(await callAt("nosuch")).toBeUndefined();
  expect(await callAt("other:greet")).toBeUndefined();
  expect(await linesOf(file)).toEqual([]);
  expect(await callAt("my.s:greet", "Ada")).toMatchObject({
    prompt: { command: "my.s:greet" },
    rendered: { ok: true, value: [{ text: 'Greet {"who":"Ada"}' }] },
  });
  expect(await callAt("my.s:nosuch")).toBeUndefined();
  expect(await call("my.s:greet")).toBeUndefined();
});

test("an unavailable server is explained: not trusted, still starting, or failed to start", async () => {
  const { call: untrusted } = await unused(
    {},
    { own: { servers: { s: testServer("good") }, path: "config.jsonc" }, allows: () => false },
  );
  expect(await untrusted("s:greet")).toMatchObject({ problem: expect.stringContaining("until you agree") });
  const { call: silent } = await unused({ s: testServer("silent") });
  expect(await silent("s:greet", "", 50)).toMatchObject({
    problem: expect.stringContaining("still starting"),
  });
  const { call: broken } = await unused({ s: { command: "/nosuch/program" } });
  expect(await broken("s:greet")).toMatchObject({ problem: expect.stringContaining("s") });
});
